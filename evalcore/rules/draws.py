"""Endings that are drawn, or nearly so, by the material alone (wiki page "Draw Evaluation").

Except for the dead positions these rules look at what the side ahead has; pawns of the other side do not
save the side that cannot win, so they do not end a rule (a side scored as drawn against a knight is scored
as drawn against a knight and pawns as well).
"""

from ..bitboards import DARK_SQUARES, LIGHT_SQUARES, popcount
from ..compiled import primitive
from ..scaling import scaling
from ..side import Side
from ..terms.endgame import points_ahead
from ..terms.imbalance import has_bishop_pair
from ..terms.squares import pieces, their_pieces


@scaling({"dead position": 0}, page="Insufficient Material", concept="J1")
def insufficient_material(us: Side) -> int:
    """Neither side can ever mate: bare kings, one minor piece, or only bishops, all on one colour.

    The same for both sides. Two knights against a king are not among them: a mate can be helped.
    """
    if us.pawns | us.rooks | us.queens | us.their_pawns | us.their_rooks | us.their_queens:
        return 0
    knights, bishops = us.knights | us.their_knights, us.bishops | us.their_bishops
    if knights:
        return 1 if popcount(knights) == 1 and bishops == 0 else 0
    return 1 if (bishops & DARK_SQUARES) == 0 or (bishops & LIGHT_SQUARES) == 0 else 0


@scaling({"two knights v king": 0}, page="Draw Evaluation", concept="J1")
def two_knights(us: Side) -> int:
    """Two knights and nothing else against a bare king: no mate can be forced."""
    bare = (their_pieces(us) | us.their_pawns) == 0
    return 1 if bare and us.pawns == 0 and pieces(us) == us.knights and popcount(us.knights) == 2 else 0


@primitive
def only_minors(us: Side) -> bool:
    """Whether neither side has rooks or queens, and we no pawns."""
    return (us.pawns | us.rooks | us.queens | us.their_rooks | us.their_queens) == 0


@scaling(
    {
        "minor v minor": 1 / 16,
        "two knights v minor": 1 / 16,
        "two bishops v bishop": 1 / 16,
        "two minors v minor": 1 / 16,
    },
    page="Draw Evaluation",
    concept="J2",
)
def minor_pieces(us: Side) -> int:
    """The side ahead has no pawns and only minor pieces: one against one, or two against one.

    Bishops on both colours win against a knight, so that is no case.
    """
    ours, theirs = popcount(us.knights | us.bishops), popcount(us.their_knights | us.their_bishops)
    if not only_minors(us) or theirs != 1:
        return 0
    if ours == 1:
        return 1
    if ours != 2:
        return 0
    if popcount(us.knights) == 2:
        return 2
    if has_bishop_pair(us):
        return 3 if us.their_bishops else 0
    return 4


@scaling({"lone minor": 0}, page="Draw Evaluation", concept="J6")
def lone_minor(us: Side) -> int:
    """The side ahead has at most one minor piece and no pawns: it cannot win, whatever the other side has."""
    return 1 if us.pawns == 0 and (us.rooks | us.queens) == 0 and popcount(pieces(us)) <= 1 else 0


@scaling({"at most a minor piece ahead": 1 / 8}, page="Draw Evaluation", concept="J15")
def no_pawns(us: Side) -> int:
    """The side ahead has no pawns, and in pieces (3, 3, 5, 9) at most 3 more than the other side."""
    return 1 if us.pawns == 0 and points_ahead(us) <= 3 else 0
