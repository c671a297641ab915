"""One side's view of a board, field by field, against python-chess."""

from collections.abc import Callable
from functools import cache

import chess
import numpy as np
import pytest
from oracles.boards import varied_boards

from evalcore.positions import Positions
from evalcore.side import FIELDS, HALF, SIDE, Side, attacks_of, sides


@cache
def views() -> tuple[tuple[Side, Side], ...]:
    positions = Positions.from_boards(varied_boards())
    return tuple(sides(positions, row) for row in range(len(positions)))


def men(kind: chess.PieceType) -> Callable[[chess.Board], int]:
    return lambda board: board.pieces_mask(kind, chess.WHITE)


def attacks(kind: chess.PieceType) -> Callable[[chess.Board], int]:
    return lambda board: attacked_by(board, kind, 1)


def attacked_by(board: chess.Board, kind: chess.PieceType | None, times: int) -> int:
    """Squares that at least so many of White's men (of one kind) attack."""
    found = 0
    for square in chess.SQUARES:
        attackers = board.attackers(chess.WHITE, square)
        if sum(kind in (None, board.piece_type_at(each)) for each in attackers) >= times:
            found |= chess.BB_SQUARES[square]
    return found


OURS: dict[str, Callable[[chess.Board], int]] = {
    "pawns": men(chess.PAWN),
    "knights": men(chess.KNIGHT),
    "bishops": men(chess.BISHOP),
    "rooks": men(chess.ROOK),
    "queens": men(chess.QUEEN),
    "king": men(chess.KING),
    "men": lambda board: board.occupied_co[chess.WHITE],
    "castling": lambda board: board.clean_castling_rights() & chess.BB_RANK_1,
    "pawn_attacks": attacks(chess.PAWN),
    "knight_attacks": attacks(chess.KNIGHT),
    "bishop_attacks": attacks(chess.BISHOP),
    "rook_attacks": attacks(chess.ROOK),
    "queen_attacks": attacks(chess.QUEEN),
    "king_attacks": attacks(chess.KING),
    "attacks": lambda board: attacked_by(board, None, 1),
    "attacks_twice": lambda board: attacked_by(board, None, 2),
}
"""Field -> White's set on a board."""


def test_every_field_has_an_oracle() -> None:
    assert tuple(OURS) == Side._fields[:HALF]
    assert tuple(f"their_{name}" for name in OURS) == Side._fields[HALF : 2 * HALF]
    assert Side._fields[2 * HALF :] == ("occupied", "to_move")
    assert len(SIDE.dtype.names) == FIELDS


@pytest.mark.parametrize("name", OURS)
def test_our_men_and_theirs(name: str) -> None:
    for board, (white, black) in zip(varied_boards(), views(), strict=True):
        ours, theirs = OURS[name](board), OURS[name](board.mirror())
        assert getattr(white, name) == ours, board.fen()
        assert getattr(white, f"their_{name}") == chess.flip_vertical(theirs), board.fen()
        assert getattr(black, name) == theirs, board.fen()
        assert getattr(black, f"their_{name}") == chess.flip_vertical(ours), board.fen()


def test_occupied_squares_and_the_move() -> None:
    for board, (white, black) in zip(varied_boards(), views(), strict=True):
        assert white.occupied == board.occupied
        assert black.occupied == chess.flip_vertical(board.occupied)
        assert (white.to_move, black.to_move) == ((1, 0) if board.turn == chess.WHITE else (0, 1))


def test_attack_sets_of_single_pieces() -> None:
    kinds = {1: chess.KNIGHT, 2: chess.BISHOP, 3: chess.ROOK, 4: chess.QUEEN, 5: chess.KING}
    for board in varied_boards()[::10]:
        for square, piece in board.piece_map().items():
            for number, kind in kinds.items():
                if piece.piece_type == kind:
                    assert attacks_of(number, square, board.occupied) == board.attacks_mask(square)


def test_an_empty_board_has_empty_sets() -> None:
    white, black = sides(Positions.from_columns({"white_to_move": np.array([False])}), 0)
    assert white == Side(*([0] * FIELDS))
    assert black == Side(*([0] * (FIELDS - 1)), 1)
