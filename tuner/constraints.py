"""What weights may be: bounds, order within a table, and kinked penalties that set weights to their prior.

Smooth penalties (ridge, roughness) are part of the objective; what is here needs a solver that knows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

BOUNDS, MONOTONE, LASSO = "bounds", "monotone tables", "lasso penalties"
"""The kinds of constraint; a method names those it can handle."""


AT_LOWER, AT_UPPER = "at their lower bound", "at their upper bound"
AT_NEIGHBOUR = "equal to a neighbour, to keep tables monotone"
AT_PRIOR = "at their prior, by a lasso penalty"
"""How a constraint can hold weights, as words for a note."""


@dataclass(frozen=True, eq=False)
class Chain:
    """Free numbers that must not fall (`increasing`) or not rise, in the order of `members`."""

    members: Indices
    increasing: bool


@dataclass(frozen=True, eq=False)
class Group:
    """Free numbers that leave their prior together or not at all: `price·‖x − centre‖`, price per cp."""

    members: Indices
    price: float


@dataclass(frozen=True, eq=False)
class Constraints:
    """Bounds (size,), prices per cp of `|x − centre|` (size,), groups and chains of the free numbers."""

    lower: Floats
    upper: Floats
    lasso: Floats
    centre: Floats
    groups: tuple[Group, ...] = ()
    chains: tuple[Chain, ...] = ()

    @classmethod
    def none(cls, size: int) -> Constraints:
        """Everything is allowed and nothing has a price."""
        return cls(np.full(size, -np.inf), np.full(size, np.inf), np.zeros(size), np.zeros(size))

    @classmethod
    def box(cls, lower: Floats, upper: Floats) -> Constraints:
        """Bounds alone."""
        return cls(np.asarray(lower, float), np.asarray(upper, float), *np.zeros((2, len(lower))))

    @property
    def bounded(self) -> bool:
        """Whether any bound is finite."""
        return bool(np.isfinite(self.lower).any() or np.isfinite(self.upper).any())

    def kinds(self) -> list[str]:
        """The kinds in use, as words for an error."""
        found = [BOUNDS] if self.bounded else []
        found += [MONOTONE] if self.chains else []
        return found + ([LASSO] if self.lasso.any() or self.groups else [])

    def __bool__(self) -> bool:
        return bool(self.kinds())

    def penalty(self, x: Floats) -> float:
        """The price of the kinked penalties."""
        away = x - self.centre
        single = float(self.lasso @ np.abs(away))
        return single + sum(group.price * float(np.linalg.norm(away[group.members])) for group in self.groups)

    def project(self, x: Floats) -> Floats:
        """The nearest allowed numbers: tables put in order by pooling neighbours, then clipped."""
        out = x.copy()
        for chain in self.chains:
            out[chain.members] = _in_order(x[chain.members], chain.increasing)
        return np.clip(out, self.lower, self.upper)

    def broken(self, x: Floats, tolerance: float = 1e-9) -> bool:
        """Whether numbers are outside what is allowed."""
        return bool(np.abs(self.project(x) - x).max(initial=0.0) > tolerance)

    def active(self, x: Floats, tolerance: float = 1e-9) -> Iterator[tuple[int, str]]:
        """Free numbers that a constraint holds where they are, with the words for how."""
        for index in np.flatnonzero(x <= self.lower + tolerance).tolist():
            yield index, AT_LOWER
        for index in np.flatnonzero(x >= self.upper - tolerance).tolist():
            yield index, AT_UPPER
        for chain in self.chains:
            values = x[chain.members]
            for place in np.flatnonzero(np.abs(np.diff(values)) <= tolerance).tolist():
                yield int(chain.members[place + 1]), AT_NEIGHBOUR
        shrunk = self.lasso > 0.0
        for group in self.groups:
            shrunk[group.members] = True
        for index in np.flatnonzero(shrunk & (np.abs(x - self.centre) <= tolerance)).tolist():
            yield index, AT_PRIOR


def constraints_of(objective: object, size: int) -> Constraints:
    """The constraints of an objective; none where it has no such attribute."""
    found = getattr(objective, "constraints", None)
    return found if isinstance(found, Constraints) else Constraints.none(size)


def _in_order(values: Floats, increasing: bool) -> Floats:
    from scipy.optimize import isotonic_regression

    ordered: Floats = isotonic_regression(values, increasing=increasing).x
    return ordered
