"""Where a score comes from: one row a term, adding up to the score before scaling, and what scales it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .evaluation import Evaluation
from .positions import Positions
from .side import Side, sides
from .weights import Weights

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TermShare:
    """A term's part of a score, in centipawns.

    `white` and `black` are each side's own tapered value (both positive when good for that side), `mg` and
    `eg` White's minus Black's before the taper, `total` the contribution to the score, White's view.
    """

    term: str
    white: float
    black: float
    mg: float
    eg: float
    total: float


@dataclass(frozen=True)
class Scaled:
    """A scaling rule that applies to the side ahead: which case, and its factor."""

    rule: str
    case: str
    factor: float


@dataclass(frozen=True)
class Explanation:
    """All terms in the order of the evaluation, the phase (0 … maximum), and the scaling rules that apply."""

    terms: tuple[TermShare, ...]
    phase: float
    phase_maximum: float
    scaling: tuple[Scaled, ...] = ()

    @property
    def total(self) -> TermShare:
        """The sum of all terms."""
        sums = np.array([[t.white, t.black, t.mg, t.eg, t.total] for t in self.terms]).sum(axis=0)
        return TermShare("total", *sums.tolist())

    @property
    def score(self) -> float:
        """The total times the smallest factor, White's view."""
        return self.total.total * min((scaled.factor for scaled in self.scaling), default=1.0)


def explain(evaluation: Evaluation, positions: Positions, weights: Weights, row: int = 0) -> Explanation:
    """The score of one row, term by term."""
    counts = np.stack(evaluation.counts(positions, row)).astype(float)
    phase = float(evaluation.phases(positions.select(slice(row, row + 1)))[0])
    share = np.array([phase, evaluation.phase.maximum - phase]) / evaluation.phase.maximum
    terms = tuple(
        _share(term, counts[:, columns] @ weights.values[columns].astype(float), share)
        for term, columns in evaluation.layout.slices.items()
    )
    white_ahead = sum(share.total for share in terms) >= 0
    scaling = tuple(_scaled(evaluation, sides(positions, row)[0 if white_ahead else 1]))
    return Explanation(terms, phase, evaluation.phase.maximum, scaling)


def _scaled(evaluation: Evaluation, us: Side) -> Iterator[Scaled]:
    """The rules that apply to the side ahead."""
    for rule in evaluation.scaling:
        answer = rule.rule(us)
        if answer > 0:
            yield Scaled(rule.name, rule.cases[answer - 1], rule.factors[answer - 1])


def _share(term: str, values: Floats, share: Floats) -> TermShare:
    """`values` (White and Black, mg and eg) of one term."""
    white, black = values @ share
    mg, eg = values[0] - values[1]
    return TermShare(term, float(white), float(black), float(mg), float(eg), float(white - black))
