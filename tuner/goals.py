"""What a job minimises: the loss over labels, or an objective over the order of positions or moves.

Other goals than labels keep the labels' objective beside them: K, the prices of weights and the losses that
are reported come from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.evaluation import Evaluation
from evalcore.positions import Positions

from .comparison import WHOLE_GAMES, siblings
from .concordance import ConcordanceObjective
from .objectives import DataObjective
from .pairs import PairObjective, ranking

Rows = NDArray[np.int64]
Goal = DataObjective | PairObjective | ConcordanceObjective


@dataclass(frozen=True, eq=False)
class Part:
    """The rows of one part of the data, training or validation, with the labels' objective on them."""

    evaluation: Evaluation
    positions: Positions
    rows: Rows
    labels: DataObjective
    pairs: int
    threads: int | None
    seed: int

    @property
    def rng(self) -> np.random.Generator:
        """A generator of its own: pairs do not depend on what else is drawn."""
        return np.random.default_rng([self.seed, 2])


def labels(part: Part) -> DataObjective:
    """The loss against results or scores."""
    return part.labels


def rank_positions(part: Part) -> PairObjective:
    """Each position against some others with another label: the smooth form of concordance."""
    return ranking(part.labels, part.pairs, part.rng)


def concord(part: Part) -> ConcordanceObjective:
    """Kendall's τ itself, for methods without gradients."""
    return ConcordanceObjective(part.labels)


def compare_moves(part: Part) -> PairObjective:
    """The move that was played against some that were not."""
    found = siblings(part.positions, part.rows, part.pairs, part.rng)
    features = part.evaluation.extract(found.positions, threads=part.threads)
    count = len(found.positions)
    rows = replace(
        part.labels, features=features, target=np.full(count, 0.5), row_weight=np.full(count, 1.0 / count)
    )
    weight = np.full(len(found.better), 1.0 / len(found.better))
    return PairObjective(rows, found.better, found.worse, weight)


GOALS: Mapping[str, Callable[[Part], Goal]] = {
    "labels": labels,
    "ranking": rank_positions,
    "concordance": concord,
    "comparison": compare_moves,
}
"""Goals by the name a job uses as `objective`."""


def _too_few(goal: PairObjective) -> Iterator[str]:
    """A word about fits of fewer pairs than weights: the penalty alone decides most of them."""
    if len(goal) < goal.size:
        yield (
            f"{len(goal):,} pairs cannot teach {goal.size:,} weights, so most stay near their prior whatever"
            f" the optimum is; moves are known where the next position of a game is in the data:"
            f" {WHOLE_GAMES}"
        )


def goal_notes(goal: Goal, start: Any, end: Any) -> list[str]:
    """What a goal over pairs or order reached, from the free numbers at the start and at the end."""
    if isinstance(goal, PairObjective):
        before, after = goal.right(start), goal.right(end)
        told = (
            f"of {len(goal):,} pairs the better one has the higher score in {before:.2%} with the starting"
            f" weights, in {after:.2%} with the fitted ones"
        )
        ranked = goal.rows.target.min() < goal.rows.target.max()  # those of moves are all alike
        return [told, *_too_few(goal), *(_taus(goal.rows, start, end) if ranked else [])]
    if isinstance(goal, ConcordanceObjective):
        return _taus(goal.rows, start, end)
    return []


def _taus(rows: DataObjective, start: Any, end: Any) -> list[str]:
    before, after = (1.0 - 2.0 * ConcordanceObjective(rows).data_loss(x) for x in (start, end))
    return [f"Kendall's tau between scores and labels: {before:.4f} before, {after:.4f} after"]
