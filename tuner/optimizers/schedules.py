"""How the rate of a stochastic method falls, as a factor of the first rate."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from evalcore.errors import UnknownName

Schedule = Callable[[float, float, float], float]
"""(epoch so far, epochs in all, drop) -> factor."""


def constant(epoch: float, epochs: float, drop: float) -> float:
    """Always the first rate; the end then jitters about the optimum."""
    return 1.0


def cosine(epoch: float, epochs: float, drop: float) -> float:
    """Half a cosine down to zero: slow to begin with, slow at the end."""
    return 0.5 * (1.0 + math.cos(math.pi * min(epoch / epochs, 1.0)))


def straight(epoch: float, epochs: float, drop: float) -> float:
    """A straight line down to zero."""
    return max(0.0, 1.0 - epoch / epochs)


def steps(epoch: float, epochs: float, drop: float) -> float:
    """Times `drop` after each tenth of the epochs, as Ethereal does every so many epochs."""
    return drop ** math.floor(10.0 * epoch / epochs)


def inverse(epoch: float, epochs: float, drop: float) -> float:
    """One over one plus the epoch: Robbins and Monro's."""
    return 1.0 / (1.0 + epoch)


SCHEDULES: Mapping[str, Schedule] = {
    "constant": constant,
    "cosine": cosine,
    "straight": straight,
    "steps": steps,
    "inverse": inverse,
}


def find_schedule(name: str) -> Schedule:
    """A schedule by name. Raises UnknownName."""
    if name not in SCHEDULES:
        raise UnknownName("schedule", name, SCHEDULES)
    return SCHEDULES[name]
