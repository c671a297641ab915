"""The diagnosis of a run as files, so that a report needs nothing but the run folder.

losses.csv       losses of the starting, fitted and rounded weights, and what was gained
pieces.csv       piece values as a whole, with errors
terms.csv        tests of whole terms
calibration.csv  mean result against mean prediction
residuals.csv    mean residuals by kind of position
worst.csv        the positions of largest loss
inference.json   numbers of games and rows, null directions, duplicate, collinear and unseen columns
covariance.npz   lower triangles of the clustered and naive covariance of the free numbers, float32
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import FormatError
from evalcore.files import write_bytes, write_text

from ..names import CALIBRATION, COVARIANCE, INFERENCE, LOSSES, PIECES, RESIDUALS, TERMS, WORST

if TYPE_CHECKING:
    import pandas as pd

    from .diagnosis import Diagnosis

Floats = NDArray[np.float64]

DIGITS = 8
"""Significant digits of numbers in the tables: fewer than differ between machines."""


def write_diagnosis(diagnosis: Diagnosis, folder: Path) -> None:
    """Writes all files of a diagnosis."""
    write_table(diagnosis.losses, folder / LOSSES)
    write_table(diagnosis.pieces, folder / PIECES)
    write_table(diagnosis.terms, folder / TERMS)
    write_table(diagnosis.calibration, folder / CALIBRATION)
    write_table(diagnosis.residuals, folder / RESIDUALS)
    write_table(diagnosis.worst, folder / WORST)
    text = json.dumps(inference_of(diagnosis), indent=1, ensure_ascii=False)
    write_text(folder / INFERENCE, text + "\n")
    found = diagnosis.uncertainty
    buffer = io.BytesIO()
    np.savez(buffer, clustered=_packed(found.clustered), naive=_packed(found.naive))
    write_bytes(folder / COVARIANCE, buffer.getvalue())


def inference_of(diagnosis: Diagnosis) -> dict[str, Any]:
    """What `inference.json` holds."""
    found = diagnosis.uncertainty
    return {
        "rows": found.rows,
        "groups": found.groups,
        "group": found.kind,
        "effective_parameters": float(f"{found.effective_parameters:.{DIGITS}g}"),
        **diagnosis.identifiability.summary(),
    }


def write_table(table: pd.DataFrame, path: Path) -> None:
    """A table as CSV, the same bytes on every machine."""
    write_text(path, table.to_csv(index=False, lineterminator="\n", float_format=f"%.{DIGITS}g"))


def read_covariances(folder: Path) -> tuple[Floats, Floats]:
    """(clustered, naive) of a run folder. Raises FormatError where the file is missing or damaged."""
    path = folder / COVARIANCE
    try:
        with path.open("rb") as handle, np.load(handle, allow_pickle=False) as file:
            return _unpacked(file["clustered"]), _unpacked(file["naive"])
    except (OSError, ValueError, KeyError) as error:
        raise FormatError(path, None, f"holds no covariances ({error})") from error


def _packed(matrix: Floats) -> NDArray[np.float32]:
    return matrix[np.tril_indices(len(matrix))].astype(np.float32)


def _unpacked(lower: NDArray[np.float32]) -> Floats:
    size = int((np.sqrt(8.0 * len(lower) + 1.0) - 1.0) / 2.0 + 0.5)
    out = np.zeros((size, size))
    out[np.tril_indices(size)] = lower
    return out + np.tril(out, -1).T
