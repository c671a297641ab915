"""Oracles of pairs and of values that change with the number of pawns."""

from collections.abc import Iterator

import chess

from .squares import places as _places


def _pair(board: chess.Board, kind: chess.PieceType) -> Iterator[str]:
    if len(_places(board, kind, chess.WHITE)) >= 2:
        yield ""


def knight_pair(board: chess.Board) -> Iterator[str]:
    return _pair(board, chess.KNIGHT)


def rook_pair(board: chess.Board) -> Iterator[str]:
    return _pair(board, chess.ROOK)


def _by_own_pawns(board: chess.Board, kind: chess.PieceType) -> Iterator[str]:
    pawns = len(_places(board, chess.PAWN, chess.WHITE))
    return (str(pawns) for _ in _places(board, kind, chess.WHITE))


def knight_by_own_pawns(board: chess.Board) -> Iterator[str]:
    return _by_own_pawns(board, chess.KNIGHT)


def rook_by_own_pawns(board: chess.Board) -> Iterator[str]:
    return _by_own_pawns(board, chess.ROOK)
