"""Differential evolution (Storn and Price 1997), scipy's code."""

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


SMALLEST = 20
"""A population of fewer members soon consists of copies of one."""


@dataclass(frozen=True)
class DifferentialEvolution:
    """Differences between members of a population move others; within `radius` centipawns of the start.

    `members` is the size of the population for each weight, at least 20 in all; `mutation` and
    `crossover` are F and CR.
    """

    radius: float = 60.0
    members: int = 2
    mutation: float = 0.6
    crossover: float = 0.9
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
        from scipy.optimize import Bounds, differential_evolution

        require("evolution", objective, Objective, "an objective with values")
        constraints = accept("evolution", objective, self.handles)
        middle, lower, upper = region(objective, constraints, start, self.radius)
        search = Search(objective, constraints, middle, state, observe, self.max_passes, name="evolution")

        def evolve() -> Any:
            return differential_evolution(
                search.value, Bounds(lower, upper), x0=middle, rng=rng, polish=False,
                popsize=max(self.members, -(-SMALLEST // len(middle))),
                mutation=self.mutation, recombination=self.crossover,
                callback=lambda intermediate_result: search.told(), maxiter=self.max_passes, tol=0.0,
            )  # fmt: skip

        return search.run(evolve, "the population has become one")
