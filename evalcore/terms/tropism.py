"""Pieces near the enemy king: distances (tropism), and how many squares of its zone each kind attacks."""

from ..bitboards import (
    ONE,
    Bitboard,
    Square,
    bishop_attacks,
    bit,
    knight_attacks,
    lowest,
    queen_attacks,
    rook_attacks,
)
from ..compiled import primitive
from ..side import Side
from ..term import BY_COUNT, WHOLE, term
from .king import enemy_king_zone
from .squares import distance


@primitive
def as_many(number: int) -> Bitboard:
    """A set of that many squares."""
    return bit(number) - ONE


@primitive
def steps_to_king(us: Side, square: Square) -> Bitboard:
    """As many squares as king moves lead from a square to the enemy king."""
    return as_many(distance(square, lowest(us.their_king)))


@term(BY_COUNT(8), page="King Safety", each="knights", concept="F23")
def knight_king_distance(us: Side, square: Square) -> Bitboard:
    """King moves from a knight to the enemy king."""
    return steps_to_king(us, square)


@term(BY_COUNT(8), page="King Safety", each="bishops", concept="F23")
def bishop_king_distance(us: Side, square: Square) -> Bitboard:
    """King moves from a bishop to the enemy king."""
    return steps_to_king(us, square)


@term(BY_COUNT(8), page="King Safety", each="rooks", concept="F23")
def rook_king_distance(us: Side, square: Square) -> Bitboard:
    """King moves from a rook to the enemy king."""
    return steps_to_king(us, square)


@term(BY_COUNT(8), page="King Safety", each="queens", concept="F23")
def queen_king_distance(us: Side, square: Square) -> Bitboard:
    """King moves from a queen to the enemy king, which Fruit took instead of queen mobility."""
    return steps_to_king(us, square)


@term(WHOLE, page="King Safety", each="knights", concept="G2")
def knight_zone_attacks(us: Side, square: Square) -> Bitboard:
    """Squares of the enemy king's zone that knights attack, each knight counted."""
    return knight_attacks(bit(square)) & enemy_king_zone(us)


@term(WHOLE, page="King Safety", each="bishops", concept="G2")
def bishop_zone_attacks(us: Side, square: Square) -> Bitboard:
    """Squares of the enemy king's zone that bishops attack, each bishop counted."""
    return bishop_attacks(square, us.occupied) & enemy_king_zone(us)


@term(WHOLE, page="King Safety", each="rooks", concept="G2")
def rook_zone_attacks(us: Side, square: Square) -> Bitboard:
    """Squares of the enemy king's zone that rooks attack, each rook counted."""
    return rook_attacks(square, us.occupied) & enemy_king_zone(us)


@term(WHOLE, page="King Safety", each="queens", concept="G2")
def queen_zone_attacks(us: Side, square: Square) -> Bitboard:
    """Squares of the enemy king's zone that queens attack, each queen counted."""
    return queen_attacks(square, us.occupied) & enemy_king_zone(us)
