"""Comparison training: the move that was played against moves that were not (Nitsche, Marsland, Tesauro).

Where the data hold the next position of a game too, in whatever order, the move between is known. Its
position is compared, in the view of the player, with those after some other legal moves: one ply deep, as
the pioneers did.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.compiled import kernel
from evalcore.moves import WORDS, make
from evalcore.moves_generate import MOST_MOVES, legal_moves
from evalcore.moves_rows import positions_of, quiet_rows, states_of
from evalcore.positions import NO_GAME, Positions

from .pairs import NoPairs

Rows = NDArray[np.int64]

PLIES = 1 << 17
"""More than any game has."""
WHOLE_GAMES = "convert a PGN, and filter nothing out"
BOARD_WORDS = 8
"""The words of a state that tell positions apart here: men by kind, White's men, side to move."""


@dataclass(frozen=True, eq=False)
class Siblings:
    """Positions after moves; pairs (better, worse) of their rows in White's view, and the parent of each."""

    positions: Positions
    better: Rows
    worse: Rows
    parent: Rows


def siblings(
    positions: Positions, rows: Rows, others: int, rng: np.random.Generator, *, quiet: bool = True
) -> Siblings:
    """For each of `rows` whose successor is in the data: the played position and up to `others` siblings.

    `quiet` leaves out what static exchange says is not quiet, since a one-ply score of a hanging man says
    nothing about the move. Raises NoPairs where the data hold no two positions in a row.
    """
    rows, after = _followed(positions, rows)
    if not len(rows):
        raise NoPairs(
            "no position has the next one of its game in the data, so the moves that were played are not"
            f" known; comparison needs games: {WHOLE_GAMES}"
        )
    words, parent, played = _expanded(positions, rows, after, others, rng)
    children = positions_of(words, game=positions.game[parent])
    kept = quiet_rows(children) if quiet else np.ones(len(children), bool)
    return _paired(children, parent, played, kept, positions.white_to_move)


def _followed(positions: Positions, rows: Rows) -> tuple[Rows, Rows]:
    """Those of `rows` whose next ply of the same game is in the data, and where it is."""
    place = positions.game.astype(np.int64) * PLIES + positions.ply
    order = np.argsort(place, kind="stable")
    ordered = place[order]
    found = np.minimum(np.searchsorted(ordered, place[rows] + 1), len(order) - 1)
    known = (ordered[found] == place[rows] + 1) & (positions.game[rows] != NO_GAME)
    return rows[known], order[found[known]]


def _expanded(
    positions: Positions, rows: Rows, after: Rows, others: int, rng: np.random.Generator
) -> tuple[NDArray[np.uint64], Rows, NDArray[np.bool_]]:
    """States after moves as columns, the row each comes from, and whether the move was played."""
    states = np.ascontiguousarray(states_of(positions.select(rows)))
    targets = np.ascontiguousarray(states_of(positions.select(after))[:, :BOARD_WORDS])
    capacity = len(rows) * (others + 1)
    words = np.empty((WORDS, capacity), np.uint64)
    parent, played = np.empty(capacity, np.int64), np.empty(capacity, np.bool_)
    luck = rng.random((len(rows), max(others, 1)))
    used = expand(states, targets, luck, others, words, parent, played)
    return words[:, :used], rows[parent[:used]], played[:used]


def _paired(children: Positions, parent: Rows, played: Any, kept: Any, white_to_move: Any) -> Siblings:
    """Pairs of the played child of each parent with its other children, kept ones alone."""
    chosen, other = np.flatnonzero(played & kept), np.flatnonzero(~played & kept)
    place = np.searchsorted(parent[chosen], parent[other])  # parents ascend
    place = np.minimum(place, max(len(chosen) - 1, 0))
    known = parent[chosen][place] == parent[other] if len(chosen) else np.zeros(len(other), bool)
    best, other = chosen[place[known]], other[known]
    if not len(best):
        raise NoPairs("no played move has a quiet alternative to compare it with")
    white = white_to_move[parent[other]]
    better, worse = np.where(white, best, other), np.where(white, other, best)
    needed, places = np.unique(np.concatenate([better, worse]), return_inverse=True)
    half = len(better)
    return Siblings(children.select(needed), places[:half], places[half:], parent[needed])


@kernel
def expand(states: Any, targets: Any, luck: Any, others: int, words: Any, parent: Any, played: Any) -> int:
    """Plays the move that leads to each target, and `others` random ones; returns the number of positions."""
    moves = np.empty(MOST_MOVES, np.int64)
    child = np.empty(WORDS, np.uint64)
    used = 0
    for row in range(len(states)):
        count = legal_moves(states[row], moves)
        found = -1
        for index in range(count):
            child[:] = states[row]
            make(child, moves[index])
            same = True
            for word in range(targets.shape[1]):
                same = same and child[word] == targets[row, word]
            if same:
                found = index
                break
        if found < 0:
            continue
        moves[0], moves[found] = moves[found], moves[0]
        for index in range(min(others + 1, count)):
            if index > 0:  # a random one of those that are left
                pick = index + int(luck[row, index - 1] * (count - index))
                moves[index], moves[pick] = moves[pick], moves[index]
            child[:] = states[row]
            make(child, moves[index])
            words[:, used] = child
            parent[used], played[used] = row, index == 0
            used += 1
    return used
