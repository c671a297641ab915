"""Bishops and the colours of squares: bad bishops, colour weakness, bishop against knight, fianchetto."""

from ..bitboards import (
    DARK_SQUARES,
    EMPTY,
    LIGHT_SQUARES,
    RANK_8,
    Bitboard,
    Square,
    bit,
    complement,
    neighbours,
    pawn_attacks,
    popcount,
    south,
    squares_named,
)
from ..compiled import Constant, primitive
from ..forms import numbers
from ..side import Side
from ..term import BY_COUNT, WHOLE, term
from .majorities import FILES_A_TO_C, FILES_F_TO_H
from .rooks import passed_of_enemy
from .spans import rammed_pawns

MIDDLE_FILES = Constant(0x3C3C_3C3C_3C3C_3C3C)
A2, B2, C2, B3 = (squares_named(name) for name in ("a2", "b2", "c2", "b3"))
F2, G2, H2, G3 = (squares_named(name) for name in ("f2", "g2", "h2", "g3"))
QUEEN_SIDE_CORNER = squares_named("a1 b1 c1 a2 b2 c2")
KING_SIDE_CORNER = squares_named("f1 g1 h1 f2 g2 h2")


@primitive
def colour_of(squares: Bitboard) -> Bitboard:
    """All squares of the colour of a bishop's square; dark where there is any dark one."""
    return DARK_SQUARES if squares & DARK_SQUARES else LIGHT_SQUARES


# --- bad bishops ----------------------------------------------------------------------------------------


@term(BY_COUNT(9), page="Bad Bishop", each="bishops", concept="F7")
def bishop_own_pawns_on_color(us: Side, square: Square) -> Bitboard:
    """Own pawns on squares of the bishop's colour, wherever they stand."""
    return us.pawns & colour_of(bit(square))


@term(BY_COUNT(9), page="Bad Bishop", each="bishops", concept="F7")
def bishop_rammed_pawns_on_color(us: Side, square: Square) -> Bitboard:
    """Own rammed pawns on squares of the bishop's colour: those restrict it for good."""
    return rammed_pawns(us.pawns, us.their_pawns) & colour_of(bit(square))


@primitive
def cone_ahead(square: Bitboard) -> Bitboard:
    """Squares a bishop can reach on an empty board by moving forward only."""
    cone = pawn_attacks(square)
    for _ in range(6):
        cone |= pawn_attacks(cone)
    return cone


@term(BY_COUNT(9), page="Bad Bishop", each="bishops", concept="F7")
def bishop_own_pawns_ahead(us: Side, square: Square) -> Bitboard:
    """Own pawns on squares of its colour in the cone ahead of the bishop: the pawns that make it bad.

    A bishop outside its pawn chain has none of them ahead.
    """
    return us.pawns & cone_ahead(bit(square))


@term(WHOLE, page="Bad Bishop", concept="F7")
def bishop_without_forward_move(us: Side) -> Bitboard:
    """Bishops below the last rank with an own man on every square diagonally ahead (Crafty's condition)."""
    movable = neighbours(south(complement(us.men)))
    return us.bishops & complement(movable | RANK_8)


@term(WHOLE, page="Bad Bishop", number=True, concept="F7")
def bad_bishop_in_blocked_centre(us: Side) -> int:
    """For each bishop, own pawns on its colour times own pawns on files c-f with a man before them.

    At most 127 in all.
    """
    blocked = popcount(us.pawns & south(us.occupied) & MIDDLE_FILES)
    dark = popcount(us.bishops & DARK_SQUARES) * popcount(us.pawns & DARK_SQUARES)
    light = popcount(us.bishops & LIGHT_SQUARES) * popcount(us.pawns & LIGHT_SQUARES)
    return min(blocked * (dark + light), 127)


# --- colour weakness ------------------------------------------------------------------------------------


@term(WHOLE, page="Color Weakness", number=True, concept="F9")
def color_weakness(us: Side) -> int:
    """For each colour of squares without an own bishop, the own pawns on the other colour.

    Pawns and bishops both leave that colour to the enemy (melanpenia, leukopenia).
    """
    dark = 0 if us.bishops & DARK_SQUARES else popcount(us.pawns & LIGHT_SQUARES)
    light = 0 if us.bishops & LIGHT_SQUARES else popcount(us.pawns & DARK_SQUARES)
    return dark + light


