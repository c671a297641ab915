"""Material beyond the sum of its parts: pairs, and values that change with the number of pawns."""

from ..bitboards import Bitboard, Square, popcount
from ..side import Side
from ..term import BY_COUNT, WHOLE, term


@term(WHOLE, page="Material", number=True, concept="F6 I6")
def knight_pair(us: Side) -> int:
    """One for two or more knights."""
    return 1 if popcount(us.knights) > 1 else 0


@term(WHOLE, page="Material", number=True, concept="F6 I7")
def rook_pair(us: Side) -> int:
    """One for two or more rooks."""
    return 1 if popcount(us.rooks) > 1 else 0


@term(BY_COUNT(9), page="Material", each="knights", concept="F4 I8")
def knight_by_own_pawns(us: Side, _square: Square) -> Bitboard:
    """Knights, by the number of own pawns: they lose value as pawns disappear."""
    return us.pawns


@term(BY_COUNT(9), page="Material", each="rooks", concept="F4 I9")
def rook_by_own_pawns(us: Side, _square: Square) -> Bitboard:
    """Rooks, by the number of own pawns: they gain value as pawns disappear."""
    return us.pawns
