"""The default solver: to the true optimum in few passes over the data.

First the optimum of a sample of rows, by Gauss-Newton. Then L-BFGS on all rows, in variables whitened by
the Cholesky factor of the curvature at the sample's optimum: there the problem is nearly round, so that
half the squared norm of the gradient also estimates the distance of the value from the optimum.
Measured reasons for this choice are in ARCHITECTURE.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky, solve_triangular
from threadpoolctl import threadpool_limits

from ..objectives import Sampled
from .base import Minimum, Observe, State, Step, require

Floats = NDArray[np.float64]

ENOUGH_DECREASE = 1e-4
SMALLEST_STEP = 1e-10
ROUNDING = 1e-20
"""A gap this small, as a share of the value, is far below what a double can show."""
JITTER = 1e-10
"""Share of the mean diagonal that is added to a curvature matrix, for directions without any curvature."""


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
        with threadpool_limits(1, "blas"):  # one thread: the same bits on every machine
            if state is None or "anchor" not in state:
                anchor, spent, metric = self._sample_optimum(objective, start, observe)
                walk = _Walk(anchor, spent)
            else:
                anchor = np.asarray(state["anchor"])
                sample = objective.sample(min(self.sample_rows, len(objective)))
                metric = Metric(sample.curvature_matrix(anchor))
                walk = _Walk.restored(state)
            return self._descend(objective, start, anchor, metric, walk, observe)

    def _sample_optimum(
        self, objective: Any, start: Floats, observe: Observe
    ) -> tuple[Floats, float, Metric]:
        """Optimum of the sample, the passes it took, and the metric there."""
        sample = objective.sample(min(self.sample_rows, len(objective)))
        share = len(sample) / len(objective)
        x, passes = start, 0.0
        value, gradient = sample.value_gradient(x)
        for _ in range(20):
            metric = Metric(sample.curvature_matrix(x))
            whitened = metric.whiten(gradient)
            gap = 0.5 * float(whitened @ whitened)
            if gap <= 1e-5 * value:
                break
            step, trial, tries = _line_search(sample, x, value, gradient, -metric.unwhiten(whitened))
            passes += (tries + 1) * share
            if step == 0.0 or trial is None:
                break
            x, value, gradient = trial
        return x, passes, metric

    def _descend(
        self, objective: Any, start: Floats, anchor: Floats, metric: Metric, walk: _Walk, observe: Observe
    ) -> Minimum:
        if walk.gradient is None:
            first = metric.whiten(objective.value_gradient(start)[1])
            walk.begin(float(np.linalg.norm(first)), *objective.value_gradient(walk.x))
        message = f"stopped after {self.max_passes} passes"
        converged = False
        while walk.passes < self.max_passes:
            whitened = metric.whiten(walk.gradient)
            relative = float(np.linalg.norm(whitened)) / walk.reference if walk.reference else 0.0
            observe(Step(walk.steps, walk.passes, walk.value, relative, walk.x, walk.state(anchor)))
            if relative <= self.tolerance or 0.5 * float(whitened @ whitened) <= ROUNDING * abs(walk.value):
                converged, message = True, "reached the optimum"
                break
            direction = metric.unwhiten(walk.direction(whitened))
            step, trial, tries = _line_search(objective, walk.x, walk.value, walk.gradient, direction)
            walk.passes += tries
            if trial is None or step == 0.0:
                converged = relative <= 1e3 * self.tolerance
                message = "no step lowers the value any further (rounding)"
                break
            walk.advance(trial, metric, self.corrections)
        whitened = metric.whiten(walk.gradient)
        norm = float(np.linalg.norm(whitened))
        relative = norm / walk.reference if walk.reference else 0.0
        gap = 0.5 * norm**2
        return Minimum(walk.x, walk.value, walk.steps, walk.passes, converged, relative, gap, message)


class Metric:
    """The Cholesky factor L of a curvature matrix: gradients become L⁻¹g, steps L⁻ᵀs."""

    def __init__(self, matrix: Floats) -> None:
        jitter = JITTER * np.trace(matrix) / max(len(matrix), 1)
        while True:
            try:
                shifted = matrix + jitter * np.eye(len(matrix))
                self.factor = cholesky(shifted, lower=True, check_finite=False)
                return
            except np.linalg.LinAlgError:
                jitter = max(10.0 * jitter, np.finfo(float).tiny)

    def whiten(self, gradient: Floats) -> Floats:
        return solve_triangular(self.factor, gradient, lower=True, check_finite=False)

    def unwhiten(self, step: Floats) -> Floats:
        return solve_triangular(self.factor, step, lower=True, trans="T", check_finite=False)

    def whiten_step(self, step: Floats) -> Floats:
        """A difference of x in whitened variables: Lᵀs."""
        return self.factor.T @ step


class _Walk:
    """The state of L-BFGS in whitened variables."""

    def __init__(self, x: Floats, passes: float) -> None:
        self.x, self.passes, self.steps = x, passes, 0
        self.value, self.reference = np.inf, 0.0
        self.gradient: Any = None
        self.moves: list[Floats] = []
        self.bends: list[Floats] = []

    def begin(self, reference: float, value: float, gradient: Floats) -> None:
        self.reference, self.value, self.gradient = reference, value, gradient
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

    def advance(self, trial: tuple[Floats, float, Floats], metric: Metric, corrections: int) -> None:
        x, value, gradient = trial
        move, bend = metric.whiten_step(x - self.x), metric.whiten(gradient - self.gradient)
        if float(move @ bend) > 1e-10 * float(bend @ bend):
            self.moves = [*self.moves, move][-corrections:]
            self.bends = [*self.bends, bend][-corrections:]
        self.x, self.value, self.gradient = x, value, gradient
        self.steps += 1

    def state(self, anchor: Floats) -> State:
        return {
            "anchor": anchor, "x": self.x, "value": self.value, "gradient": self.gradient,
            "reference": self.reference, "passes": self.passes, "steps": self.steps,
            "moves": np.array(self.moves).reshape(-1, len(anchor)),
            "bends": np.array(self.bends).reshape(-1, len(anchor)),
        }  # fmt: skip

    @classmethod
    def restored(cls, state: State) -> _Walk:
        walk = cls(np.asarray(state["x"]), float(state["passes"]))
        walk.value, walk.gradient = float(state["value"]), np.asarray(state["gradient"])
        walk.reference, walk.steps = float(state["reference"]), int(state["steps"])
        walk.moves, walk.bends = list(np.asarray(state["moves"])), list(np.asarray(state["bends"]))
        return walk


Trial = tuple[Floats, float, Floats]


def _line_search(
    objective: Any, x: Floats, value: float, gradient: Floats, direction: Floats
) -> tuple[float, Trial | None, int]:
    """Backtracks from step 1 by quadratic interpolation until the value falls enough.

    Returns the step, the new (x, value, gradient) and the number of evaluations; step 0 where none helps.
    """
    slope = float(gradient @ direction)
    if slope >= 0.0:
        return 0.0, None, 0
    step, tries = 1.0, 0
    evaluate: Callable[[Floats], tuple[float, Floats]] = objective.value_gradient
    while step > SMALLEST_STEP:
        moved = x + step * direction
        new_value, new_gradient = evaluate(moved)
        tries += 1
        if new_value <= value + ENOUGH_DECREASE * step * slope:
            return step, (moved, new_value, new_gradient), tries
        # near the optimum, differences of values drown in rounding: a falling slope is the better judge
        drowned = abs(new_value - value) <= 1e-12 * abs(value)
        if drowned and abs(float(new_gradient @ direction)) <= 0.9 * -slope:
            return step, (moved, new_value, new_gradient), tries
        bend = 2.0 * (new_value - value - step * slope)
        best = -slope * step * step / bend if bend > 0 and np.isfinite(bend) else 0.0
        step = min(max(best, 0.1 * step), 0.5 * step)
    return 0.0, None, tries
