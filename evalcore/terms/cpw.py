"""The two kinds of passed pawn of CPW-Engine (wiki page "CPW-Engine_eval").

The engine looks along the file from each pawn: any pawn ahead, of either side, ends a passed pawn. Its other
pawn terms are in the vocabulary under the names `doubled_pawn_pairs`, `weak_pawn` and `weak_open_pawn`.
"""

from ..bitboards import Bitboard, complement, neighbours, north, rear_spans
from ..compiled import primitive
from ..side import Side
from ..term import BY_PAWN_SQUARE, term
from .passed import passed


@primitive
def foremost_passed(us: Side) -> Bitboard:
    """Passed pawns with no own pawn ahead either."""
    return passed(us.pawns, us.their_pawns) & complement(rear_spans(us.pawns))


@primitive
def supported(us: Side) -> Bitboard:
    """Squares with an own pawn on an adjacent file, on the same rank or one rank behind."""
    return neighbours(us.pawns | north(us.pawns))


@term(BY_PAWN_SQUARE, page="CPW-Engine_eval", concept="D1 I24")
def cpw_passed_pawn(us: Side) -> Bitboard:
    """Foremost passed pawns that no own pawn beside or diagonally behind supports, by square."""
    return foremost_passed(us) & complement(supported(us))


@term(BY_PAWN_SQUARE, page="CPW-Engine_eval", concept="D2 I24")
def cpw_protected_passer(us: Side) -> Bitboard:
    """Foremost passed pawns with an own pawn beside or diagonally behind, by square."""
    return foremost_passed(us) & supported(us)
