"""`tuner data dedupe|sample|split|merge|pivot`: choosing positions, with counts by reason."""

from __future__ import annotations

import json as json_module
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evalcore.errors import InputError

from . import options
from .reading import Reading, as_json, reads, report

if TYPE_CHECKING:
    from evalcore.filters import Tally
    from evalcore.formats import DataSource
    from evalcore.positions import Positions

Sources = Annotated[list[str], typer.Argument(metavar="FILE...", help="Files or patterns.")]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="DST", help="The suffix chooses the format.")]
To = Annotated[str | None, typer.Option(metavar="NAME", help="The output format.")]
SEED = 1
"""As of jobs."""


@reads()
def dedupe(
    sources: Sources,
    out: Out,
    labels: Annotated[
        str,
        typer.Option(
            help="Of conflicting labels: mean, drop the position, or first (which needs little memory)."
        ),
    ] = "mean",
    to: To = None,
    *,
    reading: Reading,
    json: options.Json = False,
) -> None:
    """Keeps one position of those that differ in nothing but their clocks."""
    from evalcore.filters import Duplicates

    finish(write_steps(sources, [Duplicates(labels)], out, to, reading), out, json, reading)


@reads()
def sample(
    sources: Sources,
    out: Out,
    share: Annotated[
        float | None, typer.Option(min=0.0, max=1.0, help="Share of the positions (or games) to keep.")
    ] = None,
    by: Annotated[
        str, typer.Option(help="What is kept or not: a position, or a game as a whole.")
    ] = "position",
    per_game: Annotated[int | None, typer.Option(min=1, help="At most so many positions a game.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the choice.")] = SEED,
    to: To = None,
    *,
    reading: Reading,
    json: options.Json = False,
) -> None:
    """Keeps a random share of the positions or games, or some of each game."""
    from evalcore.filters import PerGame, Sample

    chosen: list[Any] = []
    if per_game is not None:
        chosen.append(PerGame(per_game, seed=seed))
    if share is not None:
        chosen.append(Sample(share, by, seed=seed))
    if not chosen:
        raise InputError("how many? give --share or --per-game")
    finish(write_steps(sources, chosen, out, to, reading), out, json, reading)


@reads()
def split(
    sources: Sources,
    out: Annotated[
        list[Path], typer.Option("--out", "-o", metavar="DST", help="Twice: the rest, then the share.")
    ],
    share: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of the games for the second file.")
    ] = 0.1,
    seed: Annotated[int, typer.Option(help="Seed of the choice.")] = SEED,
    to: To = None,
    *,
    reading: Reading,
    json: options.Json = False,
) -> None:
    """Splits positions into two files by game: `-o train.parquet -o validation.parquet`."""
    from evalcore.filters import split_by_game
    from evalcore.formats import write_positions

    if len(out) != 2:
        raise InputError("two files are needed: -o TRAIN -o VALIDATION")
    _refuse_own_sources(sources, out)
    counts, gameless = [], [0]
    for part, path in enumerate(out):
        # The files are read once for each part; what was found in them is said once.
        each = reading if part == 0 else replace(reading)
        blocks = _gameless_counted(each.blocks(sources), gameless if part == 0 else [0])
        pairs = split_by_game(blocks, share, seed=seed)
        blocks = _one_side(pairs, part, share)
        counts.append(write_positions(blocks, path, format=to, rejects=each.found))
        if part:
            reading.found.warnings += [words for words in each.found.warnings if str(path) in words]
    if gameless[0]:
        reading.found.warnings.append(
            f"{gameless[0]:,} positions name no game and were split by board: positions of one game may be on"
            " both sides, and a loss on the second file flatters"
        )
    if json:
        written = dict(zip(map(str, out), counts, strict=True))
        typer.echo(json_module.dumps({**written, "reading": as_json(reading.found)}))
        return
    report(reading.found, err=True)
    for path, number in zip(out, counts, strict=True):
        typer.echo(f"{number:,} positions written to {path}")


@reads()
def merge(
    sources: Annotated[
        list[str], typer.Argument(metavar="FILE[:WEIGHT]...", help="Files with their sample weights.")
    ],
    out: Out,
    to: To = None,
    *,
    reading: Reading,
    json: options.Json = False,
) -> None:
    """Joins sets into one, each with its own sample weight; game ids stay distinct."""
    weighted = [_weighted(text) for text in sources]
    refuse_lost_weights(weighted, out, to)
    finish(write_steps(weighted, [], out, to, reading), out, json, reading)


