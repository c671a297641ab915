"""FeatureMatrix: the non-zero counts of many positions, and the operations a fit needs.

The score of a row is `(phase·mg + (max−phase)·eg)/max` with `mg = Σ count·w_mg`; midgame and endgame share
one stored count, so the taper is never materialised. 3 bytes an entry. Rows lie in blocks; threads work
on blocks, and partial results are added in the order of the blocks, so the number of threads changes
nothing, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compiled import kernel
from .threads import in_order, one_by_one

Floats = NDArray[np.float64]
Pointwise = Callable[[slice, Floats], tuple[float, Floats]]
"""(rows, scores of these rows) -> (sum of the loss, derivative by each score)."""

BLOCK_ROWS = 8192
"""Rows of a block: its entries fit into the second-level cache, so a fused pass reads memory once."""
GRAM_PARTS = 4
"""Partial Gram matrices that are filled independently: fixed, so that sums keep their order."""


class Block(NamedTuple):
    """Consecutive rows: `indptr` int64 (rows+1), `columns` uint16 and `counts` int8 (entries)."""

    indptr: NDArray[np.int64]
    columns: NDArray[np.uint16]
    counts: NDArray[np.int8]


_EMPTY = Block(np.zeros(1, np.int64), np.zeros(0, np.uint16), np.zeros(0, np.int8))


@dataclass(frozen=True, eq=False)
class FeatureMatrix:
    """Sparse counts (rows, width), White minus Black, and the `phase` of each row (0 … phase_maximum).

    `factors` (rows, 2), where given, multiply the score of a row: the first where White is ahead, the
    second where Black is (scaling rules).
    """

    blocks: tuple[Block, ...]
    phase: NDArray[np.float32]
    phase_maximum: float
    width: int
    threads: int | None = None
    factors: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.phase)

    @property
    def entries(self) -> int:
        """Stored counts."""
        return sum(len(block.columns) for block in self.blocks)

    def slices(self) -> list[slice]:
        """The rows of each block."""
        ends = np.cumsum([len(block.indptr) - 1 for block in self.blocks]).tolist()
        return [slice(start, end) for start, end in zip([0, *ends[:-1]], ends, strict=True)]

    def scores(self, weights: Floats) -> Floats:
        """Scores in centipawns (rows,), White's view, for weights (width, 2)."""
        out = np.empty(len(self))

        def one(item: tuple[Block, slice]) -> None:
            block, rows = item
            out[rows] = self._scaled(self._raw(block, rows, weights), rows)[0]

        in_order(one, zip(self.blocks, self.slices(), strict=True), self.threads)
        return out

    def value_and_gradient(self, pointwise: Pointwise, weights: Floats) -> tuple[float, Floats]:
        """Sum over all rows of a pointwise function of the score, and its gradient (width, 2)."""

        def one(item: tuple[Block, slice]) -> tuple[float, Floats]:
            block, rows = item
            scores, factor = self._scaled(self._raw(block, rows, weights), rows)
            value, slope = pointwise(rows, scores)
            return value, self._pulled_back(block, rows, slope * factor)

        parts = in_order(one, zip(self.blocks, self.slices(), strict=True), self.threads)
        gradient = np.zeros((self.width, 2))
        for _, part in parts:
            gradient += part
        return float(sum(value for value, _ in parts)), gradient

    def hessian_vector(self, curvature: Floats, weights: Floats, vector: Floats) -> Floats:
        """Xᵀ·diag(curvature)·X·vector (width, 2), with X the derivative of the scores at `weights`."""

        def one(item: tuple[Block, slice]) -> Floats:
            block, rows = item
            factor = self._scaled(self._raw(block, rows, weights), rows)[1]
            moved = self._raw(block, rows, vector) * factor * factor * curvature[rows]
            return self._pulled_back(block, rows, moved)

        total = np.zeros((self.width, 2))
        for part in in_order(one, zip(self.blocks, self.slices(), strict=True), self.threads):
            total += part
        return total

    def gram(self, curvature: Floats, weights: Floats) -> Floats:
        """Xᵀ·diag(curvature)·X as a dense (2·width, 2·width) matrix; index 2·column + phase (0 mg, 1 eg).

        Rows of zero curvature cost nothing, so a curvature of zeros and a few numbers samples rows.
        """
        items = list(zip(self.blocks, self.slices(), strict=True))

        def one(part: int) -> Floats:
            total = np.zeros((self.width, self.width, 3))
            for block, rows in items[part::GRAM_PARTS]:
                factor = (
                    self._scaled(self._raw(block, rows, weights), rows)[1]
                    if self.factors is not None
                    else 1.0
                )
                add_outer_products(
                    *block, self.phase[rows], self.phase_maximum, curvature[rows] * factor * factor, total
                )
            return total

        total = np.zeros((self.width, self.width, 3))
        for part in one_by_one(one, range(min(GRAM_PARTS, len(items))), self.threads):
            total += part
        return _unfolded(total)

    def select(self, rows: NDArray[np.int64]) -> FeatureMatrix:
        """The given rows, ascending, as a matrix of their own."""
        blocks = []
        for block, span in zip(self.blocks, self.slices(), strict=True):
            start, stop = np.searchsorted(rows, [span.start, span.stop])
            if start < stop:
                blocks.append(take_rows(*block, rows[start:stop] - span.start))
        factors = None if self.factors is None else self.factors[rows]
        return replace(self, blocks=_regrouped(blocks), phase=self.phase[rows], factors=factors)

    def occurrences(self) -> NDArray[np.int64]:
        """How many rows have a non-zero count in each column (width,)."""
        total = np.zeros(self.width, np.int64)
        for block in self.blocks:
            total += np.bincount(block.columns, minlength=self.width)
        return total

    def dense(self, rows: slice | None = None) -> NDArray[np.int16]:
        """Counts as a dense (rows, width) array, for small sets and tests."""
        out = np.zeros((len(self), self.width), np.int16)
        for block, span in zip(self.blocks, self.slices(), strict=True):
            row = np.repeat(np.arange(span.start, span.stop), np.diff(block.indptr))
            out[row, block.columns] = block.counts
        return out if rows is None else out[rows]

    def to_scipy(self) -> Any:
        """The tapered design matrix as scipy CSR (rows, 2·width), columns as in `gram`; for oracles."""
        from scipy import sparse

        share = self.phase.astype(float) / self.phase_maximum
        indptr, columns, counts = joined_block(list(self.blocks)) if self.blocks else _EMPTY
        row = np.repeat(np.arange(len(self)), np.diff(indptr))
        values = np.stack([counts * share[row], counts * (1.0 - share[row])], axis=1)
        indices = np.stack([2 * columns.astype(np.int32), 2 * columns.astype(np.int32) + 1], axis=1)
        shape = (len(self), 2 * self.width)
        return sparse.csr_array((values.ravel(), indices.ravel(), 2 * indptr), shape=shape)

    def factors_for(self, raw: Floats, rows: Any = slice(None)) -> Floats:
        """What the scores `raw` of some rows are multiplied by: the factor of the side that is ahead."""
        if self.factors is None:
            return np.ones(len(raw))
        ahead = self.factors[rows]
        factor: Floats = np.where(raw >= 0.0, ahead[:, 0], ahead[:, 1]).astype(float)
        return factor

    def _raw(self, block: Block, rows: slice, weights: Floats) -> Floats:
        out = np.empty(rows.stop - rows.start)
        add_up(*block, self.phase[rows], self.phase_maximum, np.ascontiguousarray(weights), out)
        return out

    def _scaled(self, raw: Floats, rows: slice) -> tuple[Floats, Floats | float]:
        """Scores after the scaling factors, and the factors that applied."""
        if self.factors is None:
            return raw, 1.0
        factor = self.factors_for(raw, rows)
        return raw * factor, factor

    def _pulled_back(self, block: Block, rows: slice, slope: Floats) -> Floats:
        out = np.zeros((self.width, 2))
        spread(*block, self.phase[rows], self.phase_maximum, np.ascontiguousarray(slope), out)
        return out


