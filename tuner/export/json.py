"""JSON: what `load_weights` reads, with integers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TextIO

from evalcore.weights import RoundedWeights

from .base import check_weights


@dataclass(frozen=True)
class JsonFile:
    """One object: term -> {"taper", "labels", "mg", "eg"}; centipawns."""

    def write(self, weights: RoundedWeights, out: TextIO) -> None:
        """Writes the whole file."""
        check_weights(weights)
        out.write(weights.to_json())
