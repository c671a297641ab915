"""What an exporter is, and what every exporter checks before it writes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol, TextIO

import numpy as np

from evalcore.errors import InputError, UnknownName
from evalcore.weights import RoundedWeights, Weights, against_taper, shown

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


def check_weights(weights: Weights) -> None:
    """Raises TypeError unless these are integers by `Weights.rounded()`.

    Raises InputError where a weight contradicts the taper of its term: an engine that follows the taper
    would not use it.
    """
    if not isinstance(weights, RoundedWeights) or not np.issubdtype(weights.values.dtype, np.integer):
        raise TypeError("exporters take rounded weights: call weights.rounded() first")
    if mistake := against_taper(weights):
        raise InputError(mistake)


def check_program(weights: Weights, packed: bool) -> None:
    """What all targets that are program text need: rounded, as the tapers say, and within their integers.

    `packed` pairs share one 32-bit integer, so that both weights must fit into 16 bits.
    """
    check_weights(weights)
    low, high = INT16 if packed else INT32
    what = "a packed pair S(mg, eg)" if packed else "an integer of 32 bits"
    for term, label, *pair in weights.rows():
        for phase, value in zip(("mg", "eg"), pair, strict=True):
            if not low <= value <= high:
                raise InputError(
                    f"{shown(term, label)} has the {phase} weight {value:.0f}; {what} holds {low} … {high}"
                )


def check_choice(kind: str, name: str, choices: Collection[str]) -> None:
    """Raises UnknownName unless `name` is one of the choices."""
    if name not in choices:
        raise UnknownName(kind, name, choices)
