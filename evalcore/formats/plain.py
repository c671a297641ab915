"""Stockfish's `.plain` text: records of `fen`, `move`, `score`, `ply`, `result` lines, ended by `e`.

Score and result are those of the side to move (1, 0, -1), the score in Stockfish's own units. Lines may come
in any order; what a record lacks is unknown, and never the value of the record before. Games are found
by ply and result, as in Stockfish's binary formats.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from .. import faults as fault
from ..compiled import kernel, primitive
from ..fen import Buffer, format_fens, parse_spans
from ..legality import signed
from ..positions import Positions
from .base import STOCKFISH_UNITS, Reader, ReadOptions, Refusal, Source, Writer
from .cells import MATE, NUMBER, parse_score
from .games import number_games
from .labels import CODINGS, LARGEST_SCORE, NOTE_MATE, UNFINISHED, parse_number, parse_result, trim
from .lines import BYTES_A_ROW, Lines, Parsed, find_lines, read_blocks, text_blocks, usable_rows
from .sniffing import head_lines
from .stored_moves import NO_STORED_MOVE, read_uci
from .writing import GAME_RECORD, small_blocks, write_text

BYTES_A_RECORD = 4 * BYTES_A_ROW
NOTE_NO_RESULT = "positions without a result"

_END, _FEN, _MOVE, _PLY, _RESULT, _SCORE = 101, 102, 109, 112, 114, 115


@primitive
def key_of(buffer: Buffer, at: int, end: int) -> int:
    """The first letter of a line's key where the key is one of ours, else 0."""
    stop = at
    while stop < end and buffer[stop] > 32:
        stop += 1
    length, letter = stop - at, signed(buffer[at])
    known = length == 1 and letter == _END
    known |= length == 3 and letter in (_FEN, _PLY)
    known |= length == 4 and letter == _MOVE
    known |= length == 5 and letter == _SCORE
    known |= length == 6 and letter == _RESULT
    return letter if known else 0


@primitive
def read_field(
    buffer: Buffer,
    key: int,
    first: int,
    last: int,
    record: int,
    labels: NDArray[np.float32],
    plies: NDArray[np.int64],
) -> int:
    """Takes the value of one line other than `fen`; the faults."""
    if key == _SCORE:
        labels[1, record], what = parse_score(buffer, first, last)
        if what == MATE:
            labels[1, record] = np.inf
        return 0 if what in (NUMBER, MATE) else fault.BAD_SCORE
    if key == _PLY:
        value, after = parse_number(buffer, first, last)
        if after != last or first == last or value < 0:
            return fault.BAD_NUMBER
        plies[record] = np.int64(min(value, 65535.0))
    elif key == _RESULT:
        value, after = parse_number(buffer, first, last)
        labels[0, record] = value
        if after != last or first == last:
            unfinished = parse_result(buffer, first, last, True) == UNFINISHED
            return fault.UNFINISHED if unfinished else fault.UNKNOWN_RESULT
        # 1, 0.5, 0 have a draw where 1, 0, -1 has a loss: such files must not be read in part.
        if value != 1 and value != 0 and value != -1:
            return fault.OTHER_CODING if value == 0.5 or value in CODINGS else fault.UNKNOWN_RESULT
    return 0


@kernel
def _find_records(
    buffer: Buffer,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    lines: NDArray[np.int64],
    fens: NDArray[np.int64],
    spans: NDArray[np.int64],
    labels: NDArray[np.float32],
    plies: NDArray[np.int64],
    moves: NDArray[np.int64],
    faults: NDArray[np.int64],
) -> int:
    """Reads all records; how many there are.

    `fens` and `spans` (2, n) are where FEN and record stand, `lines` the line each record starts on,
    `labels` (2, n) result -1 to 1 and score, infinite for mates, `moves` as in `stored_moves`. A record that
    another FEN or the end of the block cuts short is at fault: its last line may be cut, too.
    """
    record, seen, is_open = 0, 0, False
    for row in range(len(starts)):
        at, end = starts[row], ends[row]
        key = key_of(buffer, at, end)
        if is_open and key == _FEN and seen & 1 << (_FEN & 31):
            faults[record] |= fault.NO_END
            record, is_open = record + 1, False
        if not is_open:
            is_open, seen = True, 0
            labels[:, record], plies[record], moves[record] = np.nan, -1, NO_STORED_MOVE
            spans[0, record], lines[record] = at, row
            fens[0, record], fens[1, record], faults[record] = at, at, 0
        spans[1, record] = end
        while at < end and buffer[at] > 32:
            at += 1
        first, last = trim(buffer, at, end)
        # The five letters differ in their lowest bits.
        if key == 0 or seen & 1 << (key & 31):
            faults[record] |= fault.LEFT_OVER
        seen |= 1 << (key & 31)
        if key == _FEN:
            fens[0, record], fens[1, record] = first, last
        elif key == _END:
            if not seen & 1 << (_FEN & 31):
                faults[record] = fault.NO_POSITION
            record, is_open = record + 1, False
        elif key == _MOVE:
            moves[record] = read_uci(buffer, first, last)
        else:
            faults[record] |= read_field(buffer, key, first, last, record, labels, plies)
    if is_open:
        faults[record] |= fault.NO_END
    return record + (1 if is_open else 0)


