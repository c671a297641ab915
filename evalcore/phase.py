"""The phase of the game: how far a position is from the endgame, by the men on the board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .extraction import fill_phases
from .positions import Positions
from .side import board_columns


@dataclass(frozen=True)
class Phase:
    """Weights of the men (P N B R Q K); their sum, at most `maximum`, says how far the end of the game is."""

    weights: tuple[float, ...] = (0, 1, 1, 2, 4, 0)
    maximum: float = 24

    def of(self, positions: Positions) -> NDArray[np.float64]:
        """The phase of every row, 0 … maximum."""
        out = np.zeros(len(positions))
        fill_phases(board_columns(positions), np.array(self.weights, float), float(self.maximum), out)
        return out


DEFAULT_PHASE = Phase()
"""Minor pieces 1, rooks 2, queens 4: 24 at the start of the game."""
