"""The default solver under constraints: quasi-Newton steps in the curvature of a sample of rows.

The model's matrix starts as the curvature of the sample at the sample's optimum and learns from every step
(BFGS). The kinks and bounds are met exactly by the quadratic step, so weights end at them, not near them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..constraints import Constraints
from .base import Minimum, Observe, State, silent
from .descent import Walk, begin, descend, newton_target
from .line_search import Point, evaluator, finite_start
from .newton import Curvature

Floats = NDArray[np.float64]

SAMPLE_TOLERANCE, SAMPLE_PASSES = 1e-2, 40


def constrained_minimum(
    objective: Any,
    constraints: Constraints,
    start: Floats,
    state: State | None,
    observe: Observe,
    *,
    sample_rows: int,
    tolerance: float,
    max_passes: float,
) -> Minimum:
    """The optimum of a sample, then of all rows; from `start`, or from the `state` of an earlier step."""
    sample = objective.sample(min(sample_rows, len(objective)))
    if state is None:
        model, walk = _first_model(objective, sample, constraints, start)
    else:
        model = Secants(sample, np.asarray(state["anchor"]), float(state["looked"]))
        for move, bend in zip(np.asarray(state["moves"]), np.asarray(state["bends"]), strict=True):
            model.add(move, bend)
        walk = Walk.restored(state)
    return descend(
        objective, constraints, walk, model, tolerance=tolerance, max_passes=max_passes, observe=observe
    )


def _first_model(
    objective: Any, sample: Any, constraints: Constraints, start: Floats
) -> tuple[Secants, Walk]:
    share = len(sample) / len(objective)
    first = finite_start(evaluator(objective, constraints)(constraints.project(start)))
    walk = Walk(finite_start(evaluator(sample, constraints)(first.x)))
    rough = descend(
        sample, constraints, walk, Curvature(sample, 0.0),
        tolerance=SAMPLE_TOLERANCE, max_passes=SAMPLE_PASSES, observe=silent,
    )  # fmt: skip
    model = Secants(sample, rough.x, share * rough.passes + 1.0)
    walk = begin(objective, constraints, rough.x, None)
    walk.reference = newton_target(model.current, first, constraints).decrease
    return model, walk


class Secants:
    """The curvature of a sample at `anchor`, corrected so that it explains every step taken since."""

    def __init__(self, sample: Any, anchor: Floats, passes: float) -> None:
        self.anchor, self.passes = anchor, passes
        self.current: Floats = sample.curvature_matrix(anchor)
        self.moves: list[Floats] = []
        self.bends: list[Floats] = []

    def matrix(self, point: Point) -> Floats:
        return self.current

    def learn(self, before: Point, after: Point) -> None:
        self.add(after.x - before.x, after.gradient - before.gradient)

    def add(self, move: Floats, bend: Floats) -> None:
        """The BFGS update; a step that found no positive curvature teaches nothing."""
        self.moves.append(move)
        self.bends.append(bend)
        pushed = self.current @ move
        explained, seen = float(move @ pushed), float(move @ bend)
        if seen > 1e-10 * explained > 0.0:
            self.current = self.current - np.outer(pushed, pushed) / explained + np.outer(bend, bend) / seen

    def state(self) -> State:
        shape = (-1, len(self.anchor))
        return {
            "anchor": self.anchor, "looked": self.passes,
            "moves": np.array(self.moves).reshape(shape), "bends": np.array(self.bends).reshape(shape),
        }  # fmt: skip
