"""Sums of outer products over groups of rows: the middle of a sandwich covariance.

A group is a game. The derivative of the loss of a game is `s = Σ slope·x` over its rows; wanted is
`Σ s·sᵀ` over all games, for a derivative x that is never materialised.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.compiled import kernel
from evalcore.features import BLOCK_ROWS, Block, FeatureMatrix, joined_block, take_rows
from evalcore.threads import one_by_one

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

PARTS = 8
"""Partial sums that are filled independently: fixed, so that sums keep their order."""


def group_gram(features: FeatureMatrix, slopes: Floats, groups: Integers) -> Floats:
    """`Σ_g s_g·s_gᵀ` with `s_g = Σ slope·x` over the rows of group g, (2·width, 2·width).

    `slopes` (rows,) multiply the tapered counts; `groups` (rows,) numbers the group of each row. The
    result is indexed as `FeatureMatrix.gram`: 2·column + phase.
    """
    order = None if _contiguous(groups) else np.argsort(groups, kind="stable")
    sorted_groups = groups if order is None else groups[order]
    last = np.ones(len(groups), bool)
    last[:-1] = sorted_groups[1:] != sorted_groups[:-1]
    cuts = _cuts(last)

    def one(part: int) -> Floats:
        first, stop = cuts[part], cuts[part + 1]
        if order is None:
            return _part(features, slopes, last, first, stop)
        # rows of a game lie apart: put one part of the games together, not all at once
        rows = order[first:stop]
        return _part(arranged(features, rows), slopes[rows], last[first:stop], 0, stop - first)

    total = np.zeros((features.width, features.width, 4))
    for part in one_by_one(one, range(len(cuts) - 1), features.threads):
        total += part
    return _symmetric(total)


def arranged(features: FeatureMatrix, rows: Integers) -> FeatureMatrix:
    """Some rows in any order, where `select` wants them ascending."""
    ascending, place = np.unique(rows, return_inverse=True)
    chosen = features.select(ascending)
    joined = joined_block(chosen.blocks)
    blocks = tuple(
        Block(*take_rows(*joined, place[first : first + BLOCK_ROWS]))
        for first in range(0, len(rows), BLOCK_ROWS)
    )
    factors = None if features.factors is None else features.factors[rows]
    return replace(features, blocks=blocks, phase=features.phase[rows], factors=factors)


def _contiguous(groups: Integers) -> bool:
    """Whether the rows of each group follow each other."""
    if not len(groups):
        return True
    return int((groups[1:] != groups[:-1]).sum()) + 1 == len(np.unique(groups))


def _cuts(last: NDArray[np.bool_]) -> list[int]:
    """Rows at which the parts begin, and the end: no part begins inside a group."""
    ends = np.flatnonzero(last) + 1
    wanted = len(last) * np.arange(1, PARTS) // PARTS
    between = ends[np.minimum(np.searchsorted(ends, wanted), len(ends) - 1)]
    return sorted({0, *between.tolist(), len(last)})


def _part(features: FeatureMatrix, slopes: Floats, last: NDArray[np.bool_], first: int, stop: int) -> Floats:
    total = np.zeros((features.width, features.width, 4))
    score = np.zeros((features.width, 3))
    listed = np.empty(features.width, np.int64)
    used = 0
    for block, rows, inside in _overlapping(features, first, stop):
        used = add_group_products(
            *block, features.phase[rows], features.phase_maximum, slopes[rows], last[rows],
            inside.start, inside.stop, score, listed, used, total,
        )  # fmt: skip
    return total


def _overlapping(features: FeatureMatrix, first: int, stop: int) -> Iterator[tuple[Block, slice, slice]]:
    """Blocks that hold rows of first … stop, all rows of the block, and which of them are inside."""
    for block, rows in zip(features.blocks, features.slices(), strict=True):
        if rows.start < stop and first < rows.stop:
            yield block, rows, slice(max(first - rows.start, 0), min(stop, rows.stop) - rows.start)


@kernel
def add_group_products(
    indptr: Any, columns: Any, counts: Any, phase: Any, maximum: float, slopes: Any, last: Any,
    first: int, stop: int, score: Any, listed: Any, used: int, out: Any,
) -> int:  # fmt: skip
    """Adds s·sᵀ of every group that ends in rows first … stop to `out` (width, width, 4: mm, me, em, ee).

    Filled are pairs with column >= other column. `score` (width, 3) holds mg and eg of the group so far
    and a mark; the first `used` entries of `listed` name its columns. Both are carried on between blocks.
    """
    for row in range(first, stop):
        mg = slopes[row] * phase[row] / maximum
        eg = slopes[row] - mg
        for entry in range(indptr[row], indptr[row + 1]):
            column = columns[entry]
            if score[column, 2] == 0.0:
                score[column, 2] = 1.0
                listed[used] = column
                used += 1
            score[column, 0] += mg * counts[entry]
            score[column, 1] += eg * counts[entry]
        if not last[row]:
            continue
        for i in range(used):
            for j in range(i + 1):
                high = max(listed[i], listed[j])
                low = min(listed[i], listed[j])
                target = out[high, low]
                target[0] += score[high, 0] * score[low, 0]
                target[1] += score[high, 0] * score[low, 1]
                target[2] += score[high, 1] * score[low, 0]
                target[3] += score[high, 1] * score[low, 1]
        for i in range(used):
            score[listed[i]] = 0.0
        used = 0
    return used


def _symmetric(lower: Floats) -> Floats:
    """(width, width, 4) lower triangle to the symmetric (2·width, 2·width)."""
    width = len(lower)
    out = lower.reshape(width, width, 2, 2).transpose(0, 2, 1, 3).reshape(2 * width, 2 * width)
    below = np.tril(out, -1)
    return below + below.T + np.diag(np.diag(out))
