"""What helps and hinders passed pawns: their path, blockers, and the kings."""

from ..bitboards import (
    EMPTY,
    Bitboard,
    bit,
    complement,
    lowest,
    north,
    rear_spans,
    south,
    without_lowest,
)
from ..compiled import primitive
from ..side import Side
from ..term import BY_PAWN_RANK, WHOLE, term
from .passed import connected, passed
from .squares import catches, distance, king_is_alone


@term(BY_PAWN_RANK, page="Blockade of Stop", concept="D16 B10")
def blocked_passed_pawn(us: Side) -> Bitboard:
    """Passed pawns with a man of either side on their stop square."""
    return passed(us.pawns, us.their_pawns) & south(us.occupied)


@term(BY_PAWN_RANK, page="Blockade of Stop", concept="D16 B10")
def blockaded_passed_pawn(us: Side) -> Bitboard:
    """Passed pawns with an enemy man on their stop square."""
    return passed(us.pawns, us.their_pawns) & south(us.their_men)


@term(BY_PAWN_RANK, page="Blockade of Stop", concept="D16 B10")
def passed_pawn_with_safe_stop(us: Side) -> Bitboard:
    """Passed pawns whose stop square is empty and not attacked by the enemy."""
    return passed(us.pawns, us.their_pawns) & south(complement(us.occupied | us.their_attacks))


@term(BY_PAWN_RANK, page="Passed Pawn", concept="D16")
def passed_pawn_with_free_path(us: Side) -> Bitboard:
    """Passed pawns with no man of either side anywhere ahead on their file."""
    return passed(us.pawns, us.their_pawns) & complement(rear_spans(us.occupied))


@term(BY_PAWN_RANK, page="Passed Pawn", concept="D16")
def passed_pawn_with_safe_path(us: Side) -> Bitboard:
    """Passed pawns with no man ahead on their file and no square there attacked by the enemy."""
    return passed(us.pawns, us.their_pawns) & complement(rear_spans(us.occupied | us.their_attacks))


@term(WHOLE, page="Connected Passed Pawns", concept="D15")
def held_connected_passed_pawn(us: Side) -> Bitboard:
    """Connected passed pawns whose stop square an enemy bishop or king occupies or attacks."""
    holders = us.their_bishops | us.their_king | us.their_bishop_attacks | us.their_king_attacks
    return connected(passed(us.pawns, us.their_pawns)) & south(holders)


@primitive
def outside_king_square(us: Side) -> Bitboard:
    """Passed pawns whose promotion square the enemy king cannot reach in time."""
    found: Bitboard = EMPTY
    rest = passed(us.pawns, us.their_pawns)
    while rest:
        square = lowest(rest)
        rest = without_lowest(rest)
        if not catches(us, square):
            found |= bit(square)
    return found


@term(BY_PAWN_RANK, page="Rule of the Square", concept="D13")
def passed_pawn_outside_king_square(us: Side) -> Bitboard:
    """Passed pawns whose promotion square the enemy king cannot reach in time, whatever else is there."""
    return outside_king_square(us)


@term(WHOLE, page="Unstoppable Passer", concept="D13 D16")
def unstoppable_passed_pawn(us: Side) -> Bitboard:
    """Passed pawns with a free path that an enemy king without pieces cannot catch."""
    free = complement(rear_spans(us.occupied))
    return outside_king_square(us) & free if king_is_alone(us) else EMPTY


@primitive
def distances_to(king: Bitboard, squares: Bitboard) -> int:
    """Sum of the king moves from the king to each of some squares."""
    total = 0
    rest = squares
    while rest:
        total += distance(lowest(king), lowest(rest))
        rest = without_lowest(rest)
    return total


@term(WHOLE, page="King Pawn Tropism", number=True, concept="A3")
def passed_pawn_own_king_distance(us: Side) -> int:
    """King moves from our king to the stop square of each of our passed pawns, added up."""
    return distances_to(us.king, north(passed(us.pawns, us.their_pawns)))


@term(WHOLE, page="King Pawn Tropism", number=True, concept="A3")
def passed_pawn_enemy_king_distance(us: Side) -> int:
    """King moves from the enemy king to the stop square of each of our passed pawns, added up."""
    return distances_to(us.their_king, north(passed(us.pawns, us.their_pawns)))


@term(WHOLE, page="King Pawn Tropism", number=True, concept="A3 E14")
def king_own_pawn_distance(us: Side) -> int:
    """King moves from our king to each of our pawns, added up."""
    return distances_to(us.king, us.pawns)


@term(WHOLE, page="King Pawn Tropism", number=True, concept="A3 E14")
def king_enemy_pawn_distance(us: Side) -> int:
    """King moves from our king to each enemy pawn, added up."""
    return distances_to(us.king, us.their_pawns)
