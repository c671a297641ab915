"""Mobility tables: one column for each number of squares a piece can go to.

Sources count these squares in several ways, each a term of its own:

* `knight_mobility` …: attacked squares that no own man occupies and no enemy pawn attacks;
* `knight_mobility_plain` …: attacked squares that no own man occupies;
* `knight_mobility_strict` …: as the first, and neither the own king's or queen's square counts nor that of an
  own pawn that is blocked or still on its first two ranks; other own men do count, as defended.

In an evaluation, `by = "whole"` makes one column of a table: the sum of the squares (linear mobility).
"""

from ..bitboards import (
    RANK_2,
    RANK_3,
    Bitboard,
    Square,
    bishop_attacks,
    bit,
    complement,
    knight_attacks,
    queen_attacks,
    rook_attacks,
    south,
)
from ..compiled import primitive
from ..side import Side
from ..term import BY_COUNT, term


@primitive
def mobility_area(us: Side) -> Bitboard:
    """Squares free of own men and not attacked by enemy pawns."""
    return complement(us.men | us.their_pawn_attacks)


@term(BY_COUNT(9), page="Mobility", each="knights", concept="F3")
def knight_mobility(us: Side, square: Square) -> Bitboard:
    """Squares a knight can go to."""
    return knight_attacks(bit(square)) & mobility_area(us)


@term(BY_COUNT(14), page="Mobility", each="bishops", concept="F3")
def bishop_mobility(us: Side, square: Square) -> Bitboard:
    """Squares a bishop can go to."""
    return bishop_attacks(square, us.occupied) & mobility_area(us)


@term(BY_COUNT(15), page="Mobility", each="rooks", concept="F3")
def rook_mobility(us: Side, square: Square) -> Bitboard:
    """Squares a rook can go to."""
    return rook_attacks(square, us.occupied) & mobility_area(us)


@term(BY_COUNT(28), page="Mobility", each="queens", concept="F3")
def queen_mobility(us: Side, square: Square) -> Bitboard:
    """Squares a queen can go to."""
    return queen_attacks(square, us.occupied) & mobility_area(us)


@primitive
def plain_area(us: Side) -> Bitboard:
    """Squares free of own men."""
    return complement(us.men)


@term(BY_COUNT(9), page="Mobility", each="knights", concept="F3 I10")
def knight_mobility_plain(us: Side, square: Square) -> Bitboard:
    """Squares a knight attacks that no own man occupies, whoever attacks them."""
    return knight_attacks(bit(square)) & plain_area(us)


@term(BY_COUNT(14), page="Mobility", each="bishops", concept="F3 I11")
def bishop_mobility_plain(us: Side, square: Square) -> Bitboard:
    """Squares a bishop attacks that no own man occupies, whoever attacks them."""
    return bishop_attacks(square, us.occupied) & plain_area(us)


@term(BY_COUNT(15), page="Mobility", each="rooks", concept="F3 I12")
def rook_mobility_plain(us: Side, square: Square) -> Bitboard:
    """Squares a rook attacks that no own man occupies, whoever attacks them."""
    return rook_attacks(square, us.occupied) & plain_area(us)


@term(BY_COUNT(28), page="Mobility", each="queens", concept="F3 I13")
def queen_mobility_plain(us: Side, square: Square) -> Bitboard:
    """Squares a queen attacks that no own man occupies, whoever attacks them."""
    return queen_attacks(square, us.occupied) & plain_area(us)


@primitive
def strict_area(us: Side) -> Bitboard:
    """Squares no enemy pawn attacks, without our king, queens, and pawns that are blocked or on ranks 2-3."""
    stuck = us.pawns & (south(us.occupied) | RANK_2 | RANK_3)
    return complement(us.their_pawn_attacks | us.king | us.queens | stuck)


@term(BY_COUNT(9), page="Mobility", each="knights", concept="F3")
def knight_mobility_strict(us: Side, square: Square) -> Bitboard:
    """Squares of the strict area a knight attacks; own men outside the exceptions count as defended."""
    return knight_attacks(bit(square)) & strict_area(us)


@term(BY_COUNT(14), page="Mobility", each="bishops", concept="F3")
def bishop_mobility_strict(us: Side, square: Square) -> Bitboard:
    """Squares of the strict area a bishop attacks."""
    return bishop_attacks(square, us.occupied) & strict_area(us)


@term(BY_COUNT(15), page="Mobility", each="rooks", concept="F3")
def rook_mobility_strict(us: Side, square: Square) -> Bitboard:
    """Squares of the strict area a rook attacks."""
    return rook_attacks(square, us.occupied) & strict_area(us)


@term(BY_COUNT(28), page="Mobility", each="queens", concept="F3")
def queen_mobility_strict(us: Side, square: Square) -> Bitboard:
    """Squares of the strict area a queen attacks."""
    return queen_attacks(square, us.occupied) & strict_area(us)
