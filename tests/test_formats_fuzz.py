"""Every text reader on damaged files: no crash, whole lines read as ever, nothing impossible from others."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.errors import FormatError
from evalcore.formats import READERS, Rejects
from evalcore.formats.base import Reader, ReadOptions, Source
from evalcore.legality import check_boards
from evalcore.positions import COLUMNS, Positions

SAMPLES = Path(__file__).parent / "data" / "formats"
FILES = {
    "zurichess.epd": "epd",
    "ethereal.fens": "epd",
    "bullet.txt": "bullet",
    "zahak.txt": "zahak",
    "rebel.epd": "rebel",
    "positions.csv": "csv",
    "stockfish.plain": "plain",
}
HEADER_LINES = {"csv": 1}
LINES_A_RECORD = {"plain": 6}
RECORDS = 12
EDIT = st.tuples(st.integers(0, 120), st.integers(0, 3), st.binary(max_size=3))


def read(reader: Reader, content: bytes) -> tuple[Positions, Rejects]:
    rejects = Rejects()
    options = ReadOptions(reader.result_pov, reader.score_pov, reader.score_unit, rejects, 1, 1 << 10)
    source = Source(Path("data"), lambda: io.BytesIO(content))
    return Positions.concatenate(list(reader.read(source, options))), rejects


def pieces(name: str) -> tuple[bytes, list[bytes]]:
    """Header and records of a sample."""
    lines = (SAMPLES / name).read_bytes().splitlines(keepends=True)
    header, size = HEADER_LINES.get(FILES[name], 0), LINES_A_RECORD.get(FILES[name], 1)
    rows = [b"".join(lines[at : at + size]) for at in range(header, header + size * RECORDS, size)]
    return b"".join(lines[:header]), rows


def assert_rows(found: Positions, expected: Positions) -> None:
    for name in COLUMNS:
        if name != "game":  # games are numbered by what comes before
            ours, theirs = getattr(found, name), getattr(expected, name)
            assert np.array_equal(ours, theirs, equal_nan=ours.dtype.kind == "f"), name


@pytest.mark.parametrize("name", FILES)
def test_one_damaged_record_damages_no_other(name: str) -> None:
    reader = READERS[FILES[name]]
    header, rows = pieces(name)
    whole, _ = read(reader, header + b"".join(rows))
    assert len(whole) == RECORDS

    @settings(max_examples=150, deadline=None)
    @given(
        st.integers(1, RECORDS - 2),
        st.lists(EDIT, min_size=1, max_size=3),
    )
    def run(which: int, edits: list[tuple[int, int, bytes]]) -> None:
        row = rows[which]
        body, end = row[:-1], row[-1:]
        for at, length, junk in edits:
            body = body[:at] + junk.replace(b"\n", b"") + body[at + length :]
        found, rejects = read(reader, header + b"".join([*rows[:which], body + end, *rows[which + 1 :]]))
        before, after = which, RECORDS - which - 1
        # A record that has lost its end takes the next one with it: lines of a record have no order.
        after -= name == "stockfish.plain" and not body.endswith(b"\ne")
        assert len(found) in (RECORDS - 1, RECORDS) or name == "stockfish.plain"  # an `e` more ends a record
        assert_rows(found.select(slice(0, before)), whole.select(slice(0, before)))
        assert_rows(found.select(slice(len(found) - after, None)), whole.select(slice(RECORDS - after, None)))
        assert_possible(found)
        assert all(each.reason for each in rejects.kept)

    run()


def assert_possible(rows: Positions) -> None:
    """Legal boards, results that are probabilities or unknown, scores that are finite or unknown."""
    assert not check_boards(rows)[1].any()
    assert (np.isnan(rows.result) | ((rows.result >= 0) & (rows.result <= 1))).all()
    assert not np.isinf(rows.score).any()


@pytest.mark.parametrize("name", sorted(set(READERS) - {"parquet", "pgn"}))  # these have tests of their own
@settings(max_examples=100, deadline=None)
@given(content=st.binary(max_size=400))
def test_junk_gives_nothing_or_an_error(name: str, content: bytes) -> None:
    try:
        rows, _ = read(READERS[name], content)
    except FormatError:
        return
    assert_possible(rows)
    assert 0 <= READERS[name].sniff(content) <= 1


@pytest.mark.parametrize("name", FILES)
def test_cut_off_anywhere(name: str) -> None:
    """A file cut off at any byte: the whole lines before the cut are read as they are."""
    reader = READERS[FILES[name]]
    header, rows = pieces(name)
    content = header + b"".join(rows[:3])
    whole, _ = read(reader, content)
    for end in range(len(header) + 1, len(content), 7):
        found, _ = read(reader, content[:end])
        complete = sum(len(header) + len(b"".join(rows[: count + 1])) <= end for count in range(3))
        assert complete <= len(found) <= complete + 1
        assert_rows(found.select(slice(0, complete)), whole.select(slice(0, complete)))
        assert_possible(found)
