"""Stockfish `.bin`: `PackedSfenValue` records of 40 bytes.

The board is a string of bits (`PackedSfen`), score and result are those of the side to move, the score
in Stockfish's internal unit. Move numbers above 255 and half-move clocks above 63 are missing from old
files, so `ply` is taken from the field of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bitboards import EMPTY, ONE, Bitboard, Square, bit, complement, lowest, without_lowest
from ..compiled import kernel, primitive
from ..fen import castling_rook
from ..moves import (
    BLACK_TO_MOVE,
    CASTLING,
    EP,
    FULLMOVE,
    HALFMOVE,
    KING,
    QUEEN,
    ROOK,
    WHITE,
    WORDS,
    Words,
    clear,
    put_column,
)
from ..moves_rows import positions_of
from ..positions import Positions
from .base import STOCKFISH_UNITS, Reader, ReadOptions, Source
from .games import number_games
from .records import (
    BAD_RESULT,
    BITS_LEFT,
    BITS_RUN_OUT,
    NO_PIECE_CODE,
    Decoded,
    Records,
    may_be_binary,
    read_records,
)

LAYOUT = np.dtype(
    [
        ("board", "<u8", (4,)),
        ("score", "<i2"),
        ("move", "<u2"),
        ("ply", "<u2"),
        ("result", "i1"),
        ("padding", "u1"),
    ]
)
BOARD_BITS = 256
CODE_BITS = 5
CODED_SQUARES = 62
"""The squares of the two kings have no bits."""
CASTLING_LETTERS = (75, 81, 75, 81)
"""K and Q as in a FEN for the four castling bits, White's first."""


@primitive
def window(board: Words, at: int) -> Bitboard:
    """The next 64 of 256 bits, lowest first; zeros beyond the end."""
    word, shift = at >> 6, at & 63
    if word > 3:
        return EMPTY
    low = board[word] >> shift
    return low if shift == 0 or word == 3 else low | (board[word + 1] << (64 - shift))


@primitive
def coded_square(number: int, first_king: int, second_king: int) -> Square:
    """The square of the n-th code: from a8 to h8, then rank 7 and so on, kings (as such numbers) left out."""
    if number >= first_king:
        number += 1
    if number >= second_king:
        number += 1
    return number ^ 56


@primitive
def _unpack_men(board: Words, at: int, words: Words) -> int:
    """Fills all men but the kings, whose squares are known; the bit after them, or a negative fault."""
    white, kings = words[WHITE], words[KING]
    one, other = lowest(kings) ^ 56, lowest(without_lowest(kings)) ^ 56
    first_king, second_king = min(one, other), max(one, other)
    number, bits, left = 0, window(board, at), 64
    while True:
        run = min(lowest(bits), CODED_SQUARES - number)
        if run + CODE_BITS > left and left < 64:
            bits, left = window(board, at), 64
            continue
        number += run
        at += run
        if number == CODED_SQUARES:
            break
        code = bits >> run if run + CODE_BITS <= 64 else window(board, at)
        kind = (code >> 1) & 7
        if kind > QUEEN:
            return -NO_PIECE_CODE
        square = bit(coded_square(number, first_king, second_king))
        words[kind] |= square
        white |= EMPTY if code & 16 else square
        number += 1
        at += CODE_BITS
        used = min(run + CODE_BITS, 63)
        bits, left = bits >> used, left - used
    words[WHITE] = white
    return at


@primitive
def _castling_of(bits: Bitboard, words: Words) -> Bitboard:
    """The rooks that four castling bits mean; the outermost one beyond the king, as in an X-FEN."""
    rights: Bitboard = EMPTY
    for number in range(4):
        if bits >> number & 1:
            own = words[WHITE] if number < 2 else complement(words[WHITE])
            king = lowest(words[KING] & own)
            rights |= castling_rook(CASTLING_LETTERS[number], words[ROOK] & own, king)
    return rights


