"""Pieces that are shut in, by enemy pawns or by their own side."""

from ..bitboards import EMPTY, Bitboard, south, squares_named
from ..side import Side
from ..term import WHOLE, term

A6, H6 = squares_named("a6"), squares_named("h6")
A7, H7 = squares_named("a7"), squares_named("h7")
A8, H8 = squares_named("a8"), squares_named("h8")
B8, G8 = squares_named("b8"), squares_named("g8")
B5, G5 = squares_named("b5"), squares_named("g5")
B6, G6 = squares_named("b6"), squares_named("g6")
B7, G7 = squares_named("b7"), squares_named("g7")
C7, F7 = squares_named("c7"), squares_named("f7")
C2, C3, D4, E4 = (squares_named(name) for name in ("c2", "c3", "d4", "e4"))
C1, D2, E2, F1 = (squares_named(name) for name in ("c1", "d2", "e2", "f1"))
KING_SIDE_KING, KING_SIDE_ROOK = squares_named("f1 g1"), squares_named("g1 h1")
QUEEN_SIDE_KING, QUEEN_SIDE_ROOK = squares_named("b1 c1"), squares_named("a1 b1")


@term(WHOLE, page="Trapped Pieces", concept="F11 I16")
def knight_trapped_in_corner(us: Side) -> Bitboard:
    """Knights on a8 with an enemy pawn on a7 or c7, on h8 with one on h7 or f7."""
    a = us.knights & A8 if us.their_pawns & (A7 | C7) else EMPTY
    h = us.knights & H8 if us.their_pawns & (H7 | F7) else EMPTY
    return a | h


@term(WHOLE, page="Trapped Pieces", concept="F11 I16")
def knight_trapped_on_seventh(us: Side) -> Bitboard:
    """Knights on a7 with enemy pawns on a6 and b7, on h7 with enemy pawns on h6 and g7."""
    a = us.knights & A7 if us.their_pawns & A6 and us.their_pawns & B7 else EMPTY
    h = us.knights & H7 if us.their_pawns & H6 and us.their_pawns & G7 else EMPTY
    return a | h


@term(WHOLE, page="Trapped Pieces", concept="F11 I18")
def bishop_trapped_on_seventh(us: Side) -> Bitboard:
    """Bishops on a7 with an enemy pawn on b6, on b8 with one on c7; the same on h7 (g6) and g8 (f7)."""
    a = us.bishops & A7 if us.their_pawns & B6 else EMPTY
    b = us.bishops & B8 if us.their_pawns & C7 else EMPTY
    g = us.bishops & G8 if us.their_pawns & F7 else EMPTY
    h = us.bishops & H7 if us.their_pawns & G6 else EMPTY
    return a | b | g | h


@term(WHOLE, page="Trapped Pieces", concept="F11 I18")
def bishop_trapped_on_sixth(us: Side) -> Bitboard:
    """Bishops on a6 with an enemy pawn on b5, on h6 with one on g5."""
    a = us.bishops & A6 if us.their_pawns & B5 else EMPTY
    h = us.bishops & H6 if us.their_pawns & G5 else EMPTY
    return a | h


@term(WHOLE, page="Evaluation of Pieces", concept="F12 I17")
def knight_blocks_c_pawn(us: Side) -> Bitboard:
    """A knight on c3 before an own pawn on c2, with an own pawn on d4 and none on e4."""
    stuck = us.pawns & C2 and us.pawns & D4 and not us.pawns & E4
    return us.knights & C3 if stuck else EMPTY


@term(WHOLE, page="Evaluation", concept="K3")
def blocked_pawn(us: Side) -> Bitboard:
    """Pawns with any man on the square in front of them."""
    return us.pawns & south(us.occupied)


@term(WHOLE, page="Development", concept="F24 I21")
def blocked_central_pawn(us: Side) -> Bitboard:
    """Pawns on d2 with our bishop on c1, and on e2 with our bishop on f1, with any man before them."""
    d = us.pawns & D2 if us.bishops & C1 else EMPTY
    e = us.pawns & E2 if us.bishops & F1 else EMPTY
    return (d | e) & south(us.occupied)


@term(WHOLE, page="Evaluation of Pieces", concept="F19 I22")
def king_blocks_rook(us: Side) -> Bitboard:
    """A king on f1 or g1 with an own rook on g1 or h1; a king on c1 or b1 with an own rook on b1 or a1."""
    king_side = us.king & KING_SIDE_KING if us.rooks & KING_SIDE_ROOK else EMPTY
    queen_side = us.king & QUEEN_SIDE_KING if us.rooks & QUEEN_SIDE_ROOK else EMPTY
    return king_side | queen_side
