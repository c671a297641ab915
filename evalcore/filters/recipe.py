"""A data set as a recipe: sources and steps in TOML, so that it can be made again.

[[source]]
path = "games/*.epd.zst"        # relative to the recipe
weight = 0.5                    # also: format, result_pov, score_pov, score_unit, limit,
                                # terminations and skip_book (of PGN), quiet_moves

[[step]]
name = "ply-window"
least = 16

[[step]]
name = "duplicates"
labels = "mean"
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError, UnknownName
from ..formats import DataSource, Rejects, open_positions
from ..formats.opening import OnError
from ..positions import Positions
from .base import Step, Tally
from .games import SortByGame
from .rows import Labelled, NotInCheck, NotOver, Outliers, Pieces, PlyWindow, Quiet, Sample, ScoreWindow
from .sets import Duplicates, PerGame

STEPS: Mapping[str, type[Any]] = {
    "quiet": Quiet,
    "not-in-check": NotInCheck,
    "not-over": NotOver,
    "ply-window": PlyWindow,
    "score-window": ScoreWindow,
    "labelled": Labelled,
    "pieces": Pieces,
    "outliers": Outliers,
    "sample": Sample,
    "duplicates": Duplicates,
    "per-game": PerGame,
    "sort-by-game": SortByGame,
}
"""Every step by its name in recipes."""


@dataclass(frozen=True)
class Recipe:
    """What is read and what is done with it, in order."""

    sources: tuple[DataSource, ...]
    steps: tuple[Step, ...]


def load_recipe(path: str | Path) -> Recipe:
    """Reads a recipe; InputError names what is wrong in it."""
    file = Path(path)
    try:
        table = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no TOML file: {error}") from error
    for name in table:
        if name not in ("source", "step"):
            raise UnknownName(f"table of the recipe {path}", name, ("source", "step"))
    sources, steps = (tables_of(path, table, name) for name in ("source", "step"))
    return Recipe(
        tuple(make_source(file, each) for each in sources), tuple(make_step(dict(each)) for each in steps)
    )


def tables_of(path: str | Path, table: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The tables `[[name]]` of a recipe."""
    found = table.get(name, [])
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise InputError(f"{path}: {name} is not {found!r} but tables, each under a line [[{name}]]")
    return found


def make_source(recipe: Path, options: Mapping[str, Any]) -> DataSource:
    """A source; its path is relative to the recipe."""
    if "path" not in options:
        raise InputError(f"{recipe}: a source has no path")
    check_options("source", options, DataSource)
    types = {field.name: str(field.type) for field in dataclasses.fields(DataSource)}
    values = {key: as_field(value, types[key]) for key, value in options.items()}
    return DataSource(**{**values, "path": recipe.parent / options["path"]})


def make_step(options: dict[str, Any]) -> Step:
    """A step from its name and options."""
    name = options.pop("name", None)
    if not isinstance(name, str) or name not in STEPS:
        raise UnknownName("step", str(name), STEPS)
    kind = STEPS[name]
    check_options(f"step {name}", options, kind)
    types = {field.name: str(field.type) for field in dataclasses.fields(kind)}
    values = {key: as_field(value, types[key]) for key, value in options.items()}
    try:
        step: Step = kind(**values)
    except TypeError as error:
        raise InputError(f"step {name}: {error}".replace("__init__() ", "")) from error
    return step


def as_field(value: Any, expected: str) -> Any:
    """A value as a field of that type has it; one word stands for a tuple of one."""
    if not expected.startswith("tuple"):
        return value
    return tuple(value) if isinstance(value, list) else (value,)


def check_options(what: str, options: Mapping[str, Any], kind: type[Any]) -> None:
    """Names and plain types of options against the fields of a dataclass."""
    fields = {field.name: field for field in dataclasses.fields(kind)}
    for name, value in options.items():
        if name not in fields:
            raise UnknownName(f"option of {what}", name, fields)
        expected = str(fields[name].type)
        if "float" in expected and isinstance(value, (int, float)) and not isinstance(value, bool):
            continue
        if isinstance(value, str) and expected == "tuple[str, ...]":
            continue
        if type(value).__name__ not in expected.replace("tuple", "list"):
            raise InputError(f"{what}: {name} is a {expected}, not {value!r}")


def run_steps(blocks: Iterable[Positions], steps: Iterable[Step], tally: Tally) -> Iterator[Positions]:
    """Blocks after all steps, without empty ones; the tally is complete when they have been consumed."""
    flow = counted(blocks, tally)
    for step in steps:
        flow = step.run(flow, tally)
    for block in flow:
        if len(block):
            tally.kept += len(block)
            yield block


def counted(blocks: Iterable[Positions], tally: Tally) -> Iterator[Positions]:
    """The same blocks, counted as they pass."""
    for block in blocks:
        tally.read += len(block)
        yield block


def run_recipe(
    recipe: Recipe,
    tally: Tally,
    *,
    on_error: OnError = "stop",
    rejects: Rejects | None = None,
    threads: int | None = None,
) -> Iterator[Positions]:
    """Blocks of the positions of a recipe; see `open_positions` for the options."""
    blocks = open_positions(recipe.sources, on_error=on_error, rejects=rejects, threads=threads)
    return run_steps(blocks, recipe.steps, tally)
