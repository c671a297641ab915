"""Simulated annealing, generalised (Xiang and others 1997), scipy's code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..constraints import BOUNDS, LASSO, MONOTONE
from ..objectives import Objective
from .base import Minimum, Observe, State, accept, one_blas_thread, require
from .population import Search, region

Floats = NDArray[np.float64]

DEGREE = 1e-5
"""Share of the start's value: what a temperature of 1 is about to accept."""


@dataclass(frozen=True)
class Annealing:
    """Random steps that may lose as long as it is hot, within `radius` centipawns of the start.

    `temperature`, `visit` and `accept` are those of the distributions of steps and of acceptance. A
    temperature is in units of 1e-5 of the start's value, by which neighbouring weights differ.
    """

    radius: float = 60.0
    temperature: float = 200.0
    visit: float = 2.62
    accept: float = -5.0
    max_passes: int = 3000
    requires: ClassVar[type] = Objective
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
        """See `Optimizer`."""
        from scipy.optimize import dual_annealing

        require("annealing", objective, Objective, "an objective with values")
        constraints = accept("annealing", objective, self.handles)
        middle, lower, upper = region(objective, constraints, start, self.radius)
        search = Search(
            objective, constraints, middle, state, observe, self.max_passes, name="annealing", patient=True
        )

        def anneal() -> Any:
            return dual_annealing(
                _in_degrees(search.value, middle), list(zip(lower, upper, strict=True)), x0=middle, rng=rng,
                no_local_search=True, initial_temp=self.temperature, visit=self.visit, accept=self.accept,
                callback=search.told, maxiter=self.max_passes, maxfun=10 * self.max_passes,
            )  # fmt: skip

        return search.run(anneal, "the temperature is at its end")


def _in_degrees(value: Callable[[Floats], float], start: Floats) -> Callable[[Floats], float]:
    """What `value` rises above that of the start, in `DEGREE`s of that."""
    first = value(start)
    unit = DEGREE * abs(first) or 1.0
    return lambda x: (value(x) - first) / unit
