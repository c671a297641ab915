"""`tuner data filter|dedupe|sample|split|merge|pivot`: choosing positions, with counts by reason."""

from __future__ import annotations

import json as json_module
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evalcore.errors import InputError

from . import options
from .reading import Reading, as_json, report

if TYPE_CHECKING:
    from evalcore.filters import Tally
    from evalcore.positions import Positions

Sources = Annotated[list[str], typer.Argument(metavar="FILE...", help="Files or patterns.")]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="DST", help="The suffix chooses the format.")]
To = Annotated[str | None, typer.Option(metavar="NAME", help="The output format.")]


def filter_positions(
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE]...", help="Files or patterns.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DST", help="The suffix chooses the format.")
    ] = None,
    steps: Annotated[
        list[str] | None,
        typer.Option("--step", metavar="NAME[:KEY=VALUE,...]", help="A step, in order; may be repeated."),
    ] = None,
    recipe: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="Sources and steps of a data set.")
    ] = None,
    list_steps: Annotated[bool, typer.Option("--list", help="List the steps and their options.")] = False,
    to: To = None,
    format: options.Format = None,
    result_pov: options.ResultPov = None,
    score_pov: options.ScorePov = None,
    score_unit: options.ScoreUnit = None,
    check: options.Check = True,
    terminations: options.Terminations = None,
    skip_book: options.SkipBook = False,
    quiet_moves: options.QuietMoves = False,
    on_error: options.OnError = None,
    rejects: options.Rejects = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Keeps the positions that pass all steps, and counts the others by reason."""
    from evalcore.filters import load_recipe

    if list_steps:
        typer.echo(_step_list())
        return
    if out is None:
        raise InputError("where to? name a file with --out DST")
    made = load_recipe(recipe) if recipe else None
    inputs: list[Any] = [*(sources or []), *(made.sources if made else ())]
    chosen = [*(made.steps if made else ()), *map(_step, steps or [])]
    if not inputs:
        raise InputError("no positions were named: give files, or a recipe with sources")
    if not chosen:
        raise InputError("no step was named: use --step NAME or --recipe FILE.toml (--list shows the steps)")
    reading = Reading(
        format,
        result_pov,
        score_pov,
        score_unit,
        check,
        terminations,
        skip_book,
        quiet_moves,
        on_error,
        threads,
    )
    tally = _write(reading.blocks(inputs), chosen, out, to)
    if rejects:
        options.write_rejects(reading.rejects, rejects)
    _print(tally, out, json, reading)


def dedupe(
    sources: Sources,
    out: Out,
    labels: Annotated[
        str, typer.Option(help="Of conflicting labels: first, mean, or drop the position.")
    ] = "first",
    to: To = None,
    format: options.Format = None,
    check: options.Check = True,
    on_error: options.OnError = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Keeps one position of those that differ in nothing but their clocks."""
    from evalcore.filters import Duplicates

    _print(_write(_open(sources, format, check, on_error, threads), [Duplicates(labels)], out, to), out, json)


