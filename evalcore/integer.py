"""The engine's arithmetic: integer weights, truncating division.

`score = flat + (phase·mg + (max−phase)·eg) / max`, where `flat` is the sum of the terms with taper "none",
which stand outside the division, and the division truncates toward zero as C's does. Then the scaling
factor, as a fraction of 256, truncating likewise. The numbers equal those of an engine that computes so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .compiled import kernel
from .errors import InputError
from .positions import Positions
from .threads import in_order
from .weights import Weights, shown

if TYPE_CHECKING:
    from .evaluation import Evaluation
    from .features import FeatureMatrix

FACTOR_UNIT = 256
"""Scaling factors are rounded to this fraction."""

Integers = NDArray[np.int64]


@kernel
def truncated(dividend: int, divisor: int) -> int:
    """The quotient of a division by a positive number, truncated toward zero as in C."""
    return dividend // divisor if dividend >= 0 else -(-dividend // divisor)


@kernel
def add_up_integers(
    indptr: Any, columns: Any, counts: Any, phase: Any, maximum: int, weights: Any, flat: Any, out: Any
) -> None:
    """Integer scores of the rows of one block; `flat` says which columns stand outside the division."""
    for row in range(len(out)):
        untapered = 0
        mg = 0
        eg = 0
        for entry in range(indptr[row], indptr[row + 1]):
            column = columns[entry]
            count = int(counts[entry])
            if flat[column]:
                untapered += count * weights[column, 0]
            else:
                mg += count * weights[column, 0]
                eg += count * weights[column, 1]
        here = int(phase[row])
        out[row] = untapered + truncated(here * mg + (maximum - here) * eg, maximum)


@kernel
def scale_integers(factors: Any, unit: int, out: Any) -> None:
    """Multiplies each score by the factor (rows, 2), in `unit`ths, of the side that is ahead."""
    for row in range(len(out)):
        factor = factors[row, 0] if out[row] > 0 else factors[row, 1]
        out[row] = truncated(out[row] * factor, unit)


def integer_scores(
    evaluation: Evaluation,
    positions: Positions,
    weights: Weights | None = None,
    *,
    threads: int | None = None,
) -> Integers:
    """Scores (rows,) in centipawns, White's view, as an engine with integer arithmetic computes them.

    By the starting weights unless others are given. Raises InputError for weights or a phase that are no
    integers.
    """
    matrix = evaluation.extract(positions, threads=threads)
    return integer_scores_of(matrix, evaluation, weights or evaluation.start)


def integer_scores_of(matrix: FeatureMatrix, evaluation: Evaluation, weights: Weights) -> Integers:
    """The same from extracted counts."""
    table, maximum = _integers(weights), _whole_maximum(evaluation)
    flat = np.zeros(len(evaluation.layout), bool)
    for term, taper in evaluation.layout.taper_of.items():
        flat[evaluation.layout.columns_of(term)] = taper == "none"
    out = np.empty(len(matrix), np.int64)

    def one(index: int) -> None:
        rows = spans[index]
        add_up_integers(*matrix.blocks[index], matrix.phase[rows], maximum, table, flat, out[rows])
        if matrix.factors is not None:
            factors = np.rint(matrix.factors[rows].astype(float) * FACTOR_UNIT).astype(np.int64)
            scale_integers(factors, FACTOR_UNIT, out[rows])

    spans = matrix.slices()
    in_order(one, range(len(spans)), matrix.threads)
    return out


def _integers(weights: Weights) -> Integers:
    rounded = np.rint(weights.values)
    if (wrong := np.argwhere(rounded != weights.values)).size:
        column, phase = wrong[0]
        name = shown(*weights.layout.names[column])
        raise InputError(
            f"integer arithmetic needs integer weights, but {('mg', 'eg')[phase]} of {name} is "
            f"{weights.values[column, phase]:g}; round the weights first"
        )
    whole: Integers = rounded.astype(np.int64)
    return whole


def _whole_maximum(evaluation: Evaluation) -> int:
    numbers = (*evaluation.phase.weights, evaluation.phase.maximum)
    if any(number != int(number) for number in numbers):
        raise InputError(f"integer arithmetic needs integer phase weights, not those of {evaluation.name}")
    return int(evaluation.phase.maximum)
