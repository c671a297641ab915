"""King safety."""

from ..bitboards import (
    EMPTY,
    RANK_2,
    RANK_3,
    Bitboard,
    bishop_attacks,
    bit,
    complement,
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
from ..compiled import Constant, primitive
from ..forms import family
from ..side import Side
from ..term import BY_COUNT, BY_FOLDED_FILE, WHOLE, Term, term


@term(BY_FOLDED_FILE, page="King Safety", concept="G1")
def king_pawn_shield(us: Side) -> Bitboard:
    """Own pawns directly in front of the king, on its file and the adjacent ones, by file."""
    ahead = north(us.king)
    return us.pawns & (ahead | neighbours(ahead))


@term(BY_FOLDED_FILE, page="King Safety", concept="G1")
def king_pawn_shield_advanced(us: Side) -> Bitboard:
    """Own pawns two ranks in front of the king, on its file and the adjacent ones, by file."""
    ahead = north(north(us.king))
    return us.pawns & (ahead | neighbours(ahead))


@primitive
def enemy_king_zone(us: Side) -> Bitboard:
    """The ring around the enemy king and the three squares two ranks in front of it."""
    ahead = south(south(us.their_king))
    return king_attacks(us.their_king) | ahead | neighbours(ahead)


@primitive
def attack_units(
    us: Side, zone: Bitboard, knight: int, bishop: int, rook: int, queen: int
) -> tuple[int, int]:
    """(attacking pieces, units): each piece adds its unit weight times the zone squares it attacks."""
    attackers = 0
    units = 0
    rest = us.knights | us.bishops | us.rooks | us.queens
    while rest:
        square = lowest(rest)
        piece = bit(square)
        rest = without_lowest(rest)
        if piece & us.knights:
            hits, weight = popcount(zone & knight_attacks(piece)), knight
        elif piece & us.bishops:
            hits, weight = popcount(zone & bishop_attacks(square, us.occupied)), bishop
        elif piece & us.rooks:
            hits, weight = popcount(zone & rook_attacks(square, us.occupied)), rook
        else:
            hits, weight = popcount(zone & queen_attacks(square, us.occupied)), queen
        if hits > 0:
            attackers += 1
            units += weight * hits
    return attackers, units


@term(BY_COUNT(40), page="King Safety", number=True, concept="G2")
def king_attack_units(us: Side) -> int:
    """Units of attack on the enemy king's zone: for each attacking piece, its unit weight times the zone
    squares it attacks (knight and bishop 2, rook 3, queen 4).

    Nothing without a queen or with fewer than two attackers.
    """
    if us.queens == 0:
        return 0
    attackers, units = attack_units(us, enemy_king_zone(us), 2, 2, 3, 4)
    return units if attackers > 1 else 0


@family
def king_attack_table(
    *,
    knight: int = 2,
    bishop: int = 2,
    rook: int = 3,
    queen: int = 4,
    columns: int = 100,
    attackers: int = 2,
    needs_queen: bool = True,
) -> Term:
    """The table of CPW-Engine indexed by units of attack; all its numbers are options.

    `columns` is the length of the table: more units fall into its last column. (The original reads past
    the end of its 100 numbers; a position with nine queens reaches index 113. A longer table gives those
    indices weights of their own.)
    """

    @term(BY_COUNT(columns), page="King Safety", number=True, concept="G2 I14")
    def king_attack_table(us: Side) -> int:
        """Units of attack on the enemy king's zone: each piece's unit weight times the zone squares it
        attacks that no own man occupies.

        Nothing with fewer attacking pieces than `attackers` (2) or, unless `needs_queen` is off, without a
        queen. The zone is the king's ring and the three squares two ranks in front of it.
        """
        if needs_queen and us.queens == 0:
            return 0
        zone = enemy_king_zone(us) & complement(us.men)
        count, units = attack_units(us, zone, knight, bishop, rook, queen)
        return units if count >= attackers else 0

    return king_attack_table


KING_SIDE = Constant(0xE0E0_E0E0_E0E0_E0E0)
QUEEN_SIDE = Constant(0x0707_0707_0707_0707)


@primitive
def wing_of_king(us: Side) -> Bitboard:
    """Files f-h or a-c, whichever our king stands on; nothing for a king on the d- or e-file."""
    if us.king & KING_SIDE:
        return KING_SIDE
    return QUEEN_SIDE if us.king & QUEEN_SIDE else EMPTY


@term(WHOLE, page="King Safety", concept="G1 I3")
def king_shield_second_rank(us: Side) -> Bitboard:
    """Pawns on the second rank of the wing (a-c or f-h) our king stands on, however far up the king is."""
    return us.pawns & RANK_2 & wing_of_king(us)


@term(WHOLE, page="King Safety", concept="G1 I3")
def king_shield_third_rank(us: Side) -> Bitboard:
    """Pawns on the third rank of the king's wing, on files with none on the second rank."""
    return us.pawns & RANK_3 & wing_of_king(us) & complement(north(us.pawns))
