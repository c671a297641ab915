"""`tuner score`: batch evaluation of files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from . import options
from .reading import Reading, reads, report


@reads()
def score(
    data: Annotated[list[str], typer.Argument(metavar="FILE...", help="Positions.")],
    evaluation: options.EvaluationName = None,
    weights: Annotated[str | None, typer.Option(help="A weights file or a run folder.")] = None,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="scores.csv", help="Where to write; '-' is stdout.")
    ] = "-",
    integer: Annotated[bool, typer.Option("--integer", help="The engine's integer arithmetic.")] = False,
    *,
    reading: Reading,
) -> None:
    """Evaluates positions: fen, score (centipawns, White's view) and phase of each, as CSV."""
    from ..scoring import write_scores
    from .weights import evaluation_and_weights

    chosen, table = evaluation_and_weights(evaluation, weights, integer=integer)
    count = write_scores(
        reading.blocks(data), chosen, table, sys.stdout if out == "-" else Path(out),
        integer=integer, threads=reading.threads, read=reading.found,
    )  # fmt: skip
    report(reading.found, files=False, err=True)
    if out != "-":
        typer.echo(f"{count:,} positions scored into {out}")
