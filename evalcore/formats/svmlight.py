"""Rows of features an engine traced itself: `result index:count index:count … # comment`.

The format of svmlight and libsvm. `result` is White's (1-0, 1/2-1/2, 0-1 or a number from 0 to 1), an index
is a column, a count a whole number, White's minus Black's. Two further names may come before the first
index: `qid:` is the game, `phase:` the game phase from 0 (endgame) to `phase_maximum` (opening); without
phases the evaluation is not tapered. An index, `qid:` and `phase:` may come once a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .. import faults as fault
from ..compiled import kernel, primitive
from ..errors import FormatError
from ..faults import fault_text
from ..features import BLOCK_ROWS, Block, FeatureMatrix
from ..fen import Buffer, skip_blanks
from ..files import write_text
from ..positions import NO_GAME
from .compression import open_decompressed
from .labels import is_letter, parse_number, parse_result, result_fault
from .lines import find_lines, text_blocks
from .sniffing import head_lines

LARGEST_INDEX = 0xFFFF
LARGEST_COUNT = 127
BLOCK_BYTES = 1 << 22

_HASH, _COLON, _P, _Q = 35, 58, 112, 113


@dataclass(frozen=True, eq=False)
class FeatureRows:
    """What such a file holds: counts and phases, `result` (n) for White, `game` (n), `NO_GAME` if unknown."""

    matrix: FeatureMatrix
    result: NDArray[np.float32]
    game: NDArray[np.uint32]


ROW = re.compile(
    r"""\s* (?:1-0|0-1|1/2-1/2|[01]|[01]?\.\d+) (?:\s+(?:qid|phase):\S+)* (?:\s+\d+:-?\d+)+ \s* (?:\#|$)""",
    re.VERBOSE,
)
"""A line in shape: the result, then features."""


def sniff(head: bytes) -> float:
    """Sure where the lines are results and pairs of numbers."""
    lines = head_lines(head)
    return sum(bool(ROW.match(line)) for line in lines) / len(lines) if lines else 0.0


@primitive
def token_end(buffer: Buffer, at: int, end: int) -> int:
    """Where a word of the line ends."""
    while at < end and buffer[at] > 32 and buffer[at] != _HASH:
        at += 1
    return at


@primitive
def colon_in(buffer: Buffer, at: int, end: int) -> int:
    """The offset of the colon of a word, or `end`."""
    while at < end and buffer[at] != _COLON:
        at += 1
    return at


@primitive
def read_pair(buffer: Buffer, at: int, stop: int) -> tuple[float, float, bool]:
    """`index:count` as two numbers, and whether it is that."""
    colon = colon_in(buffer, at, stop)
    index, after_index = parse_number(buffer, at, colon)
    count, after_count = parse_number(buffer, colon + 1, stop)
    right = after_index == colon and colon > at and after_count == stop and stop > colon + 1
    return index, count, right and index == np.floor(index) and count == np.floor(count)


@primitive
def name_value(buffer: Buffer, at: int, stop: int) -> tuple[float, bool]:
    """The value of `qid:` or `phase:`, and whether it is a number from 0."""
    colon = colon_in(buffer, at, stop)
    value, after = parse_number(buffer, colon + 1, stop)
    return value, after == stop and stop > colon + 1 and value >= 0


@kernel
def _read_rows(
    buffer: Buffer,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    labels: NDArray[np.float64],
    indptr: NDArray[np.int64],
    columns: NDArray[np.uint16],
    counts: NDArray[np.int8],
    faults: NDArray[np.int64],
) -> int:
    """Fills `labels` (3, n: result, game, phase) and the entries of all lines; how many entries."""
    entries = 0
    last_row = np.full(LARGEST_INDEX + 1, -1, np.int64)
    for row in range(len(starts)):
        at, end = starts[row], ends[row]
        stop = token_end(buffer, at, end)
        labels[0, row] = parse_result(buffer, at, stop, True)
        labels[1, row] = labels[2, row] = -1.0
        faults[row] = result_fault(labels[0, row])
        at = skip_blanks(buffer, stop, end)
        while at < end and buffer[at] != _HASH and not faults[row]:
            stop = token_end(buffer, at, end)
            if is_letter(buffer[at]):
                value, right = name_value(buffer, at, stop)
                place = 1 if buffer[at] == _Q else 2
                right = right and (buffer[at] == _Q or buffer[at] == _P) and labels[place, row] < 0
                labels[place, row] = value
            else:
                index, count, right = read_pair(buffer, at, stop)
                right = right and 0 <= index <= LARGEST_INDEX and -LARGEST_COUNT <= count <= LARGEST_COUNT
                column = np.int64(index) if right else 0
                right = right and last_row[column] != row
                if right and count != 0:
                    columns[entries], counts[entries] = column, np.int64(count)
                    entries += 1
                last_row[column] = row
            if not right:
                faults[row] = fault.LEFT_OVER
            at = skip_blanks(buffer, stop, end)
        indptr[row + 1] = entries
    return entries


