"""Oracle of the number of legal moves."""

from collections.abc import Iterator

import chess


def legal_moves(board: chess.Board) -> Iterator[str]:
    ours = board.copy(stack=False)
    ours.turn, ours.ep_square = chess.WHITE, None
    return ("" for _ in range(min(ours.legal_moves.count(), 127)))
