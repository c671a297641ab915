"""How a run ends short of the optimum, in words: what happened, at which step, and what may help."""

from __future__ import annotations

import math
from dataclasses import dataclass

KEPT = "the best weights before it are kept"
PATIENCE = 1.0 / 3.0
"""A search is stalled after that share of all its steps without better weights."""
DIVERGED = 0.1
"""A value is far above the start from that share of the start's value on; noise alone stays below."""


def not_finite(step: str) -> str:
    """`step` with its number: "epoch 3 of method sgd"."""
    return f"{step} met a value that is no finite number; {KEPT}"


def no_step(number: int, gap: float, *, near: bool, broken: bool) -> str:
    """No step leads down from step `number`: near the optimum, before a value that is broken, or stalled."""
    if broken:
        return not_finite(f"step {number + 1}")
    if near:
        return "no step lowers the value any further (rounding)"
    return f"stalled: no length of step {number + 1} lowers the value; about {gap:.1e} above the optimum"


def diverged(when: str, value: float, first: float) -> str:
    """`when` with its number: "epoch 3"."""
    return f"diverged: the loss after {when} is {value:.6g}, above the {first:.6g} of the start"


def far_above(value: float, first: float) -> bool:
    """Whether a value is so far above the first that noise does not explain it."""
    return not value <= first + DIVERGED * abs(first)


@dataclass(frozen=True)
class Patience:
    """How long a search of `total` steps, called `unit`s, may go on without better weights."""

    unit: str
    total: int
    least: int = 3

    @property
    def most(self) -> int:
        """Steps without better weights after which a search is stalled."""
        return max(self.least, math.ceil(self.total * PATIENCE))

    def ended(self, best: int, now: int) -> bool:
        """Whether the weights of step `best` have been the best for too long."""
        return now - best >= self.most

    def words(self, best: int, now: int, *, never: bool) -> str:
        """What a stalled search says of itself at step `now`; `never` was anything better than the start."""
        where = f"stopped at {self.unit} {now:,} of {self.total:,}"
        if never:
            return f"stalled: no {self.unit} was better than the start, {where}"
        return f"stalled: no better objective since {self.unit} {best:,}, {where}"
