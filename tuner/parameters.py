"""Parameters: the free numbers of a fit, and how they fill the (mg, eg) table of weights.

A weight is free, tied to another (an untapered term has one number for both phases), or fixed: frozen
by the user, in a phase the term does not use, or in a column no position has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError, UnknownName
from evalcore.weights import Layout, Weights, shown

Floats = NDArray[np.float64]

UNSEEN, FROZEN, UNUSED = "unseen", "frozen", "unused"


@dataclass(frozen=True, eq=False)
class Parameters:
    """`owner` (width, 2): the free number behind each weight, -1 for fixed ones; `base`: the start.

    `flags` (width, 2) says why a weight is fixed ("" where it is free).
    """

    layout: Layout
    base: Floats
    owner: NDArray[np.int64]
    flags: NDArray[np.str_]

    @property
    def size(self) -> int:
        """How many numbers are free."""
        return int(self.owner.max()) + 1 if self.owner.size else 0

    @property
    def start(self) -> Floats:
        """The free numbers of the starting weights (size,)."""
        return self.gather(self.base)

    def gather(self, table: Floats) -> Floats:
        """The free numbers of a table of weights; of tied weights, the first."""
        free = np.zeros(self.size)
        order = self._free[::-1]  # so that the first of several tied weights is written last
        free[self.owner.ravel()[order]] = table.ravel()[order]
        return free

    def table(self, free: Floats) -> Floats:
        """Weights (width, 2) of free numbers (size,)."""
        out = self.base.ravel().copy()
        out[self._free] = free[self.owner.ravel()[self._free]]
        return out.reshape(self.base.shape)

    def direction(self, free: Floats) -> Floats:
        """A change of the free numbers as a change of the table: fixed weights do not move."""
        out = np.zeros(self.base.size)
        out[self._free] = free[self.owner.ravel()[self._free]]
        return out.reshape(self.base.shape)

    def pull_back(self, gradient: Floats) -> Floats:
        """Gradient by the free numbers of a gradient by the table."""
        owners = self.owner.ravel()[self._free]
        out: Floats = np.bincount(owners, gradient.ravel()[self._free], minlength=self.size).astype(float)
        return out

    def pull_back_matrix(self, matrix: Floats) -> Floats:
        """(size, size) of a (2·width, 2·width) matrix, tied rows and columns added up."""
        kept = matrix[np.ix_(self._free, self._free)]
        owners = self.owner.ravel()[self._free]
        if len(owners) == self.size and (np.diff(owners) == 1).all():
            return kept
        out = np.zeros((self.size, self.size))
        np.add.at(out, (owners[:, None], owners[None, :]), kept)
        return out

    def of_terms(self) -> dict[str, NDArray[np.int64]]:
        """Term to the indices of its free numbers, ascending; those tied across terms belong to each."""
        found = {term: np.unique(self.owner[columns]) for term, columns in self.layout.slices.items()}
        return {term: numbers[numbers >= 0] for term, numbers in found.items()}

    def names(self) -> list[str]:
        """A readable name of each free number: `passed_pawn[rank 5].mg`, or without phase where tied."""
        names = [""] * self.size
        for (term, label), owners in zip(self.layout.names, self.owner.tolist(), strict=True):
            tied = owners[0] == owners[1]
            for owner, phase in zip(owners, ("mg", "eg"), strict=True):
                if owner >= 0 and not names[owner]:
                    names[owner] = shown(term, label) + ("" if tied else f".{phase}")
        return names

    @property
    def _free(self) -> NDArray[np.int64]:
        return np.flatnonzero(self.owner.ravel() >= 0)


def make_parameters(
    start: Weights,
    *,
    freeze: Sequence[str] = (),
    occurrences: NDArray[Any] | None = None,
    tie: Sequence[Sequence[str]] = (),
) -> Parameters:
    """Free numbers of an evaluation, in column order, mg before eg.

    `freeze` lists terms (`tempo`, `psqt_*`), weights (`passed_pawn[rank 5]`) or phases (`tempo.eg`); each
    entry of `tie` lists names whose weights are equal, one by one. A column without `occurrences` is fixed,
    unless one tied to it occurs. Raises UnknownName for a name that is not in the layout, and InputError
    for tied names of different size, or of which only some are frozen.
    """
    layout = start.layout
    flags = np.full((len(layout), 2), "", dtype="<U8")
    for term, taper in layout.taper_of.items():
        if taper in ("mg", "eg"):
            flags[layout.columns_of(term), 1 if taper == "mg" else 0] = UNUSED
    for name in (name for pattern in freeze for name in matching(layout, pattern)):
        rows, phases = find_weights(layout, name)
        flags[rows, phases] = FROZEN
    leader = _leaders(layout, flags, tie)
    if occurrences is not None:
        seen = np.zeros(flags.size, bool)
        np.logical_or.at(seen, leader, np.repeat(np.asarray(occurrences) > 0, 2))
        flags[(flags == "") & ~seen[leader].reshape(flags.shape)] = UNSEEN
    free = np.flatnonzero(flags.ravel() == "")
    owner = np.full(flags.size, -1, np.int64)
    owner[free] = np.unique(leader[free], return_inverse=True)[1]
    return Parameters(layout, start.values.astype(float), owner.reshape(flags.shape), flags)


def _leaders(layout: Layout, flags: NDArray[np.str_], tie: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    """For every weight, as an index 2·column + phase, the first weight it is tied to: often itself."""
    leader = np.arange(flags.size)
    fixed = flags.ravel() != ""

    def join(first: int, second: int) -> None:
        low, high = sorted((int(leader[first]), int(leader[second])))
        leader[leader == high] = low

    for term, taper in layout.taper_of.items():
        if taper == "none":
            for column in range(len(layout))[layout.columns_of(term)]:
                if not fixed[2 * column] and not fixed[2 * column + 1]:
                    join(2 * column, 2 * column + 1)
    for names in tie:
        cells = [weight_indices(layout, name) for name in names]
        for name, others in zip(names, cells, strict=True):
            if len(others) != len(cells[0]):
                raise InputError(
                    f"{names[0]} has {len(cells[0])} weights, {name} has {len(others)}: they cannot be tied"
                )
        for together in zip(*(cell.tolist() for cell in cells), strict=True):
            _refuse_half_frozen(layout, flags.ravel(), together)
            free = [cell for cell in together if not fixed[cell]]
            for other in free[1:]:
                join(free[0], other)
    return leader


def _refuse_half_frozen(layout: Layout, flags: NDArray[np.str_], together: Sequence[int]) -> None:
    frozen = [cell for cell in together if flags[cell] == FROZEN]
    if frozen and any(flags[cell] == "" for cell in together):
        name = shown(*layout.names[frozen[0] // 2])
        raise InputError(f"{name} is frozen and tied to what is not: freeze all of the tied weights, or none")


def weight_indices(layout: Layout, name: str) -> NDArray[np.int64]:
    """The weights `find_weights` means, as indices 2·column + phase, in order."""
    rows, phases = find_weights(layout, name)
    return (np.arange(2 * len(layout)).reshape(-1, 2)[rows, phases]).ravel()


def matching(layout: Layout, pattern: str) -> list[str]:
    """The names a pattern stands for: itself, or every term that fits its `*`."""
    if "*" not in pattern:
        weight_indices(layout, pattern)  # raises UnknownName
        return [pattern]
    head, dot, phase = pattern.rpartition(".")
    term = head if dot and phase in ("mg", "eg") else pattern
    found = [name + pattern[len(term) :] for name, _ in layout.terms if fnmatchcase(name, term)]
    if not found:
        raise UnknownName("term", pattern, layout.slices)
    return found


def find_weights(layout: Layout, name: str) -> tuple[slice, slice]:
    """Rows and phases of `term`, `term[label]`, `term.mg` or `term[label].eg`."""
    full, phases = name, slice(0, 2)
    for phase, suffix in enumerate((".mg", ".eg")):
        if name.endswith(suffix):
            name, phases = name[: -len(suffix)], slice(phase, phase + 1)
    term, bracket, label = name.partition("[")
    if not bracket:
        return layout.columns_of(term), phases
    if not label.endswith("]"):
        raise UnknownName("weight", full, (shown(*known) for known in layout.names))
    column = layout[term, label[:-1]]
    return slice(column, column + 1), phases
