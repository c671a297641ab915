"""PBIL (Baluja 1994): a probability for each bit of each weight, which learns from the best samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..constraints import BOUNDS, LASSO, MONOTONE, Constraints
from ..objectives import Objective
from .base import Minimum, Observe, State, accept, one_blas_thread, require
from .generations import Population, breed
from .population import region

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pbil:
    """Each weight is a number of `bits` bits (Gray code) across `radius` centipawns about the start.

    After each generation of `members` samples, probabilities move by `rate` toward the bits of the best
    and by `away` from those where the worst differs, and a share `mutation` of them is shaken.
    """

    generations: int = 100
    members: int = 30
    bits: int = 8
    rate: float = 0.1
    away: float = 0.075
    mutation: float = 0.02
    shake: float = 0.05
    radius: float = 60.0
    requires: ClassVar[type] = Objective
    handles: ClassVar[tuple[str, ...]] = (BOUNDS, MONOTONE, LASSO)

    @one_blas_thread
    def minimize(
        self,
        objective: Any,
        start: Floats,
        *,
        rng: np.random.Generator,
        observe: Observe,
        state: State | None = None,
    ) -> Minimum:
        """See `Optimizer`."""
        require("pbil", objective, Objective, "an objective with values")
        constraints = accept("pbil", objective, self.handles)
        middle, lower, upper = region(objective, constraints, start, self.radius)
        code = _Code(lower, upper, self.bits)

        def children(population: Population, constraints: Constraints) -> Floats:
            chances = self._learned(population, rng)
            population.memory["chances"] = chances
            bits = (rng.random((self.members, *chances.shape)) < chances).astype(np.int8)
            bits[0] = population.memory["kept"]
            population.memory["bits"] = bits
            return np.array([constraints.project(row) for row in code.weights(bits)])

        bits = (rng.random((self.members, len(middle), self.bits)) < 0.5).astype(np.int8)
        bits[0] = code.bits(middle)
        memory = {"chances": np.full(bits.shape[1:], 0.5), "bits": bits, "kept": bits[0]}
        first = np.array([constraints.project(row) for row in code.weights(bits)])
        first[0] = middle
        return breed(
            "pbil", objective, constraints, middle, first, children,
            generations=self.generations, rng=rng, observe=observe, state=state, memory=memory,
        )  # fmt: skip

    def _learned(self, population: Population, rng: np.random.Generator) -> Floats:
        """The probabilities after a generation; the best bits are kept as a member of the next."""
        bits, chances = population.memory["bits"], population.memory["chances"]
        best, worst = bits[np.argmin(population.values)], bits[np.argmax(population.values)]
        population.memory["kept"] = best
        rate = self.rate + self.away * (best != worst)
        chances = chances * (1.0 - rate) + best * rate
        shaken = rng.random(chances.shape) < self.mutation
        toward = rng.integers(0, 2, chances.shape)
        out: Floats = np.where(shaken, chances * (1.0 - self.shake) + toward * self.shake, chances)
        return out


class _Code:
    """Weights as Gray-coded whole numbers between two ends: neighbours differ in one bit."""

    def __init__(self, lower: Floats, upper: Floats, bits: int) -> None:
        self._lower, self._step, self._bits = lower, (upper - lower) / (2**bits - 1), bits

    def weights(self, bits: NDArray[np.int8]) -> Floats:
        """(…, size) of (…, size, bits)."""
        plain = np.bitwise_xor.accumulate(bits, axis=-1).astype(np.int64)
        number = plain @ (1 << np.arange(self._bits - 1, -1, -1))
        out: Floats = self._lower + self._step * number
        return out

    def bits(self, x: Floats) -> NDArray[np.int8]:
        number = np.rint((x - self._lower) / self._step).astype(np.int64)
        gray = number ^ (number >> 1)
        out: NDArray[np.int8] = ((gray[:, None] >> np.arange(self._bits - 1, -1, -1)) & 1).astype(np.int8)
        return out
