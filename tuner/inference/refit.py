"""Fitting again: on some of the games, with another penalty, or with some weights held."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError

from ..objectives import DataObjective
from ..optimizers import Preconditioned, silent

if TYPE_CHECKING:
    from ..job import Job
    from ..objectives import Sampled
    from ..problem import Problem

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def refuse_other_goals(job: Job) -> None:
    """Raises InputError where a job fits anything but labels: what asks again asks the loss of labels."""
    if job.objective != "labels":
        raise InputError(
            f"objective = {job.objective}: errors, ridges, terms, sources and numbers of games are answered"
            " for fits of labels only"
        )


def refit(problem: Problem, objective: Sampled, start: Floats) -> Floats:
    """The optimum of another objective, by the default method, whatever the method of the problem's job.

    Differences between optima say something about terms, priors and games; differences between the ends of
    a method that stops before them do not. Raises InputError for other objectives than labels.
    """
    refuse_other_goals(problem.job)
    job, rng = problem.job, np.random.default_rng([problem.job.seed, 1])
    method = job.optimizer() if job.method == "texel" else Preconditioned()
    found: Floats = method.minimize(objective, start, rng=rng, observe=silent).x
    return found


def scaled_ridge(objective: DataObjective, factor: float) -> DataObjective:
    """The same objective with its ridge, which may differ from weight to weight, multiplied."""
    return replace(objective, ridge=objective.ridge * factor)


def for_games(problem: Problem, rows: Integers, share: float, ridge: float | None = None) -> DataObjective:
    """The problem's objective on the given rows, a `share` of all games, with a job's `ridge` of that size.

    Prices are in the loss of one game, so they weigh more in a mean over fewer games. Ridges of single
    weights keep their proportion to the job's.
    """
    part = problem.objective.restricted(rows)
    price, job = part.ridge / share, problem.job.ridge
    if ridge is not None:
        games = len(np.unique(problem.data.groups.of_row[problem.data.train])) * share
        price = price * (ridge / job) if job else np.full(part.size, ridge / games)
    rough, kinks = part.roughness, part.constraints
    if kinks:
        groups = tuple(replace(group, price=group.price / share) for group in kinks.groups)
        kinks = replace(kinks, lasso=kinks.lasso / share, groups=groups)
    rough = None if rough is None else rough / np.sqrt(share)
    return replace(part, ridge=price, roughness=rough, constraints=kinks)


@dataclass(frozen=True, eq=False)
class Held:
    """An objective in which only the numbers `free` (indices) may move; the others stay as in `whole`."""

    inner: Sampled
    free: Integers
    whole: Floats

    def __len__(self) -> int:
        return len(self.inner)

    @property
    def size(self) -> int:
        return len(self.free)

    def embed(self, x: Floats) -> Floats:
        """All free numbers of the inner objective."""
        out = self.whole.copy()
        out[self.free] = x
        return out

    def value(self, x: Floats) -> float:
        return self.inner.value(self.embed(x))

    def value_gradient(self, x: Floats) -> tuple[float, Floats]:
        value, gradient = self.inner.value_gradient(self.embed(x))
        return value, gradient[self.free]

    def hessian_vector(self, x: Floats, vector: Floats) -> Floats:
        direction = np.zeros_like(self.whole)
        direction[self.free] = vector
        return self.inner.hessian_vector(self.embed(x), direction)[self.free]

    def curvature_matrix(self, x: Floats) -> Floats:
        return self.inner.curvature_matrix(self.embed(x))[np.ix_(self.free, self.free)]

    def sample(self, rows: int) -> Held:
        return replace(self, inner=self.inner.sample(rows))

    def restricted(self, rows: Integers) -> Held:
        return replace(self, inner=self.inner.restricted(rows))


@dataclass(frozen=True, eq=False)
class GameLosses:
    """Losses added up by game: `loss` and `weight` (games,), the weight being that of the game's rows."""

    loss: Floats
    weight: Floats

    @property
    def mean(self) -> float:
        """The mean loss of a row."""
        return float(self.loss.sum() / self.weight.sum())

    def error(self, other: GameLosses | None = None) -> float:
        """Clustered standard error of the mean, or of its difference to that of others on the same games."""
        loss = self.loss if other is None else self.loss - other.loss
        mean = loss.sum() / self.weight.sum()
        games = max(int((self.weight > 0).sum()), 2)
        apart = loss - mean * self.weight
        return float(np.sqrt((apart**2).sum() * games / (games - 1)) / self.weight.sum())


def game_losses(objective: DataObjective, table: Floats, games: Integers, count: int) -> GameLosses:
    """Losses of weights (width, 2) by game; `games` (rows,) numbers the game of each row below `count`."""
    z = objective.scale * objective.features.scores(table)
    weighted = objective.row_weight * objective.loss.value(z, objective.target)
    loss = np.bincount(games, weighted, minlength=count).astype(float)
    return GameLosses(loss, np.bincount(games, objective.row_weight, minlength=count).astype(float))
