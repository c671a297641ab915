"""Scaling: after the linear sum, the score is multiplied by a factor that depends on which side is ahead.

A scaling rule is a pure function of the board, written like a term for "us", the side that is ahead: it
answers 0 where it does not apply, else 1, 2, … for its first, second … case. Each case has a factor from 0
(a draw) to 1 (no effect). Run for White and for Black it gives the two factors of a position; of several
rules the smallest factor counts. Wiki pages "Draw Evaluation", "Bishops of Opposite Colors".
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from .compiled import SOURCES, call_count, compile_rule, kernel
from .errors import InputError, UnknownName
from .positions import Positions
from .side import FIELDS, SIDE, board_columns, describe


@dataclass(frozen=True)
class Scaling:
    """One rule: `cases` in the order of the answers 1, 2, … and the factor of each.

    `page` is the wiki page or paper of the definition, `concept` the rows of the concept table it serves.
    """

    name: str
    rule: Callable[..., int] = field(repr=False)
    cases: tuple[str, ...]
    factors: tuple[float, ...]
    page: str
    concept: tuple[str, ...] = ()

    @property
    def definition(self) -> str:
        return inspect.cleandoc(self.rule.__doc__ or "")

    @cached_property
    def compiled(self) -> Any:
        """The machine-code form of the rule; its `.address` is what the loops call."""
        inside = Path(self.rule.__code__.co_filename).is_relative_to(SOURCES)
        return compile_rule(self.rule, types.int64(SIDE), cached=inside)

    def with_factors(self, factors: Mapping[str, float]) -> Scaling:
        """The same rule with other factors for some cases.

        Raises UnknownName for a case it does not have, InputError for a factor outside 0 … 1.
        """
        for case, factor in factors.items():
            if case not in self.cases:
                raise UnknownName(f"case of the scaling rule {self.name}", case, self.cases)
            check_factor(self.name, case, factor)
        given = zip(self.cases, self.factors, strict=True)
        return replace(self, factors=tuple(factors.get(case, factor) for case, factor in given))


@dataclass(frozen=True)
class ScalingFamily:
    """A rule whose cases the evaluation names: `make(factors)` turns them into a rule."""

    name: str
    make: Callable[[Mapping[str, float]], Scaling]
    page: str
    concept: tuple[str, ...] = ()

    @property
    def definition(self) -> str:
        return inspect.cleandoc(self.make.__doc__ or "")

    def with_factors(self, factors: Mapping[str, float]) -> Scaling:
        """The rule for these cases; InputError for a case it cannot read or a factor outside 0 … 1."""
        if not factors:
            raise InputError(f"the scaling rule {self.name} needs factors")
        for case, factor in factors.items():
            check_factor(self.name, case, factor)
        return self.make(factors)


def check_factor(name: str, case: str, factor: float) -> None:
    """Raises InputError for a factor outside 0 … 1."""
    if not 0 <= factor <= 1:
        raise InputError(f"scaling rule {name}, {case!r}: the factor is {factor:g}; expected 0 … 1")


def scaling(
    cases: Mapping[str, float], *, page: str, concept: str = ""
) -> Callable[[Callable[..., int]], Scaling]:
    """Makes a scaling rule of a function of a Side; `cases` are named in the order of its answers 1, 2, …

    `concept` holds one row of the table of concepts, or several: "I28 J8".
    """

    def decorate(rule: Callable[..., int]) -> Scaling:
        factors = tuple(map(float, cases.values()))
        return Scaling(rule.__name__, rule, tuple(cases), factors, page, tuple(concept.split()))

    return decorate


class ScalingPlan(NamedTuple):
    """Compiled rules: an address each, and `factors` (rules, 1 + most cases) by answer, 1 for answer 0."""

    addresses: NDArray[np.int64]
    factors: NDArray[np.float64]


def scaling_plan(rules: Sequence[Scaling]) -> ScalingPlan:
    """Compiles the rules, or loads them."""
    factors = np.ones((len(rules), 1 + max((len(rule.factors) for rule in rules), default=0)))
    for row, rule in enumerate(rules):
        factors[row, 1 : 1 + len(rule.factors)] = rule.factors
    return ScalingPlan(np.array([rule.compiled.address for rule in rules], np.int64), factors)


@kernel
def factor_of(side: Any, plan: ScalingPlan) -> float:
    """The factor of a score that favours this side: the smallest of all rules, 1 where none applies."""
    record = side.ctypes.data
    factor = 1.0
    for rule in range(len(plan.addresses)):
        factor = min(factor, plan.factors[rule, call_count(plan.addresses[rule], record)])
    return factor


@kernel
def factors_of_rows(boards: Any, white_to_move: Any, rows: Any, plan: ScalingPlan, out: Any) -> None:
    """Fills `out` (rows, 2): the factor where White is ahead, the factor where Black is."""
    white = np.zeros(FIELDS, np.uint64)
    black = np.zeros(FIELDS, np.uint64)
    for index in range(len(rows)):
        describe(white, black, boards, white_to_move, rows[index])
        out[index, 0] = factor_of(white, plan)
        out[index, 1] = factor_of(black, plan)


def factors_of(positions: Positions, rules: Sequence[Scaling]) -> NDArray[np.float32]:
    """(rows, 2) of a set of positions: the factor where White is ahead, the factor where Black is."""
    out = np.ones((len(positions), 2), np.float32)
    rows = np.arange(len(positions))
    factors_of_rows(board_columns(positions), positions.white_to_move, rows, scaling_plan(rules), out)
    return out
