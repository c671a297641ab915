"""The numbers count rules give for each side, position by position: attack units, pawn counts, moves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compiled import call_count, kernel
from .errors import InputError
from .positions import Positions
from .side import FIELDS, board_columns, describe
from .term import COUNT, Term


@kernel
def numbers_of_rows(boards: Any, white_to_move: Any, address: int, out: Any) -> None:
    """Fills `out` (rows, 2) with the answers of the count rule at an address for White and for Black."""
    white = np.zeros(FIELDS, np.uint64)
    black = np.zeros(FIELDS, np.uint64)
    for row in range(len(out)):
        describe(white, black, boards, white_to_move, row)
        out[row, 0] = call_count(address, white.ctypes.data)
        out[row, 1] = call_count(address, black.ctypes.data)


def numbers_of(term: Term, positions: Positions) -> NDArray[np.int64]:
    """(rows, 2): White's and Black's number by a count rule, before it picks a column.

    Raises InputError for a term that returns squares.
    """
    if term.kind != COUNT:
        raise InputError(f"the term {term.name} marks squares; only terms that count have a number")
    out = np.zeros((len(positions), 2), np.int64)
    numbers_of_rows(board_columns(positions), positions.white_to_move, term.compiled.address, out)
    return out
