"""Oracles of the pawns of one side as a whole."""

from collections.abc import Iterator
from itertools import groupby, pairwise

import chess

from .squares import pawns_of as _pawns_of


def _islands(board: chess.Board) -> int:
    ours, _ = _pawns_of(board)
    occupied = [any(pawn[0] == file for pawn in ours) for file in range(8)]
    return sum(has_pawns for has_pawns, _ in groupby(occupied))


def pawn_island(board: chess.Board) -> Iterator[str]:
    return ("" for _ in range(_islands(board)))


def pawn_dispersion(board: chess.Board) -> Iterator[str]:
    return ("" for _ in range(abs(3 * _islands(board) ** 2 - len(_pawns_of(board)[0]))))


def islands_and_pawns(board: chess.Board) -> Iterator[str]:
    islands, pawns = _islands(board), len(_pawns_of(board)[0])
    yield f"{islands} islands, {pawns} pawns" if pawns else "no pawns"


def _steps(heights: list[int]) -> Iterator[str]:
    return ("" for one, other in pairwise(heights) for _ in range(abs(one - other)))


def pawn_distortion(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    return _steps([max((p[1] + 1 for p in ours if p[0] == file), default=0) for file in range(8)])


def pawn_reverse_distortion(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    return _steps([max((8 - p[1] for p in ours if p[0] == file), default=0) for file in range(8)])


def pawn_triangle(board: chess.Board) -> Iterator[str]:
    pawn = chess.Piece(chess.PAWN, chess.WHITE)
    if all(board.piece_at(square) == pawn for square in (chess.C4, chess.D3, chess.E4)):
        yield ""
