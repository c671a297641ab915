"""Splits keep games together; where games are unknown, identical boards."""

import chess
import numpy as np
import pytest

from evalcore.errors import InputError
from evalcore.positions import NO_GAME, Positions
from tuner.split import BY_BOARD, BY_GAME, MIXED, Groups, board_keys, group, split


def boards(count: int = 40) -> list[chess.Board]:
    """A line of play: every position differs from the others."""
    rng, board, found = np.random.default_rng(4), chess.Board(), []
    while len(found) < count:
        if board.is_game_over():
            board.reset()
        found.append(board.copy(stack=False))
        moves = list(board.legal_moves)
        board.push(moves[int(rng.integers(len(moves)))])
    return found


def groups(sizes: list[int]) -> Groups:
    return Groups(np.repeat(np.arange(len(sizes)), sizes), len(sizes), BY_GAME)


def test_games_are_groups_wherever_they_are_named() -> None:
    ids = np.array([7, 7, 3, 9, 3] * 8, np.uint32)
    found = group(Positions.from_boards(boards(), game=ids))
    assert (found.kind, found.count) == (BY_GAME, 3)
    for game in (3, 7, 9):
        assert len(set(found.of_row[ids == game])) == 1
    assert len(set(found.of_row)) == 3


def test_identical_boards_are_groups_where_games_are_unknown() -> None:
    line = boards(12)
    found = group(Positions.from_boards([*line, *line[:5]]))
    assert (found.kind, found.count) == (BY_BOARD, 12)
    np.testing.assert_array_equal(found.of_row[12:], found.of_row[:5])


def test_the_side_to_move_makes_another_board() -> None:
    white, black = chess.Board(), chess.Board()
    black.turn = chess.BLACK
    keys = board_keys(Positions.from_boards([white, black, white]))
    assert keys[0] == keys[2] != keys[1]


def test_every_man_and_square_changes_the_key() -> None:
    """One man on an empty board, everywhere: 12 x 64 boards, 768 keys."""
    men = []
    for colour in chess.COLORS:
        for kind in chess.PIECE_TYPES:
            for square in chess.SQUARES:
                board = chess.Board(None)
                board.set_piece_at(square, chess.Piece(kind, colour))
                men.append(board)
    assert len(np.unique(board_keys(Positions.from_boards(men)))) == len(men) == 768


def test_known_and_unknown_games_can_be_mixed() -> None:
    line = boards(6)
    ids = np.array([0, 0, NO_GAME, NO_GAME, 1, NO_GAME], np.uint32)
    positions = Positions.from_boards([line[0], line[1], line[2], line[2], line[3], line[4]], game=ids)
    found = group(positions)
    assert (found.kind, found.count) == (MIXED, 4)
    assert found.of_row[0] == found.of_row[1]
    assert found.of_row[2] == found.of_row[3]
    assert len({found.of_row[0], found.of_row[2], found.of_row[4], found.of_row[5]}) == 4


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
@pytest.mark.parametrize("seed", range(4))
def test_no_group_is_on_both_sides(share: float, seed: int) -> None:
    sizes = np.random.default_rng(9).integers(1, 60, 120).tolist()
    made = groups(sizes)
    train, validation = split(made, share, np.random.default_rng(seed))
    assert not set(made.of_row[train]) & set(made.of_row[validation])
    np.testing.assert_array_equal(np.sort(np.concatenate([train, validation])), np.arange(sum(sizes)))
    assert (np.diff(train) > 0).all() and (np.diff(validation) > 0).all()
    assert share * sum(sizes) - 60 < len(validation) <= share * sum(sizes)


def test_the_split_depends_on_the_seed_alone() -> None:
    made = groups([5] * 40)
    one, again, other = (split(made, 0.25, np.random.default_rng(seed))[1] for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert one.tolist() != other.tolist()


def test_both_sides_get_something_however_uneven_the_games() -> None:
    for sizes in ([1000, 1], [1, 1000], [500, 500]):
        for seed in range(6):
            for share in (0.01, 0.99):
                train, validation = split(groups(sizes), share, np.random.default_rng(seed))
                assert len(train) and len(validation)


def test_a_share_of_zero_holds_nothing_out() -> None:
    train, validation = split(groups([3]), 0.0, np.random.default_rng(1))
    assert (len(train), len(validation)) == (3, 0)


def test_one_game_cannot_be_split() -> None:
    with pytest.raises(InputError, match=r"all 30 positions are of one game.*set validation=0"):
        split(groups([30]), 0.1, np.random.default_rng(1))
