"""Oracles of material and tempo."""

from collections.abc import Iterator

import chess

from .squares import places as _places


def _count(board: chess.Board, kind: chess.PieceType) -> Iterator[str]:
    return ("" for _ in _places(board, kind, chess.WHITE))


def material_pawn(board: chess.Board) -> Iterator[str]:
    return _count(board, chess.PAWN)


def material_knight(board: chess.Board) -> Iterator[str]:
    return _count(board, chess.KNIGHT)


def material_bishop(board: chess.Board) -> Iterator[str]:
    return _count(board, chess.BISHOP)


def material_rook(board: chess.Board) -> Iterator[str]:
    return _count(board, chess.ROOK)


def material_queen(board: chess.Board) -> Iterator[str]:
    return _count(board, chess.QUEEN)


def bishop_pair(board: chess.Board) -> Iterator[str]:
    if len(_places(board, chess.BISHOP, chess.WHITE)) >= 2:
        yield ""


def tempo(board: chess.Board) -> Iterator[str]:
    if board.turn == chess.WHITE:
        yield ""
