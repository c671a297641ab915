"""Gauss-Newton with damping: Levenberg's and Marquardt's method, with Nielsen's rule for the damping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..constraints import BOUNDS, LASSO, MONOTONE, Constraints
from ..objectives import Differentiable
from .base import Minimum, Observe, State, Step, accept, one_blas_thread, require
from .composite import Target
from .descent import OPTIMUM, ROUNDING, Walk, begin, newton_target, relative_to
from .endings import no_step
from .line_search import DROWNED, Point, evaluator

Floats = NDArray[np.float64]

LARGEST_DAMPING = 1e12


@dataclass(frozen=True)
class GaussNewton:
    """Newton's step shortened by damping until the model can be trusted; for losses that are not convex.

    `damping` is the first one, in units of the curvature's diagonal. Stops when the gradient, in the
    metric of the curvature, is `tolerance` times its norm at the start, or after `max_passes`.
    """

    damping: float = 1e-3
    tolerance: float = 1e-7
    max_passes: int = 300
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
        require("gauss-newton", objective, Differentiable, "an objective with gradients and curvature")
        constraints = accept("gauss-newton", objective, self.handles)
        walk = begin(objective, constraints, start, state)
        damping = (self.damping, 2.0) if state is None else (float(state["damping"]), float(state["growth"]))
        return self._descend(objective, constraints, walk, _Damping(*damping), observe)

    def _descend(
        self, objective: Any, constraints: Constraints, walk: Walk, damping: _Damping, observe: Observe
    ) -> Minimum:
        evaluate = evaluator(objective, constraints)
        message, converged = f"stopped after {self.max_passes} passes", False
        while True:
            point, matrix = walk.point, objective.curvature_matrix(walk.point.x)
            undamped = newton_target(matrix, point, constraints)
            walk.reference = undamped.decrease if walk.reference < 0.0 else walk.reference
            relative = relative_to(undamped.decrease, walk.reference)
            observe(
                Step(
                    walk.steps,
                    walk.passes,
                    point.value,
                    relative,
                    point.x,
                    {**walk.state(), **damping.state()},
                )
            )
            if relative <= self.tolerance or undamped.decrease <= ROUNDING * abs(point.value):
                message, converged = OPTIMUM, True
            if converged or walk.passes >= self.max_passes:
                break
            walk.passes += 1.0
            after, trial = None, point
            while after is None and damping.value <= LARGEST_DAMPING:
                target = newton_target(matrix + damping.value * np.diag(np.diag(matrix)), point, constraints)
                trial = evaluate(target.x)
                walk.passes += 1.0
                after = trial if damping.judge(point.value, trial, target) else None
            if after is None:
                broken = not trial.finite
                converged = relative <= 1e3 * self.tolerance and not broken
                message = no_step(walk.steps, undamped.decrease, near=converged, broken=broken)
                break
            walk.point, walk.steps = after, walk.steps + 1
        gap = undamped.decrease
        return Minimum(
            walk.point.x, walk.point.value, walk.steps, walk.passes, converged, relative, gap, message
        )


@dataclass
class _Damping:
    """`growth` doubles with every refused step in a row (Nielsen 1999)."""

    value: float
    growth: float

    def judge(self, before: float, trial: Point, target: Target) -> bool:
        """Whether a step is taken: it must gain some of what the model promised."""
        after = trial.value if trial.finite else np.inf
        gain = (before - after) / target.decrease if target.decrease > 0.0 else 0.0
        if gain > 1e-4 or abs(after - before) <= DROWNED * abs(before):
            self.value *= max(1.0 / 3.0, 1.0 - (2.0 * min(gain, 1.0) - 1.0) ** 3)
            self.growth = 2.0
            return True
        self.value *= self.growth
        self.growth *= 2.0
        return False

    def state(self) -> State:
        return {"damping": self.value, "growth": self.growth}
