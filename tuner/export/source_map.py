"""The map of an engine's source: which numbers of the file are which weights, as a TOML file.

squares = "a8"                      # the first square of the engine's boards

[[patch]]
term = "psqt_knight"                # all weights of a term
identifier = "KnightPSQT"           # the constant or array that holds them: S(mg, eg), (mg, eg) or mg, eg

[[patch]]
term = "passed_pawn"                # an engine with a table for each phase has a patch for each
phase = "mg"
identifier = "passed_mg"
weights = [1, "passed_pawn", 1]     # instead of `term`: leave 1 number, the 6 weights, leave 1 number

[[patch]]
weights = ["material_pawn", "material_knight", "material_bishop", "material_rook", "material_queen", 2]
marker = "tune: piece values"       # a comment before the numbers, where no identifier is unique

[[patch]]
weights = ["isolated_pawn[file a/h].eg"]
identifier = "ISOLATED_ROOK_PAWN_ENDGAME"
negate = true                       # the engine subtracts it
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, model_validator

from evalcore.errors import InputError
from evalcore.weights import RoundedWeights, shown

from .base import INT16
from .tables import square_order, squares_of

Value = int | None
"""A weight for a number of the source, or None for a number that stays as it is."""

Slot = StrictStr | Annotated[StrictInt, Field(ge=1)]
"""`term`, `term[label]`, either with `.mg` or `.eg` behind and a minus sign in front; or how many numbers to
leave as they are."""

Squares = Literal["a8", "a1"]

_SLOT = re.compile(r"(?P<minus>-?)(?P<term>[^\[\]]+?)(?:\[(?P<label>[^\[\]]*)\])?(?:\.(?P<phase>mg|eg))?")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PatchEntry(_Strict):
    """`[[patch]]`: some weights, and where their numbers stand.

    term         all weights of one term, in the order of its labels
    weights      instead: names of terms or weights and counts of numbers to leave, in the source's order
    identifier   the constant, array, field (`.name`) or macro that is given the numbers
    marker       instead: the text of a comment in front of the numbers
    phase        mg or eg: one number a weight. Without it a tapered weight is two numbers, mg before eg, and
                 any other weight one number (or two, where the source has twice as many)
    squares      a8 or a1: the first square of a board; a board of 64 numbers keeps those a term has no square
                 for (the first and last rank of pawns)
    negate       the source holds the numbers with the other sign
    """

    term: str | None = None
    weights: list[Slot] | None = None
    identifier: str | None = None
    marker: str | None = None
    phase: Literal["mg", "eg"] | None = None
    squares: Squares | None = None
    negate: bool = False

    @model_validator(mode="after")
    def _one_of_each(self) -> PatchEntry:
        if bool(self.term) == bool(self.weights):
            raise ValueError("needs a term or weights, and not both")
        if bool(self.identifier) == bool(self.marker):
            raise ValueError("needs an identifier or a marker, and not both")
        return self

    @property
    def slots(self) -> Sequence[Slot]:
        """What the numbers are, in order."""
        return self.weights or [self.term or ""]

    @property
    def place(self) -> str:
        """Where the numbers stand, for messages."""
        return self.identifier or f"the marker {self.marker!r}"


class SourceMap(_Strict):
    """A whole map; `squares` holds for every patch that does not say otherwise."""

    squares: Squares | None = None
    patch: Annotated[list[PatchEntry], Field(min_length=1)]

    def squares_of(self, entry: PatchEntry) -> Squares | None:
        """The first square of the boards of one entry."""
        return entry.squares or self.squares


@dataclass(frozen=True)
class _Shape:
    """One way in which a source may lay out weights: boards of 64, and two numbers a weight."""

    padded: bool
    doubled: bool


SHAPES = tuple(_Shape(padded, doubled) for padded, doubled in product((True, False), (False, True)))


def values_for(
    entry: PatchEntry, squares: Squares | None, weights: RoundedWeights, count: int
) -> list[Value]:
    """What the `count` numbers at the place of an entry become.

    Raises UnknownName for a weight the evaluation does not have, InputError where the numbers cannot be these
    weights: another count, no word on the order of squares, a pair that does not fit into 16 bits.
    """
    found = [list(_values(entry, squares, weights, shape)) for shape in SHAPES]
    fitting = [values for values in found if len(values) == count]
    if not fitting:
        counts = " or ".join(map(str, sorted({len(values) for values in found})))
        hint = "" if entry.phase else '; phase = "mg" or "eg" means one number a weight'
        raise InputError(f"{entry.place} holds {count} numbers, expected {counts} for {_named(entry)}{hint}")
    if any(values != fitting[0] for values in fitting):
        raise InputError(
            f"{entry.place}: {count} numbers fit {_named(entry)} in two ways; say which phase they are"
        )
    return [-value if entry.negate and value is not None else value for value in fitting[0]]


def _named(entry: PatchEntry) -> str:
    return ", ".join(str(slot) for slot in entry.slots)


def _values(
    entry: PatchEntry, squares: Squares | None, weights: RoundedWeights, shape: _Shape
) -> Iterator[Value]:
    for slot in entry.slots:
        if isinstance(slot, int):
            yield from [None] * slot
            continue
        term, columns, phase, sign = _columns(slot, squares, weights, shape.padded)
        chosen = phase or entry.phase
        taper = weights.layout.taper_of[term]
        phases = [chosen] if chosen else _phases(taper, shape.doubled)
        for column in columns:
            for name in phases:
                yield None if column is None else sign * _weight(weights, column, name, len(phases) > 1)


def _phases(taper: str, doubled: bool) -> list[str]:
    if taper == "tapered" or doubled:
        return ["mg", "eg"]
    return ["eg" if taper == "eg" else "mg"]


def _weight(weights: RoundedWeights, column: int, phase: str, paired: bool) -> int:
    value = int(weights.values[column, ("mg", "eg").index(phase)])
    if paired and not INT16[0] <= value <= INT16[1]:
        name = shown(*weights.layout.names[column])
        raise InputError(f"{name} has the {phase} weight {value}; a pair holds {INT16[0]} … {INT16[1]}")
    return value


def _columns(
    slot: str, squares: Squares | None, weights: RoundedWeights, padded: bool
) -> tuple[str, list[int | None], str | None, int]:
    """(term, columns in the order of the source, phase, sign) of a slot; None: a square without a column."""
    match = _SLOT.fullmatch(slot)
    if not match:
        raise InputError(f"{slot!r} names no weight: expected term, term[label], term.mg or term[label].mg")
    term, label, phase = match.group("term", "label", "phase")
    sign = -1 if match["minus"] else 1
    if label is not None:
        return term, [weights.layout[term, label]], phase, sign
    span = weights.layout.columns_of(term)
    labels = [name[1] for name in weights.layout.names[span]]
    order = _order(term, labels, squares, padded)
    return term, [None if label is None else span.start + label for label in order], phase, sign


def _order(term: str, labels: Sequence[str], squares: Squares | None, padded: bool) -> Sequence[int | None]:
    """The labels in the order of the source: as they are, or by square."""
    board = squares_of(labels)
    if board is None:
        return range(len(labels))
    if squares is None:
        raise InputError(
            f'{term} is a board: say squares = "a8" or squares = "a1" for the order of its squares'
        )
    order = [board[square] for square in square_order(squares)]
    if not padded:
        return [label for label in dict.fromkeys(order) if label >= 0]
    return [label if label >= 0 else None for label in order]


def unmapped(entries: Sequence[PatchEntry], weights: RoundedWeights) -> tuple[str, ...]:
    """The terms of which no weight is in the map."""
    slots = [_SLOT.fullmatch(slot) for entry in entries for slot in entry.slots if isinstance(slot, str)]
    named = {match["term"] for match in slots if match}
    return tuple(term for term, _ in weights.layout.terms if term not in named)
