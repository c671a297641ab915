"""Oracles of the piece-square tables."""

from collections.abc import Iterator

import chess


def _by_square(board: chess.Board, kind: chess.PieceType) -> Iterator[str]:
    return (chess.square_name(square) for square in board.pieces(kind, chess.WHITE))


def psqt_pawn(board: chess.Board) -> Iterator[str]:
    return _by_square(board, chess.PAWN)


def psqt_knight(board: chess.Board) -> Iterator[str]:
    return _by_square(board, chess.KNIGHT)


def psqt_bishop(board: chess.Board) -> Iterator[str]:
    return _by_square(board, chess.BISHOP)


def psqt_rook(board: chess.Board) -> Iterator[str]:
    return _by_square(board, chess.ROOK)


def psqt_queen(board: chess.Board) -> Iterator[str]:
    return _by_square(board, chess.QUEEN)


def psqt_king(board: chess.Board) -> Iterator[str]:
    return _by_square(board, chess.KING)
