"""The table of weights of a fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

    from .run import Fit

RARE = 100
"""Columns that fewer training positions have are flagged: their weights are hardly more than the prior."""


def weights_table(fit: Fit) -> pd.DataFrame:
    """One row a weight: term, label, fitted and starting mg and eg, count of positions, flags."""
    import pandas as pd

    layout = fit.evaluation.layout
    names = np.array(layout.names, dtype=object).reshape(-1, 2)
    return pd.DataFrame(
        {
            "term": names[:, 0],
            "label": names[:, 1],
            "mg": fit.weights.values[:, 0],
            "eg": fit.weights.values[:, 1],
            "mg_start": fit.evaluation.start.values[:, 0],
            "eg_start": fit.evaluation.start.values[:, 1],
            "count": fit.occurrences,
            "flags": [_flags(fit, column) for column in range(len(layout))],
        }
    )


def _flags(fit: Fit, column: int) -> str:
    both = fit.parameters.flags[column]
    flags = []
    for phase, flag in zip(("mg", "eg"), both, strict=True):
        if flag and both[0] != both[1]:
            flags.append(f"{phase} {flag}")
    if both[0] and both[0] == both[1]:
        flags.append(str(both[0]))
    if 0 < fit.occurrences[column] < RARE:
        flags.append("rare")
    return "; ".join(flags)
