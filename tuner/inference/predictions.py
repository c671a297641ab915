"""What a fit predicts for each position, what happened, and means with errors that know about games."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from ..losses import SCORES, Linear, Loss, Ordinal

if TYPE_CHECKING:
    from ..objectives import DataObjective
    from ..problem import Problem

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Predictions:
    """Columns of equal length; all in White's view.

    `row` is an index into the positions of the problem, `held_out` says whether the fit never saw it,
    `score` is in centipawns, `predicted` and `target` lie in 0 … 1 (targets that are scores as the result
    they stand for), `game` numbers the game (or group).
    """

    row: Integers
    held_out: NDArray[np.bool_]
    score: Floats
    predicted: Floats
    target: Floats
    weight: Floats
    loss: Floats
    game: Integers

    def __len__(self) -> int:
        return len(self.row)

    def select(self, rows: Any) -> Predictions:
        """Rows by index array or mask."""
        return replace(self, **{name: getattr(self, name)[rows] for name in self.__dataclass_fields__})

    @property
    def judged(self) -> Predictions:
        """The held-out rows, by which a fit is judged; all rows where nothing was held out."""
        return self.select(self.held_out) if self.held_out.any() else self


def predict(problem: Problem, table: Floats) -> Predictions:
    """Predictions of weights (width, 2) for all rows, training before held-out ones."""
    data = problem.data
    parts = [(problem.objective, data.train, False)]
    if problem.held_out is not None:
        parts.append((problem.held_out, data.validation, True))
    columns = [_columns(objective, table, rows, held_out) for objective, rows, held_out in parts]
    joined = [np.concatenate(each) for each in zip(*columns, strict=True)]
    row = joined[0]
    weight, game = data.positions.sample_weight[row].astype(float), data.groups.of_row[row]
    score, predicted, target, loss = joined[2:]
    return Predictions(row, joined[1], score, predicted, target, weight, loss, game)


def _columns(objective: DataObjective, table: Floats, rows: Integers, held_out: bool) -> tuple[Any, ...]:
    score = objective.features.scores(table)
    z = objective.scale * score
    loss = objective.loss.value(z, objective.target)
    target = expit(objective.target) if objective.loss.compares == SCORES else objective.target
    return rows, np.full(len(rows), held_out), score, expected_result(objective.loss, z), target, loss


def expected_result(loss: Loss, z: Floats) -> Floats:
    """The result in 0 … 1 that a loss makes scaled scores stand for."""
    if isinstance(loss, Ordinal) and loss.draw is not None:
        return 0.5 * (expit(z - loss.draw) + expit(z + loss.draw))
    out: Floats = np.clip(0.5 + 0.25 * z, 0.0, 1.0) if isinstance(loss, Linear) else expit(z)
    return out


@dataclass(frozen=True, eq=False)
class Means:
    """Weighted means of cells: `mean` and its clustered standard error `se` are (cells, values)."""

    mean: Floats
    se: Floats
    rows: Integers
    games: Integers


def means(values: Floats, weight: Floats, cell: Integers, game: Integers, cells: int) -> Means:
    """Means of `values` (rows, k) in each cell, with standard errors clustered by game.

    Empty cells and cells of a single game have NaN errors.
    """
    total = np.bincount(cell, weight, minlength=cells)
    sums = np.column_stack([np.bincount(cell, weight * column, minlength=cells) for column in values.T])
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = sums / total[:, None]
    pair, of_row = np.unique(cell * (int(game.max(initial=0)) + 1) + game, return_inverse=True)
    of_pair = pair // (int(game.max(initial=0)) + 1)
    games = np.bincount(of_pair, minlength=cells)
    squares = np.empty((cells, values.shape[1]))
    for index, column in enumerate(values.T):
        apart = np.bincount(of_row, weight * (column - mean[cell, index]), minlength=len(pair))
        squares[:, index] = np.bincount(of_pair, apart**2, minlength=cells)
    few = np.where(games > 1, games / np.maximum(games - 1, 1), np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        se = np.sqrt(squares * few[:, None]) / total[:, None]
    return Means(mean, se, np.bincount(cell, minlength=cells), games)
