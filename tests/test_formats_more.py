"""Tables, Zahak, Rebel, .plain, Lichess, lists of files, rows of features; the check of points of view."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.errors import FormatError, InputError
from evalcore.fen import format_fens
from evalcore.formats import (
    READERS,
    Rejects,
    check_point_of_view,
    open_positions,
    read_positions,
    write_positions,
)
from evalcore.formats.base import HEAD_BYTES
from evalcore.formats.lichess import read_objects
from evalcore.formats.lines import parse_block
from evalcore.formats.opening import choose_reader
from evalcore.formats.svmlight import read_block, read_features, write_features
from evalcore.formats.table import parse_header
from evalcore.positions import COLUMNS, NO_GAME, Positions

SAMPLES = Path(__file__).parent / "data" / "formats"
PAWNS = "8/5k2/4p3/3pP3/3P1K2/8/8/8"
ROOKS = "4r1k1/pp3ppp/8/3p4/3P4/8/PP3PPP/4R1K1"
FORMATS = {
    "zurichess.epd": "epd",
    "ethereal.fens": "epd",
    "texel_semicolon.book": "epd",
    "fen_semicolon_result.txt": "epd",
    "bullet.txt": "bullet",
    "zahak.txt": "zahak",
    "rebel.epd": "rebel",
    "positions.csv": "csv",
    "positions_tab.tsv": "csv",
    "stockfish.plain": "plain",
}
"""Every sample of a text format and the reader that must know it."""


def differing(one: Positions, other: Positions) -> list[str]:
    return [
        name
        for name in COLUMNS
        if not np.array_equal(getattr(one, name), getattr(other, name), equal_nan=name in ("result", "score"))
    ]


def read_text(tmp_path: Path, text: str, **options: object) -> Positions:
    path = tmp_path / "data"
    path.write_text(text)
    return read_positions(path, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def expected() -> Positions:
    return read_positions(SAMPLES / "bullet.txt")


@pytest.mark.parametrize("name", FORMATS)
def test_formats_are_found_by_content(name: str, tmp_path: Path) -> None:
    head = (SAMPLES / name).read_bytes()[:HEAD_BYTES]
    sure = {reader.name: reader.sniff(head) for reader in READERS.values()}
    assert choose_reader(tmp_path, head, READERS).name == FORMATS[name]
    assert sorted(sure.values())[-1] > sorted(sure.values())[-2], sure


@pytest.mark.parametrize(
    ("name", "lost"),
    [
        ("positions.csv", []),
        ("positions_tab.tsv", []),
        ("zahak.txt", []),
        ("rebel.epd", ["score"]),
        ("stockfish.plain", ["game"]),
    ],
)
def test_the_same_positions_in_every_format(name: str, lost: list[str], expected: Positions) -> None:
    rows = read_positions(SAMPLES / name, score_unit=1.0)
    assert differing(rows, expected) == lost


def test_plain_games_are_found_and_scores_are_in_stockfish_units(expected: Positions) -> None:
    rows = read_positions(SAMPLES / "stockfish.plain")
    assert np.allclose(rows.score, expected.score * 100 / 208, equal_nan=True)
    starts = np.flatnonzero(np.diff(rows.game.astype(int))) + 1
    assert rows.game[0] == 0 and set(np.diff(rows.game.astype(int))) == {0, 1}
    assert (rows.ply[starts] < rows.ply[starts - 1]).all()


@pytest.mark.parametrize(("format", "lost"), [("csv", []), ("tsv", []), ("plain", ["game"])])
def test_what_is_written_reads_back(
    format: str, lost: list[str], expected: Positions, tmp_path: Path
) -> None:
    rows = expected.select(~np.isnan(expected.score)).replace(game=np.full(293, 5))
    if format == "plain":
        rows = rows.replace(score=np.rint(rows.score * 208 / 100) * np.float32(100 / 208))
    else:
        rows = rows.replace(result=np.linspace(0, 1, len(rows), dtype=np.float32), score=rows.score + 0.25)
    write_positions(rows, tmp_path / "out", format=format)
    back = read_positions(tmp_path / "out")
    assert differing(back, rows) == lost


def test_unknown_labels_survive_tables(expected: Positions, tmp_path: Path) -> None:
    rows = expected.replace(result=np.full(300, np.nan), score=np.full(300, np.nan))
    write_positions(rows, tmp_path / "x.csv")
    assert differing(read_positions(tmp_path / "x.csv"), rows) == []


@pytest.mark.parametrize(
    ("header", "cells", "result", "score"),
    [
        ("FEN,Evaluation", "{b},+56", np.nan, 56),
        ("FEN,Evaluation", "{b},#-3", np.nan, np.nan),
        ("fen,cp,wdl", "{b},-20,1-0", 1, -20),
        ("fen,cp_stm,result_stm", "{b},-20,0", 1, 20),
        ("result\tfen\tscore white", "0.5\t{b}\t7", 0.5, 7),
        ("\tfen\tresult", "\t{b}\t1", 1, np.nan),
        ("id;fen;label", '"a;b";"{b}";1/2-1/2', 0.5, np.nan),
        ("Hash,Ply,GamePly,FEN,HasCastled,Eval,Result", "12,33,80,{b},3,0,0.5", 0.5, 0),
        ("fen,score,mate,result", "{b},9000,4,1", 1, np.nan),
        ("fen,score,result", "{b},,", np.nan, np.nan),
        ("fen,score,result", "{b},NaN,null", np.nan, np.nan),
    ],
)
def test_tables(header: str, cells: str, result: float, score: float, tmp_path: Path) -> None:
    rows = read_text(tmp_path, f"{header}\n{cells.format(b=ROOKS + ' b - - 0 1')}\n")
    assert np.array_equal(rows.result, [result], equal_nan=True)
    assert np.array_equal(rows.score, [score], equal_nan=True)


def test_other_columns_of_tables(tmp_path: Path) -> None:
    rows = read_text(tmp_path, f"fen,ply,game,weight\n{ROOKS} b - - 0 1,33,7,0.5\n{ROOKS} b - - 0 9,,,\n")
    assert rows.ply.tolist() == [33, 0] and rows.game.tolist() == [7, NO_GAME]
    assert rows.sample_weight.tolist() == [0.5, 1]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{b},1,2,3", "the line does not have as many fields"),
        ("{b},1", "the line does not have as many fields"),
        ("{b},abc,1", "the score is not a number"),
        ("{b},1e,1", "the score is not a number"),
        ("{b},1.,1", "the score is not a number"),
        ("{b},1,0.", "the result is not one of"),
        ("{b},1,1-O", "the result is not one of"),
        ("{b},1,2", "a number that is no result here"),
        ("{b},1,-1", "a number that is no result here"),
        ("{b} junk,1,1", "text that is not understood"),
        ("x,1,1", "not a position"),
    ],
)
def test_wrong_lines_of_tables(line: str, reason: str, tmp_path: Path) -> None:
    text = f"# by hand\nfen,score,result\n{PAWNS} w - -,1,1\n{line.format(b=ROOKS + ' b - - 0 1')}\n"
    with pytest.raises(FormatError, match=f":4: {reason}"):
        read_text(tmp_path, text)


def test_tables_without_fens(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r":1: a header with a column 'fen' was expected: 'a,b'"):
        read_text(tmp_path, "a,b\n1,2\n", format="csv")
    assert parse_header("position,score_white") is not None
    assert parse_header("rnbqkbnr/8/8/8/8/8/8/8 w - -,0.5") is None


@pytest.mark.parametrize(
    ("format", "rest", "reason"),
    [
        ("zahak", ";score:x;outcome:1.0", "the score is not a number"),
        ("zahak", ";score:7", "the result is not one of"),
        ("zahak", ";outcome:win", "the result is not one of"),
        ("zahak", ";score:7;oops:3;outcome:1.0", "text that is not understood"),
        ("zahak", ";score:7;xyz:3;outcome:1.0", "text that is not understood"),
        ("rebel", "; e2e4 - pgn=0.7x len=3", "the result is not one of"),
        ("rebel", "; e2e4 - len=3", "the result is not one of"),
        ("rebel", "; e2e4 pgn=1.0", "text that is not understood"),
        ("rebel", "; e2e4 - pgn=1.0 size=3", "text that is not understood"),
        ("rebel", "", "the result is not one of"),
    ],
)
def test_wrong_lines(format: str, rest: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=f"data:2: ({reason})"):
        read_text(tmp_path, f"# note\n{ROOKS} w - - 0 1{rest}\n", format=format)


def test_plain_in_any_order_and_with_gaps(tmp_path: Path) -> None:
    text = (
        f"result 1\nscore 208\nfen {ROOKS} b - - 0 9\nmove a7a6\ne\n"
        f"fen {PAWNS} w - - 3 40\ne\n"
        f"fen {PAWNS} w - - 3 40\nscore 32002\nply 7\nresult -1\ne\n"
    )
    rejects = Rejects()
    rows = read_text(tmp_path, text, rejects=rejects)
    assert rows.result.tolist()[0::2] == [0, 0] and np.isnan(rows.result[1])
    assert rows.score[0] == -100 and np.isnan(rows.score[1:]).all()
    assert rows.ply.tolist() == [17, 78, 7]
    assert sorted(rejects.notes.values()) == [1, 1]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ("fen x\nresult 0", "not a position"),
        ("score 3\nresult 0", "a record without a position"),
        (f"fen {PAWNS} w - -\nresult 0.", "the result is not one of"),
        (f"fen {PAWNS} w - -\nscore 5.\nresult 0", "the score is not a number"),
        (f"fen {PAWNS} w - -\nresult", "the result is not one of"),
        (f"fen {PAWNS} w - -\nscore abc", "the score is not a number"),
        (f"fen {PAWNS} w - -\nply -3", "a ply, game or weight"),
        (f"fen {PAWNS} w - -\nwhat 3", "text that is not understood"),
        (f"fen {PAWNS} w - - 0 1 x\nresult 0", "text that is not understood"),
    ],
)
def test_wrong_records_of_plain(record: str, reason: str, tmp_path: Path) -> None:
    good = f"fen {ROOKS} w - -\nscore 3\nresult 0\ne\n"
    with pytest.raises(FormatError, match=f"data:5: {reason}"):
        read_text(tmp_path, good + record + "\ne\n" + good, format="plain")
    rows = read_text(tmp_path, good + record + "\ne\n" + good, format="plain", on_error="skip")
    assert len(rows) == 2


def test_plain_blocks_end_between_records(expected: Positions, tmp_path: Path) -> None:
    blocks = list(open_positions(SAMPLES / "stockfish.plain", block=16, threads=2))
    assert len(blocks) > 5
    assert differing(Positions.concatenate(blocks), read_positions(SAMPLES / "stockfish.plain")) == []


def lichess_line(fen: str, *evaluations: tuple[int, list[dict[str, object]]]) -> str:
    evals = [{"pvs": pvs, "knodes": 5, "depth": depth} for depth, pvs in evaluations]
    return json.dumps({"fen": fen, "evals": evals}, separators=(",", ":"))


def test_lichess_takes_the_first_line_of_the_deepest_evaluation(tmp_path: Path) -> None:
    four = f"{ROOKS} b - -"
    lines = [
        lichess_line(four, (20, [{"cp": 5, "line": "a"}]), (30, [{"cp": -7, "line": 'q"{'}, {"cp": 9}])),
        lichess_line(four, (20, [{"mate": 5}]), (10, [{"cp": 3}])),
        lichess_line(four, (20, [{"line": "e8e1", "cp": 31}])),
        lichess_line(four),
        '{ "evals" : [ { "depth" : 3, "pvs" : [ { "cp" : 4 } ] } ] , "fen" : "' + four + '" }',
    ]
    rejects = Rejects()
    rows = read_text(tmp_path, "\n".join(lines), rejects=rejects)
    assert np.array_equal(rows.score, [-7, np.nan, 31, np.nan, 4], equal_nan=True)
    assert np.isnan(rows.result).all()
    assert sorted(rejects.notes.values()) == [1, 1]


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60), st.integers(0, 200), st.integers(0, 40))
def test_damaged_lichess_lines(junk: bytes, at: int, cut: int) -> None:
    line = lichess_line(f"{ROOKS} b - -", (20, [{"cp": 5}])).encode()
    damaged = line[:at] + junk + line[at + cut :]
    parsed = parse_block(damaged, read_objects)
    assert len(parsed.positions) + len(parsed.rejects) <= damaged.count(b"\n") + 1
    for fen in format_fens(parsed.positions):
        assert "k" in fen


def test_public_lichess_lines(reference_data: Path) -> None:
    path = reference_data / "public" / "jsonl" / "lichess_eval_sample.jsonl"
    scores = []
    for line in path.read_text().splitlines():
        best = max(json.loads(line)["evals"], key=lambda each: each["depth"])
        scores.append(best["pvs"][0].get("cp", np.nan))
    assert np.array_equal(read_positions(path).score, np.array(scores, np.float32), equal_nan=True)


def test_lists_of_files(tmp_path: Path, expected: Positions) -> None:
    (tmp_path / "white.epd").write_text(f"{ROOKS} b - - [1.0]\n" * 5)
    (tmp_path / "mover.epd").write_text(f"{ROOKS} b - - [1.0]\n" * 5)
    listing = tmp_path / "sources.csv"
    listing.write_text("# files\nwhite.epd,0,2\nmover.epd,1,0\n")
    assert read_positions(listing).result.tolist() == [1, 1, 0, 0, 0, 0, 0]
    listing.write_text("white.epd,0,2\nnosuch.epd,1,0\n")
    with pytest.raises(FormatError, match=r"sources\.csv:2: there is no such file: 'nosuch\.epd'"):
        read_positions(listing)


@pytest.mark.parametrize("name", ["bullet.txt", "zurichess.epd", "positions.csv"])
def test_a_wrong_point_of_view_stops_the_import(name: str) -> None:
    path = SAMPLES / name
    right = Rejects()
    read_positions(path, rejects=right)
    assert "agrees" in right.seen[str(path)][0] and not right.warnings
    with pytest.raises(FormatError, match="read with result_pov side-to-move, they look like white"):
        read_positions(path, result_pov="side-to-move")
    assert len(read_positions(path, result_pov="side-to-move", check=False)) == 300
    if name != "zurichess.epd":
        with pytest.raises(FormatError, match="read with score_pov side-to-move, they look like white"):
            read_positions(path, score_pov="side-to-move")


def test_a_wrong_unit_stops_the_import(expected: Positions, tmp_path: Path) -> None:
    write_positions(expected.replace(score=expected.score / 100), tmp_path / "x.csv")
    with pytest.raises(FormatError, match="are no centipawns; give a score_unit"):
        read_positions(tmp_path / "x.csv")
    rows = read_positions(tmp_path / "x.csv", score_unit=100.0)
    assert np.allclose(rows.score, expected.score, equal_nan=True, atol=0.01)


def test_exchanged_wins_and_losses(expected: Positions, tmp_path: Path) -> None:
    write_positions(expected.replace(result=1 - expected.result), tmp_path / "x.fens")
    with pytest.raises(FormatError, match="they look like wins and losses exchanged"):
        read_positions(tmp_path / "x.fens")


def test_what_cannot_be_told_is_not_claimed(expected: Positions) -> None:
    assert check_point_of_view(expected.select(expected.white_to_move)).result.verdict == "unknown"
    exchanged = expected.replace(result=1 - expected.result).select(expected.white_to_move)
    assert check_point_of_view(exchanged).result.verdict == "contradicts"
    draws = expected.replace(result=np.full(300, 0.5))
    assert check_point_of_view(draws).result.verdict == "unknown"
    assert check_point_of_view(Positions.empty()).lines() == ["results: none", "scores: none"]
    assert "too few" in check_point_of_view(expected.select(slice(0, 2))).lines()[0]


def many(rows: Positions, copies: int) -> Positions:
    """The same rows many times, in an order of chance."""
    order = np.random.default_rng(5).permutation(copies * len(rows)) % len(rows)
    return rows.select(order)


def test_a_point_of_view_that_changes_later_is_seen(expected: Positions, tmp_path: Path) -> None:
    """Files are joined: the labels of the first 20,000 rows say nothing about the others."""
    rows = many(expected, 100)
    mover = np.where(rows.white_to_move, rows.result, 1 - rows.result)
    part = np.arange(len(rows)) >= 21_000
    write_positions(rows.replace(result=np.where(part, mover, rows.result)), tmp_path / "x.fens")
    with pytest.raises(FormatError, match=r"from position 20,001 on: .* look like side-to-move"):
        read_positions(tmp_path / "x.fens")
    write_positions(rows, tmp_path / "x.fens")
    assert len(read_positions(tmp_path / "x.fens")) == len(rows)


def test_few_games_are_never_sure(expected: Positions) -> None:
    """The rows of one lost game all go against the material; that is one observation."""
    rows = expected.replace(result=1 - expected.result)
    assert check_point_of_view(rows).result.verdict == "contradicts"
    few = rows.replace(game=np.arange(len(rows)) % 5)
    assert check_point_of_view(few).result.verdict == "doubtful"


def test_labels_that_hide_from_the_mover(expected: Positions, tmp_path: Path) -> None:
    """bulletformat shows the mover as White: labels in White's view do not go with his material."""
    rows = many(expected.select(~np.isnan(expected.score)), 40)
    write_positions(rows, tmp_path / "right.data")
    rejects = Rejects()
    read_positions(tmp_path / "right.data", rejects=rejects)
    assert "the mover's material: correlation +0." in rejects.seen[str(tmp_path / "right.data")][0]
    assert not rejects.warnings
    turned = np.where(rows.white_to_move, 1, -1)
    white = rows.replace(score=rows.score * turned, result=0.5 + (rows.result - 0.5) * turned)
    write_positions(white, tmp_path / "wrong.data")
    read_positions(tmp_path / "wrong.data", rejects=rejects)
    assert any("they may be White's" in warning for warning in rejects.warnings)


