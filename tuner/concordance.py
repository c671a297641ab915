"""Ordinal concordance (Kendall's τ): how many pairs of positions an evaluation puts in the right order.

Gomboc, Buro and Marsland (2005) maximise it between an evaluation and an expert's assessments, in which the
scale does not matter at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.compiled import kernel

from .constraints import Constraints
from .objectives import DataObjective
from .parameters import Parameters

Floats = NDArray[np.float64]


class Concordance(NamedTuple):
    """Counts of pairs: in the same order, in opposite order, with equal scores, with equal targets."""

    concordant: int
    discordant: int
    equal_scores: int
    equal_targets: int
    pairs: int

    @property
    def tau_a(self) -> float:
        """`(concordant − discordant)/pairs`: Gomboc's measure."""
        return (self.concordant - self.discordant) / self.pairs if self.pairs else 0.0

    @property
    def tau_b(self) -> float:
        """The same, over the geometric mean of the pairs that are no ties; 1 for a perfect order."""
        scores, targets = self.pairs - self.equal_scores, self.pairs - self.equal_targets
        both = float(np.sqrt(float(scores) * float(targets)))
        return (self.concordant - self.discordant) / both if both else 0.0


def concordance(scores: Floats, target: Floats) -> Concordance:
    """Counts over all pairs of rows, in O(n·log n)."""
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    ranks = np.unique(target, return_inverse=True)[1][order].astype(np.int64)
    ends = np.append(np.flatnonzero(np.diff(ordered) != 0.0) + 1, len(ordered))
    concordant, discordant = count_pairs(ranks, ends, int(ranks.max(initial=-1)) + 1)
    sizes = np.diff(np.insert(ends, 0, 0)) if len(ordered) else np.zeros(0, np.int64)
    counts = np.bincount(ranks) if len(ranks) else np.zeros(0, np.int64)
    return Concordance(
        int(concordant),
        int(discordant),
        _pairs_within(sizes),
        _pairs_within(counts),
        _pairs_within([len(scores)]),
    )


def _pairs_within(sizes: Any) -> int:
    return sum(int(size) * (int(size) - 1) // 2 for size in sizes)


@kernel
def count_pairs(ranks: Any, ends: Any, classes: int) -> tuple[int, int]:
    """Pairs in and out of order; `ranks` by ascending score, `ends` where groups of equal scores end."""
    tree = np.zeros(classes + 1, np.int64)  # a Fenwick tree of the ranks seen so far
    concordant = discordant = seen = start = 0
    for end in ends:
        for place in range(start, end):
            below = at_most = 0
            node = ranks[place]
            while node > 0:
                below += tree[node]
                node -= node & -node
            node = ranks[place] + 1
            while node > 0:
                at_most += tree[node]
                node -= node & -node
            concordant += below
            discordant += seen - at_most
        for place in range(start, end):
            node = ranks[place] + 1
            while node <= classes:
                tree[node] += 1
                node += node & -node
        seen += end - start
        start = end
    return concordant, discordant


@dataclass(frozen=True, eq=False)
class ConcordanceObjective:
    """`(1 − τ_b)/2` between scores and targets, plus the penalties of `rows`; it has no gradient."""

    rows: DataObjective

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def size(self) -> int:
        return self.rows.size

    @property
    def parameters(self) -> Parameters:
        return self.rows.parameters

    @property
    def constraints(self) -> Constraints | None:
        return self.rows.constraints

    def penalty(self, x: Floats) -> float:
        """The price of the weights, kinked penalties included."""
        return self.rows.penalty(x)

    def data_loss(self, x: Floats) -> float:
        """Half of what τ_b lacks of 1, without the penalty."""
        scores = self.rows.features.scores(self.parameters.table(x))
        return 0.5 * (1.0 - concordance(scores, self.rows.target).tau_b)

    def value(self, x: Floats) -> float:
        """The measure and all penalties."""
        return self.data_loss(x) + self.penalty(x)
