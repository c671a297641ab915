"""Online L-BFGS (Schraudolph, Yu and Günter 2007): quasi-Newton steps from gradients of batches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..constraints import BOUNDS, MONOTONE
from ..objectives import Sampled
from .base import Minimum, Observe, State, accept, one_blas_thread, require
from .scaling import steepness, unit_curvature
from .stochastic import Course, stochastic_descent

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class OnlineLbfgs:
    """Both gradients of a correction come from the same batch, so that noise does not look like curvature.

    `damping` adds that share of the steepest curvature to what the corrections saw. `schedule` is one of
    constant, cosine, straight, steps (times `drop` ten times) and inverse.
    """

    rate: float = 0.5
    corrections: int = 20
    damping: float = 0.1
    epochs: int = 60
    batch: int = 16_384
    schedule: str = "cosine"
    drop: float = 0.5
    requires: ClassVar[type] = Sampled
    handles: ClassVar[tuple[str, ...]] = (BOUNDS, MONOTONE)

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
        """See `Optimizer`."""
        require("online-lbfgs", objective, Sampled, "an objective over rows with gradients and curvature")
        constraints = accept("online-lbfgs", objective, self.handles)
        units = unit_curvature(objective, start)
        rule = _Corrections(units, steepness(objective, start, units), self.corrections, self.damping)
        course = Course("online-lbfgs", self.epochs, self.batch, self.rate, self.schedule, self.drop)
        return stochastic_descent(
            objective, constraints, start, course, rule, rng=rng, observe=observe, state=state
        )


class _Corrections:
    """The last moves and the changes of gradient they brought, in scaled columns."""

    def __init__(self, units: Floats, steepest: float, corrections: int, damping: float) -> None:
        self._units, self._steepest, self._kept, self._damping = units, steepest, corrections, damping
        self.arrays: dict[str, Any] = {"moves": np.zeros((0, len(units))), "bends": np.zeros((0, len(units)))}

    def step(self, x: Floats, batch: Any, rate: float) -> Floats:
        gradient = batch.value_gradient(x)[1] * self._units
        move = rate * self._direction(gradient)
        after = batch.value_gradient(x + move * self._units)[1] * self._units
        bend = after - gradient + self._damping * self._steepest * move
        if float(move @ bend) > 1e-10 * float(bend @ bend) / self._steepest:
            self.arrays = {
                name: np.vstack([self.arrays[name], new])[-self._kept :]
                for name, new in (("moves", move), ("bends", bend))
            }
        out: Floats = move * self._units
        return out

    def _direction(self, gradient: Floats) -> Floats:
        """The two-loop recursion; its first scale is the mean of those the corrections suggest."""
        moves, bends = self.arrays["moves"], self.arrays["bends"]
        if not len(moves):
            return -gradient / self._steepest
        along = np.einsum("ij,ij->i", moves, bends)
        out, shares = -gradient, []
        for move, bend, product in zip(moves[::-1], bends[::-1], along[::-1], strict=True):
            shares.append(float(move @ out) / product)
            out = out - shares[-1] * bend
        out = out * float((along / np.einsum("ij,ij->i", bends, bends)).mean())
        for move, bend, product, share in zip(moves, bends, along, reversed(shares), strict=True):
            out = out + move * (share - float(bend @ out) / product)
        return out
