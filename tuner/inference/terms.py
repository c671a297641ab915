"""Tests of whole terms: could all weights of a term be zero, or what they started from?

A term is tested in the directions that data determine: those that touch no null direction, and in which
games differ at all. There must be games for it: with q directions and G games, the covariance of the q is
itself a guess from G numbers, so the statistic is judged by the F distribution that Hotelling gave for this,
F(q, G − q), and not at all where G < 2·q.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from .errors import Uncertainty
from .rank import determined, orthonormal_null_space, unit_diagonal

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FEWEST_GAMES = 2
"""Games for each direction of a term under which the term is not tested."""
SINGULAR = 1e-10
"""Share of the largest variance under which a direction has none, only rounding: no game differs in it."""


def terms_table(found: Uncertainty) -> pd.DataFrame:
    """One row a term: Wald tests that it has no weight at all, and that it did not move from its start.

    Both are about what the data alone determine: neither priors nor constraints count as evidence, and
    what other terms can express as well is left out (df 0: the term can be replaced entirely).

    Columns: term, free (numbers), from_data (how many of them the data decide), zero_chi2, zero_df,
    zero_p, moved_chi2, moved_df, moved_p. Statistics and p are NaN where there are too few games.
    """
    import pandas as pd

    with threadpool_limits(1, "blas"):
        value, _ = found.data_alone()
        tested = Tested(found)
        rows = []
        for term, members in found.parameters.of_terms().items():
            turned = tested.directions(members)
            tests = (
                wald(turned @ distance[members], np.eye(len(turned)), found.groups)
                for distance in (value, value - found.parameters.start)
            )
            rows.append((term, len(members), float(found.from_data[members].sum()), *sum(tests, ())))
    columns = [f"{kind}_{what}" for kind in ("zero", "moved") for what in ("chi2", "df", "p")]
    return pd.DataFrame(rows, columns=["term", "free", "from_data", *columns])


class Tested:
    """In which directions the data alone determine the weights of a term, with their covariance."""

    def __init__(self, found: Uncertainty) -> None:
        _, self.covariance = found.data_alone()
        scaled, self.size = unit_diagonal(found.information)
        self.null = orthonormal_null_space(scaled)

    def directions(self, members: Integers) -> Floats:
        """Sums (q, members) of the weights that are uncorrelated and of unit variance."""
        turned = determined(self.null[:, members]).T * self.size[members]
        variance = turned @ self.covariance[np.ix_(members, members)] @ turned.T
        scale = np.sqrt(np.maximum(np.diag(variance), 1e-300))
        sizes, axes = np.linalg.eigh(variance / np.outer(scale, scale))
        kept = sizes > SINGULAR * sizes.max(initial=0.0)
        return np.asarray((axes[:, kept] / np.sqrt(sizes[kept])).T @ (turned / scale[:, None]))


def wald(value: Floats, covariance: Floats, games: float = np.inf) -> tuple[float, int, float]:
    """(statistic, degrees of freedom, p) of the hypothesis that `value` (n,) is zero.

    `games` is from how many games the covariance was estimated; NaN where they are too few.
    """
    from scipy.stats import chi2, f

    freedom = len(value)
    if not freedom:
        return 0.0, 0, float("nan")
    if games < FEWEST_GAMES * freedom:
        return float("nan"), freedom, float("nan")
    statistic = float(value @ np.linalg.solve(covariance, value))
    if games == np.inf:
        return statistic, freedom, float(chi2.sf(statistic, freedom))
    ratio = statistic * (games - freedom) / (freedom * (games - 1))
    return statistic, freedom, float(f.sf(ratio, freedom, games - freedom))
