"""`tuner export`: weights in the form an engine reads."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalcore.errors import InputError

from . import options


def export(
    source: Annotated[str, typer.Argument(metavar="RUN|WEIGHTS", help="A run folder or a weights file.")],
    to: Annotated[str | None, typer.Option(metavar="NAME", help="c-header, csv, json, …")] = None,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="Where to write; '-' is stdout.")
    ] = "-",
    evaluation: options.EvaluationName = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="An option of the exporter; may be repeated."),
    ] = None,
) -> None:
    """Writes rounded weights in the form engines read."""
    from ..export import EXPORTERS
    from ..export import export as export_weights
    from .weights import evaluation_and_weights

    if to is None:
        raise InputError(f"--to is needed: one of {', '.join(EXPORTERS)}, or file.py:object")
    chosen, weights = evaluation_and_weights(evaluation, source, integer=True)
    target = None if out == "-" else Path(out)
    text = export_weights(weights.rounded(), chosen, to, target, **options.settings(settings or []))
    if target is None:
        typer.echo(text, nl=False)
    else:
        typer.echo(f"{len(chosen.layout):,} weights written to {out}")
