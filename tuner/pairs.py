"""Objectives over pairs of positions: which of two is the better one for White.

Pairs of any two positions with different results rank positions; pairs of the position after the move that
was played and one after a move that was not teach an evaluation the player's choices.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from evalcore.errors import InputError

from .constraints import Constraints
from .losses import bell, softplus
from .objectives import DataObjective
from .parameters import Parameters

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

MOST_SAMPLED = 10_000
"""Pairs have no common phase, so their curvature needs dense rows: that many at most."""
CHUNK = 2_000


class NoPairs(InputError):
    """The positions hold no pair to learn from."""


@dataclass(frozen=True, eq=False)
class PairObjective:
    """Mean over pairs of `ln(1 + exp(−scale·(score[better] − score[worse])))`, plus the penalties of `rows`.

    `rows` holds the features, the scale and what the weights should rather be; its targets are not used.
    `better` and `worse` (pairs,) are rows of it, in White's view; `pair_weight` (pairs,) adds up to 1.
    Convex in the weights, but for scaling rules.
    """

    rows: DataObjective
    better: Rows
    worse: Rows
    pair_weight: Floats

    def __len__(self) -> int:
        return len(self.better)

    @property
    def size(self) -> int:
        return self.rows.size

    @property
    def parameters(self) -> Parameters:
        return self.rows.parameters

    @property
    def constraints(self) -> Constraints | None:
        return self.rows.constraints

    def penalty(self, x: Floats) -> float:
        """The price of the weights, kinked penalties included."""
        return self.rows.penalty(x)

    def data_loss(self, x: Floats) -> float:
        """The mean loss without the penalty."""
        return float(self.pair_weight @ softplus(-self._margins(x)))

    def right(self, x: Floats) -> float:
        """The share of pairs in which the better position has the higher score; equal scores count half."""
        margins = self._margins(x)
        return float(self.pair_weight @ ((margins > 0.0) + 0.5 * (margins == 0.0)))

    def value(self, x: Floats) -> float:
        """Mean loss and all penalties."""
        return self.data_loss(x) + self.penalty(x)

    def value_gradient(self, x: Floats) -> tuple[float, Floats]:
        """Value and gradient of the smooth part, in two passes over the features."""
        margins = self._margins(x)
        slopes = self._by_rows(-self.rows.scale * self.pair_weight * expit(-margins))
        price, slope = self.rows.smooth_penalty(x)
        value = float(self.pair_weight @ softplus(-margins)) + price
        return value, self._pulled_back(x, slopes) + slope

    def hessian_vector(self, x: Floats, vector: Floats) -> Floats:
        """Gauss-Newton matrix at x times a vector."""
        curvature = self.rows.scale**2 * self.pair_weight * bell(self._margins(x))
        features = replace(self.rows.features, factors=None)
        moved = features.scores(self.parameters.direction(vector)) * self._factors(x)
        slopes = self._by_rows(curvature * (moved[self.better] - moved[self.worse]))
        return self._pulled_back(x, slopes) + self.rows.penalty_matrix() @ vector

    def curvature_matrix(self, x: Floats) -> Floats:
        """Gauss-Newton matrix (size, size) at x, penalty included."""
        curvature = self.rows.scale**2 * self.pair_weight * bell(self._margins(x))
        design = replace(self.rows.features, factors=None).to_scipy()
        factors = self._factors(x)
        total = np.zeros((design.shape[1], design.shape[1]))
        for start in range(0, len(self), CHUNK):
            part = slice(start, start + CHUNK)
            first, second = self.better[part], self.worse[part]
            apart = design[first].toarray() * factors[first, None]
            apart -= design[second].toarray() * factors[second, None]
            total += apart.T @ (curvature[part, None] * apart)
        return self.parameters.pull_back_matrix(total) + self.rows.penalty_matrix()

    def sample(self, rows: int) -> PairObjective:
        """The same objective on about `rows` evenly spaced pairs, at most `MOST_SAMPLED`."""
        count = min(rows, MOST_SAMPLED)
        return self.restricted(np.unique(np.linspace(0, len(self) - 1, count).astype(np.int64)))

    def restricted(self, rows: Rows) -> PairObjective:
        """The same objective on the given pairs, and the positions they need."""
        needed, places = np.unique(np.concatenate([self.better[rows], self.worse[rows]]), return_inverse=True)
        weight = self.pair_weight[rows]
        return PairObjective(
            self.rows.restricted(needed), places[: len(rows)], places[len(rows) :], weight / weight.sum()
        )

    def _margins(self, x: Floats) -> Floats:
        scores = self.rows.features.scores(self.parameters.table(x))
        margins: Floats = self.rows.scale * (scores[self.better] - scores[self.worse])
        return margins

    def _by_rows(self, slopes: Floats) -> Floats:
        """Derivatives by the score of each row, from those by the difference of each pair."""
        count = len(self.rows)
        up = np.bincount(self.better, slopes, minlength=count)
        return up.astype(float) - np.bincount(self.worse, slopes, minlength=count)

    def _pulled_back(self, x: Floats, slopes: Floats) -> Floats:
        def pointwise(rows: slice, _scores: Floats) -> tuple[float, Floats]:
            return 0.0, slopes[rows]

        gradient = self.rows.features.value_and_gradient(pointwise, self.parameters.table(x))[1]
        return self.parameters.pull_back(gradient)

    def _factors(self, x: Floats) -> Floats:
        """What scaling rules multiply the score of each row by."""
        features = self.rows.features
        if features.factors is None:
            return np.ones(len(features))
        return features.factors_for(replace(features, factors=None).scores(self.parameters.table(x)))


def ranking(rows: DataObjective, pairs: int, rng: np.random.Generator) -> PairObjective:
    """Each position against `pairs` random others whose target differs. Raises NoPairs."""
    first = np.repeat(np.arange(len(rows)), pairs)
    second = rng.integers(0, len(rows), len(first))
    apart = rows.target[first] - rows.target[second]
    better, worse = np.where(apart > 0.0, first, second), np.where(apart > 0.0, second, first)
    used = apart != 0.0
    if not used.any():
        raise NoPairs(f"no two of {len(rows):,} positions have different labels, so there is nothing to rank")
    weight: Any = (rows.row_weight[first] * rows.row_weight[second])[used]
    return PairObjective(rows, better[used], worse[used], weight / weight.sum())
