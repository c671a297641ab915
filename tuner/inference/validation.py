"""How strong should the prior be, would more games help? Cross-validation and learning curves, by game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError

from ..objectives import DataObjective
from ..split import BY_POSITION
from .errors import quantile
from .refit import GameLosses, for_games, game_losses, refit

if TYPE_CHECKING:
    import pandas as pd

    from ..problem import Problem

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Told = Callable[[str], None]
"""Told what has just been done, for progress."""

RIDGES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
"""Penalties that are tried, in units of a job's `ridge`."""
FRACTIONS = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)


def silence(_what: str) -> None:
    """Not to be told anything."""


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """`table`: ridge (inf: the starting weights), train, validation, above (the best), above_se, start_gain,
    start_gain_se (how much better than the starting weights).

    `best` has the least validation loss, `simplest` is the strongest penalty within one standard error of it.
    """

    table: pd.DataFrame
    folds: int
    best: float
    simplest: float


def cross_validate(
    problem: Problem, ridges: Sequence[float] = RIDGES, *, folds: int = 5, told: Told = silence
) -> CrossValidation:
    """Fits with each penalty on all but one fold of the training games and judges on that fold, fold by fold.

    Starting weights enter as the penalty `inf`. The validation rows of the job are not touched.
    Raises InputError where there are fewer games than folds.
    """
    objective, game = problem.objective, _numbered(problem)
    count = int(game.max()) + 1
    if count < folds:
        raise InputError(f"cross-validation with {folds} folds needs as many games; there are {count}")
    fold = np.random.default_rng([problem.job.seed, 2]).permutation(count) % folds
    order = sorted(set(ridges), reverse=True)
    inside: dict[float, list[float]] = {ridge: [] for ridge in (np.inf, *order)}
    outside: dict[float, list[GameLosses]] = {ridge: [] for ridge in (np.inf, *order)}
    start = objective.parameters.start
    for number in range(folds):
        away = fold[game] == number
        train, held_out = _rows(objective, ~away), _rows(objective, away)
        x, share = start, float((fold != number).mean())
        for ridge in (np.inf, *order):
            if np.isfinite(ridge):
                x = refit(problem, for_games(problem, np.flatnonzero(~away), share, ridge), x)
            table = objective.parameters.table(x)
            inside[ridge].append(train.table_loss(table))
            outside[ridge].append(_weighed(held_out, table, game[away], count, objective, away))
            told(f"fold {number + 1} of {folds}, ridge {ridge:g}")
    return _compared({ridge: _added(parts) for ridge, parts in outside.items()}, inside, folds)


def _rows(objective: DataObjective, mask: NDArray[np.bool_]) -> DataObjective:
    return objective.restricted(np.flatnonzero(mask))


def _numbered(problem: Problem) -> Integers:
    """Games of the training rows, numbered from 0 without gaps."""
    _, game = np.unique(problem.data.groups.of_row[problem.data.train], return_inverse=True)
    return game


def _weighed(
    held_out: DataObjective, table: Floats, game: Integers, count: int,
    objective: DataObjective, mask: NDArray[np.bool_],
) -> GameLosses:  # fmt: skip
    """Losses by game, weighed as in the whole objective, where a fold weighs as much as its rows."""
    found = game_losses(held_out, table, game, count)
    share = float(objective.row_weight[mask].sum())
    return GameLosses(found.loss * share, found.weight * share)


def _added(parts: list[GameLosses]) -> GameLosses:
    return GameLosses(
        np.sum([part.loss for part in parts], axis=0), np.sum([part.weight for part in parts], axis=0)
    )


def _compared(
    losses: dict[float, GameLosses], inside: dict[float, list[float]], folds: int
) -> CrossValidation:
    import pandas as pd

    best = min(losses, key=lambda ridge: (losses[ridge].mean, -ridge))
    rows = [
        (
            ridge,
            float(np.mean(inside[ridge])),
            each.mean,
            each.mean - losses[best].mean,
            each.error(losses[best]),
            losses[np.inf].mean - each.mean,
            each.error(losses[np.inf]),
        )
        for ridge, each in sorted(losses.items())
    ]
    names = ["ridge", "train", "validation", "above", "above_se", "start_gain", "start_gain_se"]
    table = pd.DataFrame(rows, columns=names)
    simplest = float(table["ridge"][table["above"] <= table["above_se"]].max())
    return CrossValidation(table, folds, best, simplest)


