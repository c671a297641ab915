"""What a fit is asked to predict: results, scores, or a blend of both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError
from evalcore.positions import Positions

from .losses import RESULTS, SCORES, CrossEntropy
from .scale import fit_k, slope, win_probability

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Targets:
    """`rows` that have a target, their `values` in 0 … 1, and the K that turned scores into probabilities."""

    rows: NDArray[np.int64]
    values: Floats
    score_k: float | None
    left_out: int


def make_targets(
    positions: Positions, result_share: float, score_k: float | None = None, compares: str = RESULTS
) -> Targets:
    """`result_share·result + (1 − result_share)·p(score)` where all that is needed is known.

    `score_k` None fits the K of the scores to the results of the same rows. For a loss that compares
    scores, the targets are the scores as log-odds, whatever the share, and a `score_k` of None is 1.
    Raises InputError where no row can be used or every target is the same.
    """
    if compares == SCORES:
        return _score_targets(positions, score_k or 1.0)
    needs_result, needs_score = result_share > 0.0, result_share < 1.0
    usable = np.ones(len(positions), bool)
    if needs_result:
        usable &= np.isfinite(positions.result)
    if needs_score:
        usable &= np.isfinite(positions.score)
    rows = np.flatnonzero(usable)
    if not len(rows):
        what = " and a score" if needs_result and needs_score else ""
        wanted = f"a result{what}" if needs_result else "a score"
        remedy = _with_scores_alone(positions) if needs_result else ""
        raise InputError(
            f"none of the {len(positions):,} positions has {wanted}, so there is nothing to fit to{remedy}"
        )
    result = positions.result[rows].astype(float)
    values = result
    if needs_score:
        score = positions.score[rows].astype(float)
        if score_k is None:
            score_k = _k_of_scores(score, result)
        values = (1.0 - result_share) * win_probability(score, score_k)
        if needs_result:
            values += result_share * result
    _refuse_constant(values)
    return Targets(rows, values, score_k, len(positions) - len(rows))


def _score_targets(positions: Positions, score_k: float) -> Targets:
    rows = np.flatnonzero(np.isfinite(positions.score))
    if not len(rows):
        raise InputError(
            f"none of the {len(positions):,} positions has a score, and this loss compares scores"
        )
    scores = positions.score[rows].astype(float)
    if np.ptp(scores) == 0.0:
        raise InputError(f"all {len(rows):,} scores are {scores[0]:g}: there is nothing to fit to")
    return Targets(rows, slope(score_k) * scores, score_k, len(positions) - len(rows))


def _k_of_scores(score: Floats, result: Floats) -> float:
    known = np.isfinite(result)
    if not known.any():
        raise InputError("no position has a result to fit the K of the scores to; set score_k to a number")
    if np.ptp(result[known]) == 0.0:
        raise InputError(
            f"all {known.sum():,} results are {_named(result[known][0])}, so the K of the scores cannot be"
            " fitted to them: set score_k to a number (1 is the usual meaning of a centipawn)"
        )
    _refuse_constant(result[known])
    return fit_k(score[known], result[known], CrossEntropy())


def _refuse_constant(values: Floats) -> None:
    low, high = float(values.min()), float(values.max())
    if low < 0.0 or high > 1.0:
        raise InputError(f"results must lie in 0 … 1, but {low if low < 0 else high:g} was found")
    if low == high:
        raise InputError(
            f"all {len(values):,} results are {_named(low)}: nothing tells good from bad positions, so"
            " neither K nor any weight can be fitted; add games with other results"
        )


def _named(result: float) -> str:
    return {0.5: "draws", 1.0: "White wins", 0.0: "Black wins"}.get(float(result), f"{result:g}")


def _with_scores_alone(positions: Positions) -> str:
    """What to do with positions that have scores and no results."""
    scored = int(np.isfinite(positions.score).sum())
    if not scored or np.isfinite(positions.result).any():
        return ""
    return f"; {scored:,} have a score: take --loss score-squared, or --result-share 0 with --set score_k=1"
