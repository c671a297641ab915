"""Text files with one position a line: blocks of bytes to lines, lines to positions, in threads.

A format says how to read what follows the FEN (a label rule); everything else is common: blank lines and
lines that start with `#` or `%` are passed over, lines end in LF, CRLF or a lone CR, a byte order mark means
nothing, lines may have any length, and blocks are cut the same way whatever the number of threads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..compiled import kernel
from ..faults import NOT_A_BOARD, OTHER_CODING, UNFINISHED, fault_text
from ..fen import Buffer, parse_spans, skip_blanks
from ..positions import Positions
from .base import ReadOptions, Source, to_white_view
from .streams import with_newlines

BYTES_A_ROW = 32
"""About half a line: blocks are small enough to keep several threads busy and the cache warm."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

Notes: TypeAlias = dict[str, int]
Item = TypeVar("Item")
Made = TypeVar("Made")


@dataclass(frozen=True)
class Lines:
    """The lines of one block that hold something: spans in `buffer`, and line numbers from 0."""

    buffer: Buffer
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    numbers: NDArray[np.int64]


LineRule: TypeAlias = Callable[[Lines], tuple[dict[str, NDArray[Any]], NDArray[np.int64], Notes]]
"""`lines -> (columns, faults, notes)`: one row a line; `notes` counts what became "unknown"."""

LabelRule: TypeAlias = Callable[[Lines, dict[str, NDArray[Any]], NDArray[np.int64], NDArray[np.int64]], Notes]
"""`(lines, columns, rests, faults) -> notes`: reads the text after each FEN, adds or changes columns, sets
bits of `faults`, and counts what it turned into "unknown"."""


class BadLine(NamedTuple):
    """A line that gives no position: its number from 0, what is wrong in words and as a mask, its text."""

    number: int
    reason: str
    text: str
    faults: int


@dataclass(frozen=True)
class Parsed:
    """What became of one block: the usable rows and their line numbers from 0, and the other lines."""

    positions: Positions
    numbers: NDArray[np.int64]
    rejects: list[BadLine]
    notes: Notes
    line_count: int
    moves: NDArray[np.int64] | None = None


@kernel
def _find_lines(
    buffer: Buffer, starts: NDArray[np.int64], ends: NDArray[np.int64], numbers: NDArray[np.int64]
) -> tuple[int, int]:
    """Spans of the lines that hold something; how many they are, and how many lines there are in all."""
    at, found, line, size = 0, 0, 0, len(buffer)
    while at < size:
        stop = at
        while stop < size and buffer[stop] != 10:
            stop += 1
        start = skip_blanks(buffer, at, stop)
        if start < stop and buffer[start] != 35 and buffer[start] != 37:
            starts[found], ends[found], numbers[found] = start, stop, line
            found += 1
        line += 1
        at = stop + 1
    return found, line


def find_lines(block: bytes) -> tuple[Lines, int]:
    """The lines of a block that hold something, and the number of all its lines."""
    buffer = np.frombuffer(block, np.uint8)
    most = block.count(b"\n") + 1
    starts, ends, numbers = (np.empty(most, np.int64) for _ in range(3))
    found, total = _find_lines(buffer, starts, ends, numbers)
    return Lines(buffer, starts[:found], ends[:found], numbers[:found]), total


def fen_first(label_rule: LabelRule) -> LineRule:
    """The rule for lines that begin with a FEN."""

    def rule(lines: Lines) -> tuple[dict[str, NDArray[Any]], NDArray[np.int64], Notes]:
        columns, rests, faults = parse_spans(lines.buffer, lines.starts, lines.ends)
        return columns, faults, label_rule(lines, columns, rests, faults)

    return rule


def parse_block(block: bytes, rule: LineRule) -> Parsed:
    """Positions and labels of one block of whole lines; labels still as the file holds them."""
    lines, total = find_lines(block)
    columns, faults, notes = rule(lines)
    return usable_rows(lines, columns, faults, notes, total)


