"""Where pieces stand, beyond their square: files, ranks, outposts."""

from ..bitboards import (
    RANK_4,
    RANK_5,
    RANK_6,
    RANK_7,
    Bitboard,
    attack_spans_of_enemy,
    complement,
    file_fill,
    rear_spans,
)
from ..side import Side
from ..term import WHOLE, term


@term(WHOLE, page="Rook on Open File", concept="F16")
def rook_on_open_file(us: Side) -> Bitboard:
    """Rooks on files without any pawn."""
    return us.rooks & complement(file_fill(us.pawns | us.their_pawns))


@term(WHOLE, page="Half-open File", concept="F16")
def rook_on_half_open_file(us: Side) -> Bitboard:
    """Rooks on files without an own pawn but with an enemy pawn."""
    return us.rooks & complement(file_fill(us.pawns)) & file_fill(us.their_pawns)


@term(WHOLE, page="Rook on Open File", concept="F16 I15")
def rook_open_ahead(us: Side) -> Bitboard:
    """Rooks with no pawn ahead of them on their file; pawns behind the rook do not matter."""
    return us.rooks & complement(rear_spans(us.pawns) | rear_spans(us.their_pawns))


@term(WHOLE, page="Half-open File", concept="F16 I15")
def rook_half_open_ahead(us: Side) -> Bitboard:
    """Rooks with an enemy pawn but no own pawn ahead on their file; an own pawn behind does not matter."""
    return us.rooks & complement(rear_spans(us.pawns)) & rear_spans(us.their_pawns)


@term(WHOLE, page="Rook on Seventh", concept="F17")
def rook_on_seventh(us: Side) -> Bitboard:
    """Rooks on the seventh rank."""
    return us.rooks & RANK_7


@term(WHOLE, page="Outposts", concept="C21")
def knight_outpost(us: Side) -> Bitboard:
    """Knights on ranks 4-6 defended by an own pawn, on a square no enemy pawn can ever attack."""
    safe = us.pawn_attacks & complement(attack_spans_of_enemy(us.their_pawns))
    return us.knights & safe & (RANK_4 | RANK_5 | RANK_6)
