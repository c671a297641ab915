"""Which of many positions are quiet, in check, or over: masks for filters."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compiled import kernel
from .moves import checkers, states_of
from .moves_exchange import is_quiet
from .moves_generate import has_legal_move
from .positions import Positions


@kernel
def _mark_quiet(states: Any, marks: Any) -> None:
    for row in range(len(states)):
        marks[row] = is_quiet(states[row])


@kernel
def _mark_checks(states: Any, marks: Any) -> None:
    for row in range(len(states)):
        marks[row] = checkers(states[row]) != 0


@kernel
def _mark_over(states: Any, marks: Any) -> None:
    for row in range(len(states)):
        marks[row] = not has_legal_move(states[row])


def quiet_rows(positions: Positions) -> NDArray[np.bool_]:
    """Positions that are not in check and where no legal capture or promotion wins material."""
    marks = np.empty(len(positions), np.bool_)
    _mark_quiet(states_of(positions), marks)
    return marks


def check_rows(positions: Positions) -> NDArray[np.bool_]:
    """Positions in which the side to move is in check."""
    marks = np.empty(len(positions), np.bool_)
    _mark_checks(states_of(positions), marks)
    return marks


def over_rows(positions: Positions) -> NDArray[np.bool_]:
    """Positions without a legal move: mate and stalemate."""
    marks = np.empty(len(positions), np.bool_)
    _mark_over(states_of(positions), marks)
    return marks
