"""King safety."""

from ..bitboards import (
    EMPTY,
    ONE,
    RANK_1,
    RANK_2,
    RANK_3,
    Bitboard,
    bishop_attacks,
    bit,
    complement,
    file_fill,
    king_attacks,
    knight_attacks,
    lowest,
    neighbours,
    north,
    popcount,
    queen_attacks,
    rook_attacks,
    south,
    south_fill,
    squares_named,
    without_lowest,
)
from ..compiled import Constant, primitive
from ..forms import family, one_of
from ..side import Side
from ..term import BY_COUNT, BY_FOLDED_FILE, BY_RANK, WHOLE, Term, term


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


@term(WHOLE, page="King Safety", concept="G1")
def king_on_open_file(us: Side) -> Bitboard:
    """A king on a file without any pawn."""
    return us.king & complement(file_fill(us.pawns | us.their_pawns))


@term(WHOLE, page="King Safety", concept="G1")
def king_on_half_open_file(us: Side) -> Bitboard:
    """A king on a file without an own pawn but with an enemy pawn."""
    return us.king & complement(file_fill(us.pawns)) & file_fill(us.their_pawns)


@term(WHOLE, page="King Safety", number=True, concept="G1")
def open_files_beside_king(us: Side) -> int:
    """Files without an own pawn among those adjacent to the king's."""
    beside = neighbours(file_fill(us.king)) & RANK_1
    return popcount(beside & complement(file_fill(us.pawns)))


@term(BY_RANK, page="Pawn Storm", concept="G1")
def storming_pawn(us: Side) -> Bitboard:
    """Own pawns on the enemy king's file and the adjacent ones, by rank, before the king or level with it."""
    files = file_fill(us.their_king) | neighbours(file_fill(us.their_king))
    return us.pawns & files & south_fill(us.their_king | neighbours(us.their_king))


@term(BY_COUNT(8), page="King Safety", number=True, concept="G2")
def king_attackers(us: Side) -> int:
    """Knights, bishops, rooks and queens that attack a square of the enemy king's zone."""
    return attack_units(us, enemy_king_zone(us), 1, 1, 1, 1)[0]


@term(one_of("king side", "queen side"), page="Castling Rights", concept="G8")
def castling_right(us: Side) -> Bitboard:
    """A right to castle that is left; for the rook right of the king, and for the one left of it."""
    king_side = us.castling & complement(us.king - ONE)
    return (bit(0) if king_side else EMPTY) | (bit(1) if us.castling & (us.king - ONE) else EMPTY)


KING_SIDE_HOME = squares_named("g1 h1")
QUEEN_SIDE_HOME, QUEEN_SIDE_CORNER = squares_named("a1 b1 c1"), squares_named("a1 b1")


@term(one_of("king side", "queen side"), page="Castling", concept="G8 H2")
def castled(us: Side) -> Bitboard:
    """A king on g1 or h1 without an own rook on g1 or h1; on a1, b1 or c1 without one on a1 or b1.

    It looks like a castled position, however it came about.
    """
    king_side = us.king & KING_SIDE_HOME and not us.rooks & KING_SIDE_HOME
    queen_side = us.king & QUEEN_SIDE_HOME and not us.rooks & QUEEN_SIDE_CORNER
    return (bit(0) if king_side else EMPTY) | (bit(1) if queen_side else EMPTY)
