"""Descent by quadratic models: what Newton's method, Gauss-Newton and the constrained default solver share.

Each step goes to the minimum of a model of the objective under its constraints; how far the model still
falls estimates the distance of the value from the optimum, and ends the descent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_solve, cholesky

from evalcore.errors import InputError

from ..constraints import Constraints
from .base import Minimum, Observe, State, Step
from .composite import Target, model_minimum
from .endings import no_step
from .line_search import Point, backtrack, evaluator, finite_start

Floats = NDArray[np.float64]

JITTER = 1e-10
"""Share of the diagonal that is added to a curvature matrix, for directions without any curvature."""
ROUNDING = 1e-20
"""A gap this small, as a share of the value, is far below what a double can show."""
OPTIMUM = "reached the optimum"


class Model(Protocol):
    """Where a descent gets its curvature from; `passes` counts what that cost so far."""

    passes: float

    def matrix(self, point: Point) -> Floats: ...

    def learn(self, before: Point, after: Point) -> None: ...

    def state(self) -> State: ...


@dataclass
class Walk:
    """Where a descent is; `reference` is the fall of the model at the start, which makes others relative."""

    point: Point
    steps: int = 0
    passes: float = 1.0
    reference: float = -1.0

    def state(self) -> dict[str, Any]:
        return {
            "x": self.point.x, "value": self.point.value, "gradient": self.point.gradient,
            "steps": self.steps, "passes": self.passes, "reference": self.reference,
        }  # fmt: skip

    @classmethod
    def restored(cls, state: State) -> Walk:
        point = Point(np.asarray(state["x"]), float(state["value"]), np.asarray(state["gradient"]))
        return cls(point, int(state["steps"]), float(state["passes"]), float(state["reference"]))


def begin(objective: Any, constraints: Constraints, start: Floats, state: State | None) -> Walk:
    """At the allowed point nearest to `start`, or where the state left off."""
    if state is not None:
        return Walk.restored(state)
    return Walk(finite_start(evaluator(objective, constraints)(constraints.project(start))))


def descend(
    objective: Any,
    constraints: Constraints,
    walk: Walk,
    model: Model,
    *,
    tolerance: float,
    max_passes: float,
    observe: Observe,
) -> Minimum:
    """Steps to the model's minimum, each shortened until the value falls, until nothing is left to gain."""
    evaluate = evaluator(objective, constraints)
    message, converged = f"stopped after {max_passes:g} passes", False
    while True:
        point = walk.point
        target = newton_target(model.matrix(point), point, constraints)
        walk.reference = target.decrease if walk.reference < 0.0 else walk.reference
        relative = relative_to(target.decrease, walk.reference)
        spent = walk.passes + model.passes
        observe(Step(walk.steps, spent, point.value, relative, point.x, {**walk.state(), **model.state()}))
        if relative <= tolerance or target.decrease <= ROUNDING * abs(point.value):
            message, converged = OPTIMUM, True
        if converged or spent >= max_passes:
            break
        direction = target.x - point.x
        slope = float(point.gradient @ direction)
        slope += constraints.penalty(target.x) - constraints.penalty(point.x)
        after, tries, broken = backtrack(evaluate, point, direction, slope)
        walk.passes += tries
        if after is None:
            converged = relative <= 1e3 * tolerance and not broken
            message = no_step(walk.steps, target.decrease, near=converged, broken=broken)
            break
        model.learn(point, after)
        walk.point, walk.steps = after, walk.steps + 1
    spent = walk.passes + model.passes
    return Minimum(
        walk.point.x, walk.point.value, walk.steps, spent, converged, relative, target.decrease, message
    )


def newton_target(matrix: Floats, point: Point, constraints: Constraints) -> Target:
    """The minimum of a quadratic model with this curvature, made positive definite where it is not quite."""
    shifted, factor = factored(matrix)
    if constraints:
        return model_minimum(shifted, point.gradient, point.x, constraints)
    step = -cho_solve((factor, True), point.gradient, check_finite=False)
    return Target(point.x + step, -0.5 * float(point.gradient @ step))


def factored(matrix: Floats) -> tuple[Floats, Floats]:
    """A matrix made positive definite, and its lower Cholesky factor.

    What is added is a share of each diagonal entry, so that scaling a column changes nothing. Raises
    InputError where the curvature is no number.
    """
    if not np.isfinite(matrix).all():
        raise InputError("the curvature of the loss is no finite number, so no step can be chosen")
    diagonal = np.abs(np.diag(matrix))
    mean = float(diagonal.mean()) if len(diagonal) else 0.0
    diagonal[diagonal == 0.0] = mean or 1.0
    jitter = JITTER
    while True:
        shifted = matrix + np.diag(jitter * diagonal)
        try:
            return shifted, cholesky(shifted, lower=True, check_finite=False)
        except LinAlgError:
            jitter *= 10.0


def relative_to(decrease: float, reference: float) -> float:
    """A fall of the model as the norm of a gradient, relative to that at the start."""
    return float(np.sqrt(decrease / reference)) if reference > 0.0 else 0.0
