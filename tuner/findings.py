"""What a fit has to say about itself: what holds its weights, numbers of its loss, labels it separates."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .losses import SCORES, Ordinal
from .objectives import DataObjective
from .optimizers import Minimum
from .rules import held_notes
from .scale import slope

SMALL_K, LARGE_K = 0.05, 20.0
"""A fitted K outside of these means that something is wrong with the labels or with the starting weights."""
LARGEST_WEIGHT = 3000.0
"""Centipawns beyond which a weight is no value but a division by almost nothing."""
LARGEST_FREE_WEIGHT = 1500.0
"""The same for weights without a ridge: more than any piece is worth, and nothing was there to stop them."""


def findings(objective: DataObjective, minimum: Minimum, *, fitted_k: bool = False) -> Iterator[str]:
    """Sentences for the notes of a summary; `fitted_k` says that K was found, not given."""
    if minimum.gap != minimum.gap:
        yield f"how far the optimum is cannot be told without gradients: {minimum.message}"
    elif not minimum.converged:
        yield f"the fit did not reach the optimum: {minimum.message}"
    yield from held_notes(objective.constraints, minimum.x, objective.parameters.names())
    if isinstance(objective.loss, Ordinal) and objective.loss.draw is not None:
        zone = objective.loss.draw / objective.scale
        yield (
            f"the drawn zone of the ordinal loss is {objective.loss.draw:.4f} log-odds, {zone:.0f} cp to"
            " either side"
        )
    if fitted_k and objective.loss.compares != SCORES:
        yield from extreme_scale(objective.scale / slope(1.0))
    yield from _runaways(objective, minimum)
    if separated(objective, minimum):
        yield (
            "the weights separate all won from all lost positions: nothing but a penalty keeps them from"
            " growing for ever, so add positions, or a ridge"
        )


def extreme_scale(k: float) -> Iterator[str]:
    """A word about a fitted K far from that of any evaluation in centipawns, which lies about 1."""
    if k < SMALL_K:
        yield (
            f"K is {k:.2g}: the scores of the starting weights hardly predict the results, so check the"
            " labels and their point of view"
        )
    elif k > LARGE_K:
        yield (
            f"K is {k:.3g}: the scores of the starting weights decide nearly every result, so check whether"
            " the labels were made from them, or the weights are pawns instead of centipawns"
        )


def _runaways(objective: DataObjective, minimum: Minimum) -> Iterator[str]:
    """Names weights that are worth more than any piece: what pulled them there knows no bound."""
    priced = objective.ridge > 0.0
    for limit, chosen in ((LARGEST_WEIGHT, np.ones_like(priced)), (LARGEST_FREE_WEIGHT, ~priced)):
        far = chosen & (np.abs(minimum.x) > limit)
        far &= np.abs(minimum.x - objective.parameters.start) > limit / 2.0
        names = [objective.parameters.names()[index] for index in np.flatnonzero(far)]
        if names:
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            yield (
                f"weights ran away beyond {limit / 100.0:.0f} pawns: {', '.join(names[:3])}{more};"
                " positions that have them nearly all ended alike, so only a ridge or a bound can hold them"
            )
            return


def separated(objective: DataObjective, minimum: Minimum) -> bool:
    """Whether the fitted scores have the right sign for every result, and no result is a draw."""
    if objective.loss.compares == SCORES:
        return False
    won = objective.target - 0.5
    scores = objective.features.scores(objective.parameters.table(minimum.x))
    return bool((won * scores > 0.0).all())
