"""Binary files of records of one size: from bytes to checked positions. Shared by several formats.

A format gives a numpy dtype that is its layout, and a function from an array of records to `Decoded`.
Every board is checked, since a damaged file has no other way to show it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..bitboards import Bitboard, complement, popcount, without_lowest
from ..compiled import kernel, primitive
from ..faults import fault_text
from ..legality import check_boards
from ..moves import CASTLING, KING, WHITE, Words, clear
from ..positions import Positions
from .base import ReadOptions, Source, to_white_view
from .labels import LARGEST_SCORE, NOTE_MATE
from .lines import in_order

RECORD_FAULTS = (
    "",
    "more than 32 men on the board",
    "a code that is no piece",
    "the result is none of win, draw and loss",
    "the squares of the kings contradict the board",
    "the bits of the board run past their end",
    "the en-passant square is none",
)
"""What can be wrong with a record beside the board itself; a record's `faults` entry is an index."""
_, TOO_MANY_MEN, NO_PIECE_CODE, BAD_RESULT, WRONG_KINGS, BITS_RUN_OUT, BAD_EP = range(len(RECORD_FAULTS))

Records: TypeAlias = NDArray[Any]

BLACK_CODE, CASTLES_CODE, PASSED_CODE, MOVES_CODE, NO_CODE = 8, 16, 32, 64, 128
"""Marks added to a piece (0-5) in a table of piece codes: a black man; a rook that may castle; a pawn that
just made a double step; a man whose side is to move; a code that means nothing."""
SETS = 18
BLACK_MEN, CASTLERS, PASSED_PAWNS, MOVER, NO_MEN = range(9, SETS, 2)
"""The sets `place_men` fills: by piece, then for each mark the men without it and the men with it."""


@dataclass(frozen=True)
class Decoded:
    """Positions of as many records, labels as the file holds them, and `faults` (see RECORD_FAULTS)."""

    positions: Positions
    faults: NDArray[np.uint8]


@primitive
def code_at(codes: Words, number: int) -> int:
    """The 4-bit code of a number, low half of each byte first."""
    return (codes[number >> 1] >> (4 * (number & 1))) & 15


@kernel
def place_men(men: Bitboard, codes: Words, meanings: Words, sets: Words) -> int:
    """Sorts men with a 4-bit code each into `SETS` sets, which start empty; returns a record fault.

    `codes` belong to the squares in ascending order, `meanings` has 16 entries as described at BLACK_CODE.
    There are no branches here because no processor could foresee them.
    """
    if popcount(men) > 32:
        return TOO_MANY_MEN
    number = 0
    while men:
        rest = without_lowest(men)
        square = men ^ rest
        men = rest
        code = meanings[code_at(codes, number)]
        sets[code & 7] |= square
        for mark in range(5):
            sets[8 + 2 * mark + ((code >> (3 + mark)) & 1)] |= square
        number += 1
    return NO_PIECE_CODE if sets[NO_MEN] else 0


@kernel
def place_all(men: Any, codes: Any, meanings: Any, words: Any, faults: Any) -> None:
    """Pieces, `WHITE` and `CASTLING` of many records, as columns `words` (WORDS, n)."""
    sets = np.empty(SETS, np.uint64)
    for row in range(len(men)):
        clear(sets, SETS)
        faults[row] = place_men(men[row], codes[row], meanings, sets)
        for piece in range(KING + 1):
            words[piece, row] = sets[piece]
        words[WHITE, row] = men[row] & complement(sets[BLACK_MEN])
        words[CASTLING, row] = sets[CASTLERS]


def scores_of(scores: NDArray[np.float32], options: ReadOptions) -> NDArray[np.float32]:
    """The scores, with NaN for mates, tablebase wins and sentinels, which are counted."""
    beyond = np.abs(scores) >= LARGEST_SCORE
    options.rejects.note(NOTE_MATE, int(beyond.sum()))
    return np.where(beyond, np.float32(np.nan), scores)


@dataclass(frozen=True)
class Examined:
    """The legal ones of a block of records, labels as the file holds them, and the others in words.

    `rejects` are (number in the block, reason, the record in hexadecimal), `numbers` those of the legal ones.
    """

    positions: Positions
    numbers: NDArray[np.int64]
    rejects: list[tuple[int, str, str]]
    count: int
    moves: NDArray[np.int64] | None = None


def examine(decoded: Decoded, records: Records) -> Examined:
    """Checks every board."""
    checked, board_faults = check_boards(decoded.positions)
    bad = (decoded.faults != 0) | (board_faults != 0)
    if not bad.any():
        return Examined(checked, np.arange(len(records)), [], len(records))
    rejects = []
    for row in np.flatnonzero(bad).tolist():
        fault = int(decoded.faults[row])
        reason = RECORD_FAULTS[fault] if fault else fault_text(int(board_faults[row]))
        rejects.append((row, reason, records[row].tobytes().hex()))
    return Examined(checked.select(~bad), np.flatnonzero(~bad), rejects, len(records))


def labelled(positions: Positions, options: ReadOptions) -> Positions:
    """Positions with labels as a file holds them, in White's view and centipawns, mates without score."""
    return to_white_view(positions.replace(score=scores_of(positions.score, options)), options)


def record_blocks(
    source: Source, options: ReadOptions, stream: BinaryIO, layout: np.dtype[Any]
) -> Iterator[Records]:
    """The records of a file in blocks; what is left at its end is reported."""
    first, size = 1, layout.itemsize
    while data := stream.read(options.block * size):
        records = np.frombuffer(data, layout, len(data) // size)
        first += len(records)
        if len(records):
            yield records
        if len(data) % size:
            reason = f"the file ends inside a record of {size} bytes"
            options.rejects.add(source.path, f"record {first}", reason)


def read_records(
    source: Source,
    options: ReadOptions,
    layout: np.dtype[Any],
    decode: Callable[[Records], Decoded],
    moves_of: Callable[[Records], NDArray[np.int64]] | None = None,
) -> Iterator[Positions]:
    """All usable records of a file, block by block; with their moves where those are asked for."""

    def work(records: Records) -> Examined:
        examined = examine(decode(records), records)
        if moves_of is None or not options.quiet_moves:
            return examined
        return replace(examined, moves=moves_of(records)[examined.numbers])

    first = 1
    with source.open() as stream:
        blocks = record_blocks(source, options, stream, layout)
        for examined in in_order(work, blocks, options.threads):
            for row, reason, text in examined.rejects:
                options.rejects.add(source.path, f"record {first + row}", reason, text)
            if len(examined.positions):
                positions = labelled(examined.positions, options)
                yield options.located(positions, first + examined.numbers, moves=examined.moves)
            first += examined.count


def may_be_binary(head: bytes) -> bool:
    """False for text; asked first, so that looking at a text file costs nothing."""
    return b"\0" in head


def share_of_records(
    head: bytes, layout: np.dtype[Any], looks_right: Callable[[Records], NDArray[np.bool_]]
) -> float:
    """Which share of the first records looks right; at most 200 are looked at."""
    if not may_be_binary(head) or len(head) < layout.itemsize:
        return 0.0
    records = np.frombuffer(head, layout, min(200, len(head) // layout.itemsize))
    return float(looks_right(records).mean())


def nibbles(codes: NDArray[np.uint8], men: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """The codes of the men that stand on the board, shape (n, 32); 255 beyond the last man."""
    spread = np.stack([codes & 15, codes >> 4], axis=-1).reshape(len(codes), 32)
    spread[np.arange(32) >= np.bitwise_count(men)[:, None]] = 255
    return spread
