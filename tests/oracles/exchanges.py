"""Oracle of pawns that lose material when they are pushed: exchanges played out on a board."""

from collections.abc import Iterator

import chess

from .squares import rank_label as _rank_label

_VALUES = {
    chess.PAWN: 100,
    chess.KNIGHT: 325,
    chess.BISHOP: 325,
    chess.ROOK: 500,
    chess.QUEEN: 975,
    chess.KING: 10_000,
}


def _best_capture(board: chess.Board, target: chess.Square, colour: chess.Color) -> int:
    """What a side wins at most by capturing on a square, by its least valuable man each time."""
    attackers = board.attackers(colour, target)
    if not attackers:
        return 0
    source = min(attackers, key=lambda square: (_VALUES[board.piece_type_at(square) or 0], square))
    if board.piece_type_at(source) == chess.KING and board.attackers(not colour, target):
        return 0
    after = board.copy(stack=False)
    gain = _VALUES[after.piece_type_at(target) or 0]
    after.set_piece_at(target, after.remove_piece_at(source))
    return max(0, gain - _best_capture(after, target, not colour))


def backward_by_exchange(board: chess.Board) -> Iterator[str]:
    for square in board.pieces(chess.PAWN, chess.WHITE):
        if board.piece_at(square + 8) is None:
            pushed = board.copy(stack=False)
            pushed.set_piece_at(square + 8, pushed.remove_piece_at(square))
            if _best_capture(pushed, square + 8, chess.BLACK) > 0:
                yield _rank_label((chess.square_file(square), chess.square_rank(square)))
