"""Material beyond the sum of its parts: pairs, values that change with pawns, products of numbers."""

from ..bitboards import DARK_SQUARES, EMPTY, LIGHT_SQUARES, Bitboard, Square, bit, popcount
from ..compiled import primitive
from ..forms import numbers
from ..side import Side
from ..term import BY_COUNT, WHOLE, Term, term


@term(WHOLE, page="Material", number=True, concept="F6 I6")
def knight_pair(us: Side) -> int:
    """One for two or more knights."""
    return 1 if popcount(us.knights) > 1 else 0


@term(WHOLE, page="Material", number=True, concept="F6 I7")
def rook_pair(us: Side) -> int:
    """One for two or more rooks."""
    return 1 if popcount(us.rooks) > 1 else 0


@term(BY_COUNT(9), page="Material", each="knights", concept="F4 I8")
def knight_by_own_pawns(us: Side, _square: Square) -> Bitboard:
    """Knights, by the number of own pawns: they lose value as pawns disappear."""
    return us.pawns


@term(BY_COUNT(9), page="Material", each="rooks", concept="F4 I9")
def rook_by_own_pawns(us: Side, _square: Square) -> Bitboard:
    """Rooks, by the number of own pawns: they gain value as pawns disappear."""
    return us.pawns


@primitive
def has_bishop_pair(us: Side) -> bool:
    """Whether we have bishops on squares of both colours."""
    return (us.bishops & DARK_SQUARES) != 0 and (us.bishops & LIGHT_SQUARES) != 0


@term(WHOLE, page="Bishop Pair", number=True, concept="F5")
def bishop_pair_both_colors(us: Side) -> int:
    """One for bishops on squares of both colours; `bishop_pair` does not ask for the colours."""
    return 1 if has_bishop_pair(us) else 0


@term(numbers(0, 8), page="Bishop Pair", concept="F5")
def bishop_pair_by_own_pawns(us: Side) -> Bitboard:
    """Bishops on squares of both colours, by the number of own pawns."""
    return bit(popcount(us.pawns)) if has_bishop_pair(us) else EMPTY


# --- products of the numbers of men -----------------------------------------------------------------------

KINDS = ("pawn", "knight", "bishop", "rook", "queen")


@primitive
def men_of_kind(us: Side, kind: int) -> Bitboard:
    """Our pawns (0), knights, bishops, rooks or queens (4)."""
    if kind == 0:
        return us.pawns
    if kind == 1:
        return us.knights
    if kind == 2:
        return us.bishops
    return us.rooks if kind == 3 else us.queens


@primitive
def enemy_men_of_kind(us: Side, kind: int) -> Bitboard:
    """The enemy's pawns (0), knights, bishops, rooks or queens (4)."""
    if kind == 0:
        return us.their_pawns
    if kind == 1:
        return us.their_knights
    if kind == 2:
        return us.their_bishops
    return us.their_rooks if kind == 3 else us.their_queens


def own_product(first: int, second: int) -> Term:
    """The term that counts pairs of two own kinds of men."""

    def pairs(us: Side) -> int:
        many, others = popcount(men_of_kind(us, first)), popcount(men_of_kind(us, second))
        return many * (many - 1) // 2 if first == second else many * others

    one, other = KINDS[first], KINDS[second]
    pairs.__name__ = f"pairs_{one}_{other}"
    pairs.__doc__ = f"Pairs of an own {one} and an own {other}."
    return term(WHOLE, page="Material", number=True, concept="H12")(pairs)


def enemy_product(first: int, second: int) -> Term:
    """The term that counts pairs of an own man of one kind and an enemy man of another."""

    def pairs(us: Side) -> int:
        return popcount(men_of_kind(us, first)) * popcount(enemy_men_of_kind(us, second))

    one, other = KINDS[first], KINDS[second]
    pairs.__name__ = f"pairs_{one}_enemy_{other}"
    pairs.__doc__ = (
        f"Pairs of an own {one} and an enemy {other}; with the kinds exchanged it is the same term."
    )
    return term(WHOLE, page="Material", number=True, concept="H12")(pairs)


OWN_PRODUCTS = tuple(own_product(first, second) for first in range(5) for second in range(first, 5))
"""Quadratic material of one side (Kaufman's imbalances): 15 terms."""
ENEMY_PRODUCTS = tuple(enemy_product(first, second) for first in range(5) for second in range(first + 1, 5))
"""Quadratic material of both sides: 10 terms. (Pairs of one kind cancel.)"""
