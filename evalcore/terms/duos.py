"""Pawns side by side: duo, trio, quart.

`phalanx` (pawns.py) is the wide sense: any pawn with a neighbour, whatever the length of the row.
"""

from ..bitboards import Bitboard, complement, east, west
from ..compiled import primitive
from ..side import Side
from ..term import BY_PAWN_RANK, term


@primitive
def with_east_neighbour(pawns: Bitboard) -> Bitboard:
    """Pawns with an own pawn next to them to the east."""
    return pawns & west(pawns)


@primitive
def with_west_neighbour(pawns: Bitboard) -> Bitboard:
    """Pawns with an own pawn next to them to the west."""
    return pawns & east(pawns)


@primitive
def rows_of(pawns: Bitboard, length: int) -> Bitboard:
    """Members of rows of exactly this many pawns side by side."""
    members = pawns & complement(east(pawns))
    for _ in range(length - 1):
        members = east(members) & pawns
    members &= complement(west(pawns))
    found = members
    for _ in range(length - 1):
        members = west(members)
        found |= members
    return found


@term(BY_PAWN_RANK, page="Duo Trio Quart (Bitboards)", concept="E2")
def duo(us: Side) -> Bitboard:
    """Members of rows of exactly two pawns; `phalanx` also counts longer rows."""
    return rows_of(us.pawns, 2)


@term(BY_PAWN_RANK, page="Duo Trio Quart (Bitboards)", concept="E3")
def trio(us: Side) -> Bitboard:
    """Members of rows of exactly three pawns."""
    return rows_of(us.pawns, 3)


@term(BY_PAWN_RANK, page="Duo Trio Quart (Bitboards)", concept="E3")
def quart(us: Side) -> Bitboard:
    """Members of rows of exactly four pawns."""
    return rows_of(us.pawns, 4)