def signed(change: float) -> str:
    """`+0.001234` or `−0.001234`."""
    return f"{change:+.6f}".replace("-", "−")


@dataclass(frozen=True, eq=False)
class LearningCurve:
    """`table`: games, rows, train, validation, start_gain, start_gain_se (held-out gain on the start).

    Held-out losses follow `limit + slope/games`; `doubled` is what twice the games would reach by that.
    """

    table: pd.DataFrame
    start: float
    limit: float
    slope: float

    @property
    def words(self) -> str:
        """What twice the games promise, in a sentence."""
        last = self.table.iloc[-1]
        change = self.worth_of_doubling
        gain = signed(last["start_gain"])
        way = "lower" if change > 0.0 else "raise"
        reach = quantile(0.95) * last["start_gain_se"]
        return (
            f"by the trend of the last fits, twice the {int(last['games']):,} games would {way} the held-out"
            f" loss by {abs(change):.6f}; the fit gains {gain} ± {reach:.6f} on the start"
        )

    @property
    def told(self) -> pd.DataFrame:
        """The table with what twice the games promise in its last row, for files."""
        last = np.arange(len(self.table)) == len(self.table) - 1
        return self.table.assign(worth_of_doubling=np.where(last, self.worth_of_doubling, np.nan))

    @property
    def doubled(self) -> float:
        """Expected held-out loss with twice the games."""
        return self.limit + self.slope / (2.0 * float(self.table["games"].iloc[-1]))

    @property
    def worth_of_doubling(self) -> float:
        """Expected fall of the held-out loss from twice the games."""
        return float(self.table["validation"].iloc[-1]) - self.doubled


def learning_curve(
    problem: Problem,
    fractions: Sequence[float] = FRACTIONS,
    *,
    ridge: float | None = None,
    told: Told = silence,
) -> LearningCurve:
    """Held-out loss of fits on growing shares of the training games; every set contains the one before.

    `ridge` is the job's unless given. Raises InputError where no games are held out.
    """
    import pandas as pd

    if problem.held_out is None:
        raise InputError("a learning curve needs held-out games: fit with validation above 0")
    if problem.job.split == BY_POSITION:
        raise InputError("a learning curve needs held-out games: fit with split = game")
    objective, game = problem.objective, _numbered(problem)
    count = int(game.max()) + 1
    rank = np.random.default_rng([problem.job.seed, 3]).permutation(count)
    apart = problem.data.groups.of_row[problem.data.validation]
    x = objective.parameters.start
    start = game_losses(problem.held_out, objective.parameters.table(x), apart, int(apart.max()) + 1)
    rows = []
    for fraction in sorted(fractions):
        games = max(round(fraction * count), 1)
        part = for_games(problem, np.flatnonzero(rank[game] < games), games / count, ridge)
        x = refit(problem, part, x)
        table = objective.parameters.table(x)
        judged = game_losses(problem.held_out, table, apart, int(apart.max()) + 1)
        gain = start.mean - judged.mean
        rows.append((games, len(part), part.table_loss(table), judged.mean, gain, judged.error(start)))
        told(f"{games:,} of {count:,} games")
    names = ["games", "rows", "train", "validation", "start_gain", "start_gain_se"]
    found = pd.DataFrame(rows, columns=names)
    return curve_through(found)


def curve_through(table: pd.DataFrame) -> LearningCurve:
    """The learning curve of a table, with the trend of its last three rows."""
    last = table.iloc[-3:]
    slope, limit = np.polyfit(1.0 / last["games"], last["validation"], 1)
    start = float(table["validation"].iloc[-1] + table["start_gain"].iloc[-1])
    return LearningCurve(table, start, float(limit), float(slope))
