"""The last step to whole centipawns: from rounded weights to the best whole ones nearby."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from evalcore.weights import RoundedWeights

from .goals import Goal
from .objectives import DataObjective
from .optimizers import silent
from .optimizers.local_search import LocalSearch
from .parameters import Parameters


def polished(goal: Goal, rounded: RoundedWeights) -> RoundedWeights:
    """Steps of one centipawn, one weight at a time, while what was minimised falls; ties and rules are kept.

    Rounding moves each weight by half a centipawn at most, but those that go together may all be rounded
    the same way; this undoes that. Weights that are not free stay as rounded.
    """
    table = rounded.values.astype(float)
    parameters = replace(goal.parameters, base=table)
    start = parameters.gather(table)
    search = LocalSearch(first_step=1.0, last_step=1.0, whole=True)
    end = search.minimize(_with(goal, parameters), start, rng=np.random.default_rng(0), observe=silent)
    if np.array_equal(end.x, start):
        return rounded
    best = np.rint(parameters.table(end.x)).astype(np.int64)
    return RoundedWeights(rounded.layout, best)


def _with(goal: Goal, parameters: Parameters) -> Goal:
    """The same goal, as a function of other free numbers."""
    if isinstance(goal, DataObjective):
        return replace(goal, parameters=parameters)
    return replace(goal, rows=replace(goal.rows, parameters=parameters))
