"""Stockfish `.binpack`: chains of positions, the first one in full and then moves in a few bits each.

`file := block*`, `block := "BINP" size(u32) chain*`, `chain := stem(32) count(u16) moves`. Numbers of stems
are big-endian. A move is the index of the man among the mover's men, the index of its target among the
squares it may go to, and the change of the score. Score (Stockfish's unit) and result are those of the
side to move; they change sign from ply to ply. A chain with an illegal move is left out, and the rest of
its block with it, because nothing says where the next one would begin.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..bitboards import (
    EMPTY,
    RANK_1,
    RANK_4,
    RANK_8,
    Bitboard,
    Square,
    complement,
    lowest,
    popcount,
    without_lowest,
)
from ..compiled import kernel, primitive
from ..errors import FormatError
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
    put_column,
)
from ..moves_rows import positions_of
from ..positions import Positions
from .base import STOCKFISH_UNITS, Reader, ReadOptions, Source
from .games import number_games
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
    labelled,
    place_men,
)

MAGIC = b"BINP"
LARGEST_BLOCK = 100 << 20
STEM = 34
"""Bytes of a stem and the number of moves that follow."""
LONGEST_CHAIN = 1 << 16
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


@primitive
def big_endian(data: Words, at: int) -> int:
    """A number of two bytes, the high one first."""
    return (data[at] << 8) | data[at + 1]


@primitive
def signed(number: int) -> int:
    """The 16-bit number that was stored with its sign in the lowest bit."""
    turned = ((number << 15) | (number >> 1)) & 0xFFFF
    if turned & 0x8000:
        turned ^= 0x7FFF
    return turned - 0x10000 if turned & 0x8000 else turned


@primitive
def read_bits(data: Words, at: int, count: int) -> int:
    """Up to 8 bits from a bit offset on, the highest first."""
    return (big_endian(data, at >> 3) >> (16 - (at & 7) - count)) & ((1 << count) - 1)


@primitive
def index_bits(choices: int) -> int:
    """How many bits tell so many choices apart; none for one."""
    bits = 0
    while 1 << bits < choices:
        bits += 1
    return bits


@primitive
def nth_square(squares: Bitboard, number: int) -> Square:
    """The n-th square of a set, from 0; 64 beyond the last one."""
    for _ in range(number):
        squares = without_lowest(squares)
    return lowest(squares)


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
def read_change(data: Words, at: int) -> tuple[int, int]:
    """A number of four bits and one "there is more" at a time, low ones first, and the offset after it."""
    value, shift = 0, 0
    while shift < 16:
        bits = read_bits(data, at, 5)
        at += 5
        value |= (bits & 15) << shift
        shift += 4
        if bits & 16 == 0:
            break
    return signed(value & 0xFFFF), at


@primitive
def _put(
    words: Any, numbers: Any, row: int, state: Words, score: int, ply: int, result: int, move: Move
) -> None:
    put_column(words, row, state)
    numbers[0, row], numbers[1, row], numbers[2, row], numbers[3, row] = score, ply, result, move


@kernel
def _read_chain(
    data: Words, at: int, end: int, state: Words, sets: Words, words: Any, numbers: Any, row: int
) -> tuple[int, int]:
    """Writes the positions of the chain at `at` from column `row` on; where it ends, and 0 or a fault."""
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
    _put(words, numbers, row, state, score, ply, result, move)
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
        _put(words, numbers, row + step, state, score, ply + step, result, move)
    return (bits + 7) >> 3, 0


@kernel
def _read_chains(data: Words, at: int, end: int, words: Any, numbers: Any) -> tuple[int, int, int, int]:
    """Reads chains while there is room for the longest.

    Returns the offset of the next chain, the number of positions, of chains, and the fault of the next chain.
    """
    state, sets = np.empty(WORDS, np.uint64), np.empty(SETS, np.uint64)
    count, chains, fault = 0, 0, 0
    while at < end and fault == 0:
        if at + STEM > end:
            return at, count, chains, MOVES_RUN_OUT
        length = 1 + big_endian(data, at + 32)
        if count + length > words.shape[1]:
            break
        at, fault = _read_chain(data, at, end, state, sets, words, numbers, count)
        if fault == 0:
            count += length
            chains += 1
    return at, count, chains, fault


@dataclass(frozen=True)
class Block:
    """The chains of one block, padded with zeros; `number` counts blocks from 1."""

    number: int
    data: NDArray[np.uint8]
    size: int


def blocks_of(source: Source, options: ReadOptions, stream: BinaryIO) -> Iterator[Block]:
    """The blocks of a file; FormatError where something else stands in their place."""
    number = 1
    while head := stream.read(8):
        size = int.from_bytes(head[4:], "little")
        if head[:4] != MAGIC[: len(head)] or size > LARGEST_BLOCK:
            raise FormatError(source.path, f"block {number}", "no block of a binpack begins here", head.hex())
        data = stream.read(size)
        if len(head) < 8 or len(data) < size:
            reason = "the file ends inside a block"
            options.rejects.add(source.path, f"block {number}", reason, f"{len(data)} of {size} bytes")
        yield Block(number, np.frombuffer(data + bytes(PADDING), np.uint8), len(data))
        number += 1


def chain_fault(fault: int) -> str:
    """A fault in words."""
    return CHAIN_FAULTS[fault] if fault < BOARD_FAULT else fault_text(fault // BOARD_FAULT)


def read_block(
    block: Block, source: Source, options: ReadOptions
) -> Iterator[tuple[Positions, NDArray[np.int64]]]:
    """The positions of one block and their moves, in pieces."""
    at, first = 0, 1
    # A move takes five bits or more, a chain begins with one position: small blocks need no large arrays.
    enough = options.block + LONGEST_CHAIN
    room = min(enough, 2 * block.size + 1)
    while at < block.size:
        words, numbers = np.empty((WORDS, room), np.uint64), np.empty((4, room), np.int64)
        at, count, chains, fault = _read_chains(block.data, at, block.size, words, numbers)
        if not chains and not fault:  # a chain says it is longer than its block can be
            room = enough
            continue
        first += chains
        score, ply, result, move = numbers[:, :count]
        if count:
            positions = positions_of(
                words[:, :count],
                score=score.astype(np.float32),
                ply=ply,
                result=(result.astype(np.float32) + 1) / 2,
            )
            yield positions, move & 0xFFF
        if fault:
            place = f"block {block.number}, chain {first}"
            reason = chain_fault(fault) + "; the rest of the block is left out"
            options.rejects.add(source.path, place, reason, block.data[at : at + STEM].tobytes().hex())
            return


def read(source: Source, options: ReadOptions) -> Iterator[Positions]:
    """Positions of a file of this format; consecutive ones are taken for a game where they can be."""

    def positions() -> Iterator[Positions]:
        first = 1
        with source.open() as stream:
            for block in blocks_of(source, options, stream):
                for piece, moves in read_block(block, source, options):
                    places = first + np.arange(len(piece))
                    yield options.located(labelled(piece, options), places, moves=moves)
                    first += len(piece)

    return number_games(positions())


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
