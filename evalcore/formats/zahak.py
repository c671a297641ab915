"""Lines of Zahak's trainer: `FEN;score:7;eval:0;qs:0;outcome:0.5`, White's view, centipawns.

`score` is that of the search and becomes our score; `eval` and `qs` are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import faults as fault
from ..compiled import kernel, primitive
from ..fen import Buffer
from ..positions import Positions
from .base import Reader, ReadOptions, Source
from .labels import NO_RESULT, NOTE_MATE, is_score, parse_number, parse_result, result_fault, trim
from .lines import Lines, Notes, read_lines
from .sniffing import share_of_lines

_SEMICOLON, _COLON = 59, 58
_E, _O, _Q, _S = 101, 111, 113, 115


@primitive
def find(buffer: Buffer, at: int, end: int, byte: int) -> int:
    """The offset of the next `byte`, or `end`."""
    while at < end and buffer[at] != byte:
        at += 1
    return at


@primitive
def read_items(buffer: Buffer, at: int, end: int) -> tuple[float, float, int]:
    """Score, result and faults of `;name:value` items."""
    score, result, faults = np.nan, NO_RESULT, 0
    at, end = trim(buffer, at, end)
    while at < end and not faults:
        if buffer[at] != _SEMICOLON:
            return score, result, fault.LEFT_OVER
        stop = find(buffer, at + 1, end, _SEMICOLON)
        name, colon = at + 1, find(buffer, at + 1, stop, _COLON)
        first, last = trim(buffer, min(colon + 1, stop), stop)
        letter = buffer[name] if name < stop else 0
        length = colon - name
        if letter == _O and length == 7:
            value = parse_result(buffer, first, last, True)
            faults |= result_fault(value)
            faults |= fault.TWO_RESULTS if result not in (NO_RESULT, value) else 0
            result = value
        elif letter == _S and length == 5:
            number, after = parse_number(buffer, first, last)
            faults |= fault.BAD_SCORE if after != last or first == last else 0
            faults |= fault.TWO_SCORES if not (np.isnan(score) or score == number) else 0
            score = number
        elif not (letter == _E and length == 4) and not (letter == _Q and length == 2) and length > 0:
            faults |= fault.LEFT_OVER
        at = stop
    if result == NO_RESULT and not faults:
        faults = fault.UNKNOWN_RESULT
    return score, result, faults


@kernel
def _read_labels(
    buffer: Buffer,
    rests: NDArray[np.int64],
    ends: NDArray[np.int64],
    faults: NDArray[np.int64],
    labels: NDArray[np.float32],
) -> int:
    """Labels (2, n) of all lines; counts scores that were mates."""
    mates = 0
    for row in range(len(rests)):
        if faults[row]:
            continue
        score, result, faults[row] = read_items(buffer, rests[row], ends[row])
        usable = is_score(score) or np.isnan(score)
        labels[0, row] = result
        labels[1, row] = score if usable else np.nan
        mates += faults[row] == 0 and not usable
    return mates


def read_zahak_labels(
    lines: Lines, columns: dict[str, NDArray[Any]], rests: NDArray[np.int64], faults: NDArray[np.int64]
) -> Notes:
    """The label rule of this format; adds `result` and `score`."""
    labels = np.empty((2, len(rests)), np.float32)
    mates = _read_labels(lines.buffer, rests, lines.ends, faults, labels)
    columns["result"], columns["score"] = labels
    return {NOTE_MATE: mates}


def read(source: Source, options: ReadOptions) -> Iterator[Positions]:
    """Positions of a file of this format."""
    return read_lines(source, options, read_zahak_labels)


LABEL = re.compile(r"\s*;(?:score|eval|qs|outcome):")


def sniff(head: bytes) -> float:
    """Sure where named values follow FENs."""
    return 0.95 * share_of_lines(head, LABEL)


READER = Reader("zahak", "FEN;score:7;eval:0;qs:0;outcome:0.5", sniff, read, lost=("game",))
