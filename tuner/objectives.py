"""Objectives: what is minimised, apart from how.

A `DataObjective` is the mean loss over labelled positions plus a penalty toward a prior, as a function
of the free numbers of a fit. Its value, gradient and curvature come from fused passes over the features.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError
from evalcore.features import FeatureMatrix

from .constraints import Constraints
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
    """An objective with a gradient and curvature.

    Where an objective has `constraints`, gradient and curvature are those of its smooth part, and so is the
    value that comes with the gradient; `value` is the whole.
    """

    def value_gradient(self, x: Floats) -> tuple[float, Floats]: ...

    def hessian_vector(self, x: Floats, vector: Floats) -> Floats: ...

    def curvature_matrix(self, x: Floats) -> Floats: ...


@runtime_checkable
class Quadratic(Differentiable, Protocol):
    """An objective that is quadratic, but for its constraints."""

    def normal_equations(self) -> tuple[Floats, Floats, float]: ...


@runtime_checkable
class Sampled(Differentiable, Protocol):
    """A differentiable objective that is a mean over rows, and can be restricted to some of them."""

    def __len__(self) -> int: ...

    def sample(self, rows: int) -> Sampled: ...

    def restricted(self, rows: NDArray[np.int64]) -> Sampled: ...


@dataclass(frozen=True, eq=False)
class DataObjective:
    """Mean over rows of `loss(scale·score, target)`, plus the price of what the weights should rather not be.

    `target` (rows,) in 0 … 1, White's view; `row_weight` (rows,) adds up to 1; `scale` is K·ln 10/400.
    Prices: `Σ ridge·((x − prior)/100)²` with one entry a free number, `‖roughness·x/100‖²` with a sparse
    (any, size) matrix, and the kinked penalties of `constraints`.
    """

    features: FeatureMatrix
    target: Floats
    row_weight: Floats
    scale: float
    loss: Loss
    parameters: Parameters
    ridge: Floats
    prior: Floats
    roughness: Any = None
    constraints: Constraints | None = None

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
        """Mean loss and all penalties."""
        return self.data_loss(x) + self.penalty(x)

    def value_gradient(self, x: Floats) -> tuple[float, Floats]:
        """Value and gradient of the smooth part, in one pass over the features."""

        def pointwise(rows: slice, scores: Floats) -> tuple[float, Floats]:
            z, target, weight = self.scale * scores, self.target[rows], self.row_weight[rows]
            value = float(np.dot(weight, self.loss.value(z, target)))
            return value, self.scale * weight * self.loss.gradient(z, target)

        value, gradient = self.features.value_and_gradient(pointwise, self.parameters.table(x))
        price, slope = self.smooth_penalty(x)
        return value + price, self.parameters.pull_back(gradient) + slope

    def hessian_vector(self, x: Floats, vector: Floats) -> Floats:
        """Gauss-Newton matrix at x times a vector."""
        moved = self.features.hessian_vector(
            self._curvature(x), self.parameters.table(x), self.parameters.direction(vector)
        )
        return self.parameters.pull_back(moved) + self._penalty_curvature(vector)

    def curvature_matrix(self, x: Floats) -> Floats:
        """Gauss-Newton matrix (size, size) at x, penalty included; positive semi-definite."""
        matrix = self.parameters.pull_back_matrix(
            self.features.gram(self._curvature(x), self.parameters.table(x))
        )
        return matrix + self.penalty_matrix()

    def penalty_matrix(self) -> Floats:
        """Second derivative (size, size) of the smooth penalties."""
        matrix = np.diag(2.0 * self.ridge / PENALTY_UNIT**2)
        if self.roughness is not None:
            matrix += (self.roughness.T @ self.roughness).toarray() * (2.0 / PENALTY_UNIT**2)
        return matrix

    def normal_equations(self) -> tuple[Floats, Floats, float]:
        """Curvature (size, size), and gradient and value at zero, of a loss that is quadratic in the weights.

        Raises InputError where it is not.
        """
        if not self.loss.quadratic or self.features.factors is not None:
            what, instead = f"loss {self.loss.name}", "take loss linear or score-squared"
            if self.loss.quadratic:
                what, instead = "an evaluation with scaling rules", "take method texel"
            raise InputError(
                f"method linear needs a loss that is quadratic in the weights, and {what} is not; {instead}"
            )
        value, gradient = self.value_gradient(np.zeros(self.size))
        return self.curvature_matrix(np.zeros(self.size)), gradient, value

    def sample(self, rows: int) -> DataObjective:
        """The same objective on about `rows` evenly spaced rows."""
        return self.restricted(np.unique(np.linspace(0, len(self) - 1, rows).astype(np.int64)))

    def restricted(self, rows: NDArray[np.int64]) -> DataObjective:
        """The same objective on the given rows, ascending."""
        weight = self.row_weight[rows]
        return replace(
            self,
            features=self.features.select(rows),
            target=self.target[rows],
            row_weight=weight / weight.sum(),
        )

    def _curvature(self, x: Floats) -> Floats:
        z = self.scale * self.features.scores(self.parameters.table(x))
        return self.scale**2 * self.row_weight * self.loss.curvature(z, self.target)

    def penalty(self, x: Floats) -> float:
        """The price of the weights, kinked penalties included."""
        kinks = self.constraints.penalty(x) if self.constraints else 0.0
        return self.smooth_penalty(x)[0] + kinks

    def smooth_penalty(self, x: Floats) -> tuple[float, Floats]:
        """Ridge and roughness, and their gradient."""
        away = (x - self.prior) / PENALTY_UNIT
        price, slope = float(self.ridge @ (away * away)), 2.0 * self.ridge * away / PENALTY_UNIT
        if self.roughness is not None:
            bends = self.roughness @ x / PENALTY_UNIT
            price += float(bends @ bends)
            slope += 2.0 * (self.roughness.T @ bends) / PENALTY_UNIT
        return price, slope

    def _penalty_curvature(self, vector: Floats) -> Floats:
        curvature: Floats = 2.0 * self.ridge * vector / PENALTY_UNIT**2
        if self.roughness is not None:
            curvature += self.roughness.T @ (self.roughness @ vector) * (2.0 / PENALTY_UNIT**2)
        return curvature
