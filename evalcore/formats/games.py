"""Games in files that have no game numbers: what follows the position before it belongs to its game.

A position continues a game when its ply is higher than the last one's and the result is the same.
Shuffled files have no such runs; then the rows get no game, rather than an invented one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from ..positions import NO_GAME, Positions

SHORTEST_RUN = 6
"""Mean rows of a run below which a block is taken for shuffled, if it holds a few runs."""
A_FEW = 8


def game_starts(plies: NDArray[np.uint16], results: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which rows do not continue the game of the row before them; the first row does not."""
    starts = np.ones(len(plies), np.bool_)
    starts[1:] = (plies[1:] <= plies[:-1]) | (results[1:] != results[:-1])
    return starts


def number_games(blocks: Iterable[Positions]) -> Iterator[Positions]:
    """The blocks of one file with `game` filled in, numbered from 0; results in White's view."""
    count, last = 0, Positions.empty()
    for block in blocks:
        # Only these two columns: a copy of all would take as long as reading some formats.
        plies = np.concatenate([last.ply, block.ply])
        starts = game_starts(plies, np.concatenate([last.result, block.result]))[len(last) :]
        if starts.sum() >= A_FEW and len(block) < SHORTEST_RUN * starts.sum():
            yield block.replace(game=np.full(len(block), NO_GAME))
            last = Positions.empty()
        else:
            games = count + np.cumsum(starts) - 1
            yield block.replace(game=games.astype(np.uint32))
            count = int(games[-1]) + 1
            last = block.select(slice(-1, None))
