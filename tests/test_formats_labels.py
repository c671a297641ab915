"""Labels in text files that must not be guessed: other codings, unfinished games, two labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import chess
import numpy as np
import pytest

from evalcore.errors import FormatError, InputError
from evalcore.formats import WRITERS, Rejects, read_positions, write_positions
from evalcore.formats.svmlight import read_features
from evalcore.positions import Positions

BOARD = "4r1k1/pp3ppp/8/3p4/3P4/8/PP3PPP/4R1K1"
FEN = f"{BOARD} w - - 0 1"

WAYS: dict[str, Callable[[str], str]] = {
    "brackets": lambda result: f"{FEN} [{result}]\n",
    "bullet": lambda result: f"{FEN} | 20 | {result}\n",
    "zahak": lambda result: f"{FEN};score:7;eval:0;qs:0;outcome:{result}\n",
    "rebel": lambda result: f"{FEN}; e2e4 - pgn={result} len=118\n",
    "csv": lambda result: f"{FEN},7,{result}\n",
    "plain": lambda result: f"fen {FEN}\nscore 7\nply 3\nresult {result}\ne\n",
}
"""A position with a result, in each text format."""


def write(tmp_path: Path, way: str, *results: str) -> Path:
    header = "fen,score,result\n" if way == "csv" else ""
    path = tmp_path / "data"
    path.write_text(header + "".join(map(WAYS[way], results)))
    return path


@pytest.mark.parametrize("way", [way for way in WAYS if way != "plain"])
@pytest.mark.parametrize("results", [("1", "0", "-1"), ("0", "1", "2"), ("1.0", "0.0", "-1.0"), ("100", "0")])
def test_another_coding_of_results_stops_also_where_lines_are_skipped(
    way: str, results: tuple[str, ...], tmp_path: Path
) -> None:
    path = write(tmp_path, way, *results)
    for on_error in ("stop", "skip"):
        with pytest.raises(FormatError, match=r"codes its results in another way"):
            read_positions(path, on_error=on_error, check=False)
    with pytest.raises(FormatError, match="another way"):
        write_positions(read_positions(path, on_error="skip"), tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("rest", [' c9 "2.0";', ' c0 "-1.0";', " [50.0]", " 0 1 -1.0", " [+1]"])
def test_another_coding_of_epds(rest: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(f"{BOARD} w - - [0.5]\n\n{BOARD} w - -{rest}\n")
    with pytest.raises(FormatError, match=r"x:3: a number that is no result here"):
        read_positions(tmp_path / "x", on_error="skip")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("slip", ["7", "1.5", "-3", "1e9"])
def test_a_slip_is_skipped(way: str, slip: str, tmp_path: Path) -> None:
    path = write(tmp_path, way, "1", slip, "0")
    with pytest.raises(FormatError, match=r"the result is not one of"):
        read_positions(path)
    expected = [1.0, 0.5] if way == "plain" else [1.0, 0.0]
    assert sorted(read_positions(path, on_error="skip").result.tolist()) == sorted(expected)


@pytest.mark.parametrize("results", [("1", "0.5", "0"), ("0", "1", "2")])
def test_another_coding_of_plain(results: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(
        FormatError, match=r"data:\d+: a number that is no result here .*in \.plain 1, 0 and -1"
    ):
        read_positions(write(tmp_path, "plain", *results), on_error="skip")


@pytest.mark.parametrize("way", WAYS)
def test_half_a_number_is_no_result(way: str, tmp_path: Path) -> None:
    path = write(tmp_path, way, "1", "0.")
    with pytest.raises(FormatError, match=r"the result is not one of"):
        read_positions(path)
    assert read_positions(path, on_error="skip").result.tolist() == [1.0]


@pytest.mark.parametrize("way", WAYS)
def test_unfinished_games_are_left_out_and_counted(way: str, tmp_path: Path) -> None:
    rejects = Rejects()
    rows = read_positions(write(tmp_path, way, "1", "*", "0"), rejects=rejects)
    assert len(rows) == 2
    assert rejects.counts == {"a game without a result (*)": 1}


def test_unfinished_games_of_epds(tmp_path: Path) -> None:
    rests = (' c9 "1-0";', ' c9 "*";', " *", ' "*"', ' c0 "*";')
    (tmp_path / "x.epd").write_text("".join(f"{BOARD} w - -{rest}\n" for rest in rests))
    rejects = Rejects()
    assert read_positions(tmp_path / "x.epd", rejects=rejects).result.tolist() == [1.0]
    assert rejects.counts == {"a game without a result (*)": 4}


@pytest.mark.parametrize("comment", ["f4f5 h2e5", "Nf3+ O-O", "O-O-O Qxd4 e8=Q"])
def test_moves_in_c9_are_no_result(comment: str, tmp_path: Path) -> None:
    (tmp_path / "x.epd").write_text(f'{BOARD} w - - c9 "{comment}";\n')
    assert np.isnan(read_positions(tmp_path / "x.epd").result).all()


@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        ("; e2e4 - pgn=0.5 pgn=1.0", "two results that differ"),
        ("; e2e4 - pgn=1.0 pgn=0. len=3", "the result is not one of"),
        (";outcome:1.0;outcome:0.0", "two results that differ"),
        (";score:7;score:8;outcome:0.0", "two scores that differ"),
        (" | 20 | 1.0 | 0.0", "the result is not one of"),
    ],
)
def test_two_labels_that_differ(rest: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(FEN + rest + "\n")
    with pytest.raises(FormatError, match=reason):
        read_positions(tmp_path / "x")


@pytest.mark.parametrize(
    "rest", ["; e2e4 - pgn=0.5 pgn=0.5 len=3", ";score:7;outcome:0.5;score:7;outcome:0.5", " [0.5] 0.5"]
)
def test_two_labels_that_agree(rest: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(FEN + rest + "\n")
    assert read_positions(tmp_path / "x").result.tolist() == [0.5]


@pytest.mark.parametrize("line", ["-1 1:1", "2 1:1"])
def test_another_coding_of_rows_of_features(line: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(f"1 1:1\n{line}\n")
    with pytest.raises(FormatError, match=":2: a number that is no result here"):
        read_features(tmp_path / "x")


@pytest.mark.parametrize("line", ["1 qid:1 qid:2 1:1", "1 phase:3 phase:3 1:1", "0. 1:1", "1 1:1."])
def test_wrong_rows_of_features(line: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(f"1 1:1\n{line}\n")
    with pytest.raises(FormatError, match=":2: "):
        read_features(tmp_path / "x")


def lichess(tmp_path: Path, text: str, **options: object) -> Positions:
    (tmp_path / "x.jsonl").write_text(f'{{"fen":"{BOARD} w - -","evals":[{text}]}}\n')
    return read_positions(tmp_path / "x.jsonl", **options)  # type: ignore[arg-type]


NONE = float("nan")


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ('{"pvs":[{"cp":null,"mate":3}],"depth":3}', NONE),
        ('{"pvs":[{"mate":null,"cp":7}],"depth":3}', 7),
        ('{"pvs":[{"cp" : -7 }],"depth" : 3 }', -7),
        ('{"pvs":[{"cp":7}],"depth":null},{"pvs":[{"cp":8}],"depth":1}', 8),
        ('{"pvs":[{"cp":null}],"depth":3},{"pvs":[{"cp":8}],"depth":1}', 8),
        ('{"pvs":[{"cp":1},{"cp":2},{"mate":2}],"depth":3}', 1),
        ('{"pvs":[{"mate":2},{"cp":2}],"depth":3}', NONE),
        ('{"pvs":[{"cp":5,"cp":5}],"depth":3}', 5),
        ('{"pvs":[{"cp":32002}],"depth":3}', NONE),
        ('{"depth":3,"pvs":[{"line":"a \\" 5","cp":1e2}]}', 100),
    ],
)
def test_values_of_lichess(text: str, score: float, tmp_path: Path) -> None:
    json.loads(f"[{text}]")  # an oracle of what is JSON
    assert np.array_equal(lichess(tmp_path, text).score, [score], equal_nan=True)


@pytest.mark.parametrize(
    "value", ['"55"', "true", "[5]", "-", "{}", "", "+5", ".5", "5.", "5 6", "nul", "NaN", "5 }", "nullx"]
)
@pytest.mark.parametrize("key", ["cp", "mate", "depth"])
def test_values_of_lichess_that_are_no_numbers(value: str, key: str, tmp_path: Path) -> None:
    text = {
        "cp": f'{{"pvs":[{{"cp":{value}}}],"depth":3}}',
        "mate": f'{{"pvs":[{{"mate":{value}}}],"depth":3}}',
        "depth": f'{{"pvs":[{{"cp":5}}],"depth":{value}}}',
    }[key]
    reason = "a ply, game or weight" if key == "depth" else "the score is not a number"
    with pytest.raises(FormatError, match=rf"x\.jsonl:1: ({reason}|text that is no JSON)"):
        lichess(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"pvs":[{"cp":5,"mate":2}],"depth":3}', "two scores that differ"),
        ('{"pvs":[{"cp":5,"cp":6}],"depth":3}', "one name with two values"),
        ('{"pvs":[{"cp":5}],"depth":3,"depth":4}', "one name with two values"),
        ('{"pvs":[{"cp":5}],"depth":-3}', "a ply, game or weight"),
    ],
)
def test_values_of_lichess_that_contradict_each_other(text: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=reason):
        lichess(tmp_path, text)


EDGES = [9_615.0, 9_615.4, 9_616.0, 19_999.0, 19_999.4, 19_999.6, 20_000.0, 32_002.0, np.inf]


@pytest.mark.parametrize("name", [name for name in WRITERS if "score" not in WRITERS[name].lost])
@pytest.mark.parametrize("score", [*EDGES, *(-edge for edge in EDGES)])
def test_a_score_that_is_written_is_read(name: str, score: float, tmp_path: Path) -> None:
    """Or it is refused, where a reader would take it for a mate."""
    row = Positions.from_boards([chess.Board(FEN)], score=[score], result=[1.0])
    try:
        write_positions(row, tmp_path / "x", format=name)
    except InputError as error:
        assert "take it for a mate" in str(error)
        assert abs(score) > (9_615 if name == "plain" else 19_999)
        return
    assert abs(read_positions(tmp_path / "x", check=False).score[0] - score) <= 0.5


@pytest.mark.parametrize("name", ["zurichess", "bracket", "csv", "parquet"])
@pytest.mark.parametrize("result", [1e-5, 0.1, 0.3333333, 0.99999])
def test_a_result_that_is_written_is_read(name: str, result: float, tmp_path: Path) -> None:
    row = Positions.from_boards([chess.Board(FEN)], result=[result])
    write_positions(row, tmp_path / "x", format=name)
    assert read_positions(tmp_path / "x", check=False).result[0] == np.float32(result)


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("result", [-1.0, 2.0, np.inf])
def test_a_result_that_is_none_is_not_written(name: str, result: float, tmp_path: Path) -> None:
    row = Positions.from_boards([chess.Board(FEN)], score=[3.0]).replace(result=[result])
    with pytest.raises(InputError, match="1 position has a result be"):
        write_positions(row, tmp_path / "x", format=name)


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_a_weight_that_is_none_is_not_written(weight: float, tmp_path: Path) -> None:
    row = Positions.from_boards([chess.Board(FEN)], result=[1.0], sample_weight=[weight])
    with pytest.raises(InputError, match="a sample weight that is not a finite number"):
        write_positions(row, tmp_path / "x.parquet")


def test_a_long_clock_is_not_cut_short(tmp_path: Path) -> None:
    row = Positions.from_boards([chess.Board(FEN)], result=[1.0], score=[3.0]).replace(halfmove_clock=[256])
    with pytest.raises(InputError, match="a half-move clock above 255"):
        write_positions(row, tmp_path / "x", format="marlinformat")


def test_scores_in_pawns_may_be_mates(tmp_path: Path) -> None:
    """200 pawns and more are no score, as 20,000 centipawns are none."""
    (tmp_path / "x").write_text(f"fen,score\n{FEN},150.5\n{FEN},-320.02\n")
    rejects = Rejects()
    rows = read_positions(tmp_path / "x", score_unit=100.0, check=False, rejects=rejects)
    assert np.array_equal(rows.score, [15_050, NONE], equal_nan=True)
    assert rejects.notes["mate, tablebase or sentinel scores taken as no score"] == 1
