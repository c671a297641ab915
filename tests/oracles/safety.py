"""Oracles of defended, loose, hanging and pinned men."""

from collections.abc import Iterator

import chess

_WHITE, _BLACK = chess.WHITE, chess.BLACK
_PIECES = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
_WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 99}


def _ours(board: chess.Board, *kinds: chess.PieceType) -> Iterator[chess.Square]:
    return (square for kind in kinds for square in board.pieces(kind, _WHITE))


def _attackers(board: chess.Board, colour: chess.Color, square: chess.Square) -> list[chess.PieceType]:
    return [board.piece_type_at(each) or 0 for each in board.attackers(colour, square)]


def knight_defended_by_pawn(board: chess.Board) -> Iterator[str]:
    return ("" for s in _ours(board, chess.KNIGHT) if chess.PAWN in _attackers(board, _WHITE, s))


def undefended_minor(board: chess.Board) -> Iterator[str]:
    return ("" for s in _ours(board, chess.KNIGHT, chess.BISHOP) if not board.is_attacked_by(_WHITE, s))


def minor_without_pawn(board: chess.Board) -> Iterator[str]:
    for square in _ours(board, chess.KNIGHT, chess.BISHOP):
        if chess.PAWN not in _attackers(board, _WHITE, square):
            yield ""


def loose_piece(board: chess.Board) -> Iterator[str]:
    return ("" for square in _ours(board, *_PIECES) if not board.is_attacked_by(_WHITE, square))


def loose_pawn(board: chess.Board) -> Iterator[str]:
    return ("" for square in _ours(board, chess.PAWN) if not board.is_attacked_by(_WHITE, square))


def _is_hanging(board: chess.Board, square: chess.Square) -> bool:
    return board.is_attacked_by(_BLACK, square) and not board.is_attacked_by(_WHITE, square)


def hanging_piece(board: chess.Board) -> Iterator[str]:
    return ("" for square in _ours(board, *_PIECES) if _is_hanging(board, square))


def undefended_attacked_pawn(board: chess.Board) -> Iterator[str]:
    return ("" for square in _ours(board, chess.PAWN) if _is_hanging(board, square))


def piece_en_prise(board: chess.Board) -> Iterator[str]:
    for square in _ours(board, *_PIECES):
        worth = _WORTH[board.piece_type_at(square) or 0]
        cheap = any(_WORTH[kind] < worth for kind in _attackers(board, _BLACK, square))
        if cheap or _is_hanging(board, square):
            yield ""


def pinned_man(board: chess.Board) -> Iterator[str]:
    for square in chess.SquareSet(board.occupied_co[_WHITE]):
        if board.is_pinned(_WHITE, square):
            yield ""


def _is_pinned_to(board: chess.Board, man: chess.Square, queen: chess.Square) -> bool:
    """Whether a rook or bishop would attack the queen if the man were not there, and does not now."""
    without = board.copy(stack=False)
    without.remove_piece_at(man)
    snipers = board.pieces(chess.ROOK, _BLACK) | board.pieces(chess.BISHOP, _BLACK)
    now, then = board.attackers(_BLACK, queen), without.attackers(_BLACK, queen)
    return bool((then & snipers) - now)


def man_pinned_to_queen(board: chess.Board) -> Iterator[str]:
    queens = list(board.pieces(chess.QUEEN, _WHITE))
    for man in chess.SquareSet(board.occupied_co[_WHITE]):
        if any(man != queen and _is_pinned_to(board, man, queen) for queen in queens):
            yield ""
