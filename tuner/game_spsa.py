"""SPSA of engine options by games: parameters and their checks, pairs of settings, and what a result moves.

The rules of zamar's tool, fishtest and OpenBench: a pair of settings plays some games; each parameter moves
by its rate, times its spread, times wins minus losses of the plus side, along its flip. Numbers and names
of the files of these tools are in `game_spsa_files`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError

from .optimizers.gains import ALPHA, GAMMA, Gains, by_the_end

Floats = NDArray[np.float64]

SMALLEST_SPREAD = 0.5
"""Below that, both sides of a whole-number option mostly play the same number."""


@dataclass(frozen=True)
class Parameter:
    """One option: where it starts, its range, the spread and rate at the end, and whether it is whole."""

    name: str
    value: float
    low: float
    high: float
    c_end: float
    r_end: float
    whole: bool = True


@dataclass(frozen=True)
class Schedule:
    """How many steps (pairs of games), the stability A in steps, and the exponents."""

    steps: int
    stability: float
    alpha: float = ALPHA
    gamma: float = GAMMA

    def gains(self, parameter: Parameter) -> Gains:
        """The gains of one parameter."""
        return by_the_end(
            parameter.c_end, parameter.r_end, self.steps, self.stability, self.alpha, self.gamma
        )


@dataclass(frozen=True, eq=False)
class Pair:
    """Two settings to play against each other, and what is needed to learn from the result.

    `flips` (size,) is +1 or −1, 0 for parameters with the same number on both sides; `moves` (size,) is
    what one win of the plus side moves each parameter by.
    """

    plus: Floats
    minus: Floats
    flips: Floats
    moves: Floats


def faults(parameters: Sequence[Parameter], schedule: Schedule) -> list[str]:
    """Everything that forbids a tune, all at once: `name: what is wrong`."""
    found = [f"{parameter.name}: {fault}" for parameter in parameters for fault in _faults_of(parameter)]
    names = [parameter.name for parameter in parameters]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    found += [f"{name}: is named {names.count(name)} times" for name in twice]
    if not parameters:
        found.append("there are no parameters")
    if schedule.steps < 1:
        found.append(f"{schedule.steps} steps are too few")
    return found


def _faults_of(parameter: Parameter) -> list[str]:
    numbers = (parameter.value, parameter.low, parameter.high, parameter.c_end, parameter.r_end)
    if not all(math.isfinite(number) for number in numbers):
        return ["a value that is no finite number"]
    found = []
    if parameter.low > parameter.high:
        found.append(f"the minimum {parameter.low:g} is above the maximum {parameter.high:g}")
    elif not parameter.low <= parameter.value <= parameter.high:
        found.append(f"the start {parameter.value:g} is outside {parameter.low:g} … {parameter.high:g}")
    if parameter.c_end <= 0.0:
        found.append(f"c {parameter.c_end:g} must be above 0")
    elif parameter.low < parameter.high and 2.0 * parameter.c_end > parameter.high - parameter.low:
        found.append(f"c {parameter.c_end:g} leaves no room in {parameter.low:g} … {parameter.high:g}")
    if parameter.r_end < 0.0:
        found.append(f"r {parameter.r_end:g} must not be negative")
    return found


def check(parameters: Sequence[Parameter], schedule: Schedule) -> list[str]:
    """Warnings. Raises InputError that lists every fault."""
    if found := faults(parameters, schedule):
        raise InputError("; ".join(found))
    warnings = []
    for parameter in parameters:
        spread = schedule.gains(parameter).spread(schedule.steps - 1)
        if parameter.whole and spread < SMALLEST_SPREAD:
            warnings.append(
                f"{parameter.name}: c falls to {spread:g}; below {SMALLEST_SPREAD:g} both sides of a whole"
                " number often play the same value, and such games say nothing"
            )
        elif parameter.whole and spread < 2.0 * SMALLEST_SPREAD:
            warnings.append(
                f"{parameter.name}: c falls to {spread:g}; below 1 both sides may play the same value"
            )
    return warnings


def hand_out(
    theta: Floats,
    parameters: Sequence[Parameter],
    schedule: Schedule,
    step: int,
    rng: np.random.Generator,
) -> Pair:
    """Settings on both sides of theta (size,), rounded at random where whole, and kept in their ranges.

    A setting cut off at a bound is learned from by its real distance, so that a bound does not push; a
    parameter with the same number on both sides is not learned from.
    """
    gains = [schedule.gains(parameter) for parameter in parameters]
    spread = np.array([each.spread(step) for each in gains])
    rate = np.array([each.rate(step) for each in gains])
    low, high = _ranges(parameters)
    whole = np.array([each.whole for each in parameters])
    flips = rng.choice(np.array([-1.0, 1.0]), len(parameters))
    sides = [theta + side * flips * spread for side in (1.0, -1.0)]
    distance = np.abs(np.clip(sides[0], low, high) - np.clip(sides[1], low, high))
    plus, minus = (np.clip(_rounded(side, whole, rng), low, high) for side in sides)
    # a gradient is a difference over a distance: where a bound halves the distance, a win says twice as much
    nearer = np.divide(2.0 * spread, distance, out=np.zeros_like(spread), where=distance > 0.0)
    return Pair(plus, minus, np.where(plus == minus, 0.0, flips), rate * spread * nearer)


def _ranges(parameters: Sequence[Parameter]) -> tuple[Floats, Floats]:
    return np.array([each.low for each in parameters]), np.array([each.high for each in parameters])


def _rounded(values: Floats, whole: NDArray[np.bool_], rng: np.random.Generator) -> Floats:
    """Whole numbers up or down at random, so that their mean is the value; never by cutting off."""
    return np.where(whole, np.floor(values + rng.random(len(values))), values)


def learn(theta: Floats, parameters: Sequence[Parameter], pair: Pair, wins: int, losses: int) -> Floats:
    """Theta after the games a pair really played; games that were not played do not count."""
    out: Floats = np.clip(theta + pair.moves * (wins - losses) * pair.flips, *_ranges(parameters))
    return out


def steps_of(games: int) -> int:
    """How many steps of a schedule so many games are: a step is a pair of games."""
    return games // 2


def at_bounds(theta: Floats, parameters: Sequence[Parameter], schedule: Schedule) -> list[str]:
    """Parameters that ended within their last spread of a bound, which may hide a better value."""
    found = []
    for value, parameter in zip(theta.tolist(), parameters, strict=True):
        spread = schedule.gains(parameter).spread(schedule.steps - 1)
        for bound, word in ((parameter.low, "minimum"), (parameter.high, "maximum")):
            if abs(value - bound) <= spread:
                found.append(f"{parameter.name} ended at {value:.4g}, within c of its {word} {bound:g}")
    return found


def with_values(parameters: Sequence[Parameter], theta: Floats) -> list[Parameter]:
    """The same parameters at other values."""
    return [replace(each, value=float(value)) for each, value in zip(parameters, theta, strict=True)]
