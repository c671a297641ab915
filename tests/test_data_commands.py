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


DAMAGED = "8/8/8/8/8/8/8/8 w - - 0 1 | 10 | 1.0\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["filter", "--step", "labelled:need=score"],
        ["dedupe"],
        ["sample", "--share", "1"],
        ["merge"],
        ["split", "--share", "0.5", "-o", "rest.parquet"],
        ["convert"],
    ],
    ids=lambda value: value[0],
)
def test_every_command_tells_what_it_left_out(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    lines = labelled_lines(False)
    (here / "some.txt").write_text("\n".join([*lines[:7], DAMAGED, *lines[7:]]))
    call = [*arguments, "some.txt", "-o", "out.parquet", "--score-unit", "pawns"]
    assert run(["data", *call]) == 2 and "some.txt:8" in capsys.readouterr().err
    assert not (here / "out.parquet").exists()
    found = told(capsys, *call, "--on-error", "skip", "--rejects", "rejects.csv")
    reading = found.get("reading", found)
    assert sum(reading["left_out"].values()) == 1  # type: ignore[index]
    assert "agrees" in reading["files"][0]["seen"][0]  # type: ignore[index]
    (row,) = (here / "rejects.csv").read_text().splitlines()[1:]
    assert row.startswith("some.txt,8,")


def test_rejects_are_listed_when_nothing_is_left(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "some.txt").write_text(2 * DAMAGED)
    call = ["data", "sample", "some.txt", "--share", "1", "-o", "x.parquet", "--format", "bullet"]
    assert run([*call, "--on-error", "skip", "--rejects", "rejects.csv"]) == 2
    assert "not a single position" in capsys.readouterr().err and not (here / "x.parquet").exists()
    assert len((here / "rejects.csv").read_text().splitlines()) == 3


def test_dropped_columns_are_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "sample", "some.parquet", "--share", "0.5", "-o", "x.epd")
    (warning,) = found["reading"]["warnings"]  # type: ignore[index]
    assert "zurichess does not carry" in warning and "game" in warning


def test_split_without_games_warns(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "sample", "some.parquet", "--share", "0.5", "-o", "x.epd")
    found = told(capsys, "split", "x.epd", "-o", "a.parquet", "-o", "b.parquet")
    assert "name no game" in found["reading"]["warnings"][0]  # type: ignore[index]
    found = told(capsys, "split", "some.parquet", "-o", "a.parquet", "-o", "b.epd")
    (warning,) = found["reading"]["warnings"]  # type: ignore[index]
    assert "b.epd lacks" in warning


def test_sample_of_games(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "sample", "some.parquet", "--share", "0.5", "--by", "game", "-o", "x.parquet")
    kept, all_of = read_positions("x.parquet"), read_positions("some.parquet")
    games, sizes = np.unique(kept.game, return_counts=True)
    assert 0 < len(games) < len(np.unique(all_of.game))
    for game, size in zip(games.tolist(), sizes.tolist(), strict=True):
        assert size == int((all_of.game == game).sum())


def test_a_recipe_may_only_merge(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "recipe.toml").write_text('[[source]]\npath = "some.parquet"\nweight = 0.5\n')
    told(capsys, "filter", "--recipe", "recipe.toml", "-o", "x.parquet")
    assert set(read_positions("x.parquet").sample_weight.tolist()) == {0.5}
    assert run(["data", "filter", "--recipe", "recipe.toml", "-o", "x.epd"]) == 2
    assert "sample weights" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('source = ["a"]', "[[source]]"),
        ('step = "quiet"', "[[step]]"),
        ('[[source]]\npath = "some.parquet"\n[[step]]\nname = ["quiet"]', "quiet"),
        ('[[source]]\npath = "some.parquet"\nweight = -1', "weight is a number above 0"),
        ('[[source]]\npath = "some.parquet"\nlimit = -5', "limit is a number above 0"),
    ],
)
def test_bad_recipes(here: Path, capsys: pytest.CaptureFixture[str], text: str, words: str) -> None:
    (here / "recipe.toml").write_text(text)
    assert run(["data", "filter", "--recipe", "recipe.toml", "-o", "x.parquet"]) == 2
    assert words in capsys.readouterr().err and not (here / "x.parquet").exists()


def test_the_line_that_stopped_is_listed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "some.txt").write_text("\n".join([*labelled_lines(False), DAMAGED]))
    call = ["data", "convert", "some.txt", "-o", "x.parquet", "--score-unit", "pawns", "--rejects", "r.csv"]
    assert run(call) == 2
    capsys.readouterr()
    assert (here / "r.csv").read_text().splitlines()[1].startswith("some.txt,41,")


