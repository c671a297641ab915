"""Columns of cells (spans in a buffer) turned into numbers: results, scores, counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import faults as fault
from ..compiled import kernel, primitive
from ..fen import Buffer
from .labels import has_byte, is_digit, is_score, parse_number, parse_result, result_fault, trim

NUMBER, MATE, UNKNOWN, BAD = range(4)
"""What the text of a score is."""

_HASH, _MINUS, _PLUS, _DOT = 35, 45, 43, 46
_A, _E, _L, _M, _N, _O, _T, _U = 97, 101, 108, 109, 110, 111, 116, 117
PAWN_SIZED = 20.0
"""A score with a decimal point below this looks like pawns."""


@primitive
def lower(byte: int) -> int:
    """A letter in lower case; other bytes changed, too, but never into letters that matter here."""
    return byte | 32


@primitive
def starts_with(buffer: Buffer, at: int, end: int, one: int, two: int, three: int) -> bool:
    """Whether three letters come first, in either case."""
    if end - at < 3 or lower(buffer[at]) != one:
        return False
    return bool(lower(buffer[at + 1]) == two and lower(buffer[at + 2]) == three)


@primitive
def is_unknown(buffer: Buffer, at: int, end: int) -> bool:
    """An empty cell, or one that says nan, null, none or n/a."""
    if at >= end:
        return True
    if end - at == 3 and (starts_with(buffer, at, end, _N, _A, _N) or lower(buffer[at + 2]) == _A):
        return lower(buffer[at]) == _N
    if end - at != 4:
        return False
    null = starts_with(buffer, at, end, _N, _U, _L) and lower(buffer[at + 3]) == _L
    return null or (starts_with(buffer, at, end, _N, _O, _N) and lower(buffer[at + 3]) == _E)


@primitive
def is_mate(buffer: Buffer, at: int, end: int) -> bool:
    """`#-3`, `#5`, `M5`, `-M12`, `+M3`, `mate 4`, `mate`: a sign, a mark, a number."""
    if at < end and (buffer[at] == _MINUS or buffer[at] == _PLUS):
        at += 1
    if starts_with(buffer, at, end, _M, _A, _T) and end - at >= 4 and lower(buffer[at + 3]) == _E:
        at += 4
    elif at < end and (buffer[at] == _HASH or lower(buffer[at]) == _M):
        at += 1
    else:
        return False
    at, end = trim(buffer, at, end)
    if at < end and (buffer[at] == _MINUS or buffer[at] == _PLUS):
        at += 1
    while at < end and is_digit(buffer[at]):
        at += 1
    return at == end


@primitive
def parse_score(buffer: Buffer, at: int, end: int) -> tuple[float, int]:
    """A score and what the text was."""
    if is_unknown(buffer, at, end):
        return np.nan, UNKNOWN
    if is_mate(buffer, at, end):
        return np.nan, MATE
    value, after = parse_number(buffer, at, end)
    if after != end:
        return np.nan, BAD
    return (value, NUMBER) if is_score(value) else (np.nan, MATE)


@kernel
def read_scores(
    buffer: Buffer,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    scores: NDArray[np.float32],
    faults: NDArray[np.int64],
) -> tuple[int, int, int]:
    """Fills scores; counts mates, empty cells, and numbers that look like pawns."""
    mates, empty, pawns = 0, 0, 0
    for row in range(len(starts)):
        if faults[row]:
            continue
        at, end = trim(buffer, starts[row], ends[row])
        value, what = parse_score(buffer, at, end)
        scores[row] = value
        mates += what == MATE
        empty += what == UNKNOWN
        if what == BAD:
            faults[row] |= fault.BAD_SCORE
        if what == NUMBER and -PAWN_SIZED < value < PAWN_SIZED and has_byte(buffer, at, end, _DOT):
            pawns += value != np.floor(value)
    return mates, empty, pawns


@kernel
def read_results(
    buffer: Buffer,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    results: NDArray[np.float32],
    faults: NDArray[np.int64],
) -> int:
    """Fills results; counts empty cells."""
    empty = 0
    for row in range(len(starts)):
        if faults[row]:
            continue
        at, end = trim(buffer, starts[row], ends[row])
        if is_unknown(buffer, at, end):
            empty += 1
            results[row] = np.nan
            continue
        results[row] = parse_result(buffer, at, end, True)
        faults[row] |= result_fault(results[row])
    return empty


@kernel
def read_numbers(
    buffer: Buffer,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    largest: float,
    unknown: float,
    numbers: NDArray[np.float64],
    faults: NDArray[np.int64],
) -> None:
    """Fills numbers from 0 to `largest`; empty cells become `unknown`."""
    for row in range(len(starts)):
        if faults[row]:
            continue
        at, end = trim(buffer, starts[row], ends[row])
        if is_unknown(buffer, at, end):
            numbers[row] = unknown
            continue
        value, after = parse_number(buffer, at, end)
        numbers[row] = value
        if after != end or not 0 <= value <= largest:
            faults[row] |= fault.BAD_NUMBER


@kernel
def read_mates(
    buffer: Buffer,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    scores: NDArray[np.float32],
    faults: NDArray[np.int64],
) -> int:
    """A column of mate distances: where one is given there is no score; counts them."""
    mates = 0
    for row in range(len(starts)):
        at, end = trim(buffer, starts[row], ends[row])
        if not faults[row] and not is_unknown(buffer, at, end) and not np.isnan(scores[row]):
            scores[row] = np.nan
            mates += 1
    return mates
