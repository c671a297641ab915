"""What a file is, by content: known wrong files by their first bytes, text formats by their lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from ..errors import FormatError
from .base import Reader

STRANGERS: Mapping[bytes, str] = {
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"%PDF": "a PDF document",
    b"\x7fELF": "a program",
    b"MZ": "a Windows program",
    b"SQLite format 3": "an SQLite data base",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive; unpack it first",
    b"PK\x05\x06": "a zip archive without a file",
    b"Rar!": "a RAR archive; unpack it first",
    b"version https://git-lfs": "a Git LFS pointer, not the data; run 'git lfs pull'",
    b"<!DOCTYPE": "an HTML page",
    b"<!doctype": "an HTML page",
    b"<html": "an HTML page",
}
"""First bytes of files that are no positions, and what they are."""

FEN_START = re.compile(
    r"""\s* [pnbrqkPNBRQK1-8/]{8,} \s+ [wb] \s+ (?:-|[A-Ha-hKQkq]{1,4}) \s+ (?:-|[a-h][1-8])
        (?: \s+ \d+ (?=[\s;,|]|$) (?: \s+ \d+ (?=[\s;,|]|$) )? )?""",
    re.VERBOSE,
)
"""A FEN at the start of a line, in shape only."""
BOARD_START = re.compile(r"\s*[pnbrqkPNBRQK1-9]+(?:/[pnbrqkPNBRQK1-9]+){3,}[\s;,|]")
"""The beginning of a line that means to be a position, however broken."""
LINES_LOOKED_AT = 100


def head_lines(head: bytes) -> list[str]:
    """The first lines that hold something, without comments and a last one that may be cut."""
    head = head.removeprefix(b"\xef\xbb\xbf").replace(b"\0\n", b"\n")
    text = head.decode("utf-8", "replace")
    lines = text.splitlines()
    if len(lines) > 1 and not text.endswith("\n"):
        lines = lines[:-1]
    kept = [line for line in lines if line.strip() and line.lstrip()[0] not in "#%"]
    return kept[:LINES_LOOKED_AT]


def share_of_lines(head: bytes, rest: re.Pattern[str]) -> float:
    """Which share of the lines is a FEN followed by something that matches."""
    lines = head_lines(head)
    if not lines:
        return 0.0
    return sum(follows_fen(line, rest) for line in lines) / len(lines)


def follows_fen(line: str, rest: re.Pattern[str]) -> bool:
    """Whether a line is a FEN in shape and what follows matches."""
    start = FEN_START.match(line)
    return bool(start and rest.match(line, start.end()))


def share_of_boards(head: bytes) -> float:
    """Which share of the lines means to be a position, faults and all."""
    lines = head_lines(head)
    if not lines:
        return 0.0
    return sum(bool(BOARD_START.match(line)) for line in lines) / len(lines)


def refuse_strangers(path: Path, head: bytes) -> None:
    """FormatError for a file that is well known not to hold positions."""
    if not head:
        raise FormatError(path, None, "the file is empty, positions were expected")
    if not head.strip():
        raise FormatError(path, None, "the file holds nothing but blanks, positions were expected")
    for beginning, what in STRANGERS.items():
        if head.startswith(beginning):
            raise FormatError(path, None, f"positions were expected, this is {what}")


def choose_reader(path: Path, head: bytes, readers: Mapping[str, Reader]) -> Reader:
    """The reader that is surest the file is its own; FormatError where none is."""
    refuse_strangers(path, head)
    sureness = {name: reader.sniff(head) for name, reader in readers.items()}
    best = max(sureness, key=lambda name: sureness[name])
    if sureness[best] <= 0:
        known = ", ".join(sorted(readers))
        first = head[:60].decode("utf-8", "replace").splitlines()[0]
        raise FormatError(path, None, f"no known format (the formats are {known}); it begins with", first)
    return readers[best]
