"""Where the evaluation is wrong: mean residuals by kind of position, and the worst positions of all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evalcore.positions import Positions

from .predictions import Predictions, means

if TYPE_CHECKING:
    import pandas as pd

Integers = NDArray[np.int64]
Cells = tuple[Integers, list[str]]
"""The cell of each row, and the names of the cells."""

PAWNS_WORTH = {"pawns": 1, "knights": 3, "bishops": 3, "rooks": 5, "queens": 9}
DARK = np.uint64(0xAA55_AA55_AA55_AA55)
MOST = 6
"""Material balances beyond this many pawns share a cell."""


def residuals_table(predictions: Predictions, positions: Positions, phase: Cells) -> pd.DataFrame:
    """Mean residuals by phase, side to move, material balance, kind of ending, and ply.

    `positions` and `phase` (see `phase_cells`) are those of the predictions' rows.

    Columns: by, group, rows, games, predicted, result, white, white_se, favourite, favourite_se, loss.
    `white` is mean(result − predicted) in White's view, `favourite` the same from the side the evaluation
    prefers: negative where the evaluation is too sure. Errors are clustered by game.
    """
    import pandas as pd

    residual = predictions.target - predictions.predicted
    favourite = residual * np.where(predictions.predicted >= 0.5, 1.0, -1.0)
    values = np.column_stack(
        [predictions.predicted, predictions.target, residual, favourite, predictions.loss]
    )
    parts = []
    known = {by: kind(positions) for by, kind in KINDS.items() if NEEDED[by] not in positions.unknown}
    for by, (cell, names) in {"phase": phase, **known}.items():
        found = means(values, predictions.weight, cell, predictions.game, len(names))
        used = np.flatnonzero(found.rows)
        predicted, result, white, favoured, loss = found.mean[used].T
        parts.append(
            pd.DataFrame(
                {
                    "by": by,
                    "group": [names[index] for index in used],
                    "rows": found.rows[used],
                    "games": found.games[used],
                    "predicted": predicted,
                    "result": result,
                    "white": white,
                    "white_se": found.se[used, 2],
                    "favourite": favoured,
                    "favourite_se": found.se[used, 3],
                    "loss": loss,
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def phase_cells(phase: NDArray[np.float32], maximum: float, cells: int = 6) -> Cells:
    """Equal ranges of the phase, from endgame to midgame."""
    edges = np.linspace(0.0, maximum, cells + 1)
    cell = np.clip(np.searchsorted(edges, phase, side="right") - 1, 0, cells - 1)
    names = [f"{low:g}–{high:g}" for low, high in pairwise(edges)]
    names[0], names[-1] = f"{names[0]} (endgame)", f"{names[-1]} (midgame)"
    return cell, names


def by_side_to_move(positions: Positions) -> Cells:
    """White or Black to move."""
    return np.where(positions.white_to_move, 0, 1), ["White to move", "Black to move"]


def by_balance(positions: Positions) -> Cells:
    """Material, White's minus Black's, in pawns (1, 3, 3, 5, 9)."""
    balance = np.zeros(len(positions), np.int64)
    for name, worth in PAWNS_WORTH.items():
        squares = getattr(positions, name)
        for side, sign in ((squares & positions.white, 1), (squares & ~positions.white, -1)):
            balance += sign * worth * np.bitwise_count(side).astype(np.int64)
    names = [f"{number:+d}".replace("-", "−") for number in range(-MOST, MOST + 1)]
    names[0], names[MOST], names[-1] = f"−{MOST} or less", "0", f"+{MOST} or more"
    return np.clip(balance, -MOST, MOST) + MOST, names


ENDINGS = (
    "pawns only", "rooks", "opposite bishops", "minor pieces", "queens", "no queens", "queens and more",
)  # fmt: skip


def by_ending(positions: Positions) -> Cells:
    """What is on the board apart from kings and pawns; the first kind that fits."""
    minors, bishops = positions.knights | positions.bishops, positions.bishops
    none = np.uint64(0)
    bare = {name: getattr(positions, name) == none for name in ("knights", "bishops", "rooks", "queens")}
    one_each = (np.bitwise_count(bishops) == 2) & (np.bitwise_count(bishops & positions.white) == 1)
    unlike = (np.bitwise_count(bishops & DARK) == 1) & one_each
    no_minors, no_heavy = minors == none, bare["rooks"] & bare["queens"]
    kinds = [
        no_minors & no_heavy,
        no_minors & bare["queens"],
        no_heavy & bare["knights"] & unlike,
        no_heavy,
        no_minors & bare["rooks"],
        bare["queens"],
    ]
    return np.select(kinds, range(len(kinds)), len(kinds)).astype(np.int64), list(ENDINGS)


def by_ply(positions: Positions) -> Cells:
    """Half-moves since the start of the game, in steps of 40."""
    return np.minimum(positions.ply // 40, 5).astype(np.int64), [
        "ply 0–39", "40–79", "80–119", "120–159", "160–199", "200 or later",
    ]  # fmt: skip


KINDS: Mapping[str, Callable[[Positions], Cells]] = {
    "side to move": by_side_to_move,
    "material balance": by_balance,
    "pieces": by_ending,
    "ply": by_ply,
}
"""How positions are sorted into groups, besides the phase."""
NEEDED = {"side to move": "white_to_move", "material balance": "pawns", "pieces": "pawns", "ply": "pawns"}
"""A column of the board without which a kind says nothing."""


def worst_table(predictions: Predictions, positions: Positions, most: int = 24) -> pd.DataFrame:
    """The judged positions of largest loss, at most one a game.

    Columns: fen, result, predicted, score (fitted, cp), data_score (of the data, cp), loss, game, ply.
    `positions` are those of the predictions' rows.
    """
    import pandas as pd

    order = np.lexsort((np.arange(len(predictions)), -predictions.loss))
    _, first = np.unique(predictions.game[order], return_index=True)
    chosen = order[np.sort(first)[:most]]
    if "pawns" in positions.unknown:  # rows of an engine's own trace: there is no board to show
        chosen = chosen[:0]
    worst, there = predictions.select(chosen), positions.select(chosen)
    return pd.DataFrame(
        {
            "fen": [there.board(row).fen() for row in range(len(there))],
            "result": worst.target,
            "predicted": worst.predicted,
            "score": worst.score,
            "data_score": there.score,
            "loss": worst.loss,
            "game": there.game,
            "ply": there.ply,
        }
    )
