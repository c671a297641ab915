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
)
from ..side import Side
from ..term import WHOLE, term


@term(WHOLE, page="Rook on Open File")
def rook_on_open_file(us: Side) -> Bitboard:
    """Rooks on files without any pawn."""
    return us.rooks & complement(file_fill(us.pawns | us.their_pawns))


@term(WHOLE, page="Half-open File")
def rook_on_half_open_file(us: Side) -> Bitboard:
    """Rooks on files without an own pawn but with an enemy pawn."""
    return us.rooks & complement(file_fill(us.pawns)) & file_fill(us.their_pawns)


@term(WHOLE, page="Rook on Seventh")
def rook_on_seventh(us: Side) -> Bitboard:
    """Rooks on the seventh rank."""
    return us.rooks & RANK_7


@term(WHOLE, page="Outposts")
def knight_outpost(us: Side) -> Bitboard:
    """Knights on ranks 4-6 defended by an own pawn, on a square no enemy pawn can ever attack."""
    safe = us.pawn_attacks & complement(attack_spans_of_enemy(us.their_pawns))
    return us.knights & safe & (RANK_4 | RANK_5 | RANK_6)
