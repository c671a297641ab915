"""The compiled writer of FENs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .bitboards import EMPTY, FILE_A, RANK_1, RANK_8, Bitboard, bit, lowest
from .compiled import Constant, kernel, primitive
from .fen_layout import (
    BLANK,
    CASTLING,
    EN_PASSANT,
    FULLMOVE,
    HALFMOVE,
    LONGEST_FEN,
    NEWLINE,
    TURN,
    WHITE,
    WORD_COLUMNS,
    Buffer,
)
from .legality import signed
from .positions import Positions

CORNERS = Constant(0x8100_0000_0000_0081)


@primitive
def _put_number(out: Buffer, at: int, value: int) -> int:
    """Writes a non-negative number; the offset after it."""
    divisor = 1
    while value // divisor >= 10:
        divisor *= 10
    while divisor:
        out[at] = 48 + value // divisor % 10
        at += 1
        divisor //= 10
    return at


@primitive
def _put_board(out: Buffer, at: int, letters: Buffer) -> int:
    """Writes the board of 64 letters, 0 for an empty square, from rank 8 down."""
    for rank in range(7, -1, -1):
        empty = 0
        for square in range(8 * rank, 8 * rank + 8):
            if letters[square] == 0:
                empty += 1
                continue
            if empty:
                out[at] = 48 + empty
                at += 1
                empty = 0
            out[at] = letters[square]
            at += 1
        if empty:
            out[at] = 48 + empty
            at += 1
        out[at] = 47 if rank else BLANK
        at += 1
    return at


@primitive
def _put_castling(out: Buffer, at: int, rights: Bitboard, kings: Bitboard, ordinary: bool) -> int:
    """Writes KQkq where kings and rooks stand as in ordinary chess, else letters of files."""
    if rights == EMPTY:
        out[at] = 45
        return at + 1
    for colour in range(2):
        own = rights & (RANK_1 if colour == 0 else RANK_8)
        for file in range(7, -1, -1):
            if own & (FILE_A << file) != EMPTY:
                letter = (75 if file == 7 else 81) if ordinary else 65 + file
                out[at] = letter + 32 * colour
                at += 1
    return at


@primitive
def castles_in_corners(rights: Bitboard, kings: Bitboard) -> bool:
    """Whether all rights are those of ordinary chess: king on e1 or e8, rook in a corner."""
    for back_rank, home in ((RANK_1, 4), (RANK_8, 60)):
        if rights & back_rank != EMPTY and kings & bit(home) == EMPTY:
            return False
    return rights & CORNERS == rights


@kernel
def _write_fens(
    words: NDArray[np.uint64], numbers: NDArray[np.int32], fields: int, out: Buffer, letters: Buffer
) -> int:
    """Writes all rows, one a line; the number of bytes written."""
    at = 0
    scratch = np.zeros(64, np.uint8)
    for row in range(words.shape[1]):
        scratch[:] = 0
        white = words[WHITE, row]
        for kind in range(6):
            men = words[kind, row]
            while men != EMPTY:
                square = lowest(men)
                black = 0 if white & bit(square) != EMPTY else 32
                scratch[square] = letters[kind] + black
                men ^= bit(square)
        at = _put_board(out, at, scratch)
        out[at] = 119 if numbers[TURN, row] else 98
        out[at + 1] = BLANK
        rights, kings = words[CASTLING, row], words[5, row]
        at = _put_castling(out, at + 2, rights, kings, castles_in_corners(rights, kings))
        out[at] = BLANK
        square = signed(numbers[EN_PASSANT, row])
        out[at + 1] = 45 if square < 0 else 97 + (square & 7)
        at += 2
        if square >= 0:
            out[at] = 49 + (square >> 3)
            at += 1
        if fields == 6:
            out[at] = BLANK
            at = _put_number(out, at + 1, signed(numbers[HALFMOVE, row]))
            out[at] = BLANK
            at = _put_number(out, at + 1, signed(numbers[FULLMOVE, row]))
        out[at] = NEWLINE
        at += 1
    return at


_LETTERS = np.frombuffer(b"PNBRQK", np.uint8)


def format_fens(positions: Positions, fields: int = 6) -> list[str]:
    """FENs of six fields, or the four of an EPD; castling as KQkq, or files where those would mislead."""
    rows = len(positions)
    words = np.stack([getattr(positions, name) for name in WORD_COLUMNS])
    numbers = np.empty((5, rows), np.int32)
    for number, name in enumerate(("white_to_move", "ep_square", "halfmove_clock", "fullmove_number")):
        numbers[number] = getattr(positions, name)
    out = np.empty(rows * LONGEST_FEN, np.uint8)
    written = _write_fens(words, numbers, fields, out, _LETTERS)
    return out[:written].tobytes().decode("ascii").splitlines()
