"""Calibration: do positions that are predicted to score 70 % score 70 %?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .errors import quantile
from .predictions import Predictions, means

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

BINS = 20
FEW_GAMES = 10
"""Games of a bin under which the spread of its results says too little about chance."""


def calibration_table(predictions: Predictions, bins: int = BINS, level: float = 0.95) -> pd.DataFrame:
    """Mean result against mean prediction in `bins` equal bins of the prediction, for each set of rows.

    Columns: set, low, high (ends of the bin), rows, games, score (mean centipawns), predicted, result, se,
    result_low, result_high (clustered interval). Empty bins are left out. Where all positions of a bin
    ended alike, or it has few games, errors from their spread would be next to none; the interval is then at
    least Wilson's of as many results as there are games.
    """
    import pandas as pd

    parts = []
    for held_out, name in ((False, "train"), (True, "validation")):
        chosen = predictions.select(predictions.held_out == held_out)
        if len(chosen):
            parts.append(_one_set(chosen, name, bins, level))
    return pd.concat(parts, ignore_index=True)


def _one_set(rows: Predictions, name: str, bins: int, level: float) -> pd.DataFrame:
    import pandas as pd

    cell = np.minimum((rows.predicted * bins).astype(np.int64), bins - 1)
    found = means(
        np.column_stack([rows.predicted, rows.target, rows.score]), rows.weight, cell, rows.game, bins
    )
    used = np.flatnonzero(found.rows)
    predicted, result, score = found.mean[used].T
    # the spread that matters is that of results about predictions: within a bin predictions differ, too
    gap = means((rows.target - rows.predicted)[:, None], rows.weight, cell, rows.game, bins).se[used, 0]
    far = quantile(level) * np.nan_to_num(gap)
    low, high = result - far, result + far
    unsure = _alike(rows.target, cell, bins)[used] | (found.games[used] < FEW_GAMES)
    wide = wilson(result, found.games[used], quantile(level))
    low, high = (
        np.where(unsure, np.minimum(low, wide[0]), low),
        np.where(unsure, np.maximum(high, wide[1]), high),
    )
    return pd.DataFrame(
        {
            "set": name,
            "low": used / bins,
            "high": (used + 1) / bins,
            "rows": found.rows[used],
            "games": found.games[used],
            "score": score,
            "predicted": predicted,
            "result": result,
            "se": gap,
            "result_low": np.clip(low, 0.0, 1.0),
            "result_high": np.clip(high, 0.0, 1.0),
        }
    )


def _alike(target: Floats, cell: Integers, bins: int) -> NDArray[np.bool_]:
    """In which bins all positions have the same target (bins,)."""
    least, most = np.full(bins, np.inf), np.full(bins, -np.inf)
    np.minimum.at(least, cell, target)
    np.maximum.at(most, cell, target)
    return np.asarray(least == most)


def wilson(share: Floats, trials: Integers, z: float) -> tuple[Floats, Floats]:
    """Wilson's score interval of a share of successes, not empty where it is 0 or 1; `z` in standard errors.

    Results with draws vary less than the wins and losses it is made for: it is too wide for them, if at all.
    """
    middle = (share + z**2 / (2.0 * trials)) / (1.0 + z**2 / trials)
    far = z / (1.0 + z**2 / trials) * np.sqrt(share * (1.0 - share) / trials + z**2 / (4.0 * trials**2))
    return middle - far, middle + far


def calibration_error(table: pd.DataFrame) -> float:
    """Mean distance of result and prediction over the rows of a calibration table."""
    return float(np.average(np.abs(table["result"] - table["predicted"]), weights=table["rows"]))
