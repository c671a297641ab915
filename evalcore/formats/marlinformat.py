"""marlinformat `PackedBoard`: 32 bytes a position, White's view of everything. Read and written.

Score (centipawns) and result are White's; side to move, castling, en passant and clocks are kept. The
same 32 bytes begin each game of viriformat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..bitboards import bit, lowest, without_lowest
from ..compiled import kernel
from ..moves import BLACK_TO_MOVE, EP, FULLMOVE, HALFMOVE, WORDS
from ..moves_rows import positions_of
from ..positions import PIECE_COLUMNS, Positions
from .base import Reader, ReadOptions, Refusal, Source, Writer
from .records import (
    BAD_EP,
    BAD_RESULT,
    BLACK_CODE,
    CASTLES_CODE,
    NO_CODE,
    Decoded,
    Records,
    nibbles,
    place_all,
    read_records,
    share_of_records,
)
from .writing import GAME_RECORD, small_blocks

LAYOUT = np.dtype(
    [
        ("men", "<u8"),
        ("codes", "u1", (16,)),
        ("turn_and_ep", "u1"),
        ("halfmove_clock", "u1"),
        ("fullmove_number", "<u2"),
        ("score", "<i2"),
        ("result", "u1"),
        ("extra", "u1"),
    ]
)
"""Squares in ascending order have a code each: 0-5 pawn to king, 6 a rook that may castle, +8 for Black.
Bit 7 of `turn_and_ep` says Black is to move, the rest is the en-passant square or 64."""

NO_EP = 64
CASTLING_ROOK = 6
BLACK_TURN = 128
ROOK = 3
_HALF = [*range(6), ROOK + CASTLES_CODE]
MEANINGS = np.array([*_HALF, NO_CODE, *(code + BLACK_CODE for code in _HALF), NO_CODE], np.uint8)


def decode(records: Records) -> Decoded:
    """Positions of any boards; whether they are legal is not looked at."""
    words = np.zeros((WORDS, len(records)), np.uint64)
    faults = np.zeros(len(records), np.uint8)
    place_all(records["men"], records["codes"], MEANINGS, words, faults)
    ep = (records["turn_and_ep"] & 127).astype(np.uint64)
    words[BLACK_TO_MOVE] = records["turn_and_ep"] >> 7
    words[EP] = np.where(ep < NO_EP, np.uint64(1) << (ep & np.uint64(63)), np.uint64(0))
    words[HALFMOVE] = records["halfmove_clock"]
    words[FULLMOVE] = records["fullmove_number"]
    faults[ep > NO_EP] = BAD_EP
    faults[records["result"] > 2] = BAD_RESULT
    result = records["result"].astype(np.float32) / np.float32(2)
    return Decoded(positions_of(words, result=result, score=records["score"].astype(np.float32)), faults)


def read(source: Source, options: ReadOptions) -> Iterator[Positions]:
    """Positions of a file of this format."""
    return read_records(source, options, LAYOUT, decode)


def looks_right(records: Records) -> NDArray[np.bool_]:
    """Whether the fields agree with each other: a king each, the result, an en-passant square that can be."""
    codes = nibbles(records["codes"], records["men"])
    ep = records["turn_and_ep"] & 127
    right: NDArray[np.bool_] = (
        ((codes == 5).sum(axis=1) == 1)
        & ((codes == 13).sum(axis=1) == 1)
        & ~((codes == 7) | (codes == 15)).any(axis=1)
        & (np.bitwise_count(records["men"]) <= 32)
        & (records["result"] <= 2)
        & ((ep == NO_EP) | (ep >> 3 == 2) | (ep >> 3 == 5))
    )
    return right


def sniff(head: bytes) -> float:
    """Sure where nearly all records hold together."""
    share = share_of_records(head, LAYOUT, looks_right)
    return 0.85 * share if share > 0.8 else 0.0


@kernel
def _encode(pieces: Any, white: Any, castling: Any, men: Any, codes: Any) -> None:
    """Fills `men` and `codes` (n, 16) from piece sets (6, n)."""
    for row in range(len(white)):
        rest = pieces[0, row] | pieces[1, row] | pieces[2, row]
        rest |= pieces[3, row] | pieces[4, row] | pieces[5, row]
        men[row] = rest
        number = 0
        while rest:
            square = bit(lowest(rest))
            rest = without_lowest(rest)
            code = CASTLING_ROOK if castling[row] & square else 0
            for kind in range(6):
                if pieces[kind, row] & square and code == 0:
                    code = kind
            code += 0 if white[row] & square else BLACK_CODE
            codes[row, number >> 1] |= code << (4 * (number & 1))
            number += 1


def encode(positions: Positions) -> Records:
    """Records of positions with known results and scores, and half-move clocks up to 255."""
    records = np.zeros(len(positions), LAYOUT)
    pieces = np.stack([getattr(positions, name) for name in PIECE_COLUMNS])
    _encode(pieces, positions.white, positions.castling_rights, records["men"], records["codes"])
    ep = np.where(positions.ep_square >= 0, positions.ep_square, NO_EP).astype(np.uint8)
    records["turn_and_ep"] = ep | np.where(positions.white_to_move, 0, BLACK_TURN).astype(np.uint8)
    records["halfmove_clock"] = positions.halfmove_clock
    records["fullmove_number"] = positions.fullmove_number
    records["score"] = np.rint(positions.score).astype(np.int16)
    records["result"] = np.rint(2 * positions.result).astype(np.uint8)
    return records


def write(blocks: Iterable[Positions], stream: BinaryIO) -> None:
    """One record a position."""
    for block in small_blocks(blocks):
        stream.write(encode(block).tobytes())


LONG_CLOCK = Refusal("a half-move clock above 255", lambda rows: rows.halfmove_clock > 255)
READER = Reader("marlinformat", "32-byte records of marlinflow", sniff, read, lost=("game",))
WRITER = Writer(
    "marlinformat",
    "32-byte records of marlinflow",
    (),
    write,
    ("game", "ply", "sample_weight"),
    refusals=(*GAME_RECORD, LONG_CLOCK),
)
