"""A genetic algorithm: tournaments, uniform crossover, and mutations by whole steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..constraints import BOUNDS, LASSO, MONOTONE, Constraints
from ..objectives import Objective
from .base import Minimum, Observe, State, accept, one_blas_thread, require
from .generations import Population, breed
from .population import region

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Genetic:
    """`members` vectors of weights; the better of two random ones is a parent, the best survives.

    A child takes each weight from either parent with probability `crossover`, and moves a share
    `mutation` of its weights by normal steps of `step` centipawns of a mean weight.
    """

    generations: int = 100
    members: int = 30
    crossover: float = 0.75
    mutation: float = 0.05
    step: float = 8.0
    radius: float = 60.0
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
        require("genetic", objective, Objective, "an objective with values")
        constraints = accept("genetic", objective, self.handles)
        middle, lower, upper = region(objective, constraints, start, self.radius)
        units = (upper - lower) / (2.0 * self.radius)
        share = max(self.mutation, 1.0 / len(middle))

        def children(population: Population, constraints: Constraints) -> Floats:
            best = population.members[np.argmin(population.values)]
            rows = [best] + [self._child(population, units, share, rng) for _ in range(self.members - 1)]
            return np.array([constraints.project(np.clip(row, lower, upper)) for row in rows])

        first = middle + units * rng.normal(0.0, self.step, (self.members, len(middle)))
        first[0] = middle
        return breed(
            "genetic", objective, constraints, middle, np.clip(first, lower, upper), children,
            generations=self.generations, rng=rng, observe=observe, state=state,
        )  # fmt: skip

    def _child(self, population: Population, units: Floats, share: float, rng: np.random.Generator) -> Floats:
        mother, father = (
            population.members[pair[np.argmin(population.values[pair])]]
            for pair in rng.integers(0, len(population.members), (2, 2))
        )
        size = len(mother)
        mixed = rng.random() < self.crossover
        child = np.where(rng.random(size) < 0.5, mother, father) if mixed else mother.copy()
        moved = rng.random(size) < share
        out: Floats = child + moved * units * rng.normal(0.0, self.step, size)
        return out
