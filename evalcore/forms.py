"""Forms of a term: options, another partition, another name, own and opponent's weights.

A family makes terms that differ in a few constants (the unit weights of king attacks); the constants are
compiled into the rule. Any term can be cut into other columns, renamed, or split by the side to move.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .errors import InputError, UnknownName
from .term import (
    BY_FILE,
    BY_FOLDED_FILE,
    BY_PAWN_RANK,
    BY_PAWN_SQUARE,
    BY_RANK,
    BY_SQUARE,
    SET,
    WHOLE,
    Partition,
    Term,
)

SIDE_TO_MOVE = "side to move"
"""The one way a term can be split."""


def _distance_to_centre(index: int) -> int:
    """Steps along a file or rank to the nearer of the two middle ones."""
    return 3 - index if index < 4 else index - 4


def _by_number(name: str, number: Callable[[int, int], int], label: str) -> Partition:
    table = tuple(number(_distance_to_centre(s % 8), _distance_to_centre(s // 8)) for s in range(64))
    return Partition(name, tuple(f"{label} {n}" for n in range(max(table) + 1)), table)


BY_CENTER_DISTANCE = _by_number("center distance", max, "distance")
"""King moves to the nearest of d4, e4, d5, e5 (0-3); wiki page "Center Distance"."""
BY_CENTER_MANHATTAN = _by_number("center Manhattan distance", lambda file, rank: file + rank, "distance")
"""File steps plus rank steps to the nearest of the four central squares (0-6)."""
BY_SQUARE_COLOUR = Partition(
    "square colour", ("dark", "light"), tuple((s % 8 + s // 8) % 2 for s in range(64))
)
BY_WING = Partition("wing", ("a-c", "d-e", "f-h"), tuple((s % 8 > 2) + (s % 8 > 4) for s in range(64)))

PARTITIONS: Mapping[str, Partition] = {
    "whole": WHOLE,
    "file": BY_FILE,
    "folded file": BY_FOLDED_FILE,
    "wing": BY_WING,
    "rank": BY_RANK,
    "pawn rank": BY_PAWN_RANK,
    "square": BY_SQUARE,
    "folded square": BY_SQUARE.folded(),
    "pawn square": BY_PAWN_SQUARE,
    "folded pawn square": BY_PAWN_SQUARE.folded(),
    "center distance": BY_CENTER_DISTANCE,
    "center Manhattan distance": BY_CENTER_MANHATTAN,
    "square colour": BY_SQUARE_COLOUR,
}
"""What `by` can name."""


def one_of(*labels: str) -> Partition:
    """For set rules that name columns instead of squares: bit i of the answer stands for label i."""
    if len(labels) > 64:
        raise ValueError("a rule can name at most 64 columns")
    return Partition("choice", labels, tuple(i if i < len(labels) else -1 for i in range(64)))


def numbers(first: int, last: int) -> Partition:
    """`one_of` for the labels first … last: a rule answers `bit(number - first)`, or nothing."""
    return one_of(*(str(number) for number in range(first, last + 1)))


@dataclass(frozen=True)
class Family:
    """Terms of one name that differ in constants; `make(**options)` gives one of them."""

    name: str
    make: Callable[..., Term]

    @property
    def options(self) -> dict[str, Any]:
        """Every option with its default."""
        return {name: p.default for name, p in inspect.signature(self.make).parameters.items()}

    @property
    def term(self) -> Term:
        """The term with the default options."""
        return self.make()

    def with_options(self, options: Mapping[str, Any]) -> Term:
        """Raises UnknownName for an unknown option, InputError for a value of the wrong kind."""
        for name, value in options.items():
            if name not in self.options:
                raise UnknownName(f"option of the term {self.name}", name, self.options)
            if type(value) is not type(self.options[name]):
                wanted = type(self.options[name]).__name__
                raise InputError(f"option {name} of the term {self.name} is {value!r}; expected {wanted}")
        return self.make(**options)


def family(make: Callable[..., Term]) -> Family:
    """Makes a family of a function whose keyword arguments, all with defaults, are the options."""
    return Family(make.__name__, make)


def form(
    found: Term | Family, *, options: Mapping[str, Any] = {}, by: str = "", called: str = "", split: str = ""
) -> Term:
    """The form of a term that an evaluation asks for; each of the four is optional."""
    if isinstance(found, Family):
        term = found.with_options(options)
    elif options:
        raise InputError(f"the term {found.name} has no options")
    else:
        term = found
    if by:
        term = replace(term, partition=_repartitioned(term, by))
    if split and split != SIDE_TO_MOVE:
        raise UnknownName("way to split a term", split, [SIDE_TO_MOVE])
    return replace(term, name=called or term.name, split=bool(split))


def _repartitioned(term: Term, by: str) -> Partition:
    if by not in PARTITIONS:
        raise UnknownName("partition", by, PARTITIONS)
    partition = PARTITIONS[by]
    if partition is not WHOLE and (term.kind != SET or term.partition.name == "choice"):
        raise InputError(f"the term {term.name} returns numbers, no squares: it can be taken by 'whole' only")
    return partition
