"""`tuner data …`: converting, describing and checking sets of positions."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evalcore.errors import FormatError

from . import filtering, options, surgery
from .reading import Reading, as_json, reads, report

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..info import Info

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Convert, describe and check positions.")

app.command("filter")(filtering.filter_positions)
for command in (surgery.dedupe, surgery.sample, surgery.split, surgery.merge, surgery.pivot):
    app.command()(command)

Sources = Annotated[list[str], typer.Argument(metavar="FILE...", help="Files or patterns.")]


@app.command()
@reads()
def convert(
    sources: Sources,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DST", help="The suffix chooses the format.")],
    to: Annotated[str | None, typer.Option(metavar="NAME", help="The output format.")] = None,
    *,
    reading: Reading,
    json: options.Json = False,
) -> None:
    """Converts positions from one format to another; CSV gets the file and line of every row.

    What was seen in each file goes to stderr: its format, what it lacks, whose view its labels are from.
    """
    from evalcore.formats import write_located

    count = write_located(reading.located(sources), out, format=to, rejects=reading.found)
    if json:
        typer.echo(json_module.dumps({"positions": count, "out": str(out), **as_json(reading.found)}))
        return
    report(reading.found, err=True)
    typer.echo(f"{count:,} positions written to {out}", err=not out.is_file())


@app.command()
@reads()
def info(
    sources: Sources,
    *,
    reading: Reading,
    plots: Annotated[Path | None, typer.Option(metavar="DIR", help="Write pictures there.")] = None,
    json: options.Json = False,
) -> None:
    """Says what is in a set of positions: games, results, phases, material, duplicates, scores.

    K is that of the scores against the results, of all and of each file and engine. Material is counted for
    the side with more, whichever colour it has.
    """
    from ..info import look_at

    if plots is not None:
        from ..report.theme import new_figure

        new_figure()  # says at once where matplotlib is missing
    found = look_at(reading.located(sources))
    summary = found.summary()
    pictures = _pictures(found, plots) if plots is not None else []
    if json:
        more = {"plots": list(map(str, pictures))} if pictures else {}
        typer.echo(json_module.dumps({**summary, **as_json(reading.found), **more}))
        return
    typer.echo(_shown(summary))
    report(reading.found)
    if pictures:
        typer.echo(f"{len(pictures)} pictures written to {plots}")


@app.command()
@reads("quiet_moves", "skip_book", on_error="skip")
def check(
    sources: Sources,
    *,
    reading: Reading,
    json: options.Json = False,
) -> None:
    """Reads everything and lists what is wrong, with file and line; exit code 1 if anything is.

    Labels that contradict their point of view or unit are wrong, too.
    """
    left_out, count, mistake = reading.found, 0, ""
    try:
        for block in reading.blocks(sources):
            count += len(block)
    except FormatError as error:
        mistake = str(error)
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


SHOWN = 12
"""Rows of each table."""


def _pictures(found: Info, folder: Path) -> list[Path]:
    from ..info_plots import write_pictures

    return write_pictures(found, folder)


def _shown(summary: dict[str, Any]) -> str:
    """The summary for people: one column of facts, then tables."""
    return "\n\n".join(part for part in (_facts(summary), _materials(summary), _ks(summary)) if part)


def _facts(summary: dict[str, Any]) -> str:
    from .text import curve, table

    def share(count: int) -> str:
        return f"{count:,} ({100 * count / max(summary['positions'], 1):.1f} %)"

    games = summary["games"]
    rows = [
        ("positions", f"{summary['positions']:,}"),
        ("games", f"{games:,}" if games else "not named"),
        *((name, share(count)) for name, count in summary["results"].items() if count),
        ("White to move", _turns(summary, share)),
        ("in check", share(summary["in_check"])),
        ("quiet", share(summary["quiet"])),
        ("repeated boards", share(summary["duplicates"])),
        ("boards with different results", f"{summary['conflicting']:,}"),
        ("scores", f"{summary['scores']:,}"),
        ("K of the scores", summary["score_k"]),
        ("Chess960 castling", f"{summary['chess960']:,}"),
    ]
    if summary["ply"]:
        rows.append(("ply", f"{summary['ply']['least']} … {summary['ply']['most']}"))
    rows.append(("phase 0 … 24", curve(summary["phase"])))
    rows += [(f"{name} a position", f"{count:.2f}") for name, count in summary["pieces_per_position"].items()]
    return table(rows, ("", ""), left=2).split("\n", 2)[2]


def _turns(summary: dict[str, Any], share: Callable[[int], str]) -> str:
    if summary["white_to_move"] is None:
        return "not known: boards, results and scores are those of the side to move"
    return share(summary["white_to_move"])


def _materials(summary: dict[str, Any]) -> str:
    from .text import table

    rows = []
    for row in summary["material"][:SHOWN]:
        known = max(row["won"] + row["drawn"] + row["lost"], 1)
        shares = (f"{100 * row[name] / known:.1f}" for name in ("won", "drawn", "lost"))
        rows.append((row["material"], f"{row['positions']:,}", *shares))
    return table(rows, ("most frequent material", "positions", "won %", "drawn %", "lost %"))


def _ks(summary: dict[str, Any]) -> str:
    from .text import table

    by_source, by_engine = summary["k_by_source"], summary["k_by_engine"]
    rows = [*(by_source if len(by_source) > 1 else ()), *by_engine][:SHOWN]
    shown = [(row["name"], f"{row['positions']:,}", row["k"]) for row in rows]
    return table(shown, ("scores of", "positions", "K")) if rows else ""
