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


def _plain(board: chess.Board, kind: chess.PieceType) -> Iterator[str]:
    for square in board.pieces(kind, chess.WHITE):
        yield str(sum(board.color_at(target) != chess.WHITE for target in board.attacks(square)))


def knight_mobility_plain(board: chess.Board) -> Iterator[str]:
    return _plain(board, chess.KNIGHT)


def bishop_mobility_plain(board: chess.Board) -> Iterator[str]:
    return _plain(board, chess.BISHOP)


def rook_mobility_plain(board: chess.Board) -> Iterator[str]:
    return _plain(board, chess.ROOK)


def queen_mobility_plain(board: chess.Board) -> Iterator[str]:
    return _plain(board, chess.QUEEN)


def _is_excluded(board: chess.Board, target: chess.Square) -> bool:
    man = board.piece_at(target)
    if man is None or man.color == chess.BLACK:
        return False
    if man.piece_type == chess.PAWN:
        return chess.square_rank(target) <= 2 or board.piece_at(target + 8) is not None
    return man.piece_type in (chess.KING, chess.QUEEN)


def _strict(board: chess.Board, kind: chess.PieceType) -> Iterator[str]:
    for square in board.pieces(kind, chess.WHITE):
        targets = [
            target
            for target in board.attacks(square)
            if not _is_excluded(board, target) and not _attacked_by_pawn(board, _place(target), chess.BLACK)
        ]
        yield str(len(targets))


def knight_mobility_strict(board: chess.Board) -> Iterator[str]:
    return _strict(board, chess.KNIGHT)


def bishop_mobility_strict(board: chess.Board) -> Iterator[str]:
    return _strict(board, chess.BISHOP)


def rook_mobility_strict(board: chess.Board) -> Iterator[str]:
    return _strict(board, chess.ROOK)


def queen_mobility_strict(board: chess.Board) -> Iterator[str]:
    return _strict(board, chess.QUEEN)
