"""`tuner data …`: converting, describing and checking sets of positions."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import options, surgery
from .options import write_rejects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evalcore.formats import Rejects
    from evalcore.positions import Positions

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
    on_error: options.OnError = None,
    rejects: options.Rejects = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Converts positions from one format to another."""
    from evalcore.formats import Rejects, write_positions

    left_out = Rejects()
    count = 0

    def counted() -> Iterator[Positions]:
        nonlocal count
        for block in _blocks(sources, format, result_pov, score_pov, on_error, left_out, threads):
            count += len(block)
            yield block

    write_positions(counted(), out, format=to)
    if rejects:
        write_rejects(left_out, rejects)
    if json:
        typer.echo(
            json_module.dumps({"positions": count, "out": str(out), "left_out": dict(left_out.counts)})
        )
        return
    typer.echo(f"{count:,} positions written to {out}")
    _print_left_out(left_out)


@app.command()
def info(
    sources: Sources,
    format: options.Format = None,
    on_error: options.OnError = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Says what is in a set of positions: games, results, phases, duplicates, scores."""
    from evalcore.formats import Rejects

    from ..info import describe

    left_out = Rejects()
    summary = describe(_blocks(sources, format, None, None, on_error, left_out, threads))
    typer.echo(json_module.dumps(summary) if json else _shown(summary))
    if not json:
        _print_left_out(left_out)


@app.command()
def check(
    sources: Sources,
    format: options.Format = None,
    result_pov: options.ResultPov = None,
    score_pov: options.ScorePov = None,
    rejects: options.Rejects = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Reads everything and lists what is wrong, with file and line; exit code 1 if anything is."""
    from evalcore.formats import Rejects

    left_out = Rejects()
    count = sum(len(b) for b in _blocks(sources, format, result_pov, score_pov, "skip", left_out, threads))
    if rejects:
        write_rejects(left_out, rejects)
    if json:
        typer.echo(json_module.dumps({"positions": count, "left_out": dict(left_out.counts)}))
    else:
        for each in left_out.kept[:20]:
            typer.echo(f"{each.path}:{each.place}: {each.reason}: {each.text[:100]!r}")
        if left_out.total() > 20:
            typer.echo(f"… {left_out.total() - 20:,} more (--rejects FILE.csv lists them all)")
        _print_left_out(left_out)
        typer.echo(f"{count:,} positions are good, {left_out.total():,} are not")
    if left_out.total():
        raise typer.Exit(1)


def _blocks(
    sources: list[str],
    format: str | None,
    result_pov: Any,
    score_pov: Any,
    on_error: Any,
    rejects: Rejects,
    threads: int | None,
) -> Iterator[Positions]:
    from evalcore.formats import open_positions

    return open_positions(
        sources, format=format, result_pov=result_pov, score_pov=score_pov,
        on_error=on_error or "stop", rejects=rejects, threads=threads,
    )  # fmt: skip


def _print_left_out(rejects: Rejects) -> None:
    for reason, count in rejects.counts.most_common():
        typer.echo(f"left out {count:,}: {reason}")
    for reason, count in rejects.notes.most_common():
        typer.echo(f"note {count:,}: {reason}")


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
