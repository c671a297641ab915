"""Simulated annealing, generalised (Xiang and others 1997), scipy's code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..constraints import BOUNDS, LASSO, MONOTONE
from ..objectives import Objective
from .base import Minimum, Observe, State, accept, one_blas_thread, require
from .population import Search, region

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Annealing:
    """Random steps that may lose as long as it is hot, within `radius` centipawns of the start.

    `temperature`, `visit` and `accept` are those of the distributions of steps and of acceptance.
    """

    radius: float = 60.0
    temperature: float = 5230.0
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
                search.value, list(zip(lower, upper, strict=True)), x0=middle, rng=rng,
                no_local_search=True, initial_temp=self.temperature, visit=self.visit, accept=self.accept,
                callback=search.told, maxiter=self.max_passes, maxfun=10 * self.max_passes,
            )  # fmt: skip

        return search.run(anneal, "the temperature is at its end")
