"""New numbers in the places of old ones, with the columns of a table kept in line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest

from .source_map import Value
from .source_text import CLOSE, OPEN, Number, Source

Edit = tuple[int, int, str]
"""Start, end and new text."""


@dataclass(frozen=True)
class _Cell:
    """A number and what it becomes: `longer` characters more, with `spare` spaces of padding in front."""

    number: Number
    text: str
    spare: int

    @property
    def longer(self) -> int:
        return len(self.text) - len(self.number.text)


def edits_for(source: Source, numbers: Sequence[Number], values: Sequence[Value]) -> list[Edit]:
    """The edits that give the numbers their values; None leaves a number as it is.

    Numbers that stand in columns stay in columns: padding in front of a number shrinks and grows with it, and
    a column becomes wider where a number needs it. Raises FormatError for a number that is no plain integer.
    """
    separators = _separators(source, numbers)
    cells = [_cell(source, number, value, separators) for number, value in zip(numbers, values, strict=True)]
    rows = [list(row) for _, row in groupby(cells, lambda cell: source.line(cell.number.start))]
    growth = _growth(source, rows)
    padded = growth is not None or any(cell.spare for cell in cells if not _starts_line(source, cell.number))
    edits: list[Edit] = []
    for row in rows:
        for column, cell in enumerate(row):
            wider = growth[column] if growth is not None else max(0, cell.longer - cell.spare)
            edits += _edit(cell, wider - cell.longer if padded else 0)
    return edits


def _edit(cell: _Cell, spaces: int) -> list[Edit]:
    start, end = cell.number.start, cell.number.end
    if cell.text == cell.number.text and not spaces:
        return []
    if spaces < 0:
        return [(start + spaces, end, cell.text)]
    return [(start, end, " " * spaces + cell.text)]


def _cell(source: Source, number: Number, value: Value, separators: Separators) -> _Cell:
    text = number.text
    if value is not None:
        if not number.plain:
            raise source.error(number.start, "expected a plain decimal integer", text)
        if value != number.value:
            text = f"+{value}" if text.startswith("+") and value > 0 else str(value)
    return _Cell(number, text, _spare(source, number, separators))


Separators = tuple[int, int]
"""Least number of spaces after an opening bracket and after anything else, as the source has them."""


def _separators(source: Source, numbers: Sequence[Number]) -> Separators:
    """A space inside brackets if there is one before they close; elsewhere the narrowest place tells."""
    runs = [_run(source, number) for number in numbers]
    inside = any(
        source.text[number.end : number.end + 1] == " " and source.text[number.end :].lstrip(" ")[:1] in CLOSE
        for number in numbers
    )
    return int(inside), min((run for run, opened in runs if not opened), default=1) and 1


def _run(source: Source, number: Number) -> tuple[int, bool]:
    """How many spaces stand before a number, and whether a bracket opens before them."""
    before = source.text[max(0, number.start - 200) : number.start]
    bare = before.rstrip(" ")
    return len(before) - len(bare), bare[-1:] in OPEN


def _spare(source: Source, number: Number, separators: Separators) -> int:
    """How many of the spaces before a number are padding."""
    run, opened = _run(source, number)
    return max(0, run - separators[not opened])


def _starts_line(source: Source, number: Number) -> bool:
    start = source.text.rfind("\n", 0, number.start) + 1
    return not source.text[start : number.start].strip()


def _growth(source: Source, rows: Sequence[Sequence[_Cell]]) -> list[int] | None:
    """How much wider each column has to be, or None where the numbers do not stand in columns.

    They do where they end at the same places in every line; a line may be shorter than others.
    """
    ends = [[_column(source, cell.number.end) for cell in row] for row in rows]
    longest = max(ends, key=len, default=[])
    if len(rows) < 2 or len(longest) < 2 or any(row != longest[: len(row)] for row in ends):
        return None
    columns = zip_longest(*rows)
    return [max(max(0, cell.longer - cell.spare) for cell in column if cell) for column in columns]


def _column(source: Source, offset: int) -> int:
    return offset - source.text.rfind("\n", 0, offset)
