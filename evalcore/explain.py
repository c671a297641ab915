"""Where a score comes from: one row a term, adding up to the score of the evaluation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .evaluation import Evaluation
from .positions import Positions
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
class Explanation:
    """All terms in the order of the evaluation, the phase (0 … maximum), and their sum."""

    terms: tuple[TermShare, ...]
    phase: float
    phase_maximum: float

    @property
    def total(self) -> TermShare:
        """The sum of all terms."""
        sums = np.array([[t.white, t.black, t.mg, t.eg, t.total] for t in self.terms]).sum(axis=0)
        return TermShare("total", *sums.tolist())


def explain(evaluation: Evaluation, positions: Positions, weights: Weights, row: int = 0) -> Explanation:
    """The score of one row, term by term."""
    counts = np.stack(evaluation.counts(positions, row)).astype(float)
    phase = float(evaluation.phases(positions.select(slice(row, row + 1)))[0])
    share = np.array([phase, evaluation.phase.maximum - phase]) / evaluation.phase.maximum
    terms = tuple(
        _share(term, counts[:, columns] @ weights.values[columns].astype(float), share)
        for term, columns in evaluation.layout.slices.items()
    )
    return Explanation(terms, phase, evaluation.phase.maximum)


def _share(term: str, values: Floats, share: Floats) -> TermShare:
    """`values` (White and Black, mg and eg) of one term."""
    white, black = values @ share
    mg, eg = values[0] - values[1]
    return TermShare(term, float(white), float(black), float(mg), float(eg), float(white - black))
