"""What an exporter is, and what every exporter checks before it writes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol, TextIO

import numpy as np

from evalcore.errors import InputError, UnknownName
from evalcore.weights import RoundedWeights, Weights, shown

INT16 = (-(2**15), 2**15 - 1)
INT32 = (-(2**31), 2**31 - 1)


class Exporter(Protocol):
    """Writes weights in the form one kind of engine reads.

    A frozen dataclass: its fields are its options, and strings of the command line are valid values. A
    field called `evaluation` is filled with the `Evaluation` the weights belong to (or None), a field called
    `folder` with the folder the file is written to.
    """

    def write(self, weights: RoundedWeights, out: TextIO) -> None:
        """Writes the whole file.

        Raises TypeError for weights that were not rounded (rounding is a visible step, and the loss after
        it is what an engine gets) and InputError for weights that the target cannot hold.
        """


def check_rounded(weights: Weights) -> None:
    """Raises TypeError unless these are integers by `Weights.rounded()`."""
    if not isinstance(weights, RoundedWeights) or not np.issubdtype(weights.values.dtype, np.integer):
        raise TypeError("exporters take rounded weights: call weights.rounded() first")


def check_tapers(weights: Weights) -> None:
    """Raises InputError where a weight contradicts the taper of its term."""
    for (term, label), pair in zip(weights.layout.names, weights.values.tolist(), strict=True):
        taper = weights.layout.taper_of[term]
        if taper == "none" and pair[0] != pair[1]:
            raise InputError(f"{shown(term, label)} is untapered, but its weights are {pair[0]} and {pair[1]}")
        absent = {"mg": 1, "eg": 0}.get(taper)
        if absent is not None and pair[absent]:
            raise InputError(
                f"{shown(term, label)} is {taper} only, but its other phase has the weight {pair[absent]}"
            )


def check_range(weights: Weights, limits: tuple[int, int], what: str) -> None:
    """Raises InputError that names the first weight outside the limits; `what` says what cannot hold it."""
    for term, label, *pair in weights.rows():
        for phase, value in zip(("mg", "eg"), pair, strict=True):
            if not limits[0] <= value <= limits[1]:
                raise InputError(
                    f"{shown(term, label)} has the {phase} weight {value:.0f}; "
                    f"{what} holds {limits[0]} … {limits[1]}"
                )


def check_choice(kind: str, name: str, choices: Collection[str]) -> None:
    """Raises UnknownName unless `name` is one of the choices."""
    if name not in choices:
        raise UnknownName(kind, name, choices)
