"""Puts weights into an engine's own source file: only the numbers change, every other byte stays."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from evalcore.errors import FormatError, InputError
from evalcore.files import write_bytes

from .base import check_weights
from .source_layout import Edit, edits_for
from .source_map import PatchEntry, SourceMap, Value, unmapped, values_for
from .source_text import Number, Source, Span, numbers_in, values_of_identifier, values_of_marker

if TYPE_CHECKING:
    from evalcore.weights import RoundedWeights


@dataclass(frozen=True)
class Patch:
    """What a map and weights make of a source file.

    `numbers` is how many numbers get another value, `unmapped` the terms the map does not mention.
    """

    path: Path
    before: bytes
    after: bytes
    numbers: int
    unmapped: tuple[str, ...]

    @property
    def changed(self) -> bool:
        """Whether the file would be another one."""
        return self.before != self.after

    def diff(self) -> str:
        """The change as a unified diff; empty where there is none."""
        before, after = (data.decode("utf-8", "replace") for data in (self.before, self.after))
        name = self.path.as_posix()
        lines = difflib.unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}")
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
        )


def _lines(text: str) -> list[str]:
    lines = [f"{line}\n" for line in text.split("\n")]
    return [*lines[:-1], *([lines[-1][:-1]] if lines[-1] != "\n" else [])]


def patch_source(
    weights: RoundedWeights, source: str | Path, map_file: str | Path, *, dry_run: bool = False
) -> Patch:
    """Replaces the numbers that the map names in the source file, and writes it as a whole.

    With `dry_run` nothing is written. A second run changes nothing. Raises TypeError for weights that are not
    rounded, FormatError or InputError for a file or map that cannot be used, with every mistake of the map in
    one error; then nothing is written either.
    """
    from evalcore.evaluation_tables import parse_toml

    check_weights(weights)
    path = Path(source)
    plan = parse_toml(Path(map_file), SourceMap)
    before = _read(path)
    text = before.decode("latin-1")
    edits, numbers = _edits(Source(str(path), text), plan, weights, Path(map_file))
    patch = Patch(path, before, apply(text, edits).encode("latin-1"), numbers, unmapped(plan.patch, weights))
    if patch.changed and not dry_run:
        target = path.resolve()
        mode = target.stat().st_mode
        write_bytes(target, patch.after)
        target.chmod(mode)
    return patch


def _read(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FormatError(path, None, f"cannot be read ({error.strerror})") from error
    if b"\0" in data:
        raise FormatError(path, None, "is no source text (it holds zero bytes)")
    return data


def _edits(
    source: Source, plan: SourceMap, weights: RoundedWeights, map_file: Path
) -> tuple[list[Edit], int]:
    edits: list[Edit] = []
    mistakes: list[str] = []
    owners: dict[int, str] = {}
    changed = 0
    for number, entry in enumerate(plan.patch, 1):
        try:
            found, values = _found(source, entry, plan, weights)
            _claim(source, entry, found, owners)
            edits += edits_for(source, found, values)
            changed += sum(v is not None and v != n.value for v, n in zip(values, found, strict=True))
        except InputError as error:
            mistakes.append(f"patch {number}: {error}")
    if mistakes:
        raise FormatError(map_file, None, "; ".join(mistakes))
    return edits, changed


def _found(
    source: Source, entry: PatchEntry, plan: SourceMap, weights: RoundedWeights
) -> tuple[list[Number], list[Value]]:
    """The numbers of one entry and what they become, from the first of its places that fits."""
    error = None
    for span in locate(source, entry, plan):
        try:
            numbers = numbers_in(source, *span)
            return numbers, values_for(entry, plan.squares_of(entry), weights, len(numbers))
        except InputError as mistake:
            error = error or mistake
    assert error is not None
    raise error


def locate(source: Source, entry: PatchEntry, plan: SourceMap) -> list[Span]:
    """Where the numbers of one entry can stand. Raises InputError unless there is exactly one such place."""
    if entry.identifier:
        places = [[span] for span in values_of_identifier(source, entry.identifier)]
        missing = f"{entry.identifier!r} is given no value"
    else:
        markers = {other.marker for other in plan.patch if other.marker}
        places = values_of_marker(source, entry.marker or "", markers)
        missing = f"no comment holds {entry.marker!r}"
    if not places:
        raise FormatError(source.path, None, missing)
    if len(places) > 1:
        lines = ", ".join(str(source.line(spans[0][0])) for spans in places)
        raise FormatError(
            source.path, None, f"{entry.place} is found in lines {lines}; a marker of its own helps"
        )
    return places[0]


def _claim(source: Source, entry: PatchEntry, numbers: Sequence[Number], owners: dict[int, str]) -> None:
    for number in numbers:
        if number.start in owners:
            both = f"{owners[number.start]} and {entry.place}"
            raise source.error(number.start, f"{both} are the same numbers", number.text)
        owners[number.start] = entry.place


def apply(text: str, edits: Sequence[Edit]) -> str:
    """The text with each (start, end, replacement) carried out; they do not overlap."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text
