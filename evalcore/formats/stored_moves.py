"""Moves that files hold beside their positions: the best one, or the one that was played.

A move is `from + 64·to`, with 0 where none is known; promotions and castling need no mark of their own.
"""

from __future__ import annotations

from functools import reduce

import numpy as np
from numpy.typing import NDArray

from ..bitboards import RANK_1, RANK_8
from ..compiled import kernel, primitive
from ..fen import Buffer
from ..legality import signed
from ..positions import PIECE_COLUMNS, Positions

Moves = NDArray[np.int64]

NO_STORED_MOVE = 0
NOTE_NOISY = "stored moves that capture or promote"
_SQUARE = np.int64(63)


def noisy_moves(positions: Positions, moves: Moves) -> NDArray[np.bool_]:
    """Moves that take an enemy's man, also en passant, or bring a pawn to the last rank."""
    origin, target = moves & _SQUARE, (moves >> 6) & _SQUARE
    one = np.uint64(1)
    start, end = one << origin.astype(np.uint64), one << target.astype(np.uint64)
    # Not `np.bitwise_or.reduce`, which would first copy all columns into one array.
    occupied = reduce(np.bitwise_or, (getattr(positions, name) for name in PIECE_COLUMNS))
    own = np.where(positions.white_to_move, positions.white, occupied & ~positions.white)
    takes = (end & occupied & ~own) != 0
    pawn = (positions.pawns & start & own) != 0
    passes_or_promotes = (origin & 7 != target & 7) | ((end & np.uint64(RANK_1 | RANK_8)) != 0)
    known = (moves != NO_STORED_MOVE) & ((start & own) != 0)
    return np.asarray(known & (takes | (pawn & passes_or_promotes)))


@primitive
def square_at(buffer: Buffer, at: int) -> int:
    """`e4` as a square, -1 for anything else."""
    file, rank = signed(buffer[at]) - 97, signed(buffer[at + 1]) - 49
    return 8 * rank + file if 0 <= file < 8 and 0 <= rank < 8 else -1


@primitive
def read_uci(buffer: Buffer, at: int, end: int) -> int:
    """`e2e4` or `e7e8q` as a move; none for other words."""
    if end - at < 4 or end - at > 5:
        return NO_STORED_MOVE
    origin, target = square_at(buffer, at), square_at(buffer, at + 2)
    return origin + 64 * target if origin >= 0 and target >= 0 else NO_STORED_MOVE


@kernel
def read_uci_moves(buffer: Buffer, starts: Moves, ends: Moves, moves: Moves) -> None:
    """The moves of many spans."""
    for row in range(len(starts)):
        moves[row] = read_uci(buffer, starts[row], ends[row])
