"""The default solver: to the true optimum in few passes over the data.

First the optimum of a sample of rows, by Gauss-Newton. Then L-BFGS on all rows, in variables whitened by
the Cholesky factor of the curvature at the sample's optimum: there the problem is nearly round, so that
half the squared norm of the gradient also estimates the distance of the value from the optimum.
Measured reasons for this choice are in ARCHITECTURE.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from ..constraints import BOUNDS, LASSO, MONOTONE, constraints_of
from ..objectives import Sampled
from .base import Minimum, Observe, State, Step, accept, one_blas_thread, require
from .constrained import constrained_minimum
from .descent import OPTIMUM, ROUNDING, factored
from .endings import no_step
from .line_search import Point, backtrack, evaluator, finite_start

Floats = NDArray[np.float64]

SAMPLE_STEPS, SAMPLE_GAP = 20, 1e-5
"""Steps on the sample, which end early where the rest is below this share of its loss."""


@dataclass(frozen=True)
class Preconditioned:
    """Gauss-Newton on `sample_rows` rows, then whitened L-BFGS with `corrections` on all rows.

    Stops when the whitened gradient is `tolerance` times its norm at the start, or after `max_passes`.
    """

    sample_rows: int = 50_000
    corrections: int = 30
    tolerance: float = 1e-7
    max_passes: int = 500
    requires: ClassVar[type] = Sampled
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
        """See `Optimizer`. `rng` is not used: sample rows are evenly spaced."""
        require("texel", objective, Sampled, "an objective over rows with gradients and curvature")
        if constraints := accept("texel", objective, self.handles):
            return constrained_minimum(
                objective, constraints, start, state, observe,
                sample_rows=self.sample_rows, tolerance=self.tolerance, max_passes=self.max_passes,
            )  # fmt: skip
        if state is None:
            anchor, spent, metric = self._sample_optimum(objective, start)
            walk = _Walk(Point(anchor, np.inf, anchor), spent)
        else:
            anchor = np.asarray(state["anchor"])
            sample = objective.sample(min(self.sample_rows, len(objective)))
            metric = Metric(sample.curvature_matrix(anchor))
            walk = _Walk.restored(state)
        return self._descend(objective, start, anchor, metric, walk, observe)

    def _sample_optimum(self, objective: Any, start: Floats) -> tuple[Floats, float, Metric]:
        """Optimum of the sample, the passes it took, and the metric there."""
        sample = objective.sample(min(self.sample_rows, len(objective)))
        share = len(sample) / len(objective)
        evaluate = evaluator(sample, constraints_of(sample, sample.size))
        point, passes = finite_start(evaluate(start)), 0.0
        for _ in range(SAMPLE_STEPS):
            metric = Metric(sample.curvature_matrix(point.x))
            whitened = metric.whiten(point.gradient)
            fall = float(whitened @ whitened)
            if 0.5 * fall <= SAMPLE_GAP * point.value:
                break
            trial, tries, _ = backtrack(evaluate, point, -metric.unwhiten(whitened), -fall)
            passes += (tries + 1) * share
            if trial is None:
                break
            point = trial
        else:
            metric = Metric(sample.curvature_matrix(point.x))
        return point.x, passes, metric

    def _descend(
        self, objective: Any, start: Floats, anchor: Floats, metric: Metric, walk: _Walk, observe: Observe
    ) -> Minimum:
        evaluate = evaluator(objective, constraints_of(objective, objective.size))
        if walk.reference < 0.0:
            first = metric.whiten(finite_start(evaluate(start)).gradient)
            walk.begin(float(np.linalg.norm(first)), evaluate(walk.point.x))
        message, converged = f"stopped after {self.max_passes} passes", False
        while True:
            point, whitened = walk.point, metric.whiten(walk.point.gradient)
            norm = float(np.linalg.norm(whitened))
            relative = norm / walk.reference if walk.reference else 0.0
            observe(Step(walk.steps, walk.passes, point.value, relative, point.x, walk.state(anchor)))
            if relative <= self.tolerance or 0.5 * norm**2 <= ROUNDING * abs(point.value):
                message, converged = OPTIMUM, True
            if converged or walk.passes >= self.max_passes:
                break
            direction = metric.unwhiten(walk.direction(whitened))
            trial, tries, broken = backtrack(evaluate, point, direction, float(point.gradient @ direction))
            walk.passes += tries
            if trial is None:
                converged = relative <= 1e3 * self.tolerance and not broken
                message = no_step(walk.steps, 0.5 * norm**2, near=converged, broken=broken)
                break
            walk.advance(trial, metric, self.corrections)
        return Minimum(
            point.x, point.value, walk.steps, walk.passes, converged, relative, 0.5 * norm**2, message
        )


class Metric:
    """The Cholesky factor L of a curvature matrix: gradients become L⁻¹g, steps L⁻ᵀs."""

    def __init__(self, matrix: Floats) -> None:
        self.factor = factored(matrix)[1]

    def whiten(self, gradient: Floats) -> Floats:
        return solve_triangular(self.factor, gradient, lower=True, check_finite=False)

    def unwhiten(self, step: Floats) -> Floats:
        return solve_triangular(self.factor, step, lower=True, trans="T", check_finite=False)

    def whiten_step(self, step: Floats) -> Floats:
        """A difference of x in whitened variables: Lᵀs."""
        return self.factor.T @ step


class _Walk:
    """The state of L-BFGS in whitened variables; `reference` is the norm of the gradient at the start."""

    def __init__(self, point: Point, passes: float) -> None:
        self.point, self.passes, self.steps, self.reference = point, passes, 0, -1.0
        self.moves: list[Floats] = []
        self.bends: list[Floats] = []

    def begin(self, reference: float, point: Point) -> None:
        self.reference, self.point = reference, point
        self.passes += 2

    def direction(self, gradient: Floats) -> Floats:
        """The quasi-Newton direction for a whitened gradient (two-loop recursion)."""
        out = -gradient
        shares = []
        for move, bend in zip(reversed(self.moves), reversed(self.bends), strict=True):
            share = float(move @ out) / float(move @ bend)
            shares.append(share)
            out = out - share * bend
        if self.moves:
            out = out * (float(self.moves[-1] @ self.bends[-1]) / float(self.bends[-1] @ self.bends[-1]))
        for move, bend, share in zip(self.moves, self.bends, reversed(shares), strict=True):
            out = out + move * (share - float(bend @ out) / float(move @ bend))
        return out

    def advance(self, trial: Point, metric: Metric, corrections: int) -> None:
        move = metric.whiten_step(trial.x - self.point.x)
        bend = metric.whiten(trial.gradient - self.point.gradient)
        if float(move @ bend) > 1e-10 * float(bend @ bend):
            self.moves = [*self.moves, move][-corrections:]
            self.bends = [*self.bends, bend][-corrections:]
        self.point = trial
        self.steps += 1

    def state(self, anchor: Floats) -> State:
        return {
            "anchor": anchor,
            "x": self.point.x, "value": self.point.value, "gradient": self.point.gradient,
            "reference": self.reference, "passes": self.passes, "steps": self.steps,
            "moves": np.array(self.moves).reshape(-1, len(anchor)),
            "bends": np.array(self.bends).reshape(-1, len(anchor)),
        }  # fmt: skip

    @classmethod
    def restored(cls, state: State) -> _Walk:
        point = Point(np.asarray(state["x"]), float(state["value"]), np.asarray(state["gradient"]))
        walk = cls(point, float(state["passes"]))
        walk.reference, walk.steps = float(state["reference"]), int(state["steps"])
        walk.moves, walk.bends = list(np.asarray(state["moves"])), list(np.asarray(state["bends"]))
        return walk
