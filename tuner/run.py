"""run(job) -> Fit: from labelled positions to weights. The command line and notebooks call only this."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError
from evalcore.evaluation import Evaluation, load_evaluation
from evalcore.features import FeatureMatrix
from evalcore.formats import Rejects, open_positions
from evalcore.needs import refuse_terms
from evalcore.positions import BOARD_COLUMNS, Positions
from evalcore.weights import RoundedWeights, Weights, load_weights, shown

from .centring import centred, check_centring
from .findings import findings
from .folder import RunFolder, finite, metrics_of
from .goals import GOALS, Goal, Part, goal_notes
from .job import Job
from .losses import SCORES, Loss
from .objectives import DataObjective
from .optimizers import Minimum, State, Step
from .parameters import Parameters, UNSEEN, make_parameters
from .polish import polished
from .rules import make_restraints
from .sample import sample_path
from .scale import fit_scale, slope
from .split import BY_GAME, BY_POSITION, Groups, group, single, split
from .targets import Targets, make_targets

if TYPE_CHECKING:
    import pandas as pd

    from .inference.contrasts import Contrast
    from .inference.diagnosis import Diagnosis
    from .report.plots import Plots

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Losses:
    """Mean losses, without the penalty; `validation` None where nothing was held out."""

    train: float
    validation: float | None


@dataclass(frozen=True, eq=False)
class Progress:
    """What a listener is told: a `stage`, how many of `total` units are done, or a step of the fit."""

    stage: str
    done: int = 0
    total: int | None = None
    step: Step | None = None
    losses: Losses | None = None


Listener = Callable[[Progress], None]


@dataclass(frozen=True, eq=False)
class Data:
    """Positions with targets, and how they are split."""

    positions: Positions
    targets: Targets
    groups: Groups
    train: NDArray[np.int64]
    validation: NDArray[np.int64]
    rejects: Rejects


@dataclass(frozen=True, eq=False)
class Problem:
    """A job with its data read: what is minimised, and what is held out.

    `occurrences` (width,) counts the training rows that have each column.
    """

    job: Job
    evaluation: Evaluation
    data: Data
    occurrences: NDArray[np.int64]
    parameters: Parameters
    objective: DataObjective
    held_out: DataObjective | None


@dataclass(frozen=True, eq=False, repr=False)
class Fit:
    """The end of a run. `weights` are at the optimum, `rounded` what exporters take."""

    job: Job
    folder: Path | None
    evaluation: Evaluation
    parameters: Parameters
    weights: Weights
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
    def table(self) -> pd.DataFrame:
        """All weights with errors, counts and flags."""
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

        if self.diagnosis is None:
            raise InputError("this fit has no standard errors: it was fitted with errors = false")
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
                name: {"train": losses.train, "validation": losses.validation}
                for name, losses in self.losses.items()
            },
            "passes": self.minimum.passes,
            "converged": self.minimum.converged,
            "relative_gradient": finite(self.minimum.relative_gradient),
            "seconds": self.seconds,
        }


def ignore(_told: object) -> None:
    """A listener that does not listen."""


def run(job: Job, folder: Path | None = None, *, listen: Listener = ignore, resume: bool = False) -> Fit:
    """Reads, extracts, fits and writes a run folder (none where `folder` is None).

    With `resume`, continues from the folder's checkpoint, with the same result as an unbroken run.
    Raises InputError (FormatError, UnknownName) with one sentence for whatever the user can mend.
    """
    job = job.checked()
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
    clock.lap("fit")
    diagnosis, remarks = _diagnose(job, problem, minimum, listen)
    clock.lap("errors")
    weights = Weights(evaluation.layout, parameters.table(minimum.x))
    weights, centring = centred(weights, objective, problem.occurrences, job.centre)
    tables = {"start": evaluation.start, "fitted": weights, "rounded": (rounded := weights.rounded())}
    if job.polish:
        tables["polished"] = rounded = polished(objective, rounded)
    losses = {name: _losses(objective, held_out, table.values) for name, table in tables.items()}
    fit = Fit(
        job, folder, evaluation, parameters, weights, rounded, problem.occurrences,
        objective.scale / slope(1.0), data.targets.score_k, len(data.targets.rows), data.groups,
        losses, minimum, (
            *_notes(job, data, parameters), *remarks, *findings(objective, minimum),
            *goal_notes(goal, parameters.start, minimum.x), *centring,
        ),
        data.rejects, seconds, diagnosis,
        tuple(history),
    )  # fmt: skip
    if output:
        output.finish(fit)
    return fit


def prepare(job: Job, listen: Listener = ignore, lap: Callable[[str], None] = ignore) -> Problem:
    """Reads the data of a job and extracts its features; `lap` is told the name of each stage that ended."""
    job = job.checked()
    evaluation = starting_evaluation(job)
    check_centring(evaluation.layout, job.centre)
    listen(Progress("compiling the evaluation's terms"))
    _ = evaluation.plan
    lap("compile")
    data = read_data(job, listen)
    refuse_terms(evaluation, data.rejects.lost)
    lap("read")
    train, validation = _extract(job, evaluation, data, listen)
    lap("extract")
    occurrences = train.occurrences()
    parameters = make_parameters(evaluation.start, freeze=job.freeze, occurrences=occurrences, tie=job.tie)
    if not parameters.size:
        raise InputError("every weight is frozen or never occurs in the data: there is nothing to fit")
    objective, held_out = _objectives(job, evaluation, data, train, validation, parameters)
    return Problem(job, evaluation, data, occurrences, parameters, objective, held_out)


def starting_evaluation(job: Job) -> Evaluation:
    """The job's evaluation, with the job's starting weights."""
    from dataclasses import replace

    evaluation = load_evaluation(job.evaluation)
    if job.weights:
        evaluation = replace(evaluation, start=load_weights(job.weights, evaluation.layout))
    return evaluation


def read_data(job: Job, listen: Listener = ignore) -> Data:
    """Positions, targets and the split of a job; the split depends on the seed and the data only."""
    rejects = Rejects(stop=job.on_error == "stop")
    blocks = open_positions(
        list(job.data) or [str(sample_path())],
        format=job.data_format, result_pov=job.result_pov, score_pov=job.score_pov,
        score_unit=job.score_unit, check=job.check_labels,
        on_error=job.on_error, rejects=rejects, threads=job.threads,
    )  # fmt: skip
    positions = Positions.gather(_told(blocks, listen))
    targets = make_targets(
        positions,
        job.result_share,
        None if job.score_k == "fit" else job.score_k,
        job.loss_function().compares,
    )
    if targets.left_out:
        positions = positions.select(targets.rows)
    groups = group(positions)
    apart = groups if job.split == "game" else single(len(positions))
    train, validation = split(apart, job.validation, np.random.default_rng(job.seed))
    return Data(positions, targets, groups, train, validation, rejects)


def _told(blocks: Iterable[Positions], listen: Listener) -> Iterator[Positions]:
    for block in blocks:
        yield block
        listen(Progress("reading positions", len(block)))


def fingerprint(data: Data) -> str:
    """A hash of the positions, targets and weights: a run can only be resumed on the same data."""
    import hashlib

    digest = hashlib.blake2b(digest_size=16)
    for name in (*BOARD_COLUMNS, "game", "sample_weight"):
        digest.update(np.ascontiguousarray(getattr(data.positions, name)).tobytes())
    digest.update(data.targets.values.tobytes())
    return digest.hexdigest()


def _extract(
    job: Job, evaluation: Evaluation, data: Data, listen: Listener
) -> tuple[FeatureMatrix, FeatureMatrix]:
    total = len(data.positions)

    def progress(rows: int) -> None:
        listen(Progress("extracting features", rows, total))

    train, validation = (
        evaluation.extract(data.positions, rows, threads=job.threads, progress=progress)
        for rows in (data.train, data.validation)
    )
    return train, validation


def _objectives(
    job: Job,
    evaluation: Evaluation,
    data: Data,
    train: FeatureMatrix,
    validation: FeatureMatrix,
    parameters: Parameters,
) -> tuple[DataObjective, DataObjective | None]:
    """The objective on the training rows and, without fitting anything to it, on the validation rows."""
    loss = job.loss_function()
    target, weight = data.targets.values, data.positions.sample_weight.astype(float)
    if not np.isfinite(weight).all() or (weight < 0).any() or not weight[data.train].sum() > 0:
        raise InputError("sample weights must be numbers from 0 on, and not all zero")
    start = evaluation.start.values.astype(float)
    k, loss = _scale(job, loss, data, train, start, target[data.train], weight[data.train])

    def objective(features: FeatureMatrix, rows: NDArray[np.int64]) -> DataObjective:
        share = weight[rows] / weight[rows].sum()
        return DataObjective(
            features, target[rows], share, slope(k), loss, parameters,
            rules.ridge, rules.prior, rules.roughness, rules.constraints,
        )  # fmt: skip

    # a prior worth so many games fades as games, not positions, are added: those of a game share its result
    games = len(np.unique(data.groups.of_row[data.train]))
    prior = parameters.start if job.prior == "start" else np.zeros(parameters.size)
    rules = make_restraints(job.rules, parameters, ridge=job.ridge, prior=prior, games=games)
    held_out = objective(validation, data.validation) if len(data.validation) else None
    return objective(train, data.train), held_out


def _scale(
    job: Job, loss: Loss, data: Data, train: FeatureMatrix, start: Floats, target: Floats, weight: Floats
) -> tuple[float, Loss]:
    """K, and the loss with the numbers that belong to K. Scores that are compared share one K."""
    if loss.compares == SCORES:
        return data.targets.score_k or 1.0, loss
    return fit_scale(train.scores(start), target, loss, weight, None if job.k == "fit" else job.k)


def goals_of(problem: Problem) -> tuple[Goal, Goal | None]:
    """What is minimised on the training rows, and the same on the validation rows."""
    job, data = problem.job, problem.data

    def goal(labels: DataObjective, rows: NDArray[np.int64]) -> Goal:
        part = Part(problem.evaluation, data.positions, rows, labels, job.pairs, job.threads, job.seed)
        return GOALS[job.objective](part)

    held_out = goal(problem.held_out, data.validation) if problem.held_out else None
    return goal(problem.objective, data.train), held_out


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
    minimum: Minimum = optimizer.minimize(
        objective, objective.parameters.start, rng=rng, observe=observe, state=state
    )
    return minimum


def _losses(objective: DataObjective, held_out: DataObjective | None, table: Any) -> Losses:
    values = np.asarray(table, float)
    return Losses(objective.table_loss(values), held_out.table_loss(values) if held_out else None)


def _diagnose(
    job: Job, problem: Problem, minimum: Minimum, listen: Listener
) -> tuple[Diagnosis | None, list[str]]:
    """The diagnosis, or why there is none."""
    if not job.errors:
        return None, []
    if job.objective != "labels":
        return None, ["standard errors belong to fits of labels, so this fit has none"]
    from .inference.diagnosis import diagnose, obstacle

    if why_not := obstacle(problem):
        return None, [why_not]
    listen(Progress("computing standard errors"))
    return diagnose(problem, minimum.x), []


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
        notes.append(f"{len(unseen)} weights keep their start, no position has them: {names}{more}")
    return notes


class _Clock:
    """Seconds between laps."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds, self._since = seconds, time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self._seconds[name] = round(now - self._since, 3)
        self._since = now
