"""Lines `FEN` + result: EPD operations as in zurichess' sets, brackets as in Ethereal's, and their relatives.

After the FEN, in any order and separated by blanks, `;` or `,`:

    c9 "1-0";  c0 "1/2-1/2";  ce -34;  hmvc 3;  bm Nf3;     operations of an EPD; others are passed over
    [1.0]  [0.5] 34  "1-0"                                  a result in brackets or quotes
    1-0  0-1  1/2-1/2  0.5  0.62                            a bare result
    # a note                                                to the end of the line

A result is never searched for: what is read neither as an operation nor as a result is an error, except a
number after a result, which some programs put there. Whether `c0` to `c9` hold a result is decided by
what they hold; a `c9` that holds neither a result nor moves is an error. A line without any result is a
position without a label, one with the result `*` is left out. Results are White's; `ce` is
the evaluation of the side to move in centipawns, as the EPD standard says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..compiled import kernel
from ..fen import Buffer, format_fens
from ..positions import Positions
from .base import Reader, ReadOptions, Source, Writer
from .epd_labels import FULLMOVE, HALFMOVE, MATES, RESULT, SCORE, read_label
from .labels import (
    NO_RESULT,
    NOTE_MATE,
)
from .lines import Lines, Notes, read_lines
from .sniffing import share_of_boards, share_of_lines
from .writing import (
    DECIMAL_WORDS,
    NO_PROBABILITY,
    WITHOUT_RESULT,
    result_words,
    small_blocks,
    write_text,
)


@kernel
def _read_labels(
    buffer: Buffer,
    rests: NDArray[np.int64],
    ends: NDArray[np.int64],
    faults: NDArray[np.int64],
    labels: NDArray[np.float32],
    halfmove: NDArray[np.uint16],
    fullmove: NDArray[np.uint16],
    ply: NDArray[np.uint16],
    white_to_move: NDArray[np.bool_],
) -> tuple[int, int]:
    """Labels (2, n) of all lines; counts lines without a result and scores that were mates."""
    record = np.empty(6, np.float64)
    unlabelled, mates = 0, 0
    for row in range(len(rests)):
        if faults[row]:
            continue
        faults[row] |= read_label(buffer, rests[row], ends[row], record)
        labels[0, row] = record[RESULT] if record[RESULT] != NO_RESULT else np.nan
        labels[1, row] = record[SCORE]
        if record[HALFMOVE] >= 0:
            halfmove[row] = int(record[HALFMOVE])
        if record[FULLMOVE] >= 0:
            move = max(int(record[FULLMOVE]), 1)
            fullmove[row] = move
            ply[row] = min(2 * (move - 1) + (0 if white_to_move[row] else 1), 65535)
        if not faults[row]:
            unlabelled += record[RESULT] == NO_RESULT
            mates += record[MATES] > 0
    return unlabelled, mates


def read_epd_labels(
    lines: Lines, columns: dict[str, NDArray[Any]], rests: NDArray[np.int64], faults: NDArray[np.int64]
) -> Notes:
    """The label rule of this family; adds `result` and `score`."""
    labels = np.empty((2, len(rests)), np.float32)
    unlabelled, mates = _read_labels(
        lines.buffer,
        rests,
        lines.ends,
        faults,
        labels,
        columns["halfmove_clock"],
        columns["fullmove_number"],
        columns["ply"],
        columns["white_to_move"],
    )
    columns["result"], columns["score"] = labels
    return {"positions without a result": unlabelled, NOTE_MATE: mates}


def read(source: Source, options: ReadOptions) -> Iterator[Positions]:
    """Positions of a file of this family."""
    return read_lines(source, options, read_epd_labels)


LABEL = re.compile(
    r"""[\s;,]* (?: (?:[A-Za-z]\w*\s[^;]*;\s*)* c\d\s+"?(?:1-0|0-1|1/2-1/2)
        | \[ [\d./-]+ \] | "? (?: 1-0 | 0-1 | 1/2-1/2 | [01]\.\d+ ) "? )""",
    re.VERBOSE,
)


def sniff(head: bytes) -> float:
    """Sure where labels follow FENs; any list of positions will do where no other format fits."""
    return 0.5 * share_of_boards(head) + 0.4 * share_of_lines(head, LABEL)


GAME_WORDS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}


def write_zurichess(blocks: Iterable[Positions], stream: BinaryIO) -> None:
    """Four FEN fields and `c9 "1-0";`."""
    for block in small_blocks(blocks):
        labels = result_words(block.result, GAME_WORDS)
        fens = format_fens(block, fields=4)
        write_text(stream, (f'{fen} c9 "{label}";' for fen, label in zip(fens, labels, strict=True)))


def write_bracket(blocks: Iterable[Positions], stream: BinaryIO) -> None:
    """Six FEN fields and `[1.0]`."""
    for block in small_blocks(blocks):
        labels = result_words(block.result, DECIMAL_WORDS)
        fens = format_fens(block)
        write_text(stream, (f"{fen} [{label}]" for fen, label in zip(fens, labels, strict=True)))


COUNTERS = ("halfmove_clock", "fullmove_number")
READER = Reader(
    "epd",
    'FEN or EPD lines with a result: c9 "1-0"; or [1.0] or 1-0 or 0.5',
    sniff,
    read,
    score_pov="side-to-move",
    lost=("game",),
)
ZURICHESS = Writer(
    "zurichess",
    'EPD lines with c9 "1-0";',
    (".epd",),
    write_zurichess,
    (*COUNTERS, "score", "game", "ply", "sample_weight"),
    refusals=(WITHOUT_RESULT, NO_PROBABILITY),
)
BRACKET = Writer(
    "bracket",
    "FEN [1.0]",
    (".book", ".fens"),
    write_bracket,
    ("score", "game", "ply", "sample_weight"),
    refusals=(WITHOUT_RESULT, NO_PROBABILITY),
)
