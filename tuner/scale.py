"""From centipawns to probabilities: K, its fit, and the conversions from other tools' K.

K is Texel's: `p = 1/(1 + 10^(−K·cp/400))`. Only K times the weights is identified by data, so K is fixed
before weights are fitted.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError

from .losses import Loss

Floats = NDArray[np.float64]

K_SMALLEST, K_LARGEST = 1e-3, 1e2
"""Bounds of the search for K; a best K at a bound means that scores do not predict results."""


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

    Raises InputError where the best K runs away: scores that do not predict the targets drive it to
    zero, scores that separate them perfectly to infinity.
    """
    from scipy.optimize import minimize_scalar

    weight = np.ones(len(scores)) if sample_weight is None else sample_weight
    mean = _mean_loss(np.asarray(scores, float), np.asarray(target, float), loss, weight / weight.sum())
    grid = np.geomspace(K_SMALLEST, K_LARGEST, 26)
    values = [mean(k) for k in grid]
    best = int(np.argmin(values))
    if best in (0, len(grid) - 1):
        found = "0: the scores of the starting weights do not predict the results"
        if best:
            found = "infinity: the scores of the starting weights predict every result"
        raise InputError(f"K runs away to {found}; check the labels' point of view, or set k to a number")
    around = (float(grid[best - 1]), float(grid[best + 1]))
    return float(minimize_scalar(mean, bounds=around, method="bounded", options={"xatol": 1e-10}).x)


def _mean_loss(scores: Floats, target: Floats, loss: Loss, weight: Floats) -> Callable[[float], float]:
    return lambda k: float(weight @ loss.value(slope(k) * scores, target))
