"""Sets of squares against python-chess, as plain ints and as compiled machine words."""

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore import bitboards as b
from evalcore.compiled import Constant, kernel

sets_of_squares = st.integers(0, 2**64 - 1)
squares = st.integers(0, 63)


def moved(squares: int, east: int, north: int) -> int:
    """Every square moved by files and ranks; those that leave the board are lost."""
    found = 0
    for square in chess.SquareSet(squares):
        file, rank = chess.square_file(square) + east, chess.square_rank(square) + north
        if 0 <= file < 8 and 0 <= rank < 8:
            found |= chess.BB_SQUARES[chess.square(file, rank)]
    return found


def ray(squares: int, east: int, north: int) -> int:
    """The squares moved by 1 to 7 steps."""
    return reduce(or_, (moved(squares, n * east, n * north) for n in range(1, 8)))


def union(attacks: Callable[[int], int], squares: int) -> int:
    found = 0
    for square in chess.SquareSet(squares):
        found |= int(attacks(square))
    return found


SETS: dict[str, Callable[[int], int]] = {
    "flip": chess.flip_vertical,
    "rotate": lambda s: chess.flip_horizontal(chess.flip_vertical(s)),
    "complement": lambda s: int(~chess.SquareSet(s)),
    "north": lambda s: moved(s, 0, 1),
    "south": lambda s: moved(s, 0, -1),
    "east": lambda s: moved(s, 1, 0),
    "west": lambda s: moved(s, -1, 0),
    "neighbours": lambda s: moved(s, 1, 0) | moved(s, -1, 0),
    "north_fill": lambda s: s | ray(s, 0, 1),
    "south_fill": lambda s: s | ray(s, 0, -1),
    "file_fill": lambda s: s | ray(s, 0, 1) | ray(s, 0, -1),
    "front_spans": lambda s: ray(s, 0, 1),
    "rear_spans": lambda s: ray(s, 0, -1),
    "front_spans_of_enemy": lambda s: ray(s, 0, -1),
    "attack_spans": lambda s: moved(ray(s, 0, 1), 1, 0) | moved(ray(s, 0, 1), -1, 0),
    "attack_spans_of_enemy": lambda s: moved(ray(s, 0, -1), 1, 0) | moved(ray(s, 0, -1), -1, 0),
    "pawn_attacks": lambda s: union(lambda at: chess.BB_PAWN_ATTACKS[chess.WHITE][at], s),
    "pawn_attacks_of_enemy": lambda s: union(lambda at: chess.BB_PAWN_ATTACKS[chess.BLACK][at], s),
    "knight_attacks": lambda s: union(lambda at: chess.BB_KNIGHT_ATTACKS[at], s),
    "without_lowest": lambda s: s & ~(1 << chess.lsb(s)) if s else 0,
}
"""Functions of a set, by python-chess or by moving square after square."""

NUMBERS: dict[str, Callable[[int], int]] = {
    "popcount": lambda s: len(chess.SquareSet(s)),
    "lowest": lambda s: chess.lsb(s) if s else 64,
}


def compiled(function: Any) -> Callable[[int], int]:
    """A kernel that calls the primitive on a machine word."""

    @kernel
    def run(word: Any, out: Any) -> None:
        out[0] = function(word[0])

    def call(value: int) -> int:
        out = np.zeros(1, np.uint64)
        run(np.array([value], np.uint64), out)
        return int(out[0])

    return call


COMPILED = {name: compiled(getattr(b, name)) for name in SETS | NUMBERS}
EDGES = [0, 1, 2**63, 2**64 - 1, 0x8000_0000_0000_0001, 0xAA55_AA55_AA55_AA55, 0x00FF_0000_0000_FF00]


@pytest.mark.parametrize("name", SETS | NUMBERS)
@settings(deadline=None)  # the first call compiles
@given(value=st.one_of(st.sampled_from(EDGES), sets_of_squares))
def test_equals_python_chess_in_both_worlds(name: str, value: int) -> None:
    expected = (SETS | NUMBERS)[name](value)
    assert getattr(b, name)(value) == expected
    assert COMPILED[name](value) == expected


SLIDERS = {"bishop_attacks": chess.BISHOP, "rook_attacks": chess.ROOK, "queen_attacks": chess.QUEEN}


def attacks_with(kind: chess.PieceType, square: int, occupied: int) -> int:
    """python-chess's attacks of one piece among blockers."""
    board = chess.BaseBoard(None)
    board.occupied = board.pawns = occupied & ~chess.BB_SQUARES[square]
    board.set_piece_at(square, chess.Piece(kind, chess.WHITE))
    return board.attacks_mask(square)


@kernel
def compiled_sliders(words: Any, square: int, out: Any) -> None:
    out[0] = b.bishop_attacks(square, words[0])
    out[1] = b.rook_attacks(square, words[0])
    out[2] = b.queen_attacks(square, words[0])


@settings(deadline=None)  # the first call compiles
@given(square=squares, occupied=sets_of_squares)
def test_sliding_attacks_equal_python_chess(square: int, occupied: int) -> None:
    expected = [attacks_with(kind, square, occupied) for kind in SLIDERS.values()]
    assert [getattr(b, name)(square, occupied) for name in SLIDERS] == expected
    out = np.zeros(3, np.uint64)
    compiled_sliders(np.array([occupied], np.uint64), square, out)
    assert out.tolist() == expected


@pytest.mark.parametrize("square", chess.SQUARES)
def test_squares_and_lines(square: int) -> None:
    assert b.bit(square) == chess.BB_SQUARES[square]
    assert (b.file_of(square), b.rank_of(square)) == (chess.square_file(square), chess.square_rank(square))
    assert b.king_attacks(b.bit(square)) == chess.BB_KING_ATTACKS[square]
    diagonal = ray(1 << square, 1, 1) | ray(1 << square, -1, -1)
    antidiagonal = ray(1 << square, 1, -1) | ray(1 << square, -1, 1)
    assert b.diagonal_of(square) == diagonal | 1 << square
    assert b.antidiagonal_of(square) == antidiagonal | 1 << square


def test_the_ring_around_a_king_is_all_it_attacks() -> None:
    run = compiled(b.king_attacks)
    for square in chess.SQUARES:
        assert run(1 << square) == chess.BB_KING_ATTACKS[square]


CONSTANTS = {
    "FILE_A": chess.BB_FILE_A,
    "FILE_H": chess.BB_FILE_H,
    "NOT_A": ~chess.BB_FILE_A & chess.BB_ALL,
    "NOT_H": ~chess.BB_FILE_H & chess.BB_ALL,
    "NOT_AB": ~(chess.BB_FILE_A | chess.BB_FILE_B) & chess.BB_ALL,
    "NOT_GH": ~(chess.BB_FILE_G | chess.BB_FILE_H) & chess.BB_ALL,
    **{f"RANK_{rank + 1}": chess.BB_RANKS[rank] for rank in range(8)},
    "DARK_SQUARES": chess.BB_DARK_SQUARES,
    "LIGHT_SQUARES": chess.BB_LIGHT_SQUARES,
    "CENTER": int(chess.SquareSet([chess.D4, chess.E4, chess.D5, chess.E5])),
    "EXTENDED_CENTER": sum(
        chess.BB_FILES[file] & chess.BB_RANKS[rank] for file in range(2, 6) for rank in range(2, 6)
    ),
    "EMPTY": 0,
    "ONE": 1,
    "ALL": chess.BB_ALL,
}


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants(name: str) -> None:
    constant = getattr(b, name)
    assert constant == CONSTANTS[name]
    assert isinstance(constant, Constant)
