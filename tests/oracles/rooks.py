"""Oracles of rooks and heavy pieces."""

from collections.abc import Iterator

import chess

from .squares import Place
from .squares import pawns_of as _pawns_of
from .squares import places as _places

_WHITE, _BLACK = chess.WHITE, chess.BLACK


def _rooks(board: chess.Board) -> list[Place]:
    return _places(board, chess.ROOK, _WHITE)


def rook_on_eighth(board: chess.Board) -> Iterator[str]:
    return ("" for rook in _rooks(board) if rook[1] == 7)


def active_rook_on_seventh(board: chess.Board) -> Iterator[str]:
    king = _places(board, chess.KING, _BLACK)[0]
    prey = king[1] == 7 or any(pawn[1] == 6 for pawn in _pawns_of(board)[1])
    return ("" for rook in _rooks(board) if prey and rook[1] == 6)


def queen_on_seventh(board: chess.Board) -> Iterator[str]:
    return ("" for queen in _places(board, chess.QUEEN, _WHITE) if queen[1] == 6)


def _passers(board: chess.Board) -> list[Place]:
    ours, theirs = _pawns_of(board)
    return [p for p in ours if not any(abs(o[0] - p[0]) <= 1 and o[1] > p[1] for o in theirs)]


def _enemy_passers(board: chess.Board) -> list[Place]:
    ours, theirs = _pawns_of(board)
    return [p for p in theirs if not any(abs(o[0] - p[0]) <= 1 and o[1] < p[1] for o in ours)]


def rook_behind_own_passer(board: chess.Board) -> Iterator[str]:
    for rook in _rooks(board):
        if any(p[0] == rook[0] and p[1] > rook[1] for p in _passers(board)):
            yield ""


def rook_before_own_passer(board: chess.Board) -> Iterator[str]:
    for rook in _rooks(board):
        if any(p[0] == rook[0] and p[1] < rook[1] for p in _passers(board)):
            yield ""


def rook_behind_enemy_passer(board: chess.Board) -> Iterator[str]:
    for rook in _rooks(board):
        if any(p[0] == rook[0] and p[1] < rook[1] for p in _enemy_passers(board)):
            yield ""


def rook_on_enemy_queens_file(board: chess.Board) -> Iterator[str]:
    files = {queen[0] for queen in _places(board, chess.QUEEN, _BLACK)}
    return ("" for rook in _rooks(board) if rook[0] in files)


def rook_on_enemy_queens_open_file(board: chess.Board) -> Iterator[str]:
    files = {queen[0] for queen in _places(board, chess.QUEEN, _BLACK)}
    files -= {pawn[0] for pawn in _pawns_of(board)[0]}
    return ("" for rook in _rooks(board) if rook[0] in files)


def connected_rook(board: chess.Board) -> Iterator[str]:
    rooks = board.pieces(chess.ROOK, _WHITE)
    return ("" for rook in rooks if board.attackers(_WHITE, rook) & rooks)
