"""`tuner data …`: converting, describing and checking sets of positions."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evalcore.errors import FormatError

from . import options, surgery
from .options import write_rejects
from .reading import Reading, as_json, report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evalcore.formats import Located

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Convert, describe and check positions.")

app.command("filter")(surgery.filter_positions)
for command in (surgery.dedupe, surgery.sample, surgery.split, surgery.merge, surgery.pivot):
    app.command()(command)

Sources = Annotated[list[str], typer.Argument(metavar="FILE...", help="Files or patterns.")]


@app.command()
def convert(
    sources: Sources,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DST", help="The suffix chooses the format.")],
    to: Annotated[str | None, typer.Option(metavar="NAME", help="The output format.")] = None,
    format: options.Format = None,
    result_pov: options.ResultPov = None,
    score_pov: options.ScorePov = None,
    score_unit: options.ScoreUnit = None,
    check: options.Check = True,
    terminations: options.Terminations = None,
    skip_book: options.SkipBook = False,
    on_error: options.OnError = None,
    rejects: options.Rejects = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Converts positions from one format to another; CSV gets the file and line of every row.

    What was seen in each file goes to stderr: its format, what it lacks, whose view its labels are from.
    """
    from evalcore.formats import write_located

    reading = Reading(
        format, result_pov, score_pov, score_unit, check, terminations, skip_book, on_error, threads
    )
    count = 0

    def counted() -> Iterator[Located]:
        nonlocal count
        for block in reading.located(sources):
            count += len(block.positions)
            yield block

    write_located(counted(), out, format=to)
    if rejects:
        write_rejects(reading.rejects, rejects)
    if json:
        typer.echo(json_module.dumps({"positions": count, "out": str(out), **as_json(reading.rejects)}))
        return
    report(reading.rejects, err=True)
    typer.echo(f"{count:,} positions written to {out}", err=not out.is_file())


@app.command()
def info(
    sources: Sources,
    format: options.Format = None,
    result_pov: options.ResultPov = None,
    score_pov: options.ScorePov = None,
    score_unit: options.ScoreUnit = None,
    check: options.Check = True,
    terminations: options.Terminations = None,
    skip_book: options.SkipBook = False,
    on_error: options.OnError = None,
    rejects: options.Rejects = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Says what is in a set of positions: games, results, phases, duplicates, scores."""
    from ..info import describe

    reading = Reading(
        format, result_pov, score_pov, score_unit, check, terminations, skip_book, on_error, threads
    )
    summary = describe(reading.blocks(sources))
    if rejects:
        write_rejects(reading.rejects, rejects)
    if json:
        typer.echo(json_module.dumps({**summary, **as_json(reading.rejects)}))
        return
    typer.echo(_shown(summary))
    report(reading.rejects)


@app.command()
def check(
    sources: Sources,
    format: options.Format = None,
    result_pov: options.ResultPov = None,
    score_pov: options.ScorePov = None,
    score_unit: options.ScoreUnit = None,
    check: options.Check = True,
    terminations: options.Terminations = None,
    rejects: options.Rejects = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Reads everything and lists what is wrong, with file and line; exit code 1 if anything is.

    Labels that contradict their point of view or unit are wrong, too.
    """
    reading = Reading(format, result_pov, score_pov, score_unit, check, terminations, False, "skip", threads)
    left_out, count, mistake = reading.rejects, 0, ""
    try:
        for block in reading.blocks(sources):
            count += len(block)
    except FormatError as error:
        mistake = str(error)
    if rejects:
        write_rejects(left_out, rejects)
    if json:
        typer.echo(json_module.dumps({"positions": count, "error": mistake or None, **as_json(left_out)}))
    else:
        for each in left_out.kept[:20]:
            typer.echo(f"{each.path}:{each.place}: {each.reason}: {each.text[:100]!r}")
        if left_out.total() > 20:
            typer.echo(f"… {left_out.total() - 20:,} more (--rejects FILE.csv lists them all)")
        report(left_out)
        if mistake:
            typer.echo(mistake)
        typer.echo(f"{count:,} positions are good, {left_out.total():,} things are not")
    if left_out.total() or mistake:
        raise typer.Exit(1)


def _shown(summary: dict[str, Any]) -> str:
    from .text import curve, table

    rows_count = max(summary["positions"], 1)
    results = summary["results"]
    rows = [
        ("positions", f"{summary['positions']:,}"),
        ("games", f"{summary['games']:,}" if summary["games"] else "not named"),
        *((name, f"{n:,} ({100 * n / rows_count:.1f} %)") for name, n in results.items() if n),
        ("White to move", f"{100 * summary['white_to_move'] / rows_count:.1f} %"),
        ("duplicate boards", f"{summary['duplicates']:,}"),
        ("scores", f"{summary['scores']:,}"),
        ("K of the scores", summary["score_k"]),
        ("Chess960 castling", f"{summary['chess960']:,}"),
    ]
    if summary["ply"]:
        rows.append(("ply", f"{summary['ply']['least']} … {summary['ply']['most']}"))
    phase = summary["phase"]
    rows.append(("phase 0 … 24", curve(phase)))
    for name, count in summary["pieces_per_position"].items():
        rows.append((f"{name} a position", f"{count:.2f}"))
    return table(rows, ("", ""), left=2).split("\n", 2)[2]