def usable_rows(
    lines: Lines, columns: dict[str, NDArray[Any]], faults: NDArray[np.int64], notes: Notes, total: int
) -> Parsed:
    """The rows without faults as positions, the others in words; `columns` may have a `move`, too."""
    positions = Positions.from_columns(columns, len(faults))
    bad = np.flatnonzero(faults)
    rejects = [_describe(lines, row, int(faults[row])) for row in bad.tolist()]
    moves = columns.get("move")
    if len(bad):
        good = faults == 0
        usable = moves[good] if moves is not None else None
        return Parsed(positions.select(good), lines.numbers[good], rejects, notes, total, usable)
    return Parsed(positions, lines.numbers, rejects, notes, total, moves)


def _describe(lines: Lines, row: int, faults: int) -> BadLine:
    text = (
        bytes(lines.buffer[lines.starts[row] : lines.ends[row]]).decode("utf-8", "replace").strip("\0 \r\n")
    )
    reason = "not a position" if faults & NOT_A_BOARD == NOT_A_BOARD else fault_text(faults)
    return BadLine(int(lines.numbers[row]), reason, text, faults)


def end_of_lines(piece: bytes) -> int:
    """How much of a piece of text is whole lines."""
    return piece.rfind(b"\n") + 1


def text_blocks(stream: BinaryIO, size: int, whole: Callable[[bytes], int] = end_of_lines) -> Iterator[bytes]:
    """The content without a byte order mark, in blocks of about `size` bytes.

    `whole` says how many bytes of a piece are whole lines or records; the rest waits for the next piece.
    """
    stream = with_newlines(stream)
    waiting = [stream.read(len(BYTE_ORDER_MARK)).removeprefix(BYTE_ORDER_MARK)]
    while piece := stream.read(size):
        # A piece without an end is not copied again: lines may be as long as they like.
        cut = whole(piece)
        if cut:
            yield b"".join((*waiting, piece[:cut]))
            waiting = [piece[cut:]]
        else:
            waiting.append(piece)
    if rest := b"".join(waiting):
        yield rest


def in_order(work: Callable[[Item], Made], blocks: Iterable[Item], threads: int) -> Iterator[Made]:
    """`map(work, blocks)` on a number of threads, in the order of the blocks, a few blocks ahead."""
    if threads <= 1:
        yield from map(work, blocks)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[Made]] = deque()
        try:
            for block in blocks:
                waiting.append(pool.submit(work, block))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def report(source: Source, options: ReadOptions, parsed: Parsed, first_line: int) -> Iterator[Positions]:
    """Hands rejects and notes on, and yields the rows of a block in White's view.

    FormatError for results in another coding, whatever the options say of errors: no line can be trusted.
    """
    for number, reason, text, faults in parsed.rejects:
        if faults & OTHER_CODING:
            options.rejects.give_up(source.path, first_line + number, reason, text)
        tell = options.rejects.leave_out if faults == UNFINISHED else options.rejects.add
        tell(source.path, first_line + number, reason, text)
    for reason, count in parsed.notes.items():
        options.rejects.note(reason, count)
    if len(parsed.positions):
        positions = to_white_view(parsed.positions, options)
        yield options.located(positions, first_line + parsed.numbers, moves=parsed.moves)


def read_blocks(
    source: Source,
    options: ReadOptions,
    blocks: Iterator[bytes],
    parse: Callable[[bytes], Parsed],
    first_line: int = 1,
) -> Iterator[Positions]:
    """All positions of blocks of text, in threads."""
    for parsed in in_order(parse, blocks, options.threads):
        yield from report(source, options, parsed, first_line)
        first_line += parsed.line_count


def read_lines(source: Source, options: ReadOptions, label_rule: LabelRule) -> Iterator[Positions]:
    """All positions of a text file whose lines begin with a FEN, block by block, in White's view."""
    rule = fen_first(label_rule)
    with source.open() as stream:
        blocks = text_blocks(stream, options.block * BYTES_A_ROW)
        yield from read_blocks(source, options, blocks, lambda block: parse_block(block, rule))
