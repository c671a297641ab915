"""What the fit is worth on games it has not seen, and what the pieces are worth as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .contrasts import evaluated
from .errors import Uncertainty
from .refit import game_losses

if TYPE_CHECKING:
    import pandas as pd

    from ..problem import Problem

Floats = NDArray[np.float64]

PIECES = ("pawn", "knight", "bishop", "rook", "queen")
SUMS = {
    "bishop − knight": {"bishop": 1.0, "knight": -1.0},
    "rook − bishop − pawn": {"rook": 1.0, "bishop": -1.0, "pawn": -1.0},
    "queen − 2 rooks": {"queen": 1.0, "rook": -2.0},
}
"""Exchanges whose balance is told besides the piece values."""


def losses_table(problem: Problem, tables: dict[str, Floats]) -> pd.DataFrame:
    """Losses of several tables of weights (the first is what the others are compared with).

    Columns: weights, set, rows, games, loss, se, gain, gain_se: `gain` is how much lower the loss is than
    the first one's, with the clustered error of this difference, which is far smaller than that of a loss.
    """
    import pandas as pd

    parts = [("train", problem.objective, problem.data.train)]
    if problem.held_out is not None:
        parts.append(("validation", problem.held_out, problem.data.validation))
    rows = []
    for name, objective, members in parts:
        game = problem.data.groups.of_row[members]
        count = int(game.max()) + 1
        found = {key: game_losses(objective, table, game, count) for key, table in tables.items()}
        first = next(iter(found.values()))
        for key, losses in found.items():
            gain = first.mean - losses.mean
            told = (key, name, len(members), len(np.unique(game)), losses.mean, losses.error())
            rows.append((*told, gain, losses.error(first)))
    names = ["weights", "set", "rows", "games", "loss", "se", "gain", "gain_se"]
    return pd.DataFrame(rows, columns=names)


def pieces_table(found: Uncertainty, occurrences: NDArray[np.int64]) -> pd.DataFrame:
    """What a piece is worth with the averages of its square table and mobility, as they occur in the data.

    Material, tables and mobility can replace each other; their sum is what the data determine.
    Columns: what, phase, value, start, se, naive_se, low, high. Empty where the evaluation has no material.
    """
    import pandas as pd

    if any(f"material_{piece}" not in found.parameters.layout.slices for piece in PIECES):
        return pd.DataFrame(columns=["what", "phase", "value", "start", "se", "naive_se", "low", "high"])
    whole = {piece: _whole(found, occurrences, piece) for piece in PIECES}
    wanted = {piece: {piece: 1.0} for piece in PIECES} | SUMS
    rows = []
    for what, amounts in wanted.items():
        for phase, name in enumerate(("mg", "eg")):
            coefficients = np.zeros((len(occurrences), 2))
            for piece, amount in amounts.items():
                coefficients[:, phase] += amount * whole[piece]
            each = evaluated(found, what, coefficients)
            start = float((coefficients * found.parameters.base).sum())
            rows.append((what, name, each.value, start, each.error, each.naive_error, each.low, each.high))
    return pd.DataFrame(rows, columns=["what", "phase", "value", "start", "se", "naive_se", "low", "high"])


def _whole(found: Uncertainty, occurrences: NDArray[np.int64], piece: str) -> Floats:
    """Shares (width,) of the weights that make up a piece."""
    layout = found.parameters.layout
    shares = np.zeros(len(layout))
    shares[layout.columns_of(f"material_{piece}")] = 1.0
    for term in (f"psqt_{piece}", f"{piece}_mobility"):
        if term in layout.slices:
            count = occurrences[layout.columns_of(term)]
            shares[layout.columns_of(term)] = count / max(int(count.sum()), 1)
    return shares
