"""From centipawns to probabilities: K, its fit, and the conversions from other tools' K.

K is Texel's: `p = 1/(1 + 10^(−K·cp/400))`. Only K times the weights is identified by data, so K is fixed
before weights are fitted.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError

from .losses import Loss, Ordinal, outcome_shares

Floats = NDArray[np.float64]

K_SMALLEST, K_LARGEST = 1e-3, 1e2
"""Bounds of the search for K; a best K at a bound means that scores do not predict results."""
GRID_POINTS, SEARCH_ROWS = 26, 20_000
STRETCH = 1.5
"""Factor by which the bracket of K grows where all rows disagree with the searched ones."""


def slope(k: float) -> float:
    """Derivative of the log-odds by the score, per centipawn: K·ln 10/400."""
    return k * math.log(10.0) / 400.0


def k_from_base_e(k: float) -> float:
    """Our K from that of tools that write `1/(1 + exp(−K·cp/400))` (Ethereal, Weiss, texel-tuner)."""
    return k / math.log(10.0)


def centipawns_at(probability: float, k: float) -> float:
    """The score at which the expected result is `probability`."""
    return 400.0 * math.log10(probability / (1.0 - probability)) / k


def win_probability(scores: Any, k: float) -> Floats:
    """Expected result of scores in centipawns, White's view."""
    from scipy.special import expit

    return expit(slope(k) * np.asarray(scores, float))


def fit_k(scores: Floats, target: Floats, loss: Loss, sample_weight: Floats | None = None) -> float:
    """The K of least mean loss for given scores (rows,) and targets in 0 … 1 (rows,).

    A grid on some of the rows brackets the minimum; on all rows it is where the derivative is zero, which
    fixes it to the last digits, where values of the loss alone would give half of them.
    Raises InputError where the best K runs away: scores that do not predict the targets drive it to
    zero, scores that separate them perfectly to infinity.
    """
    from scipy.optimize import brentq

    scores, target = np.asarray(scores, float), np.asarray(target, float)
    if not scores.any():
        raise InputError(
            "K cannot be fitted to scores that are all zero: give the evaluation material values to start"
            " from, or set k to a number (1 is the usual meaning of a centipawn)"
        )
    weight = np.ones(len(scores)) if sample_weight is None else np.asarray(sample_weight, float)
    derivative = _derivative(scores, target, loss, weight)
    low, high = _bracket(scores, target, loss, weight)
    while derivative(low) >= 0.0:
        high, low = low, low / STRETCH
        if low < K_SMALLEST:
            raise InputError(_runs_away("0: the scores of the starting weights do not predict the results"))
    while derivative(high) <= 0.0:
        low, high = high, high * STRETCH
        if high > K_LARGEST:
            raise InputError(_runs_away("infinity: the scores of the starting weights predict every result"))
    return float(brentq(derivative, low, high, xtol=1e-300, rtol=1e-14))


def fit_scale(
    scores: Floats,
    target: Floats,
    loss: Loss,
    sample_weight: Floats | None = None,
    k: float | None = None,
) -> tuple[float, Loss]:
    """K unless given, and the loss with the numbers that belong to K: the drawn zone of the ordinal loss.

    Raises InputError as `fit_k` does, and where the data have no draws for that zone.
    """
    if not isinstance(loss, Ordinal) or loss.draw is not None:
        return k or fit_k(scores, target, loss, sample_weight), loss
    weight = np.ones(len(scores)) if sample_weight is None else np.asarray(sample_weight, float)
    drawn = float(weight @ outcome_shares(target)[1] / weight.sum())
    if drawn == 0.0:
        raise InputError("the ordinal loss is about draws, but the data have none; use cross-entropy")
    draw = 2.0 * math.atanh(min(drawn, 0.999))  # the zone if all scores were even
    first = k or fit_k(scores, target, replace(loss, draw=draw), weight)
    scores, target, weight = np.asarray(scores, float), np.asarray(target, float), weight / weight.sum()
    found, draw = _fit_draw(scores, target, loss, weight, first, draw, moves_k=k is None)
    return found, replace(loss, draw=draw)


def _fit_draw(
    scores: Floats, target: Floats, loss: Ordinal, weight: Floats, k: float, draw: float, *, moves_k: bool
) -> tuple[float, float]:
    """K and the drawn zone together, in logarithms: a convex problem but for the change of variables."""
    from scipy import optimize

    def both(logs: Floats) -> tuple[float, Floats]:
        at, z = replace(loss, draw=math.exp(logs[1])), math.exp(logs[0]) * scores
        by_k = float((weight * scores) @ at.gradient(z, target)) * math.exp(logs[0])
        by_draw = float(weight @ at.by_draw(z, target)) * math.exp(logs[1])
        return float(weight @ at.value(z, target)), np.array([by_k if moves_k else 0.0, by_draw])

    start = np.log([slope(k), draw])
    found = optimize.minimize(both, start, jac=True, method="BFGS", options={"gtol": 1e-12})
    return math.exp(found.x[0]) / slope(1.0) if moves_k else k, math.exp(found.x[1])


def _bracket(scores: Floats, target: Floats, loss: Loss, weight: Floats) -> tuple[float, float]:
    """Two neighbours of the best K of a grid, by the loss of at most `SEARCH_ROWS` evenly spaced rows."""
    some = slice(None, None, max(1, len(scores) // SEARCH_ROWS))
    mean = _mean_loss(scores[some], target[some], loss, weight[some])
    grid = np.geomspace(K_SMALLEST, K_LARGEST, GRID_POINTS)
    best = int(np.argmin([mean(k) for k in grid]))
    return float(grid[max(best - 1, 0)]), float(grid[min(best + 1, GRID_POINTS - 1)])


def _runs_away(found: str) -> str:
    return f"K runs away to {found}; check the labels' point of view, or set k to a number"


def _mean_loss(scores: Floats, target: Floats, loss: Loss, weight: Floats) -> Callable[[float], float]:
    return lambda k: float(weight @ loss.value(slope(k) * scores, target))


def _derivative(scores: Floats, target: Floats, loss: Loss, weight: Floats) -> Callable[[float], float]:
    """The derivative of the summed loss by K, but for a constant factor."""
    moment = weight * scores
    return lambda k: float(moment @ loss.gradient(slope(k) * scores, target))
