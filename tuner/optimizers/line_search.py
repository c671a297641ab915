"""A place with its value and gradient, and how far to go from there in a direction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError

from ..constraints import Constraints

Floats = NDArray[np.float64]

ENOUGH_DECREASE = 1e-4
SMALLEST_STEP = 1e-10
NO_START = "the loss of the starting weights is no finite number, so no step can be judged"
DROWNED = 1e-12
"""Differences of values below this share of the value are rounding."""


@dataclass(frozen=True, eq=False)
class Point:
    """`value` is the whole objective at x, `gradient` that of its smooth part."""

    x: Floats
    value: float
    gradient: Floats

    @property
    def finite(self) -> bool:
        return bool(np.isfinite(self.value) and np.isfinite(self.gradient).all())


Evaluate = Callable[[Floats], Point]


def evaluator(objective: Any, constraints: Constraints) -> Evaluate:
    """The objective as a function from x to a point."""

    def evaluate(x: Floats) -> Point:
        smooth, gradient = objective.value_gradient(x)
        return Point(x, smooth + constraints.penalty(x), gradient)

    return evaluate


def finite_start(point: Point) -> Point:
    """The same point. Raises InputError where the objective has no value at the start."""
    if not point.finite:
        raise InputError(NO_START)
    return point


def backtrack(
    evaluate: Evaluate, point: Point, direction: Floats, slope: float
) -> tuple[Point | None, int, bool]:
    """Shortens a step along `direction` by quadratic interpolation until the value falls enough.

    `slope` is the fall promised by a whole step, to first order. Returns the new point, None where no step
    helps, the number of evaluations, and whether even the shortest step met a value that is no number:
    such values count as too long a step.
    """
    if not slope < 0.0:
        return None, 0, False
    step, tries, broken = 1.0, 0, False
    while step > SMALLEST_STEP:
        trial = evaluate(point.x + step * direction)
        tries += 1
        if trial.finite and _good(point, trial, direction, step, slope):
            return trial, tries, False
        broken = not trial.finite
        bend = 2.0 * (trial.value - point.value - step * slope)
        best = -slope * step * step / bend if bend > 0 and np.isfinite(bend) else 0.0
        step = min(max(best, 0.1 * step), 0.5 * step)
    return None, tries, broken


def _good(point: Point, trial: Point, direction: Floats, step: float, slope: float) -> bool:
    if trial.value <= point.value + ENOUGH_DECREASE * step * slope:
        return True
    # near the optimum, differences of values drown in rounding: a falling slope is the better judge
    drowned = abs(trial.value - point.value) <= DROWNED * abs(point.value)
    left = slope + float((trial.gradient - point.gradient) @ direction)
    return drowned and abs(left) <= 0.9 * -slope
