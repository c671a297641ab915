"""Columns of positions: to and from python-chess boards, selections, what is refused."""

from __future__ import annotations

from pathlib import Path

import chess
import numpy as np
import pytest

from evalcore.faults import OPPOSITE_CHECK, OVERLAP
from evalcore.legality import check_boards
from evalcore.positions import COLUMNS, NO_GAME, Positions

FENS = (Path(__file__).parent / "data" / "formats" / "ethereal.fens").read_text().splitlines()
BOARDS = [chess.Board(line.split(" [")[0]) for line in FENS]


@pytest.fixture(scope="module")
def positions() -> Positions:
    return Positions.from_boards(BOARDS, game=np.arange(len(BOARDS)))


def assert_equal(one: Positions, other: Positions) -> None:
    for name in COLUMNS:
        assert np.array_equal(
            getattr(one, name), getattr(other, name), equal_nan=name in ("result", "score")
        ), name


def test_boards_come_back(positions: Positions) -> None:
    for row, board in enumerate(BOARDS):
        assert positions.board(row).fen() == board.fen()


def test_every_column_has_its_dtype_and_unknown_value(positions: Positions) -> None:
    for name, (dtype, _) in COLUMNS.items():
        assert getattr(positions, name).dtype == dtype
    assert np.isnan(positions.result).all() and np.isnan(positions.score).all()
    assert (Positions.from_boards(BOARDS[:2]).game == NO_GAME).all()


def test_selecting_and_joining(positions: Positions) -> None:
    parts = [positions.select(rows) for rows in positions.blocks(97)]
    assert [len(part) for part in parts] == [97, 97, 97, 9]
    assert_equal(Positions.concatenate(parts), positions)
    assert len(Positions.concatenate([])) == 0
    assert positions.replace(ply=np.full(len(positions), 3)).ply.tolist() == [3] * len(positions)


def test_frame_has_all_columns(positions: Positions) -> None:
    frame = positions.to_frame()
    assert list(frame.columns) == list(COLUMNS)
    assert len(frame) == len(positions)


def test_boards_are_checked(positions: Positions) -> None:
    checked, faults = check_boards(positions)
    assert not faults.any()
    assert_equal(checked, positions)
    _, faults = check_boards(positions.replace(knights=positions.pawns))
    assert (faults == OVERLAP).all()


def test_the_other_side_to_move_makes_checks_impossible() -> None:
    board = chess.Board("8/8/8/8/1k6/1Q6/8/5K2 b - - 0 1")
    columns = Positions.from_boards([board])
    assert check_boards(columns)[1].tolist() == [0]
    assert check_boards(columns.replace(white_to_move=[True]))[1].tolist() == [OPPOSITE_CHECK]
