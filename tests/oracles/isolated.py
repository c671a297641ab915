"""Oracles of isolated and half-isolated pawns."""

from collections.abc import Iterator

import chess

from .squares import Place
from .squares import attacked_by_pawn as _attacked_by_pawn
from .squares import file_label as _file_label
from .squares import pawns_of as _pawns_of
from .squares import rank_label as _rank_label


def _empty_sides(pawn: Place, ours: list[Place]) -> int:
    """On how many of its two sides a pawn has no own pawn on the next file, the edge included."""
    return sum(all(other[0] != file for other in ours) for file in (pawn[0] - 1, pawn[0] + 1))


def _is_open(pawn: Place, theirs: list[Place]) -> bool:
    return not any(other[0] == pawn[0] and other[1] > pawn[1] for other in theirs)


def isolated_open_pawn(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    for pawn in ours:
        if _empty_sides(pawn, ours) == 2 and _is_open(pawn, theirs):
            yield _file_label(pawn)


def half_isolated_pawn(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    return (_file_label(pawn) for pawn in ours if _empty_sides(pawn, ours) == 1)


def pawn_lacking_a_neighbour(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    return (_file_label(pawn) for pawn in ours if _empty_sides(pawn, ours) >= 1)


def isolated_queen_pawn(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    return ("" for pawn in ours if pawn[0] == 3 and _empty_sides(pawn, ours) == 2)


def hanging_pawn(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)

    def hangs(pawn: Place) -> bool:
        alone = pawn in ours and _empty_sides(pawn, ours) == 1 and _is_open(pawn, theirs)
        return alone and not _attacked_by_pawn(board, pawn, chess.WHITE)

    for file, rank in ours:
        for west in (file - 1, file):
            pair = [(west, rank), (west + 1, rank)]
            beyond = [(west - 1, rank), (west + 2, rank)]
            if all(map(hangs, pair)) and not any(other in ours for other in beyond):
                yield _rank_label((file, rank))
