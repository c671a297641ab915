"""Oracles of terms about where pieces stand."""

from collections.abc import Iterator

import chess

from .squares import attacked_by_pawn as _attacked_by_pawn
from .squares import pawns_of as _pawns_of
from .squares import places as _places


def rook_on_open_file(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    for rook in _places(board, chess.ROOK, chess.WHITE):
        if all(pawn[0] != rook[0] for pawn in ours + theirs):
            yield ""


def rook_on_half_open_file(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    for rook in _places(board, chess.ROOK, chess.WHITE):
        own = any(pawn[0] == rook[0] for pawn in ours)
        enemy = any(pawn[0] == rook[0] for pawn in theirs)
        if enemy and not own:
            yield ""


def rook_on_seventh(board: chess.Board) -> Iterator[str]:
    return ("" for rook in _places(board, chess.ROOK, chess.WHITE) if rook[1] == 6)


def knight_outpost(board: chess.Board) -> Iterator[str]:
    _, theirs = _pawns_of(board)
    for file, rank in _places(board, chess.KNIGHT, chess.WHITE):
        hunted = any(abs(pawn[0] - file) == 1 and pawn[1] > rank for pawn in theirs)
        if 3 <= rank <= 5 and not hunted and _attacked_by_pawn(board, (file, rank), chess.WHITE):
            yield ""


def _pawns_ahead(board: chess.Board, rook: tuple[int, int]) -> tuple[bool, bool]:
    """Whether a rook has an own and an enemy pawn ahead of it on its file."""
    ours, theirs = _pawns_of(board)
    return tuple(any(p[0] == rook[0] and p[1] > rook[1] for p in pawns) for pawns in (ours, theirs))


def rook_open_ahead(board: chess.Board) -> Iterator[str]:
    for rook in _places(board, chess.ROOK, chess.WHITE):
        if _pawns_ahead(board, rook) == (False, False):
            yield ""


def rook_half_open_ahead(board: chess.Board) -> Iterator[str]:
    for rook in _places(board, chess.ROOK, chess.WHITE):
        if _pawns_ahead(board, rook) == (False, True):
            yield ""
