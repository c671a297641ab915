"""Tests of whole terms: could all weights of a term be zero, or what they started from?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from .errors import SHOW, Uncertainty, inverted
from .identifiability import unit_diagonal

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

NULL_VARIANCE = 1e6
"""Variance, of 1 where a weight is alone, beyond which a direction within a term is not determined."""


def terms_table(found: Uncertainty) -> pd.DataFrame:
    """One row a term: Wald tests that it has no weight at all, and that it did not move from its start.

    Both are about what the data alone determine: weights the prior holds do not count as evidence, and
    what other terms can express as well is left out (df 0: the term can be replaced entirely).

    Columns: term, free (numbers), from_data (how many of them the data decide), zero_chi2, zero_df,
    zero_p, moved_chi2, moved_df, moved_p.
    """
    import pandas as pd

    with threadpool_limits(1, "blas"):
        value, covariance = found.data_alone()
        scaled, size = unit_diagonal(found.information)
        spread = inverted(scaled, SHOW)
        rows = []
        for term, members in found.parameters.of_terms().items():
            inside = np.ix_(members, members)
            scale = size[members]
            directions = determined(spread[inside])
            turned = directions.T * scale
            variance = turned @ covariance[inside] @ turned.T
            tests = (
                wald(turned @ distance[members], variance)
                for distance in (value, value - found.parameters.start)
            )
            rows.append((term, len(members), float(found.from_data[members].sum()), *sum(tests, ())))
    columns = [f"{kind}_{what}" for kind in ("zero", "moved") for what in ("chi2", "df", "p")]
    return pd.DataFrame(rows, columns=["term", "free", "from_data", *columns])


def determined(spread: Floats) -> Floats:
    """Orthonormal directions (n, kept) within a term that data determine, from its part of the inverse."""
    sizes, directions = np.linalg.eigh(spread)
    return directions[:, sizes < NULL_VARIANCE]


def wald(value: Floats, covariance: Floats) -> tuple[float, int, float]:
    """(statistic, degrees of freedom, p) of the hypothesis that `value` (n,) is zero."""
    from scipy.stats import chi2

    if not len(value):
        return 0.0, 0, float("nan")
    scale = np.sqrt(np.maximum(np.diag(covariance), 1e-300))
    sizes, directions = np.linalg.eigh(covariance / np.outer(scale, scale))
    kept = sizes > SINGULAR * sizes[-1]
    along = directions[:, kept].T @ (value / scale)
    statistic, freedom = float((along**2 / sizes[kept]).sum()), int(kept.sum())
    return statistic, freedom, float(chi2.sf(statistic, freedom))


SINGULAR = 1e-12
"""Share of the largest variance under which a direction has no variance: fewer games than weights."""
