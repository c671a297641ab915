"""Getting the pieces out: development, castling, the early queen."""

from ..bitboards import EMPTY, RANK_1, RANK_2, Bitboard, complement, popcount, squares_named
from ..compiled import primitive
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


@primitive
def has_connected_rooks(us: Side) -> bool:
    """Whether two own rooks on the first rank have nothing between them."""
    rooks = us.rooks & RANK_1
    return (rooks & us.rook_attacks) != 0 and popcount(rooks) > 1


@term(WHOLE, page="Development", number=True, concept="H2")
def connected_rooks_at_home(us: Side) -> int:
    """One if two own rooks on the first rank defend each other along it: the last step of development."""
    return 1 if has_connected_rooks(us) else 0


@term(WHOLE, page="Development", number=True, concept="H2")
def development_tempo(us: Side) -> int:
    """Own knights and bishops off their home squares, and one more if the rooks are connected at home.

    Each is a tempo of development (Tarrasch); moves of pawns are none.
    """
    out = popcount(us.knights | us.bishops) - popcount(us.knights & HOME_KNIGHTS | us.bishops & HOME_BISHOPS)
    return out + (1 if has_connected_rooks(us) else 0)
