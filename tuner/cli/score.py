"""`tuner score`: batch evaluation of files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from . import options
from .reading import Reading, report


def score(
    data: Annotated[list[str], typer.Argument(metavar="FILE...", help="Positions.")],
    evaluation: options.EvaluationName = None,
    weights: Annotated[str | None, typer.Option(help="A weights file or a run folder.")] = None,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="scores.csv", help="Where to write; '-' is stdout.")
    ] = "-",
    integer: Annotated[bool, typer.Option("--integer", help="The engine's integer arithmetic.")] = False,
    threads: options.Threads = None,
    format: options.Format = None,
    result_pov: options.ResultPov = None,
    score_pov: options.ScorePov = None,
    score_unit: options.ScoreUnit = None,
    check: options.Check = True,
    on_error: options.OnError = None,
) -> None:
    """Evaluates positions: fen, score (centipawns, White's view) and phase of each, as CSV."""
    from ..scoring import write_scores
    from .weights import evaluation_and_weights

    chosen, table = evaluation_and_weights(evaluation, weights, integer=integer)
    reading = Reading(format, result_pov, score_pov, score_unit, check, on_error=on_error, threads=threads)
    count = write_scores(
        reading.blocks(data), chosen, table, sys.stdout if out == "-" else Path(out),
        integer=integer, threads=threads, read=reading.rejects,
    )  # fmt: skip
    report(reading.rejects, files=False, err=True)
    if out != "-":
        typer.echo(f"{count:,} positions scored into {out}")
