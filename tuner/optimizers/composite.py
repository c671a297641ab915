"""Directions under constraints: the minimum of a quadratic model plus bounds, order and kinked penalties.

Coordinate descent finds which constraints hold; a linear system then gives the rest exactly. Tables that
must not fall become a first number and increments with a bound.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from evalcore.compiled import kernel
from evalcore.errors import InputError

from ..constraints import Chain, Constraints

Floats = NDArray[np.float64]

SWEEPS, ROUNDS = 30, 60
SETTLED = 1e-11
"""A sweep whose largest move, in units of the model, is this share of the first sweep's is the last."""


@dataclass(frozen=True, eq=False)
class Target:
    """Where the model has its minimum, and how far the model falls until there."""

    x: Floats
    decrease: float


def model_minimum(matrix: Floats, gradient: Floats, x: Floats, constraints: Constraints) -> Target:
    """Minimum of `gradient·d + ½·dᵀ·matrix·d` plus the constraints' penalty over allowed `x + d`.

    `matrix` (size, size) must be positive definite. Raises InputError for bounds on both ends of a
    monotone table, which a box of increments cannot say.
    """
    steps = _increments(constraints)
    if steps is None:
        end = _box_minimum(matrix, gradient, x, constraints)
    else:
        inner = _of_increments(constraints)
        u: Any = np.linalg.solve(steps, x)
        end = steps @ _box_minimum(steps.T @ matrix @ steps, steps.T @ gradient, u, inner)
    move = end - x
    fall = float(gradient @ move) + 0.5 * float(move @ matrix @ move)
    kinks = constraints.penalty(end) - constraints.penalty(x)
    return Target(end, max(0.0, -(fall + kinks)))


def _box_minimum(matrix: Floats, gradient: Floats, x: Floats, constraints: Constraints) -> Floats:
    """The minimum under bounds, lasso and groups."""
    matrix = np.ascontiguousarray(matrix)
    position = np.clip(x, constraints.lower, constraints.upper)
    box = (constraints.lower, constraints.upper, constraints.lasso, constraints.centre)
    single, *groups = _flat_groups(matrix, constraints)
    scale = -1.0
    for _ in range(ROUNDS):
        slope = gradient + matrix @ (position - x)
        for _ in range(SWEEPS):
            moved: float = sweep_singles(matrix, position, slope, *box, single)
            if constraints.groups:
                moved = max(moved, sweep_groups(matrix, position, slope, constraints.centre, *groups))
            scale = moved if scale < 0.0 else scale
            if moved <= SETTLED * scale:
                return position
        if not constraints.groups:
            position = _polished(matrix, gradient, x, position, constraints)
    return position


def _flat_groups(matrix: Floats, constraints: Constraints) -> tuple[Any, ...]:
    """Groups as arrays for the kernel, and which coordinates are in none."""
    single = np.ones(len(matrix), np.bool_)
    members = [group.members for group in constraints.groups]
    for group in members:
        single[group] = False
    ends = np.cumsum([0, *(len(group) for group in members)]).astype(np.int64)
    flat = np.concatenate(members).astype(np.int64) if members else np.empty(0, np.int64)
    prices = np.array([group.price for group in constraints.groups], float)
    steepness = np.array([np.linalg.eigvalsh(matrix[np.ix_(group, group)])[-1] for group in members], float)
    return single, flat, ends, prices, steepness


def _polished(
    matrix: Floats, gradient: Floats, x: Floats, position: Floats, constraints: Constraints
) -> Floats:
    """Solves for the coordinates no constraint holds, and goes there as far as is allowed."""
    away = position - constraints.centre
    held = (constraints.lasso > 0.0) & (away == 0.0)
    free = (position > constraints.lower) & (position < constraints.upper) & ~held
    if not free.any():
        return position
    slope = gradient + matrix @ (position - x) + constraints.lasso * np.sign(away)
    try:
        step = -cho_solve(cho_factor(matrix[np.ix_(free, free)], check_finite=False), slope[free])
    except LinAlgError:
        return position
    out = position.copy()
    out[free] += _allowed(step, position[free], free, constraints) * step
    return np.clip(out, constraints.lower, constraints.upper)


