"""run(job) -> Fit: from labelled positions to weights. The command line and notebooks call only this."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError
from evalcore.evaluation import Evaluation
from evalcore.formats import Rejects
from evalcore.weights import RoundedWeights, Weights, shown

from .centring import centred
from .concordance import concordance
from .findings import findings
from .folder import RunFolder, finite, metrics_of
from .goals import Goal, goal_notes
from .job import Job
from .objectives import DataObjective
from .optimizers import Minimum, State, Step
from .parameters import UNSEEN, Parameters
from .polish import polished
from .problem import Data, Problem, fingerprint, goals_of, prepare
from .progress import Listener, Losses, Progress, ignore
from .scale import slope
from .split import BY_GAME, BY_POSITION, Groups

if TYPE_CHECKING:
    import pandas as pd

    from .inference.contrasts import Contrast
    from .inference.diagnosis import Diagnosis
    from .report.plots import Plots

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Fit:
    """The end of a run. `fitted` are the weights at the optimum, `rounded` what exporters take.

    `weights` is the table of all of them, with errors, counts and flags.
    """

    job: Job
    folder: Path | None
    evaluation: Evaluation
    parameters: Parameters
    fitted: Weights
    rounded: RoundedWeights
    occurrences: NDArray[np.int64]
    k: float
    score_k: float | None
    positions: int
    groups: Groups
    losses: dict[str, Losses]
    minimum: Minimum
    notes: tuple[str, ...]
    rejects: Rejects
    seconds: dict[str, float] = field(default_factory=dict)
    diagnosis: Diagnosis | None = None
    history: tuple[dict[str, Any], ...] = ()

    def __repr__(self) -> str:
        where = f" in {self.folder}" if self.folder else ""
        return f"<Fit of {self.evaluation.name}: {self.positions:,} positions{where}>"

    def _repr_html_(self) -> str:
        from .report.contents import contents_of
        from .report.display import summary_html

        return summary_html(contents_of(self))

    @property
    def weights(self) -> pd.DataFrame:
        """All weights with errors, counts and flags: what weights.csv holds."""
        from .tables import weights_table

        return weights_table(self)

    @property
    def plot(self) -> Plots:
        """Pictures: `fit.plot.psqt()`, `.curves()`, `.weights()`, `.calibration()`, `.convergence()` …"""
        from .report.contents import contents_of
        from .report.plots import Plots

        return Plots(lambda: contents_of(self))

    def contrast(self, text: str) -> Contrast:
        """A sum of weights with its error: `fit.contrast("bishop_pair.eg - bishop_pair.mg")`."""
        from .inference.contrasts import contrast
        from .inference.diagnosis import absence

        if self.diagnosis is None:
            raise InputError(f"this fit has no standard errors: {absence(self.job)}")
        return contrast(self.diagnosis.uncertainty, text)

    @property
    def games(self) -> int | None:
        """Number of games, None where the data do not name them."""
        return self.groups.count if self.groups.kind == BY_GAME else None

    def summary(self) -> dict[str, Any]:
        """The machine-readable summary: the object `tuner fit --json` prints."""
        return {
            "run": str(self.folder) if self.folder else None,
            "positions": self.positions,
            "games": self.games,
            "terms": len(self.evaluation.terms),
            "parameters": self.parameters.size,
            "k": self.k,
            "loss": {
                name: {"train": losses.train, "validation": losses.validation, "tau": losses.tau}
                for name, losses in self.losses.items()
            },
            "passes": self.minimum.passes,
            "converged": self.minimum.converged,
            "relative_gradient": finite(self.minimum.relative_gradient),
            "seconds": self.seconds,
        }


def run(
    job: Job, folder: str | Path | None = None, *, listen: Listener = ignore, resume: bool = False
) -> Fit:
    """Reads, extracts, fits and writes a run folder (none where `folder` is None).

    With `resume`, continues from the folder's checkpoint, with the same result as an unbroken run.
    Raises InputError (FormatError, UnknownName) with one sentence for whatever the user can mend.
    """
    job, folder = job.checked(), Path(folder) if folder else None
    seconds: dict[str, float] = {}
    clock = _Clock(seconds)
    problem = prepare(job, listen, clock.lap)
    evaluation, data, parameters = problem.evaluation, problem.data, problem.parameters
    objective, held_out = problem.objective, problem.held_out
    output = RunFolder(folder, job.anchored(), fingerprint(data), evaluation) if folder else None
    state = output.begin(resume) if output else None
    history: list[dict[str, Any]] = []
    goal, held_goal = goals_of(problem)
    minimum = _minimise(job, goal, held_goal, output, state, listen, history)
    optimum = Weights(evaluation.layout, parameters.table(minimum.x))
    moved = centred(optimum, objective, problem.occurrences, job.centre)
    weights = moved.weights
    tables = {"start": evaluation.start, "fitted": weights, "rounded": (rounded := weights.rounded())}
    if job.polish:
        tables["polished"] = rounded = polished(goal, rounded)
    clock.lap("fit")
    diagnosis, remarks = _diagnose(problem, minimum, tables, moved.tables, listen)
    clock.lap("errors")
    losses = {name: _losses(objective, held_out, table.values) for name, table in tables.items()}
    fit = Fit(
        job, folder, evaluation, parameters, weights, rounded, problem.occurrences,
        objective.scale / slope(1.0), data.targets.score_k, len(data.targets.rows), data.groups,
        losses, minimum, (
            *_notes(job, data, parameters), *remarks, *findings(objective, minimum, fitted_k=job.k == "fit"),
            *goal_notes(goal, parameters.start, minimum.x), *moved.notes,
        ),
        data.rejects, seconds, diagnosis,
        tuple(history),
    )  # fmt: skip
    if output:
        output.finish(fit)
    return fit


def _minimise(
    job: Job,
    objective: Goal,
    held_out: Goal | None,
    output: RunFolder | None,
    state: State | None,
    listen: Listener,
    history: list[dict[str, Any]],
) -> Minimum:
    def observe(step: Step) -> None:
        losses = Losses(
            step.value - objective.penalty(step.x), held_out.data_loss(step.x) if held_out else None
        )
        history.append(metrics_of(step, losses))
        if output:
            output.record(step, losses)
        listen(Progress("fitting", step.number, step=step, losses=losses))

    optimizer = job.optimizer()
    rng = np.random.default_rng([job.seed, 1])
    minimum = optimizer.minimize(objective, objective.parameters.start, rng=rng, observe=observe, state=state)
    if not isinstance(minimum, Minimum):
        raise InputError(
            f"method {job.method}: minimize has to return a tuner.optimizers.Minimum,"
            f" not {type(minimum).__name__}"
        )
    return minimum


def _losses(objective: DataObjective, held_out: DataObjective | None, table: Any) -> Losses:
    values = np.asarray(table, float)
    judged = held_out or objective
    tau = concordance(judged.features.scores(values), judged.target).tau_b
    return Losses(objective.table_loss(values), held_out.table_loss(values) if held_out else None, tau)


def _diagnose(
    problem: Problem, minimum: Minimum, tables: dict[str, Weights], centred: Sequence[str], listen: Listener
) -> tuple[Diagnosis | None, list[str]]:
    """The diagnosis, or why there is none."""
    job = problem.job
    if not job.errors:
        return None, []
    if job.objective != "labels":
        return None, ["standard errors belong to fits of labels, so this fit has none"]
    from .inference.diagnosis import diagnose, obstacle

    if why_not := obstacle(problem):
        return None, [why_not]
    listen(Progress("computing standard errors"))
    return diagnose(problem, minimum.x, tables, centred), []


def _notes(job: Job, data: Data, parameters: Parameters) -> list[str]:
    notes = []
    if job.split == BY_POSITION and job.validation:
        notes.append(
            "validation was split by position: positions of one game are on both sides and share its result,"
            " so the validation loss hides over-fitting; split by game unless to show just that"
        )
    elif data.groups.kind != BY_GAME:
        notes.append(
            f"the data have no game ids, so training and validation were split by {data.groups.kind}:"
            " positions of one game may be on both sides and the validation loss may flatter"
        )
    if data.groups.kind != BY_GAME and job.errors:
        notes.append(
            "without game ids positions count as independent: standard errors are too small, often by half"
        )
    if data.targets.left_out:
        notes.append(f"{data.targets.left_out:,} positions have no label and were left out")
    for reason, count in data.rejects.counts.most_common():
        notes.append(f"{count:,} left out: {reason}")
    unseen = np.flatnonzero((parameters.flags == UNSEEN).any(axis=1))
    if len(unseen):
        names = ", ".join(shown(*parameters.layout.names[column]) for column in unseen[:3])
        more = f" and {len(unseen) - 3} more" if len(unseen) > 3 else ""
        keep = "1 weight keeps its" if len(unseen) == 1 else f"{len(unseen):,} weights keep their"
        notes.append(
            f"{keep} start, no position has a difference in {'it' if len(unseen) == 1 else 'them'}:"
            f" {names}{more}"
        )
    return notes


class _Clock:
    """Seconds between laps."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds, self._since = seconds, time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self._seconds[name] = round(now - self._since, 3)
        self._since = now
