"""RSPSA (Kocsis, Szepesvári and Winands 2006): signs of SPSA's gradients, and a step size for each weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..constraints import BOUNDS, LASSO, MONOTONE
from ..objectives import Objective
from .base import Minimum, Observe, State, accept, one_blas_thread, require
from .scaling import natural_units
from .spsa import Comparison
from .walk import Walk, random_walk

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rspsa:
    """The mean of `samples` SPSA gradients decides a sign; a step grows while its sign stays, else shrinks.

    Steps are in centipawns of a mean weight, `first_step` at first, times `grow` or `shrink`, between
    `smallest` and `largest`.
    """

    steps: int = 1000
    batch: int = 16_384
    samples: int = 4
    c: float = 4.0
    first_step: float = 0.3
    grow: float = 1.1
    shrink: float = 0.85
    smallest: float = 0.01
    largest: float = 20.0
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
        require("rspsa", objective, Objective, "an objective with values")
        constraints = accept("rspsa", objective, self.handles)
        compare = Comparison(objective, constraints, natural_units(objective, start), self.batch)
        size = len(start)
        kept = {"sizes": np.full(size, self.first_step), "signs": np.zeros(size)}
        walk = Walk("rspsa", self.steps, self.samples * compare.passes_a_step, kept=kept)

        def step(x: Floats, number: int) -> Floats:
            signs = np.sign(sum(compare.gradient(x, self.c, rng) for _ in range(self.samples)))
            same = signs * walk.kept["signs"]
            factor = np.where(same > 0.0, self.grow, np.where(same < 0.0, self.shrink, 1.0))
            sizes = np.clip(walk.kept["sizes"] * factor, self.smallest, self.largest)
            walk.kept["sizes"], walk.kept["signs"] = sizes, signs
            moved: Floats = x - signs * sizes * compare.units
            return moved

        return random_walk(objective, constraints, start, walk, step, rng=rng, observe=observe, state=state)
