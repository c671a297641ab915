"""Oracles of backward and weak pawns."""

from collections.abc import Iterator

import chess

from .squares import Place
from .squares import adjacent as _adjacent
from .squares import attacked_by_pawn as _attacked_by_pawn
from .squares import file_label as _file_label
from .squares import pawns_of as _pawns_of
from .squares import rank_label as _rank_label
from .squares import square as _square


def _coverable(at: Place, ours: list[Place]) -> bool:
    """Whether one of these pawns attacks the square or can after advancing."""
    return any(_adjacent(at, other) and other[1] < at[1] for other in ours)


def _dominated(board: chess.Board, at: Place, ours: list[Place]) -> bool:
    return _attacked_by_pawn(board, at, chess.BLACK) and not _coverable(at, ours)


def _backward(board: chess.Board) -> list[Place]:
    ours, _ = _pawns_of(board)
    return [(file, rank) for file, rank in ours if _dominated(board, (file, rank + 1), ours)]


def _is_open(pawn: Place, theirs: list[Place]) -> bool:
    return not any(other[0] == pawn[0] and other[1] > pawn[1] for other in theirs)


def _stragglers(board: chess.Board) -> list[Place]:
    _, theirs = _pawns_of(board)
    return [pawn for pawn in _backward(board) if _is_open(pawn, theirs) and pawn[1] in (1, 2)]


def backward_open_pawn(board: chess.Board) -> Iterator[str]:
    _, theirs = _pawns_of(board)
    return (_file_label(pawn) for pawn in _backward(board) if _is_open(pawn, theirs))


def straggler(board: chess.Board) -> Iterator[str]:
    return map(_rank_label, _stragglers(board))


def strict_straggler(board: chess.Board) -> Iterator[str]:
    _, theirs = _pawns_of(board)
    for file, rank in _stragglers(board):
        if (file - 1, rank + 1) not in theirs and (file + 1, rank + 1) not in theirs:
            yield _rank_label((file, rank))


def _telestop_weak(board: chess.Board, first: int) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    for file, rank in ours:
        if any(_dominated(board, (file, ahead), ours) for ahead in range(rank + first, 8)):
            yield _rank_label((file, rank))


def telestop_weak_pawn(board: chess.Board) -> Iterator[str]:
    return _telestop_weak(board, 0)


def telestop_weak_pawn_strict(board: chess.Board) -> Iterator[str]:
    return _telestop_weak(board, 1)


def backward_pawn_second_pass(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    first = _backward(board)
    movable = [pawn for pawn in ours if pawn not in first and (pawn[0], pawn[1] + 1) not in theirs]
    for file, rank in ours:
        if (file, rank) not in first and _dominated(board, (file, rank + 1), movable):
            yield _rank_label((file, rank))


def backward_pawn_knight_rule(board: chess.Board) -> Iterator[str]:
    rivals = [(file, 7 - rank) for file, rank in _backward(board.mirror())]
    for file, rank in _backward(board):
        mutual = [rival for rival in rivals if abs(rival[0] - file) == 1 and rival[1] == rank + 2]
        for _, opposite in mutual:
            assert board.piece_at(_square((mutual[0][0], opposite))) == chess.Piece.from_symbol("p")
        if not any(rank > 7 - opposite for _, opposite in mutual):
            yield _rank_label((file, rank))


def _weak(board: chess.Board) -> list[Place]:
    ours, _ = _pawns_of(board)
    return [
        pawn for pawn in ours if not any(_adjacent(pawn, other) and other[1] <= pawn[1] for other in ours)
    ]


def weak_pawn(board: chess.Board) -> Iterator[str]:
    return (chess.square_name(_square(pawn)) for pawn in _weak(board))


def weak_open_pawn(board: chess.Board) -> Iterator[str]:
    _, theirs = _pawns_of(board)
    return ("" for pawn in _weak(board) if _is_open(pawn, theirs))