@kernel
def add_up(
    indptr: Any, columns: Any, counts: Any, phase: Any, maximum: float, weights: Any, out: Any
) -> None:
    """Scores of the rows of one block."""
    for row in range(len(out)):
        mg = 0.0
        eg = 0.0
        for entry in range(indptr[row], indptr[row + 1]):
            column = columns[entry]
            count = float(counts[entry])
            mg += count * weights[column, 0]
            eg += count * weights[column, 1]
        out[row] = (phase[row] * mg + (maximum - phase[row]) * eg) / maximum


@kernel
def spread(indptr: Any, columns: Any, counts: Any, phase: Any, maximum: float, slope: Any, out: Any) -> None:
    """Adds the derivative of Σ slope·score by the weights to `out` (width, 2)."""
    for row in range(len(slope)):
        mg = slope[row] * phase[row] / maximum
        eg = slope[row] - mg
        for entry in range(indptr[row], indptr[row + 1]):
            column = columns[entry]
            count = float(counts[entry])
            out[column, 0] += mg * count
            out[column, 1] += eg * count


@kernel
def add_outer_products(
    indptr: Any, columns: Any, counts: Any, phase: Any, maximum: float, curvature: Any, out: Any
) -> None:
    """Adds curvature·x·xᵀ of each row to `out` (width, width, 3: mg·mg, mg·eg, eg·eg), lower triangle."""
    for row in range(len(curvature)):
        if curvature[row] == 0.0:
            continue
        share = phase[row] / maximum
        mm = curvature[row] * share * share
        me = curvature[row] * share * (1.0 - share)
        ee = curvature[row] * (1.0 - share) * (1.0 - share)
        for first in range(indptr[row], indptr[row + 1]):
            target = out[columns[first]]
            a = float(counts[first])
            for second in range(indptr[row], first + 1):
                product = a * float(counts[second])
                column = columns[second]
                target[column, 0] += mm * product
                target[column, 1] += me * product
                target[column, 2] += ee * product


