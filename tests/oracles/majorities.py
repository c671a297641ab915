"""Oracles of pawn majorities."""

from collections.abc import Iterator

import chess

from .squares import pawns_of as _pawns_of

_HALVES = {"queenside": "abcd", "kingside": "efgh"}
_OUTER = {"queenside": "abc", "kingside": "fgh"}


def _majorities(board: chess.Board, wings: dict[str, str]) -> Iterator[tuple[str, bool]]:
    """Each wing where White has more pawns, and whether the majority is crippled."""
    ours, theirs = ([chess.FILE_NAMES[pawn[0]] for pawn in pawns] for pawns in _pawns_of(board))
    for name, files in wings.items():
        own = [file for file in ours if file in files]
        against = sum(file in files for file in theirs)
        if len(own) > against:
            yield name, len(set(own)) <= against


def pawn_majority(board: chess.Board) -> Iterator[str]:
    return (name for name, _ in _majorities(board, _HALVES))


def outer_pawn_majority(board: chess.Board) -> Iterator[str]:
    return (name for name, _ in _majorities(board, _OUTER))


def crippled_majority(board: chess.Board) -> Iterator[str]:
    return (name for name, crippled in _majorities(board, _HALVES) if crippled)


def crippled_outer_majority(board: chess.Board) -> Iterator[str]:
    return (name for name, crippled in _majorities(board, _OUTER) if crippled)
