"""Whose view the scores in engine comments are from: found out from their signs, engine by engine.

Most engines write scores of the side that moved, some those of White, and nothing in a PGN says which.
White's comments are White's view in either case. Black's are White's when they have the sign of White's
comments next to them, and Black's own when they have the other sign. (Counted on 150 cutechess games:
0 same, 11,226 other; on games of TCEC: 1,749 same, 0 other.)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..positions import Positions
from .base import PointOfView
from .pgn_comments import ENGINE

DECIDED = 70.0
"""Centipawns beyond which two neighbouring scores ought to agree on who is better."""
ENOUGH_PAIRS, CLEAR_SHARE = 8, 0.9
NOTE_UNCLEAR = "scores whose point of view is not clear, taken as no score"


@dataclass
class Pairs:
    """Pairs of neighbouring scores with the same and with the other sign, as seen so far: for each engine
    that played Black, and in all."""

    same: Counter[bytes] = field(default_factory=Counter)
    other: Counter[bytes] = field(default_factory=Counter)
    total_same: int = 0
    total_other: int = 0

    def add(self, engine: bytes, same: int, other: int) -> None:
        """Counts the pairs of one game."""
        if same or other:
            self.same[engine] += same
            self.other[engine] += other
            self.total_same += same
            self.total_other += other

    def summary(self) -> str:
        """What was seen, in words; empty where there was nothing to see."""
        pairs = self.total_same + self.total_other
        if not pairs:
            return ""
        return (
            f"engine scores: Black's have the sign of White's in {self.total_same:,} of {pairs:,} decided"
            " neighbouring pairs (none: the mover's view; all: White's)"
        )


def pair_signs(
    kinds: NDArray[np.uint8], scores: NDArray[np.float32], games: NDArray[np.int64]
) -> NDArray[np.int8]:
    """For each row but the last: 1 if it and the next have decided scores of one sign, -1 if not, else 0."""
    decided = (kinds == ENGINE) & (np.abs(scores) > DECIDED)
    pairs = decided[1:] & decided[:-1] & (games[1:] == games[:-1])
    return np.where(pairs, np.where((scores[1:] > 0) == (scores[:-1] > 0), 1, -1), 0).astype(np.int8)


def verdict(same: int, other: int) -> PointOfView | None:
    """The point of view that some pairs show, if they are enough and agree."""
    pairs = same + other
    if pairs < ENOUGH_PAIRS:
        return None
    if same >= CLEAR_SHARE * pairs:
        return "white"
    return "side-to-move" if other >= CLEAR_SHARE * pairs else None


def view_of_game(pairs: Pairs, engine: bytes, same: int, other: int) -> PointOfView | None:
    """Whose view Black's comments in a game are from: what the engine, the game or the file shows.

    Where a file has too few pairs to show anything, the convention of match runners holds.
    """
    found = verdict(pairs.same[engine], pairs.other[engine]) or verdict(same, other)
    if found or pairs.total_same + pairs.total_other >= ENOUGH_PAIRS:
        return found or verdict(pairs.total_same, pairs.total_other)
    return "side-to-move" if pairs.total_other >= pairs.total_same else None


def black_views(
    pairs: Pairs, engines: list[bytes], signs: NDArray[np.int8], games: NDArray[np.int64]
) -> list[PointOfView | None]:
    """The view of each game's black engine; adds the pairs of these games to what was seen."""
    same = np.bincount(games[:-1][signs > 0], minlength=len(engines))
    other = np.bincount(games[:-1][signs < 0], minlength=len(engines))
    for number, engine in enumerate(engines):
        pairs.add(engine, int(same[number]), int(other[number]))
    return [
        view_of_game(pairs, engine, int(same[number]), int(other[number]))
        for number, engine in enumerate(engines)
    ]


def in_white_view(
    positions: Positions, kinds: NDArray[np.uint8], games: NDArray[np.int64], views: list[PointOfView | None]
) -> NDArray[np.float32]:
    """Scores in White's view; NaN where Black's comments are nobody knows whose."""
    codes = np.array([{"white": 1, "side-to-move": -1, None: np.nan}[view] for view in views], np.float32)
    blacks = (kinds == ENGINE) & ~positions.white_to_move
    return np.where(blacks, positions.score * codes[games], positions.score)
