"""Splits into train and validation rows: by game, never by position.

Positions of one game share its result; a split by position lets the fit see the validation games and
hides over-fitting completely.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError
from evalcore.filters.base import board_keys, mixed
from evalcore.positions import NO_GAME, Positions

Rows = NDArray[np.int64]

BY_GAME, BY_BOARD, MIXED = "game", "identical board", "game where known, else identical board"
BY_POSITION = "position"
UNITS = {
    BY_GAME: ("game", "games"),
    BY_BOARD: ("board", "boards"),
    MIXED: ("game or board", "games or boards"),
    BY_POSITION: ("position", "positions"),
}
"""One and several groups of each kind, in sentences."""


@dataclass(frozen=True, eq=False)
class Groups:
    """`of_row` (rows,) numbers the group of each row from 0; rows of a group are never separated."""

    of_row: NDArray[np.int64]
    count: int
    kind: str


def group(positions: Positions) -> Groups:
    """Games where the data name them; elsewhere rows with the same board and side to move.

    Rows without a board, of an engine's own trace, are groups of their own.
    """
    known = positions.game != NO_GAME
    if known.all():
        _, of_row = np.unique(positions.game, return_inverse=True)
        return Groups(of_row, int(of_row.max(initial=-1)) + 1, BY_GAME)
    boards = "pawns" not in positions.unknown
    keys = board_keys(positions) if boards else mixed(np.arange(len(positions), dtype=np.uint64))
    # games get keys of their own: small numbers, where hashes are spread over 64 bits
    keys[known] = positions.game[known]
    _, of_row = np.unique(keys, return_inverse=True)
    kind = MIXED if known.any() else BY_BOARD if boards else BY_POSITION
    return Groups(of_row, int(of_row.max(initial=-1)) + 1, kind)


def single(rows: int) -> Groups:
    """Every row a group of its own: for splits by position, which hide over-fitting."""
    return Groups(np.arange(rows), rows, BY_POSITION)


def split(groups: Groups, share: float, rng: np.random.Generator) -> tuple[Rows, Rows]:
    """(train rows, validation rows), ascending; whole groups until about `share` of the rows is validation.

    Raises InputError where there are too few groups for both parts.
    """
    rows = np.arange(len(groups.of_row))
    if share == 0.0:
        return rows, rows[:0]
    if groups.count < 2:
        raise InputError(
            f"all {len(rows):,} positions are of one {groups.kind}, which cannot be split into training and"
            " validation; set validation=0 to fit on all of them"
        )
    sizes = np.bincount(groups.of_row, minlength=groups.count)
    order = rng.permutation(groups.count)
    taken = np.cumsum(sizes[order]) <= share * len(rows)
    if not taken.any():  # every game is larger than the share: the smallest is the nearest
        taken[np.argmin(sizes[order])] = True
    chosen = np.zeros(groups.count, bool)
    chosen[order[taken]] = True
    held_out = chosen[groups.of_row]
    return rows[~held_out], rows[held_out]
