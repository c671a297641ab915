"""King safety."""

from ..bitboards import (
    Bitboard,
    bishop_attacks,
    bit,
    king_attacks,
    knight_attacks,
    lowest,
    neighbours,
    north,
    popcount,
    queen_attacks,
    rook_attacks,
    south,
    without_lowest,
)
from ..compiled import primitive
from ..side import Side
from ..term import BY_COUNT, BY_FOLDED_FILE, term


@term(BY_FOLDED_FILE, page="King Safety")
def king_pawn_shield(us: Side) -> Bitboard:
    """Own pawns directly in front of the king, on its file and the adjacent ones, by file."""
    ahead = north(us.king)
    return us.pawns & (ahead | neighbours(ahead))


@term(BY_FOLDED_FILE, page="King Safety")
def king_pawn_shield_advanced(us: Side) -> Bitboard:
    """Own pawns two ranks in front of the king, on its file and the adjacent ones, by file."""
    ahead = north(north(us.king))
    return us.pawns & (ahead | neighbours(ahead))


@primitive
def enemy_king_zone(us: Side) -> Bitboard:
    """The ring around the enemy king and the three squares two ranks in front of it."""
    ahead = south(south(us.their_king))
    return king_attacks(us.their_king) | ahead | neighbours(ahead)


@term(BY_COUNT(40), page="King Safety", number=True)
def king_attack_units(us: Side) -> int:
    """Units of attack on the enemy king's zone: for each attacking piece, its unit weight times the zone
    squares it attacks (knight and bishop 2, rook 3, queen 4).

    Nothing without a queen or with fewer than two attackers.
    """
    if us.queens == 0:
        return 0
    zone = enemy_king_zone(us)
    attackers = 0
    units = 0
    rest = us.knights | us.bishops | us.rooks | us.queens
    while rest:
        square = lowest(rest)
        piece = bit(square)
        rest = without_lowest(rest)
        if piece & us.knights:
            hits, weight = popcount(zone & knight_attacks(piece)), 2
        elif piece & us.bishops:
            hits, weight = popcount(zone & bishop_attacks(square, us.occupied)), 2
        elif piece & us.rooks:
            hits, weight = popcount(zone & rook_attacks(square, us.occupied)), 3
        else:
            hits, weight = popcount(zone & queen_attacks(square, us.occupied)), 4
        if hits > 0:
            attackers += 1
            units += weight * hits
    return units if attackers > 1 else 0
