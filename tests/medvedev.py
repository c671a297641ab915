"""Rows of Medvedev's "Point Value by Regression Analysis", by his rule, with python-chess."""

from functools import cache
from pathlib import Path

import chess.pgn
import numpy as np
from numpy.typing import NDArray

PIECES = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
RESULTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}


def medvedev_rows(path: Path) -> NDArray[np.float64]:
    """The rows of games with a result."""
    rows = every_row(path)
    return rows[~np.isnan(rows[:, 5])]


@cache
def every_row(path: Path) -> NDArray[np.float64]:
    """(rows, 9): White's minus Black's P N B R Q, the result for White, the number of the game, phase, pairs.

    The phase is 24 with all men (1 a minor piece, 2 a rook, 4 a queen); pairs are White's minus Black's
    bishop pairs. Games without a result have NaN.


    A row is taken after two quiet half-moves in a row (no capture, no promotion, nobody in check) when
    the balance differs from that of the last row of the game.
    """
    rows = []
    with path.open(encoding="latin-1") as file:
        number = 0
        while (game := chess.pgn.read_game(file)) is not None:
            number += 1
            result = RESULTS.get(game.headers.get("Result", "*"), np.nan)
            rows += [(*balance, result, number, phase, pairs) for balance, phase, pairs in _balances(game)]
    return np.array(rows)


def _balances(game: chess.pgn.Game) -> list[tuple[tuple[int, ...], int, int]]:
    board, quiet = game.board(), 0
    taken: list[tuple[tuple[int, ...], int, int]] = []
    for move in game.mainline_moves():
        loud = board.is_capture(move) or move.promotion is not None
        board.push(move)
        quiet = 0 if loud or board.is_check() else quiet + 1
        balance = tuple(
            (board.pieces_mask(piece, True)).bit_count() - board.pieces_mask(piece, False).bit_count()
            for piece in PIECES
        )
        if quiet >= 2 and (not taken or taken[-1][0] != balance):
            minor, rooks, queens = board.knights | board.bishops, board.rooks, board.queens
            phase = min(24, minor.bit_count() + 2 * rooks.bit_count() + 4 * queens.bit_count())
            pairs = [len(board.pieces(chess.BISHOP, colour)) >= 2 for colour in (True, False)]
            taken.append((balance, phase, pairs[0] - pairs[1]))
    return taken
