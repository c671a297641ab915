"""Oracles of pawn structure."""

from collections.abc import Iterator

import chess

from .squares import adjacent as _adjacent
from .squares import attacked_by_pawn as _attacked_by_pawn
from .squares import file_label as _file_label
from .squares import pawns_of as _pawns_of
from .squares import rank_label as _rank_label


def isolated_pawn(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    for pawn in ours:
        if not any(_adjacent(pawn, other) for other in ours):
            yield _file_label(pawn)


def doubled_pawn(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    for file, rank in ours:
        if any(other[0] == file and other[1] > rank for other in ours):
            yield _file_label((file, rank))


def backward_pawn(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    for file, rank in ours:
        stop = (file, rank + 1)
        coverable = any(_adjacent(stop, other) and other[1] < stop[1] for other in ours)
        if _attacked_by_pawn(board, stop, chess.BLACK) and not coverable:
            yield _rank_label((file, rank))


def phalanx(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    for file, rank in ours:
        if (file - 1, rank) in ours or (file + 1, rank) in ours:
            yield _rank_label((file, rank))


def defended_pawn(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    for pawn in ours:
        if _attacked_by_pawn(board, pawn, chess.WHITE):
            yield _rank_label(pawn)
