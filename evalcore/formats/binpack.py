"""Stockfish `.binpack`: chains of positions, the first one in full and then moves in a few bits each.

`file := block*`, `block := "BINP" size(u32) chain*`, `chain := stem(32) count(u16) moves`. Numbers of stems
are big-endian. Score (Stockfish's unit) and result are those of the side to move; they change sign from ply
to ply. A chain with an illegal move is left out, with the rest of its block, because nothing says where the
next one would begin, and with the chain before it, which may have gone wrong unnoticed. Blocks need nothing
of each other, so several threads decode them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError
from ..positions import Positions
from .base import STOCKFISH_UNITS, Reader, ReadOptions, Source
from .binpack_chains import (
    LONGEST_CHAIN,
    PADDING,
    STEM,
    chain_fault,
    empty_columns,
    positions_in,
    read_chains,
)
from .games import number_games
from .lines import in_order
from .records import labelled

MAGIC = b"BINP"
HEAD = 8
"""Bytes of the magic number and the size of a block."""
LARGEST_BLOCK = 100 << 20
BATCH = 1 << 18
"""Bytes that are decoded together. Blocks are a megabyte, as a rule; small ones share a batch."""
PIECES_AHEAD = 4
"""Pieces of a batch that are decoded before they are asked for: those of a megabyte. A larger block is
decoded further as it is read, so that memory does not grow with it."""
MOST_THREADS = 4
"""Each holds the positions of a whole batch, up to a hundred megabytes."""


@dataclass(frozen=True)
class Block:
    """The chains of one block, padded with zeros; `number` counts blocks from 1.

    `cut` says how much there is of a block inside which the file ends, and nothing of a whole one.
    """

    number: int
    data: NDArray[np.uint8]
    size: int
    cut: str


@dataclass(frozen=True)
class Batch:
    """Blocks that follow each other, and what is wrong behind the last one, if anything."""

    blocks: list[Block]
    end: FormatError | None = None


@dataclass(frozen=True)
class Fault:
    """What was left out: place, reason and text, as `Rejects` has them."""

    place: str
    reason: str
    text: str


@dataclass(frozen=True)
class Piece:
    """Positions with labels as the file holds them, their moves, and the faults met on the way."""

    positions: Positions
    moves: NDArray[np.uint16]
    faults: list[Fault]


def blocks_of(source: Source, stream: BinaryIO) -> Iterator[Block]:
    """The blocks of a file; FormatError where something else stands in their place."""
    number = 1
    while head := stream.read(HEAD):
        size = int.from_bytes(head[4:], "little")
        if head[:4] != MAGIC[: len(head)] or size > LARGEST_BLOCK:
            raise FormatError(source.path, f"block {number}", "no block of a binpack begins here", head.hex())
        data = stream.read(size)
        cut = f"{len(data)} of {size} bytes" if len(head) < HEAD or len(data) < size else ""
        yield Block(number, np.frombuffer(data + bytes(PADDING), np.uint8), len(data), cut)
        number += 1


def batches_of(blocks: Iterable[Block]) -> Iterator[Batch]:
    """The blocks in batches; an error takes its place behind the blocks before it."""
    waiting: list[Block] = []
    size = 0
    try:
        for block in blocks:
            waiting.append(block)
            size += HEAD + block.size
            if size >= BATCH:
                yield Batch(waiting)
                waiting, size = [], 0
    except FormatError as error:
        yield Batch(waiting, error)
        return
    if waiting:
        yield Batch(waiting)


class Page:
    """Columns that are filled with positions, and the faults met on the way."""

    def __init__(self, room: int, faults: list[Fault]) -> None:
        self.columns = empty_columns(room)
        self.rows = 0
        self.faults = faults

    def read(self, block: Block, at: int) -> tuple[int, int, int]:
        """Adds chains of a block from an offset on; the next offset, the number of chains, and a fault."""
        at, self.rows, chains, fault = read_chains(block.data, at, block.size, self.columns, self.rows)
        return at, chains, fault

    def piece(self) -> Piece:
        """What has been read."""
        moves = self.columns.counts[3, : self.rows]
        return Piece(positions_in(self.columns, self.rows), moves, self.faults)


def pieces_of(batch: Batch, rows: int) -> Iterator[Piece]:
    """The positions of a batch, at least `rows` at a time except for the last ones."""
    # A move takes five bits or more, a chain begins with one position: small blocks need no large arrays.
    room = min(rows + LONGEST_CHAIN, 2 * sum(block.size for block in batch.blocks) + 1)
    page = Page(room, [])
    for block in batch.blocks:
        at, number = 0, 1
        if block.cut:
            page.faults.append(Fault(f"block {block.number}", "the file ends inside a block", block.cut))
        while at < block.size:
            at, chains, fault = page.read(block, at)
            number += chains
            if fault:
                page.faults.append(fault_of(block, number, at, fault))
                break
            if at < block.size:  # no room for the next chain
                yield page.piece()
                page = Page(room, [])
    if page.rows or page.faults:
        yield page.piece()


def fault_of(block: Block, number: int, at: int, fault: int) -> Fault:
    """What is wrong with the chain of a block that begins at an offset."""
    reason = chain_fault(fault) + "; the chain before it and the rest of the block are left out"
    return Fault(f"block {block.number}, chain {number}", reason, block.data[at : at + STEM].tobytes().hex())


def decode(batch: Batch, rows: int) -> tuple[Iterator[Piece], FormatError | None]:
    """The pieces of a batch, the first ones ready made, and the error at its end."""
    pieces = pieces_of(batch, rows)
    ready = list(islice(pieces, PIECES_AHEAD))
    return chain(ready, pieces), batch.end


def read(source: Source, options: ReadOptions) -> Iterator[Positions]:
    """Positions of a file of this format; consecutive ones are taken for a game where they can be."""

    def positions() -> Iterator[Positions]:
        first, threads = 1, min(options.threads, MOST_THREADS)
        with source.open() as stream:
            batches = batches_of(blocks_of(source, stream))
            for pieces, end in in_order(lambda batch: decode(batch, options.block), batches, threads):
                for piece in pieces:
                    yield from usable(source, options, piece, first)
                    first += len(piece.positions)
                if end is not None:
                    raise end

    return number_games(positions())


def usable(source: Source, options: ReadOptions, piece: Piece, first: int) -> Iterator[Positions]:
    """The positions of a piece in White's view, if it has any; then its faults are reported."""
    if len(piece.positions):
        places = np.arange(first, first + len(piece.positions))
        moves = piece.moves.astype(np.int64) if options.quiet_moves else None
        yield options.located(labelled(piece.positions, options), places, moves=moves)
    for fault in piece.faults:
        options.rejects.add(source.path, fault.place, fault.reason, fault.text)


def sniff(head: bytes) -> float:
    """The one binary format with a magic number."""
    return 1.0 if head.startswith(MAGIC) else 0.0


READER = Reader(
    "binpack",
    "Stockfish's compressed chains of positions",
    sniff,
    read,
    result_pov="side-to-move",
    score_pov="side-to-move",
    score_unit=STOCKFISH_UNITS,
)
