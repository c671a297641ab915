"""Many positions as states and back, and masks for filters: quiet, in check, over."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compiled import kernel
from .moves import (
    BLACK_TO_MOVE,
    CASTLING,
    EP,
    FULLMOVE,
    HALFMOVE,
    WHITE,
    WORDS,
    checkers,
)
from .moves_exchange import is_quiet
from .moves_generate import has_legal_move
from .positions import PIECE_COLUMNS, Positions

LARGEST_CLOCK = np.uint64(0xFFFF)


def states_of(positions: Positions) -> NDArray[np.uint64]:
    """All rows as states: shape (n, WORDS)."""
    states = np.empty((len(positions), WORDS), np.uint64)
    for word, name in enumerate((*PIECE_COLUMNS, "white")):
        states[:, word] = getattr(positions, name)
    ep = positions.ep_square
    states[:, BLACK_TO_MOVE] = ~positions.white_to_move
    states[:, CASTLING] = positions.castling_rights
    states[:, EP] = np.where(ep >= 0, np.uint64(1) << np.maximum(ep, 0).astype(np.uint64), np.uint64(0))
    states[:, HALFMOVE] = positions.halfmove_clock
    states[:, FULLMOVE] = positions.fullmove_number
    return states


def positions_of(words: NDArray[np.uint64], **labels: Any) -> Positions:
    """Positions from states that lie as columns, shape (WORDS, n), without copying the bitboards.

    `ply` is counted from the move number unless given; further labels as in `Positions`.
    """
    ep = words[EP]
    fullmove = np.clip(words[FULLMOVE], np.uint64(1), LARGEST_CLOCK)
    plies = np.uint64(2) * (fullmove - np.uint64(1)) + words[BLACK_TO_MOVE]
    columns = {
        **dict(zip(PIECE_COLUMNS, words[: len(PIECE_COLUMNS)], strict=True)),
        "white": words[WHITE],
        "white_to_move": words[BLACK_TO_MOVE] == 0,
        "castling_rights": words[CASTLING],
        "ep_square": np.where(ep == 0, -1, np.bitwise_count(ep - np.uint64(1)).astype(np.int8)),
        "halfmove_clock": np.minimum(words[HALFMOVE], LARGEST_CLOCK),
        "fullmove_number": fullmove,
        "ply": np.minimum(plies, LARGEST_CLOCK),
    }
    return Positions.from_columns({**columns, **labels}, words.shape[1])


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
