"""`tuner data filter|dedupe|sample|split|merge|pivot` on a few games, and Sturman's kind of table."""

import json
from pathlib import Path

import chess
import numpy as np
import pytest

from evalcore.errors import InputError, UnknownName
from evalcore.formats import read_positions, write_positions
from evalcore.positions import Positions
from tuner.cli import run
from tuner.pivot import STURMAN, parse_configuration, pivot
from tuner.sample import sample_path

ROWS = 4_000


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_positions(read_positions(str(sample_path())).select(slice(0, ROWS)), "some.parquet")
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    """The JSON a command prints."""
    assert run(["data", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


def test_filter_counts_every_position_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(
        capsys,
        "filter",
        "some.parquet",
        "-o",
        "out.parquet",
        "--step",
        "ply-window:least=40",
        "--step",
        "quiet",
    )
    out = read_positions("out.parquet")
    assert found["read"] == ROWS and found["kept"] == len(out) > 100
    assert sum(found["left_out"].values()) == ROWS - len(out)  # type: ignore[attr-defined]
    assert out.ply.min() >= 40
    assert not any(out.board(row).is_check() for row in range(0, len(out), 20))


def test_a_recipe_makes_the_same_set(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steps = '[[step]]\nname = "ply-window"\nleast = 40\n[[step]]\nname = "quiet"\n'
    recipe = '[[source]]\npath = "some.parquet"\n' + steps
    (here / "recipe.toml").write_text(recipe)
    told(capsys, "filter", "--recipe", "recipe.toml", "-o", "a.parquet")
    told(
        capsys,
        "filter",
        "some.parquet",
        "--step",
        "ply-window:least=40",
        "--step",
        "quiet",
        "-o",
        "b.parquet",
    )
    assert (here / "a.parquet").read_bytes() == (here / "b.parquet").read_bytes()


def test_dedupe_after_merge_gives_the_set_back(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "merge", "some.parquet:0.5", "some.parquet", "-o", "twice.parquet")
    twice = read_positions("twice.parquet")
    assert len(twice) == 2 * ROWS and set(twice.sample_weight.tolist()) == {0.5, 1.0}
    assert len(np.unique(twice.game)) == 2 * len(np.unique(twice.game[:ROWS])), (
        "games of two sources are two games"
    )
    found = told(capsys, "dedupe", "twice.parquet", "-o", "once.parquet")
    assert found["kept"] == ROWS


def test_sample_is_repeatable_and_per_game(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b"):
        told(capsys, "sample", "some.parquet", "--per-game", "3", "--seed", "7", "-o", f"{name}.parquet")
    assert (here / "a.parquet").read_bytes() == (here / "b.parquet").read_bytes()
    assert np.unique(read_positions("a.parquet").game, return_counts=True)[1].max() == 3


def test_split_keeps_games_whole(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "split", "some.parquet", "-o", "train.parquet", "-o", "held.parquet", "--share", "0.25")
    train, held = read_positions("train.parquet"), read_positions("held.parquet")
    assert len(train) + len(held) == ROWS and 0.1 < len(held) / ROWS < 0.4
    source = read_positions("some.parquet")
    sizes = sorted(np.unique(source.game, return_counts=True)[1].tolist())
    parts = [np.unique(part.game, return_counts=True)[1].tolist() for part in (train, held)]
    assert sorted(parts[0] + parts[1]) == sizes


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["filter", "some.parquet"], "--out"),
        (["filter", "some.parquet", "-o", "x.parquet"], "--step"),
        (["filter", "-o", "x.parquet", "--step", "quiet"], "no positions"),
        (["filter", "some.parquet", "-o", "x.parquet", "--step", "quite"], "quiet"),
        (["filter", "some.parquet", "-o", "x.parquet", "--step", "ply-window:last=3"], "least"),
        (["filter", "some.parquet", "-o", "x.parquet", "--step", "ply-window:least"], "KEY=VALUE"),
        (["sample", "some.parquet", "-o", "x.parquet"], "--share"),
        (["split", "some.parquet", "-o", "x.parquet"], "two files"),
        (["merge", "some.parquet:much", "-o", "x.parquet"], "FILE:WEIGHT"),
        (["merge", "some.parquet:-1", "-o", "x.parquet"], "above 0"),
        (["dedupe", "some.parquet", "-o", "x.parquet", "--labels", "last"], "mean"),
        (["pivot", "some.parquet", "--material", "BvB"], "different"),
        (["pivot", "some.parquet", "--by", "moves"], "pawns"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_input(here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    assert run(["data", *arguments]) == 2
    captured = capsys.readouterr()
    assert words in captured.err and captured.err.count("\n") == 1 and captured.out == ""
    assert not (here / "x.parquet").exists()


def test_pivot_against_counting_by_hand() -> None:
    fens = {
        "4k3/pppn4/8/8/8/8/PPPB4/4K3 w - - 0 1": 1.0,  # White has the bishop
        "4k3/pppb4/8/8/8/8/PPPN4/4K3 w - - 0 1": 1.0,  # Black has it and lost
        "4k3/pppn4/8/8/8/8/PPPB4/3K4 b - - 0 1": 0.5,
        "4k3/ppn5/8/8/8/8/PPPB4/4K3 w - - 0 1": 1.0,  # pawns are not equal
        "4k3/pppn4/8/8/8/8/PPPBB3/4K3 w - - 0 1": 1.0,  # two bishops
    }
    positions = Positions.from_boards(
        [chess.Board(fen) for fen in fens], result=list(fens.values()), game=[1, 2, 1, 3, 4]
    )
    table = pivot([positions], ["BvN", "BBvN"], fewest=1)
    assert table["material"].tolist() == ["BvN", "BBvN"] and table["pawns"].tolist() == [3, 3]
    bishops = table.iloc[0]
    assert bishops["positions"] == 3 and bishops["games"] == 2
    assert bishops["score"] == pytest.approx(50.0)  # 1, 0 and a half for the bishop
    # game 1 deviates by 0.5 + 0, game 2 by -0.5; two games give the factor 2/(2-1)
    assert bishops["error"] == pytest.approx(100 * np.sqrt(2 * (0.25 + 0.25)) / 3)


def test_pivot_by_lead() -> None:
    board = chess.Board("4k3/ppn5/8/8/8/8/PPPB4/4K3 w - - 0 1")
    table = pivot([Positions.from_boards([board], result=[1.0])], ["BvN", "NvB"], by="lead", fewest=1)
    assert table[["lead", "score"]].to_numpy().tolist() == [[1, 100.0], [-1, 0.0]]


def test_configurations() -> None:
    assert len(STURMAN) == 30 and len(set(STURMAN)) == 30 and "BBRvNNR" in STURMAN
    for text in STURMAN:
        parse_configuration(text)
    for text in ("B", "BvB", "BvX", "vN v"):
        with pytest.raises(InputError):
            parse_configuration(text)
    with pytest.raises(UnknownName):
        pivot([], ["BvN"], by="colour")
