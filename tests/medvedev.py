"""Rows of Medvedev's "Point Value by Regression Analysis", by his rule, with python-chess."""

from functools import cache
from pathlib import Path

import chess.pgn
import numpy as np
from numpy.typing import NDArray

PIECES = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
RESULTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}


@cache
def medvedev_rows(path: Path) -> NDArray[np.float64]:
    """(rows, 7): White's minus Black's P N B R Q, the result for White, the number of the game.

    A row is taken after two quiet half-moves in a row (no capture, no promotion, nobody in check) when
    the balance differs from that of the last row of the game.
    """
    rows = []
    with path.open(encoding="latin-1") as file:
        number = 0
        while (game := chess.pgn.read_game(file)) is not None:
            number += 1
            if (result := RESULTS.get(game.headers.get("Result", "*"))) is not None:
                rows += [(*balance, result, number) for balance in _balances(game)]
    return np.array(rows)


def _balances(game: chess.pgn.Game) -> list[tuple[int, ...]]:
    board, quiet = game.board(), 0
    taken: list[tuple[int, ...]] = []
    for move in game.mainline_moves():
        loud = board.is_capture(move) or move.promotion is not None
        board.push(move)
        quiet = 0 if loud or board.is_check() else quiet + 1
        balance = tuple(
            (board.pieces_mask(piece, True)).bit_count() - board.pieces_mask(piece, False).bit_count()
            for piece in PIECES
        )
        if quiet >= 2 and (not taken or taken[-1] != balance):
            taken.append(balance)
    return taken
