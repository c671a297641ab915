"""Oracles of CPW-Engine's pawn terms: the loops of its page, looking along files from each pawn."""

from collections.abc import Iterator

import chess

from .squares import Place
from .squares import pawns_of as _pawns_of
from .squares import square as _square


def _name(at: Place) -> str:
    return chess.square_name(_square(at))


def _is_passed(at: Place, ours: list[Place], theirs: list[Place]) -> bool:
    for ahead in range(at[1] + 1, 8):
        if (at[0], ahead) in ours + theirs or (at[0] - 1, ahead) in theirs or (at[0] + 1, ahead) in theirs:
            return False
    return True


def _is_supported(at: Place, ours: list[Place]) -> bool:
    return any((at[0] + east, at[1] + north) in ours for east in (-1, 1) for north in (0, -1))


def cpw_passed_pawn(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    return (_name(at) for at in ours if _is_passed(at, ours, theirs) and not _is_supported(at, ours))


def cpw_protected_passer(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    return (_name(at) for at in ours if _is_passed(at, ours, theirs) and _is_supported(at, ours))
