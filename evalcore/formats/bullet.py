"""Lines `FEN | score | result` as bullet and marlinflow read them: White's view, centipawns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from .. import faults as fault
from ..compiled import kernel, primitive
from ..fen import Buffer, format_fens
from ..positions import Positions
from .base import Reader, ReadOptions, Source, Writer
from .labels import NO_RESULT, NOTE_MATE, is_score, parse_number, parse_result, result_fault, trim
from .lines import Lines, Notes, read_lines
from .sniffing import share_of_lines
from .writing import DECIMAL_WORDS, GAME_RECORD, result_words, score_words, small_blocks, write_text

_BAR, _OPEN, _CLOSE = 124, 91, 93


@primitive
def find_bar(buffer: Buffer, at: int, end: int) -> int:
    """The offset of the next `|`, or `end`."""
    while at < end and buffer[at] != _BAR:
        at += 1
    return at


@primitive
def read_fields(buffer: Buffer, at: int, end: int) -> tuple[float, float, int]:
    """Score, result and faults of the text after a FEN."""
    first, last = trim(buffer, at, end)
    if first == last or buffer[first] != _BAR:
        return 0.0, NO_RESULT, fault.LEFT_OVER if first < last else fault.UNKNOWN_RESULT
    bar = find_bar(buffer, first + 1, last)
    start, stop = trim(buffer, first + 1, bar)
    score, after = parse_number(buffer, start, stop)
    faults = fault.BAD_SCORE if after != stop or start == stop else 0
    start, stop = trim(buffer, min(bar + 1, last), last)
    if stop - start > 2 and buffer[start] == _OPEN and buffer[stop - 1] == _CLOSE:
        start, stop = trim(buffer, start + 1, stop - 1)
    result = parse_result(buffer, start, stop, True)
    return score, result, faults | result_fault(result)


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
        score, result, faults[row] = read_fields(buffer, rests[row], ends[row])
        labels[0, row] = result
        labels[1, row] = score if is_score(score) else np.nan
        mates += faults[row] == 0 and not is_score(score)
    return mates


def read_bullet_labels(
    lines: Lines, columns: dict[str, NDArray[Any]], rests: NDArray[np.int64], faults: NDArray[np.int64]
) -> Notes:
    """The label rule of this format; adds `result` and `score`."""
    labels = np.empty((2, len(rests)), np.float32)
    mates = _read_labels(lines.buffer, rests, lines.ends, faults, labels)
    columns["result"], columns["score"] = labels
    return {NOTE_MATE: mates}


def read(source: Source, options: ReadOptions) -> Iterator[Positions]:
    """Positions of a file of this format."""
    return read_lines(source, options, read_bullet_labels)


LABEL = re.compile(r"\s*\|[^|]*\|")


def sniff(head: bytes) -> float:
    """Sure where two bars follow FENs."""
    return 0.95 * share_of_lines(head, LABEL)


def write(blocks: Iterable[Positions], stream: BinaryIO) -> None:
    """Six FEN fields, whole centipawns, and 1.0, 0.5 or 0.0, which are all bullet accepts."""
    for block in small_blocks(blocks):
        labels = result_words(block.result, DECIMAL_WORDS)
        scores = score_words(block.score)
        fens = format_fens(block)
        write_text(
            stream,
            (f"{fen} | {cp} | {label}" for fen, cp, label in zip(fens, scores, labels, strict=True)),
        )


READER = Reader(
    "bullet", "FEN | centipawns | result, as bullet and marlinflow read it", sniff, read, lost=("game",)
)
WRITER = Writer(
    "bullet",
    "FEN | centipawns | result",
    (".txt",),
    write,
    ("game", "ply", "sample_weight"),
    refusals=GAME_RECORD,
)
