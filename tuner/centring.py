"""Centring: piece-square tables with a mean of zero, and material that means a piece on an average square.

Adding a constant to all squares of a table and taking it from the piece's value changes no score. Of all
weights with the same scores this picks those that can be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError
from evalcore.weights import Layout, Weights

from .objectives import DataObjective
from .parameters import FROZEN, UNUSED, Parameters, matching

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Centred:
    """Weights with the same scores, the tables that were centred, and a sentence about each one asked for."""

    weights: Weights
    tables: tuple[str, ...]
    notes: list[str]


NOTHING = 1e-9
"""Change of a score, in centipawns, that is rounding."""


def partner_of(layout: Layout, table: str) -> str | None:
    """The material term of the piece a table's name holds: `material_knight` of `psqt_knight`."""
    pieces = (f"material_{part}" for part in table.split("_"))
    return next((material for material in pieces if material in layout.slices and material != table), None)


def check_centring(layout: Layout, patterns: Sequence[str]) -> list[str]:
    """The tables to centre. Raises UnknownName, or InputError for names that are no whole terms."""
    tables: list[str] = []
    for pattern in patterns:
        for name in matching(layout, pattern):
            if name not in layout.slices:
                raise InputError(f"centre: {name} is no whole term")
            tables.append(name)
    return list(dict.fromkeys(tables))


def centred(
    weights: Weights, objective: DataObjective, occurrences: NDArray[Any], patterns: Sequence[str]
) -> Centred:
    """The same scores by centred tables, as means over the positions of the objective; and what was done.

    A table is left alone, and named, where moving it would change a score, a frozen weight or a rule.
    """
    layout, values = weights.layout, weights.values.astype(float).copy()
    notes, tables = [], []
    for table in check_centring(layout, patterns):
        moved = values.copy()
        rows, count = layout.columns_of(table), occurrences[layout.columns_of(table)].astype(float)
        mean = count @ moved[rows] / max(count.sum(), 1.0)
        partner = partner_of(layout, table)
        moved[rows] -= mean
        if partner:
            moved[layout.columns_of(partner)] += mean
        reason = _obstacle(objective, values, moved, partner)
        if reason:
            notes.append(f"{table} was not centred: {reason}")
            continue
        values = moved
        tables.append(table)
        where = f" into {partner}" if partner else ""
        notes.append(
            f"{table} was centred by {mean[0]:+.1f} mg and {mean[1]:+.1f} eg{where}, which changes no score"
        )
    return Centred(Weights(layout, values), tuple(tables), notes)


def centring_matrix(parameters: Parameters, occurrences: NDArray[Any], tables: Sequence[str]) -> Floats:
    """(size, size): what the free numbers become when tables are centred, one after the other."""
    out = np.eye(parameters.size)
    for table in tables:
        rows, partner = parameters.layout.columns_of(table), partner_of(parameters.layout, table)
        share = occurrences[rows] / max(occurrences[rows].sum(), 1)
        step, moved = np.eye(parameters.size), np.zeros(parameters.size, bool)
        for phase in range(2):
            own = parameters.owner[rows, phase]
            mean = np.zeros(parameters.size)
            np.add.at(mean, own[own >= 0], share[own >= 0])
            material = parameters.owner[parameters.layout.columns_of(partner), phase] if partner else own[:0]
            for members, change in ((own, -mean), (material, mean)):
                new = np.unique(members[members >= 0])
                new = new[~moved[new]]  # one number may stand for both phases
                step[new] += change
                moved[new] = True
        out = step @ out
    return out


def _obstacle(objective: DataObjective, before: Floats, after: Floats, partner: str | None) -> str:
    """Why a move of weights is not allowed; empty where it is."""
    parameters, move = objective.parameters, after - before
    touched = np.abs(move) > 0.0
    if (parameters.flags[touched] == FROZEN).any():
        return "it or its material is frozen"
    if (parameters.flags[touched] == UNUSED).any():
        return "it and its material are not tapered alike"
    if np.abs(objective.features.scores(move)).max(initial=0.0) > NOTHING:
        what = f"a constant does not go into {partner}" if partner else "a constant in it changes scores"
        return f"{what} in these positions"
    free = parameters.owner >= 0
    if not np.allclose(parameters.table(parameters.gather(after))[free], after[free]):
        return "weights are tied to others"
    constraints = objective.constraints
    if constraints and constraints.broken(parameters.gather(after), 1e-6):
        return "a rule would be broken"
    return ""
