"""Every sample and public file becomes Parquet with the right counts: the table in `docs/formats.md`.

`EVALTUNER_REFERENCE_DATA=… python tests/test_real_files.py` prints the table anew.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from evalcore.errors import FormatError
from evalcore.formats import READERS, WRITERS, Rejects, open_positions, read_positions, write_positions
from evalcore.positions import COLUMNS, Positions

DOCS = Path(__file__).parent.parent / "docs" / "formats.md"
NO_POSITIONS = {".md"}
LISTS = {"public/csv/lynx-sources.csv"}
"""Names of files that are not here."""
MOST_REASONS = 3
HEADER = ("file", "format", "positions", "left out")


def files_in(folder: Path) -> list[str]:
    """All files with positions, by their names in the folder."""
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    return sorted(name for name in names if Path(name).suffix not in NO_POSITIONS and name not in LISTS)


def row_of(folder: Path, name: str, out: Path) -> tuple[str, ...]:
    """Converts one file; what the table says of it."""
    rejects, count = Rejects(), 0
    try:
        write_positions(open_positions(folder / name, on_error="skip", rejects=rejects), out)
        count = pq.ParquetFile(out).metadata.num_rows
    except FormatError as error:
        assert "not a single position could be used" in str(error)
    return name, rejects.formats[str(folder / name)], f"{count:,}", reasons_in_words(rejects)


def reasons_in_words(rejects: Rejects) -> str:
    """How many things were left out, and why, if there are few reasons."""
    if len(rejects.counts) > MOST_REASONS:
        return f"{rejects.total():,} for {len(rejects.counts)} reasons"
    return ", ".join(f"{number:,} × {reason}" for reason, number in sorted(rejects.counts.items())) or "0"


def line_of(row: tuple[str, ...]) -> str:
    """A line of the table."""
    return f"| {' | '.join(row)} |"


def documented() -> dict[str, str]:
    """The lines of the table by file."""
    _, _, table = DOCS.read_text("utf-8").partition(line_of(HEADER) + "\n")
    rows = table.partition("\n\n")[0].splitlines()[1:]
    return {line.split(" | ")[0].removeprefix("| "): line for line in rows}


@pytest.mark.parametrize("name", READERS)
def test_formats_are_documented(name: str) -> None:
    """Name, description and lost columns of each reader stand in one line."""
    reader = READERS[name]
    about = reader.about.replace("|", "\\|")
    (line,) = (
        each for each in DOCS.read_text("utf-8").splitlines() if each.startswith(f"| `{name}` | {about} |")
    )
    assert f"| {', '.join(reader.lost) or '–'} |" in line


@pytest.mark.parametrize("name", WRITERS)
def test_writers_are_documented(name: str) -> None:
    assert f"`{name}`" in DOCS.read_text("utf-8")


def test_every_file_is_in_the_table(reference_data: Path) -> None:
    assert files_in(reference_data) == list(documented())


@pytest.mark.parametrize("name", documented())
def test_counts(name: str, reference_data: Path, tmp_path: Path) -> None:
    assert line_of(row_of(reference_data, name, tmp_path / "out.parquet")) == documented()[name]


SAMPLES = {
    name: lost
    for names, lost in (
        (("bullet.txt",), ("game", "ply")),
        (("positions.csv", "positions_tab.tsv"), ("game", "ply")),
        (("ethereal.fens", "fen_semicolon_result.txt", "texel_semicolon.book"), ("game", "ply", "score")),
        (("rebel.epd",), ("game", "ply", "score")),
        (("zurichess.epd",), ("game", "ply", "score", "halfmove_clock", "fullmove_number")),
        (("zahak.txt", "marlinformat.bin"), ("game", "ply")),
        (("stockfish.plain", "stockfish.bin", "viriformat.vf"), ("game",)),
        (("stockfish.binpack",), ("game", "fullmove_number")),
    )
    for name in names
}
"""What cannot agree: columns that a format lacks, or that are found by another rule (ply, game)."""


def sample(folder: Path, name: str) -> Positions:
    """A sample; those of Stockfish's formats hold the same numbers as the others, that is, centipawns."""
    return read_positions(folder / "samples" / name, score_unit=1.0 if name.startswith("stockfish") else None)


@pytest.fixture(scope="module")
def twins(reference_data: Path) -> Positions:
    return sample(reference_data, "stockfish.plain")


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_agree(name: str, twins: Positions, reference_data: Path) -> None:
    """The same 3,896 positions in every format, equal in every column that the format carries."""
    rows = sample(reference_data, name)
    assert len(rows) == len(twins) == 3_896
    for column in set(COLUMNS) - set(SAMPLES[name]):
        ours, theirs = getattr(rows, column), getattr(twins, column)
        assert np.array_equal(ours, theirs, equal_nan=ours.dtype.kind == "f"), column


if __name__ == "__main__":
    data = Path(os.environ["EVALTUNER_REFERENCE_DATA"])
    print(line_of(HEADER))
    print("|---|---|---:|---|")
    with tempfile.TemporaryDirectory() as temporary:
        for each in files_in(data):
            print(line_of(row_of(data, each, Path(temporary) / "out.parquet")), flush=True)
