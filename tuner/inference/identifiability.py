"""What the data cannot tell apart: null directions, duplicate and collinear columns, unseen weights.

A null direction is a change of several weights that changes no score: one more for the knight and one
less for each square of its table. Along it the prior decides, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from evalcore.weights import shown

from ..parameters import UNSEEN, Parameters
from .errors import SHOW, Uncertainty, inverted
from .rank import null_space, unit_diagonal

Floats = NDArray[np.float64]

NEGLIGIBLE = 1e-6
"""Coefficient of a direction under which a weight does not take part in it."""
COLLINEAR = 0.95
"""Correlation of two columns that is worth a mention."""


@dataclass(frozen=True)
class NullDirection:
    """A change of weights (name -> amount) that changes no score; `text` puts whole tables into words."""

    text: str
    amounts: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Identifiability:
    """What is determined by the data alone; pairs are names with the correlation of their columns.

    `inflation` (size,) is the variance inflation factor of each free number: how many times larger its
    variance is than if its column were unrelated to all others; infinite in a null direction.
    """

    size: int
    rank: int
    null_directions: tuple[NullDirection, ...]
    redundant: NDArray[np.bool_]
    inflation: Floats
    duplicates: tuple[tuple[str, str, float], ...]
    collinear: tuple[tuple[str, str, float], ...]
    unseen: tuple[str, ...]

    @property
    def nullity(self) -> int:
        """Free numbers less the rank: directions in which the prior decides."""
        return self.size - self.rank

    def summary(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "free": self.size,
            "rank": self.rank,
            "nullity": self.nullity,
            "null_directions": [
                {"text": each.text, "amounts": dict(each.amounts)} for each in self.null_directions
            ],
            "duplicates": [list(pair) for pair in self.duplicates],
            "collinear": [list(pair) for pair in self.collinear],
            "unseen": list(self.unseen),
        }


def identifiability(found: Uncertainty) -> Identifiability:
    """Null directions, collinearity and unseen weights of a fit."""
    found.require_curvature()
    with threadpool_limits(1, "blas"):
        scaled, size = unit_diagonal(found.information)
        null = null_space(scaled) / size
        null /= np.abs(null).max(axis=1, keepdims=True, initial=1e-300)
        redundant: NDArray[np.bool_] = np.any(np.abs(null) > NEGLIGIBLE, axis=0)
        inflation = np.maximum(np.diag(inverted(scaled, SHOW)), 1.0)
    inflation[redundant] = np.inf
    names = found.parameters.names()
    pairs = list(_correlated(scaled, names))
    return Identifiability(
        len(names),
        len(names) - len(null),
        tuple(_direction(row, found.parameters, names) for row in null[_reading_order(null)]),
        redundant,
        inflation,
        tuple(pair for pair in pairs if abs(pair[2]) > 1.0 - NEGLIGIBLE),
        tuple(pair for pair in pairs if abs(pair[2]) <= 1.0 - NEGLIGIBLE),
        tuple(_unseen(found.parameters)),
    )


def _reading_order(null: Floats) -> NDArray[np.int64]:
    """Directions by their first weight, as the evaluation lists them."""
    return np.argsort((np.abs(null) > NEGLIGIBLE).argmax(axis=1), kind="stable")


def _direction(vector: Floats, parameters: Parameters, names: list[str]) -> NullDirection:
    """Amounts in units of the most frequent one; the smallest part comes first and is positive."""
    kept = np.abs(vector) > NEGLIGIBLE
    unit = float(np.median(np.abs(vector[kept])))
    vector = np.where(kept, np.round(vector / unit, 6), 0.0)
    parts = sorted(_parts(vector, parameters), key=lambda part: len(part.members))
    if parts[0].amount < 0:
        vector = -vector
        parts = [replace(part, amount=-part.amount) for part in parts]
    amounts = {names[index]: float(vector[index]) for index in np.flatnonzero(vector)}
    return NullDirection(_sentence(parts), amounts)


@dataclass(frozen=True)
class _Part:
    """Weights (free numbers) that a direction moves by the same amount, and what to call them."""

    amount: float
    members: tuple[int, ...]
    words: str


def _parts(vector: Floats, parameters: Parameters) -> Iterator[_Part]:
    """The weights of each term and phase that move alike."""
    layout = parameters.layout
    done = {-1}
    for term, columns in layout.slices.items():
        labels = [label for _, label in layout.names[columns]]
        for phase, suffix in enumerate((".mg", ".eg")):
            owners = parameters.owner[columns, phase].tolist()
            tied = owners == parameters.owner[columns, 1 - phase].tolist()
            free = {owner: label for owner, label in zip(owners, labels, strict=True) if owner not in done}
            done.update(free)
            for amount in dict.fromkeys(float(vector[owner]) for owner in free if vector[owner]):
                members = tuple(owner for owner in free if vector[owner] == amount)
                words = _words(term, [free[owner] for owner in members], len(free)) + ("" if tied else suffix)
                yield _Part(amount, members, words)


def _words(term: str, labels: list[str], available: int) -> str:
    """`every psqt_rook`, `psqt_rook[a7, b7, c7 … h7]`, or `tempo`."""
    if len(labels) == available and available > 1:
        return f"every {term}"
    if len(labels) > 4:
        labels = [*labels[:3], f"… {labels[-1]}"]
        return shown(term, ", ".join(labels).replace(", …", " …"))
    return shown(term, ", ".join(labels))


def _sentence(parts: list[_Part], most: int = 6) -> str:
    """`+1 material_knight.mg, −1 every psqt_knight.mg`."""
    told = [f"{'+' if part.amount > 0 else '−'}{abs(part.amount):g} {part.words}" for part in parts[:most]]
    return ", ".join(told) + (f" and {len(parts) - most} more" if len(parts) > most else "")


def _correlated(scaled: Floats, names: list[str]) -> Iterator[tuple[str, str, float]]:
    """Pairs of columns with a correlation above COLLINEAR, strongest first."""
    first, second = np.nonzero(np.triu(np.abs(scaled) > COLLINEAR, 1))
    order = np.lexsort((second, first, -np.abs(scaled[first, second])))
    for one, other in zip(first[order], second[order], strict=True):
        yield names[one], names[other], float(np.clip(scaled[one, other], -1.0, 1.0))


def _unseen(parameters: Parameters) -> Iterator[str]:
    for column in np.flatnonzero((parameters.flags == UNSEEN).any(axis=1)):
        yield shown(*parameters.layout.names[column])
