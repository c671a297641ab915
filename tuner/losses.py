"""Pointwise losses of the scaled score z (log-odds) against a target in 0 … 1.

All are pure functions of arrays of equal shape; `p = 1/(1 + exp(−z))`. `curvature` is a positive
approximation of the second derivative (Gauss-Newton's), for solvers and standard errors.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

Floats = NDArray[np.float64]


class Loss(Protocol):
    """What a loss can do; z and target have the same shape, and so have the results."""

    @property
    def name(self) -> str: ...

    def value(self, z: Floats, target: Floats) -> Floats: ...

    def gradient(self, z: Floats, target: Floats) -> Floats: ...

    def curvature(self, z: Floats, target: Floats) -> Floats: ...


@dataclass(frozen=True)
class Squared:
    """`(p − target)²`: Österlund's, Texel's Tuning Method. Not convex in the weights."""

    name: str = "squared"

    def value(self, z: Floats, target: Floats) -> Floats:
        error = expit(z) - target
        return error * error

    def gradient(self, z: Floats, target: Floats) -> Floats:
        p = expit(z)
        return 2.0 * (p - target) * p * (1.0 - p)

    def curvature(self, z: Floats, target: Floats) -> Floats:
        p = expit(z)
        slope = p * (1.0 - p)
        return 2.0 * slope * slope


@dataclass(frozen=True)
class CrossEntropy:
    """`−target·ln p − (1−target)·ln(1−p)`: maximum likelihood, convex in the weights."""

    name: str = "cross-entropy"

    def value(self, z: Floats, target: Floats) -> Floats:
        # both parts are positive, so nothing cancels for a large z
        return np.log1p(np.exp(-np.abs(z))) + np.where(z > 0.0, (1.0 - target) * z, -target * z)

    def gradient(self, z: Floats, target: Floats) -> Floats:
        return expit(z) - target

    def curvature(self, z: Floats, target: Floats) -> Floats:
        p = expit(z)
        return p * (1.0 - p)


LOSSES: Mapping[str, type[Squared] | type[CrossEntropy]] = {
    "squared": Squared,
    "cross-entropy": CrossEntropy,
}
"""Every loss by the name a job uses."""
