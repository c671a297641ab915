"""Oracles of the kinds of passed pawns."""

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


def _linked(one: Place, other: Place) -> bool:
    """Whether two pawns stand side by side or one defends the other."""
    return abs(one[0] - other[0]) == 1 and abs(one[1] - other[1]) <= 1


def _connected(board: chess.Board) -> list[Place]:
    passers = _passed(board)
    return [pawn for pawn in passers if any(_linked(pawn, other) for other in passers)]


def _others(board: chess.Board) -> set[chess.PieceType]:
    """The kinds of pieces on the board, kings and pawns apart."""
    return {piece.piece_type for piece in board.piece_map().values()} - {chess.PAWN, chess.KING}


def passed_pawn(board: chess.Board) -> Iterator[str]:
    return map(_rank_label, _passed(board))


def foremost_passed_pawn(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    for file, rank in _passed(board):
        if not any(other[0] == file and other[1] > rank for other in ours):
            yield _rank_label((file, rank))


def protected_passed_pawn(board: chess.Board) -> Iterator[str]:
    for pawn in _passed(board):
        if _attacked_by_pawn(board, pawn, chess.WHITE):
            yield _rank_label(pawn)


def supported_passed_pawn(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    for file, rank in _passed(board):
        support = {(file + east, rank - south) for east in (-1, 1) for south in (0, 1)}
        if support & set(ours):
            yield _rank_label((file, rank))


def connected_passed_pawn(board: chess.Board) -> Iterator[str]:
    return map(_rank_label, _connected(board))


def foremost_connected_passed_pawn(board: chess.Board) -> Iterator[str]:
    passers = _passed(board)
    for file, rank in _connected(board):
        if (file - 1, rank + 1) not in passers and (file + 1, rank + 1) not in passers:
            yield _rank_label((file, rank))


def passed_pawn_with_neighbour(board: chess.Board) -> Iterator[str]:
    passers = _passed(board)
    for pawn in passers:
        if any(abs(pawn[0] - other[0]) == 1 for other in passers):
            yield _rank_label(pawn)


def connected_passed_pawn_in_rook_ending(board: chess.Board) -> Iterator[str]:
    both = all(board.pieces(chess.ROOK, colour) for colour in chess.COLORS)
    if both and _others(board) == {chess.ROOK}:
        yield from map(_rank_label, _connected(board))


def distant_passed_pawn_in_pawn_ending(board: chess.Board) -> Iterator[str]:
    if _others(board):
        return
    passers = _passed(board)
    alone = [pawn for pawn in passers if not any(abs(pawn[0] - other[0]) == 1 for other in passers)]
    for pawn in alone:
        if any(abs(pawn[0] - other[0]) >= 2 for other in alone):
            yield ""


def outside_passed_pawn(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    for pawn in _passed(board):
        others = [other for other in ours + theirs if other != pawn]
        if others and all(abs(pawn[0] - other[0]) >= 3 for other in others):
            yield _rank_label(pawn)


def wing_passed_pawn(board: chess.Board) -> Iterator[str]:
    _, theirs = _pawns_of(board)
    for pawn in _passed(board):
        if theirs and all((other[0] < 4) != (pawn[0] < 4) for other in theirs):
            yield _rank_label(pawn)
