"""Batch evaluation of files into CSV, with bounded memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from evalcore.evaluation import Evaluation
from evalcore.fen import format_fens
from evalcore.files import replacing
from evalcore.formats import open_positions
from evalcore.integer import integer_scores_of
from evalcore.weights import Weights


def write_scores(
    sources: Sequence[str],
    evaluation: Evaluation,
    weights: Weights,
    out: Path,
    *,
    integer: bool = False,
    threads: int | None = None,
    format: str | None = None,
    on_error: Literal["stop", "skip"] | str = "stop",
) -> int:
    """Writes fen, score and phase of every position, and returns how many there were.

    Scores are centipawns in White's view: float with two decimals, or, with `integer`, the engine's
    integer arithmetic on rounded weights.
    """
    count = 0
    blocks = open_positions(sources, threads=threads, format=format, on_error=on_error)  # type: ignore[arg-type]
    with replacing(out, "w") as file:
        file.write("fen,score,phase\n")
        for block in blocks:
            features = evaluation.extract(block, threads=threads)
            scores: list[Any]
            if integer:
                scores = integer_scores_of(features, evaluation, weights).tolist()
            else:
                scores = [f"{score:.2f}" for score in features.scores(weights.values.astype(float))]
            phases = features.phase.tolist()
            for fen, score, phase in zip(format_fens(block), scores, phases, strict=True):
                file.write(f"{fen},{score},{phase:g}\n")
            count += len(block)
    return count
