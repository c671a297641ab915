"""How good an end is, in the same units for every method: the fall of a quadratic model from there."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..constraints import Constraints
from ..objectives import Differentiable, Sampled
from .base import Minimum
from .descent import newton_target, relative_to
from .line_search import evaluator

Floats = NDArray[np.float64]

SAMPLE_ROWS = 50_000
SMALL_GAP = 1e-8
"""A share of the value; an end closer to the optimum than that counts as converged."""


class Certificate(NamedTuple):
    """`gap` estimates how far the value is above the optimum; NaN where there is no gradient to tell."""

    relative_gradient: float
    gap: float
    passes: float


def certify(objective: Any, constraints: Constraints, start: Floats, x: Floats) -> Certificate:
    """Looks at the gradient at the start and at the end in the curvature of a sample of rows."""
    if not isinstance(objective, Differentiable):
        return Certificate(np.nan, np.nan, 0.0)
    some = objective.sample(SAMPLE_ROWS) if isinstance(objective, Sampled) else objective
    matrix = some.curvature_matrix(x)
    evaluate = evaluator(objective, constraints)
    first, last = (
        newton_target(matrix, evaluate(at), constraints).decrease for at in (constraints.project(start), x)
    )
    return Certificate(relative_to(last, first), last, 2.0)


def finish(
    objective: Any,
    constraints: Constraints,
    start: Floats,
    x: Floats,
    value: float,
    *,
    steps: int,
    passes: float,
    message: str,
) -> Minimum:
    """The end of a method that does not know by itself how far it is from the optimum.

    `message` says why it stopped; it is replaced where the end is as good as the optimum.
    """
    found = certify(objective, constraints, start, x)
    near = found.gap <= SMALL_GAP * abs(value)
    if near:
        message = "reached the optimum"
    elif np.isfinite(found.gap):
        message += f"; about {found.gap:.1e} above the optimum"
    return Minimum(x, value, steps, passes + found.passes, near, found.relative_gradient, found.gap, message)
