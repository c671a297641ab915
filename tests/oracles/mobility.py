"""Oracles of the mobility tables."""

from collections.abc import Iterator

import chess

from .squares import attacked_by_pawn as _attacked_by_pawn
from .squares import place as _place


def _table(board: chess.Board, kind: chess.PieceType) -> Iterator[str]:
    for square in board.pieces(kind, chess.WHITE):
        targets = [
            target
            for target in board.attacks(square)
            if board.color_at(target) != chess.WHITE
            and not _attacked_by_pawn(board, _place(target), chess.BLACK)
        ]
        yield str(len(targets))


def knight_mobility(board: chess.Board) -> Iterator[str]:
    return _table(board, chess.KNIGHT)


def bishop_mobility(board: chess.Board) -> Iterator[str]:
    return _table(board, chess.BISHOP)


def rook_mobility(board: chess.Board) -> Iterator[str]:
    return _table(board, chess.ROOK)


def queen_mobility(board: chess.Board) -> Iterator[str]:
    return _table(board, chess.QUEEN)
