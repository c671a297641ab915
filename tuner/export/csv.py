"""CSV: a row a weight, for spreadsheets and scripts."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import TextIO

from evalcore.weights import RoundedWeights

from .base import check_weights


@dataclass(frozen=True)
class CsvFile:
    """Columns term, label, mg, eg; centipawns. The label is empty for a term of one weight."""

    def write(self, weights: RoundedWeights, out: TextIO) -> None:
        """Writes the whole file."""
        check_weights(weights)
        table = csv.writer(out, lineterminator="\n")
        table.writerow(("term", "label", "mg", "eg"))
        table.writerows(weights.rows())
