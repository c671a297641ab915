"""Calibration: do positions that are predicted to score 70 % score 70 %?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .errors import quantile
from .predictions import Predictions, means

if TYPE_CHECKING:
    import pandas as pd

BINS = 20


def calibration_table(predictions: Predictions, bins: int = BINS, level: float = 0.95) -> pd.DataFrame:
    """Mean result against mean prediction in `bins` equal bins of the prediction, for each set of rows.

    Columns: set, low, high (ends of the bin), rows, games, score (mean centipawns), predicted, result, se,
    result_low, result_high (clustered interval). Empty bins are left out.
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
    far = quantile(level) * gap
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
            "result_low": np.clip(result - far, 0.0, 1.0),
            "result_high": np.clip(result + far, 0.0, 1.0),
        }
    )


def calibration_error(table: pd.DataFrame) -> float:
    """Mean distance of result and prediction over the rows of a calibration table."""
    return float(np.average(np.abs(table["result"] - table["predicted"]), weights=table["rows"]))
