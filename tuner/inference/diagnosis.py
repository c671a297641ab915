"""Everything that is asked of every fit: how sure each weight is, and where the evaluation is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evalcore.weights import Weights

from ..centring import centring_matrix
from .calibration import calibration_table
from .errors import Uncertainty, uncertainty
from .identifiability import Identifiability, identifiability
from .predictions import predict
from .residuals import phase_cells, residuals_table, worst_table
from .terms import terms_table
from .values import losses_table, pieces_table

if TYPE_CHECKING:
    import pandas as pd

    from ..job import Job
    from ..problem import Problem

Floats = NDArray[np.float64]


MOST_WEIGHTS = 4_000
"""Free weights up to which covariances are computed: they take memory by the square, time by the cube."""


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """The answers; tables are DataFrames, their columns are described where they are made."""

    uncertainty: Uncertainty
    identifiability: Identifiability
    losses: pd.DataFrame
    pieces: pd.DataFrame
    terms: pd.DataFrame
    calibration: pd.DataFrame
    residuals: pd.DataFrame
    worst: pd.DataFrame


def obstacle(problem: Problem) -> str:
    """Why a fit cannot be diagnosed, as a sentence; empty where it can."""
    groups = problem.data.groups
    if len(np.unique(groups.of_row[problem.data.train])) < 2:
        return f"one {groups.kind} says nothing about chance, so there are no standard errors"
    if problem.parameters.size > MOST_WEIGHTS:
        return f"there are no standard errors for more than {MOST_WEIGHTS:,} free weights"
    return ""


def absence(job: Job) -> str:
    """Why a fit of this job that has no standard errors has none."""
    if not job.errors:
        return "it was fitted with errors = false"
    if job.objective != "labels":
        return f"its objective is {job.objective}, and errors belong to fits of labels"
    return "its notes say why"


def diagnose(
    problem: Problem,
    x: Floats,
    tables: Mapping[str, Weights] | None = None,
    centred: Sequence[str] = (),
) -> Diagnosis:
    """The diagnosis of the free numbers `x`, the optimum of the problem's objective.

    `tables` are the weights whose losses are compared, "start" first; those of `x`, fitted and rounded,
    unless given. Where some were `centred` after the fit, the errors are those of what came of it.
    """
    data = problem.data
    groups = data.groups.of_row[data.train]
    fitted = problem.parameters.table(x)
    if tables is None:
        start, end = problem.evaluation.start, Weights(problem.evaluation.layout, fitted)
        tables = {"start": start, "fitted": end, "rounded": end.rounded()}
    found = uncertainty(problem.objective, x, groups, data.groups.kind)
    judged = predict(problem, fitted)
    calibration = calibration_table(judged)
    judged = judged.judged
    positions = data.positions.select(judged.row)
    features = (problem.held_out or problem.objective).features
    phase = phase_cells(features.phase, features.phase_maximum)
    told = found
    if centred:
        matrix = centring_matrix(problem.parameters, problem.occurrences, centred)
        told = found.turned(matrix, tables["fitted"].values.astype(float))
    return Diagnosis(
        told,
        identifiability(found),
        losses_table(problem, {name: each.values.astype(float) for name, each in tables.items()}),
        pieces_table(found, problem.occurrences),
        terms_table(found),
        calibration,
        residuals_table(judged, positions, phase),
        worst_table(judged, positions),
    )
