"""Texel's local search: one weight at a time by whole steps, the most promising first.

Österlund's rule: of all weights not yet tried, take the one with the highest priority; step it while the
loss falls, up first, then down; its priority becomes a tenth of the old one and nine tenths of the gain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError

from ..constraints import BOUNDS, LASSO, MONOTONE, Constraints
from ..objectives import Objective
from ..stepping import Stepper, stepper
from .base import Minimum, Observe, State, Step, accept, one_blas_thread, require
from .certificate import finish
from .endings import not_finite
from .line_search import NO_START
from .replay import NotFinite

Floats = NDArray[np.float64]

KEPT = 0.1
"""Share of its old priority a weight keeps."""
STUCK = "stuck: no step of a single weight lowers the value, but several together may"


@dataclass(frozen=True)
class LocalSearch:
    """Steps of `first_step` centipawns, halved down to `last_step` whenever no weight gains any more.

    Needs values only. It ends where no single step helps, which is not the optimum where weights must
    move together. `whole` starts from rounded weights, so that with whole steps all stay whole.
    """

    first_step: float = 8.0
    last_step: float = 1.0
    whole: bool = True
    max_passes: int = 10_000
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
        """See `Optimizer`. `rng` is not used."""
        require("local", objective, Objective, "an objective with values")
        constraints = accept("local", objective, self.handles)
        begin = constraints.project(start)
        begin = _whole(begin, constraints) if self.whole else begin
        round_ = _Round.restored(state) if state else _Round.first(begin, self.first_step)
        message = f"stopped after {self.max_passes:g} passes"
        while True:
            # everything is computed afresh from x, so that a resumed search sees the same bits
            place = stepper(objective, round_.x)
            if not np.isfinite(place.value):
                raise InputError(NO_START)
            observe(Step(round_.number, round_.passes, place.value, np.nan, round_.x, round_.state()))
            if round_.step < self.last_step:
                message = STUCK
                break
            if round_.passes >= self.max_passes:
                break
            try:
                gained, round_ = _one_round(place, round_, constraints)
            except NotFinite:
                message, round_.x = not_finite(f"round {round_.number + 1} of method local"), place.x
                break
            if not gained:
                round_.step /= 2.0
        return finish(
            objective, constraints, start, round_.x, place.value,
            steps=round_.number, passes=round_.passes, message=message,
        )  # fmt: skip


@dataclass
class _Round:
    """Where a search is between rounds; a round tries every weight once."""

    x: Floats
    priority: Floats
    step: float
    number: int = 0
    passes: float = 1.0

    @classmethod
    def first(cls, x: Floats, step: float) -> _Round:
        return cls(x, np.ones(len(x)), step)

    def state(self) -> State:
        return {
            "x": self.x, "priority": self.priority, "step": self.step,
            "number": self.number, "passes": self.passes,
        }  # fmt: skip

    @classmethod
    def restored(cls, state: State) -> _Round:
        return cls(
            np.asarray(state["x"]), np.asarray(state["priority"]), float(state["step"]),
            int(state["number"]), float(state["passes"]),
        )  # fmt: skip


def _one_round(place: Stepper, before: _Round, constraints: Constraints) -> tuple[bool, _Round]:
    """Tries every weight, by falling priority; whether any gained, and the next round. Raises NotFinite."""
    priority, passes, gained = before.priority.copy(), before.passes, False
    for index in np.argsort(-before.priority, kind="stable").tolist():
        gain, cost = _walk(place, index, before.step, constraints)
        priority[index] = KEPT * priority[index] + (1.0 - KEPT) * gain
        passes += cost
        gained = gained or gain > 0.0
    return gained, _Round(place.x, priority, before.step, before.number + 1, passes + 1.0)


def _walk(place: Stepper, index: int, step: float, constraints: Constraints) -> tuple[float, float]:
    """Steps one weight while the value falls, up first; what was gained, and the passes it took."""
    before, spent = place.value, 0.0
    for direction in (step, -step):
        moved = False
        while _allowed(place.x, index, direction, constraints):
            value, cost = place.attempt(index, direction)
            spent += cost
            if np.isnan(value):
                raise NotFinite
            if not value < place.value:
                break
            place.accept()
            moved = True
        if moved:
            break
    return before - place.value, spent


def _allowed(x: Floats, index: int, move: float, constraints: Constraints) -> bool:
    if not constraints:
        return True
    moved = x.copy()
    moved[index] += move
    return not constraints.broken(moved)


def _whole(x: Floats, constraints: Constraints) -> Floats:
    """Rounded, inside the bounds."""
    rounded = np.rint(x)
    rounded = np.where(rounded < constraints.lower, np.ceil(constraints.lower), rounded)
    return np.where(rounded > constraints.upper, np.floor(constraints.upper), rounded)
