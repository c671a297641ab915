"""Do the files of a data set agree? What each of them does to the fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError

from ..scale import fit_k
from .errors import Uncertainty, inverted
from .predictions import means, predict
from .refit import refuse_other_goals

if TYPE_CHECKING:
    import pandas as pd

    from ..job import Job
    from ..objectives import DataObjective
    from ..problem import Problem

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


FIRST_ORDER = "first-order estimate: one Newton step, not a fit without it"
"""How the changes without a source were found, for titles."""


@dataclass(frozen=True, eq=False)
class Influence:
    """`table`: one row a source; `shifts` (sources, size): change of each free number without the source."""

    table: pd.DataFrame
    shifts: Floats


def source_influence(
    problem: Problem, found: Uncertainty, source: Integers, names: Sequence[str]
) -> Influence:
    """What the fit would be without each source, to first order: by one Newton step, not by a fit.

    From the optimum of all the data, with gradient and curvature of what is left: good where a source is a
    small part or agrees with the others, too small or too large by tens of percent where it does neither.
    Constraints and lasso have no part in the step.

    `source` (positions,) numbers the source of each position of the problem in `names`; it may be any
    grouping. Columns: source, rows, games, k (fitted to the source alone; far from the others' K: another
    engine or another time control), loss, residual, residual_se (mean result − prediction, White's view),
    shift (root mean square of the change, in standard errors), largest, largest_shift (the weight that
    changes most, in standard errors, and its change in cp).
    """
    import pandas as pd

    refuse_other_goals(problem.job)
    objective, x = problem.objective, found.x
    inside = source[problem.data.train]
    shifts = np.array([_shift(objective, found, inside == number) for number in range(len(names))])
    rows = predict(problem, problem.parameters.table(x))
    where = source[rows.row]
    values = np.column_stack([rows.loss, rows.target - rows.predicted])
    told = means(values, rows.weight, where, rows.game, len(names))
    labels = problem.parameters.names()
    relative = shifts / np.where(found.errors > 0, found.errors, np.inf)
    most = np.abs(relative).argmax(axis=1)
    return Influence(
        pd.DataFrame(
            {
                "source": list(names),
                "rows": told.rows,
                "games": told.games,
                "k": [
                    _k(objective, rows.score[where == n], rows.target[where == n]) for n in range(len(names))
                ],
                "loss": told.mean[:, 0],
                "residual": told.mean[:, 1],
                "residual_se": told.se[:, 1],
                "shift": np.sqrt((relative**2).mean(axis=1)),
                "largest": [labels[index] for index in most],
                "largest_shift": shifts[np.arange(len(names)), most],
            }
        ),
        shifts,
    )


def _shift(objective: DataObjective, found: Uncertainty, mask: NDArray[np.bool_]) -> Floats:
    """Change of the optimum when some rows leave: −H₋⁻¹·g₋, both of the objective without them."""
    if not mask.any():
        return np.zeros(objective.size)
    share = float(objective.row_weight[mask].sum())
    if share > 1.0 - 1e-9:
        raise InputError("all positions are of one source; nothing is left without it")
    part = objective.restricted(np.flatnonzero(mask))
    penalty = objective.penalty_matrix()
    gone = (part.curvature_matrix(found.x) - penalty) * share
    smooth = objective.value_gradient(found.x)[1] - found.pull
    left = smooth - (part.value_gradient(found.x)[1] - found.pull) * share
    curvature = (found.information - gone) / (1.0 - share) + penalty
    change: Floats = -inverted(curvature) @ (left / (1.0 - share) + found.pull)
    return change


def _k(objective: DataObjective, score: Floats, target: Floats) -> float:
    """The K of one source, NaN where its scores do not predict its results."""
    try:
        return fit_k(score, target, objective.loss)
    except InputError:
        return float("nan")


def sources_of(job: Job, problem: Problem) -> tuple[Integers, list[str]]:
    """The file of each position of a problem, and the names of the files, by reading them once more.

    Raises InputError where the files no longer hold what the problem was read from.
    """
    from evalcore.formats import open_positions
    from evalcore.formats.opening import DataSource, spread

    from ..sample import sample_path

    defaults = DataSource("", job.data_format, job.result_pov, job.score_pov, job.score_unit)
    files = spread(list(job.data) or [str(sample_path())], defaults)
    counts = [
        sum(
            len(block)
            for block in open_positions(
                file, check=job.check_labels, on_error=job.on_error, threads=job.threads
            )
        )
        for file in files
    ]  # fmt: skip
    source = np.repeat(np.arange(len(files)), counts)
    kept = problem.data.targets
    if len(source) != len(kept.rows) + kept.left_out:
        raise InputError("the files no longer hold the positions that were read from them")
    return source[kept.rows], _distinct([Path(file.path) for file in files])


def _distinct(paths: list[Path]) -> list[str]:
    """The names of files, with their folders where two names are the same."""
    names = [path.name for path in paths]
    return names if len(set(names)) == len(names) else [str(path) for path in paths]
