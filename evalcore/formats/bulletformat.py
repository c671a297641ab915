"""bulletformat `ChessBoard`: 32 bytes a position, seen by the side to move. Read and written.

The board is turned upside down when Black is to move, and who that was is not stored: neither are
castling rights, en passant and clocks. A position is read as one with White to move; score (centipawns)
and result are the mover's and so White's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..bitboards import bit, flip, lowest, without_lowest
from ..compiled import kernel
from ..moves import FULLMOVE, KING, WHITE, WORDS
from ..moves_rows import positions_of
from ..positions import PIECE_COLUMNS, Positions
from .base import Reader, ReadOptions, Source, Writer
from .records import (
    BAD_RESULT,
    BLACK_CODE,
    NO_CODE,
    WRONG_KINGS,
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
        ("score", "<i2"),
        ("result", "u1"),
        ("king", "u1"),
        ("their_king", "u1"),
        ("extra", "u1", (3,)),
    ]
)
"""Squares in ascending order have a code each: 0-5 pawn to king, +8 for the opponent's."""

MEANINGS = np.array(
    [*range(6), NO_CODE, NO_CODE, *range(BLACK_CODE, BLACK_CODE + 6), NO_CODE, NO_CODE], np.uint8
)
LOST = (
    "white_to_move",
    "castling_rights",
    "ep_square",
    "halfmove_clock",
    "fullmove_number",
    "game",
    "ply",
)


def decode(records: Records) -> Decoded:
    """Positions with White to move, in the place of whoever was."""
    words = np.zeros((WORDS, len(records)), np.uint64)
    faults = np.zeros(len(records), np.uint8)
    place_all(records["men"], records["codes"], MEANINGS, words, faults)
    words[FULLMOVE] = 1
    king = np.bitwise_count((words[KING] & words[WHITE]) - np.uint64(1))
    their_king = np.bitwise_count((words[KING] & ~words[WHITE]) - np.uint64(1))
    wrong = (records["king"] != king) | (records["their_king"] ^ 56 != their_king)
    faults[wrong & (faults == 0)] = WRONG_KINGS
    faults[records["result"] > 2] = BAD_RESULT
    result = records["result"].astype(np.float32) / np.float32(2)
    return Decoded(positions_of(words, result=result, score=records["score"].astype(np.float32)), faults)


def read(source: Source, options: ReadOptions) -> Iterator[Positions]:
    """Positions of a file of this format."""
    return read_records(source, options, LAYOUT, decode)


def looks_right(records: Records) -> NDArray[np.bool_]:
    """Whether the fields agree with each other: results, empty bytes, and a king where the bytes say."""
    codes = nibbles(records["codes"], records["men"])
    kings = (codes == 5).sum(axis=1) == 1
    before = np.bitwise_count(
        records["men"] & ((np.uint64(1) << (records["king"] & 63).astype(np.uint64)) - np.uint64(1))
    )
    placed = codes[np.arange(len(codes)), before & 31] == 5
    right: NDArray[np.bool_] = (
        kings
        & placed
        & ((codes == 13).sum(axis=1) == 1)
        & (np.bitwise_count(records["men"]) <= 32)
        & (records["result"] <= 2)
        & (records["extra"] == 0).all(axis=1)
    )
    return right


def sniff(head: bytes) -> float:
    """Sure where the king bytes of nearly all records point at kings."""
    share = share_of_records(head, LAYOUT, looks_right)
    return 0.9 * share if share > 0.8 else 0.0


@kernel
def _encode(pieces: Any, white: Any, white_to_move: Any, men: Any, codes: Any, kings: Any) -> None:
    """Fills `men`, `codes` (n, 16) and `kings` (2, n) from piece sets (6, n)."""
    for row in range(len(white)):
        turned = not white_to_move[row]
        own = white[row]
        occupied = pieces[0, row] | pieces[1, row] | pieces[2, row]
        occupied |= pieces[3, row] | pieces[4, row] | pieces[5, row]
        if turned:
            own = occupied & (own ^ occupied)
        rest = flip(occupied) if turned else occupied
        men[row] = rest
        number = 0
        while rest:
            square = bit(lowest(rest))
            rest = without_lowest(rest)
            here = flip(square) if turned else square
            code = 0 if own & here else BLACK_CODE
            for kind in range(6):
                if pieces[kind, row] & here:
                    code += kind
            codes[row, number >> 1] |= code << (4 * (number & 1))
            number += 1
        own_king, their_king = pieces[5, row] & own, pieces[5, row] & (own ^ occupied)
        kings[0, row] = lowest(flip(own_king) if turned else own_king)
        kings[1, row] = lowest(their_king if turned else flip(their_king))


def encode(positions: Positions) -> Records:
    """Records of positions with known results and scores."""
    records = np.zeros(len(positions), LAYOUT)
    kings = np.empty((2, len(positions)), np.uint8)
    pieces = np.stack([getattr(positions, name) for name in PIECE_COLUMNS])
    turn = positions.white_to_move
    _encode(pieces, positions.white, turn, records["men"], records["codes"], kings)
    result = np.rint(2 * positions.result).astype(np.uint8)
    score = np.rint(positions.score).astype(np.int16)
    records["result"] = np.where(turn, result, 2 - result)
    records["score"] = np.where(turn, score, -score)
    records["king"], records["their_king"] = kings
    return records


def write(blocks: Iterable[Positions], stream: BinaryIO) -> None:
    """One record a position."""
    for block in small_blocks(blocks):
        stream.write(encode(block).tobytes())


READER = Reader(
    "bulletformat",
    "32-byte records of the bullet trainer",
    sniff,
    read,
    result_pov="side-to-move",
    score_pov="side-to-move",
    lost=LOST,
    fixed=("result_pov", "score_pov"),
)
WRITER = Writer(
    "bulletformat",
    "32-byte records of the bullet trainer",
    (".data",),
    write,
    (*LOST, "sample_weight"),
    refusals=GAME_RECORD,
)
