"""Reading and writing of every format, games of PGN, and a long file converted in bounded memory.

What is written holds the sample, repeated; what nobody writes here (PGN, Stockfish's binary files and the
like) is the sample of the tests, repeated. Every answer is checked: rows that are read equal what was written
in every column that the format carries, and a conversion keeps the sum of the hashes of all boards.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from evalcore.fen import format_fens
from evalcore.filters.base import board_keys
from evalcore.formats import READERS, WRITERS, open_positions, read_positions, write_positions
from evalcore.positions import COLUMNS, Positions
from tuner.cli.text import table
from tuner.sample import sample_path

from .main import _in_fresh_process, _peak_megabytes, write_epd

SIZES = (100_000, 1_000_000)
LONGEST_TABLE = 2_000_000
"""Larger sizes are only converted."""
REPEATS = 3
SAMPLES = Path(__file__).parent.parent / "tests" / "data" / "formats"
READ_ONLY = {
    "zahak": "zahak.txt",
    "rebel": "rebel.epd",
    "pgn": "games.pgn",
    "stockfish-bin": "stockfish.bin",
    "binpack": "stockfish.binpack",
    "viriformat": "viriformat.vf",
}
"""Formats that nobody writes here, and the file of each that is repeated."""
BINPACK_HEAD, BINPACK_BLOCK = 8, 1 << 20
LICHESS = '{{"fen":"{}","evals":[{{"pvs":[{{"cp":{},"line":"e2e4"}}],"knodes":9,"depth":20}}]}}\n'
HEADER = ("format", "positions", "MB", "write M/s", "read M/s", "of CPU time", "note")
CONVERSION = ("conversion", "positions", "seconds", "M/s", "of CPU time", "peak MB", "MB above the imports")


def run(sizes: list[int] | None = None) -> None:
    """Prints a table of all formats, and one of conversions."""
    chosen = sizes or list(SIZES)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _in_fresh_process(all_formats, folder, 1_000)  # fills the cache of compiled code
        tables = [_in_fresh_process(all_formats, folder, size) for size in chosen if size <= LONGEST_TABLE]
        if tables:
            print(table([row for rows in tables for row in rows], HEADER), end="\n\n")
        rows = []
        for size in chosen:
            write_epd(folder / "long.epd", size)
            rows += _in_fresh_process(conversion, folder / "long.epd", size)
        print(table(rows, CONVERSION))


def all_formats(folder: Path, size: int) -> list[list[Any]]:
    """A row for each format."""
    rows = repeated_sample(size)
    found = [written(name, rows, folder) for name in WRITERS]
    found += [copied(name, SAMPLES / file, size, folder) for name, file in READ_ONLY.items()]
    found.append(lichess(rows, folder))
    assert {row[0] for row in found} >= set(READERS) - {"epd"}
    return found


def repeated_sample(size: int) -> Positions:
    """The sample, as often as needed, with scores that every format can hold."""
    sample = read_positions(str(sample_path()))
    rows = sample.select(np.arange(size) % len(sample))
    return rows.replace(score=np.clip(np.rint(rows.score), -9_000, 9_000))


def written(name: str, rows: Positions, folder: Path) -> list[Any]:
    """Writes and reads one format."""
    path = folder / "out"
    start = time.perf_counter()
    write_positions(rows, path, format=name)
    seconds = time.perf_counter() - start
    # Scores may be rounded to the unit of the format; a format without the side to move turns boards.
    carried = set() if "white_to_move" in WRITERS[name].lost else set(COLUMNS) - set(WRITERS[name].lost)

    def check(found: Positions) -> None:
        assert_equal(found, rows, carried - {"score"})

    row = measured(name, path, len(rows), check)
    row[3] = f"{len(rows) / seconds / 1e6:.2f}"
    return row


def copied(name: str, sample: Path, size: int, folder: Path) -> list[Any]:
    """Reads one format from a sample that is repeated."""
    expected, path = read_positions(sample), folder / "out"
    times = max(size // len(expected), 1)
    path.write_bytes(repeated(name, sample.read_bytes(), times))

    def check(found: Positions) -> None:
        assert len(found) == times * len(expected)
        for start in (0, len(found) - len(expected)):
            part = found.select(slice(start, start + len(expected)))
            assert_equal(part, expected, set(COLUMNS) - {"game"})

    row = measured(name, path, times * len(expected), check)
    if name == "pgn":
        games = times * len(np.unique(expected.game))
        rows_a_game = times * len(expected) / games
        row[-1] = f"{float(row[4]) * 1e6 / rows_a_game:,.0f} games/s of {rows_a_game:.0f} plies"
    return row


def repeated(name: str, content: bytes, times: int) -> bytes:
    """A file so many times over; of a binpack its chains, in blocks of a megabyte as is usual."""
    if name != "binpack":
        return (content + (b"\n" if name == "pgn" else b"")) * times
    chains = content[BINPACK_HEAD:]
    most = max(BINPACK_BLOCK // len(chains), 1)
    blocks = [chains * min(most, times - start) for start in range(0, times, most)]
    return b"".join(b"BINP" + len(block).to_bytes(4, "little") + block for block in blocks)


def lichess(rows: Positions, folder: Path) -> list[Any]:
    """Reads objects as the Lichess data base has them."""
    path = folder / "out"
    with path.open("w") as file:
        file.writelines(map(LICHESS.format, format_fens(rows, 4), rows.score.astype(int).tolist()))
    carried = {"pawns", "kings", "white", "white_to_move", "castling_rights", "ep_square", "score"}
    return measured("lichess", path, len(rows), lambda found: assert_equal(found, rows, carried))


def measured(name: str, path: Path, size: int, check: Callable[[Positions], None]) -> list[Any]:
    """A row with the best time of reading a file block by block."""
    check(read_positions(path))
    wall = cpu = np.inf
    for _ in range(REPEATS):
        before = time.perf_counter(), time.process_time()
        assert sum(len(block) for block in open_positions(path)) == size
        wall = min(wall, time.perf_counter() - before[0])
        cpu = min(cpu, time.process_time() - before[1])
    megabytes = path.stat().st_size / 1e6
    rates = (f"{size / seconds / 1e6:.2f}" for seconds in (wall, cpu))
    return [name, f"{size:,}", f"{megabytes:.1f}", "", *rates, ""]


def assert_equal(found: Positions, expected: Positions, columns: Iterable[str]) -> None:
    """The same rows in some columns."""
    assert len(found) == len(expected)
    for name in columns:
        ours, theirs = getattr(found, name), getattr(expected, name)
        assert np.array_equal(ours, theirs, equal_nan=ours.dtype.kind == "f"), name


def conversion(path: Path, size: int) -> list[list[Any]]:
    """EPD to Parquet, with the memory it took; then the other way, and to CSV."""
    read_positions(str(sample_path())).select(slice(0, 1))
    base, rows = _peak_megabytes(), []
    total = hash_of(path)
    for source, target in (("long.epd", "long.parquet"), ("long.parquet", "long.csv.zst")):
        start = time.perf_counter(), time.process_time()
        write_positions(open_positions(path.parent / source), path.parent / target)
        wall, cpu = time.perf_counter() - start[0], time.process_time() - start[1]
        peak = _peak_megabytes()
        assert hash_of(path.parent / target) == total
        name = f"{source.partition('.')[2]} to {target.partition('.')[2]}"
        rates = (f"{size / seconds / 1e6:.2f}" for seconds in (wall, cpu))
        rows.append([name, f"{size:,}", f"{wall:.1f}", *rates, f"{peak:.0f}", f"{peak - base:.0f}"])
    return rows


def hash_of(path: Path) -> int:
    """The sum of the hashes of all boards of a file, and their number."""
    total = 0
    for block in open_positions(path):
        total += int(board_keys(block).sum()) + len(block)
    return total % (1 << 64)
