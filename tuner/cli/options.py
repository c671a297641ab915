"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, TypeAlias

import typer

from evalcore.errors import InputError

if TYPE_CHECKING:
    from evalcore.formats import Reject
    from evalcore.formats import Rejects as RejectList


class Interrupted(Exception):
    """Ctrl-C where something is left that can go on; the message says how."""


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
UNITS = {"cp": 1.0, "pawns": 100.0, "stockfish": 100 / 208}
"""Words for a number of centipawns."""


def score_unit(text: str) -> float:
    """A word of `UNITS`, or centipawns as a number."""
    if text in UNITS:
        return UNITS[text]
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise typer.BadParameter(
            f"{text!r} is none of {', '.join(UNITS)} and no number of centipawns above 0"
        )
    return value


ScoreUnit: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="UNIT", parser=score_unit, help="Of scores: cp, pawns, stockfish, or a number of centipawns."
    ),
]
Check: TypeAlias = Annotated[
    bool, typer.Option(help="Stop where labels contradict their point of view or unit.")
]
Terminations: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME,…",
        help="How games may have ended: normal, adjudication (the default), time-forfeit, crash, "
        "illegal-move, abandoned, unterminated, unknown; or all.",
    ),
]
SkipBook: TypeAlias = Annotated[
    bool, typer.Option("--skip-book", help="Leave out moves of the opening book (PGN).")
]
QuietMoves: TypeAlias = Annotated[
    bool,
    typer.Option("--quiet-moves", help="Leave out positions whose stored move captures or promotes."),
]
OnError: TypeAlias = Annotated[str | None, typer.Option(metavar="stop|skip", help="What a bad line does.")]
Rejects: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE.csv", help="List what was left out: file, place, reason, text.")
]
Report: TypeAlias = Annotated[bool, typer.Option(help="Write report.html (needs the extra 'report').")]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="Print little.")]


def reject_writer(file: IO[str]) -> Callable[[Reject], None]:
    """Writes things left out into a CSV file, one at a time."""
    import csv

    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["file", "place", "reason", "text"])
    return lambda each: writer.writerow([each.path, each.place, each.reason, each.text])


def write_rejects(rejects: RejectList, path: Path) -> None:
    """The list of what was left out as CSV."""
    from evalcore.files import replacing

    with replacing(path, "w") as file:
        write = reject_writer(file)
        for each in rejects.kept:
            write(each)


def settings(pairs: list[str]) -> dict[str, str]:
    """`key=value` pairs as a dictionary."""
    out = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise InputError(f"--set {pair}: expected key=value")
        out[key.strip()] = value.strip()
    return out