@reads()
def pivot(
    sources: Sources,
    material: Annotated[
        str, typer.Option(metavar="BvN", help="Two sets of pieces; several by commas; or 'sturman'.")
    ] = "BvN",
    by: Annotated[str, typer.Option(help="pawns (of each side, equal), lead (in pawns), or all.")] = "pawns",
    fewest: Annotated[int, typer.Option(min=1, help="Leave out cells with fewer positions.")] = 50,
    *,
    reading: Reading,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE.csv", help="As CSV.")] = None,
    json: options.Json = False,
) -> None:
    """Results by material: how often one set of pieces beats another, by pawns (Sturman's table)."""
    from ..pivot import STURMAN
    from ..pivot import pivot as table_of
    from .select import print_table

    chosen = STURMAN if material == "sturman" else tuple(material.split(","))
    table = table_of(reading.blocks(sources), chosen, by=by, fewest=fewest).round({"score": 2, "error": 2})
    report(reading.found, files=False, err=True)
    print_table(table, list(table.columns), out, json)


def _refuse_own_sources(sources: list[str], out: list[Path]) -> None:
    """The sources are read once for each file that is written: none may be both."""
    from evalcore.formats.opening import expand

    taken = {path.resolve() for source in sources for path in expand(source)}
    for path in out:
        if path.resolve() in taken:
            raise InputError(f"{path}: is named twice; the two files and the sources must differ")
        taken.add(path.resolve())


def refuse_lost_weights(sources: Iterable[DataSource], out: Path, to: str | None) -> None:
    """Weights of sources that the file cannot carry were given in vain."""
    from evalcore.formats import WRITERS
    from evalcore.formats.opening import writer_of

    writer = writer_of(out, to, WRITERS)
    if "sample_weight" in writer.lost and any(each.weight != 1 for each in sources):
        raise InputError(f"{out}: {writer.name} does not carry sample weights; write Parquet to keep them")


def _one_side(pairs: Iterable[tuple[Positions, Positions]], part: int, share: float) -> Iterator[Positions]:
    """The rows of one side; InputError at their end, before a file appears, where a side is empty."""
    rows = [0, 0]
    for pair in pairs:
        rows = [count + len(block) for count, block in zip(rows, pair, strict=True)]
        yield pair[part]
    if not all(rows):
        raise InputError(f"a share of {share:g} leaves {rows[0]:,} and {rows[1]:,} positions: choose another")


def _gameless_counted(blocks: Iterable[Positions], count: list[int]) -> Iterator[Positions]:
    from evalcore.positions import NO_GAME

    for block in blocks:
        count[0] += int((block.game == NO_GAME).sum())
        yield block


def write_steps(
    sources: Iterable[str | DataSource], steps: list[Any], out: Path, to: str | None, reading: Reading
) -> Tally:
    """Reads, runs the steps and writes what is left; a row that the format cannot hold counts as left out."""
    from evalcore.filters import Tally, run_steps
    from evalcore.formats import write_positions

    tally = Tally()
    blocks = some(run_steps(reading.blocks(sources), steps, tally), out, tally)
    tally.kept = write_positions(blocks, out, format=to, rejects=reading.found)
    return tally


def some(blocks: Iterable[Positions], out: Path, tally: Tally) -> Iterator[Positions]:
    """The blocks that steps left; InputError at their end, before a file appears, where they hold nothing."""
    yield from blocks
    if not tally.kept:
        reasons = ", ".join(f"{count:,} × {reason}" for reason, count in tally.dropped.most_common(3))
        raise InputError(f"{out}: no position is left to write (left out: {reasons or 'nothing'})")


def finish(tally: Tally, out: Path, json: bool, reading: Reading) -> None:
    """Prints what became of the positions."""
    if json:
        content = {
            "read": tally.read, "kept": tally.kept, "left_out": dict(tally.dropped),
            "notes": dict(tally.notes), "out": str(out), "reading": as_json(reading.found),
        }  # fmt: skip
        typer.echo(json_module.dumps(content))
        return
    report(reading.found, err=True)
    for reason, count in tally.dropped.most_common():
        typer.echo(f"left out {count:,}: {reason}")
    for reason, count in tally.notes.most_common():
        typer.echo(f"note {count:,}: {reason}")
    typer.echo(f"{tally.kept:,} of {tally.read:,} positions written to {out}")


def _weighted(text: str) -> Any:
    """`file.epd:0.5` as a source with a weight; a name that exists as it stands is a file."""
    from evalcore.formats import DataSource

    path, colon, weight = text.rpartition(":")
    if not colon or Path(text).exists():
        return DataSource(text)
    try:
        value = float(weight)
    except ValueError:
        raise InputError(f"{text}: expected FILE or FILE:WEIGHT") from None
    if not 0 < value < float("inf"):
        raise InputError(f"{text}: a weight is a number above 0")
    return DataSource(path, weight=value)
