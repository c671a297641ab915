"""What writers share: labels as words, and what many formats cannot say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..positions import Positions
from .base import Refusal
from .labels import LARGEST_SCORE

DECIMAL_WORDS = {1.0: "1.0", 0.5: "0.5", 0.0: "0.0"}


WITHOUT_RESULT = Refusal("no result", lambda rows: np.isnan(rows.result))
WITHOUT_SCORE = Refusal("no score", lambda rows: np.isnan(rows.score))
BLENDED = Refusal("a result between win, draw and loss", lambda rows: ~np.isin(rows.result, (0, 0.5, 1)))
NO_PROBABILITY = Refusal("a result beyond 0 to 1", lambda rows: (rows.result < 0) | (rows.result > 1))
FAR = Refusal(
    f"a score of {LARGEST_SCORE:,.0f} or more (readers take it for a mate)",
    lambda rows: np.abs(np.rint(rows.score)) >= LARGEST_SCORE,
)

GAME_RECORD = (WITHOUT_RESULT, WITHOUT_SCORE, BLENDED, FAR)
"""Of formats that need a score and one of three results."""


def number_word(value: float) -> str:
    """A float32 in the fewest digits that read back as the same, with a decimal point: 1.0, 0.62, 0.00001."""
    return np.format_float_positional(np.float32(value), trim="0")


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
