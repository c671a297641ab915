"""Weights as the tables of a program: single numbers, boards of 64 squares, and series in label order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from evalcore.term import SPLIT_SIDES
from evalcore.weights import Weights

Pair = tuple[int, int]
"""Midgame and endgame weight."""

ORIENTATIONS = {
    "a8": "table[0] is a8 and table[63] is h1: rank 8 is the first row, as a board is printed",
    "a1": "table[0] is a1 and table[63] is h8: rank 1 is the first row",
}
"""The order of the squares of a board table."""

_SQUARE = re.compile(r"([a-h])(?:/([a-h]))?([1-8])")


@dataclass(frozen=True)
class Table:
    """The weights of one term; `pairs` are in the order of `labels`."""

    term: str
    taper: str
    labels: tuple[str, ...]
    pairs: tuple[Pair, ...]

    @property
    def tapered(self) -> bool:
        """Whether the weights depend on the phase; those of the other terms are single numbers."""
        return self.taper != "none"

    @property
    def single(self) -> bool:
        """Whether the term has one weight and no label."""
        return self.labels == ("",)

    @property
    def numbered(self) -> bool:
        """Whether the labels are 0, 1, 2 …"""
        return self.labels == tuple(map(str, range(len(self.labels))))

    @cached_property
    def squares(self) -> tuple[int, ...] | None:
        """Which label each square (a1 = 0) belongs to, -1 for none; None if the labels are no squares."""
        return squares_of(self.labels)

    def arranged(self, orientation: str) -> tuple[Pair, ...]:
        """The pairs in the order a program indexes them: boards padded with zeros to 64 squares."""
        if self.squares is None:
            return self.pairs
        order = square_order(orientation)
        return tuple(
            self.pairs[column] if column >= 0 else (0, 0) for column in (self.squares[s] for s in order)
        )


def tables_of(weights: Weights) -> tuple[Table, ...]:
    """One table a term, in the order of the evaluation.

    A term split by the side to move has two: `term_own` for the side to move, `term_opponent`.
    """
    return tuple(
        table
        for (term, labels), taper in zip(weights.layout.terms, weights.layout.tapers, strict=True)
        for table in _of_term(term, taper, labels, weights.of_term(term).tolist())
    )


def _of_term(term: str, taper: str, labels: tuple[str, ...], pairs: list[list[int]]) -> Iterator[Table]:
    values = tuple((mg, eg) for mg, eg in pairs)
    half = len(labels) // 2
    sides = [side for side in SPLIT_SIDES for _ in range(half)]
    if [label.partition(", ")[0] for label in labels] != sides:
        yield Table(term, taper, labels, values)
        return
    for side, start in zip(SPLIT_SIDES, (0, half), strict=True):
        inner = tuple(label.partition(", ")[2] for label in labels[start : start + half])
        yield Table(f"{term}_{side}", taper, inner, values[start : start + half])


def square_order(orientation: str) -> tuple[int, ...]:
    """The squares (a1 = 0) in the order in which a board table holds them."""
    return tuple(square ^ 56 if orientation == "a8" else square for square in range(64))


def squares_of(labels: Sequence[str]) -> tuple[int, ...] | None:
    """The label of each square from labels like `e4` or, with files folded, `a/h2`; None for other labels."""
    found = [-1] * 64
    for column, label in enumerate(labels):
        match = _SQUARE.fullmatch(label)
        if not match:
            return None
        for file in filter(None, match.group(1, 2)):
            found[8 * (int(match[3]) - 1) + "abcdefgh".index(file)] = column
    return tuple(found)
