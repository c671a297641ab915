"""Control of the centre, and space behind the own pawns."""

from ..bitboards import (
    CENTER,
    EXTENDED_CENTER,
    RANK_2,
    RANK_3,
    RANK_4,
    Bitboard,
    complement,
    rear_spans,
)
from ..compiled import Constant, primitive
from ..side import Side
from ..term import WHOLE, Partition, term
from .squares import pieces

BY_CENTER_RING = Partition(
    "center",
    ("center", "around"),
    tuple(0 if CENTER >> s & 1 else 1 if EXTENDED_CENTER >> s & 1 else -1 for s in range(64)),
)
"""d4 e4 d5 e5, and the other squares of c3-f6."""
SPACE_FILES = Constant(0x3C3C_3C3C_3C3C_3C3C)


@term(BY_CENTER_RING, page="Center Control", concept="H3")
def center_pawn(us: Side) -> Bitboard:
    """Pawns in the centre, and around it."""
    return us.pawns


@term(BY_CENTER_RING, page="Center Control", concept="H3")
def center_piece(us: Side) -> Bitboard:
    """Knights, bishops, rooks and queens in the centre, and around it."""
    return pieces(us)


@term(BY_CENTER_RING, page="Center Control", concept="H3")
def center_attacked_by_pawn(us: Side) -> Bitboard:
    """Squares of the centre, and around it, that own pawns attack."""
    return us.pawn_attacks


@term(BY_CENTER_RING, page="Center Control", concept="H3")
def center_attacked_by_knight(us: Side) -> Bitboard:
    """Squares of the centre, and around it, that own knights attack."""
    return us.knight_attacks


@term(BY_CENTER_RING, page="Center Control", concept="H3")
def center_attacked_by_bishop(us: Side) -> Bitboard:
    """Squares of the centre, and around it, that own bishops attack."""
    return us.bishop_attacks


@term(BY_CENTER_RING, page="Center Control", concept="H3")
def center_attacked_by_rook(us: Side) -> Bitboard:
    """Squares of the centre, and around it, that own rooks attack."""
    return us.rook_attacks


@term(BY_CENTER_RING, page="Center Control", concept="H3")
def center_attacked_by_queen(us: Side) -> Bitboard:
    """Squares of the centre, and around it, that own queens attack."""
    return us.queen_attacks


@term(BY_CENTER_RING, page="Center Control", concept="H3")
def center_attacked_twice(us: Side) -> Bitboard:
    """Squares of the centre, and around it, that two or more own men attack."""
    return us.attacks_twice


@primitive
def safe_space(us: Side) -> Bitboard:
    """Squares of files c-f and ranks 2-4 without an own pawn that no enemy pawn attacks."""
    return (RANK_2 | RANK_3 | RANK_4) & SPACE_FILES & complement(us.pawns | us.their_pawn_attacks)


@term(WHOLE, page="Space", concept="H4")
def space(us: Side) -> Bitboard:
    """Squares of files c-f and ranks 2-4 without an own pawn that no enemy pawn attacks."""
    return safe_space(us)


@term(WHOLE, page="Space", concept="H4")
def space_behind_pawns(us: Side) -> Bitboard:
    """Those of them that lie behind an own pawn of their file."""
    return safe_space(us) & rear_spans(us.pawns)
