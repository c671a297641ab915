"""Questions about several weights at once: differences, sums, ratios, and whole terms.

>>> contrast(found, "material_bishop.mg - material_knight.mg")
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError

from ..parameters import find_weights
from .errors import Uncertainty, quantile

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Coefficients = Floats
"""(width, 2): what each weight is multiplied with."""

_PIECE = re.compile(
    r"\s*([+\-−])?\s*(?:(\d+(?:\.\d+)?)\s*\*?\s*)?([A-Za-z_]\w*(?:\[[^\]]*\])?(?:\.(?:mg|eg))?)"
)


@dataclass(frozen=True)
class Contrast:
    """A sum of weights in centipawns: its value, standard errors, and 95 % interval (clustered)."""

    text: str
    value: float
    error: float
    naive_error: float

    def __str__(self) -> str:
        """`bishop_pair.eg: 65.4 ± 8.8 (48.2 … 82.6)`: value, standard error, 95 % interval."""
        if self.error != self.error:
            return f"{self.text}: {self.value:.1f} (held there, so without an error)"
        return f"{self.text}: {self.value:.1f} ± {self.error:.1f} ({self.low:.1f} … {self.high:.1f})"

    @property
    def low(self) -> float:
        return self.value - quantile(0.95) * self.error

    @property
    def high(self) -> float:
        return self.value + quantile(0.95) * self.error

    @property
    def z(self) -> float:
        """Value over standard error: beyond ±2, zero is out of the question."""
        return self.value / self.error if self.error else float("nan")


def contrast(found: Uncertainty, text: str) -> Contrast:
    """The value and error of a sum such as `2*material_rook.eg - material_queen.eg`.

    Weights that are not free count with their value and no error; the error of a sum of nothing but weights
    that are held at a bound is not known (NaN). Raises InputError where the text cannot be read, UnknownName
    for an unknown weight.
    """
    coefficients = parse_contrast(found, text)
    return evaluated(found, text, coefficients)


def ratio(found: Uncertainty, above: str, below: str, unit: float = 100.0) -> Contrast:
    """`unit·above/below` with errors by the delta method: a piece in units of the pawn, for instance."""
    top, bottom = parse_contrast(found, above), parse_contrast(found, below)
    table = found.parameters.table(found.x)
    high, low = float((top * table).sum()), float((bottom * table).sum())
    if low == 0.0:
        raise InputError(f"{below} is zero, so nothing can be expressed in units of it")
    gradient = unit * (top / low - bottom * high / low**2)
    errors = _errors(found, gradient)
    return Contrast(f"{unit:g}·({above})/({below})", unit * high / low, *errors)


def contrasts_table(found: Uncertainty, texts: Sequence[str]) -> pd.DataFrame:
    """One row a contrast: contrast, value, se, naive_se, low, high, z."""
    import pandas as pd

    rows = [contrast(found, text) for text in texts]
    return pd.DataFrame(
        [(row.text, row.value, row.error, row.naive_error, row.low, row.high, row.z) for row in rows],
        columns=["contrast", "value", "se", "naive_se", "low", "high", "z"],
    )


def parse_contrast(found: Uncertainty, text: str) -> Coefficients:
    """Coefficients (width, 2) of a sum of weights; a term without phase must be untapered or of one phase."""
    layout = found.parameters.layout
    out = np.zeros((len(layout), 2))
    place = 0
    while place < len(text.rstrip()):
        match = _PIECE.match(text, place)
        if match is None or (place and not match[1]):
            expected = "expected sums such as 2*material_rook.eg - material_queen.eg"
            raise InputError(f"contrast {text!r}: cannot be read from {text[place:]!r} on; {expected}")
        amount = float(match[2] or 1.0) * (-1.0 if match[1] in ("-", "−") else 1.0)
        rows, phases = find_weights(layout, match[3])
        if rows.stop - rows.start != 1:
            raise InputError(
                f"contrast {text!r}: {match[3]} has several weights; name one, as in {match[3]}[label]"
            )
        out[rows, _one_phase(found, text, match[3], rows.start, phases)] += amount
        place = match.end()
    if not place:
        raise InputError("the contrast is empty; write a sum of weights")
    return out


def _one_phase(found: Uncertainty, text: str, name: str, column: int, phases: slice) -> int:
    """The phase that is meant: the one named, or the only one the term has."""
    if phases.stop - phases.start == 1:
        return int(phases.start)
    taper = found.parameters.layout.taper_of[found.parameters.layout.names[column][0]]
    if taper == "tapered":
        raise InputError(f"contrast {text!r}: {name} has two phases; write {name}.mg or {name}.eg")
    return 1 if taper == "eg" else 0


def evaluated(found: Uncertainty, text: str, coefficients: Coefficients) -> Contrast:
    """The contrast of coefficients (width, 2) on the weights."""
    value = float((coefficients * found.parameters.table(found.x)).sum())
    return Contrast(text, value, *_errors(found, coefficients))


def _errors(found: Uncertainty, gradient: Coefficients) -> tuple[float, float]:
    """Clustered and naive; NaN where all that is free is held at a bound or its prior."""
    free = found.parameters.pull_back(gradient)
    if (used := free != 0.0).any() and found.held[used].all():
        return float("nan"), float("nan")
    variances = (float(free @ matrix @ free) for matrix in (found.clustered, found.naive))
    clustered, naive = (float(np.sqrt(max(variance, 0.0))) for variance in variances)
    return clustered, naive
