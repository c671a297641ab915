"""`tuner score`: batch evaluation of files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from . import options


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
    on_error: options.OnError = None,
) -> None:
    """Evaluates positions: fen, score (centipawns, White's view) and phase of each, as CSV."""
    from ..scoring import write_scores
    from .weights import evaluation_and_weights

    chosen, table = evaluation_and_weights(evaluation, weights, integer=integer)
    count = write_scores(
        data, chosen, table, Path("/dev/stdout") if out == "-" else Path(out),
        integer=integer, threads=threads, format=format, on_error=on_error or "stop",
    )  # fmt: skip
    if out != "-":
        typer.echo(f"{count:,} positions scored into {out}")
