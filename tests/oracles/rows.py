"""Oracles of pawns side by side."""

from collections.abc import Iterator

import chess

from .squares import Place
from .squares import pawns_of as _pawns_of
from .squares import rank_label as _rank_label


def _row_length(pawn: Place, ours: list[Place]) -> int:
    first = last = pawn[0]
    while (first - 1, pawn[1]) in ours:
        first -= 1
    while (last + 1, pawn[1]) in ours:
        last += 1
    return last - first + 1


def _in_rows_of(board: chess.Board, length: int) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    return (_rank_label(pawn) for pawn in ours if _row_length(pawn, ours) == length)


def duo(board: chess.Board) -> Iterator[str]:
    return _in_rows_of(board, 2)


def trio(board: chess.Board) -> Iterator[str]:
    return _in_rows_of(board, 3)


def quart(board: chess.Board) -> Iterator[str]:
    return _in_rows_of(board, 4)
