"""Getting the pieces out: development, castling, the early queen."""

from ..bitboards import EMPTY, RANK_1, RANK_2, Bitboard, complement, popcount, squares_named
from ..side import Side
from ..term import WHOLE, term

HOME_KNIGHTS = squares_named("b1 g1")
HOME_BISHOPS = squares_named("c1 f1")
B1, C1, F1, G1 = (squares_named(name) for name in ("b1", "c1", "f1", "g1"))


@term(WHOLE, page="Development", concept="H2")
def minor_at_home(us: Side) -> Bitboard:
    """Knights on b1 and g1, bishops on c1 and f1."""
    return us.knights & HOME_KNIGHTS | us.bishops & HOME_BISHOPS


@term(WHOLE, page="Development", number=True, concept="F22 I20")
def early_queen(us: Side) -> int:
    """For each queen beyond the second rank, the minor pieces that are still at home."""
    out = popcount(us.queens & complement(RANK_1 | RANK_2))
    return out * popcount(us.knights & HOME_KNIGHTS | us.bishops & HOME_BISHOPS)


@term(WHOLE, page="Fianchetto", concept="F15 I19")
def returning_bishop(us: Side) -> Bitboard:
    """A bishop on f1 beside an own king on g1, or on c1 beside an own king on b1."""
    f = us.bishops & F1 if us.king & G1 else EMPTY
    c = us.bishops & C1 if us.king & B1 else EMPTY
    return f | c
