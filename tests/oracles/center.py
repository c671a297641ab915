"""Oracles of the centre and of space."""

from collections.abc import Iterable, Iterator

import chess

from .squares import Place
from .squares import attacked_by_pawn as _attacked_by_pawn
from .squares import pawns_of as _pawns_of
from .squares import place as _place


def _rings(squares: Iterable[chess.Square]) -> Iterator[str]:
    for file, rank in map(_place, squares):
        if file in (3, 4) and rank in (3, 4):
            yield "center"
        elif 2 <= file <= 5 and 2 <= rank <= 5:
            yield "around"


def center_pawn(board: chess.Board) -> Iterator[str]:
    return _rings(board.pieces(chess.PAWN, chess.WHITE))


def center_piece(board: chess.Board) -> Iterator[str]:
    kinds = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
    return _rings(square for kind in kinds for square in board.pieces(kind, chess.WHITE))


def _attacked(board: chess.Board, kind: chess.PieceType) -> Iterator[str]:
    return _rings(
        square
        for square in chess.SQUARES
        if any(board.piece_type_at(each) == kind for each in board.attackers(chess.WHITE, square))
    )


def center_attacked_by_pawn(board: chess.Board) -> Iterator[str]:
    return _attacked(board, chess.PAWN)


def center_attacked_by_knight(board: chess.Board) -> Iterator[str]:
    return _attacked(board, chess.KNIGHT)


def center_attacked_by_bishop(board: chess.Board) -> Iterator[str]:
    return _attacked(board, chess.BISHOP)


def center_attacked_by_rook(board: chess.Board) -> Iterator[str]:
    return _attacked(board, chess.ROOK)


def center_attacked_by_queen(board: chess.Board) -> Iterator[str]:
    return _attacked(board, chess.QUEEN)


def center_attacked_twice(board: chess.Board) -> Iterator[str]:
    return _rings(square for square in chess.SQUARES if len(board.attackers(chess.WHITE, square)) >= 2)


def _space(board: chess.Board) -> Iterator[Place]:
    ours, _ = _pawns_of(board)
    for at in ((file, rank) for file in range(2, 6) for rank in (1, 2, 3)):
        if at not in ours and not _attacked_by_pawn(board, at, chess.BLACK):
            yield at


def space(board: chess.Board) -> Iterator[str]:
    return ("" for _ in _space(board))


def space_behind_pawns(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    return ("" for at in _space(board) if any(p[0] == at[0] and p[1] > at[1] for p in ours))
