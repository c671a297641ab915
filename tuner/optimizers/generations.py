"""Generations of weights of our own breeding: what the genetic algorithm and PBIL share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError

from ..constraints import Constraints
from .base import Minimum, Observe, State, Step
from .certificate import finish
from .endings import Patience, not_finite
from .line_search import NO_START
from .randomness import reread, written

Floats = NDArray[np.float64]


@dataclass
class Population:
    """`members` (number, size) with their `values`; `memory` is what a method keeps between generations."""

    members: Floats
    values: Floats
    best: Floats
    best_value: float
    number: int = 0
    passes: float = 0.0
    best_number: int = 0
    first_value: float = np.inf
    memory: dict[str, Any] = field(default_factory=dict)

    def state(self, rng: np.random.Generator) -> State:
        memory = {f"memory.{name}": np.copy(value) for name, value in self.memory.items()}
        plain = {name: value for name, value in vars(self).items() if name != "memory"}
        return {**plain, **memory, "rng": written(rng)}

    @classmethod
    def restored(cls, state: State, rng: np.random.Generator) -> Population:
        reread(rng, state["rng"])
        memory = {name[7:]: np.array(state[name]) for name in state if name.startswith("memory.")}
        return cls(
            np.array(state["members"]), np.array(state["values"]), np.array(state["best"]),
            float(state["best_value"]), int(state["number"]), float(state["passes"]),
            int(state["best_number"]), float(state["first_value"]), memory,
        )  # fmt: skip


Breeder = Callable[[Population, Constraints], Floats]


def breed(
    name: str,
    objective: Any,
    constraints: Constraints,
    start: Floats,
    first: Floats,
    children: Breeder,
    *,
    generations: int,
    rng: np.random.Generator,
    observe: Observe,
    state: State | None,
    memory: dict[str, Any] | None = None,
) -> Minimum:
    """Evaluates `first` (members, size), the start the first of them, then the children of each generation.

    The best ever wins. Ends early where nothing gets better, or where a value is no number.
    """
    message = f"stopped after {generations} generations"
    patience = Patience("generation", generations)
    if state is None:
        population = Population(first, np.empty(0), start, np.inf, memory=memory or {})
        alive = _evaluate(population, objective, first)
        if not np.isfinite(population.values[0]):
            raise InputError(NO_START)
        population.first_value = float(population.values[0])
        if not alive:
            message, generations = not_finite(f"generation 0 of method {name}"), 0
    else:
        population = Population.restored(state, rng)
    while True:
        observe(
            Step(
                population.number, population.passes, population.best_value, np.nan, population.best,
                population.state(rng),
            )
        )  # fmt: skip
        if population.number >= generations:
            break
        if patience.ended(population.best_number, population.number):
            never = population.best_value >= population.first_value
            message = patience.words(population.best_number, population.number, never=never)
            break
        population.number += 1
        if not _evaluate(population, objective, children(population, constraints)):
            message = not_finite(f"generation {population.number} of method {name}")
            break
    return finish(
        objective, constraints, start, population.best, population.best_value,
        steps=population.number, passes=population.passes, message=message,
    )  # fmt: skip


def _evaluate(population: Population, objective: Any, members: Floats) -> bool:
    """Whether all members have a value; the best so far is remembered in any case."""
    values = np.array([float(objective.value(member)) for member in members])
    population.values = np.where(np.isfinite(values), values, np.inf)
    population.members, population.passes = members, population.passes + len(members)
    best = int(np.argmin(population.values))
    if population.values[best] < population.best_value:
        population.best, population.best_value = members[best], float(population.values[best])
        population.best_number = population.number
    return bool(np.isfinite(values).all())
