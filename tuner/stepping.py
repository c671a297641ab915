"""Trying one weight at a time: the change of the loss comes from the rows that have the weight alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .objectives import DataObjective

Floats = NDArray[np.float64]


class Stepper(Protocol):
    """An objective at a place, where single numbers can be tried. `value` is the objective there."""

    x: Floats
    value: float

    def attempt(self, index: int, move: float) -> tuple[float, float]:
        """The value if one number moved, and what asking cost, in passes."""
        ...

    def accept(self) -> None:
        """Makes the last attempt."""
        ...


def stepper(objective: Any, x: Floats) -> Stepper:
    """The cheapest way to try single numbers of an objective."""
    return DataStepper(objective, x) if isinstance(objective, DataObjective) else PlainStepper(objective, x)


class PlainStepper:
    """Asks the whole objective every time."""

    def __init__(self, objective: Any, x: Floats) -> None:
        self._objective, self.x = objective, x.copy()
        self.value = float(objective.value(self.x))
        self._tried: tuple[Floats, float] = (self.x, self.value)

    def attempt(self, index: int, move: float) -> tuple[float, float]:
        moved = self.x.copy()
        moved[index] += move
        self._tried = (moved, float(self._objective.value(moved)))
        return self._tried[1], 1.0

    def accept(self) -> None:
        self.x, self.value = self._tried


class DataStepper:
    """Keeps the score and loss of every row, and the rows of every column."""

    def __init__(self, objective: DataObjective, x: Floats) -> None:
        self._objective, self._columns = objective, _Columns(objective)
        self.x = x.copy()
        self._raw = replace(objective.features, factors=None).scores(objective.parameters.table(x))
        self._losses = self._weighted(slice(None), self._raw)
        self._penalty = objective.penalty(x)
        self.value = float(self._losses.sum()) + self._penalty
        self._tried: Any = None

    def attempt(self, index: int, move: float) -> tuple[float, float]:
        rows, slopes = self._columns.derivative(index)
        raw = self._raw[rows] + move * slopes
        losses = self._weighted(rows, raw)
        moved = self.x.copy()
        moved[index] += move
        penalty = self._objective.penalty(moved)
        value = self.value + float((losses - self._losses[rows]).sum()) + penalty - self._penalty
        self._tried = (moved, rows, raw, losses, penalty, value)
        return value, len(rows) / len(self._raw)

    def accept(self) -> None:
        self.x, rows, raw, losses, self._penalty, self.value = self._tried
        self._raw[rows], self._losses[rows] = raw, losses

    def _weighted(self, rows: Any, raw: Floats) -> Floats:
        made = self._objective
        scores = raw if made.features.factors is None else raw * made.features.factors_for(raw, rows)
        losses: Floats = made.row_weight[rows] * made.loss.value(made.scale * scores, made.target[rows])
        return losses


class _Columns:
    """The counts by column, and the derivative of the scores by a free number."""

    def __init__(self, objective: DataObjective) -> None:
        features = objective.features
        self._phase = features.phase.astype(float) / features.phase_maximum
        self._owner = objective.parameters.owner
        starts = [rows.start for rows in features.slices()]
        blocks = features.blocks
        rows = [
            np.repeat(np.arange(len(block.indptr) - 1, dtype=np.int32) + start, np.diff(block.indptr))
            for block, start in zip(blocks, starts, strict=True)
        ]
        columns = np.concatenate([block.columns for block in blocks])
        order = np.argsort(columns, kind="stable")
        self._rows = np.concatenate(rows)[order]
        self._counts = np.concatenate([block.counts for block in blocks])[order]
        self._ends = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=features.width))])

    def derivative(self, index: int) -> tuple[NDArray[np.int32], Floats]:
        """Rows whose score depends on a free number, and the derivative there, before scaling rules."""
        parts: list[tuple[NDArray[np.int32], Floats]] = []
        for column, phase in np.argwhere(self._owner == index).tolist():
            span = slice(self._ends[column], self._ends[column + 1])
            rows = self._rows[span]
            share = self._phase[rows] if phase == 0 else 1.0 - self._phase[rows]
            parts.append((rows, self._counts[span] * share))
        if len(parts) == 1:
            return parts[0]
        together, place = np.unique(np.concatenate([rows for rows, _ in parts]), return_inverse=True)
        values = np.concatenate([values for _, values in parts])
        return together, np.bincount(place, values, minlength=len(together)).astype(float)
