"""Files as they come: pipes, archives, ends of lines, bytes that are none of a text, lists of files."""

from __future__ import annotations

import gzip
import os
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from evalcore.errors import FormatError, InputError
from evalcore.fen import format_fens
from evalcore.formats import Rejects, read_positions, write_positions
from evalcore.positions import Positions

SAMPLES = Path(__file__).parent / "data" / "formats"
BOARD = "4r1k1/pp3ppp/8/3p4/3P4/8/PP3PPP/4R1K1"


def through_a_pipe(data: bytes, folder: Path, read: Callable[[Path], Positions]) -> Positions:
    """What is read from a named pipe into which bytes are written, a few at a time."""
    pipe = folder / "pipe"
    os.mkfifo(pipe)

    def fill() -> None:
        try:
            with pipe.open("wb", buffering=0) as file:
                for at in range(0, len(data), 1000):
                    file.write(data[at : at + 1000])
        except BrokenPipeError:
            pass  # a reader that raises closes its end

    writer = threading.Thread(target=fill)
    writer.start()
    try:
        return read(pipe)
    finally:
        writer.join(10)
        assert not writer.is_alive()


@pytest.mark.parametrize(
    "name",
    [
        "zurichess.epd",
        "positions.csv",
        "stockfish.plain",
        "stockfish.bin",
        "stockfish.binpack",
        "viriformat.vf",
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_pipes(name: str, packed: bool, tmp_path: Path) -> None:
    data = (SAMPLES / name).read_bytes()
    found = through_a_pipe(gzip.compress(data) if packed else data, tmp_path, read_positions)
    expected = read_positions(SAMPLES / name)
    assert format_fens(found) == format_fens(expected)
    assert found.result.tobytes() == expected.result.tobytes()


def test_pipes_that_are_read_from_their_end(tmp_path: Path) -> None:
    rows = read_positions(SAMPLES / "positions.csv")
    write_positions(rows, tmp_path / "a.parquet")
    with pytest.raises(FormatError, match=r"pipe: Parquet is read from its end and cannot come from a pipe"):
        through_a_pipe((tmp_path / "a.parquet").read_bytes(), tmp_path, read_positions)
    (tmp_path / "pipe").unlink()
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(SAMPLES / "positions.csv", "a.csv")
    with pytest.raises(FormatError, match=r"pipe: a zip archive is read from its end and cannot come from a"):
        through_a_pipe((tmp_path / "a.zip").read_bytes(), tmp_path, read_positions)


def test_archives_that_cannot_be_opened(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.epd", f"{BOARD} w - - [0.5]\n")
    whole = path.read_bytes()
    central = whole.index(b"PK\x01\x02")

    def changed(local: int, offset: int, value: int) -> None:
        data = bytearray(whole)
        data[local] = data[central + offset] = value
        path.write_bytes(data)

    changed(6, 8, 1)
    with pytest.raises(FormatError, match=r"a\.zip: the zip archive is encrypted; unpack it first$"):
        read_positions(path)
    changed(8, 10, 98)
    with pytest.raises(
        FormatError, match=r"a\.zip: the zip archive is packed in an unknown way .*; unpack it"
    ):
        read_positions(path)
    with zipfile.ZipFile(tmp_path / "empty.zip", "w"):
        pass
    with pytest.raises(FormatError, match=r"positions were expected, this is a zip archive without a file"):
        read_positions(tmp_path / "empty.zip")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("b.epd", "")
    with pytest.raises(
        FormatError, match=r"a\.zip: a zip archive of one file was expected, this one holds 2"
    ):
        read_positions(path)


@pytest.mark.parametrize("name", ["zurichess.epd", "positions.csv", "stockfish.plain", "bullet.txt"])
def test_lines_that_end_in_a_carriage_return(name: str, tmp_path: Path) -> None:
    data = (SAMPLES / name).read_bytes()
    (tmp_path / name).write_bytes(data.replace(b"\n", b"\r"))
    found, expected = read_positions(tmp_path / name), read_positions(SAMPLES / name)
    assert format_fens(found) == format_fens(expected)
    assert found.result.tobytes() == expected.result.tobytes()
    for block in (2, 100):
        assert len(read_positions(tmp_path / name, block=block, threads=2)) == len(expected)


def test_bad_lines_that_end_in_a_carriage_return(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(f"{BOARD} w - - [0.5]\r\rx\r".encode())
    with pytest.raises(FormatError, match="x:3: not a position"):
        read_positions(tmp_path / "x")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f'{BOARD} w - - c9 "1-0";\n{BOARD} w - - c9 "1\0-0";\n', 2),
        (f"fen,result\n{BOARD} w - -,1\n{BOARD} w - -,\x000.5\0x\n", 3),
        (f"{BOARD} w - - | 3 | 0.5\n\0\x01\0\n{BOARD} w - - | 3 | 0.5\n", 2),
    ],
)
def test_a_byte_that_is_none_of_a_text(text: str, line: int, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(text)
    with pytest.raises(FormatError, match=f"x:{line}: "):
        read_positions(tmp_path / "x")
    rejects = Rejects()
    assert len(read_positions(tmp_path / "x", on_error="skip", rejects=rejects)) >= 1
    assert [each.place for each in rejects.kept] == [line]


def test_a_text_filled_up_with_zeros(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(f"{BOARD} w - - [0.5]\n".encode() * 3 + bytes(3000))
    assert read_positions(tmp_path / "x").result.tolist() == [0.5] * 3


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a.epd,0,2\na.epd,2,1\n", r"list\.csv:2: path,0 or 1,limit was expected: 'a\.epd,2,1'"),
        ("a.epd,2,1\n", r"list\.csv:1: path,0 or 1,limit was expected"),
        ("none.epd,0,1\na.epd,0\n", r"list\.csv:1: there is no such file: 'none\.epd'"),
        ("# files\na.epd,0,1\na.epd;0;1\n", r"list\.csv:3: path,0 or 1,limit was expected"),
        ("a.epd,0,1\n../{folder},0,1\n", r"list\.csv:2: a file was expected, this is a folder"),
    ],
)
def test_lists_of_files_with_a_wrong_line(text: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "a.epd").write_text(f"{BOARD} w - - [0.5]\n")
    (tmp_path / "list.csv").write_text(text.replace("{folder}", tmp_path.name))
    with pytest.raises(FormatError, match=reason):
        read_positions(tmp_path / "list.csv")
    with pytest.raises(FormatError, match=reason):
        write_positions(read_positions(tmp_path / "list.csv"), tmp_path / "out.csv")


@pytest.mark.parametrize("header", ["fen,result,score", "Position,White_result,cp"])
def test_a_table_is_no_list_of_files(header: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(f'{header}\n"{BOARD} w - - 0 1",1,20\n{BOARD} w - - 0 1,0,20\n')
    assert read_positions(tmp_path / "x.csv").result.tolist() == [1, 0]


def test_a_table_without_header(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(f"{BOARD} w - - 0 1,-10\n{BOARD} w - - 0 1,30\n")
    with pytest.raises(
        FormatError, match=r"x\.csv:1: a number that is no result; if this is a table, it needs a"
    ):
        read_positions(tmp_path / "x.csv")


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("fen,result,result", "'result' and 'result'"),
        ("fen,result,outcome", "'result' and 'outcome'"),
        ("fen,score_white,eval", "'score_white' and 'eval'"),
        ("fen,board,result", "'fen' and 'board'"),
    ],
)
def test_two_columns_of_one_meaning(header: str, columns: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(f"{header}\n{BOARD} w - - 0 1,1,0\n")
    with pytest.raises(FormatError, match=rf"x\.csv:1: the columns {columns} mean the same"):
        read_positions(tmp_path / "x.csv", on_error="skip")


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "x.epd").symlink_to(tmp_path / "x.epd")
    with pytest.raises(InputError, match=r"x\.epd"):
        read_positions(tmp_path / "x.epd")
