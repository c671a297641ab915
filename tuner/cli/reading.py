"""How commands read positions, and what they say about it: formats, checks, and what was left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import typer

if TYPE_CHECKING:
    from evalcore.formats import DataSource, Located, Rejects
    from evalcore.positions import Positions

FILES_SHOWN = 5
ALL = "all"


def terminations(text: str | None) -> tuple[str, ...]:
    """Names by commas, or all of them."""
    from evalcore.formats import PLAYED, TERMINATIONS

    if text is None:
        return PLAYED
    return TERMINATIONS if text == ALL else tuple(name.strip() for name in text.split(","))


@dataclass(frozen=True)
class Reading:
    """The options of the command line for reading, None where not given, and what became of it."""

    format: str | None = None
    result_pov: str | None = None
    score_pov: str | None = None
    score_unit: float | None = None
    check: bool = True
    terminations: str | None = None
    skip_book: bool = False
    quiet_moves: bool = False
    on_error: str | None = None
    threads: int | None = None
    rejects: Rejects = field(default_factory=lambda: _rejects())

    def sources(self, files: Iterable[str | DataSource]) -> list[DataSource]:
        """The files with these options, where they do not have their own."""
        from evalcore.formats import DataSource

        kept = terminations(self.terminations)
        return [
            DataSource(each, terminations=kept, skip_book=self.skip_book, quiet_moves=self.quiet_moves)
            if isinstance(each, str)
            else each
            for each in files
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
            rejects=self.rejects,
            threads=self.threads,
            check=self.check,
        )

    def blocks(self, files: Iterable[str | DataSource]) -> Iterator[Positions]:
        """Blocks of the files."""
        return (each.positions for each in self.located(files))


def _rejects() -> Rejects:
    from evalcore.formats import Rejects

    return Rejects()


def as_json(rejects: Rejects) -> dict[str, Any]:
    """What was left out, changed, seen and doubted."""
    files = [
        {"path": path, "format": name, "lost": list(rejects.lost[path]), "seen": rejects.seen.get(path, [])}
        for path, name in rejects.formats.items()
    ]
    return {
        "left_out": dict(rejects.counts),
        "notes": dict(rejects.notes),
        "warnings": list(rejects.warnings),
        "files": files,
    }


def lines_about_files(rejects: Rejects) -> Iterator[str]:
    """The format of each file, what it does not carry, and what the labels showed."""
    for path, name in list(rejects.formats.items())[:FILES_SHOWN]:
        lost = f"; without {', '.join(rejects.lost[path])}" if rejects.lost[path] else ""
        yield f"{path} ({name}{lost})"
        yield from (f"  {line}" for line in rejects.seen.get(path, []))
    if (more := len(rejects.formats) - FILES_SHOWN) > 0:
        yield f"… and {more:,} more files (--json lists all)"


def lines_left_out(rejects: Rejects) -> Iterator[str]:
    """Counts by reason, and warnings."""
    for reason, count in rejects.counts.most_common():
        yield f"left out {count:,}: {reason}"
    for reason, count in rejects.notes.most_common():
        yield f"note {count:,}: {reason}"
    yield from (f"warning: {words}" for words in rejects.warnings)


def report(rejects: Rejects, *, files: bool = True, err: bool = False) -> None:
    """Prints what a person should know about what was read; with `files` what was seen in each, too."""
    for line in (*(lines_about_files(rejects) if files else ()), *lines_left_out(rejects)):
        typer.echo(line, err=err)
