"""`tuner fit` and `tuner resume`."""

from __future__ import annotations

import json as json_module
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evalcore.errors import InputError

from . import options

CROSS_VALIDATE = "cross-validate"
COMMA = re.compile(r",(?![^\[]*\])")

if TYPE_CHECKING:
    from ..job import Job
    from ..run import Fit


def fit(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[JOB.toml] [FILE]...", help="A job file, or files of positions.", show_default=False
        ),
    ] = None,
    data: options.Data = None,
    evaluation: options.EvaluationName = None,
    weights: Annotated[str | None, typer.Option(help="Start from this weights file.")] = None,
    method: Annotated[
        str | None, typer.Option(help="The optimizer: texel unless given; tuner methods lists them.")
    ] = None,
    loss: Annotated[
        str | None, typer.Option(help="squared, cross-entropy, ordinal, huber, linear or score-squared.")
    ] = None,
    result_share: Annotated[
        float | None, typer.Option(help="Target = share·result + (1−share)·p(score); 1 unless given.")
    ] = None,
    k: Annotated[str | None, typer.Option(help="K of 1/(1+10^(−K·cp/400)): 'fit' or a number.")] = None,
    ridge: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBER|cross-validate",
            help="Price, in the loss of one game, of moving a weight by 100 cp; 1 unless given.",
        ),
    ] = None,
    freeze: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A term, term[label], term.mg or pattern* that stays; may be repeated."
        ),
    ] = None,
    tie: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,NAME", help="Terms or weights that stay equal; may be repeated."),
    ] = None,
    constrain: Annotated[
        list[str] | None,
        typer.Option(
            metavar="'NAME: KEY=VALUE, ...'",
            help="lower, upper, sign, monotone, smooth, ridge, prior, lasso or group of a term or weight;"
            " may be repeated.",
        ),
    ] = None,
    centre: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A table (psqt_knight, psqt_*) whose mean moves into the piece's value; may be repeated.",
        ),
    ] = None,
    prior: Annotated[str | None, typer.Option(help="What the ridge pulls to: start, or zero.")] = None,
    objective: Annotated[
        str | None, typer.Option(help="labels, or the order of positions: ranking, concordance, comparison.")
    ] = None,
    polish: Annotated[
        bool, typer.Option("--polish", help="After rounding, step by 1 cp while the loss falls.")
    ] = False,
    validation: Annotated[
        float | None, typer.Option(help="Share of positions held out, by game; 0.1 unless given.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the split.")] = None,
    threads: options.Threads = None,
    format: options.Format = None,
    result_pov: options.ResultPov = None,
    score_pov: options.ScorePov = None,
    score_unit: options.ScoreUnit = None,
    check: options.Check = True,
    on_error: options.OnError = None,
    rejects: options.Rejects = None,
    out: Annotated[Path | None, typer.Option(help="The run folder; runs/NAME-1, -2 … unless given.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Any key of a job file; may be repeated."),
    ] = None,
    report: options.Report = True,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Fits the weights of an evaluation to labelled positions.

    Without arguments: the default evaluation on the sample positions.
    """
    from ..folder import claim, next_folder

    job = _job(
        inputs or [], data or [], settings or [],
        evaluation=evaluation, weights=weights, method=method, loss=loss, result_share=result_share,
        k=_number(k), ridge=None if ridge == CROSS_VALIDATE else _number(ridge),
        freeze=tuple(freeze) if freeze else None, validation=validation, seed=seed,
        threads=threads, data_format=format, result_pov=result_pov, score_pov=score_pov, on_error=on_error,
        score_unit=score_unit, check_labels=check if not check else None,
        rules=_rules(constrain), tie=_ties(tie), centre=tuple(centre) if centre else None,
        prior=prior, objective=objective, polish=polish or None,
    )  # fmt: skip
    folder = out or next_folder(Path(job.evaluation).stem)
    claim(folder)
    if ridge == CROSS_VALIDATE:
        job = _with_best_ridge(job, quiet or json)
    _run(job, folder, resume=False, json=json, quiet=quiet, rejects=rejects, report=report)


def resume(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of an interrupted run.")],
    report: options.Report = True,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Continues an interrupted fit, with the same result as if it had never stopped."""
    from ..folder import is_finished, open_run

    job = open_run(run)
    if is_finished(run):
        raise InputError(f"{run}: has already ended; its weights are in {run / 'weights.csv'}")
    _run(job, run, resume=True, json=json, quiet=quiet, rejects=None, report=report)


def _job(inputs: list[str], data: list[str], settings: list[str], **given: Any) -> Job:
    from ..job import make_job, read_job

    jobs = [name for name in inputs if name.endswith(".toml")]
    files = [name for name in inputs if not name.endswith(".toml")] + data
    if len(jobs) > 1:
        raise InputError(f"one job file at a time, not {', '.join(jobs)}")
    chosen = tuple(files) or None
    if jobs:
        return read_job(jobs[0], settings, data=chosen, **given)
    return make_job(settings, data=chosen, **given)


def _with_best_ridge(job: Job, silent: bool) -> Job:
    from .progress import Display

    with Display(quiet=silent) as display:
        from ..study import choose_ridge

        job, found = choose_ridge(job, told=display.telling("cross-validating"))
    if not silent:
        typer.echo(f"ridge {job.ridge:g}, by cross-validation over games ({len(found.table)} tried)\n")
    return job


def _rules(texts: list[str] | None) -> dict[str, Any] | None:
    from ..rules import parse_rule

    rules: dict[str, Any] = {}
    for name, keys in map(parse_rule, texts or []):
        rules[name] = {**rules.get(name, {}), **keys}
    return rules or None


def _ties(texts: list[str] | None) -> tuple[tuple[str, ...], ...] | None:
    """`A,B` as a tie of two names; commas inside brackets belong to a label."""
    return tuple(tuple(name.strip() for name in COMMA.split(text)) for text in texts or []) or None


def _number(text: str | None) -> float | str | None:
    try:
        return float(text) if text is not None else None
    except ValueError:
        return text


def _run(
    job: Job, folder: Path, *, resume: bool, json: bool, quiet: bool, rejects: Path | None, report: bool
) -> None:
    from .progress import Display

    _tell_first_compilation(quiet or json)
    with Display(quiet=quiet) as display:
        from ..progress import Progress
        from ..report import can_report
        from ..run import run

        try:
            result = run(job, folder, listen=display.listen, resume=resume)
            if report and can_report():
                display.listen(Progress("writing the report"))
                _report(folder)
        except KeyboardInterrupt:
            hint = f"; continue with: tuner resume {folder}" if (folder / "job.toml").exists() else ""
            raise options.Interrupted(f"interrupted{hint}") from None
    if rejects:
        options.write_rejects(result.rejects, rejects)
    typer.echo(json_module.dumps(result.summary()) if json else _summary(result, quiet))


def _tell_first_compilation(silent: bool) -> None:
    from evalcore.compiled import cache_folder, cache_is_empty

    if not silent and cache_is_empty():
        where = f", kept in {cache_folder()}" if cache_folder() else ""
        print(f"compiling the terms, once for this version{where} …", file=sys.stderr)  # noqa: T201


def _report(folder: Path) -> None:
    from ..report.page import write_report

    write_report(folder)


def _summary(fit: Fit, quiet: bool) -> str:
    from .summary import summary

    return f"{fit.folder}" if quiet else summary(fit)
