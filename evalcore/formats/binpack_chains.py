"""Chains of a Stockfish `.binpack` in compiled code: stems, moves and scores of a few bits each.

A move is the index of the man among the mover's men, the index of its target among the squares it may go
to, and the change of the score; see `binpack.py` for the file around the chains.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bitboards import (
    EMPTY,
    RANK_1,
    RANK_4,
    RANK_8,
    Bitboard,
    complement,
    lowest,
    popcount,
)
from ..compiled import Constant, kernel, primitive
from ..faults import NO_KING_PAIR, fault_text
from ..legality import board_faults, en_passant_faults
from ..moves import (
    BLACK_TO_MOVE,
    CASTLING,
    EP,
    FULLMOVE,
    HALFMOVE,
    KING,
    NO_MOVE,
    PAWN,
    WHITE,
    WORDS,
    Move,
    Words,
    behind,
    castling_is_legal,
    clear,
    ep_is_legal,
    is_legal,
    is_safe,
    make,
    own_men,
    pack_move,
    piece_at,
    piece_targets,
)
from ..positions import PIECE_COLUMNS, Positions
from .binpack_bits import big_endian, index_bits, nth_square, read_bits, read_change, signed
from .records import (
    BAD_RESULT,
    BLACK_CODE,
    BLACK_MEN,
    CASTLERS,
    CASTLES_CODE,
    MOVER,
    MOVES_CODE,
    PASSED_CODE,
    PASSED_PAWNS,
    RECORD_FAULTS,
    SETS,
    place_men,
)

STEM = 34
"""Bytes of a stem and the number of moves that follow."""
LONGEST_CHAIN = 1 << 16
FEWEST_BITS = 5
"""Of a move: none for man and target where there is no choice, five for the change of the score."""
LARGEST_CLOCK = Constant(0xFFFF)
PADDING = 8
"""Zeros behind a block, so that reading bits needs no check of its own."""

_MEN = [kind + colour for kind in range(6) for colour in (0, BLACK_CODE)]
MEANINGS = np.array(
    [*_MEN, PASSED_CODE, 3 + CASTLES_CODE, 3 + BLACK_CODE + CASTLES_CODE, 5 + BLACK_CODE + MOVES_CODE],
    np.uint8,
)
"""Codes 0-11 are P p N n B b R r Q q K k; 12 a pawn of either colour that just made a double step, 13 and
14 rooks that may castle, 15 the black king when Black is to move."""

CHAIN_FAULTS = (*RECORD_FAULTS, "an illegal move", "the moves run past the end of the block")
ILLEGAL, MOVES_RUN_OUT = len(RECORD_FAULTS), len(RECORD_FAULTS) + 1
BOARD_FAULT = 1 << 8
"""Fault codes from here on are a mask of `legality`, shifted."""


class Columns(NamedTuple):
    """Rows as a chain is read, in the types of `Positions`, so that nothing is converted or copied after it.

    `boards` (8, n) are the six kinds, White's men and the castling rights; `counts` (4, n) the two clocks,
    the ply and the move (`from + 64·to`); `labels` (2, n) score and result of the side to move.
    """

    boards: NDArray[np.uint64]
    white_to_move: NDArray[np.bool_]
    ep_square: NDArray[np.int8]
    counts: NDArray[np.uint16]
    labels: NDArray[np.float32]


def empty_columns(rows: int) -> Columns:
    """Room for a number of rows."""
    return Columns(
        np.empty((WHITE + 2, rows), np.uint64),
        np.empty(rows, np.bool_),
        np.empty(rows, np.int8),
        np.empty((4, rows), np.uint16),
        np.empty((2, rows), np.float32),
    )


def positions_in(columns: Columns, rows: int) -> Positions:
    """The first rows as positions, without copying."""
    halfmove, fullmove, ply, _ = columns.counts[:, :rows]
    score, result = columns.labels[:, :rows]
    return Positions.from_columns(
        {
            **dict(zip((*PIECE_COLUMNS, "white", "castling_rights"), columns.boards[:, :rows], strict=True)),
            "white_to_move": columns.white_to_move[:rows],
            "ep_square": columns.ep_square[:rows],
            "halfmove_clock": halfmove,
            "fullmove_number": fullmove,
            "ply": ply,
            "score": score,
            "result": result,
        }
    )


@primitive
def _faults_of(state: Words) -> int:
    """What makes a stem impossible, as a mask of `legality`."""
    turn = state[BLACK_TO_MOVE] == 0
    p, n, b, r, q, k = state[0], state[1], state[2], state[3], state[4], state[5]
    faults = board_faults(p, n, b, r, q, k, state[WHITE], turn, state[CASTLING])
    if state[EP] and not faults & NO_KING_PAIR:
        faults |= en_passant_faults(lowest(state[EP]), p, n, b, r, q, k, state[WHITE], turn)
    return faults


@kernel
def read_stem(data: Any, at: int, sets: Any, state: Any) -> int:
    """Fills a state from 32 bytes; returns 0 or a fault."""
    men: Bitboard = EMPTY
    for offset in range(8):
        men = (men << 8) | data[at + offset]
    clear(sets, SETS)
    fault = place_men(men, data[at + 8 : at + 24], MEANINGS, sets)
    if fault:
        return fault
    black = sets[BLACK_MEN] | (sets[PASSED_PAWNS] & complement(RANK_4))
    for kind in range(6):
        state[kind] = sets[kind]
    state[WHITE] = men & complement(black)
    state[CASTLING] = sets[CASTLERS]
    state[BLACK_TO_MOVE] = 1 if sets[MOVER] else 0
    state[EP] = behind(sets[PASSED_PAWNS], 1 if sets[PASSED_PAWNS] & black else 0)
    state[HALFMOVE] = big_endian(data, at + 30)
    state[FULLMOVE] = (big_endian(data, at + 28) & 0x3FFF) // 2 + 1
    faults = _faults_of(state)
    if state[EP] and not faults and not ep_is_legal(state, state[EP]):
        state[EP] = EMPTY
    return faults * BOARD_FAULT


@primitive
def stem_move(packed: int) -> Move:
    """A move from the 16 bits of a stem: kind (1 promotion), from, to, promotion less a knight."""
    promotion = (packed & 3) + 1 if packed >> 14 == 1 else 0
    return pack_move((packed >> 8) & 63, (packed >> 2) & 63, promotion)


@kernel
def next_move(data: Words, at: int, state: Words) -> tuple[Move, int]:
    """The move whose bits begin at a bit offset, or NO_MOVE if it is illegal, and the offset after it."""
    own = own_men(state)
    bits = index_bits(popcount(own))
    source = nth_square(own, read_bits(data, at, bits))
    at += bits
    if source == 64:
        return NO_MOVE, at
    piece = piece_at(state, source)
    targets = piece_targets(state, piece, source)
    steps = popcount(targets)
    promotes = piece == PAWN and targets & (RANK_1 | RANK_8) != 0
    choices = 4 * steps if promotes else steps
    if piece == KING:
        choices += popcount(state[CASTLING] & own)
    bits = index_bits(choices)
    number = read_bits(data, at, bits)
    at += bits
    if piece == KING and number >= steps:
        rook = nth_square(state[CASTLING] & own, number - steps)  # the long one first
        legal = rook < 64 and castling_is_legal(state, rook)
        return pack_move(source, rook, 0) if legal else NO_MOVE, at
    target = nth_square(targets, number // 4 if promotes else number)
    if target == 64 or not is_safe(state, source, target):
        return NO_MOVE, at
    return pack_move(source, target, number % 4 + 1 if promotes else 0), at


@primitive
def _put(columns: Columns, row: int, state: Words, score: int, ply: int, result: int, move: Move) -> None:
    for word in range(WHITE + 1):
        columns.boards[word, row] = state[word]
    columns.boards[WHITE + 1, row] = state[CASTLING]
    columns.white_to_move[row] = state[BLACK_TO_MOVE] == 0
    columns.ep_square[row] = lowest(state[EP]) if state[EP] else -1
    columns.counts[0, row] = min(state[HALFMOVE], LARGEST_CLOCK)
    columns.counts[1, row] = state[FULLMOVE]
    columns.counts[2, row] = ply
    columns.counts[3, row] = move & 0xFFF
    columns.labels[0, row] = score
    columns.labels[1, row] = (result + 1) / 2


@kernel
def _read_chain(
    data: Words, at: int, end: int, state: Words, sets: Words, columns: Columns, row: int
) -> tuple[int, int]:
    """Writes the positions of the chain at `at` from `row` on; where it ends, and 0 or a fault."""
    fault = read_stem(data, at, sets, state)
    if fault:
        return at, fault
    move = stem_move(big_endian(data, at + 24))
    score = signed(big_endian(data, at + 26))
    packed, count = big_endian(data, at + 28), big_endian(data, at + 32)
    ply, result = packed & 0x3FFF, signed(packed >> 14)
    if packed >> 14 == 3:
        return at, BAD_RESULT
    if not is_legal(state, move) and (count or move != NO_MOVE):
        return at, ILLEGAL
    _put(columns, row, state, score, ply, result, move)
    bits = 8 * (at + STEM)
    for step in range(1, count + 1):
        make(state, move)
        move, bits = next_move(data, bits, state)
        change, bits = read_change(data, bits)
        if bits > 8 * end:
            return at, MOVES_RUN_OUT
        if move == NO_MOVE:
            return at, ILLEGAL
        score = change - score
        score = ((score + 0x8000) & 0xFFFF) - 0x8000
        result = -result
        _put(columns, row + step, state, score, ply + step, result, move)
    return (bits + 7) >> 3, 0


@kernel
def read_chains(data: Words, at: int, end: int, columns: Columns, row: int) -> tuple[int, int, int, int]:
    """Reads chains into rows from `row` on while there is room.

    Returns the offset of the next chain, the row after the last one, the number of chains, and the fault of
    the next chain. With a faulty chain the one before it is taken back: nothing but the chain behind it
    shows that a chain ended where it should, and one that lost a few bytes may have legal moves.
    """
    state, sets = np.empty(WORDS, np.uint64), np.empty(SETS, np.uint64)
    chains, fault, before = 0, 0, row
    while at < end and fault == 0:
        if at + STEM > end:
            return at, before, chains, MOVES_RUN_OUT
        length = 1 + big_endian(data, at + 32)
        if row + length > len(columns.ep_square):
            fault = read_stem(data, at, sets, state)
            if fault == 0 and FEWEST_BITS * (length - 1) > 8 * (end - at - STEM):
                fault = MOVES_RUN_OUT
            break
        at, fault = _read_chain(data, at, end, state, sets, columns, row)
        if fault == 0:
            before = row
            row += length
            chains += 1
    return at, before if fault else row, chains, fault


def chain_fault(fault: int) -> str:
    """A fault in words."""
    return CHAIN_FAULTS[fault] if fault < BOARD_FAULT else fault_text(fault // BOARD_FAULT)
