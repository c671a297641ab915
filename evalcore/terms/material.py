"""How many men of each kind, and pairs of them."""

from ..bitboards import Bitboard, popcount
from ..side import Side
from ..term import WHOLE, term


@term(WHOLE, page="Material", concept="F1 I1")
def material_pawn(us: Side) -> Bitboard:
    """Pawns."""
    return us.pawns


@term(WHOLE, page="Material", concept="F1 I1")
def material_knight(us: Side) -> Bitboard:
    """Knights."""
    return us.knights


@term(WHOLE, page="Material", concept="F1 I1")
def material_bishop(us: Side) -> Bitboard:
    """Bishops."""
    return us.bishops


@term(WHOLE, page="Material", concept="F1 I1")
def material_rook(us: Side) -> Bitboard:
    """Rooks."""
    return us.rooks


@term(WHOLE, page="Material", concept="F1 I1")
def material_queen(us: Side) -> Bitboard:
    """Queens."""
    return us.queens


@term(WHOLE, page="Bishop Pair", number=True, concept="F5 I5")
def bishop_pair(us: Side) -> int:
    """One for two or more bishops, whatever the colours of their squares."""
    return 1 if popcount(us.bishops) > 1 else 0
