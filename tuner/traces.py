"""Data that an engine counted itself: rows of features in place of positions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import FormatError, InputError
from evalcore.evaluation import Evaluation
from evalcore.features import Block, FeatureMatrix
from evalcore.formats import DataSource
from evalcore.formats.opening import (
    FEATURES_FOR_SURE,
    expand,
    games_end,
    read_head,
    with_games_from,
)
from evalcore.formats.svmlight import read_features, sniff
from evalcore.positions import BOARD_COLUMNS, Positions


def traced_files(sources: Sequence[str | DataSource], evaluation: Evaluation) -> list[Path]:
    """The files of a traced evaluation; none for one that counts on boards.

    Raises InputError where files hold the one kind and the evaluation needs the other.
    """
    named = [each.path if isinstance(each, DataSource) else each for each in sources]
    files = [file for each in named for file in expand(each)]
    if evaluation.traced and not files:
        raise InputError(f"evaluation {evaluation.name} is of features an engine counted: name files of them")
    for file in files:
        if sniff(read_head(file)) > FEATURES_FOR_SURE:
            if evaluation.traced:
                continue
            raise InputError(
                f"{file}: holds rows of features that an engine counted, and the terms of evaluation"
                f" {evaluation.name} are counted on boards; an evaluation file with `columns` in every term"
                " says what the features are"
            )
        if evaluation.traced:
            raise FormatError(
                file, None, f"rows 'result index:count …' were expected by evaluation {evaluation.name}"
            )
    return files if evaluation.traced else []


def read_traces(files: Sequence[Path], evaluation: Evaluation) -> tuple[Positions, FeatureMatrix]:
    """All rows: positions of unknown boards with results and games, and their counts in the layout.

    Raises FormatError for a file that holds no such rows, or columns that the evaluation does not have.
    """
    width, first = len(evaluation.layout), evaluation.first_index
    blocks: list[Block] = []
    phases: list[NDArray[np.float32]] = []
    parts: list[Positions] = []
    end = 0
    for file in files:
        rows = read_features(file, phase_maximum=evaluation.phase.maximum)
        for block in rows.matrix.blocks:
            blocks.append(_shifted(file, block, first, width))
        phases.append(rows.matrix.phase)
        labels = Positions.from_columns({"result": rows.result, "game": rows.game})
        parts.append(with_games_from(labels, end))
        end = games_end(parts[-1], end)
    matrix = FeatureMatrix(tuple(blocks), np.concatenate(phases), evaluation.phase.maximum, width)
    return Positions.gather(parts).without(BOARD_COLUMNS), matrix


def _shifted(file: Path, block: Block, first: int, width: int) -> Block:
    """The block with columns from 0 on."""
    columns = block.columns.astype(np.int64) - first
    for wrong in block.columns[(columns < 0) | (columns >= width)][:1].tolist():
        last = first + width - 1
        advice = "; `first_index = 1` in the evaluation file lets them begin at 1" if wrong == width else ""
        raise FormatError(file, None, f"has a feature {wrong}, the evaluation has {first} to {last}{advice}")
    return block._replace(columns=columns.astype(np.uint16))