@kernel
def take_rows(indptr: Any, columns: Any, counts: Any, rows: Any) -> tuple[Any, Any, Any]:
    """Some rows of a block as a new block."""
    starts = np.zeros(len(rows) + 1, np.int64)
    for index in range(len(rows)):
        starts[index + 1] = starts[index] + indptr[rows[index] + 1] - indptr[rows[index]]
    new_columns = np.empty(starts[-1], columns.dtype)
    new_counts = np.empty(starts[-1], counts.dtype)
    for index in range(len(rows)):
        first, last = indptr[rows[index]], indptr[rows[index] + 1]
        new_columns[starts[index] : starts[index + 1]] = columns[first:last]
        new_counts[starts[index] : starts[index + 1]] = counts[first:last]
    return starts, new_columns, new_counts


def _regrouped(parts: list[Any]) -> tuple[Block, ...]:
    """Small blocks joined into blocks of about the usual size."""
    blocks: list[Block] = []
    group: list[Any] = []
    for index, part in enumerate(parts):
        group.append(part)
        if index == len(parts) - 1 or sum(len(each[0]) for each in group) > BLOCK_ROWS:
            blocks.append(joined_block(group))
            group = []
    return tuple(blocks)


def joined_block(parts: Sequence[Any]) -> Block:
    """Blocks one after another as one block."""
    lengths = np.concatenate([np.diff(indptr) for indptr, _, _ in parts])
    indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return Block(
        indptr,
        np.concatenate([columns for _, columns, _ in parts]),
        np.concatenate([counts for _, _, counts in parts]),
    )


def _unfolded(lower: Floats) -> Floats:
    """(width, width, 3) lower triangle to the symmetric (2·width, 2·width)."""
    width = len(lower)
    full = lower + lower.transpose(1, 0, 2)
    full[np.arange(width), np.arange(width)] /= 2
    out = np.empty((width, 2, width, 2))
    out[:, 0, :, 0], out[:, 1, :, 1] = full[:, :, 0], full[:, :, 2]
    out[:, 0, :, 1] = out[:, 1, :, 0] = full[:, :, 1]
    return out.reshape(2 * width, 2 * width)
