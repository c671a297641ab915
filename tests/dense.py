"""Objectives on dense matrices of real numbers, for problems with certified answers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class DenseSquares:
    """`‖matrix·x − target‖²`, and its normal equations."""

    matrix: Floats
    target: Floats

    @property
    def size(self) -> int:
        return self.matrix.shape[1]

    def value(self, x: Floats) -> float:
        residual = self.matrix @ x - self.target
        return float(residual @ residual)

    def value_gradient(self, x: Floats) -> tuple[float, Floats]:
        return self.value(x), 2.0 * self.matrix.T @ (self.matrix @ x - self.target)

    def hessian_vector(self, x: Floats, vector: Floats) -> Floats:
        return 2.0 * self.matrix.T @ (self.matrix @ vector)

    def curvature_matrix(self, x: Floats) -> Floats:
        return 2.0 * self.matrix.T @ self.matrix

    def normal_equations(self) -> tuple[Floats, Floats, float]:
        value, gradient = self.value_gradient(np.zeros(self.size))
        return self.curvature_matrix(np.zeros(self.size)), gradient, value


@dataclass(frozen=True, eq=False)
class DenseLogistic:
    """Minus the log-likelihood of a logistic regression with targets 0 and 1."""

    matrix: Floats
    target: Floats

    def __len__(self) -> int:
        return len(self.target)

    @property
    def size(self) -> int:
        return self.matrix.shape[1]

    def value(self, x: Floats) -> float:
        z = self.matrix @ x
        return float((np.logaddexp(0.0, z) - self.target * z).sum())

    def value_gradient(self, x: Floats) -> tuple[float, Floats]:
        return self.value(x), self.matrix.T @ (expit(self.matrix @ x) - self.target)

    def hessian_vector(self, x: Floats, vector: Floats) -> Floats:
        return self.curvature_matrix(x) @ vector

    def curvature_matrix(self, x: Floats) -> Floats:
        p = expit(self.matrix @ x)
        return self.matrix.T @ ((p * (1.0 - p))[:, None] * self.matrix)

    def sample(self, rows: int) -> DenseLogistic:
        return self.restricted(np.unique(np.linspace(0, len(self) - 1, rows).astype(np.int64)))

    def restricted(self, rows: NDArray[np.int64]) -> DenseLogistic:
        return replace(self, matrix=self.matrix[rows], target=self.target[rows])
