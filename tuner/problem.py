"""Problem: what a job asks, with its data read, split and counted, before anything is fitted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError
from evalcore.evaluation import Evaluation, load_evaluation
from evalcore.features import FeatureMatrix
from evalcore.formats import Rejects, open_positions
from evalcore.positions import BOARD_COLUMNS, Positions
from evalcore.weights import load_weights

from .centring import check_centring
from .goals import GOALS, Goal, Part
from .job import Job
from .losses import SCORES, Loss
from .objectives import DataObjective
from .pairs import NoPairs
from .parameters import Parameters, make_parameters
from .progress import Listener, Progress, ignore
from .rules import make_restraints, shaped
from .sample import sample_path
from .scale import fit_scale, slope
from .split import Groups, group, single, split
from .targets import Targets, make_targets
from .traces import read_traces, traced_files

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Data:
    """Positions with targets, and how they are split."""

    positions: Positions
    targets: Targets
    groups: Groups
    train: NDArray[np.int64]
    validation: NDArray[np.int64]
    rejects: Rejects
    traced: FeatureMatrix | None = None


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


def prepare(job: Job, listen: Listener = ignore, lap: Callable[[str], None] = ignore) -> Problem:
    """Reads the data of a job and extracts its features; `lap` is told the name of each stage that ended."""
    job = job.checked()
    evaluation = starting_evaluation(job)
    if evaluation.traced and job.objective == "comparison":
        raise InputError(
            "objective comparison plays moves, and rows of features have no boards to play them on: take"
            " objective ranking, or labels"
        )
    _check_names(job, evaluation)
    listen(Progress("compiling the evaluation's terms"))
    if not evaluation.traced:
        _ = evaluation.plan
    lap("compile")
    data = read_data(job, evaluation, listen)
    evaluation.refuse_lost(data.rejects.lost)
    lap("read")
    train, validation = _extract(job, evaluation, data, listen)
    lap("extract")
    occurrences = train.occurrences()
    parameters = parameters_of(job, evaluation, occurrences)
    if not parameters.size:
        raise InputError("every weight is frozen or never occurs in the data: there is nothing to fit")
    objective, held_out = _objectives(job, evaluation, data, train, validation, parameters)
    return Problem(job, evaluation, data, occurrences, parameters, objective, held_out)


def parameters_of(job: Job, evaluation: Evaluation, occurrences: NDArray[np.int64]) -> Parameters:
    """The free numbers of a job; what no position has is free where a rule gives it a shape or a bound."""
    seen = occurrences + shaped(evaluation.layout, job.rules)
    return make_parameters(evaluation.start, freeze=job.freeze, occurrences=seen, tie=job.tie)


def _check_names(job: Job, evaluation: Evaluation) -> None:
    """Looks up every name of a weight before the data are read, which can take long."""
    check_centring(evaluation.layout, job.centre)
    parameters = make_parameters(evaluation.start, freeze=job.freeze, tie=job.tie)
    if parameters.size:
        make_restraints(job.rules, parameters, ridge=job.ridge, prior=parameters.start, games=1)


def starting_evaluation(job: Job) -> Evaluation:
    """The job's evaluation, with the job's starting weights."""
    evaluation = load_evaluation(job.evaluation)
    if job.weights:
        evaluation = replace(evaluation, start=load_weights(job.weights, evaluation.layout))
    return evaluation


def read_data(job: Job, evaluation: Evaluation, listen: Listener = ignore) -> Data:
    """Positions, targets and the split of a job; the split depends on the seed and the data only."""
    rejects = Rejects(stop=job.on_error == "stop")
    traced = None
    if files := traced_files(job.data, evaluation):
        positions, traced = read_traces(files, evaluation)
    else:
        positions = Positions.gather(_told(_open(job, rejects), listen))
    targets = make_targets(
        positions,
        job.result_share,
        None if job.score_k == "fit" else job.score_k,
        job.loss_function().compares,
    )
    if targets.left_out:
        positions = positions.select(targets.rows)
        traced = traced.select(targets.rows) if traced is not None else None
    groups = group(positions)
    apart = groups if job.split == "game" else single(len(positions))
    train, validation = split(apart, job.validation, np.random.default_rng(job.seed))
    return Data(positions, targets, groups, train, validation, rejects, traced)


def _open(job: Job, rejects: Rejects) -> Iterator[Positions]:
    return open_positions(
        list(job.data) or [str(sample_path())],
        format=job.data_format, result_pov=job.result_pov, score_pov=job.score_pov,
        score_unit=job.score_unit, check=job.check_labels,
        on_error=job.on_error, rejects=rejects, threads=job.threads,
    )  # fmt: skip


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
    if data.traced is not None:
        digest.update(data.traced.phase.tobytes())
        for column in (column for block in data.traced.blocks for column in block):
            digest.update(np.ascontiguousarray(column).tobytes())
    return digest.hexdigest()


def _extract(
    job: Job, evaluation: Evaluation, data: Data, listen: Listener
) -> tuple[FeatureMatrix, FeatureMatrix]:
    if data.traced is not None:
        return data.traced.select(data.train), data.traced.select(data.validation)
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

    first = goal(problem.objective, data.train)
    try:
        return first, goal(problem.held_out, data.validation) if problem.held_out else None
    except NoPairs:  # a few held-out positions may hold none
        return first, None
