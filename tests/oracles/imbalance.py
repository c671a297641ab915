"""Oracles of pairs and of values that change with the number of pawns."""

from collections.abc import Callable, Iterator
from itertools import combinations, combinations_with_replacement

import chess

from .squares import places as _places


def _pair(board: chess.Board, kind: chess.PieceType) -> Iterator[str]:
    if len(_places(board, kind, chess.WHITE)) >= 2:
        yield ""


def knight_pair(board: chess.Board) -> Iterator[str]:
    return _pair(board, chess.KNIGHT)


def rook_pair(board: chess.Board) -> Iterator[str]:
    return _pair(board, chess.ROOK)


def _by_own_pawns(board: chess.Board, kind: chess.PieceType) -> Iterator[str]:
    pawns = len(_places(board, chess.PAWN, chess.WHITE))
    return (str(pawns) for _ in _places(board, kind, chess.WHITE))


def knight_by_own_pawns(board: chess.Board) -> Iterator[str]:
    return _by_own_pawns(board, chess.KNIGHT)


def rook_by_own_pawns(board: chess.Board) -> Iterator[str]:
    return _by_own_pawns(board, chess.ROOK)


def _shades(board: chess.Board) -> set[int]:
    return {sum(at) % 2 for at in _places(board, chess.BISHOP, chess.WHITE)}


def bishop_pair_both_colors(board: chess.Board) -> Iterator[str]:
    if len(_shades(board)) == 2:
        yield ""


def bishop_pair_by_own_pawns(board: chess.Board) -> Iterator[str]:
    if len(_shades(board)) == 2:
        yield str(len(_places(board, chess.PAWN, chess.WHITE)))


_KINDS = {"pawn": 1, "knight": 2, "bishop": 3, "rook": 4, "queen": 5}
_Oracle = Callable[[chess.Board], Iterator[str]]


def _own_pairs(one: chess.PieceType, other: chess.PieceType) -> _Oracle:
    def pairs(board: chess.Board) -> Iterator[str]:
        men = [square for kind in {one, other} for square in board.pieces(kind, chess.WHITE)]
        kinds = sorted((one, other))
        for pair in combinations(men, 2):
            if sorted(board.piece_type_at(square) or 0 for square in pair) == kinds:
                yield ""

    return pairs


def _enemy_pairs(one: chess.PieceType, other: chess.PieceType) -> _Oracle:
    def pairs(board: chess.Board) -> Iterator[str]:
        return ("" for _ in board.pieces(one, chess.WHITE) for _ in board.pieces(other, chess.BLACK))

    return pairs


for _one, _other in combinations_with_replacement(_KINDS, 2):
    globals()[f"pairs_{_one}_{_other}"] = _own_pairs(_KINDS[_one], _KINDS[_other])
for _one, _other in combinations(_KINDS, 2):
    globals()[f"pairs_{_one}_enemy_{_other}"] = _enemy_pairs(_KINDS[_one], _KINDS[_other])
