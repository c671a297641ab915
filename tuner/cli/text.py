"""Plain text for terminals and pipes: aligned tables, boards, small curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

BARS = "▁▂▃▄▅▆▇█"


def table(rows: Sequence[Sequence[Any]], header: Sequence[str], left: int = 1) -> str:
    """Columns side by side, the first `left` ones flush left and the numbers flush right."""
    cells = [list(header), *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = []
    for row in cells:
        parts = [
            text.ljust(width) if column < left else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(parts).rstrip())
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else str(value)


def curve(values: Sequence[float]) -> str:
    """A row of bars between the smallest and the largest value."""
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    return "".join(BARS[round((value - low) / span * (len(BARS) - 1))] for value in values)


def board(values: Sequence[float]) -> str:
    """64 numbers, a1 first, as a board with rank 8 on top."""
    lines = []
    for rank in reversed(range(8)):
        row = values[8 * rank : 8 * rank + 8]
        lines.append(f"{rank + 1}  " + "".join(f"{round(value):5d}" for value in row))
    lines.append("   " + "".join(f"{file:>5}" for file in "abcdefgh"))
    return "\n".join(lines)


def side_by_side(left: str, right: str, gap: str = "    ") -> str:
    """Two blocks of text beside each other."""
    first, second = left.splitlines(), right.splitlines()
    width = max(map(len, first))
    height = max(len(first), len(second))
    first += [""] * (height - len(first))
    second += [""] * (height - len(second))
    return "\n".join(f"{a:<{width}}{gap}{b}".rstrip() for a, b in zip(first, second, strict=True))
