"""Oracles of passed pawns."""

from collections.abc import Iterator

import chess

from .squares import Place
from .squares import attacked_by_pawn as _attacked_by_pawn
from .squares import pawns_of as _pawns_of
from .squares import rank_label as _rank_label


def _passed(board: chess.Board) -> list[Place]:
    ours, theirs = _pawns_of(board)
    return [
        (file, rank)
        for file, rank in ours
        if not any(abs(other[0] - file) <= 1 and other[1] > rank for other in theirs)
    ]


def passed_pawn(board: chess.Board) -> Iterator[str]:
    return map(_rank_label, _passed(board))


def protected_passed_pawn(board: chess.Board) -> Iterator[str]:
    for pawn in _passed(board):
        if _attacked_by_pawn(board, pawn, chess.WHITE):
            yield _rank_label(pawn)
