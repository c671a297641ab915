"""Classic test functions of unconstrained minimisation: Moré, Garbow and Hillstrom, ACM TOMS 7 (1981)."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SumOfSquares:
    """An objective that is a sum of squared residuals, with the curvature of Gauss and Newton.

    Its residuals are its rows; `rows` says how often each counts.
    """

    residuals: Callable[[Floats], Floats]
    jacobian: Callable[[Floats], Floats]
    size: int
    rows: Floats

    def __len__(self) -> int:
        return len(self.rows)

    def value(self, x: Floats) -> float:
        return float(self.rows @ self.residuals(x) ** 2)

    def value_gradient(self, x: Floats) -> tuple[float, Floats]:
        return self.value(x), 2.0 * self.jacobian(x).T @ (self.rows * self.residuals(x))

    def hessian_vector(self, x: Floats, vector: Floats) -> Floats:
        return 2.0 * self.jacobian(x).T @ (self.rows * (self.jacobian(x) @ vector))

    def curvature_matrix(self, x: Floats) -> Floats:
        jacobian = self.jacobian(x)
        return 2.0 * jacobian.T @ (self.rows[:, None] * jacobian)

    def restricted(self, rows: NDArray[np.int64]) -> "SumOfSquares":
        counts = np.bincount(rows, minlength=len(self)) * (len(self) / len(rows))
        return replace(self, rows=counts)

    def sample(self, rows: int) -> "SumOfSquares":
        return self if rows >= len(self) else self.restricted(np.arange(rows))


@dataclass(frozen=True)
class Quadratic(SumOfSquares):
    """Residuals that are straight in x."""

    def normal_equations(self) -> tuple[Floats, Floats, float]:
        zero = np.zeros(self.size)
        value, gradient = self.value_gradient(zero)
        return self.curvature_matrix(zero), gradient, value


@dataclass(frozen=True)
class Known:
    """A function with its standard start and the published value of its minimum."""

    objective: SumOfSquares
    start: Floats
    minimum: float
    at: Floats | None = None


def _complex_jacobian(residuals: Callable[[Floats], Floats]) -> Callable[[Floats], Floats]:
    """By complex steps: exact to the last digits."""

    def jacobian(x: Floats) -> Floats:
        columns = []
        for index in range(len(x)):
            moved = x.astype(complex)
            moved[index] += 1e-30j
            columns.append(np.imag(residuals(moved)) / 1e-30)
        return np.array(columns).T

    return jacobian


def _known(
    residuals: Callable[[Floats], Floats], start: list[float], minimum: float, at: list[float] | None = None
) -> Known:
    rows = np.ones(len(residuals(np.array(start))))
    made = SumOfSquares(residuals, _complex_jacobian(residuals), len(start), rows)
    return Known(made, np.array(start), minimum, None if at is None else np.array(at))


def rosenbrock(x: Floats) -> Floats:
    return np.array([10.0 * (x[1] - x[0] ** 2), 1.0 - x[0]])


def freudenstein_roth(x: Floats) -> Floats:
    return np.array([
        -13.0 + x[0] + ((5.0 - x[1]) * x[1] - 2.0) * x[1],
        -29.0 + x[0] + ((x[1] + 1.0) * x[1] - 14.0) * x[1],
    ])  # fmt: skip


def beale(x: Floats) -> Floats:
    return np.array([y - x[0] * (1.0 - x[1] ** k) for k, y in ((1, 1.5), (2, 2.25), (3, 2.625))])


def powell_singular(x: Floats) -> Floats:
    return np.array([
        x[0] + 10.0 * x[1], 5.0**0.5 * (x[2] - x[3]),
        (x[1] - 2.0 * x[2]) ** 2, 10.0**0.5 * (x[0] - x[3]) ** 2,
    ])  # fmt: skip


def wood(x: Floats) -> Floats:
    return np.array([
        10.0 * (x[1] - x[0] ** 2), 1.0 - x[0], 90.0**0.5 * (x[3] - x[2] ** 2), 1.0 - x[2],
        10.0**0.5 * (x[1] + x[3] - 2.0), (x[1] - x[3]) / 10.0**0.5,
    ])  # fmt: skip


def jennrich_sampson(x: Floats) -> Floats:
    i = np.arange(1, 11)
    return 2.0 + 2.0 * i - (np.exp(i * x[0]) + np.exp(i * x[1]))


BARD = np.array([0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39])


def bard(x: Floats) -> Floats:
    u = np.arange(1, 16)
    v = 16 - u
    return BARD - (x[0] + u / (v * x[1] + np.minimum(u, v) * x[2]))


KOWALIK_Y = np.array([
    0.1957, 0.1947, 0.1735, 0.1600, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246,
])  # fmt: skip
KOWALIK_U = np.array([4.0, 2.0, 1.0, 0.5, 0.25, 0.1670, 0.1250, 0.1, 0.0833, 0.0714, 0.0625])


def kowalik_osborne(x: Floats) -> Floats:
    u = KOWALIK_U
    return KOWALIK_Y - x[0] * (u**2 + u * x[1]) / (u**2 + u * x[2] + x[3])


MEYER = np.array([
    34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744, 8261, 7030, 6005, 5147, 4427, 3820, 3307, 2872,
])  # fmt: skip


def meyer(x: Floats) -> Floats:
    t = 45.0 + 5.0 * np.arange(1, 17)
    return x[0] * np.exp(x[1] / (t + x[2])) - MEYER


def brown_dennis(x: Floats) -> Floats:
    t = np.arange(1, 21) / 5.0
    return (x[0] + t * x[1] - np.exp(t)) ** 2 + (x[2] + x[3] * np.sin(t) - np.cos(t)) ** 2


FUNCTIONS: dict[str, Known] = {
    "rosenbrock": _known(rosenbrock, [-1.2, 1.0], 0.0, [1.0, 1.0]),
    "freudenstein-roth": _known(freudenstein_roth, [0.5, -2.0], 48.9842536792),
    "beale": _known(beale, [1.0, 1.0], 0.0, [3.0, 0.5]),
    "powell-singular": _known(powell_singular, [3.0, -1.0, 0.0, 1.0], 0.0, [0.0] * 4),
    "wood": _known(wood, [-3.0, -1.0, -3.0, -1.0], 0.0, [1.0] * 4),
    "jennrich-sampson": _known(jennrich_sampson, [0.3, 0.4], 124.362182356, [0.25782521] * 2),
    "bard": _known(bard, [1.0, 1.0, 1.0], 8.21487730658e-3),
    "kowalik-osborne": _known(kowalik_osborne, [0.25, 0.39, 0.415, 0.39], 3.07505603849e-4),
    "meyer": _known(meyer, [0.02, 4000.0, 250.0], 87.9458551705),
    "brown-dennis": _known(brown_dennis, [25.0, 5.0, -5.0, -1.0], 85822.2016264),
}


TURN = np.linalg.qr(np.random.default_rng(7).normal(size=(4, 4)))[0]
LONG = TURN @ np.diag([1.0, 0.5, 0.2, 0.1]) @ TURN.T
"""Axes of an ellipsoid, the longest ten times the shortest, in no direction of a single number."""
BOWL = Quadratic(lambda x: LONG @ (x - 3.0), lambda x: LONG, 4, np.ones(4))
"""A quadratic whose minimum of 0 is at (3, 3, 3, 3)."""
