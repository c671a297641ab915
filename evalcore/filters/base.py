"""What a step of a pipeline is: blocks of positions in, blocks out, everything left out counted by reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..positions import NO_GAME, PIECE_COLUMNS, Positions

Mask = NDArray[np.bool_]
Key = NDArray[np.uint64]


@dataclass
class Tally:
    """How many positions went in and came out, and why the others were left out.

    `notes` counts what was changed or seen but kept.
    """

    read: int = 0
    kept: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)

    def drop(self, reason: str, count: int) -> None:
        """Counts positions that are left out."""
        if count:
            self.dropped[reason] += count

    def note(self, reason: str, count: int) -> None:
        """Counts positions that are kept with a change, or a thing worth knowing."""
        if count:
            self.notes[reason] += count


class Step(Protocol):
    """One step of a pipeline: a frozen dataclass whose fields are its options.

    `run` yields the blocks that are left, in order, and tells the tally what it left out. Steps that
    choose at random do it from the content of a row and a seed, so that the size of blocks and the
    number of threads change nothing.
    """

    def run(self, blocks: Iterable[Positions], tally: Tally) -> Iterator[Positions]:
        """The blocks that are left."""
        ...


def keep(positions: Positions, reasons: list[tuple[str, Mask]], tally: Tally) -> Positions:
    """The rows that no reason speaks against; a row counts for the first of its reasons."""
    left_out = np.zeros(len(positions), np.bool_)
    for reason, mask in reasons:
        tally.drop(reason, int((mask & ~left_out).sum()))
        left_out |= mask
    return positions.select(~left_out) if left_out.any() else positions


def mixed(word: Key) -> Key:
    """The finaliser of SplitMix64 (Steele, Lea and Flood 2014), after adding its constant."""
    word = word + np.uint64(0x9E37_79B9_7F4A_7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58_476D_1CE4_E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D0_49BB_1331_11EB)
    return word ^ (word >> np.uint64(31))


def board_keys(positions: Positions) -> Key:
    """A 64-bit hash of each position without its clocks: men, side to move, castling, en passant."""
    key = mixed(positions.white_to_move.astype(np.uint64))
    for name in (*PIECE_COLUMNS, "white", "castling_rights"):
        key = mixed(key ^ mixed(getattr(positions, name)))
    return mixed(key ^ positions.ep_square.astype(np.uint64))


def group_keys(positions: Positions) -> Key:
    """A hash of the game of each row, of its board where the game is unknown."""
    known = positions.game != NO_GAME
    return np.where(known, mixed(positions.game.astype(np.uint64)), board_keys(positions))


def chances(keys: Key, seed: int) -> NDArray[np.float64]:
    """A number from 0 to 1 for each key, the same for the same key and seed."""
    salt = mixed(np.array([seed], np.uint64))
    return (mixed(keys ^ salt) >> np.uint64(11)).astype(np.float64) * 2.0**-53
