"""Streams in which the rows of a game are together, and how to make them so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from ..positions import NO_GAME, Positions
from .base import Tally
from .keys import KeySet


@dataclass(frozen=True)
class SortByGame:
    """Puts the rows of each game together, in their order; rows without a game come last. Holds all rows."""

    def run(self, blocks: Iterable[Positions], tally: Tally) -> Iterator[Positions]:
        """See `Step`."""
        rows = Positions.gather(blocks)
        yield rows.select(np.argsort(rows.game, kind="stable"))


def whole_games(blocks: Iterable[Positions]) -> Iterator[Positions]:
    """The same rows in blocks that end between games; InputError where a game comes again after another."""
    ended = KeySet()
    for block in _between_games(blocks):
        _refuse_scattered(block, ended)
        yield block


def _refuse_scattered(block: Positions, ended: KeySet) -> None:
    runs = block.game[np.append(True, block.game[1:] != block.game[:-1])[: len(block)]]
    games, times = np.unique(runs[runs != NO_GAME], return_counts=True)
    again = ended.find(games.astype(np.uint64))[0] | (times > 1)
    if again.any():
        raise InputError(
            f"the rows of game {games[again][0]} do not follow each other, which this step needs;"
            " put the step sort-by-game before it"
        )
    ended.add(games.astype(np.uint64))


def _between_games(blocks: Iterable[Positions]) -> Iterator[Positions]:
    waiting = Positions.empty()
    for block in blocks:
        joined = Positions.concatenate([waiting, block])
        if not len(joined):
            continue
        last = joined.game[-1]
        others = np.flatnonzero(joined.game != last)
        cut = int(others[-1]) + 1 if len(others) else 0
        cut = len(joined) if last == NO_GAME else cut
        if cut:
            yield joined.select(slice(0, cut))
        waiting = joined.select(slice(cut, None))
    if len(waiting):
        yield waiting
