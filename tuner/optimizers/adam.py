"""Adam (Kingma and Ba): steps of about the rate, in the direction recent gradients agree on."""

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
class Adam:
    """Steps of `rate` centipawns, less where gradients disagree; what most engine tuners use.

    texel-tuner and Weiss have constant rates of 1 and 0.1, whole epochs as batches, and no
    `bias_correction`. `schedule` is one of constant, cosine, straight, steps (times `drop` ten times)
    and inverse.
    """

    rate: float = 2.0
    momentum: float = 0.9
    memory: float = 0.999
    epsilon: float = 1e-12
    bias_correction: bool = True
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
        require("adam", objective, Sampled, "an objective over rows with gradients and curvature")
        constraints = accept("adam", objective, self.handles)
        course = Course("adam", self.epochs, self.batch, self.rate, self.schedule, self.drop)
        rule = AdamRule(self.momentum, self.memory, self.epsilon, self.bias_correction, objective.size)
        return stochastic_descent(
            objective, constraints, start, course, rule, rng=rng, observe=observe, state=state
        )


class AdamRule:
    """Remembers means of the gradient and of its square, and how many it has seen."""

    def __init__(self, momentum: float, memory: float, epsilon: float, correct: bool, size: int) -> None:
        self._momentum, self._memory, self._epsilon, self._correct = momentum, memory, epsilon, correct
        self.arrays: dict[str, Any] = {"mean": np.zeros(size), "square": np.zeros(size), "count": 0}

    def step(self, x: Floats, batch: Any, rate: float) -> Floats:
        gradient: Floats = batch.value_gradient(x)[1]
        count = int(self.arrays["count"]) + 1
        mean = self._momentum * self.arrays["mean"] + (1.0 - self._momentum) * gradient
        square = self._memory * self.arrays["square"] + (1.0 - self._memory) * gradient * gradient
        self.arrays = {"mean": mean, "square": square, "count": count}
        if self._correct:
            mean = mean / (1.0 - self._momentum**count)
            square = square / (1.0 - self._memory**count)
        out: Floats = -rate * mean / (np.sqrt(square) + self._epsilon)
        return out
