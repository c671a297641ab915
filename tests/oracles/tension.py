"""Oracles of open, rammed and attacking pawns."""

from collections.abc import Iterator

import chess

from .squares import Place
from .squares import pawns_of as _pawns_of
from .squares import rank_label as _rank_label
from .squares import square as _square


def open_pawn(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    for file, rank in ours:
        if not any(other[0] == file and other[1] > rank for other in theirs):
            yield _rank_label((file, rank))


def rammed_pawn(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    for file, rank in ours:
        if (file, rank + 1) in theirs and rank in (4, 5):
            yield _rank_label((file, rank))


def lever(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    for file, rank in ours:
        if (file - 1, rank + 1) in theirs or (file + 1, rank + 1) in theirs:
            yield _rank_label((file, rank))


def _pawn_attacks_on(board: chess.Board, at: Place, colour: chess.Color) -> int:
    attackers = board.attackers(colour, _square(at))
    return sum(board.piece_type_at(each) == chess.PAWN for each in attackers)


def safe_pawn_push(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    for file, rank in ours:
        stop = (file, rank + 1)
        against, own = (_pawn_attacks_on(board, stop, colour) for colour in (chess.BLACK, chess.WHITE))
        if board.piece_at(_square(stop)) is None and own >= against:
            yield _rank_label((file, rank))
