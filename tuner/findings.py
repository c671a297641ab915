"""What a fit has to say about itself: what holds its weights, numbers of its loss, labels it separates."""

from __future__ import annotations

from collections.abc import Iterator

from .losses import SCORES, Ordinal
from .objectives import DataObjective
from .optimizers import Minimum
from .rules import held_notes


def findings(objective: DataObjective, minimum: Minimum) -> Iterator[str]:
    """Sentences for the notes of a summary."""
    if not minimum.converged:
        yield f"the fit did not reach the optimum: {minimum.message}"
    yield from held_notes(objective.constraints, minimum.x, objective.parameters.names())
    if isinstance(objective.loss, Ordinal) and objective.loss.draw is not None:
        zone = objective.loss.draw / objective.scale
        yield (
            f"the drawn zone of the ordinal loss is {objective.loss.draw:.4f} log-odds, {zone:.0f} cp to"
            " either side"
        )
    if separated(objective, minimum):
        yield (
            "the weights separate all won from all lost positions: only the penalty keeps them from growing"
            " for ever, so add positions, or a ridge"
        )


def separated(objective: DataObjective, minimum: Minimum) -> bool:
    """Whether the fitted scores have the right sign for every result, and no result is a draw."""
    if objective.loss.compares == SCORES:
        return False
    won = objective.target - 0.5
    scores = objective.features.scores(objective.parameters.table(minimum.x))
    return bool((won * scores > 0.0).all())
