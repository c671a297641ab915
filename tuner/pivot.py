"""Results by material: how often one set of pieces beats another, by pawns.

After Mark Sturman, "Beware the Bishop Pair", ICCA Journal 19(2), 1996: positions in which one side has
exactly the first set of pieces and the other exactly the second, both with the same number of pawns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError, UnknownName
from evalcore.positions import Positions

if TYPE_CHECKING:
    import pandas as pd

LETTERS: Mapping[str, str] = {"N": "knights", "B": "bishops", "R": "rooks", "Q": "queens"}

BASES = ("BvN", "BNvNN", "BBvNB", "BBvNN", "BBNvNNB")
"""Rows A to E of Sturman's table, without heavy pieces."""
HEAVY = ("", "R", "RR", "Q", "QR", "QRR")
STURMAN = tuple("v".join(side + heavy for side in base.split("v")) for heavy in HEAVY for base in BASES)
BY = ("pawns", "lead", "all")
"""pawns: pawns of each side, where equal. lead: pawns of the first side less the second's, at any number.
all: any number of pawns, the same on both sides, together."""


@dataclass(frozen=True)
class Configuration:
    """Two sets of pieces besides kings and pawns, written `BvN` or `BBRvNNR`."""

    name: str
    first: tuple[int, ...]
    second: tuple[int, ...]


def parse_configuration(text: str) -> Configuration:
    """From `BBvNB`. Raises InputError for anything else."""
    first, separator, second = text.partition("v")
    if not separator or set(first + second) - set(LETTERS) or sorted(first) == sorted(second):
        raise InputError(
            f"{text!r} compares no material: expected two different sets of N, B, R, Q, as in BvN or BBRvNNR"
        )
    counts = [tuple(side.count(letter) for letter in LETTERS) for side in (first, second)]
    return Configuration(text, counts[0], counts[1])


def pivot(
    blocks: Iterable[Positions], configurations: Sequence[str], *, by: str = "pawns", fewest: int = 50
) -> pd.DataFrame:
    """One row a configuration and number of pawns that at least `fewest` positions have.

    Columns: material, `by` (unless all), positions, games, score (percent for the first side; either
    colour), error (standard error in percent points, clustered by game). Rows without a result are not
    counted.
    """
    import pandas as pd

    if by not in BY:
        raise UnknownName("way to pivot", by, BY)
    wanted = [parse_configuration(text) for text in configurations]
    found: dict[str, list[NDArray[np.float64]]] = {each.name: [] for each in wanted}
    before = 0
    for block in blocks:
        for side in (True, False):
            cells = _Cells(block, side, before)
            for each in wanted:
                found[each.name].append(cells.of(each, by))
        before += len(block)
    rows = []
    for name, parts in found.items():
        table = np.concatenate(parts) if parts else np.zeros((0, 3))
        for value in np.unique(table[:, 0]):
            chosen = table[table[:, 0] == value]
            if len(chosen) >= fewest:
                rows.append((name, int(value), len(chosen), *_clustered(chosen[:, 1], chosen[:, 2])))
    frame = pd.DataFrame(rows, columns=["material", by, "positions", "games", "score", "error"])
    return frame.drop(columns=by) if by == "all" else frame


class _Cells:
    """The counts of one block after `before` others, with White (or Black) as the first side."""

    def __init__(self, block: Positions, white_first: bool, before: int) -> None:
        first = block.white if white_first else ~block.white
        self.pieces = [
            [np.bitwise_count(getattr(block, name) & side) for name in LETTERS.values()]
            for side in (first, ~first)
        ]
        self.pawns = [np.bitwise_count(block.pawns & side).astype(int) for side in (first, ~first)]
        self.score = block.result if white_first else 1.0 - block.result
        # rows without a game count as games of their own: numbers that no game has
        known = block.game != np.uint32(0xFFFF_FFFF)
        self.game = np.where(known, block.game.astype(float), -1.0 - before - np.arange(len(block)))

    def of(self, configuration: Configuration, by: str) -> NDArray[np.float64]:
        """(rows, 3): the pivot value, the first side's score, the game."""
        mask = np.isfinite(self.score)
        for counts, numbers in zip(self.pieces, (configuration.first, configuration.second), strict=True):
            for count, number in zip(counts, numbers, strict=True):
                mask &= count == number
        lead = self.pawns[0] - self.pawns[1]
        value = self.pawns[0] if by == "pawns" else lead
        if by != "lead":
            mask &= lead == 0
        return np.stack([value[mask], self.score[mask], self.game[mask]], axis=1)


def _clustered(score: NDArray[np.float64], game: NDArray[np.float64]) -> tuple[int, float, float]:
    """(games, mean in percent, its standard error clustered by game)."""
    mean = float(score.mean())
    _, group = np.unique(game, return_inverse=True)
    sums = np.bincount(group, score - mean)
    games = len(sums)
    correction = games / (games - 1) if games > 1 else np.nan
    error = float(np.sqrt(correction * (sums**2).sum())) / len(score)
    return games, 100.0 * mean, 100.0 * error
