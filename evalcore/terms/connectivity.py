"""Connectivity after Kopec, Northam, Podber and Fouda: how well men are protected, and by what.

The authors give a man that is protected the product of a value of its own (P 50, N 35, B 30, R 10, Q 4) and
one of its protectors, of which they print only some (P 8, B 4.5, N 4, R 3, K 2.5, Q 2, PP 15, QK 4, PPN 18).
Here each kind of man has a column for each set of protectors, so that the whole table can be fitted.
"""

from itertools import combinations_with_replacement

from ..bitboards import (
    EMPTY,
    Bitboard,
    Square,
    bishop_attacks,
    bit,
    king_attacks,
    knight_attacks,
    neighbours,
    popcount,
    rook_attacks,
    south,
)
from ..compiled import primitive
from ..errors import UnknownName
from ..forms import family, one_of
from ..side import Side
from ..term import PIECES, Term, term

ORDER = "PBNRKQ"
"""Protectors by their value for the protected man; of more than three the first three count."""


def sets_of_protectors(number: int) -> tuple[str, ...]:
    """Labels of all sets of that many protectors, in the order of their index: `PP`, `PB` …"""
    return tuple("".join(letters) for letters in combinations_with_replacement(ORDER, number))


@primitive
def protectors(us: Side, square: Square) -> tuple[int, int, int, int, int, int]:
    """How many own pawns, bishops, knights, rooks, kings and queens protect a square.

    Bishops, rooks and queens also protect through each other on their common line (x-ray).
    """
    diagonal = bishop_attacks(square, us.occupied ^ (us.bishops | us.queens) | bit(square))
    straight = rook_attacks(square, us.occupied ^ (us.rooks | us.queens) | bit(square))
    return (
        popcount(neighbours(south(bit(square))) & us.pawns),
        popcount(diagonal & us.bishops),
        popcount(knight_attacks(bit(square)) & us.knights),
        popcount(straight & us.rooks),
        popcount(king_attacks(bit(square)) & us.king),
        popcount((diagonal | straight) & us.queens),
    )


@primitive
def pairs_from(kinds: int) -> int:
    """How many sets of two there are of so many kinds."""
    return kinds * (kinds + 1) // 2


@primitive
def index_of_pair(first: int, second: int, kinds: int) -> int:
    """Place of the pair (first <= second) among all pairs of so many kinds."""
    return first * kinds - first * (first - 1) // 2 + second - first


@primitive
def index_of_three(first: int, second: int, third: int) -> int:
    """Place of first <= second <= third among all sets of three of six kinds."""
    before = 0
    for earlier in range(first):
        before += pairs_from(6 - earlier)
    return before + index_of_pair(second - first, third - first, 6 - first)


@family
def protected_man(*, piece: str = "pawns", three: bool = False) -> Term:
    """Protected men of one kind (`piece`: pawns, knights, bishops, rooks, queens) by their protectors.

    Sets of one and two protectors, or, with the option `three`, sets of three (of more, the first three in
    the order P B N R K Q). The two forms never count the same man.
    """
    if piece not in PIECES[:5]:
        raise UnknownName("kind of man", piece, PIECES[:5])
    labels = sets_of_protectors(3) if three else sets_of_protectors(1) + sets_of_protectors(2)

    @term(one_of(*labels), page="Connectivity", each=piece, concept="H5")
    def protected_man(us: Side, square: Square) -> Bitboard:
        """Protected men by their protectors: own men that attack them, sliders also through sliders."""
        counts = protectors(us, square)
        found = 0
        first = second = third = 0
        for kind in range(6):
            for _ in range(counts[kind]):
                if found == 0:
                    first = kind
                elif found == 1:
                    second = kind
                elif found == 2:
                    third = kind
                found += 1
        if three:
            return bit(index_of_three(first, second, third)) if found > 2 else EMPTY
        if found == 1:
            return bit(first)
        return bit(6 + index_of_pair(first, second, 6)) if found == 2 else EMPTY

    return protected_man
