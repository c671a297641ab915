"""`tuner export`: weights in the form an engine reads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalcore.errors import InputError

from . import options

if TYPE_CHECKING:
    from evalcore.evaluation import Evaluation
    from evalcore.weights import RoundedWeights


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
    into: Annotated[
        Path | None,
        typer.Option(metavar="SOURCE", help="Replace the numbers in an engine's own source file."),
    ] = None,
    map_file: Annotated[
        Path | None,
        typer.Option("--map", metavar="MAP.toml", help="Which numbers of SOURCE are which weights."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what --into would change, and change nothing.")
    ] = False,
) -> None:
    """Writes rounded weights in the form engines read, or into an engine's own source file."""
    from .weights import evaluation_and_weights

    _check_choice(to, into, map_file, dry_run)
    if into and (out != "-" or settings):
        raise InputError("--into keeps the form of SOURCE: it goes with --map and --dry-run only")
    chosen, weights = evaluation_and_weights(evaluation, source, integer=True)
    if into and map_file:
        _patch(weights.rounded(), into, map_file, dry_run)
    elif to:
        _write(weights.rounded(), chosen, to, out, options.settings(settings or []))


def _check_choice(to: str | None, into: Path | None, map_file: Path | None, dry_run: bool) -> None:
    """Raises InputError unless the call says --to, or --into and --map."""
    from ..export import EXPORTERS

    if not into and (map_file or dry_run):
        raise InputError("--map and --dry-run go with --into SOURCE")
    if into and not map_file:
        raise InputError("--into needs --map MAP.toml, which says which numbers are which weights")
    if (to is None) == (into is None):
        names = f"one of {', '.join(EXPORTERS)}, or file.py:object"
        raise InputError(f"--to NAME ({names}) or --into SOURCE is needed, and not both")


def _write(
    weights: RoundedWeights, evaluation: Evaluation, to: str, out: str, settings: dict[str, str]
) -> None:
    from ..export import export as export_weights

    target = None if out == "-" else Path(out)
    text = export_weights(weights, evaluation, to, target, **settings)
    if target is None:
        typer.echo(text, nl=False)
    else:
        typer.echo(f"{len(weights.layout):,} weights written to {out}")


def _patch(weights: RoundedWeights, into: Path, map_file: Path, dry_run: bool) -> None:
    from ..export.source import patch_source

    patch = patch_source(weights, into, map_file, dry_run=dry_run)
    if dry_run:
        typer.echo(patch.diff(), nl=False)
    typer.echo(f"{patch.numbers:,} numbers {'would change' if dry_run else 'changed'} in {into}", err=dry_run)
    if patch.unmapped:
        typer.echo(f"not in the map: {', '.join(patch.unmapped)}", err=True)
