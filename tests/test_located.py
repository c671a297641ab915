"""Where rows come from: the place of each against the text there, through blocks, threads and rejects."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from evalcore.fen import format_fens
from evalcore.formats import DataSource, Rejects, open_located, read_positions, write_located, write_positions
from evalcore.positions import Positions

SAMPLES = Path(__file__).parent / "data" / "formats"
TEXT = (
    "bullet.txt",
    "ethereal.fens",
    "rebel.epd",
    "zahak.txt",
    "zurichess.epd",
    "positions.csv",
    "stockfish.plain",
)
BINARY = ("bulletformat.data", "marlinformat.bin", "stockfish.bin", "stockfish.binpack")


def places_of(*sources: str | Path | DataSource, **options: object) -> tuple[np.ndarray, Positions]:
    blocks = list(open_located(sources, **options))  # type: ignore[arg-type]
    assert all(len(each.places) == len(each.positions) for each in blocks)
    rows = Positions.concatenate([each.positions for each in blocks])
    return np.concatenate([each.places for each in blocks]), rows


@pytest.mark.parametrize("name", TEXT)
@pytest.mark.parametrize(("block", "threads"), [(1 << 17, 1), (40, 2)])
def test_lines_hold_their_boards(name: str, block: int, threads: int) -> None:
    lines = (SAMPLES / name).read_text().splitlines()
    places, rows = places_of(SAMPLES / name, block=block, threads=threads)
    assert (np.diff(places) > 0).all()
    for place, fen in zip(places.tolist(), format_fens(rows), strict=True):
        assert fen.split()[0] in lines[place - 1]


@pytest.mark.parametrize("name", BINARY)
def test_records_are_counted(name: str) -> None:
    places, rows = places_of(SAMPLES / name, block=70, threads=2)
    assert places.tolist() == list(range(1, len(rows) + 1))


def test_places_pass_over_what_is_left_out(tmp_path: Path) -> None:
    lines = (SAMPLES / "bullet.txt").read_text().splitlines()[:50]
    lines[6], lines[20] = "# note", "not a position"
    path, rejects = tmp_path / "some.txt", Rejects()
    path.write_text("\n".join(lines))
    places, _ = places_of(path, on_error="skip", rejects=rejects, block=8)
    assert places.tolist() == [number for number in range(1, 51) if number not in (7, 21)]
    assert [each.place for each in rejects.kept] == [21]
    assert places_of(DataSource(path, limit=3), path, on_error="skip")[0].tolist()[:5] == [1, 2, 3, 1, 2]


def test_games_and_rows() -> None:
    text = (SAMPLES / "games.pgn").read_text().splitlines()
    places, rows = places_of(SAMPLES / "games.pgn", block=3)
    starts = [number for number, line in enumerate(text, 1) if line.startswith("[Event ")]
    assert [starts[game] for game in rows.game.tolist()] == places.tolist()
    places, rows = places_of(SAMPLES / "viriformat.vf", block=64)
    assert (places == rows.game + 1).all()


def test_rows_of_parquet(tmp_path: Path) -> None:
    rows = read_positions(SAMPLES / "bullet.txt")
    write_positions(rows, tmp_path / "a.parquet")
    frame = rows.to_frame()
    frame.loc[5, "kings"] = 0
    frame.to_parquet(tmp_path / "b.parquet")
    assert places_of(tmp_path / "a.parquet", block=11)[0].tolist() == list(range(len(rows)))
    places, _ = places_of(tmp_path / "b.parquet", on_error="skip", block=4)
    assert places.tolist() == [row for row in range(len(rows)) if row != 5]


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_tables_say_where_each_row_was(suffix: str, tmp_path: Path) -> None:
    odd, out = tmp_path / 'a, "b".epd', tmp_path / f"out{suffix}"
    odd.write_text("\n" + (SAMPLES / "zurichess.epd").read_text())
    sources = [odd, SAMPLES / "games.pgn"]
    write_located(open_located(sources), out)
    with out.open(newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t" if suffix == ".tsv" else ","))
    assert list(rows[0]) == ["fen", "result", "score", "ply", "game", "source", "line"]
    places, positions = places_of(*sources)
    assert [row["line"] for row in rows] == list(map(str, places.tolist()))
    assert [row["fen"] for row in rows] == format_fens(positions)
    counts = {str(source): sum(row["source"] == str(source) for row in rows) for source in sources}
    assert list(counts.values()) == [300, len(positions) - 300]
    again = read_positions(out)
    assert np.array_equal(again.result, positions.result) and np.array_equal(again.game, positions.game)


def test_what_nobody_knows_is_empty(tmp_path: Path) -> None:
    rows = read_positions(SAMPLES / "bullet.txt")
    write_positions(rows, tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(newline="") as stream:
        cells = list(csv.DictReader(stream))
    assert {(row["source"], row["line"]) for row in cells} == {("", "")} and len(cells) == len(rows)
    write_located(open_located(SAMPLES / "bullet.txt"), tmp_path / "a.parquet")  # no columns for places
    assert len(read_positions(tmp_path / "a.parquet")) == len(rows)


def test_engines_of_scores(tmp_path: Path) -> None:
    """The mover's engine where match runners wrote a score; nobody where a server or nobody did."""
    path = tmp_path / "a.pgn"
    path.write_text(
        '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n'
        "1. e4 {+0.10/5 1s} e5 {-0.20/5 1s} 2. Nf3 Nc6 {d=9, wv=0.30,} 1-0\n\n"
        '[White "C"]\n[Black "A"]\n[Result "1-0"]\n\n1. e4 {[%eval 0.1]} e5 {[%eval 0.2]} 1-0\n'
    )
    assert engines_of(path) == ["A", "B", None, "B", None, None]
    assert engines_of(DataSource(path, limit=2)) == ["A", "B"]
    assert all(each.authors is None for each in open_located(SAMPLES / "bullet.txt"))


def engines_of(source: Path | DataSource) -> list[str | None]:
    names: list[str | None] = []
    for block in open_located(source):
        assert block.authors is not None and len(block.authors.rows) == len(block.positions)
        names += [block.authors.names[row] if row >= 0 else None for row in block.authors.rows.tolist()]
    return names
