"""Binary files of records of one size: from bytes to checked positions. Shared by several formats.

A format gives a numpy dtype that is its layout, and a function from an array of records to `Decoded`.
Every board is checked, since a damaged file has no other way to show it.
"""

from __future__ import annotations

from collections import deque
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
from .base import ReadOptions, Source, scores_of, to_white_view
from .lines import in_order

RECORD_FAULTS = (
    "",
    "more than 32 men on the board",
    "a code that is no piece",
    "the result is none of win, draw and loss",
    "the squares of the kings contradict the board",
    "the bits of the board run past their end",
    "the en-passant square is none",
    "bits behind the board where zeros belong",
)
"""What can be wrong with a record beside the board itself; a record's `faults` entry is an index."""
(
    _,
    TOO_MANY_MEN,
    NO_PIECE_CODE,
    BAD_RESULT,
    WRONG_KINGS,
    BITS_RUN_OUT,
    BAD_EP,
    BITS_LEFT,
) = range(len(RECORD_FAULTS))

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


BAD_ONES, OF = 3, 8
"""So many bad ones of so many in a row are no damage here and there: the records are out of step."""


class Step:
    """Tells from the records (or games) that were left out whether they still line up with the file.

    Bytes that were lost or added shift all that follows, and some of what is then read looks like positions
    that nobody ever wrote. So FormatError is raised, whatever the options say of errors, where 3 of 8 records
    in a row are bad, or one of the last 8 in a file that does not end with a whole one.
    """

    def __init__(self, source: Source, options: ReadOptions, kind: str) -> None:
        self._path, self._rejects, self._kind = source.path, options.rejects, kind
        self._bad: deque[int] = deque(maxlen=BAD_ONES)

    def reject(self, number: int, reason: str, text: str) -> None:
        """Leaves out a record, numbered from 1."""
        self._rejects.add(self._path, f"{self._kind} {number}", reason, text)
        self._bad.append(number)
        if len(self._bad) == BAD_ONES and number - self._bad[0] < OF:
            self._stop(self._bad[0], f"{BAD_ONES} of {OF} {self._kind}s are wrong ({reason})")

    def ends_inside(self, number: int, reason: str, text: str = "", fault: str = "") -> None:
        """Leaves out the last record, of which a part is missing; `fault` is what else is wrong with it."""
        self._rejects.add(self._path, f"{self._kind} {number}", reason, text)
        if self._bad and number - self._bad[-1] <= OF:
            self._stop(self._bad[-1], f"this {self._kind} is wrong, and {reason}")
        if fault:
            self._stop(number, f"{reason}, which is wrong ({fault})")

    def _stop(self, number: int, what: str) -> None:
        reason = f"{what}: bytes were lost or added before, and nothing from here on can be trusted"
        self._rejects.give_up(self._path, f"{self._kind} {number}", reason)


@dataclass
class Rest:
    """What is left behind the last whole record of a file."""

    data: bytes = b""


def record_blocks(
    options: ReadOptions, stream: BinaryIO, layout: np.dtype[Any], rest: Rest
) -> Iterator[Records]:
    """The records of a file in blocks; `rest` learns what is left at its end."""
    size = layout.itemsize
    while data := stream.read(options.block * size):
        rest.data = data[len(data) - len(data) % size :]
        if len(data) >= size:
            yield np.frombuffer(data, layout, len(data) // size)


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

    first, rest, step = 1, Rest(), Step(source, options, "record")
    with source.open() as stream:
        blocks = record_blocks(options, stream, layout, rest)
        for examined in in_order(work, blocks, options.threads):
            for row, reason, text in examined.rejects:
                step.reject(first + row, reason, text)
            if len(examined.positions):
                positions = labelled(examined.positions, options)
                yield options.located(positions, first + examined.numbers, moves=examined.moves)
            first += examined.count
    if rest.data:
        step.ends_inside(first, f"the file ends inside a record of {layout.itemsize} bytes")


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
