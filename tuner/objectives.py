"""Objectives: what is minimised, apart from how.

A `DataObjective` is the mean loss over labelled positions plus a penalty toward a prior, as a function
of the free numbers of a fit. Its value, gradient and curvature come from fused passes over the features.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from evalcore.features import FeatureMatrix

from .losses import Loss
from .parameters import Parameters

Floats = NDArray[np.float64]

PENALTY_UNIT = 100.0
"""A ridge of λ adds λ·((w − prior)/100 cp)² for each weight: λ is the price of one pawn of change."""


@runtime_checkable
class Objective(Protocol):
    """Something to minimise over vectors (size,)."""

    @property
    def size(self) -> int: ...

    def value(self, x: Floats) -> float: ...


@runtime_checkable
class Differentiable(Objective, Protocol):
    """An objective with a gradient and curvature."""

    def value_gradient(self, x: Floats) -> tuple[float, Floats]: ...

    def hessian_vector(self, x: Floats, vector: Floats) -> Floats: ...

    def curvature_matrix(self, x: Floats) -> Floats: ...


@runtime_checkable
class Sampled(Differentiable, Protocol):
    """A differentiable objective that is a mean over rows, and can be restricted to some of them."""

    def __len__(self) -> int: ...

    def sample(self, rows: int) -> Sampled: ...


@dataclass(frozen=True, eq=False)
class DataObjective:
    """Mean over rows of `loss(scale·score, target)`, plus `Σ ridge·((x − prior)/100)²`.

    `target` (rows,) in 0 … 1, White's view; `row_weight` (rows,) adds up to 1; `scale` is K·ln 10/400;
    `ridge` and `prior` have one entry a free number.
    """

    features: FeatureMatrix
    target: Floats
    row_weight: Floats
    scale: float
    loss: Loss
    parameters: Parameters
    ridge: Floats
    prior: Floats

    def __len__(self) -> int:
        return len(self.features)

    @property
    def size(self) -> int:
        return self.parameters.size

    def data_loss(self, x: Floats) -> float:
        """The mean loss without the penalty."""
        return self.table_loss(self.parameters.table(x))

    def table_loss(self, table: Floats) -> float:
        """The mean loss of a table of weights (width, 2), rounded ones for instance."""
        z = self.scale * self.features.scores(table)
        return float(np.dot(self.row_weight, self.loss.value(z, self.target)))

    def value(self, x: Floats) -> float:
        """Mean loss and penalty."""
        return self.data_loss(x) + self.penalty(x)

    def value_gradient(self, x: Floats) -> tuple[float, Floats]:
        """Value and gradient in one pass over the features."""

        def pointwise(rows: slice, scores: Floats) -> tuple[float, Floats]:
            z, target, weight = self.scale * scores, self.target[rows], self.row_weight[rows]
            value = float(np.dot(weight, self.loss.value(z, target)))
            return value, self.scale * weight * self.loss.gradient(z, target)

        value, gradient = self.features.value_and_gradient(pointwise, self.parameters.table(x))
        pulled = self.parameters.pull_back(gradient)
        return value + self.penalty(x), pulled + 2.0 * self.ridge * (x - self.prior) / PENALTY_UNIT**2

    def hessian_vector(self, x: Floats, vector: Floats) -> Floats:
        """Gauss-Newton matrix at x times a vector."""
        moved = self.features.hessian_vector(
            self._curvature(x), self.parameters.table(x), self.parameters.direction(vector)
        )
        return self.parameters.pull_back(moved) + 2.0 * self.ridge * vector / PENALTY_UNIT**2

    def curvature_matrix(self, x: Floats) -> Floats:
        """Gauss-Newton matrix (size, size) at x, penalty included; positive semi-definite."""
        matrix = self.parameters.pull_back_matrix(
            self.features.gram(self._curvature(x), self.parameters.table(x))
        )
        matrix[np.diag_indices_from(matrix)] += 2.0 * self.ridge / PENALTY_UNIT**2
        return matrix

    def sample(self, rows: int) -> DataObjective:
        """The same objective on about `rows` evenly spaced rows."""
        chosen = np.unique(np.linspace(0, len(self) - 1, rows).astype(np.int64))
        weight = self.row_weight[chosen]
        return replace(
            self,
            features=self.features.select(chosen),
            target=self.target[chosen],
            row_weight=weight / weight.sum(),
        )

    def _curvature(self, x: Floats) -> Floats:
        z = self.scale * self.features.scores(self.parameters.table(x))
        return self.scale**2 * self.row_weight * self.loss.curvature(z, self.target)

    def penalty(self, x: Floats) -> float:
        return float(np.dot(self.ridge, ((x - self.prior) / PENALTY_UNIT) ** 2))
