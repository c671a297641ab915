"""Oracles of pawn chains."""

from collections.abc import Iterator

import chess

from .squares import Place
from .squares import pawns_of as _pawns_of
from .squares import rank_label as _rank_label
from .squares import square as _square
from .squares import whole as _whole


def _links(pawn: Place, ours: list[Place], east: int) -> tuple[bool, bool]:
    """(defended, defends) along the diagonal that goes up to the east (1) or to the west (-1)."""
    file, rank = pawn
    return (file - east, rank - 1) in ours, (file + east, rank + 1) in ours


def _linked(board: chess.Board, wanted: tuple[bool, bool]) -> list[Place]:
    ours, _ = _pawns_of(board)
    return [pawn for pawn in ours if any(_links(pawn, ours, east) == wanted for east in (1, -1))]


def _on_both(board: chess.Board) -> Iterator[tuple[Place, int, int]]:
    """Each pawn, how many pawns defend it and how many it defends."""
    ours, _ = _pawns_of(board)
    for pawn in ours:
        defended, defends = zip(*(_links(pawn, ours, east) for east in (1, -1)), strict=True)
        yield pawn, sum(defended), sum(defends)


def twice_defended_pawn(board: chess.Board) -> Iterator[str]:
    return (_rank_label(pawn) for pawn, defended, _ in _on_both(board) if defended == 2)


def defending_pawn(board: chess.Board) -> Iterator[str]:
    return (_rank_label(pawn) for pawn, _, defends in _on_both(board) if defends)


def inner_chain_pawn(board: chess.Board) -> Iterator[str]:
    return _whole(_linked(board, (True, True)))


def chain_base(board: chess.Board) -> Iterator[str]:
    return map(_rank_label, _linked(board, (False, True)))


def attacked_chain_base(board: chess.Board) -> Iterator[str]:
    bases = _linked(board, (False, True))
    return ("" for base in bases if board.is_attacked_by(chess.BLACK, _square(base)))


def undefended_chain_base(board: chess.Board) -> Iterator[str]:
    return ("" for _, defended, defends in _on_both(board) if defends and not defended)


def chain_peak(board: chess.Board) -> Iterator[str]:
    return map(_rank_label, _linked(board, (True, False)))


def undefending_chain_peak(board: chess.Board) -> Iterator[str]:
    return ("" for _, defended, defends in _on_both(board) if defended and not defends)
