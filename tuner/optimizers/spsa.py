"""SPSA (Spall 1992): a gradient along one random direction from two values, for any number of weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError, UnknownName

from ..constraints import BOUNDS, LASSO, MONOTONE, Constraints
from ..objectives import Objective, Sampled
from .base import Minimum, Observe, State, accept, one_blas_thread, require
from .gains import ALPHA, GAMMA, STABILITY, Gains, by_the_end
from .line_search import NO_START
from .scaling import natural_units
from .walk import Walk, random_walk

Floats = NDArray[np.float64]

LOOKS = 20
"""Comparisons before the first step, for the size of the first steps."""
GAINS = ("spall", "openbench")
LONGEST = 10.0
"""No step is longer than that many times the spread: a blow-up is blocked where it begins."""


@dataclass(frozen=True)
class Spsa:
    """Two values a step, on the same `batch` rows (0: all rows), at `c` centipawns to either side.

    `gains` is spall (`c` at the first step; `a`, or where it is 0 the `a` whose first steps are
    `first_step` centipawns) or openbench (`c_end` and `r_end` at the last step; a difference of the usual
    size at the start counts as a game won). `stability` is A as a share of the steps. Weights are moved in
    units that bend the loss about equally.
    """

    steps: int = 3000
    batch: int = 16_384
    gains: str = "spall"
    c: float = 4.0
    a: float = 0.0
    first_step: float = 0.5
    c_end: float = 2.0
    r_end: float = 0.1
    stability: float = STABILITY
    alpha: float = ALPHA
    gamma: float = GAMMA
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
        require("spsa", objective, Objective, "an objective with values")
        constraints = accept("spsa", objective, self.handles)
        if self.gains not in GAINS:
            raise UnknownName("kind of gains", self.gains, GAINS)
        compare = Comparison(objective, constraints, natural_units(objective, start), self.batch)
        if state is None:
            usual = compare.usual_difference(constraints.project(start), self._first_spread(), rng)
        else:
            usual = float(state["walk.usual"])
        gains = self._gains(usual)

        def step(x: Floats, number: int) -> Floats:
            gradient = compare.gradient(x, gains.spread(number), rng)
            longest = LONGEST * gains.spread(number)
            return x - compare.units * np.clip(gains.move(number) * gradient, -longest, longest)

        cost = compare.passes_a_step
        walk = Walk("spsa", self.steps, cost, LOOKS * cost, {"usual": usual})
        return random_walk(objective, constraints, start, walk, step, rng=rng, observe=observe, state=state)

    def _first_spread(self) -> float:
        return self.c if self.gains == "spall" else self.c_end * self.steps**self.gamma

    def _gains(self, usual: float) -> Gains:
        """`usual` is the difference of two values at the first spread."""
        stability = self.stability * self.steps
        if self.gains == "openbench":
            found = by_the_end(self.c_end, self.r_end, self.steps, stability, self.alpha, self.gamma)
            # move = R·c·result, and result = difference/usual = gradient·2c/usual
            return Gains(found.a * 2.0 / usual, found.c, stability, self.alpha, self.gamma)
        a = self.a or self.first_step * (stability + 1.0) ** self.alpha * 2.0 * self.c / usual
        return Gains(a, self.c, stability, self.alpha, self.gamma)


class Comparison:
    """Two values on the same rows, and the gradient they suggest, in units of `units`."""

    def __init__(self, objective: Any, constraints: Constraints, units: Floats, batch: int) -> None:
        self._objective, self._constraints, self.units, self._batch = objective, constraints, units, batch
        self._sampled = batch > 0 and isinstance(objective, Sampled) and batch < len(objective)
        self.passes_a_step = 2.0 * (batch / len(objective) if self._sampled else 1.0)

    def gradient(self, x: Floats, spread: float, rng: np.random.Generator) -> Floats:
        """SPSA's estimate; where a bound cuts a side off, the real distance of the two places counts."""
        some = self._some(rng)
        flips = rng.choice(np.array([-1.0, 1.0]), len(x))
        plus, minus = (self._constraints.project(x + side * spread * flips * self.units) for side in (1, -1))
        distance = (plus - minus) / self.units
        difference = float(some.value(plus)) - float(some.value(minus))
        if not np.isfinite(difference):
            return np.full(len(x), np.nan)
        return np.divide(difference, distance, out=np.zeros(len(x)), where=distance != 0.0)

    def usual_difference(self, x: Floats, spread: float, rng: np.random.Generator) -> float:
        """The mean difference of two values at the start, which makes gains independent of the loss."""
        found = [np.abs(self.gradient(x, spread, rng)).max() * 2.0 * spread for _ in range(LOOKS)]
        usual = float(np.mean(found))
        if not np.isfinite(usual):
            raise InputError(NO_START)
        if usual == 0.0:
            raise InputError("no random change of the weights changes the loss: there is nothing to fit")
        return usual

    def _some(self, rng: np.random.Generator) -> Any:
        if not self._sampled:
            return self._objective
        rows = rng.choice(len(self._objective), self._batch, replace=False)
        return self._objective.restricted(np.sort(rows))
