"""Oracles of pieces near the enemy king."""

from collections.abc import Iterator

import chess

from .king import _zone_of_their_king
from .squares import place as _place


def _distances(board: chess.Board, kind: chess.PieceType) -> Iterator[str]:
    king = board.king(chess.BLACK)
    assert king is not None
    return (str(chess.square_distance(square, king)) for square in board.pieces(kind, chess.WHITE))


def knight_king_distance(board: chess.Board) -> Iterator[str]:
    return _distances(board, chess.KNIGHT)


def bishop_king_distance(board: chess.Board) -> Iterator[str]:
    return _distances(board, chess.BISHOP)


def rook_king_distance(board: chess.Board) -> Iterator[str]:
    return _distances(board, chess.ROOK)


def queen_king_distance(board: chess.Board) -> Iterator[str]:
    return _distances(board, chess.QUEEN)


def _zone_attacks(board: chess.Board, kind: chess.PieceType) -> Iterator[str]:
    zone = _zone_of_their_king(board)
    for square in board.pieces(kind, chess.WHITE):
        yield from ("" for target in board.attacks(square) if _place(target) in zone)


def knight_zone_attacks(board: chess.Board) -> Iterator[str]:
    return _zone_attacks(board, chess.KNIGHT)


def bishop_zone_attacks(board: chess.Board) -> Iterator[str]:
    return _zone_attacks(board, chess.BISHOP)


def rook_zone_attacks(board: chess.Board) -> Iterator[str]:
    return _zone_attacks(board, chess.ROOK)


def queen_zone_attacks(board: chess.Board) -> Iterator[str]:
    return _zone_attacks(board, chess.QUEEN)
