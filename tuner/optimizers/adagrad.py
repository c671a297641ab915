"""AdaGrad as Grant's Ethereal uses it: steps shrink with the gradients a weight has seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..constraints import BOUNDS, MONOTONE
from ..objectives import Sampled
from .base import Minimum, Observe, State, accept, one_blas_thread, require
from .stochastic import Course, stochastic_descent

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class AdaGrad:
    """`w −= rate·g/√(epsilon + Σ g²)`, with g the derivative of the loss per centipawn.

    `epsilon` under the root is Ethereal's 1e-8. Gradients per centipawn are of the order of 1e-5, so it
    holds the first steps back; smaller values let them go. `schedule` is one of constant, cosine,
    straight, steps (times `drop` ten times) and inverse.
    """

    rate: float = 10.0
    epsilon: float = 1e-8
    epochs: int = 60
    batch: int = 16_384
    schedule: str = "constant"
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
        require("adagrad", objective, Sampled, "an objective over rows with gradients and curvature")
        constraints = accept("adagrad", objective, self.handles)
        course = Course("adagrad", self.epochs, self.batch, self.rate, self.schedule, self.drop)
        rule = AdaGradRule(self.epsilon, objective.size)
        return stochastic_descent(
            objective, constraints, start, course, rule, rng=rng, observe=observe, state=state
        )


class AdaGradRule:
    """Remembers the sum of squared gradients of each weight."""

    def __init__(self, epsilon: float, size: int) -> None:
        self._epsilon = epsilon
        self.arrays: dict[str, Any] = {"seen": np.zeros(size)}

    def step(self, x: Floats, batch: Any, rate: float) -> Floats:
        gradient: Floats = batch.value_gradient(x)[1]
        self.arrays["seen"] = self.arrays["seen"] + gradient * gradient
        move: Floats = -rate * gradient / np.sqrt(self._epsilon + self.arrays["seen"])
        return move
