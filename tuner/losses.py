"""Pointwise losses of the scaled score z (log-odds) against a target.

Most compare with a result in 0 … 1; those that compare with a score take a target in log-odds like z.
All are pure functions of arrays of equal shape; `p = 1/(1 + exp(−z))`. `curvature` is a positive
approximation of the second derivative (Gauss-Newton's), for solvers and standard errors.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

Floats = NDArray[np.float64]

RESULTS, SCORES, OUTCOMES = "results", "scores", "outcomes"
"""What a target is: a probability in 0 … 1, log-odds, or a mixture of loss, draw and win in 0 … 1."""


class Loss(Protocol):
    """What a loss can do; z and target have the same shape, and so have the results.

    `compares` is the kind of target, `quadratic` says whether the loss is quadratic in z.
    """

    @property
    def name(self) -> str: ...

    @property
    def compares(self) -> str: ...

    @property
    def quadratic(self) -> bool: ...

    def value(self, z: Floats, target: Floats) -> Floats: ...

    def gradient(self, z: Floats, target: Floats) -> Floats: ...

    def curvature(self, z: Floats, target: Floats) -> Floats: ...


@dataclass(frozen=True)
class Squared:
    """`(p − target)²`: Österlund's, Texel's Tuning Method. Not convex in the weights."""

    name: str = "squared"
    compares: str = RESULTS
    quadratic: bool = False

    def value(self, z: Floats, target: Floats) -> Floats:
        error = expit(z) - target
        return error * error

    def gradient(self, z: Floats, target: Floats) -> Floats:
        p = expit(z)
        return 2.0 * (p - target) * p * (1.0 - p)

    def curvature(self, z: Floats, target: Floats) -> Floats:
        p = expit(z)
        slope = p * (1.0 - p)
        return 2.0 * slope * slope


@dataclass(frozen=True)
class CrossEntropy:
    """`−target·ln p − (1−target)·ln(1−p)`: maximum likelihood, convex in the weights."""

    name: str = "cross-entropy"
    compares: str = RESULTS
    quadratic: bool = False

    def value(self, z: Floats, target: Floats) -> Floats:
        # both parts are positive, so nothing cancels for a large z
        return softplus(-np.abs(z)) + np.where(z > 0.0, (1.0 - target) * z, -target * z)

    def gradient(self, z: Floats, target: Floats) -> Floats:
        return expit(z) - target

    def curvature(self, z: Floats, target: Floats) -> Floats:
        return bell(z)


@dataclass(frozen=True)
class Linear:
    """`(½ + z/4 − target)²`: linear regression of results, on the logistic curve's tangent at an even score.

    Quadratic in the weights, so one pass finds the optimum. Won positions count as if a large score had
    to be wrong, which shrinks all weights; meant as a quick start for the other losses.
    """

    name: str = "linear"
    compares: str = RESULTS
    quadratic: bool = True

    def value(self, z: Floats, target: Floats) -> Floats:
        error = 0.5 + 0.25 * z - target
        return error * error

    def gradient(self, z: Floats, target: Floats) -> Floats:
        return 0.5 * (0.5 + 0.25 * z - target)

    def curvature(self, z: Floats, target: Floats) -> Floats:
        return np.full(np.shape(z), 0.125)


@dataclass(frozen=True)
class ScoreSquared:
    """`(z − target)²` with targets in log-odds: least squares on the scores of the data."""

    name: str = "score-squared"
    compares: str = SCORES
    quadratic: bool = True

    def value(self, z: Floats, target: Floats) -> Floats:
        error = z - target
        return error * error

    def gradient(self, z: Floats, target: Floats) -> Floats:
        return 2.0 * (z - target)

    def curvature(self, z: Floats, target: Floats) -> Floats:
        return np.full(np.shape(z), 2.0)


@dataclass(frozen=True)
class Huber:
    """Huber's loss on scores: squared up to a difference of `width` in log-odds, straight beyond it.

    Scores that are far off (a mate in sight, a slip of the other engine) then pull with a bounded force.
    1 log-odds is 400/(K·ln 10) centipawns: 174 for K = 1.
    """

    width: float = 1.0
    name: str = "huber"
    compares: str = SCORES
    quadratic: bool = False

    def value(self, z: Floats, target: Floats) -> Floats:
        error = np.abs(z - target)
        near = np.minimum(error, self.width)
        return near * (2.0 * error - near)

    def gradient(self, z: Floats, target: Floats) -> Floats:
        return 2.0 * np.clip(z - target, -self.width, self.width)

    def curvature(self, z: Floats, target: Floats) -> Floats:
        """That of the parabola which touches the loss here: positive everywhere, and never too small."""
        return 2.0 * self.width / np.maximum(np.abs(z - target), self.width)


@dataclass(frozen=True)
class Ordinal:
    """`−ln` of the probability of loss, draw or win: P(win) = σ(z − draw), P(loss) = σ(−z − draw).

    McCullagh's proportional odds; in chess terms Rao and Kupper's draws. `draw` is half the width of the
    drawn zone in log-odds; None fits it together with K. A target between outcomes is a mixture of the two
    nearest ones. Convex in the weights.
    """

    draw: float | None = None
    name: str = "ordinal"
    compares: str = OUTCOMES
    quadratic: bool = False

    def value(self, z: Floats, target: Floats) -> Floats:
        loss, draw, win = outcome_shares(target)
        d = self._draw
        # ln of P(draw) = ln(2 sinh d) + z − softplus(z + d) − softplus(z − d)
        even = softplus(z + d) + softplus(z - d) - z - (d + math.log(-math.expm1(-2.0 * d)))
        return loss * softplus(z + d) + draw * even + win * softplus(d - z)

    def gradient(self, z: Floats, target: Floats) -> Floats:
        loss, draw, win = outcome_shares(target)
        d = self._draw
        return (loss + draw) * expit(z + d) + (draw + win) * expit(z - d) - draw - win

    def curvature(self, z: Floats, target: Floats) -> Floats:
        loss, draw, win = outcome_shares(target)
        return (loss + draw) * bell(z + self._draw) + (draw + win) * bell(z - self._draw)

    def by_draw(self, z: Floats, target: Floats) -> Floats:
        """The derivative by `draw`."""
        loss, draw, win = outcome_shares(target)
        high, low = expit(z + self._draw), expit(z - self._draw)
        return (loss + draw) * high - (draw + win) * low + win - draw / math.tanh(self._draw)

    @property
    def _draw(self) -> float:
        assert self.draw is not None, "the width of the drawn zone is fitted before the loss is used"
        return self.draw


def outcome_shares(target: Floats) -> tuple[Floats, Floats, Floats]:
    """How much of a target in 0 … 1 is loss, draw and win: a mixture of the two nearest outcomes."""
    draw = 2.0 * np.minimum(target, 1.0 - target)
    return np.maximum(1.0 - 2.0 * target, 0.0), draw, np.maximum(2.0 * target - 1.0, 0.0)


def bell(z: Any) -> Floats:
    """The slope of the logistic curve, without cancellation."""
    out: Floats = expit(z) * expit(-z)
    return out


def softplus(z: Any) -> Floats:
    """`ln(1 + exp(z))` without overflow."""
    out: Floats = np.maximum(z, 0.0) + np.log1p(np.exp(-np.abs(z)))
    return out


LOSSES: Mapping[str, type[Any]] = {
    "squared": Squared,
    "cross-entropy": CrossEntropy,
    "ordinal": Ordinal,
    "linear": Linear,
    "score-squared": ScoreSquared,
    "huber": Huber,
}
"""Every loss by the name a job uses; fields that are numbers are options."""