def read_block(path: Path, block: bytes, first_line: int) -> tuple[Block, NDArray[np.float64], int]:
    """Entries and labels of whole lines, and how many lines; FormatError for the first that is wrong."""
    lines, total = find_lines(block)
    rows, most = len(lines.starts), block.count(b":")
    labels, faults = np.empty((3, rows)), np.zeros(rows, np.int64)
    indptr = np.zeros(rows + 1, np.int64)
    columns, counts = np.empty(most, np.uint16), np.empty(most, np.int8)
    entries = _read_rows(lines.buffer, lines.starts, lines.ends, labels, indptr, columns, counts, faults)
    for row in np.flatnonzero(faults)[:1].tolist():
        text = bytes(lines.buffer[lines.starts[row] : lines.ends[row]]).decode("utf-8", "replace").strip()
        raise FormatError(path, first_line + int(lines.numbers[row]), fault_text(int(faults[row])), text)
    return Block(indptr, columns[:entries].copy(), counts[:entries].copy()), labels, total


def cut(block: Block) -> Iterator[Block]:
    """The same rows in blocks of the size that passes are fast with."""
    rows = len(block.indptr) - 1
    for first in range(0, rows, BLOCK_ROWS):
        ends = block.indptr[first : first + BLOCK_ROWS + 1]
        entries = slice(int(ends[0]), int(ends[-1]))
        yield Block(ends - ends[0], block.columns[entries], block.counts[entries])


def read_features(path: str | Path, *, phase_maximum: float = 24.0) -> FeatureRows:
    """All rows of a file, plain or compressed; FormatError with the line of the first that is wrong."""
    file = Path(path)
    blocks: list[Block] = []
    labels: list[NDArray[np.float64]] = []
    line = 1
    with open_decompressed(file) as stream:
        for text in text_blocks(stream, BLOCK_BYTES):
            block, found, total = read_block(file, text, line)
            blocks.extend(cut(block))
            labels.append(found)
            line += total
    result, game, phase = np.concatenate(labels, axis=1) if labels else np.empty((3, 0))
    if not len(result):
        raise FormatError(file, None, "rows 'result index:count …' were expected, the file has none")
    width = 1 + max((int(block.columns.max()) for block in blocks if len(block.columns)), default=0)
    matrix = FeatureMatrix(tuple(blocks), phases(file, phase, phase_maximum), phase_maximum, width)
    return FeatureRows(matrix, result.astype(np.float32), games(game))


def phases(path: Path, values: NDArray[np.float64], maximum: float) -> NDArray[np.float32]:
    """Phases from 0 to `maximum`; all at the maximum where the file has none (midgame weights only)."""
    if (values < 0).all():
        return np.full(len(values), maximum, np.float32)
    if (values < 0).any() or (values > maximum).any():
        raise FormatError(path, None, f"a phase from 0 to {maximum:g} was expected in every row or in none")
    return values.astype(np.float32)


def games(values: NDArray[np.float64]) -> NDArray[np.uint32]:
    """Game numbers, `NO_GAME` where a row has none."""
    return np.where(values >= 0, values, float(NO_GAME)).astype(np.uint32)


def write_features(rows: FeatureRows, path: str | Path) -> None:
    """Writes what `read_features` reads."""
    lines = []
    row = 0
    for block in rows.matrix.blocks:
        for first, last in zip(block.indptr[:-1].tolist(), block.indptr[1:].tolist(), strict=True):
            pairs = zip(block.columns[first:last].tolist(), block.counts[first:last].tolist(), strict=True)
            words = " ".join(f"{column}:{count}" for column, count in pairs)
            game = "" if rows.game[row] == NO_GAME else f" qid:{rows.game[row]}"
            lines.append(f"{rows.result[row]:g}{game} phase:{rows.matrix.phase[row]:g} {words}".rstrip())
            row += 1
    write_text(Path(path), "\n".join(lines) + "\n")
