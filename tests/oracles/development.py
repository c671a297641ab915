"""Oracles of development."""

from collections.abc import Iterator

import chess

from .squares import places as _places

_HOME = {chess.KNIGHT: ("b1", "g1"), chess.BISHOP: ("c1", "f1")}


def _ours(board: chess.Board, kind: chess.PieceType, name: str) -> bool:
    return board.piece_at(chess.parse_square(name)) == chess.Piece(kind, chess.WHITE)


def minor_at_home(board: chess.Board) -> Iterator[str]:
    for kind, names in _HOME.items():
        for name in names:
            if _ours(board, kind, name):
                yield ""


def early_queen(board: chess.Board) -> Iterator[str]:
    for _, rank in _places(board, chess.QUEEN, chess.WHITE):
        if rank > 1:
            yield from minor_at_home(board)


def returning_bishop(board: chess.Board) -> Iterator[str]:
    for bishop, king in (("f1", "g1"), ("c1", "b1")):
        if _ours(board, chess.BISHOP, bishop) and _ours(board, chess.KING, king):
            yield ""


def _has_connected_rooks(board: chess.Board) -> bool:
    rooks = [file for file, rank in _places(board, chess.ROOK, chess.WHITE) if rank == 0]
    for west in rooks:
        for east in rooks:
            between = range(west + 1, east)
            if west < east and all(board.piece_at(chess.square(file, 0)) is None for file in between):
                return True
    return False


def connected_rooks_at_home(board: chess.Board) -> Iterator[str]:
    if _has_connected_rooks(board):
        yield ""


def development_tempo(board: chess.Board) -> Iterator[str]:
    minors = sum(len(_places(board, kind, chess.WHITE)) for kind in _HOME)
    yield from [""] * (minors - len(list(minor_at_home(board))))
    yield from connected_rooks_at_home(board)
