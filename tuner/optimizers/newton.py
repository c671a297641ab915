"""Newton's method, for cross-entropy the same as iteratively reweighted least squares (IRLS)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..constraints import BOUNDS, LASSO, MONOTONE
from ..objectives import Differentiable
from .base import Minimum, Observe, State, accept, one_blas_thread, require
from .descent import begin, descend
from .line_search import Point

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Newton:
    """The curvature of all rows at every step: few steps, each as dear as the square of the weights.

    Where the loss is not convex the curvature is Gauss-Newton's. Stops when the gradient, in the metric
    of the curvature, is `tolerance` times its norm at the start, or after `max_passes`.
    """

    tolerance: float = 1e-7
    max_passes: int = 200
    requires: ClassVar[type] = Differentiable
    handles: ClassVar[tuple[str, ...]] = (BOUNDS, MONOTONE, LASSO)

    @one_blas_thread
    def minimize(
        self,
        objective: Any,
        start: Floats,
        *,
        rng: np.random.Generator,
        observe: Observe,
        state: State | None = None,
    ) -> Minimum:
        """See `Optimizer`. `rng` is not used."""
        require("newton", objective, Differentiable, "an objective with gradients and curvature")
        constraints = accept("newton", objective, self.handles)
        walk = begin(objective, constraints, start, state)
        model = Curvature(objective, float(state["looked"]) if state else 0.0)
        return descend(
            objective, constraints, walk, model,
            tolerance=self.tolerance, max_passes=self.max_passes, observe=observe,
        )  # fmt: skip


class Curvature:
    """The curvature where the descent stands. A matrix is a pass over the rows like a gradient."""

    def __init__(self, objective: Any, passes: float) -> None:
        self.objective, self.passes = objective, passes

    def matrix(self, point: Point) -> Floats:
        self.passes += 1.0
        matrix: Floats = self.objective.curvature_matrix(point.x)
        return matrix

    def learn(self, before: Point, after: Point) -> None:
        pass

    def state(self) -> State:
        return {"looked": self.passes - 1.0}  # the look at this point is repeated after a restart
