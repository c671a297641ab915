"""texel-tuner's list of data files: lines `path,0 or 1,limit`, with `#` comments.

1 says that results are the side to move's; a limit of 0 takes all positions. Paths are relative to the
list. The files are read as files named one by one would be.
"""

from __future__ import annotations

import re
from pathlib import Path

from ..errors import FormatError
from .base import PointOfView
from .sniffing import BOARD_START
from .table import parse_header

LINE = re.compile(r"\s*(?P<path>[^,]+?)\s*,\s*(?P<mover>[01])\s*,\s*(?P<limit>\d+)\s*$")
SUFFIX = ".csv"
LARGEST_LIST = 1 << 16
LONGEST_NAME = 200


def is_source_list(path: Path) -> bool:
    """Whether a small CSV file is meant to be such a list: half of its lines are as they should be, or one
    begins with the name of a file. Positions stand in none of them."""
    if path.suffix.lower() != SUFFIX or path.stat().st_size > LARGEST_LIST:
        return False
    lines = [line for _, line in listed_lines(path)]
    if not lines or any(BOARD_START.match(line.lstrip(' "')) for line in lines):
        return False
    if any(names_file(path.parent, line) for line in lines):
        return True
    is_table = not LINE.match(lines[0]) and parse_header(lines[0]) is not None
    return not is_table and 2 * sum(bool(LINE.match(line)) for line in lines) >= len(lines)


def names_file(folder: Path, line: str) -> bool:
    """Whether a line begins with the name of a file that is there."""
    return len(line) < LONGEST_NAME and (folder / line.split(",")[0].strip()).is_file()


def listed_lines(path: Path) -> list[tuple[int, str]]:
    """Numbers and texts of the lines that hold something."""
    texts = path.read_text("utf-8-sig", "replace").splitlines()
    return [(number, text) for number, text in enumerate(texts, 1) if text.strip() and text.strip()[0] != "#"]


def read_source_list(path: Path) -> list[tuple[Path, PointOfView, int | None]]:
    """File, point of view of its results, how many positions to take; FormatError for a wrong line."""
    entries: list[tuple[Path, PointOfView, int | None]] = []
    for number, text in listed_lines(path):
        found = LINE.match(text)
        if found is None:
            raise FormatError(path, number, "path,0 or 1,limit was expected", text)
        file = path.parent / found["path"]
        if not file.exists():
            raise FormatError(path, number, "there is no such file", found["path"])
        if file.is_dir():
            raise FormatError(path, number, "a file was expected, this is a folder", found["path"])
        pov: PointOfView = "side-to-move" if found["mover"] == "1" else "white"
        entries.append((file, pov, int(found["limit"]) or None))
    return entries