FEATURES = "# trace\n1 qid:3 phase:24 0:1 5:-2 # note\n\n0.5 phase:0\n0-1 phase:12 7:100 1:3\n"


def test_rows_of_features(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_text(FEATURES)
    rows = read_features(path)
    assert rows.result.tolist() == [1, 0.5, 0]
    assert rows.game.tolist() == [3, NO_GAME, NO_GAME]
    assert rows.matrix.phase.tolist() == [24, 0, 12]
    assert rows.matrix.dense().tolist() == [
        [1, 0, 0, 0, 0, -2, 0, 0],
        [0] * 8,
        [0, 3, 0, 0, 0, 0, 0, 100],
    ]
    write_features(rows, path)
    again = read_features(path)
    assert np.array_equal(again.matrix.dense(), rows.matrix.dense())
    assert np.array_equal(again.matrix.phase, rows.matrix.phase) and np.array_equal(again.game, rows.game)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.dictionaries(st.integers(0, 300), st.integers(-127, 127), max_size=9), min_size=1, max_size=30
    )
)
def test_rows_of_features_against_their_words(rows: list[dict[int, int]]) -> None:
    text = "".join("0.5 " + " ".join(f"{k}:{v}" for k, v in row.items()) + "\n" for row in rows)
    block, _, total = read_block(Path("x"), text.encode(), 1)
    assert total == len(rows)
    for row, (first, last) in zip(rows, itertools.pairwise(block.indptr), strict=True):
        found = dict(zip(block.columns[first:last].tolist(), block.counts[first:last].tolist(), strict=True))
        assert found == {k: v for k, v in row.items() if v}


@pytest.mark.parametrize(
    "line",
    [
        "2 1:1",
        "1 1:1 1:2",
        "1 1:1.5",
        "1 a:3",
        "1 1:200",
        "1 -1:2",
        "1 70000:1",
        "1 1",
        "1 1:",
        "x",
        "1 qid:x",
    ],
)
def test_wrong_rows_of_features(line: str, tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_text(f"1 1:1\n{line}\n")
    with pytest.raises(FormatError, match=r"x\.svm:2: "):
        read_features(path)


def test_phases_in_some_rows_only(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_text("1 phase:3 1:1\n1 1:1\n")
    with pytest.raises(InputError, match="in every row or in none"):
        read_features(path)
    path.write_text("# nothing\n")
    with pytest.raises(InputError, match="the file has none"):
        read_features(path)
