"""Gradient methods of scipy under our contract: scaled columns, resumable, certified."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError

from ..constraints import Constraints
from .base import Minimum, Observe, State
from .certificate import finish
from .endings import not_finite
from .line_search import NO_START
from .replay import NotFinite, OutOfPasses, Recorder
from .scaling import natural_units

Floats = NDArray[np.float64]


def scipy_descent(
    method: str,
    objective: Any,
    constraints: Constraints,
    start: Floats,
    state: State | None,
    observe: Observe,
    *,
    tolerance: float,
    max_passes: float,
    **options: Any,
) -> Minimum:
    """`scipy.optimize.minimize` in natural units, until the gradient is `tolerance` times its first norm."""
    from scipy import optimize

    start = constraints.project(start)
    units = natural_units(objective, start)
    recorder = Recorder(objective, constraints, state, max_passes)
    course = _Course(recorder, constraints, units, tolerance, observe)
    bounds = [*zip(constraints.lower / units, constraints.upper / units, strict=True)]
    minimize: Any = optimize.minimize  # its types cannot say that bounds may be None
    try:
        minimize(
            course.ask, start / units, jac=True, method=method, callback=course.told,
            bounds=bounds if constraints.bounded else None, options=options,
        )  # fmt: skip
    except NotFinite:
        course.message = not_finite(f"step {course.steps + 1}")
    except OutOfPasses:
        course.message = f"stopped after {max_passes:g} passes"
    if recorder.best is None:
        raise InputError(NO_START)
    return finish(
        objective, constraints, start, recorder.best, recorder.best_value,
        steps=course.steps, passes=recorder.asked,
        message=course.message or f"stalled: no length of step {course.steps + 1} lowers the value",
    )  # fmt: skip


class _Course:
    """The questions and reports of one descent."""

    def __init__(
        self, recorder: Recorder, constraints: Constraints, units: Floats, tolerance: float, observe: Observe
    ) -> None:
        self.recorder, self.constraints, self.units = recorder, constraints, units
        self.tolerance, self.observe = tolerance, observe
        self.steps, self.reference = 0, -1.0
        self.message = ""

    def ask(self, u: Floats) -> tuple[float, Floats]:
        value, gradient = self.recorder.value_gradient(u * self.units)
        scaled = gradient * self.units
        if self.reference < 0.0:
            self.reference = self._norm(u, scaled)
            self.recorder.report(self.observe, 0, u * self.units, value, 1.0)
        return value, scaled

    def told(self, intermediate_result: Any) -> None:
        """A step has been taken; scipy evaluates at the accepted point last."""
        self.steps += 1
        u = intermediate_result.x
        relative = self._norm(u, self.recorder.last_gradient * self.units) / (self.reference or 1.0)
        value = float(intermediate_result.fun)
        self.recorder.report(self.observe, self.steps, u * self.units, value, relative)
        if relative <= self.tolerance:
            self.message = f"the scaled gradient is {self.tolerance:g} times that at the start"
            raise StopIteration

    def _norm(self, u: Floats, gradient: Floats) -> float:
        """Norm of the gradient, of what bounds leave of it."""
        lower, upper = self.constraints.lower / self.units, self.constraints.upper / self.units
        return float(np.linalg.norm(u - np.clip(u - gradient, lower, upper)))
