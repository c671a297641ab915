"""How commands read positions, and what they say about it: formats, checks, and what was left out."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_type_hints

import typer

from evalcore.errors import InputError

from . import options

if TYPE_CHECKING:
    from evalcore.formats import DataSource, Located, Rejects
    from evalcore.positions import Positions

FILES_SHOWN = 5
ALL = "all"
STDOUT = Path("/dev/stdout")
BY_NAME = inspect.Parameter.KEYWORD_ONLY


def terminations(text: str | None) -> tuple[str, ...]:
    """Names by commas, or all of them."""
    from evalcore.formats import PLAYED, TERMINATIONS

    if text is None:
        return PLAYED
    return TERMINATIONS if text == ALL else tuple(name.strip() for name in text.split(","))


def _nothing_found() -> Rejects:
    from evalcore.formats import Rejects

    return Rejects()


@dataclass(frozen=True)
class Reading:
    """The options of the command line for reading, None where not given; `found` is what became of it.

    Commands that are decorated with `reads` have them all.
    """

    format: options.Format = None
    result_pov: options.ResultPov = None
    score_pov: options.ScorePov = None
    score_unit: options.ScoreUnit = None
    check: options.Check = True
    terminations: options.Terminations = None
    skip_book: options.SkipBook = False
    quiet_moves: options.QuietMoves = False
    on_error: options.OnError = None
    rejects: options.Rejects = None
    threads: options.Threads = None
    found: Rejects = field(default_factory=_nothing_found, init=False)

    def sources(self, files: Iterable[str | DataSource]) -> list[DataSource]:
        """The files with these options; what a source says itself stays."""
        from evalcore.formats import PLAYED, DataSource

        kept = terminations(self.terminations)
        given = [DataSource(each) if isinstance(each, str) else each for each in files]
        return [
            replace(
                each,
                terminations=kept if each.terminations == PLAYED else each.terminations,
                skip_book=each.skip_book or self.skip_book,
                quiet_moves=each.quiet_moves or self.quiet_moves,
            )
            for each in given
        ]

    def located(self, files: Iterable[str | DataSource]) -> Iterator[Located]:
        """Blocks of the files with the places of their rows."""
        from evalcore.formats import open_located

        return open_located(
            self.sources(files),
            format=self.format,
            result_pov=cast(Any, self.result_pov),
            score_pov=cast(Any, self.score_pov),
            score_unit=self.score_unit,
            on_error=cast(Any, self.on_error or "stop"),
            rejects=self.found,
            threads=self.threads,
            check=self.check,
        )

    def blocks(self, files: Iterable[str | DataSource]) -> Iterator[Positions]:
        """Blocks of the files."""
        return (each.positions for each in self.located(files))

    def listing(self, command: Callable[[], None]) -> None:
        """Runs a command while the file of `--rejects` is written; it is kept when the data are of no use."""
        from evalcore.files import replacing

        mistake: Exception | None = None
        with replacing(self.rejects, "w") if self.rejects else nullcontext() as file:
            if file is not None:
                self.found.sink = options.reject_writer(file)
            try:
                command()
            except (InputError, typer.Exit) as error:
                mistake = error
        if mistake is not None:
            raise mistake


def reads(*without: str, **fixed: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command the options of `Reading` in place of its parameter `reading`.

    Those named in `without` it does not have; `fixed` ones have one value for this command.
    """
    hints = get_type_hints(Reading, localns={"Rejects": object}, include_extras=True)
    shared = [
        inspect.Parameter(each.name, BY_NAME, default=each.default, annotation=hints[each.name])
        for each in fields(Reading)
        if each.init and each.name not in (*without, *fixed)
    ]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def wrapper(**given: Any) -> None:
            _refuse_double_use(given)
            if isinstance(given.get("out"), Path) and str(given["out"]) == "-":
                given["out"] = STDOUT
            reading = Reading(**fixed, **{each.name: given.pop(each.name) for each in shared})
            reading.listing(lambda: command(reading=reading, **given))

        own = _parameters(command)
        at = next(place for place, each in enumerate(own) if each.name == "reading")
        parameters = [*own[:at], *shared, *own[at + 1 :]]
        wrapper.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        wrapper.__annotations__ = {each.name: each.annotation for each in parameters}
        return wrapper

    return decorate


def _refuse_double_use(given: dict[str, Any]) -> None:
    """The list of what was left out must not take the place of the output or of a source."""
    if given.get("rejects") is None:
        return
    own = given["rejects"].resolve()
    named = [given.get("out"), *(given.get("sources") or given.get("data") or [])]
    flat = [each for value in named for each in (value if isinstance(value, list) else [value])]
    for each in flat:
        if each is not None and Path(each).resolve() == own:
            raise InputError(f"{each}: is named twice; --rejects must be a file of its own")


def _parameters(command: Callable[..., None]) -> list[inspect.Parameter]:
    """Those of a command, by keyword, with annotations that are no text."""
    hints = get_type_hints(command, include_extras=True)
    return [
        each.replace(kind=BY_NAME, annotation=hints[each.name])
        for each in inspect.signature(command).parameters.values()
    ]


def as_json(found: Rejects) -> dict[str, Any]:
    """What was left out, changed, seen and doubted."""
    files = [
        {"path": path, "format": name, "lost": list(found.lost[path]), "seen": found.seen.get(path, [])}
        for path, name in found.formats.items()
    ]
    return {
        "left_out": dict(found.counts),
        "notes": dict(found.notes),
        "warnings": list(found.warnings),
        "files": files,
    }


def lines_about_files(found: Rejects) -> Iterator[str]:
    """The format of each file, what it does not carry, and what the labels showed."""
    for path, name in list(found.formats.items())[:FILES_SHOWN]:
        lost = f"; without {', '.join(found.lost[path])}" if found.lost[path] else ""
        yield f"{path} ({name}{lost})"
        yield from (f"  {line}" for line in found.seen.get(path, []))
    if (more := len(found.formats) - FILES_SHOWN) > 0:
        yield f"… and {more:,} more files (--json lists all)"


def lines_left_out(found: Rejects) -> Iterator[str]:
    """Counts by reason, and warnings."""
    for reason, count in found.counts.most_common():
        yield f"left out {count:,}: {reason}"
    for reason, count in found.notes.most_common():
        yield f"note {count:,}: {reason}"
    yield from (f"warning: {words}" for words in found.warnings)


def report(found: Rejects, *, files: bool = True, err: bool = False) -> None:
    """Prints what a person should know about what was read; with `files` what was seen in each, too."""
    for line in (*(lines_about_files(found) if files else ()), *lines_left_out(found)):
        typer.echo(line, err=err)
