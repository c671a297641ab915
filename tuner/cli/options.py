"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from evalcore.errors import InputError

if TYPE_CHECKING:
    from evalcore.formats import Rejects as RejectList

Data: TypeAlias = Annotated[
    list[str] | None, typer.Option(metavar="FILE", help="Positions: a file or pattern; may be repeated.")
]
EvaluationName: TypeAlias = Annotated[
    str | None, typer.Option("--evaluation", "-e", metavar="NAME|FILE", help="A preset or a .toml file.")
]
Threads: TypeAlias = Annotated[int | None, typer.Option(min=1, help="All cores unless given.")]
Format: TypeAlias = Annotated[
    str | None,
    typer.Option("--format", "--from", metavar="NAME", help="The input format, instead of sniffing."),
]
ResultPov: TypeAlias = Annotated[
    str | None, typer.Option(metavar="POV", help="Results are from: white or side-to-move.")
]
ScorePov: TypeAlias = Annotated[
    str | None, typer.Option(metavar="POV", help="Scores are from: white or side-to-move.")
]
ScoreUnit: TypeAlias = Annotated[
    float | None, typer.Option(metavar="CP", help="Centipawns in one unit of the scores.")
]
Check: TypeAlias = Annotated[
    bool, typer.Option(help="Stop where labels contradict their point of view or unit.")
]
OnError: TypeAlias = Annotated[str | None, typer.Option(metavar="stop|skip", help="What a bad line does.")]
Rejects: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE.csv", help="List what was left out: file, place, reason, text.")
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="Print little.")]


def write_rejects(rejects: RejectList, path: Path) -> None:
    """The list of what was left out as CSV."""
    import csv
    import io

    from evalcore.files import write_text

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["file", "place", "reason", "text"])
    writer.writerows((each.path, each.place, each.reason, each.text) for each in rejects.kept)
    write_text(path, out.getvalue())


def settings(pairs: list[str]) -> dict[str, str]:
    """`key=value` pairs as a dictionary."""
    out = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise InputError(f"--set {pair}: expected key=value")
        out[key.strip()] = value.strip()
    return out
