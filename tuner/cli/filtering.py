"""`tuner data filter`: steps and recipes from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from evalcore.errors import InputError

from . import options
from .reading import Reading, reads
from .surgery import To, finish, refuse_lost_weights, write_steps


@reads()
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
    *,
    reading: Reading,
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
    if not chosen and made is None:
        raise InputError("no step was named: use --step NAME or --recipe FILE.toml (--list shows the steps)")
    refuse_lost_weights(reading.sources(inputs), out, to)
    finish(write_steps(inputs, chosen, out, to, reading), out, json, reading)


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
