"""Steps that compare rows with each other: duplicates, and a number of positions a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..positions import NO_GAME, Positions
from .base import Key, Mask, Tally, board_keys, chances, keep, mixed
from .checks import check_choice, check_least
from .games import whole_games
from .keys import KeySet

REPEATED_OTHERWISE = "repeated positions with another result than the first"
REPEATED = "a repeated position"
CONFLICTING = "positions with different results"


def first_rows(keys: Key) -> tuple[NDArray[np.int64], Mask]:
    """The first row with the same key as each row, and which rows are not that first one."""
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    return first[group], first[group] != np.arange(len(keys))


@dataclass(frozen=True)
class Duplicates:
    """One row for each position (board, side to move, castling, en passant; not the clocks).

    `labels` says what becomes of its results and scores: "first" keeps those of the first row and needs
    12 bytes a position; "mean" averages them over all rows, weighted, and adds the weights up; "drop"
    leaves out positions whose results differ, whole. The last two hold all positions in memory.
    """

    labels: str = "mean"

    def __post_init__(self) -> None:
        check_choice("labels", self.labels, ("first", "mean", "drop"))

    def run(self, blocks: Iterable[Positions], tally: Tally) -> Iterator[Positions]:
        """See `Step`."""
        if self.labels == "first":
            yield from keep_first(blocks, tally)
            return
        merged = merge(Positions.concatenate(list(blocks)), tally, drop=self.labels == "drop")
        if len(merged):
            yield merged


def keep_first(blocks: Iterable[Positions], tally: Tally) -> Iterator[Positions]:
    """Rows whose position no row before them has; those whose result is another one are counted."""
    seen = KeySet()
    for block in blocks:
        keys = board_keys(block)
        old, result = seen.find(keys)
        first, repeated = first_rows(keys)
        new = ~old & ~repeated
        result = np.where(old, result, block.result[first])
        seen.add(keys[new], block.result[new])
        known = ~np.isnan(result) & ~np.isnan(block.result)
        tally.note(REPEATED_OTHERWISE, int((known & (result != block.result)).sum()))
        yield keep(block, [(REPEATED, ~new)], tally)


def merge(positions: Positions, tally: Tally, *, drop: bool) -> Positions:
    """One row a position, in the order of their first rows, with averaged labels and added weights."""
    _, first, group = np.unique(board_keys(positions), return_index=True, return_inverse=True)
    conflicting = differing(positions, group, len(first))
    tally.note(CONFLICTING, int(conflicting.sum()))
    weights = np.bincount(group, positions.sample_weight, len(first))
    merged = positions.select(first).replace(
        result=mean_of(positions.result, positions, group, len(first)),
        score=mean_of(positions.score, positions, group, len(first)),
        sample_weight=weights,
    )
    order = np.argsort(first)
    rows = np.bincount(group, minlength=len(first))
    if drop:
        tally.drop("different results for one position", int(rows[conflicting].sum()))
        tally.drop(REPEATED, int((rows - 1)[~conflicting].sum()))
        return merged.select(order[~conflicting[order]])
    tally.drop(REPEATED, int((rows - 1).sum()))
    return merged.select(order)


def mean_of(
    values: NDArray[np.float32], positions: Positions, group: NDArray[np.int64], groups: int
) -> NDArray[np.float64]:
    """The weighted mean of the known values of each group, NaN where none is known."""
    known = ~np.isnan(values)
    weights = np.where(known, positions.sample_weight, 0).astype(np.float64)
    total = np.bincount(group, weights, groups)
    summed = np.bincount(group, weights * np.where(known, values, 0), groups)
    mean: NDArray[np.float64] = np.divide(summed, total, out=np.full(groups, np.nan), where=total > 0)
    return mean


def differing(positions: Positions, group: NDArray[np.int64], groups: int) -> Mask:
    """Groups whose known results are not all the same."""
    known = ~np.isnan(positions.result)
    least, most = np.full(groups, np.inf), np.full(groups, -np.inf)
    np.minimum.at(least, group[known], positions.result[known])
    np.maximum.at(most, group[known], positions.result[known])
    return least < most


@dataclass(frozen=True)
class PerGame:
    """At most `most` positions of each game, chosen by `seed`; rows of a game must follow each other.

    Rows without a game are kept. Raises InputError where a game comes again after another one.
    """

    most: int
    seed: int = 1

    def __post_init__(self) -> None:
        check_least("most", self.most, 1)

    def run(self, blocks: Iterable[Positions], tally: Tally) -> Iterator[Positions]:
        """See `Step`."""
        for block in whole_games(blocks):
            tally.note("kept without a known game", int((block.game == NO_GAME).sum()))
            yield keep(block, [(f"more than {self.most} of a game", self.surplus(block))], tally)

    def surplus(self, block: Positions) -> Mask:
        """The rows of each run of one game beyond the `most` with the smallest chances."""
        if not len(block):
            return np.zeros(0, np.bool_)
        runs = np.cumsum(np.r_[True, block.game[1:] != block.game[:-1]])
        keys = board_keys(block) ^ mixed(block.game.astype(np.uint64) ^ block.ply)
        order = np.lexsort((chances(keys, self.seed), runs))
        surplus = np.empty(len(block), np.bool_)
        surplus[order] = places_in_runs(runs[order]) >= self.most
        return np.asarray(surplus & (block.game != NO_GAME))


def places_in_runs(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each of a sorted array's values, how many equal ones come before it."""
    starts = np.flatnonzero(np.r_[True, values[1:] != values[:-1]])
    return np.arange(len(values)) - np.repeat(starts, np.diff(np.r_[starts, len(values)]))
