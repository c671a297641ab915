"""Batch evaluation of files into CSV, with bounded memory."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import TextIO

from evalcore.evaluation import Evaluation
from evalcore.features import FeatureMatrix
from evalcore.fen import format_fens
from evalcore.files import replacing
from evalcore.formats import Rejects
from evalcore.integer import integer_scores_of
from evalcore.numbers import numbers_of
from evalcore.positions import Positions
from evalcore.term import COUNT, Term
from evalcore.weights import Weights

KING_ATTACK = "G2"
"""The concept of attack units."""


def write_scores(
    blocks: Iterable[Positions],
    evaluation: Evaluation,
    weights: Weights,
    out: Path | TextIO,
    *,
    integer: bool = False,
    threads: int | None = None,
    read: Rejects | None = None,
) -> int:
    """Writes fen, score and phase of every position, and returns how many there were.

    Where the evaluation has a table of king attacks, the attack units of both sides follow.

    Scores are centipawns in White's view: float with two decimals, or, with `integer`, the engine's
    integer arithmetic on rounded weights. `read` is what the blocks are read with: terms that need a column
    which a format does not carry are refused.
    """
    count = 0
    units = attack_terms(evaluation)
    with replacing(out, "w") if isinstance(out, Path) else nullcontext(out) as file:
        for block in blocks:
            evaluation.refuse_lost(read.lost if read is not None else {})
            features = evaluation.extract(block, threads=threads)
            if not count:
                file.write(",".join(["fen", "score", "phase", *_unit_columns(units)]) + "\n")
            columns = [
                format_fens(block),
                _scores(features, evaluation, weights, integer),
                [f"{phase:g}" for phase in features.phase.tolist()],
                *(map(str, side) for term in units for side in numbers_of(term, block).T.tolist()),
            ]
            file.writelines(",".join(row) + "\n" for row in zip(*columns, strict=True))
            count += len(block)
    return count


def attack_terms(evaluation: Evaluation) -> list[Term]:
    """The terms of an evaluation that count units of attack on the king and look them up in a table."""
    return [term for term in evaluation.terms if term.kind == COUNT and KING_ATTACK in term.concept]


def _unit_columns(terms: list[Term]) -> list[str]:
    """`white_attack_units`, `black_attack_units`; after the terms' names where there are several."""
    names = ["attack_units"] if len(terms) == 1 else [term.name for term in terms]
    return [f"{side}_{name}" for name in names for side in ("white", "black")]


def _scores(features: FeatureMatrix, evaluation: Evaluation, weights: Weights, integer: bool) -> list[str]:
    if integer:
        return [str(score) for score in integer_scores_of(features, evaluation, weights).tolist()]
    return [f"{score:.2f}" for score in features.scores(weights.values.astype(float)).tolist()]
