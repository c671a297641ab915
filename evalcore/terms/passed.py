"""Passed pawns."""

from ..bitboards import Bitboard, complement, front_spans_of_enemy, neighbours
from ..compiled import primitive
from ..side import Side
from ..term import BY_PAWN_RANK, term


@primitive
def passed(pawns: Bitboard, their_pawns: Bitboard) -> Bitboard:
    """Our pawns with no enemy pawn in front on their own or an adjacent file."""
    guarded = front_spans_of_enemy(their_pawns)
    return pawns & complement(guarded | neighbours(guarded))


@term(BY_PAWN_RANK, page="Passed Pawn")
def passed_pawn(us: Side) -> Bitboard:
    """Pawns with no enemy pawn in front on their own or an adjacent file; own pawns ahead do not matter."""
    return passed(us.pawns, us.their_pawns)


@term(BY_PAWN_RANK, page="Protected Passed Pawn")
def protected_passed_pawn(us: Side) -> Bitboard:
    """Passed pawns defended by an own pawn."""
    return passed(us.pawns, us.their_pawns) & us.pawn_attacks
