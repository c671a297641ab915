"""Oracles of doubled pawns."""

from collections.abc import Iterator

import chess

from .squares import Place
from .squares import adjacent as _adjacent
from .squares import file_label as _file_label
from .squares import pawns_of as _pawns_of
from .squares import rank_label as _rank_label


def _ahead(pawn: Place, others: list[Place]) -> int:
    return sum(other[0] == pawn[0] and other[1] > pawn[1] for other in others)


def _behind(pawn: Place, others: list[Place]) -> int:
    return sum(other[0] == pawn[0] and other[1] < pawn[1] for other in others)


def doubled_front_pawn(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    return (_rank_label(pawn) for pawn in ours if _behind(pawn, ours))


def doubled_open_pawn(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    return (_file_label(pawn) for pawn in ours if _ahead(pawn, ours) and not _ahead(pawn, theirs))


def doubled_pawn_pairs(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    return ("" for pawn in ours for _ in range(_ahead(pawn, ours)))


def tripled_pawn(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    return (_file_label(pawn) for pawn in ours if _ahead(pawn, ours) and _behind(pawn, ours))


def rear_twin(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    for pawn in ours:
        if _ahead(pawn, ours) == 1 and _behind(pawn, ours) == 0:
            yield _rank_label(pawn)


def front_twin(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    for pawn in ours:
        if _ahead(pawn, ours) == 0 and _behind(pawn, ours) == 1:
            yield _rank_label(pawn)


def _rear_ones(board: chess.Board) -> Iterator[tuple[bool, bool]]:
    """For each rear doubled pawn: whether enemy and own pawns are on adjacent files."""
    ours, theirs = _pawns_of(board)
    for pawn in ours:
        if _ahead(pawn, ours):
            yield any(_adjacent(pawn, t) for t in theirs), any(_adjacent(pawn, o) for o in ours)


def doubled_pawn_with_support(board: chess.Board) -> Iterator[str]:
    return ("" for enemy, own in _rear_ones(board) if enemy and own)


def doubled_pawn_without_support(board: chess.Board) -> Iterator[str]:
    return ("" for enemy, own in _rear_ones(board) if enemy and not own)


def doubled_pawn_held(board: chess.Board) -> Iterator[str]:
    return ("" for enemy, _ in _rear_ones(board) if not enemy)
