"""Oracles of what helps and hinders passed pawns."""

from collections.abc import Iterator

import chess

from .candidates import _king_is_late
from .passed import _connected, _passed
from .squares import Place
from .squares import pawns_of as _pawns_of
from .squares import rank_label as _rank_label
from .squares import square as _square


def _path(pawn: Place) -> list[chess.Square]:
    return [chess.square(pawn[0], rank) for rank in range(pawn[1] + 1, 8)]


def blocked_passed_pawn(board: chess.Board) -> Iterator[str]:
    for pawn in _passed(board):
        if board.piece_at(_path(pawn)[0]) is not None:
            yield _rank_label(pawn)


def blockaded_passed_pawn(board: chess.Board) -> Iterator[str]:
    for pawn in _passed(board):
        if board.color_at(_path(pawn)[0]) == chess.BLACK:
            yield _rank_label(pawn)


def _is_safe(board: chess.Board, square: chess.Square) -> bool:
    return board.piece_at(square) is None and not board.is_attacked_by(chess.BLACK, square)


def passed_pawn_with_safe_stop(board: chess.Board) -> Iterator[str]:
    return (_rank_label(pawn) for pawn in _passed(board) if _is_safe(board, _path(pawn)[0]))


def passed_pawn_with_free_path(board: chess.Board) -> Iterator[str]:
    for pawn in _passed(board):
        if all(board.piece_at(square) is None for square in _path(pawn)):
            yield _rank_label(pawn)


def passed_pawn_with_safe_path(board: chess.Board) -> Iterator[str]:
    for pawn in _passed(board):
        if all(_is_safe(board, square) for square in _path(pawn)):
            yield _rank_label(pawn)


def held_connected_passed_pawn(board: chess.Board) -> Iterator[str]:
    for pawn in _connected(board):
        stop = _path(pawn)[0]
        near = [stop, *board.attackers(chess.BLACK, stop)]
        if any(
            board.piece_at(each) in (chess.Piece(3, chess.BLACK), chess.Piece(6, chess.BLACK))
            for each in near
        ):
            yield ""


def passed_pawn_outside_king_square(board: chess.Board) -> Iterator[str]:
    return (_rank_label(pawn) for pawn in _passed(board) if _king_is_late(board, pawn))


def unstoppable_passed_pawn(board: chess.Board) -> Iterator[str]:
    men = [piece.piece_type for piece in board.piece_map().values() if piece.color == chess.BLACK]
    for pawn in _passed(board):
        free = all(board.piece_at(square) is None for square in _path(pawn))
        if free and set(men) <= {chess.PAWN, chess.KING} and _king_is_late(board, pawn):
            yield ""


def _steps(board: chess.Board, colour: chess.Color, targets: list[chess.Square]) -> Iterator[str]:
    king = board.king(colour)
    assert king is not None
    return ("" for target in targets for _ in range(chess.square_distance(king, target)))


def passed_pawn_own_king_distance(board: chess.Board) -> Iterator[str]:
    return _steps(board, chess.WHITE, [_path(pawn)[0] for pawn in _passed(board)])


def passed_pawn_enemy_king_distance(board: chess.Board) -> Iterator[str]:
    return _steps(board, chess.BLACK, [_path(pawn)[0] for pawn in _passed(board)])


def king_own_pawn_distance(board: chess.Board) -> Iterator[str]:
    return _steps(board, chess.WHITE, [_square(pawn) for pawn in _pawns_of(board)[0]])


def king_enemy_pawn_distance(board: chess.Board) -> Iterator[str]:
    return _steps(board, chess.WHITE, [_square(pawn) for pawn in _pawns_of(board)[1]])