def parse_records(block: bytes) -> Parsed:
    """Positions and labels of one block of whole records; labels still as the file holds them."""
    lines, total = find_lines(block)
    most = len(lines.starts)
    first_lines, plies, moves, faults = (np.empty(most, np.int64) for _ in range(4))
    fens, spans = (np.empty((2, most), np.int64) for _ in range(2))
    labels = np.empty((2, most), np.float32)
    count = _find_records(
        lines.buffer, lines.starts, lines.ends, first_lines, fens, spans, labels, plies, moves, faults
    )
    fens, spans, labels, faults = fens[:, :count], spans[:, :count], labels[:, :count], faults[:count]
    columns, rests, fen_faults = parse_spans(lines.buffer, fens[0].copy(), fens[1].copy())
    fen_faults[(fen_faults == 0) & (rests < fens[1])] = fault.LEFT_OVER
    broken = faults & (fault.NO_POSITION | fault.NO_END) != 0
    faults = np.where(broken, faults, faults | fen_faults)
    records = Lines(lines.buffer, spans[0], spans[1], lines.numbers[first_lines[:count]])
    good, mates = faults == 0, np.isinf(labels[1])
    labels[1, mates] = np.nan
    columns |= columns_of(labels, plies[:count], columns["ply"]) | {"move": moves[:count]}
    notes = {
        NOTE_MATE: int((mates & good).sum()),
        NOTE_NO_RESULT: int((np.isnan(labels[0]) & good).sum()),
    }
    return usable_rows(records, columns, faults, notes, total)


def columns_of(
    labels: NDArray[np.float32], plies: NDArray[np.int64], from_fen: NDArray[np.uint16]
) -> dict[str, NDArray[Any]]:
    """Results as 0 to 1, scores, and plies, from the FEN where the record has none."""
    return {
        "result": (labels[0] + 1) / 2,
        "score": labels[1],
        "ply": np.where(plies >= 0, plies, from_fen),
    }


def end_of_records(piece: bytes) -> int:
    """How much of a piece of text is whole records."""
    for mark in (b"\ne\n", b"\ne\r\n"):
        if (cut := piece.rfind(mark)) >= 0:
            return cut + len(mark)
    return 0


def read(source: Source, options: ReadOptions) -> Iterator[Positions]:
    """Positions of a file of this format; games numbered where they can be told apart."""
    with source.open() as stream:
        blocks = text_blocks(stream, options.block * BYTES_A_RECORD, end_of_records)
        yield from number_games(read_blocks(source, options, blocks, parse_records))


def sniff(head: bytes) -> float:
    """Sure where the first lines are `fen`, `move` and so on."""
    lines = head_lines(head)
    keys = {"fen", "move", "score", "ply", "result", "e"}
    if not any(line.startswith("fen ") for line in lines):
        return 0.0
    return 0.95 * sum(line.split()[0] in keys for line in lines) / len(lines)


def write(blocks: Iterable[Positions], stream: BinaryIO) -> None:
    """Records without `move`, in Stockfish's units; every score known, every result whole."""
    for block in small_blocks(blocks):
        turn = np.where(block.white_to_move, 1, -1)
        scores = np.rint(block.score * turn / STOCKFISH_UNITS).astype(np.int64)
        results = ((2 * block.result - 1) * turn).astype(np.int64)
        columns = (format_fens(block), scores.tolist(), block.ply.tolist(), results.tolist())
        write_text(
            stream,
            (
                f"fen {fen}\nscore {score}\nply {ply}\nresult {result}\ne"
                for fen, score, ply, result in zip(*columns, strict=True)
            ),
        )


FAR_UNITS = Refusal(
    f"a score of {LARGEST_SCORE * STOCKFISH_UNITS:,.0f} or more (in its unit readers take it for a mate)",
    lambda rows: np.abs(np.rint(rows.score / STOCKFISH_UNITS)) >= LARGEST_SCORE,
)
READER = Reader(
    "plain",
    "records of fen, move, score, ply, result lines (Stockfish's tools)",
    sniff,
    read,
    result_pov="side-to-move",
    score_pov="side-to-move",
    score_unit=STOCKFISH_UNITS,
)
WRITER = Writer(
    "plain",
    "records of fen, score, ply, result lines (Stockfish's tools)",
    (".plain",),
    write,
    ("game", "sample_weight"),
    refusals=(*GAME_RECORD, FAR_UNITS),
)