def test_scattered_games_are_put_together(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = read_positions("some.parquet")
    scattered = rows.select(np.random.default_rng(1).permutation(len(rows)))
    write_positions(scattered, "scattered.parquet")
    call = ["filter", "scattered.parquet", "-o", "x.parquet"]
    assert run(["data", *call, "--step", "per-game:most=3"]) == 2
    assert "sort-by-game" in capsys.readouterr().err
    told(capsys, *call, "--step", "sort-by-game", "--step", "per-game:most=3")
    told(capsys, "sample", "some.parquet", "--per-game", "3", "-o", "y.parquet")
    one, other = read_positions("x.parquet"), read_positions("y.parquet")
    assert sorted(zip(one.game, one.ply, strict=True)) == sorted(zip(other.game, other.ply, strict=True))


def test_steps_say_what_they_could_not_judge(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "convert", "some.parquet", "-o", "x.epd")
    steps = ("ply-window:least=16", "score-window:most=500", "outliers", "per-game:most=9")
    call = [word for step in steps for word in ("--step", step)]
    notes = told(capsys, "filter", "x.epd", "-o", "y.parquet", *call)["notes"]
    assert list(notes.values()) == [ROWS] * 4  # type: ignore[attr-defined]


def test_first_labels_count_the_conflicts(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = "4k3/pppn4/8/8/8/8/PPPB4/4K3 w - -"
    (here / "x.fens").write_text("".join(f"{board} 0 {n + 1} [{n % 2}.0]\n" for n in range(5)))
    found = told(capsys, "dedupe", "x.fens", "-o", "y.parquet", "--labels", "first", "--no-check")
    assert found["kept"] == 1 and list(found["notes"].values()) == [2]  # type: ignore[attr-defined]


def test_info_does_not_invent_a_side_to_move(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labelled = read_positions("some.parquet")
    write_positions(labelled.select(~np.isnan(labelled.score)), "x.data")
    told(capsys, "convert", "x.data", "-o", "x.parquet")
    assert told(capsys, "info", "x.parquet")["white_to_move"] is None
    assert run(["data", "info", "x.parquet"]) == 0
    assert "those of the side to move" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["merge", "some.parquet:0.5", "-o", "x.epd"], "sample weights"),
        (["convert", "some.parquet", "-o", "x.parquet", "--rejects", "x.parquet"], "named twice"),
        (["convert", "some.parquet", "-o", "x.parquet", "--rejects", "some.parquet"], "named twice"),
        (["filter", "some.parquet", "-o", "x.parquet", "--step", "pieces:most=2"], "no position is left"),
        (["split", "some.parquet", "-o", "x.parquet", "-o", "y.parquet", "--share", "0"], "choose another"),
        *(
            (["filter", "some.parquet", "-o", "x.parquet", "--step", step], words)
            for step, words in {
                "sample:share=2": "from 0 to 1",
                "sample:share=nan": "from 0 to 1",
                "per-game:most=-3": "from 1 on",
                "score-window:most=nan": "from 0 on",
                "ply-window:least=50,most=10": "from 50 on",
                "pieces:least=9,most=3": "from 9 on",
                "outliers:k=0": "above 0",
            }.items()
        ),
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


def test_pivot_of_all_is_the_mean_over_pawns() -> None:
    rows = read_positions(str(sample_path()))
    split = pivot([rows], ["BvN", "BQRRvNQRR"], fewest=1)
    whole = pivot([rows], ["BvN", "BQRRvNQRR"], by="all", fewest=1)
    assert list(whole) == ["material", "positions", "games", "score", "error"]
    for _, row in whole.iterrows():
        parts = split[split["material"] == row["material"]]
        assert row["positions"] == parts["positions"].sum() > 300
        assert row["score"] == pytest.approx(np.average(parts["score"], weights=parts["positions"]))


def test_configurations() -> None:
    assert len(STURMAN) == 30 and len(set(STURMAN)) == 30 and "BBRvNNR" in STURMAN
    for text in STURMAN:
        parse_configuration(text)
    for text in ("B", "BvB", "RBvBR", "BvX", "vN v"):
        with pytest.raises(InputError):
            parse_configuration(text)
    with pytest.raises(UnknownName):
        pivot([], ["BvN"], by="colour")


BOARDS = ["4k3/pppp4/8/8/8/8/PPPP4/R3K3", "r3k3/pppp4/8/8/8/8/PPPP4/4K3"]


def labelled_lines(result_of_mover: bool) -> list[str]:
    """40 boards of a side far ahead, White or Black to move, scored in pawns and won by it."""
    lines = []
    for number in range(40):
        white_ahead, turn = number % 2 == 0, "wb"[number // 2 % 2]
        wins = white_ahead == (turn == "w") if result_of_mover else white_ahead
        pawns = 9.5 if white_ahead else -9.5
        lines.append(f"{BOARDS[not white_ahead]} {turn} - - 0 {number + 1} | {pawns} | {int(wins)}.0")
    return lines


def test_convert_says_what_it_saw(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "some.txt").write_text("\n".join(labelled_lines(False)))
    found = told(capsys, "convert", "some.txt", "-o", "out.parquet", "--score-unit", "pawns")
    (file,) = found["files"]  # type: ignore[misc]
    assert file["path"] == "some.txt" and file["format"] == "bullet" and file["lost"] == ["game"]
    assert "correlation +1.00 over 20 positions with Black to move" not in file["seen"][0]
    assert "+1.00 over 20 with Black to move (agrees)" in file["seen"][0]
    assert set(read_positions("out.parquet").score.tolist()) == {950, -950}
    assert run(["data", "convert", "some.txt", "-o", "out.parquet", "--score-unit", "100"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "40 positions written to out.parquet\n"
    assert "some.txt (bullet; without game)" in captured.err and "(agrees)" in captured.err


@pytest.mark.parametrize("command", ["convert", "info", "check", "score", "filter"])
def test_contradictions_stop_and_can_be_overridden(
    here: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (here / "some.txt").write_text("\n".join(labelled_lines(True)))
    arguments = {
        "convert": ["-o", "out.parquet"],
        "filter": ["-o", "out.parquet", "--step", "labelled"],
        "score": ["-e", "material"],
    }.get(command, [])
    name = ["score"] if command == "score" else ["data", command]
    call = [*name, "some.txt", *arguments]
    assert run(call) == (1 if command == "check" else 2)
    captured = capsys.readouterr()
    words = captured.out if command == "check" else captured.err
    assert "read with result_pov white, they look like side-to-move" in words
    for more in (["--no-check"], ["--result-pov", "side-to-move"]):
        assert run([*call, *more]) == 0
        capsys.readouterr()


def test_units_are_checked_and_given(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line.replace("9.5", "0.01") for line in labelled_lines(False)] * 8
    (here / "some.txt").write_text("\n".join(lines))
    assert run(["data", "convert", "some.txt", "-o", "out.parquet"]) == 2
    assert "are no centipawns; give a score_unit" in capsys.readouterr().err
    assert run(["data", "convert", "some.txt", "-o", "out.parquet", "--score-unit", "100000"]) == 0
    assert run(["data", "convert", "some.txt", "-o", "out.parquet", "--no-check"]) == 0
    capsys.readouterr()
    assert run(["data", "convert", "some.txt", "-o", "out.parquet", "--score-unit", "inches"]) == 2
    assert "'inches' is none of cp, pawns, stockfish" in capsys.readouterr().err


GAMES = """[Event "t"]
[Result "1-0"]
[Termination "{termination}"]

1. e4 {{book}} e5 {{book}} 2. Nf3 {{+0.20/9 1s}} Nc6 {{-0.10/9 1s}} 1-0

"""
ENDINGS = ("normal", "time forfeit", "adjudication", "Time forfeit", "stalled connection")


@pytest.mark.parametrize(
    ("options", "positions", "left_out"),
    [
        ([], 8, {"termination time-forfeit": 2, "termination crash": 1}),
        (["--terminations", "all"], 20, {}),
        (
            ["--terminations", "normal,crash"],
            8,
            {"termination time-forfeit": 2, "termination adjudication": 1},
        ),
        (["--terminations", "all", "--skip-book"], 10, {"moves of an opening book": 10}),
    ],
)
def test_games_by_choice(
    here: Path,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    positions: int,
    left_out: dict[str, int],
) -> None:
    (here / "some.pgn").write_text("".join(GAMES.format(termination=each) for each in ENDINGS))
    found = told(capsys, "convert", "some.pgn", "-o", "out.csv", "--rejects", "rejects.csv", *options)
    assert found["positions"] == positions and found["left_out"] == left_out
    rejects = (here / "rejects.csv").read_text().splitlines()
    assert rejects[0] == "file,place,reason,text"
    games = [line for line in rejects[1:] if "termination" in line]
    assert len(games) == sum(count for reason, count in left_out.items() if "termination" in reason)
    if not options:
        assert rejects[1:3] == [
            "some.pgn,game 2 (line 7),termination time-forfeit,time forfeit",
            "some.pgn,game 4 (line 19),termination time-forfeit,Time forfeit",
        ]
    lines = (here / "out.csv").read_text().splitlines()
    assert lines[0].endswith(",source,line") and lines[1].endswith(",some.pgn,1")


def test_unknown_terminations(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["data", "info", "some.parquet", "--terminations", "normal,time"]) == 2
    assert "no termination is called 'time'; did you mean time-forfeit?" in capsys.readouterr().err
