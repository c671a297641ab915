"""`tuner report`, `tuner compare`, `tuner study`: how sure is each number, and what would help."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evalcore.errors import InputError

from . import options

if TYPE_CHECKING:
    from ..study import Study

METHOD_INDENT = 14
"""Where text beside the name of a method begins."""
Run = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a finished run.")]


def report(
    run: Run,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE.html", help="RUN/report.html unless given.")
    ] = None,
) -> None:
    """Writes the report of a run as one self-contained page."""
    from ..report.page import write_report

    typer.echo(f"written to {write_report(run, out)}")


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN...", help="Folders of finished runs.")],
    weights: Annotated[
        bool, typer.Option("--weights", help="Compare the weights of two runs, most different first.")
    ] = False,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE.csv", help="As CSV.")] = None,
    json: options.Json = False,
) -> None:
    """Runs side by side: what was fitted on what, and the losses."""
    from ..report.compare import compare_runs, compare_weights
    from .select import print_table

    if weights:
        if len(runs) != 2:
            raise InputError("--weights compares two runs")
        table = compare_weights(*runs).reset_index()
        print_table(table, list(table.columns), out, json)
        return
    table = compare_runs(runs).reset_index()
    shown = [
        "run", "evaluation", "method", "objective", "loss", "data", "parameters",
        "validation_start", "validation_fitted", "validation_rounded", "tau", "passes", "gap", "converged",
    ]  # fmt: skip
    print_table(table, shown, out, json)


def study(
    run: Run,
    contrast: Annotated[
        list[str] | None,
        typer.Option(metavar="SUM", help="Weights to add, as in 'material_bishop.mg - material_knight.mg'."),
    ] = None,
    ridges: Annotated[
        bool, typer.Option("--ridges", help="Which ridge is best, by cross-validation over games.")
    ] = False,
    learning: Annotated[
        bool, typer.Option("--learning", help="Would more games help? Loss by number of games.")
    ] = False,
    sources: Annotated[
        bool, typer.Option("--sources", help="What each file does to the fit, to first order.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Questions that need the positions again; the answers also go to the run folder, for its report."""
    from ..study import ONE_FILE, open_study
    from .progress import Display
    from .select import json_of, print_table

    if not (contrast or ridges or learning or sources):
        raise InputError("ask something: --contrast SUM, --ridges, --learning or --sources")
    with Display(quiet=json) as display:
        found = open_study(run, display.listen)
        if sources and (contrast or ridges or learning) and len(found.files[1]) < 2:
            typer.echo(f"{ONE_FILE}, so no sources are compared", err=True)
            sources = False
        tables = list(_answers(found, contrast or [], ridges, learning, sources, display))
    if json:
        typer.echo("{" + ", ".join(f'"{name}": {json_of(table)}' for name, _, table in tables) + "}")
        return
    for _, title, table in tables:
        typer.echo(f"\n{title}\n")
        print_table(table, list(table.columns), None, json)


def _answers(
    found: Study, contrasts: list[str], ridges: bool, learning: bool, sources: bool, display: Any
) -> Any:
    if contrasts:
        yield (
            "contrasts",
            "sums of weights, in centipawns, with errors clustered by game",
            found.contrasts(contrasts),
        )
    if ridges:
        cross = found.cross_validate(told=display.telling("cross-validating"))
        best = f"best: {cross.best:g}, strongest within a standard error of it: {cross.simplest:g}"
        yield "ridges", f"held-out loss by ridge; {best}", cross.table
    if learning:
        curve = found.learning_curve(told=display.telling("fitting subsets"))
        yield "learning", f"held-out loss by number of games: {curve.words}", curve.table
    if sources:
        from ..inference.sources import FIRST_ORDER

        yield "sources", f"what each source does ({FIRST_ORDER})", found.sources().table


def methods(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="One method, with its options.", show_default=False)
    ] = None,
    json: options.Json = False,
) -> None:
    """Lists the methods of `tuner fit --method`: when to use each, what it needs and keeps, its source."""
    import json as json_module

    from ..optimizers.methods import described, method_table

    rows = method_table() if name is None else [described(name)]
    if json:
        typer.echo(json_module.dumps(rows if name is None else rows[0]))
        return
    for row in rows:
        typer.echo(_method_text(row))
    if name is None:
        typer.echo("\nthe options of one, and what they mean: tuner methods NAME")


def _method_text(row: dict[str, Any]) -> str:
    """What a method is beside its name, and its options where they are asked for."""
    from textwrap import fill

    indent = " " * METHOD_INDENT
    lines = (row["when"], f"needs {row['needs']}; keeps {row['keeps']}", row["source"])
    text = "\n".join(fill(each, 110, initial_indent=indent, subsequent_indent=indent) for each in lines)
    text = f"{row['name']:{METHOD_INDENT}}{text[METHOD_INDENT:]}"
    if "options" in row:
        text += f"\n\n{row['about']}\n\noptions (--set options.NAME=VALUE) and their defaults:\n"
        shown = {True: "true", False: "false"}
        text += "\n".join(
            f"  {key} = {shown[value] if isinstance(value, bool) else value}"
            for key, value in row["options"].items()
        )
    return text
