"""What text writers share: labels as words, and refusals of what a format cannot say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..positions import Positions

DECIMAL_WORDS = {1.0: "1.0", 0.5: "0.5", 0.0: "0.0"}


def require_known(column: NDArray[np.float32], what: str, format_name: str) -> None:
    """InputError where a label is unknown and the format has no way to say so."""
    if unknown := int(np.isnan(column).sum()):
        raise InputError(
            f"{unknown:,} positions have no {what}, which the {format_name} format needs; filter them first"
        )


def number_word(value: float) -> str:
    """A float32 in the fewest digits that read back as the same, with a decimal point: 1.0, 0.62."""
    return str(np.float32(value))


def result_words(results: NDArray[np.float32], words: dict[float, str]) -> list[str]:
    """Results as words of a table, other probabilities as numbers."""
    return [words.get(value) or number_word(value) for value in results.tolist()]


def score_words(scores: NDArray[np.float32]) -> list[str]:
    """Scores as whole centipawns."""
    return [str(value) for value in np.rint(scores).astype(np.int64).tolist()]


def write_text(stream: BinaryIO, lines: Iterable[str]) -> None:
    """One line each, ended by a newline."""
    text = "\n".join(lines)
    if text:
        stream.write(text.encode() + b"\n")


SMALL_BLOCK = 1 << 15
"""Rows turned into text at a time."""


def small_blocks(blocks: Iterable[Positions]) -> Iterable[Positions]:
    """The same rows in blocks that are small as text."""
    for block in blocks:
        for rows in block.blocks(SMALL_BLOCK):
            yield block.select(rows)
