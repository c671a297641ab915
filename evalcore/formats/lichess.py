"""The evaluation data base of Lichess: one JSON object a line, several evaluations a position.

The deepest evaluation counts, and of it the first variation: `cp` is White's view in centipawns, a `mate`
is no score, `null` is as if the key were absent. There are no results. Only the keys that matter are looked
at, by a small scanner that keeps track of strings and of nesting; what is no object, and a value that is
not of its kind, is an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import faults as fault
from ..compiled import kernel, primitive
from ..fen import Buffer, parse_spans
from ..positions import Positions
from .base import Reader, ReadOptions, Source
from .labels import NOTE_MATE, is_digit, is_score, parse_number
from .lines import BYTES_A_ROW, Lines, Notes, parse_block, read_blocks, text_blocks
from .sniffing import head_lines

BYTES_A_LINE = 16 * BYTES_A_ROW
NOTE_NO_EVALUATION = "positions without an evaluation"

_QUOTE, _ESCAPE, _COLON = 34, 92, 58
_OPEN_OBJECT, _CLOSE_OBJECT, _OPEN_LIST, _CLOSE_LIST = 123, 125, 91, 93
ROOT, EVALUATION, VARIATION = 1, 2, 3
"""How many objects a key is inside of."""

STATE = 9
FEN_START, FEN_END, DEPTH, BEST_DEPTH, SCORE, BEST_SCORE, CP, MATE, VARIATIONS = range(STATE)
"""The record of one line while it is scanned: scores are NaN for mates and infinite where none was seen,
CP and MATE (of the variation that is open) infinite where absent."""

_N, _U, _L, _COMMA, _MINUS = 110, 117, 108, 44, 45


@primitive
def string_end(buffer: Buffer, at: int, end: int) -> int:
    """The offset of the quote that ends a string which starts after `at`, or `end`."""
    at += 1
    while at < end and buffer[at] != _QUOTE:
        at += 2 if buffer[at] == _ESCAPE else 1
    return min(at, end)


@primitive
def is_key(buffer: Buffer, first: int, last: int, length: int, one: int, two: int) -> bool:
    """Whether a string has this length and these first letters."""
    return bool(last - first == length and buffer[first] == one and buffer[first + 1] == two)


@primitive
def json_number(buffer: Buffer, at: int, end: int) -> tuple[float, int]:
    """A number, or infinity for `null`, and the offset after it; the one given where the value is neither."""
    if end - at >= 4 and buffer[at] == _N and buffer[at + 1] == _U:
        value, stop = np.inf, at + 4 if buffer[at + 2] == _L and buffer[at + 3] == _L else at
    elif at < end and (buffer[at] == _MINUS or is_digit(buffer[at])):
        value, stop = parse_number(buffer, at, end)
    else:
        return np.inf, at
    after = stop
    while after < end and buffer[after] <= 32:
        after += 1
    closed = after < end and (buffer[after] == _COMMA or buffer[after] == _CLOSE_OBJECT)
    return value, stop if closed else at


@primitive
def read_value(
    buffer: Buffer, first: int, last: int, at: int, end: int, nesting: int, record: NDArray[np.float64]
) -> tuple[int, int]:
    """Takes the value at `at` of a key (the span `first` to `last`); the offset to go on from, the faults."""
    while at < end and buffer[at] <= 32:
        at += 1
    if nesting == ROOT and is_key(buffer, first, last, 3, 102, 101) and at < end and buffer[at] == _QUOTE:
        stop, again = string_end(buffer, at, end), record[FEN_START] >= 0.0
        record[FEN_START], record[FEN_END] = at + 1, stop
        return stop + 1, fault.TWO_VALUES if again else 0
    place = -1
    if nesting == EVALUATION and is_key(buffer, first, last, 5, 100, 101):
        place = DEPTH
    elif nesting == VARIATION and is_key(buffer, first, last, 2, 99, 112):
        place = CP
    elif nesting == VARIATION and is_key(buffer, first, last, 4, 109, 97):
        place = MATE
    if place < 0:
        return at, 0
    value, stop = json_number(buffer, at, end)
    if stop == at or (place == DEPTH and value < 0.0):
        return at, fault.BAD_NUMBER if place == DEPTH else fault.BAD_SCORE
    again = not np.isinf(record[place]) and record[place] != value
    record[place] = value
    return stop, fault.TWO_VALUES if again else 0


@primitive
def open_object(record: NDArray[np.float64], nesting: int) -> None:
    """Forgets the evaluation or variation before the one that begins."""
    if nesting == EVALUATION:
        record[DEPTH] = record[SCORE] = np.inf
        record[VARIATIONS] = 0.0
    elif nesting == VARIATION:
        record[CP] = record[MATE] = np.inf


@primitive
def close_object(record: NDArray[np.float64], nesting: int) -> int:
    """Keeps an evaluation's score, that of its first variation, and the deepest evaluation; the faults."""
    if nesting == VARIATION:
        mate = not np.isinf(record[MATE])
        if record[VARIATIONS] == 0.0:
            record[SCORE] = np.nan if mate else record[CP]
        record[VARIATIONS] += 1.0
        return fault.TWO_SCORES if mate and not np.isinf(record[CP]) else 0
    if nesting == EVALUATION:
        depth = 0.0 if np.isinf(record[DEPTH]) else record[DEPTH]
        if not np.isinf(record[SCORE]) and depth > record[BEST_DEPTH]:
            record[BEST_DEPTH], record[BEST_SCORE] = depth, record[SCORE]
    return 0