def sample(
    sources: Sources,
    out: Out,
    share: Annotated[
        float | None, typer.Option(min=0.0, max=1.0, help="Share of the positions to keep.")
    ] = None,
    per_game: Annotated[int | None, typer.Option(min=1, help="At most so many positions a game.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the choice.")] = 1,
    to: To = None,
    format: options.Format = None,
    check: options.Check = True,
    on_error: options.OnError = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Keeps a random share of the positions, or some of each game."""
    from evalcore.filters import PerGame, Sample

    chosen: list[Any] = []
    if per_game is not None:
        chosen.append(PerGame(per_game, seed=seed))
    if share is not None:
        chosen.append(Sample(share, seed=seed))
    if not chosen:
        raise InputError("how many? give --share or --per-game")
    _print(_write(_open(sources, format, check, on_error, threads), chosen, out, to), out, json)


def split(
    sources: Sources,
    out: Annotated[
        list[Path], typer.Option("--out", "-o", metavar="DST", help="Twice: the rest, then the share.")
    ],
    share: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of the games for the second file.")
    ] = 0.1,
    seed: Annotated[int, typer.Option(help="Seed of the choice.")] = 1,
    format: options.Format = None,
    check: options.Check = True,
    on_error: options.OnError = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Splits positions into two files by game: `-o train.parquet -o validation.parquet`."""
    from evalcore.filters import split_by_game
    from evalcore.formats import write_positions

    if len(out) != 2:
        raise InputError("two files are needed: -o TRAIN -o VALIDATION")
    _refuse_own_sources(sources, out)
    counts = []
    for part, path in enumerate(out):
        pairs = split_by_game(_open(sources, format, check, on_error, threads), share, seed=seed)
        count = [0]
        write_positions(_counted((pair[part] for pair in pairs), count), path)
        counts.append(count[0])
    if json:
        typer.echo(json_module.dumps(dict(zip(map(str, out), counts, strict=True))))
        return
    for path, number in zip(out, counts, strict=True):
        typer.echo(f"{number:,} positions written to {path}")


def merge(
    sources: Annotated[
        list[str], typer.Argument(metavar="FILE[:WEIGHT]...", help="Files with their sample weights.")
    ],
    out: Out,
    to: To = None,
    format: options.Format = None,
    check: options.Check = True,
    on_error: options.OnError = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Joins sets into one, each with its own sample weight; game ids stay distinct."""
    weighted = [_weighted(text) for text in sources]
    _print(_write(_open(weighted, format, check, on_error, threads), [], out, to), out, json)


def pivot(
    sources: Sources,
    material: Annotated[
        str, typer.Option(metavar="BvN", help="Two sets of pieces; several by commas; or 'sturman'.")
    ] = "BvN",
    by: Annotated[str, typer.Option(help="pawns (of each side, equal), lead (in pawns), or all.")] = "pawns",
    fewest: Annotated[int, typer.Option(min=1, help="Leave out cells with fewer positions.")] = 50,
    format: options.Format = None,
    check: options.Check = True,
    on_error: options.OnError = None,
    threads: options.Threads = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE.csv", help="As CSV.")] = None,
    json: options.Json = False,
) -> None:
    """Results by material: how often one set of pieces beats another, by pawns (Sturman's table)."""
    from ..pivot import STURMAN
    from ..pivot import pivot as table_of
    from .select import print_table

    chosen = STURMAN if material == "sturman" else tuple(material.split(","))
    table = table_of(_open(sources, format, check, on_error, threads), chosen, by=by, fewest=fewest).round(
        {"score": 2, "error": 2}
    )
    print_table(table, list(table.columns), out, json)


def _refuse_own_sources(sources: list[str], out: list[Path]) -> None:
    """The sources are read once for each file that is written: none may be both."""
    from evalcore.formats.opening import expand

    taken = {path.resolve() for source in sources for path in expand(source)}
    for path in out:
        if path.resolve() in taken:
            raise InputError(f"{path}: is named twice; the two files and the sources must differ")
        taken.add(path.resolve())


def _open(
    sources: list[Any], format: str | None, check: bool, on_error: str | None, threads: int | None
) -> Iterator[Positions]:
    return Reading(format, check=check, on_error=on_error, threads=threads).blocks(sources)


def _counted(blocks: Iterable[Positions], count: list[int]) -> Iterator[Positions]:
    for block in blocks:
        count[0] += len(block)
        yield block


def _write(blocks: Iterable[Positions], steps: list[Any], out: Path, to: str | None) -> Tally:
    from evalcore.filters import Tally, run_steps
    from evalcore.formats import write_positions

    tally = Tally()
    write_positions(run_steps(blocks, steps, tally), out, format=to)
    return tally


def _print(tally: Tally, out: Path, json: bool, reading: Reading | None = None) -> None:
    if json:
        content = {
            "read": tally.read, "kept": tally.kept, "left_out": dict(tally.dropped),
            "notes": dict(tally.notes), "out": str(out),
        }  # fmt: skip
        if reading is not None:
            content["reading"] = as_json(reading.rejects)
        typer.echo(json_module.dumps(content))
        return
    if reading is not None:
        report(reading.rejects, err=True)
    for reason, count in tally.dropped.most_common():
        typer.echo(f"left out {count:,}: {reason}")
    for reason, count in tally.notes.most_common():
        typer.echo(f"note {count:,}: {reason}")
    typer.echo(f"{tally.kept:,} of {tally.read:,} positions written to {out}")


def _step(text: str) -> Any:
    """`ply-window:least=16,most=200` as a step."""
    from evalcore.filters import make_step

    from ..job import toml_value

    name, _, rest = text.partition(":")
    given: dict[str, Any] = {"name": name}
    for pair in filter(None, rest.split(",")):
        key, equals, value = pair.partition("=")
        if not equals:
            raise InputError(f"--step {text}: expected NAME:KEY=VALUE,KEY=VALUE")
        given[key.strip()] = toml_value(value.strip())
    return make_step(given)


def _step_list() -> str:
    import dataclasses

    from evalcore.filters import STEPS

    from .text import table

    rows = []
    for name, kind in STEPS.items():
        fields = ", ".join(f"{each.name}={_default(each)}" for each in dataclasses.fields(kind))
        rows.append((name, fields, (kind.__doc__ or "").strip().splitlines()[0]))
    return table(rows, ("step", "options", "what it leaves out"), left=3)


def _default(field: Any) -> str:
    import dataclasses

    return "…" if field.default is dataclasses.MISSING else repr(field.default)


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
