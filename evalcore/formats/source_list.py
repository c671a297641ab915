"""texel-tuner's list of data files: lines `path,0 or 1,limit`, with `#` comments.

1 says that results are the side to move's; a limit of 0 takes all positions. Paths are relative to the
list. The files are read as files named one by one would be.
"""

from __future__ import annotations

import re
from pathlib import Path

from ..errors import FormatError
from .base import PointOfView

LINE = re.compile(r"\s*(?P<path>[^,]+?)\s*,\s*(?P<mover>[01])\s*,\s*(?P<limit>\d+)\s*$")
SUFFIX = ".csv"
LARGEST_LIST = 1 << 16


def is_source_list(path: Path) -> bool:
    """Whether every line of a small CSV file is a line of such a list."""
    if path.suffix.lower() != SUFFIX or path.stat().st_size > LARGEST_LIST:
        return False
    lines = [line for _, line in listed_lines(path)]
    return bool(lines) and all(LINE.match(line) for line in lines)


def listed_lines(path: Path) -> list[tuple[int, str]]:
    """Numbers and texts of the lines that hold something."""
    texts = path.read_text("utf-8-sig", "replace").splitlines()
    return [(number, text) for number, text in enumerate(texts, 1) if text.strip() and text.strip()[0] != "#"]


def read_source_list(path: Path) -> list[tuple[Path, PointOfView, int | None]]:
    """File, point of view of its results, and how many positions to take; FormatError for a missing file."""
    entries: list[tuple[Path, PointOfView, int | None]] = []
    for number, text in listed_lines(path):
        found = LINE.match(text)
        if found is None:
            raise FormatError(path, number, "path,0 or 1,limit was expected", text)
        file = path.parent / found["path"]
        if not file.exists():
            raise FormatError(path, number, "there is no such file", found["path"])
        pov: PointOfView = "side-to-move" if found["mover"] == "1" else "white"
        entries.append((file, pov, int(found["limit"]) or None))
    return entries
