"""Mobility tables: one column for each number of squares a piece can go to.

Counted are attacked squares that no own man occupies and no enemy pawn attacks.
"""

from ..bitboards import (
    Bitboard,
    Square,
    bishop_attacks,
    bit,
    complement,
    knight_attacks,
    queen_attacks,
    rook_attacks,
)
from ..compiled import primitive
from ..side import Side
from ..term import BY_COUNT, term


@primitive
def mobility_area(us: Side) -> Bitboard:
    """Squares free of own men and not attacked by enemy pawns."""
    return complement(us.men | us.their_pawn_attacks)


@term(BY_COUNT(9), page="Mobility", each="knights")
def knight_mobility(us: Side, square: Square) -> Bitboard:
    """Squares a knight can go to."""
    return knight_attacks(bit(square)) & mobility_area(us)


@term(BY_COUNT(14), page="Mobility", each="bishops")
def bishop_mobility(us: Side, square: Square) -> Bitboard:
    """Squares a bishop can go to."""
    return bishop_attacks(square, us.occupied) & mobility_area(us)


@term(BY_COUNT(15), page="Mobility", each="rooks")
def rook_mobility(us: Side, square: Square) -> Bitboard:
    """Squares a rook can go to."""
    return rook_attacks(square, us.occupied) & mobility_area(us)


@term(BY_COUNT(28), page="Mobility", each="queens")
def queen_mobility(us: Side, square: Square) -> Bitboard:
    """Squares a queen can go to."""
    return queen_attacks(square, us.occupied) & mobility_area(us)
