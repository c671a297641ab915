"""Piece-square tables: one column a square, from our side of the board."""

from ..bitboards import Bitboard
from ..side import Side
from ..term import BY_PAWN_SQUARE, BY_SQUARE, term


@term(BY_PAWN_SQUARE, page="Piece-Square Tables", concept="F2 I2")
def psqt_pawn(us: Side) -> Bitboard:
    """Pawns, by square."""
    return us.pawns


@term(BY_SQUARE, page="Piece-Square Tables", concept="F2 I2")
def psqt_knight(us: Side) -> Bitboard:
    """Knights, by square."""
    return us.knights


@term(BY_SQUARE, page="Piece-Square Tables", concept="F2 I2")
def psqt_bishop(us: Side) -> Bitboard:
    """Bishops, by square."""
    return us.bishops


@term(BY_SQUARE, page="Piece-Square Tables", concept="F2 I2")
def psqt_rook(us: Side) -> Bitboard:
    """Rooks, by square."""
    return us.rooks


@term(BY_SQUARE, page="Piece-Square Tables", concept="F2 I2")
def psqt_queen(us: Side) -> Bitboard:
    """Queens, by square."""
    return us.queens


@term(BY_SQUARE, page="Piece-Square Tables", concept="F2 I2")
def psqt_king(us: Side) -> Bitboard:
    """The king, by square."""
    return us.king
