"""The pawns of one side as a whole: islands, dispersion, distortion, the triangle."""

from ..bitboards import (
    EMPTY,
    NOT_A,
    RANK_1,
    Bitboard,
    bit,
    complement,
    file_fill,
    north_fill,
    popcount,
    south_fill,
    west,
)
from ..compiled import Constant, primitive
from ..side import Side
from ..term import WHOLE, Partition, term

TRIANGLE = Constant(0x0000_0000_1408_0000)
"""c4, d3, e4."""


@primitive
def count_islands(pawns: Bitboard) -> int:
    """Groups of adjacent files with pawns."""
    files = file_fill(pawns) & RANK_1
    return popcount(files & complement(west(files)))


@term(WHOLE, page="Pawn Islands (Bitboards)", number=True, concept="E9 E14")
def pawn_island(us: Side) -> int:
    """Groups of adjacent files with own pawns."""
    return count_islands(us.pawns)


@term(WHOLE, page="Dispersion and Distortion", number=True, concept="E10")
def pawn_dispersion(us: Side) -> int:
    """|3·islands² − pawns|. Not monotone: eight pawns in one island give 5, three give 0."""
    islands = count_islands(us.pawns)
    return abs(3 * islands * islands - popcount(us.pawns))


def _island_labels() -> tuple[str, ...]:
    some = [f"{islands} islands, {pawns} pawns" for islands in range(1, 5) for pawns in range(islands, 9)]
    return ("no pawns", *some)


@term(
    Partition("islands and pawns", _island_labels()),
    page="Dispersion and Distortion",
    number=True,
    concept="E10",
)
def islands_and_pawns(us: Side) -> int:
    """One column for each number of islands and of pawns: dispersion as a table that can be fitted."""
    islands, pawns = count_islands(us.pawns), popcount(us.pawns)
    if islands == 0:
        return 0
    return 1 + 8 * (islands - 1) - (islands - 1) * (islands - 2) // 2 + pawns - islands


@primitive
def steps_between_files(fill: Bitboard) -> int:
    """Squares that differ between each file and the next."""
    return popcount((fill ^ ((fill << 1) & NOT_A)) & NOT_A)


@term(WHOLE, page="Dispersion and Distortion", number=True, concept="E11")
def pawn_distortion(us: Side) -> int:
    """Differences of rank between the most advanced own pawns of adjacent files (0 if none), added up.

    The files beside an isolated pawn count its rank each: advancing it is discouraged.
    """
    return steps_between_files(south_fill(us.pawns))


@term(WHOLE, page="Dispersion and Distortion", number=True, concept="E12")
def pawn_reverse_distortion(us: Side) -> int:
    """Like distortion by the least advanced pawns, counted from rank 8: advancing isolated pawns helps."""
    return steps_between_files(north_fill(us.pawns))


@term(WHOLE, page="Holes", concept="E13")
def pawn_triangle(us: Side) -> Bitboard:
    """Own pawns on c4, d3 and e4, which leave a hole on d4; one, marked by d3."""
    return bit(19) if us.pawns & TRIANGLE == TRIANGLE else EMPTY
