"""Oracles of holes and outposts."""

from collections.abc import Iterator

import chess

from .candidates import _fakers_of
from .squares import Place
from .squares import attacked_by_pawn as _attacked_by_pawn
from .squares import pawns_of as _pawns_of
from .squares import place as _place
from .squares import places as _places
from .squares import square as _square
from .squares import whole as _whole


def _holes(board: chess.Board, files: str) -> list[Place]:
    ours, _ = _pawns_of(board)
    squares = [_place(chess.parse_square(file + rank)) for rank in "34" for file in files]
    return [
        (file, rank)
        for file, rank in squares
        if not any(abs(pawn[0] - file) == 1 and pawn[1] < rank for pawn in ours)
    ]


def hole(board: chess.Board) -> Iterator[str]:
    return _whole(_holes(board, "cdef"))


def hole_without_pawn(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    return ("" for at in _holes(board, "cdef") if at not in ours)


def hole_on_any_file(board: chess.Board) -> Iterator[str]:
    return _whole(_holes(board, "abcdefgh"))


def hole_attacked_by_pawn(board: chess.Board) -> Iterator[str]:
    return ("" for at in _holes(board, "cdef") if _attacked_by_pawn(board, at, chess.BLACK))


def hole_occupied_by_minor(board: chess.Board) -> Iterator[str]:
    minors = [chess.Piece.from_symbol("n"), chess.Piece.from_symbol("b")]
    return ("" for at in _holes(board, "cdef") if board.piece_at(_square(at)) in minors)


def hole_between_sentries(board: chess.Board) -> Iterator[str]:
    _, theirs = _pawns_of(board)
    for file, rank in _fakers_of(board):
        if {(file - 1, rank + 2), (file + 1, rank + 2)} <= set(theirs):
            yield ""


def _on_outposts(board: chess.Board, kind: chess.PieceType, defended: bool) -> Iterator[str]:
    _, theirs = _pawns_of(board)
    for file, rank in _places(board, kind, chess.WHITE):
        hunted = any(abs(pawn[0] - file) == 1 and pawn[1] > rank for pawn in theirs)
        backed = _attacked_by_pawn(board, (file, rank), chess.WHITE)
        if rank in (3, 4, 5) and not hunted and backed == defended:
            yield ""


def bishop_outpost(board: chess.Board) -> Iterator[str]:
    return _on_outposts(board, chess.BISHOP, True)


def knight_outpost_without_pawn(board: chess.Board) -> Iterator[str]:
    return _on_outposts(board, chess.KNIGHT, False)


def bishop_outpost_without_pawn(board: chess.Board) -> Iterator[str]:
    return _on_outposts(board, chess.BISHOP, False)
