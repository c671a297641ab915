"""Library minimisers that cannot be stopped and continued, made so by replaying what they asked before.

Such a method is deterministic: fed the recorded answers, it comes to the place where it was without
touching the data, and goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..constraints import Constraints
from .base import Observe, State, Step

Floats = NDArray[np.float64]


class NotFinite(Exception):
    """The objective gave a value or gradient that is no finite number."""


class OutOfPasses(Exception):
    """The passes a method may spend are spent."""


class Recorder:
    """Answers questions about an objective, first from a record, and keeps the best answer so far."""

    def __init__(
        self, objective: Any, constraints: Constraints, state: State | None, max_passes: float
    ) -> None:
        self._objective, self._constraints, self._limit = objective, constraints, max_passes
        self.values: list[float] = [] if state is None else np.asarray(state["values"]).tolist()
        self.gradients: list[Floats] = [] if state is None else list(np.asarray(state["gradients"]))
        self._recorded = len(self.values)
        self.asked = 0
        self.best: Floats | None = None
        self.best_value, self.best_asked, self.last_gradient = np.inf, 0, np.empty(0)

    def value(self, x: Floats) -> float:
        """The whole objective at x. Raises NotFinite."""
        x = np.array(x, float)
        return self._answer(x, lambda: float(self._objective.value(x)))

    def value_gradient(self, x: Floats) -> tuple[float, Floats]:
        """The whole objective and the gradient of its smooth part. Raises NotFinite."""
        x = np.array(x, float)
        place = self.asked
        value = self._answer(x, lambda: self._with_gradient(x))
        self.last_gradient = self.gradients[place]
        return value, self.last_gradient

    def report(self, observe: Observe, number: int, x: Floats, value: float, relative: float) -> None:
        """Tells a step, unless it was told before the stop that is being replayed."""
        if self.asked >= self._recorded:
            state = Snapshot(self.values, self.gradients, self.asked)
            observe(Step(number, float(self.asked), value, relative, np.array(x, float), state))

    def _with_gradient(self, x: Floats) -> float:
        smooth, gradient = self._objective.value_gradient(x)
        if not np.isfinite(gradient).all():
            raise NotFinite
        self.gradients.append(gradient)
        return float(smooth + self._constraints.penalty(x))

    def _answer(self, x: Floats, ask: Callable[[], float]) -> float:
        if self.asked >= self._limit:
            raise OutOfPasses
        if self.asked < self._recorded:
            value = self.values[self.asked]
        else:
            value = ask()
            if not np.isfinite(value):
                raise NotFinite
            self.values.append(value)
        self.asked += 1
        if value < self.best_value:
            self.best, self.best_value, self.best_asked = x, value, self.asked
        return value


class Snapshot(Mapping[str, Any]):
    """The first `length` answers; made into arrays only when it is read, since few are."""

    def __init__(self, values: list[float], gradients: list[Floats], length: int) -> None:
        self._values, self._gradients, self._length = values, gradients, length

    def __getitem__(self, name: str) -> Any:
        if name == "values":
            return np.array(self._values[: self._length])
        if name == "gradients":
            kept = self._gradients[: self._length]
            return np.array(kept) if kept else np.empty((0, 0))
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(("values", "gradients"))

    def __len__(self) -> int:
        return 2
