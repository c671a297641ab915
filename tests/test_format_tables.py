"""What every reader and writer of the tables must be, without a test of its own."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from evalcore.errors import InputError
from evalcore.formats import POINTS_OF_VIEW, READERS, WRITERS, Rejects, read_positions, write_positions
from evalcore.formats.opening import writer_of
from evalcore.positions import COLUMNS, Positions

SAMPLES = Path(__file__).parent / "data" / "formats"
READS_BACK_AS = {"zurichess": "epd", "bracket": "epd", "tsv": "csv"}
"""Writers whose files are read by a reader of another name."""
STORED_AS_ZERO = 1.0
"""Formats with whole scores may round by this much."""


@pytest.fixture(scope="module")
def rows() -> Positions:
    found = read_positions(SAMPLES / "positions.csv")
    return found.select(~np.isnan(found.score))


@pytest.mark.parametrize("name", READERS)
def test_readers(name: str) -> None:
    reader = READERS[name]
    assert reader.name == name and reader.about and "\n" not in reader.about
    assert reader.result_pov in POINTS_OF_VIEW and reader.score_pov in POINTS_OF_VIEW
    assert reader.score_unit > 0 and set(reader.lost) <= set(COLUMNS)
    for head in (b"", b"\0", b"\n", bytes(range(256)) * 4, b"to be or not to be\n" * 9):
        assert reader.sniff(head) == 0


@pytest.mark.parametrize("name", WRITERS)
def test_writers(name: str, rows: Positions, tmp_path: Path) -> None:
    """What is written is found by content, and comes back in every column that is not lost."""
    writer = WRITERS[name]
    assert writer.name == name and writer.about and set(writer.lost) <= set(COLUMNS)
    path = tmp_path / "out"
    write_positions(rows, path, format=name)
    rejects = Rejects()
    back = read_positions(path, rejects=rejects)
    expected = READS_BACK_AS.get(name, name)
    assert rejects.formats == {str(path): expected}
    assert set(rejects.lost[str(path)]) <= set(writer.lost)
    if "white_to_move" in writer.lost:
        return  # such a format holds the mover's view of the board; tested with the format
    for column in set(COLUMNS) - set(writer.lost):
        ours, theirs = getattr(back, column), getattr(rows, column)
        tolerance = STORED_AS_ZERO if column == "score" else 0
        assert np.allclose(ours.astype(float), theirs.astype(float), atol=tolerance, equal_nan=True), column


@pytest.mark.parametrize("name", WRITERS)
def test_no_rows(name: str) -> None:
    WRITERS[name].write([], io.BytesIO())


def test_suffixes_are_unique() -> None:
    suffixes = [suffix for writer in WRITERS.values() for suffix in writer.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    assert writer_of(Path("x.EPD.zst"), None, WRITERS).name == "zurichess"
    with pytest.raises(InputError, match="names no format"):
        writer_of(Path("x.zst"), None, WRITERS)