def _allowed(step: Floats, position: Floats, free: NDArray[np.bool_], constraints: Constraints) -> float:
    """The largest share of a step that crosses no bound and no kink."""
    lower, upper = constraints.lower[free].copy(), constraints.upper[free].copy()
    centre, kinked = constraints.centre[free], constraints.lasso[free] > 0.0
    lower = np.where(kinked & (position > centre), np.maximum(lower, centre), lower)
    upper = np.where(kinked & (position < centre), np.minimum(upper, centre), upper)
    with np.errstate(divide="ignore", invalid="ignore"):
        room = np.where(step > 0.0, (upper - position) / step, (lower - position) / step)
    room = np.where(step == 0.0, np.inf, room)
    return float(min(1.0, room.min(initial=1.0)))


# --- monotone tables as increments --------------------------------------------------------------------


def _increments(constraints: Constraints) -> Floats | None:
    """The matrix from increments to numbers, None where no table is monotone."""
    if not constraints.chains:
        return None
    steps: Floats = np.eye(len(constraints.lower))
    for chain in constraints.chains:
        members = _counted(chain, constraints)
        steps[np.ix_(members, members)] = np.tri(len(members))
    return steps


def _counted(chain: Chain, constraints: Constraints) -> NDArray[np.int64]:
    """Members in rising order, or in falling order where the table is bounded above."""
    rising = chain.members if chain.increasing else chain.members[::-1]
    below, above = constraints.lower[rising], constraints.upper[rising]
    if np.isfinite(below).any() and np.isfinite(above).any():
        raise InputError("a monotone table can have a lower or an upper bound, but not both")
    counted = rising[::-1] if np.isfinite(above).any() else rising
    first = counted[0]
    if constraints.lower[first] < below.max() or constraints.upper[first] > above.min():
        raise InputError("a bound of a monotone table must hold for the whole table")
    return counted


def _of_increments(constraints: Constraints) -> Constraints:
    """The same constraints on increments: the first number keeps its bound, the others have a sign."""
    lower, upper = constraints.lower.copy(), constraints.upper.copy()
    for chain in constraints.chains:
        members = _counted(chain, constraints)
        if constraints.lasso[members].any() or _in_a_group(members, constraints):
            raise InputError("a table cannot be monotone and have a lasso penalty at the same time")
        rising = chain.increasing == (members[0] == chain.members[0])
        lower[members[1:]], upper[members[1:]] = (0.0, np.inf) if rising else (-np.inf, 0.0)
    return replace(constraints, lower=lower, upper=upper, chains=())


def _in_a_group(members: NDArray[np.int64], constraints: Constraints) -> bool:
    return any(np.isin(members, group.members).any() for group in constraints.groups)


# --- the inner loop -----------------------------------------------------------------------------------


@kernel
def sweep_singles(
    matrix: Any, x: Any, slope: Any, lower: Any, upper: Any, lasso: Any, centre: Any, single: Any
) -> float:
    """Each coordinate to its best place, in turn and in place; `slope` is the gradient of the quadratic at x.

    Returns the largest move, in units of the model.
    """
    largest = 0.0
    for j in range(len(x)):
        if not single[j]:
            continue
        away = x[j] - slope[j] / matrix[j, j] - centre[j]
        threshold = lasso[j] / matrix[j, j]
        away = max(away - threshold, 0.0) + min(away + threshold, 0.0)
        move = min(max(centre[j] + away, lower[j]), upper[j]) - x[j]
        if move != 0.0:
            x[j] += move
            for i in range(len(x)):
                slope[i] += move * matrix[j, i]
            largest = max(largest, abs(move) * np.sqrt(matrix[j, j]))
    return largest


@kernel
def sweep_groups(
    matrix: Any, x: Any, slope: Any, centre: Any, members: Any, ends: Any, prices: Any, steepness: Any
) -> float:
    """Each group a step of its largest curvature, then as far toward its centre as its price says."""
    largest = 0.0
    for group in range(len(prices)):
        chosen = members[ends[group] : ends[group + 1]]
        away = x[chosen] - slope[chosen] / steepness[group] - centre[chosen]
        norm = np.sqrt((away * away).sum())
        keep = max(0.0, 1.0 - prices[group] / (steepness[group] * norm)) if norm > 0.0 else 0.0
        moves = centre[chosen] + keep * away - x[chosen]
        for k in range(len(chosen)):
            j = chosen[k]
            x[j] += moves[k]
            for i in range(len(x)):
                slope[i] += moves[k] * matrix[j, i]
        largest = max(largest, np.sqrt((moves * moves).sum() * steepness[group]))
    return largest
