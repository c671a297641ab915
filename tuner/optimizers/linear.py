"""Linear regression: the optimum of a quadratic loss from its normal equations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..constraints import BOUNDS, LASSO, MONOTONE, Constraints
from ..objectives import Quadratic
from .base import Minimum, Observe, State, accept, one_blas_thread, require
from .descent import Walk, descend
from .line_search import Point, finite_start

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LinearRegression:
    """One pass for the normal equations, and one or two to repair what rounding left.

    Stops when the gradient, in the metric of the curvature, is `tolerance` times its norm at the start.
    """

    tolerance: float = 1e-12
    max_passes: int = 20
    requires: ClassVar[type] = Quadratic
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
        require("linear", objective, Quadratic, "an objective that is quadratic in the weights")
        constraints = accept("linear", objective, self.handles)
        equations = objective.normal_equations()
        walk = Walk.restored(state) if state else Walk(_start(equations, constraints, start))
        return descend(
            objective, constraints, walk, _Fixed(equations[0]),
            tolerance=self.tolerance, max_passes=self.max_passes, observe=observe,
        )  # fmt: skip


def _start(equations: tuple[Floats, Floats, float], constraints: Constraints, start: Floats) -> Point:
    """Value and gradient at the start follow from the equations."""
    matrix, gradient, value = equations
    x = constraints.project(start)
    value += float(gradient @ x) + 0.5 * float(x @ matrix @ x)
    return finite_start(Point(x, value + constraints.penalty(x), gradient + matrix @ x))


class _Fixed:
    """The same curvature everywhere."""

    passes = 1.0

    def __init__(self, matrix: Floats) -> None:
        self._matrix = matrix

    def matrix(self, point: Point) -> Floats:
        return self._matrix

    def learn(self, before: Point, after: Point) -> None:
        pass

    def state(self) -> State:
        return {}
