"""Questions to a finished fit that need its positions again: the prior, more games, terms, sources."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError
from evalcore.weights import Weights

from .centring import centred, centring_matrix
from .inference.ablation import without_terms
from .inference.contrasts import contrasts_table
from .inference.errors import Uncertainty, uncertainty
from .inference.files import write_table
from .inference.refit import refit, refuse_other_goals
from .inference.sources import Influence, source_influence, sources_of
from .inference.validation import (
    FRACTIONS,
    RIDGES,
    CrossValidation,
    LearningCurve,
    Told,
    cross_validate,
    learning_curve,
    silence,
)
from .job import Job
from .names import SUMMARY
from .problem import Problem, fingerprint, prepare
from .progress import Listener, ignore
from .run import Fit

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

ONE_FILE = "the data are one file"


@dataclass(frozen=True, eq=False)
class Study:
    """A fit with its problem. What a study finds is also written to the run folder, for the next report."""

    fit: Fit
    problem: Problem

    @cached_property
    def x(self) -> Floats:
        """The free numbers of the fit (size,), before tables were centred."""
        x = self.problem.parameters.gather(self.fit.fitted.values)
        return refit(self.problem, self.problem.objective, x) if self.fit.job.centre else x

    @cached_property
    def uncertainty(self) -> Uncertainty:
        """Covariances with the curvature of the data, which a run folder does not hold; before centring."""
        data = self.problem.data
        return uncertainty(self.problem.objective, self.x, data.groups.of_row[data.train], data.groups.kind)

    @cached_property
    def files(self) -> tuple[Integers, list[str]]:
        """The file of each position, and the names of the files; they are read once more."""
        return sources_of(self.problem.job, self.problem)

    def cross_validate(
        self, ridges: Sequence[float] = RIDGES, *, folds: int = 5, told: Told = silence
    ) -> CrossValidation:
        """Which ridge is best on games not seen; see `inference.validation`."""
        found = cross_validate(self.problem, ridges, folds=folds, told=told)
        self._write(found.table, "cross_validation")
        return found

    def learning_curve(
        self, fractions: Sequence[float] = FRACTIONS, *, told: Told = silence
    ) -> LearningCurve:
        """Held-out loss by number of games; see `inference.validation`."""
        found = learning_curve(self.problem, fractions, told=told)
        self._write(found.told, "learning_curve")
        return found

    def without_terms(self, terms: Sequence[str] = (), *, told: Told = silence) -> pd.DataFrame:
        """What each term is worth; see `inference.ablation`."""
        found = without_terms(self.problem, self.x, terms, told=told)
        self._write(found, "ablation")
        return found

    def sources(self, source: Integers | None = None, names: Sequence[str] = ()) -> Influence:
        """What each file does to the fit, or each value of another grouping: first-order estimates.

        `source` (positions,) numbers the group of each position in `names`. Raises InputError where there is
        one file only.
        """
        if source is None:
            source, names = self.files
            if len(names) < 2:
                raise InputError(f"{ONE_FILE}; give a grouping of the positions to compare")
        found = source_influence(self.problem, self.uncertainty, source, names)
        self._write(found.table, "sources")
        return found

    def contrasts(self, texts: Sequence[str]) -> pd.DataFrame:
        """Sums and differences of weights with errors; see `inference.contrasts`."""
        found = contrasts_table(self._of_weights, texts)
        self._write(found, "contrasts")
        return found

    @property
    def _of_weights(self) -> Uncertainty:
        """The covariances of the weights as they are told: after centring."""
        problem, weights = self.problem, self.fit.fitted
        if not self.fit.job.centre:
            return self.uncertainty
        optimum = Weights(weights.layout, problem.parameters.table(self.x))
        tables = centred(optimum, problem.objective, problem.occurrences, self.fit.job.centre).tables
        matrix = centring_matrix(problem.parameters, problem.occurrences, tables)
        return self.uncertainty.turned(matrix, weights.values)

    def _write(self, table: pd.DataFrame, name: str) -> None:
        if self.fit.folder is not None:
            write_table(table, self.fit.folder / f"{name}.csv")


def open_study(fit: Fit | str | Path, listen: Listener = ignore) -> Study:
    """A study of a fit, or of a run folder; the positions are read again, and must be the same.

    Raises InputError where there is no finished run, it was no fit of labels, or the data have changed since.
    """
    if not isinstance(fit, Fit):
        from .opened import open_fit

        fit = open_fit(fit)
    refuse_other_goals(fit.job)
    problem = prepare(fit.job, listen)
    if _changed(fit, problem):
        raise InputError(f"{fit.folder or 'this fit'}: the data have changed since this run")
    if problem.parameters.size != fit.parameters.size:
        raise InputError(f"{fit.folder or 'this fit'}: the evaluation has changed since this run")
    return Study(fit, problem)


def _changed(fit: Fit, problem: Problem) -> bool:
    """Whether the data are not those of the fit, as far as it knows them."""
    if fit.folder is None:
        return len(problem.data.targets.rows) != fit.positions
    known = json.loads((fit.folder / SUMMARY).read_text(encoding="utf-8"))["data"]
    return bool(known != fingerprint(problem.data))


def choose_ridge(
    job: Job, ridges: Sequence[float] = RIDGES, *, folds: int = 5, told: Told = silence
) -> tuple[Job, CrossValidation]:
    """The job with the ridge that cross-validation by game finds best, before anything is fitted.

    The held-out positions of the job take no part. Where the starting weights beat every fit, the strongest
    of the ridges is taken: `best` of the cross-validation is then infinite. Raises InputError for other
    objectives than labels.
    """
    refuse_other_goals(job)
    found = cross_validate(prepare(job), ridges, folds=folds, told=told)
    ridge = found.best if np.isfinite(found.best) else max(ridges)
    return job.model_copy(update={"ridge": float(ridge)}), found
