"""Which material occurs in a set of positions, and who wins with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.positions import Positions

Keys = NDArray[np.uint64]

LETTERS = {"Q": "queens", "R": "rooks", "B": "bishops", "N": "knights", "P": "pawns"}
"""From the most to the least significant four bits of a side's count."""
BITS = 4
SIDE_BITS = np.uint64(BITS * len(LETTERS))
SIDE_MASK = np.uint64((1 << int(SIDE_BITS)) - 1)

OUTCOMES = (1.0, 0.5, 0.0)
POSITIONS, WON, DRAWN, LOST = range(4)
"""Columns of a table."""


def counts_of_side(positions: Positions, white: bool) -> Keys:
    """How many men of each kind but the king a side has, four bits each; queens weigh most."""
    side = positions.white if white else ~positions.white
    key = np.zeros(len(positions), np.uint64)
    for name in LETTERS.values():
        men = np.bitwise_count(getattr(positions, name) & side)
        key = (key << np.uint64(BITS)) | men.astype(np.uint64)
    return key


def table_of(positions: Positions) -> tuple[Keys, NDArray[np.int64]]:
    """Distinct materials and (n, 4) how many positions of each are there, won, drawn, lost.

    The side with more of the first kind that differs comes first, whichever colour it has.
    """
    white, black = counts_of_side(positions, True), counts_of_side(positions, False)
    first = np.maximum(white, black)
    keys, place = np.unique((first << SIDE_BITS) | np.minimum(white, black), return_inverse=True)
    result = np.where(white >= black, positions.result, 1 - positions.result)
    counts = [np.ones(len(positions), np.bool_), *(result == outcome for outcome in OUTCOMES)]
    columns = [np.bincount(place, count, len(keys)).astype(np.int64) for count in counts]
    return keys, np.stack(columns, axis=1)


@dataclass
class MaterialTable:
    """Sums the tables of blocks; memory is that of the distinct materials."""

    keys: Keys = field(default_factory=lambda: np.zeros(0, np.uint64))
    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 4), np.int64))

    def add(self, positions: Positions) -> None:
        """One more block."""
        keys, counts = table_of(positions)
        self.keys, place = np.unique(np.concatenate([self.keys, keys]), return_inverse=True)
        summed = np.zeros((len(self.keys), 4), np.int64)
        np.add.at(summed, place, np.concatenate([self.counts, counts]))
        self.counts = summed

    def most_frequent(self, most: int) -> list[dict[str, Any]]:
        """Rows with material, positions, won, drawn, lost by the first side, the most frequent first."""
        order = np.lexsort((self.keys, -self.counts[:, POSITIONS]))[:most]
        return [
            {
                "material": material_name(self.keys[row]),
                **dict(zip(("positions", "won", "drawn", "lost"), self.counts[row].tolist(), strict=True)),
            }
            for row in order.tolist()
        ]


def material_name(key: np.uint64) -> str:
    """`RB+4 v RN+4`: pieces, and the number of pawns; K for a side without pieces."""
    return f"{side_name(int(key >> SIDE_BITS))} v {side_name(int(key & SIDE_MASK))}"


def side_name(counts: int) -> str:
    """`QRR+7` for a queen, two rooks and seven pawns."""
    numbers = [counts >> BITS * place & 15 for place in reversed(range(len(LETTERS)))]
    pieces = "".join(letter * number for letter, number in zip(LETTERS, numbers[:-1], strict=False))
    return (pieces or "K") + (f"+{numbers[-1]}" if numbers[-1] else "")
