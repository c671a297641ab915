"""Lines of Rebel's tuner: `FEN; e2e4 - pgn=0.5 len=118`, the move played, the result, the game's length.

Programs disagree about whose result `pgn` is; most take it for that of the side to move, and so do we.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import faults as fault
from ..compiled import kernel, primitive
from ..fen import Buffer, skip_blanks
from ..positions import Positions
from .base import Reader, ReadOptions, Source
from .labels import NO_RESULT, parse_number, parse_result, result_fault
from .lines import Lines, Notes, read_lines
from .sniffing import share_of_lines

_SEMICOLON, _DASH = 59, 45


@primitive
def word_end(buffer: Buffer, at: int, end: int) -> int:
    """Where a word ends."""
    while at < end and buffer[at] > 32:
        at += 1
    return at


@primitive
def follows(buffer: Buffer, at: int, end: int, one: int, two: int, three: int) -> bool:
    """Whether four bytes are three letters and `=`."""
    if end - at < 4 or buffer[at] != one or buffer[at + 1] != two:
        return False
    return bool(buffer[at + 2] == three and buffer[at + 3] == 61)


@primitive
def read_words(buffer: Buffer, at: int, end: int) -> tuple[float, int]:
    """Result and faults of `; move - pgn=… len=…`."""
    at = skip_blanks(buffer, at, end)
    if at >= end or buffer[at] != _SEMICOLON:
        return NO_RESULT, fault.UNKNOWN_RESULT if at >= end else fault.LEFT_OVER
    at = skip_blanks(buffer, at + 1, end)
    at = skip_blanks(buffer, word_end(buffer, at, end), end)
    if at >= end or buffer[at] != _DASH:
        return NO_RESULT, fault.LEFT_OVER
    at = skip_blanks(buffer, at + 1, end)
    result = NO_RESULT
    while at < end:
        stop = word_end(buffer, at, end)
        if follows(buffer, at, stop, 112, 103, 110):
            value = parse_result(buffer, at + 4, stop, True)
            if value < 0.0:
                return value, result_fault(value)
            if result not in (NO_RESULT, value):
                return value, fault.TWO_RESULTS
            result = value
        elif follows(buffer, at, stop, 108, 101, 110):
            _, after = parse_number(buffer, at + 4, stop)
            if after != stop:
                return result, fault.LEFT_OVER
        else:
            return result, fault.LEFT_OVER
        at = skip_blanks(buffer, stop, end)
    return result, fault.UNKNOWN_RESULT if result == NO_RESULT else 0


@kernel
def _read_labels(
    buffer: Buffer,
    rests: NDArray[np.int64],
    ends: NDArray[np.int64],
    faults: NDArray[np.int64],
    results: NDArray[np.float32],
) -> None:
    for row in range(len(rests)):
        if not faults[row]:
            results[row], faults[row] = read_words(buffer, rests[row], ends[row])


def read_rebel_labels(
    lines: Lines, columns: dict[str, NDArray[Any]], rests: NDArray[np.int64], faults: NDArray[np.int64]
) -> Notes:
    """The label rule of this format; adds `result`."""
    columns["result"] = np.empty(len(rests), np.float32)
    _read_labels(lines.buffer, rests, lines.ends, faults, columns["result"])
    return {}


def read(source: Source, options: ReadOptions) -> Iterator[Positions]:
    """Positions of a file of this format."""
    return read_lines(source, options, read_rebel_labels)


LABEL = re.compile(r"\s*;\s*\S+\s+-\s+(?:pgn|len)=")


def sniff(head: bytes) -> float:
    """Sure where `; move - pgn=` follows FENs."""
    return 0.95 * share_of_lines(head, LABEL)


READER = Reader(
    "rebel",
    "FEN; move - pgn=0.5 len=118",
    sniff,
    read,
    result_pov="side-to-move",
    lost=("score", "game"),
)
