"""The gains of SPSA: how far apart two places are compared, and how far a comparison moves.

Spall's are `a_k = a/(A + k + 1)^alpha` and `c_k = c/(k + 1)^gamma` for steps k from 0. zamar, fishtest and
OpenBench name the values at the last of N steps instead: `c = c_end·N^gamma` and
`a = r_end·c_end²·(A + N)^alpha`, and move by `R_k·c_k·result·flip` with `R_k = a_k/c_k²`.
"""

from __future__ import annotations

from dataclasses import dataclass

ALPHA, GAMMA, STABILITY = 0.602, 0.101, 0.1
"""Spall's exponents that work in practice, and the share of the steps that A is."""


@dataclass(frozen=True)
class Gains:
    """`a` and `c` of one parameter, with the exponents; steps are counted from 0."""

    a: float
    c: float
    stability: float
    alpha: float = ALPHA
    gamma: float = GAMMA

    def move(self, step: int) -> float:
        """a_k: what a gradient is multiplied by."""
        return self.a / float((self.stability + step + 1.0) ** self.alpha)

    def spread(self, step: int) -> float:
        """c_k: how far on either side the two places are."""
        return self.c / float((step + 1.0) ** self.gamma)

    def rate(self, step: int) -> float:
        """R_k: what a result is multiplied by, in units of the spread."""
        return self.move(step) / self.spread(step) ** 2


def by_the_end(
    c_end: float,
    r_end: float,
    steps: int,
    stability: float,
    alpha: float = ALPHA,
    gamma: float = GAMMA,
) -> Gains:
    """Gains from the spread and the rate at the last of `steps` steps."""
    return Gains(
        r_end * c_end**2 * (stability + steps) ** alpha, c_end * steps**gamma, stability, alpha, gamma
    )