@primitive
def scan_object(buffer: Buffer, at: int, end: int, record: NDArray[np.float64]) -> int:
    """Fills the record from the object of one line; the faults."""
    record[:] = -1.0
    record[BEST_SCORE] = np.inf
    nesting, lists, faults = 0, 0, 0
    while at < end:
        byte = buffer[at]
        at += 1
        if byte == _OPEN_OBJECT:
            nesting += 1
            open_object(record, nesting)
        elif byte == _CLOSE_OBJECT:
            faults |= close_object(record, nesting)
            nesting -= 1
        elif byte == _OPEN_LIST:
            lists += 1
        elif byte == _CLOSE_LIST:
            lists -= 1
        elif byte == _QUOTE:
            first, last = at, string_end(buffer, at - 1, end)
            at = last + 1
            while at < end and buffer[at] <= 32:
                at += 1
            if at < end and buffer[at] == _COLON:
                at, found = read_value(buffer, first, last, at + 1, end, nesting, record)
                faults |= found
        if nesting < 1 and byte > 32 and byte != _CLOSE_OBJECT:
            return fault.NOT_JSON
    return faults if nesting == 0 and lists == 0 and at == end else fault.NOT_JSON


@kernel
def _scan_lines(
    buffer: Buffer,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    fens: NDArray[np.int64],
    scores: NDArray[np.float32],
    faults: NDArray[np.int64],
) -> tuple[int, int]:
    """FEN spans (2, n) and scores of all lines; counts mates and positions without an evaluation."""
    record = np.empty(STATE, np.float64)
    mates, empty = 0, 0
    for row in range(len(starts)):
        end = ends[row]
        while end > starts[row] and buffer[end - 1] <= 32:
            end -= 1
        faults[row] = scan_object(buffer, starts[row], end, record)
        fens[0, row], fens[1, row] = np.int64(record[FEN_START]), np.int64(record[FEN_END])
        if faults[row] == 0 and record[FEN_START] < 0:
            faults[row] = fault.NO_POSITION
        if faults[row]:
            fens[:, row] = 0
            continue
        value = record[BEST_SCORE]
        scores[row] = value if is_score(value) else np.nan
        empty += np.isinf(value)
        mates += not np.isinf(value) and not is_score(value)
    return mates, empty


def read_objects(lines: Lines) -> tuple[dict[str, NDArray[Any]], NDArray[np.int64], Notes]:
    """The line rule of this format."""
    rows = len(lines.starts)
    fens = np.empty((2, rows), np.int64)
    scores, faults = np.full(rows, np.nan, np.float32), np.zeros(rows, np.int64)
    mates, empty = _scan_lines(lines.buffer, lines.starts, lines.ends, fens, scores, faults)
    columns, rests, fen_faults = parse_spans(lines.buffer, fens[0], fens[1])
    fen_faults[(fen_faults == 0) & (rests < fens[1])] = fault.LEFT_OVER
    faults = np.where(faults != 0, faults, fen_faults)
    columns["score"] = scores
    return columns, faults, {NOTE_MATE: mates, NOTE_NO_EVALUATION: empty}


def read(source: Source, options: ReadOptions) -> Iterator[Positions]:
    """Positions of a file of this format."""
    with source.open() as stream:
        blocks = text_blocks(stream, options.block * BYTES_A_LINE)
        yield from read_blocks(source, options, blocks, lambda block: parse_block(block, read_objects))


def sniff(head: bytes) -> float:
    """Sure where lines are objects with a FEN."""
    lines = head_lines(head)
    if not lines:
        return 0.0
    return 0.95 * sum(line.startswith("{") and '"fen"' in line for line in lines) / len(lines)


READER = Reader(
    "lichess",
    "evaluations of the Lichess data base, one JSON object a line",
    sniff,
    read,
    lost=("result", "game", "ply", "halfmove_clock", "fullmove_number"),
)
