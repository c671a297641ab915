"""Random walks that get better: what SPSA, RSPSA and other methods without gradients share.

A report every so many steps looks at the whole objective; a walk that leaves all numbers, stalls, diverges,
or ends above its start, gives back the best weights of its reports.
"""

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
from .endings import Patience, diverged, far_above, not_finite
from .line_search import NO_START
from .randomness import reread, written

Floats = NDArray[np.float64]

REPORTS = 100
"""How often a walk looks at the whole objective."""
MOST_ABOVE = 10
"""Reports in a row that may be far above the start before the walk is called divergent."""
SMALLER = "try smaller steps"


@dataclass
class Walk:
    """How many steps of what cost; `kept` is what a checkpoint must hold besides the place."""

    name: str
    steps: int
    passes_a_step: float
    passes_before: float = 0.0
    kept: dict[str, Any] = field(default_factory=dict)


def random_walk(
    objective: Any,
    constraints: Constraints,
    start: Floats,
    walk: Walk,
    step: Callable[[Floats, int], Floats],
    *,
    rng: np.random.Generator,
    observe: Observe,
    state: State | None,
) -> Minimum:
    """Takes `walk.steps` steps `x -> step(x, number)` and reports a hundred times."""
    if state is None:
        place = _Place.first(objective, constraints.project(start), 1.0 + walk.passes_before)
    else:
        place = _Place.restored(state, walk, rng)
    every = max(1, walk.steps // REPORTS)
    patience = Patience("step", walk.steps, 3 * every)
    message = ""
    observe(Step(place.number, place.passes, place.value, np.nan, place.x, place.state(walk, rng)))
    while place.number < walk.steps and not message:
        x = place.x
        for _ in range(min(every, walk.steps - place.number)):
            x = constraints.project(step(x, place.number))
            place.number, place.passes = place.number + 1, place.passes + walk.passes_a_step
            if not np.isfinite(x).all():
                break
        value = float(objective.value(x)) if np.isfinite(x).all() else np.nan
        if not np.isfinite(value):
            message = not_finite(f"step {place.number} of method {walk.name}")
            break
        place.told(x, value)
        observe(Step(place.number, place.passes, value, np.nan, place.x, place.state(walk, rng)))
        message = _trouble(place, patience)
    if message or not place.value <= place.first_value:
        place.x, place.value = place.best, place.best_value
    message = message or f"stopped after {walk.steps} step{'s' * (walk.steps > 1)}"
    return finish(
        objective, constraints, start, place.x, place.value,
        steps=place.number, passes=place.passes, message=message,
    )  # fmt: skip


def _trouble(place: _Place, patience: Patience) -> str:
    """Why a walk should end before its last step; empty where it should not."""
    if place.above >= MOST_ABOVE:
        return f"{diverged(f'step {place.number}', place.value, place.first_value)}; {SMALLER}"
    if patience.ended(place.best_number, place.number):
        never = place.best_number == 0
        return f"{patience.words(place.best_number, place.number, never=never)}; {SMALLER}"
    return ""


@dataclass
class _Place:
    x: Floats
    value: float
    best: Floats
    best_value: float
    first_value: float
    number: int = 0
    passes: float = 1.0
    above: int = 0
    best_number: int = 0

    @classmethod
    def first(cls, objective: Any, x: Floats, passes: float) -> _Place:
        value = float(objective.value(x))
        if not np.isfinite(value):
            raise InputError(NO_START)
        return cls(x, value, x, value, value, passes=passes)

    def told(self, x: Floats, value: float) -> None:
        self.x, self.value, self.passes = x, value, self.passes + 1.0
        self.above = self.above + 1 if far_above(value, self.first_value) else 0
        if value < self.best_value:
            self.best, self.best_value, self.best_number = self.x, value, self.number

    def state(self, walk: Walk, rng: np.random.Generator) -> State:
        kept = {f"walk.{name}": np.copy(value) for name, value in walk.kept.items()}
        return {**vars(self), **kept, "rng": written(rng)}

    @classmethod
    def restored(cls, state: State, walk: Walk, rng: np.random.Generator) -> _Place:
        reread(rng, state["rng"])
        for name in walk.kept:
            walk.kept[name] = np.array(state[f"walk.{name}"])
        return cls(
            np.array(state["x"]), float(state["value"]), np.array(state["best"]), float(state["best_value"]),
            float(state["first_value"]), int(state["number"]), float(state["passes"]),
            int(state["above"]), int(state["best_number"]),
        )  # fmt: skip
