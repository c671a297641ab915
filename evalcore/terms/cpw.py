"""Pawn terms as CPW-Engine defines them, where that differs from the pages about these pawns.

CPW-Engine looks along the file from each pawn: any pawn ahead, of either side, ends a passed pawn, and every
own pawn ahead counts as one doubling. Published in the wiki page "CPW-Engine_eval".
"""

from ..bitboards import (
    Bitboard,
    attack_spans,
    complement,
    front_spans_of_enemy,
    neighbours,
    north,
    popcount,
    rear_spans,
    south,
)
from ..compiled import primitive
from ..side import Side
from ..term import BY_PAWN_SQUARE, WHOLE, term
from .passed import passed


@term(WHOLE, page="CPW-Engine_eval", number=True, concept="C12 I23")
def cpw_doubled_pawn(us: Side) -> int:
    """Pairs of own pawns on one file: one for each own pawn ahead of a pawn, so three on a file count 3."""
    pairs = 0
    ahead = us.pawns
    for _ in range(5):
        ahead = north(ahead)
        pairs += popcount(us.pawns & ahead)
    return pairs


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


@primitive
def weak(us: Side) -> Bitboard:
    """Pawns with no own pawn on an adjacent file, level or behind."""
    return us.pawns & complement(south(attack_spans(us.pawns)))


@term(BY_PAWN_SQUARE, page="CPW-Engine_eval", concept="C11 I25")
def cpw_weak_pawn(us: Side) -> Bitboard:
    """Pawns with no own pawn on an adjacent file level with them or behind, by square.

    Isolated pawns are among them, and pawns that are backward whether or not their stop is attacked.
    """
    return weak(us)


@term(WHOLE, page="CPW-Engine_eval", concept="C11 I26")
def cpw_weak_unopposed_pawn(us: Side) -> Bitboard:
    """Weak pawns with no enemy pawn ahead on their file."""
    return weak(us) & complement(front_spans_of_enemy(us.their_pawns))