@term(WHOLE, page="Color Weakness", number=True, concept="F9")
def color_weakness_to_bishop(us: Side) -> int:
    """The same, only for colours of which the enemy has a bishop."""
    dark = 0 if us.bishops & DARK_SQUARES or not us.their_bishops & DARK_SQUARES else 1
    light = 0 if us.bishops & LIGHT_SQUARES or not us.their_bishops & LIGHT_SQUARES else 1
    return dark * popcount(us.pawns & LIGHT_SQUARES) + light * popcount(us.pawns & DARK_SQUARES)


@term(WHOLE, page="Fianchetto", concept="F15")
def fianchetto(us: Side) -> Bitboard:
    """Bishops on b2 or g2 with an own pawn on b3 or g3 before them."""
    return us.bishops & (B2 | G2) & south(us.pawns)


@primitive
def gone_fianchettoes(us: Side) -> Bitboard:
    """b3 and g3, where they hold the pawn of a fianchetto whose bishop is gone from the board.

    Own pawns on a2, b3, c2 or f2, g3, h2, and no own bishop of that colour.
    """
    west = (us.pawns & (A2 | C2)) == A2 | C2 and us.bishops & DARK_SQUARES == EMPTY
    east = (us.pawns & (F2 | H2)) == F2 | H2 and us.bishops & LIGHT_SQUARES == EMPTY
    return us.pawns & ((B3 if west else EMPTY) | (G3 if east else EMPTY))


@term(WHOLE, page="Color Weakness", concept="F9")
def fianchetto_gone(us: Side) -> Bitboard:
    """Fianchetto pawns (b3 with a2, c2; g3 with f2, h2) without an own bishop of the colour of b2 or g2."""
    return gone_fianchettoes(us)


@term(WHOLE, page="Color Weakness", concept="F9")
def fianchetto_gone_at_king(us: Side) -> Bitboard:
    """The same with the own king behind these pawns and an enemy bishop of that colour on the board."""
    west = us.king & QUEEN_SIDE_CORNER and us.their_bishops & DARK_SQUARES
    east = us.king & KING_SIDE_CORNER and us.their_bishops & LIGHT_SQUARES
    return gone_fianchettoes(us) & ((B3 if west else EMPTY) | (G3 if east else EMPTY))


# --- bishop against knight ------------------------------------------------------------------------------


@primitive
def bishop_for_knight(us: Side) -> bool:
    """Whether we have one bishop more and one knight less than the enemy."""
    bishops = popcount(us.bishops) - popcount(us.their_bishops)
    return bishops == 1 and popcount(us.knights) - popcount(us.their_knights) == -1


@term(numbers(0, 8), page="Bishop versus Knight", concept="F8")
def bishop_for_knight_by_pawns(us: Side) -> Bitboard:
    """One bishop more and one knight less than the enemy, by the number of own pawns."""
    return bit(popcount(us.pawns)) if bishop_for_knight(us) else EMPTY


@term(numbers(0, 8), page="Bishop versus Knight", concept="F8")
def bishop_for_knight_by_rams(us: Side) -> Bitboard:
    """One bishop more and one knight less than the enemy, by the number of rams (closedness)."""
    rams = popcount(rammed_pawns(us.pawns, us.their_pawns))
    return bit(rams) if bishop_for_knight(us) else EMPTY


@term(WHOLE, page="Bishop versus Knight", number=True, concept="F8")
def bishop_for_knight_on_both_wings(us: Side) -> int:
    """One bishop more and one knight less than the enemy, with pawns on files a-c and on files f-h."""
    pawns = us.pawns | us.their_pawns
    return 1 if bishop_for_knight(us) and pawns & FILES_A_TO_C and pawns & FILES_F_TO_H else 0


@primitive
def lone_bishop_colour(us: Side) -> Bitboard:
    """All squares of the colour of the enemy's bishops, where they are all of one colour; else nothing."""
    if us.their_bishops == 0:
        return EMPTY
    one_colour = us.their_bishops & DARK_SQUARES == 0 or us.their_bishops & LIGHT_SQUARES == 0
    return colour_of(us.their_bishops) if one_colour else EMPTY


@term(WHOLE, page="Bishop versus Knight", concept="F8")
def pawn_on_enemy_bishops_color(us: Side) -> Bitboard:
    """Own pawns on the colour of the enemy's only kind of bishop, where they restrict it."""
    return us.pawns & lone_bishop_colour(us)


@term(WHOLE, page="Bishop versus Knight", concept="F8")
def blockader_beyond_bishop(us: Side) -> Bitboard:
    """Own knights and king before an enemy passed pawn, on a square the enemy's bishops can never reach."""
    stops = south(passed_of_enemy(us.their_pawns, us.pawns))
    colour = lone_bishop_colour(us)
    return (us.knights | us.king) & stops & complement(colour) if colour else EMPTY
