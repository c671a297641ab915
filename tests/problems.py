"""Small problems with known answers: feature matrices typed by hand, simulated results, test functions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.features import Block, FeatureMatrix
from evalcore.weights import Layout, Weights
from tuner.losses import LOSSES, Loss
from tuner.objectives import DataObjective
from tuner.parameters import Parameters, make_parameters

Floats = NDArray[np.float64]


def feature_matrix(
    dense: Any,
    phase: Any,
    *,
    maximum: float = 24.0,
    block_rows: int = 7,
    threads: int | None = 1,
    factors: Any = None,
) -> FeatureMatrix:
    """Counts typed as a dense (rows, width) array, cut into blocks of a few rows."""
    counts = np.asarray(dense, np.int8)
    blocks = []
    for start in range(0, len(counts), block_rows):
        part = counts[start : start + block_rows]
        rows, columns = np.nonzero(part)
        indptr = np.zeros(len(part) + 1, np.int64)
        np.cumsum(np.bincount(rows, minlength=len(part)), out=indptr[1:])
        blocks.append(Block(indptr, columns.astype(np.uint16), part[rows, columns]))
    scale = None if factors is None else np.asarray(factors, np.float32)
    return FeatureMatrix(
        tuple(blocks), np.asarray(phase, np.float32), maximum, counts.shape[1], threads, scale
    )


def layout(**terms: Any) -> Layout:
    """`pawn=1, table=(3, "none")`: number of labels, and a taper where it is not tapered."""
    names, tapers = [], []
    for term, given in terms.items():
        size, taper = given if isinstance(given, tuple) else (given, "tapered")
        names.append((term, ("",) if size == 1 else tuple(str(label) for label in range(size))))
        tapers.append(taper)
    return Layout(tuple(names), tuple(tapers))


def weights(shape: Layout, values: Any = 0.0) -> Weights:
    """One number for every weight, or a (columns, 2) table."""
    return Weights(shape, np.broadcast_to(np.asarray(values, float), (len(shape), 2)).copy())


LOSS_OPTIONS = {"ordinal": {"draw": 0.6}, "huber": {"width": 0.7}}
"""Numbers for the losses that have any."""


def make_loss(name: str) -> Loss:
    """A loss with numbers that are not its defaults."""
    loss: Loss = LOSSES[name](**LOSS_OPTIONS.get(name, {}))
    return loss


def data_objective(
    features: FeatureMatrix,
    target: Any,
    *,
    loss: str = "cross-entropy",
    scale: float = 0.006,
    ridge: float = 0.0,
    parameters: Parameters | None = None,
    start: Any = 0.0,
    row_weight: Any = None,
) -> DataObjective:
    """An objective on typed features; all weights free unless `parameters` are given."""
    free = parameters or make_parameters(weights(layout(term=features.width), start))
    weight = np.ones(len(features)) if row_weight is None else np.asarray(row_weight, float)
    return DataObjective(
        features,
        np.asarray(target, float),
        weight / weight.sum(),
        scale,
        make_loss(loss),
        free,
        np.full(free.size, ridge),
        free.start,
    )


@dataclass(frozen=True, eq=False)
class Planted:
    """Simulated positions whose results were drawn from known weights."""

    features: FeatureMatrix
    result: Floats
    truth: Floats
    scale: float


def planted(rows: int = 4000, width: int = 8, seed: int = 3, block_rows: int = 512) -> Planted:
    """Win, draw or loss drawn so that the expected result is exactly logistic in the score."""
    rng = np.random.default_rng(seed)
    dense = rng.integers(-2, 3, (rows, width)) * (rng.random((rows, width)) < 0.5)
    truth = rng.normal(0.0, 120.0, (width, 2))
    features = feature_matrix(dense, rng.integers(0, 25, rows), block_rows=block_rows)
    scale = 0.006
    p = 1.0 / (1.0 + np.exp(-scale * features.scores(truth)))
    draw = np.minimum(p, 1.0 - p) * 0.8  # win = p - draw/2, loss = 1 - p - draw/2
    u = rng.random(rows)
    result = np.where(u < p - draw / 2, 1.0, np.where(u < p + draw / 2, 0.5, 0.0))
    return Planted(features, result, truth, scale)


def numeric_gradient(value: Callable[[Floats], float], x: Floats, step: float = 1e-4) -> Floats:
    """Central differences of the fourth order."""
    out = np.zeros_like(x)
    for index in range(len(x)):
        unit = np.zeros_like(x)
        unit[index] = step
        near = value(x + unit) - value(x - unit)
        far = value(x + 2 * unit) - value(x - 2 * unit)
        out[index] = (8.0 * near - far) / (12.0 * step)
    return out
