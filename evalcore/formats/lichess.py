"""The evaluation data base of Lichess: one JSON object a line, several evaluations a position.

The deepest evaluation counts, and of it the first variation: `cp` is White's view in centipawns, a `mate`
is no score. There are no results. Only the keys that matter are looked at, by a small scanner that keeps
track of strings and of nesting; what is no object is an error.
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
from .labels import NOTE_MATE, is_score, parse_number
from .lines import BYTES_A_ROW, Lines, Notes, parse_block, read_blocks, text_blocks
from .sniffing import head_lines

BYTES_A_LINE = 16 * BYTES_A_ROW
NOTE_NO_EVALUATION = "positions without an evaluation"

_QUOTE, _ESCAPE, _COLON = 34, 92, 58
_OPEN_OBJECT, _CLOSE_OBJECT, _OPEN_LIST, _CLOSE_LIST = 123, 125, 91, 93
ROOT, EVALUATION, VARIATION = 1, 2, 3
"""How many objects a key is inside of."""

STATE = 6
FEN_START, FEN_END, DEPTH, BEST_DEPTH, SCORE, BEST_SCORE = range(STATE)
"""The record of one line while it is scanned; scores are NaN for mates and infinite where none was seen."""


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
def read_value(
    buffer: Buffer, first: int, last: int, at: int, end: int, nesting: int, record: NDArray[np.float64]
) -> int:
    """Takes the value of a key (the span `first` to `last`) that starts at `at`; the offset to go on from."""
    while at < end and buffer[at] <= 32:
        at += 1
    if nesting == ROOT and is_key(buffer, first, last, 3, 102, 101) and at < end and buffer[at] == _QUOTE:
        stop = string_end(buffer, at, end)
        record[FEN_START], record[FEN_END] = at + 1, stop
        return stop + 1
    if nesting == EVALUATION and is_key(buffer, first, last, 5, 100, 101):
        record[DEPTH], at = parse_number(buffer, at, end)
    elif nesting == VARIATION and is_key(buffer, first, last, 2, 99, 112):
        value, at = parse_number(buffer, at, end)
        if np.isinf(record[SCORE]):
            record[SCORE] = value
    elif nesting == VARIATION and is_key(buffer, first, last, 4, 109, 97) and np.isinf(record[SCORE]):
        record[SCORE] = np.nan
    return at


@primitive
def close_evaluation(record: NDArray[np.float64]) -> None:
    """Keeps an evaluation that is deeper than those before it, and forgets it for the next."""
    if not np.isinf(record[SCORE]) and record[DEPTH] > record[BEST_DEPTH]:
        record[BEST_DEPTH], record[BEST_SCORE] = record[DEPTH], record[SCORE]
    record[DEPTH], record[SCORE] = 0.0, np.inf


@primitive
def scan_object(buffer: Buffer, at: int, end: int, record: NDArray[np.float64]) -> int:
    """Fills the record from the object of one line; the faults."""
    record[:] = -1.0
    record[SCORE] = record[BEST_SCORE] = np.inf
    record[DEPTH] = 0.0
    nesting, lists = 0, 0
    while at < end:
        byte = buffer[at]
        at += 1
        if byte == _OPEN_OBJECT:
            nesting += 1
        elif byte == _CLOSE_OBJECT:
            if nesting == EVALUATION:
                close_evaluation(record)
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
                at = read_value(buffer, first, last, at + 1, end, nesting, record)
        if nesting < 1 and byte > 32 and byte != _CLOSE_OBJECT:
            return fault.NOT_JSON
    return 0 if nesting == 0 and lists == 0 and at == end else fault.NOT_JSON


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
