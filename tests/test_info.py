"""`tuner data info`: every number against python-chess or counting by hand, tables, pictures."""

from __future__ import annotations

import builtins
import json
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import chess
import numpy as np
import pytest

from evalcore.formats import Located, open_located
from evalcore.positions import Positions
from tuner.cli import run
from tuner.info import Info, k_of, look_at
from tuner.info_plots import PICTURES, write_pictures
from tuner.material import MaterialTable
from tuner.sample import sample_path

ROWS = 3_000


@pytest.fixture(scope="module")
def located() -> Located:
    block = next(open_located(str(sample_path())))
    return Located(block.positions.select(slice(0, ROWS)), "some.parquet", block.places[:ROWS])


def test_counts_against_python_chess(located: Located) -> None:
    rows = located.positions
    boards = [rows.board(row) for row in range(len(rows))]
    found = look_at([located]).summary()
    assert found["positions"] == ROWS
    assert found["in_check"] == sum(board.is_check() for board in boards)
    assert found["white_to_move"] == sum(board.turn for board in boards)
    assert found["games"] == len(set(rows.game.tolist()))
    assert found["men"] == {
        str(n): count for n, count in sorted(Counter(len(board.piece_map()) for board in boards).items())
    }
    epds = [board.epd() for board in boards]
    assert found["duplicates"] == ROWS - len(set(epds))
    labels: dict[str, set[float]] = {}
    for epd, result in zip(epds, rows.result.tolist(), strict=True):
        labels.setdefault(epd, set()).add(result)
    assert found["conflicting"] == sum(len(each) > 1 for each in labels.values())
    assert found["results"]["draws"] == sum(result == 0.5 for result in rows.result.tolist())
    weights = (0, 1, 1, 2, 4, 0)
    phases = Counter(
        min(24, sum(weights[piece.piece_type - 1] for piece in board.piece_map().values()))
        for board in boards
    )
    assert found["phase"] == [phases[n] for n in range(25)]


def words(board: chess.Board, colour: bool) -> str:
    counts = [len(board.pieces(kind, colour)) for kind in (5, 4, 3, 2, 1)]
    pieces = "".join(letter * count for letter, count in zip("QRBN", counts, strict=False))
    return (pieces or "K") + (f"+{counts[4]}" if counts[4] else "")


def weight(board: chess.Board, colour: bool) -> list[int]:
    return [len(board.pieces(kind, colour)) for kind in (5, 4, 3, 2, 1)]


def test_materials_against_python_chess(located: Located) -> None:
    wanted: Counter[tuple[str, float]] = Counter()
    for row in range(ROWS):
        board, result = located.positions.board(row), float(located.positions.result[row])
        first = weight(board, chess.WHITE) >= weight(board, chess.BLACK)
        wanted[f"{words(board, first)} v {words(board, not first)}", result if first else 1 - result] += 1
    table = MaterialTable()
    for rows in located.positions.blocks(700):
        table.add(located.positions.select(rows))
    found = table.most_frequent(10_000)
    assert sum(row["positions"] for row in found) == ROWS
    assert [row["positions"] for row in found] == sorted((row["positions"] for row in found), reverse=True)
    for row in found:
        ours = {1.0: row["won"], 0.5: row["drawn"], 0.0: row["lost"]}
        assert all(wanted[row["material"], value] == count for value, count in ours.items()), row


def test_k_by_file_and_engine() -> None:
    """Scores that follow a curve of known K give it back, for each file and engine on its own."""
    rng = np.random.default_rng(1)
    blocks = []
    for source, k in (("a", 0.7), ("b", 1.6)):
        score = rng.uniform(-600, 600, 20_000)
        result = (rng.uniform(size=len(score)) < 1 / (1 + 10 ** (-k * score / 400))).astype(float)
        board = Positions.from_boards([chess.Board()])
        rows = board.select(np.zeros(len(score), int)).replace(score=score, result=result)
        blocks.append(Located(rows, source, np.arange(len(score))))
    found = look_at(blocks).summary()
    assert [each["name"] for each in found["k_by_source"]] == ["a", "b"]
    assert [each["k"] for each in found["k_by_source"]] == pytest.approx([0.7, 1.6], rel=0.04)
    assert found["k_by_engine"] == []
    assert k_of(np.full((5, 2), np.nan, np.float32)) is None


def test_engines_have_their_own_k(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = '[White "A"]\n[Black "B"]\n[Result "{}"]\n\n1. e4 {{{}/1 1s}} e5 {{{}/1 1s}} {}\n\n'
    text = game.format("1-0", "+0.50", "-0.10", "1-0") + game.format("0-1", "+0.20", "+0.30", "0-1")
    (tmp_path / "a.pgn").write_text(text)
    assert run(["data", "info", str(tmp_path / "a.pgn"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {each["name"]: each["positions"] for each in found["k_by_engine"]} == {"A": 2, "B": 2}
    assert found["files"][0]["format"] == "pgn"


def test_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["data", "info", str(sample_path())]) == 0
    text = capsys.readouterr().out
    for fact in ("positions", "in check", "quiet", "repeated boards", "boards with different results"):
        assert fact in text
    assert "most frequent material" in text and "won %" in text and "(agrees)" in text


def test_no_positions_no_division_by_zero() -> None:
    found = Info().summary()
    assert found["positions"] == 0 and found["material"] == [] and found["score_k"] is None


def test_pictures(located: Located, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    assert run(["data", "info", str(sample_path()), "--json", "--plots", str(tmp_path / "new" / "all")]) == 0
    written = json.loads(capsys.readouterr().out)["plots"]
    assert sorted(Path(path).stem for path in written) == sorted(PICTURES)
    for path in written:
        root = ElementTree.parse(path).getroot()
        texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
        assert len(texts) > 5, path
    bare = located.positions.replace(
        result=np.full(ROWS, np.nan), score=np.full(ROWS, np.nan), ply=np.zeros(ROWS)
    )
    info = look_at([Located(bare, "bare", located.places)])
    names = [path.stem for path in write_pictures(info, tmp_path / "bare")]
    assert names == ["phases", "men"], "no picture of labels that are missing"


def test_pictures_without_matplotlib(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def missing(name: str, *arguments: Any, **options: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", missing)
    assert run(["data", "info", str(sample_path()), "--plots", str(tmp_path / "plots")]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1 and "matplotlib" in captured.err
