"""Stochastic gradient descent with Nesterov's momentum, in columns scaled by their curvature."""

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
class Sgd:
    """Steps of `rate` against the gradient of a batch; 1 is the largest rate that is safe without noise.

    `momentum` keeps that share of the last step. `schedule` is one of constant, cosine, straight, steps
    (times `drop` ten times) and inverse.
    """

    rate: float = 0.5
    momentum: float = 0.9
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
        require("sgd", objective, Sampled, "an objective over rows with gradients and curvature")
        constraints = accept("sgd", objective, self.handles)
        units = unit_curvature(objective, start)
        rule = _Momentum(units, self.momentum, steepness(objective, start, units))
        course = Course("sgd", self.epochs, self.batch, self.rate, self.schedule, self.drop)
        return stochastic_descent(
            objective, constraints, start, course, rule, rng=rng, observe=observe, state=state
        )


class _Momentum:
    """Nesterov's: the gradient is taken where the momentum is about to lead."""

    def __init__(self, units: Floats, momentum: float, steepest: float) -> None:
        self._metric, self._momentum = units * units / steepest, momentum
        self.arrays: dict[str, Any] = {"velocity": np.zeros(len(units))}

    def step(self, x: Floats, batch: Any, rate: float) -> Floats:
        coasted = self._momentum * self.arrays["velocity"]
        gradient = batch.value_gradient(x + coasted)[1]
        self.arrays["velocity"] = coasted - rate * self._metric * gradient
        velocity: Floats = self.arrays["velocity"]
        return velocity
