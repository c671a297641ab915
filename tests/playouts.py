"""Positions of random games whose results are drawn from known weights."""

import chess
import numpy as np

from evalcore.evaluation import load_evaluation
from evalcore.positions import Positions
from tuner.scale import win_probability


def random_games(games: int = 60, plies: int = 40, seed: int = 7) -> Positions:
    """Every position of short random games after the sixth ply; results drawn by the start weights, K 1."""
    rng = np.random.default_rng(seed)
    boards, game, ply = [], [], []
    for number in range(games):
        board = chess.Board()
        for count in range(plies):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(moves[int(rng.integers(len(moves)))])
            if count > 6 and board.is_valid():
                boards.append(board.copy(stack=False))
                game.append(number)
                ply.append(count)
    positions = Positions.from_boards(boards, game=np.array(game), ply=np.array(ply))
    p = win_probability(load_evaluation("material").score(positions), 1.0)
    result = (rng.random(len(p)) < p).astype(float)
    return positions.replace(result=result, score=np.round(rng.normal(0, 100, len(p))))
