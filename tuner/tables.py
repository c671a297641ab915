"""The table of weights of a fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

    from .run import Fit

RARE = 100
"""Columns that fewer training positions have are flagged: their weights are hardly more than the prior."""
HELD_BY_PRIOR = 0.5
"""Weights of which the data decide less than this share are flagged."""


def weights_table(fit: Fit) -> pd.DataFrame:
    """One row a weight: term, label, fitted and starting mg and eg, errors, count of positions, flags.

    With a diagnosis also, for each phase, `se` (clustered by game), `naive_se`, `from_data` (the share of
    the weight that data rather than the prior decide) and `inflation` (of its variance by collinear
    columns); empty for weights that are not free.
    """
    import pandas as pd

    layout = fit.evaluation.layout
    names = np.array(layout.names, dtype=object).reshape(-1, 2)
    columns: dict[str, Any] = {
        "term": names[:, 0],
        "label": names[:, 1],
        "mg": fit.fitted.values[:, 0],
        "eg": fit.fitted.values[:, 1],
        "mg_start": fit.evaluation.start.values[:, 0],
        "eg_start": fit.evaluation.start.values[:, 1],
    }
    if fit.diagnosis is not None:
        found = fit.diagnosis.uncertainty
        told = {
            "se": found.errors,
            "naive_se": found.naive_errors,
            "from_data": found.from_data,
            "inflation": fit.diagnosis.identifiability.inflation,
        }
        for name, free in told.items():
            table = found.as_table(free)
            columns |= {f"mg_{name}": table[:, 0], f"eg_{name}": table[:, 1]}
    columns["count"] = fit.occurrences
    columns["flags"] = [_flags(fit, column) for column in range(len(layout))]
    return pd.DataFrame(columns)


def _flags(fit: Fit, column: int) -> str:
    both = [list(flag) for flag in zip(*_phase_flags(fit, column), strict=True)]
    flags = []
    for mg, eg in both:
        if mg and mg == eg:
            flags.append(mg)
        else:
            flags += [f"{phase} {flag}" for phase, flag in (("mg", mg), ("eg", eg)) if flag]
    if 0 < fit.occurrences[column] < RARE:
        flags.append("rare")
    return "; ".join(flags)


def _phase_flags(fit: Fit, column: int) -> list[tuple[str, ...]]:
    """For each phase: why it is fixed or held, whether others can replace it, whether the prior decides."""
    out: list[tuple[str, ...]] = []
    for phase in range(2):
        fixed = str(fit.parameters.flags[column, phase])
        owner = fit.parameters.owner[column, phase]
        redundant = prior = held = ""
        if fit.diagnosis is not None and owner >= 0:
            redundant = "redundant" if fit.diagnosis.identifiability.redundant[owner] else ""
            held = "held" if fit.diagnosis.uncertainty.held[owner] else ""
            mostly = fit.diagnosis.uncertainty.from_data[owner] < HELD_BY_PRIOR
            prior = "prior" if mostly and not held else ""
        out.append((fixed, held, redundant, prior))
    return out
