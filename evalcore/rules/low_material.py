"""CPW-Engine's correction of illusory advantages without pawns."""

from ..bitboards import popcount
from ..scaling import scaling
from ..side import Side


@scaling(
    {"lone minor": 0, "two knights": 0, "rook v minor": 0.5, "rook and minor v rook": 0.5},
    page="CPW-Engine_eval",
    concept="I28 J8",
)
def low_material(us: Side) -> int:
    """The side ahead has no pawns and: at most one minor piece; two knights, and the other side has no pawns;
    a rook against one minor piece; a rook and a minor piece against a rook.

    The other side's pawns matter only for the two knights. In the engine itself the last case can never
    hold, because its code compares the wrong side; factor 1 for it reproduces the engine.
    """
    if us.pawns != 0:
        return 0
    minors, rooks, queens = popcount(us.knights | us.bishops), popcount(us.rooks), popcount(us.queens)
    their_minors = popcount(us.their_knights | us.their_bishops)
    their_rooks, their_queens = popcount(us.their_rooks), popcount(us.their_queens)
    if queens + rooks == 0 and minors <= 1:
        return 1
    if queens + rooks == 0 and minors == 2 and us.bishops == 0 and us.their_pawns == 0:
        return 2
    if queens != 0 or their_queens != 0 or rooks != 1:
        return 0
    if minors == 0 and their_minors == 1 and their_rooks == 0:
        return 3
    return 4 if minors == 1 and their_minors == 0 and their_rooks == 1 else 0
