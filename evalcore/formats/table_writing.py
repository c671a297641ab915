"""Tables with a header as they are written: CSV and TSV."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..fen import format_fens
from ..positions import NO_GAME, Positions
from .base import Located
from .writing import SMALL_BLOCK, small_blocks

COLUMNS = ("fen", "result", "score", "ply", "game", "source", "line")
"""`source` and `line` say where a row was read (`ReadOptions.located`); empty where nobody knows."""


def write(blocks: Iterable[Positions], stream: BinaryIO, separator: str = ",") -> None:
    """White's view; unknown labels, source and line are empty."""
    stream.write(separator.join(COLUMNS).encode() + b"\n")
    for block in small_blocks(blocks):
        stream.write(lines_of(block, repeat(""), repeat(""), separator))


def write_located(blocks: Iterable[Located], stream: BinaryIO, separator: str = ",") -> None:
    """As `write`, with source and line of every row."""
    stream.write(separator.join(COLUMNS).encode() + b"\n")
    for block in blocks:
        source = quoted(block.source, separator)
        for rows in block.positions.blocks(SMALL_BLOCK):
            places = map(str, block.places[rows].tolist())
            stream.write(lines_of(block.positions.select(rows), repeat(source), places, separator))


def lines_of(block: Positions, sources: Iterable[str], places: Iterable[str], separator: str) -> bytes:
    """Rows as text."""
    columns = zip(
        format_fens(block),
        _words(block.result),
        _words(block.score),
        map(str, block.ply.tolist()),
        ("" if game == NO_GAME else str(game) for game in block.game.tolist()),
        sources,
        places,
        strict=False,
    )
    return "".join(separator.join(row) + "\n" for row in columns).encode()


def quoted(text: str, separator: str) -> str:
    """A cell, in quotes where it would not be read as one without."""
    return '"' + text.replace('"', '""') + '"' if separator in text or '"' in text else text


def _words(values: NDArray[np.float32]) -> list[str]:
    """Numbers as text, each distinct one made once."""
    distinct, place = np.unique(values, return_inverse=True)
    words: list[str] = np.array([*map(_word, distinct), ""], object)[place].tolist()
    return words


def _word(value: np.float32) -> str:
    """Whole numbers without a point, others in the fewest digits that read back the same; NaN as nothing."""
    if np.isnan(value):
        return ""
    return str(int(value)) if value == int(value) else str(value)


def write_tsv(blocks: Iterable[Positions], stream: BinaryIO) -> None:
    """As `write`, with tabs."""
    write(blocks, stream, "\t")


def write_located_tsv(blocks: Iterable[Located], stream: BinaryIO) -> None:
    """As `write_located`, with tabs."""
    write_located(blocks, stream, "\t")