@kernel
def unpack(board: Words, words: Words) -> int:
    """Fills one state, which starts as zeros, from 256 bits; returns a record fault."""
    head = window(board, 0)
    words[BLACK_TO_MOVE] = head & 1
    words[WHITE] = ONE << ((head >> 1) & 63)
    words[KING] = words[WHITE] | (ONE << ((head >> 7) & 63))
    at = _unpack_men(board, 13, words)
    if at < 0:
        return -at
    rest = window(board, at)
    words[CASTLING] = _castling_of(rest, words)
    at += 5
    if rest & 16:
        words[EP] = ONE << ((rest >> 5) & 63)
        at += 6
    clocks = window(board, at)
    words[HALFMOVE] = (clocks & 63) | ((clocks >> 22) & 1) << 6
    words[FULLMOVE] = (clocks >> 6) & 0xFFFF
    at += 23
    if at > BOARD_BITS:
        return BITS_RUN_OUT
    return BITS_LEFT if bits_left(board, at) else 0


@primitive
def bits_left(board: Words, at: int) -> bool:
    """Whether a bit is set behind the position, where writers leave zeros.

    Bytes that are out of step unpack to a legal position now and then (one in fourteen); almost never to one
    that is filled up with zeros.
    """
    rest: Bitboard = EMPTY
    while at < BOARD_BITS:
        rest |= window(board, at)
        at += 64
    return rest != EMPTY


@kernel
def _unpack_all(boards: Any, words: Any, faults: Any) -> None:
    state = np.zeros(WORDS, np.uint64)
    for row in range(len(boards)):
        clear(state, WORDS)
        faults[row] = unpack(boards[row], state)
        put_column(words, row, state)


def decode(records: Records) -> Decoded:
    """Positions of any boards; whether they are legal is not looked at."""
    words = np.empty((WORDS, len(records)), np.uint64)
    faults = np.zeros(len(records), np.uint8)
    _unpack_all(records["board"], words, faults)
    faults[(records["result"] < -1) | (records["result"] > 1)] = BAD_RESULT
    result = (records["result"].astype(np.float32) + 1) / 2
    score = records["score"].astype(np.float32)
    return Decoded(positions_of(words, result=result, score=score, ply=records["ply"]), faults)


def read(source: Source, options: ReadOptions) -> Iterator[Positions]:
    """Positions of a file of this format; consecutive ones are taken for a game where they can be."""
    return number_games(read_records(source, options, LAYOUT, decode, moves_of))


def moves_of(records: Records) -> NDArray[np.int64]:
    """The moves of records, whose target comes first."""
    move = records["move"].astype(np.int64)
    return (move >> 6) & 63 | (move & 63) << 6


def plausible(record: bytes) -> bool:
    """Whether 40 bytes unpack to a king each, at most 32 men, and end in a result; plain Python."""
    bits = int.from_bytes(record[:32], "little")
    if (bits >> 1) & 63 == (bits >> 7) & 63 or record[38] not in (0, 1, 255):
        return False
    at, men = 13, 2
    for _ in range(CODED_SQUARES):
        if bits >> at & 1:
            if bits >> at & 15 > 9:
                return False
            men += 1
            at += 4
        at += 1
    at += 11 if bits >> (at + 4) & 1 else 5
    return men <= 32 and bits >> (at + 23) == 0


def sniff(head: bytes) -> float:
    """Sure where nearly all of the first records unpack and are filled up with zeros."""
    if not may_be_binary(head):
        return 0.0
    records = [head[at : at + 40] for at in range(0, min(len(head), 2000) - 39, 40)]
    share = sum(map(plausible, records)) / len(records) if records else 0.0
    return 0.9 * share if share > 0.8 else 0.0


READER = Reader(
    "stockfish-bin",
    "40-byte records (PackedSfenValue) of Stockfish's training tools",
    sniff,
    read,
    result_pov="side-to-move",
    score_pov="side-to-move",
    score_unit=STOCKFISH_UNITS,
)
