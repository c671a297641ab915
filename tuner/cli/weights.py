"""Which evaluation and which weights a command means."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from evalcore.errors import InputError

if TYPE_CHECKING:
    from evalcore.evaluation import Evaluation
    from evalcore.weights import Weights


def evaluation_and_weights(
    evaluation: str | None, weights: str | None, *, integer: bool = False
) -> tuple[Evaluation, Weights]:
    """The evaluation named (that of the run, for a run folder), and its weights.

    `weights` is a weights file or a run folder; None means the evaluation's starting weights. With
    `integer`, the rounded weights of a run are meant.
    """
    from evalcore.evaluation import load_evaluation
    from evalcore.weights import load_weights

    from ..folder import is_finished, open_run
    from ..names import ROUNDED, WEIGHTS

    if weights is None:
        chosen = load_evaluation(evaluation or "default")
        return chosen, chosen.start
    path = Path(weights)
    if path.is_dir():
        job = open_run(path)
        if not is_finished(path):
            raise InputError(f"{path}: has not ended yet; continue it: tuner resume {path}")
        evaluation = evaluation or job.evaluation
        path = path / (ROUNDED if integer else WEIGHTS)
    chosen = load_evaluation(evaluation or "default")
    table = load_weights(path, chosen.layout)
    return replace(chosen, start=table), table
