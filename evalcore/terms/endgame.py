"""Kings in the endgame: to the centre, to the edge, to the right corner, opposition."""

from ..bitboards import (
    DARK_SQUARES,
    EMPTY,
    Bitboard,
    Square,
    bit,
    file_of,
    lowest,
    popcount,
    rank_of,
    squares_named,
)
from ..compiled import primitive
from ..forms import BY_CENTER_DISTANCE, BY_CENTER_MANHATTAN, one_of
from ..side import Side
from ..term import WHOLE, term
from .majorities import EAST_HALF, WEST_HALF
from .squares import distance, is_pawn_ending, their_pieces

A1, H1, A8, H8 = (squares_named(name) for name in ("a1", "h1", "a8", "h8"))


@term(BY_CENTER_DISTANCE, page="King Centralization", concept="G4 A1")
def king_center_distance(us: Side) -> Bitboard:
    """The king, by king moves to the centre (0-3)."""
    return us.king


@term(BY_CENTER_MANHATTAN, page="King Centralization", concept="G4 A2")
def king_center_manhattan_distance(us: Side) -> Bitboard:
    """The king, by file and rank steps to the centre (0-6)."""
    return us.king


@primitive
def points(knights: Bitboard, bishops: Bitboard, rooks: Bitboard, queens: Bitboard) -> int:
    """Pieces counted as 3, 3, 5 and 9."""
    return 3 * popcount(knights | bishops) + 5 * popcount(rooks) + 9 * popcount(queens)


@primitive
def points_ahead(us: Side) -> int:
    """How many points our pieces are worth more than the enemy's."""
    ours = points(us.knights, us.bishops, us.rooks, us.queens)
    return ours - points(us.their_knights, us.their_bishops, us.their_rooks, us.their_queens)


@primitive
def is_mopping_up(us: Side) -> bool:
    """Whether the enemy has no pawns and at least 5 points less in pieces."""
    return us.their_pawns == 0 and points_ahead(us) >= 5


@primitive
def steps_from_middle(index: int) -> int:
    """Steps along a file or rank to the nearer of the two middle ones."""
    return max(3 - index, index - 4)


@primitive
def manhattan_distance(one: Square, other: Square) -> int:
    """File steps plus rank steps between two squares."""
    return abs(file_of(one) - file_of(other)) + abs(rank_of(one) - rank_of(other))


@term(WHOLE, page="Mop-up Evaluation", number=True, concept="G5")
def mop_up_to_edge(us: Side) -> int:
    """Centre Manhattan distance (0-6) of the enemy king, while the enemy has no pawns and at least 5 points
    (3, 3, 5, 9) less in pieces."""
    king = lowest(us.their_king)
    edge = steps_from_middle(file_of(king)) + steps_from_middle(rank_of(king))
    return edge if is_mopping_up(us) else 0


@term(WHOLE, page="Mop-up Evaluation", number=True, concept="G5")
def mop_up_kings_close(us: Side) -> int:
    """14 minus the Manhattan distance of the kings, while `mop_up_to_edge` is active."""
    apart = manhattan_distance(lowest(us.king), lowest(us.their_king))
    return 14 - apart if is_mopping_up(us) else 0


@term(WHOLE, page="KBNK Endgame", number=True, concept="G6")
def bishops_corner(us: Side) -> int:
    """With bishop and knight against a bare king: 7 minus its king moves to the nearest corner of the
    bishop's colour."""
    bare = (their_pieces(us) | us.their_pawns) == 0
    others = us.pawns | us.rooks | us.queens
    if not bare or others or popcount(us.bishops) != 1 or popcount(us.knights) != 1:
        return 0
    dark = us.bishops & DARK_SQUARES
    one, other = (lowest(A1), lowest(H8)) if dark else (lowest(H1), lowest(A8))
    king = lowest(us.their_king)
    return 7 - min(distance(king, one), distance(king, other))


@term(WHOLE, page="Evaluation of Pieces", concept="G7")
def king_on_wing_without_pawns(us: Side) -> Bitboard:
    """A king on the half of the board (files a-d or e-h) that has no pawns, while the other half has some."""
    pawns = us.pawns | us.their_pawns
    half = WEST_HALF if us.king & WEST_HALF else EAST_HALF
    return us.king if pawns and not pawns & half else EMPTY


@term(one_of("direct", "diagonal", "distant"), page="Opposition", concept="G12")
def opposition(us: Side) -> Bitboard:
    """In a pawn ending with the enemy to move, kings two squares apart on a file or rank (direct), two apart
    on a diagonal (diagonal), or four or six apart on a file or rank (distant)."""
    if us.to_move or not is_pawn_ending(us):
        return EMPTY
    king, other = lowest(us.king), lowest(us.their_king)
    files, ranks = abs(file_of(king) - file_of(other)), abs(rank_of(king) - rank_of(other))
    if files * ranks == 0:
        apart = files + ranks
        return bit(0) if apart == 2 else bit(2) if apart == 4 or apart == 6 else EMPTY
    return bit(1) if files == 2 and ranks == 2 else EMPTY
