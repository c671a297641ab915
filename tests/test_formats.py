"""Text and Parquet files: what is read, what is written, what is refused and how it is said."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

import chess
import numpy as np
import pytest

from evalcore.errors import FormatError, InputError, UnknownName
from evalcore.fen import format_fens
from evalcore.formats import (
    READERS,
    WRITERS,
    DataSource,
    Rejects,
    open_positions,
    read_positions,
    write_positions,
)
from evalcore.formats.base import HEAD_BYTES
from evalcore.formats.opening import choose_reader
from evalcore.positions import COLUMNS, NO_GAME, Positions

SAMPLES = Path(__file__).parent / "data" / "formats"
PAWNS = "8/5k2/4p3/3pP3/3P1K2/8/8/8"
ROOKS = "4r1k1/pp3ppp/8/3p4/3P4/8/PP3PPP/4R1K1"
BOARD_NAMES = [name for name in COLUMNS if name not in ("result", "score", "game", "ply", "sample_weight")]


def assert_columns(one: Positions, other: Positions, names: list[str]) -> None:
    for name in names:
        ours, theirs = getattr(one, name), getattr(other, name)
        assert np.array_equal(ours, theirs, equal_nan=ours.dtype.kind == "f"), name


def labels_of(tmp_path: Path, *lines: str, **options: object) -> list[float]:
    path = tmp_path / "lines.epd"
    path.write_text("\n".join(lines))
    return read_positions(path, **options).result.tolist()  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def bullet_rows() -> Positions:
    rows = read_positions(SAMPLES / "bullet.txt")
    return rows.replace(score=np.nan_to_num(rows.score, nan=300))


def test_bullet_lines_are_what_their_words_say(bullet_rows: Positions) -> None:
    rows = [line.split(" | ") for line in (SAMPLES / "bullet.txt").read_text().splitlines()]
    scores = [float(row[1]) if abs(float(row[1])) < 20_000 else 300 for row in rows]
    assert bullet_rows.score.tolist() == scores
    assert bullet_rows.result.tolist() == [float(row[2]) for row in rows]
    assert_columns(bullet_rows, Positions.from_boards(chess.Board(row[0]) for row in rows), BOARD_NAMES)
    assert bullet_rows.ply.tolist() == [chess.Board(row[0]).ply() for row in rows]


@pytest.mark.parametrize(
    "name", ["zurichess.epd", "ethereal.fens", "texel_semicolon.book", "fen_semicolon_result.txt"]
)
def test_the_same_positions_in_every_family(name: str, bullet_rows: Positions) -> None:
    rows = read_positions(SAMPLES / name)
    clocks = ["halfmove_clock", "fullmove_number"] if name == "zurichess.epd" else []
    assert_columns(rows, bullet_rows, [each for each in [*BOARD_NAMES, "result"] if each not in clocks])
    assert (rows.game == NO_GAME).all()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("zurichess.epd", "epd"),
        ("ethereal.fens", "epd"),
        ("texel_semicolon.book", "epd"),
        ("fen_semicolon_result.txt", "epd"),
        ("bullet.txt", "bullet"),
    ],
)
def test_formats_are_found_by_content(name: str, expected: str, tmp_path: Path) -> None:
    assert choose_reader(tmp_path, (SAMPLES / name).read_bytes()[:HEAD_BYTES], READERS).name == expected


@pytest.mark.parametrize(
    ("rest", "result"),
    [
        (' c9 "1-0";', 1),
        (' c9 "1/2-1/2"', 0.5),
        (" c9 0-1;", 0),
        (' c0 "note; with semicolon"; c9 "1-0";', 1),
        (' c0 "a ; c9 1-0"; c9 "0-1";', 0),
        (' bm Kg5; id "x"; c0 "1-0";', 1),
        (';c9 "1-0";', 1),
        (" 3 40 [0.5]", 0.5),
        (" 3 40 [0.5] -34", 0.5),
        (" 3 40 [1.0];", 1),
        (" 3 40 [1]", 1),
        (" 3 40;[0.62]", float(np.float32(0.62))),
        (" 3 40;0.5", 0.5),
        (" 3 40,1.0", 1),
        (" 3 40 1-0", 1),
        (' 3 40 "0-1"', 0),
        (" 3 40 1/2-1/2 # a note 1-0", 0.5),
        (" 1-0\r", 1),
        ('\tc9\t"1-0" ; ', 1),
        (' 3 40 c9 "1-0"; c0 "1-0";', 1),
    ],
)
def test_results_in_all_their_spellings(rest: str, result: float, tmp_path: Path) -> None:
    assert labels_of(tmp_path, f"{PAWNS} w - -{rest}", f"{ROOKS} b - - [0.5]") == [result, 0.5]


@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        (' c9 "2-0";', "the result is not one of"),
        (' c9 "1-O";', "the result is not one of"),
        (' c9 "l-0";', "the result is not one of"),
        (' c9 "1-0 (time)";', "the result is not one of"),
        (' c9 "0-1 Smith";', "the result is not one of"),
        (' c9 "white wins";', "the result is not one of"),
        (' c9 "e4 wins";', "the result is not one of"),
        (' c9 "1. e4 e5";', "the result is not one of"),
        (' c9 "0.";', "the result is not one of"),
        (' c9 "";', "the result is not one of"),
        (' c0 "1-O";', "the result is not one of"),
        (' c0 "1-0 (time)";', "the result is not one of"),
        (' c9 "draw";', "the result is not one of"),
        (" c9 '1-0';", "the result is not one of"),
        (" [1.0", "the result is not one of"),
        (" 0.", "the result is not one of"),
        (" 0 1 0.", "the result is not one of"),
        (" 0 1 [0.]", "the result is not one of"),
        (" 0 1 34", "the result is not one of"),
        (" 0 1,-34", "a number that is no result; if this is a table, it needs a header"),
        (" 0 1 [x]", "the result is not one of"),
        (" 0 1 [1.0] [0.0]", "two results that differ"),
        (' c9 "1-0"; c0 "0-1";', "two results that differ"),
        (" 0 1 [1.0] win", "text that is not understood"),
        (" 0 1 win", "text that is not understood"),
        (' c0 "open; c9 1-0;', "a quotation mark without its partner"),
        (' ce abc; c9 "1-0";', "the score is not a number"),
        (' ce 5.; c9 "1-0";', "the score is not a number"),
        (' ce -346; ce 12; c9 "1-0";', "two scores that differ"),
        (' ce 32002; ce 12; c9 "1-0";', "two scores that differ"),
        (' ce 12; ce -32002; c9 "1-0";', "two scores that differ"),
        (' hmvc 3; hmvc 4; c9 "1-0";', "one name with two values"),
        (" 0 1 | 3 | 0.5", "the result is not one of"),
    ],
)
def test_unknown_labels_are_errors_with_file_and_line(rest: str, reason: str, tmp_path: Path) -> None:
    lines = (f"{ROOKS} b - - [0.5]", "", f"{PAWNS} w - -{rest}")
    with pytest.raises(FormatError, match=rf"lines\.epd:3: {reason}"):
        labels_of(tmp_path, *lines, format="epd")
    rejects = Rejects()
    assert labels_of(tmp_path, *lines, format="epd", on_error="skip", rejects=rejects) == [0.5]
    assert [(each.place, each.text) for each in rejects.kept] == [(3, lines[2].strip())]


def test_a_label_is_never_searched_for_in_the_board(tmp_path: Path) -> None:
    fen = "4k3/8/8/1p1/2P5 w - - [0.0]".replace("1p1/2P5", "1PP1/2P5")
    tricky = "rnbqkbnr/ppp2ppp/8/1PP1/2P5/8/1P6/4K3 w - - 0 1 [0.0]"
    for line in (fen, tricky):
        with pytest.raises(FormatError, match=r"squares|ranks"):
            labels_of(tmp_path, line, format="epd")
    assert labels_of(tmp_path, "4k3/8/8/8/8/1P6/1/2".replace("1/2", "8/4K3") + " w - - 0 1 [0.0]") == [0.0]


def test_scores_of_operations_are_the_movers(tmp_path: Path) -> None:
    path = tmp_path / "x.epd"
    path.write_text(
        f'{PAWNS} w - - ce 30; c9 "1-0";\n{ROOKS} b - - ce 30; c9 "1-0";\n{ROOKS} b - - ce -31998;\n'
    )
    rejects = Rejects()
    rows = read_positions(path, rejects=rejects)
    assert rows.score[:2].tolist() == [30, -30]
    assert np.isnan(rows.score[2]) and np.isnan(rows.result[2])
    assert sorted(rejects.notes.values()) == [1, 1]
    assert read_positions(path, score_pov="white").score[:2].tolist() == [30, 30]


def test_counters_from_operations(tmp_path: Path) -> None:
    path = tmp_path / "x.epd"
    path.write_text(f'{PAWNS} b - - hmvc 4; fmvn 40; c9 "1-0";\n{PAWNS} w - - fmvc 7; c9 "1-0";\n')
    rows = read_positions(path)
    assert rows.halfmove_clock.tolist() == [4, 0]
    assert rows.fullmove_number.tolist() == [40, 7]
    assert rows.ply.tolist() == [79, 12]


def test_blank_lines_comments_byte_order_mark_and_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "x.epd"
    path.write_bytes(
        b"\xef\xbb\xbf# made by hand\r\n"
        + f'{PAWNS} w - - c9 "1-0";\r\n\r\n   \t\r\n% old\r\n'.encode()
        + f"{ROOKS} b - - [0.0]\r\n  {ROOKS}  w  -  - 1/2-1/2".encode()
    )
    assert read_positions(path).result.tolist() == [1, 0, 0.5]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_text_as_windows_shells_write_it(encoding: str, bullet_rows: Positions, tmp_path: Path) -> None:
    text = (SAMPLES / "bullet.txt").read_text().replace("\n", "\r\n") * 20
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    (tmp_path / "x.txt").write_bytes((mark + text).encode(encoding))
    rows = read_positions(tmp_path / "x.txt")
    assert rows.result.tolist() == bullet_rows.result.tolist() * 20


def test_lines_of_any_length(tmp_path: Path) -> None:
    long = "x" * 300_000
    assert labels_of(tmp_path, f'{PAWNS} w - - c0 "{long}"; c9 "1-0";', f"{ROOKS} b - - [0.0]") == [1, 0]


def test_bullet_spellings(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(
        f"{PAWNS} w - - 0 1|20|1\n{PAWNS} w - - 0 1 | +20.5 | [0.5]\n{PAWNS} b - - 0 1 | 32002 | 1/2\n"
    )
    rows = read_positions(path)
    assert rows.score[:2].tolist() == [20, 20.5] and np.isnan(rows.score[2])
    assert rows.result.tolist() == [1, 0.5, 0.5]
    flipped = read_positions(path, result_pov="side-to-move", score_pov="side-to-move")
    assert flipped.result.tolist() == [1, 0.5, 0.5]


@pytest.mark.parametrize(
    "rest", ["| 20", "| 20 | 2.0", "| x | 1.0", "| 20 | 1.0 | 3", "| | 1.0", "1.0", "| 20 |"]
)
def test_bullet_lines_that_are_wrong(rest: str, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(f"{PAWNS} w - - 0 1 | 20 | 1.0\n{PAWNS} w - - 0 1 {rest}\n")
    with pytest.raises(FormatError, match=r"x\.txt:2: "):
        read_positions(path, format="bullet")


def test_results_from_the_side_to_move_are_turned(tmp_path: Path) -> None:
    lines = (f"{PAWNS} w - - [1.0]", f"{PAWNS} b - - [1.0]", f"{PAWNS} b - - [0.5]")
    assert labels_of(tmp_path, *lines) == [1, 1, 0.5]
    assert labels_of(tmp_path, *lines, result_pov="side-to-move") == [1, 0, 0.5]


TEXT_WRITERS: dict[str, list[str]] = {
    "zurichess": [name for name in BOARD_NAMES if name not in ("halfmove_clock", "fullmove_number")],
    "bracket": BOARD_NAMES,
    "bullet": [*BOARD_NAMES, "score"],
    "parquet": list(COLUMNS),
}


@pytest.mark.parametrize("name", TEXT_WRITERS)
def test_what_is_written_reads_back(name: str, bullet_rows: Positions, tmp_path: Path) -> None:
    rows = bullet_rows.replace(game=np.arange(len(bullet_rows)) // 10)
    path = tmp_path / "out.bin"
    write_positions(rows, path, format=name)
    found = read_positions(path)
    assert_columns(found, rows, [*TEXT_WRITERS[name], "result"])
    kept = set(COLUMNS) - set(WRITERS[name].lost)
    assert set(TEXT_WRITERS[name]) | {"result"} <= kept


@pytest.mark.parametrize(
    "suffix", [".epd", ".epd.gz", ".epd.bz2", ".epd.xz", ".epd.zst", ".fens.zst", ".txt.gz", ".parquet"]
)
def test_suffixes_choose_format_and_compression(suffix: str, bullet_rows: Positions, tmp_path: Path) -> None:
    path = tmp_path / f"out{suffix}"
    write_positions([bullet_rows.select(slice(0, 100)), bullet_rows.select(slice(100, None))], path)
    assert list(tmp_path.iterdir()) == [path]
    assert read_positions(path).result.tolist() == bullet_rows.result.tolist()
    write_positions(bullet_rows, path)
    before = path.read_bytes()
    write_positions(bullet_rows, path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "compress",
    [gzip.compress, bz2.compress, lzma.compress],
)
def test_compression_is_found_by_content_whatever_the_name(
    compress: Callable[[bytes], bytes], bullet_rows: Positions, tmp_path: Path
) -> None:
    path = tmp_path / "misnamed.epd"
    path.write_bytes(compress((SAMPLES / "bullet.txt").read_bytes()))
    assert_columns(read_positions(path), bullet_rows, [*BOARD_NAMES, "result", "ply"])


def test_a_zip_archive_of_one_file(bullet_rows: Positions, tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(SAMPLES / "bullet.txt", "bullet.txt")
    assert_columns(read_positions(path), bullet_rows, [*BOARD_NAMES, "result", "ply"])
    with zipfile.ZipFile(path, "a") as archive:
        archive.write(SAMPLES / "bullet.txt", "again.txt")
    with pytest.raises(InputError, match=r"x\.zip: .* holds 2"):
        read_positions(path)


def test_a_cut_off_compressed_file(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress((SAMPLES / "bullet.txt").read_bytes())[:-3000])
    with pytest.raises(FormatError, match=r"x\.gz: the file is damaged or cut off"):
        read_positions(path)


@pytest.mark.parametrize("block", [2, 1 << 8, 1 << 12, 1 << 17])
def test_blocks_and_threads_change_nothing(block: int, tmp_path: Path) -> None:
    path = tmp_path / "x.epd"
    line = f"{PAWNS} w - - [0.5]\n"
    path.write_text(
        f"{ROOKS} b - - [0.0]\n\n" * 500 + "broken\n" + line * 500 + f"{PAWNS} w - - [x]\n" + line
    )
    seen = []
    for threads in (1, 2, 5):
        rejects = Rejects()
        blocks = list(open_positions(path, on_error="skip", rejects=rejects, threads=threads, block=block))
        seen.append(
            (Positions.concatenate(blocks), rejects.kept, rejects.counts, [len(each) for each in blocks])
        )
    assert [each.place for each in seen[0][1]] == [1001, 1502]
    assert len(seen[0][0]) == 1001
    for rows, kept, counts, sizes in seen[1:]:
        assert_columns(rows, seen[0][0], list(COLUMNS))
        assert (kept, counts, sizes) == seen[0][1:]


def test_several_files_and_patterns(bullet_rows: Positions, tmp_path: Path) -> None:
    for number in range(3):
        write_positions(bullet_rows.replace(game=np.arange(300) // 100), tmp_path / f"part{number}.parquet")
    whole = read_positions(str(tmp_path / "*.parquet"))
    assert len(whole) == 900
    assert whole.game.tolist() == (np.arange(900) // 100).tolist()
    assert_columns(read_positions(tmp_path), whole, list(COLUMNS))
    weighted = read_positions(
        DataSource(tmp_path / "part0.parquet", weight=0.25, limit=7), tmp_path / "part1.parquet"
    )
    assert len(weighted) == 307
    assert weighted.sample_weight[:8].tolist() == [0.25] * 7 + [1]


def test_parquet_without_labels_and_with_more_columns(bullet_rows: Positions, tmp_path: Path) -> None:
    frame = bullet_rows.to_frame().drop(columns=["result", "score", "game", "sample_weight"])
    frame["pawns"] = frame["pawns"].astype("int64")
    frame["engine"] = "x"
    frame.to_parquet(tmp_path / "x.parquet")
    rows = read_positions(tmp_path / "x.parquet")
    assert_columns(rows, bullet_rows, [*BOARD_NAMES, "ply"])
    assert np.isnan(rows.result).all() and (rows.game == NO_GAME).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pawns": 0xFF00, "white": 0xFFFF}, "row 0: "),
        ({"result": 1.5}, "row 0: a result that is not between 0 and 1"),
        ({"ep_square": 900}, "the column ep_square holds numbers that are no int8"),
        ({"white_to_move": "w"}, "the column white_to_move does not hold numbers"),
        ({"pawns": None}, "pawns"),
    ],
)
def test_parquet_that_is_wrong(
    change: dict[str, object], message: str, bullet_rows: Positions, tmp_path: Path
) -> None:
    bullet_rows.to_frame().assign(**change).to_parquet(tmp_path / "x.parquet")
    with pytest.raises(FormatError, match=message):
        read_positions(tmp_path / "x.parquet")


def test_parquet_of_something_else(tmp_path: Path, bullet_rows: Positions) -> None:
    bullet_rows.to_frame()[["pawns", "result"]].to_parquet(tmp_path / "x.parquet")
    with pytest.raises(FormatError, match=r"x\.parquet: columns of positions are missing: knights, bishops"):
        read_positions(tmp_path / "x.parquet")
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes(b"PAR1" + bytes(1000))
    with pytest.raises(FormatError, match=r"damaged\.parquet: the Parquet file cannot be read"):
        read_positions(damaged)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b" \n\n\t\n", "nothing but blanks"),
        (b"# a comment\n", "no known format|not a single position"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40, "this is a PNG picture"),
        (bytes(range(256)) * 64, "no known format"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "a Git LFS pointer"),
        (b"<!DOCTYPE html><html>", "an HTML page"),
        (b"to be or not to be\nthat is the question\n", "no known format"),
    ],
)
def test_files_that_hold_no_positions(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "data.epd"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=message) as caught:
        read_positions(path)
    assert str(caught.value).startswith(str(path)) and "\n" not in str(caught.value)


def test_names_that_lead_nowhere(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no file 'nosuch\.epd'"):
        open_positions("nosuch.epd")
    with pytest.raises(InputError, match="no file matches"):
        open_positions(str(tmp_path / "*.epd"))
    with pytest.raises(InputError, match="a folder without Parquet files"):
        open_positions(tmp_path)
    with pytest.raises(InputError, match="no data was named"):
        open_positions([])


def test_names_of_formats_and_options(tmp_path: Path, bullet_rows: Positions) -> None:
    with pytest.raises(UnknownName, match="did you mean bullet"):
        read_positions(SAMPLES / "bullet.txt", format="bulet")
    with pytest.raises(InputError, match="a point of view is one of white, side-to-move"):
        read_positions(SAMPLES / "bullet.txt", result_pov="black")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="on_error"):
        read_positions(SAMPLES / "bullet.txt", on_error="ignore")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="names no format"):
        write_positions(bullet_rows, tmp_path / "out.xyz")
    with pytest.raises(InputError, match="cannot be written"):
        write_positions(bullet_rows, tmp_path / "nosuch" / "out.epd")


@pytest.mark.parametrize("name", ["zurichess", "bracket", "bullet"])
def test_unknown_labels_are_not_written_as_something(
    name: str, bullet_rows: Positions, tmp_path: Path
) -> None:
    results = bullet_rows.result.copy()
    results[3] = np.nan
    with pytest.raises(InputError, match="1 position has no result"):
        write_positions(bullet_rows.replace(result=results), tmp_path / "out", format=name)
    assert not list(tmp_path.iterdir())


def test_probabilities(bullet_rows: Positions, tmp_path: Path) -> None:
    rows = bullet_rows.replace(result=np.linspace(0, 1, len(bullet_rows), dtype=np.float32))
    for name in ("zurichess", "bracket"):
        write_positions(rows, tmp_path / name, format=name)
        assert read_positions(tmp_path / name).result.tolist() == rows.result.tolist()
    with pytest.raises(InputError, match="298 positions have a result between"):
        write_positions(rows, tmp_path / "bullet", format="bullet")


def test_all_lines_left_out_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "x.epd").write_text(f"{PAWNS} w - - [x]\n")
    with pytest.raises(FormatError, match=r"not a single position .* 1 × the result is not"):
        read_positions(tmp_path / "x.epd", on_error="skip")


def test_positions_without_labels(tmp_path: Path) -> None:
    (tmp_path / "x.fen").write_text("\n".join(format_fens(read_positions(SAMPLES / "bullet.txt"))))
    rejects = Rejects()
    rows = read_positions(tmp_path / "x.fen", rejects=rejects)
    assert np.isnan(rows.result).all()
    assert rejects.notes["positions without a result"] == 300


def test_public_files(reference_data: Path) -> None:
    """Real files and how many positions they hold."""
    counts = {
        "quiet-labeled-subset-1_1000.epd": 1081,
        "quiet-labeled_debug.epd": 1000,
        "zamar_spsa_book.epd": 31526,
        "STS1-STS15_LAN_v3.epd": 1500,
        "silent-but-deadly.epd": 134,
        "fastchess_openings.epd": 100,
    }
    for name, count in counts.items():
        assert len(read_positions(reference_data / "public" / "epd" / name)) == count, name
