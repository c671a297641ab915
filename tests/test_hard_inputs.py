"""Real cases of trouble in lines, tables and games: each ends as `expected.json` says, or as it allows."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import numpy as np
import pytest

from evalcore.errors import FormatError
from evalcore.evaluation import load_evaluation
from evalcore.fen import format_fens
from evalcore.filters import Duplicates, Labelled, NotInCheck, NotOver, PlyWindow, Tally, run_steps
from evalcore.formats import Rejects, read_positions
from evalcore.positions import Positions

FOLDER = Path(__file__).parent / "data" / "hard_inputs"
CASES: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text())["cases"]
LINES = [name for name, case in CASES.items() if case["kind"] == "positions"]
GAMES = [name for name, case in CASES.items() if case["kind"] == "games"]
TABLES = [name for name, case in CASES.items() if case["kind"] == "table"]


WITH_BAD_LINES = [
    name
    for name in LINES
    if CASES[name]["counts"].get("bad") and not name.startswith("45")  # bad by filter
]


def test_every_case_is_tried_here() -> None:
    """Lines and games all go through the tests below; each of the two tables has one of its own."""
    assert len(CASES) == 36 and set(CASES) == {each.name for each in FOLDER.iterdir()} - {"expected.json"}
    assert sorted(LINES + GAMES + TABLES) == sorted(CASES)
    assert TABLES == ["17-extra-column.csv", "41-score-sentinels.csv"]


def read(name: str, rejects: Rejects) -> Positions:
    options = {"result_pov": "side-to-move"} if name.startswith("40") else {}
    return read_positions(FOLDER / name, on_error="skip", rejects=rejects, **options)  # type: ignore[arg-type]


def outcomes(name: str) -> dict[int, tuple[str, Positions | None]]:
    """What became of each line that is neither blank nor a comment: "bad", or the row it gave."""
    rejects = Rejects()
    rows = read(name, rejects)
    bad = {int(each.place) for each in rejects.kept}
    texts = (FOLDER / name).read_text("utf-8-sig").splitlines()
    used = [
        number
        for number, text in enumerate(texts, 1)
        if text.strip() and text.strip()[0] not in "#%" and number not in bad
    ]
    assert len(used) == len(rows)
    found: dict[int, tuple[str, Positions | None]] = dict.fromkeys(bad, ("bad", None))
    for row, number in enumerate(used):
        found[number] = ("ok", rows.select(slice(row, row + 1)))
    return found


def filtered(row: Positions, case: dict[str, Any]) -> bool:
    """Whether the usual filters leave a row in."""
    steps: list[Any] = [Labelled(), NotOver()]
    if case.get("option", {}).get("skip_in_check"):
        steps.append(NotInCheck())
    return bool(list(run_steps([row], steps, Tally())))


@pytest.mark.parametrize("name", LINES)
def test_lines(name: str) -> None:
    case, found = CASES[name], outcomes(name)
    for line in case["lines"]:
        number = line["line"]
        allowed = {line["status"], *case.get("alternatives", {}).get(str(number), [])}
        status, row = found.get(number, ("comment" if "comment" in allowed else "blank", None))
        if row is not None and "skip" in allowed and not filtered(row, case):
            status = "skip"
        if row is not None and status == "ok" and line.get("dup_of"):
            status = line["status"]  # what becomes of repeated positions is tested below
        label = None if row is None or np.isnan(row.result[0]) else float(row.result[0])
        assert status in allowed or f"{status}:{label}" in allowed, (number, status, allowed)
        if status == "ok" and row is not None and line["label"] is not None:
            assert label == line["label"], number
        if row is not None and "halfmove" in line:
            assert (row.halfmove_clock[0], row.fullmove_number[0]) == (line["halfmove"], line["fullmove"])


@pytest.mark.parametrize("name", WITH_BAD_LINES)
def test_bad_lines_stop_the_import_and_are_named(name: str) -> None:
    first = min(number for number, (status, _) in outcomes(name).items() if status == "bad")
    with pytest.raises(FormatError, match=rf"{name}:{first}: "):
        read_positions(FOLDER / name)


def game_outcomes(name: str) -> tuple[dict[int, tuple[str, str]], Positions]:
    """Status and reason of each game of a file, and the positions of those that are used."""
    strict, lenient = Rejects(), Rejects()
    rows = read_positions(FOLDER / name, on_error="skip", rejects=lenient)
    with contextlib.suppress(FormatError):
        read_positions(FOLDER / name, rejects=strict)
    found = {}
    for each in lenient.kept:
        number, line = re.fullmatch(r"game (\d+) \(line (\d+)\)", str(each.place)).groups()  # type: ignore[union-attr]
        assert int(line) == CASES[name]["games"][int(number) - 1]["line"]
        # What is wrong stops a strict import; what is only of no use is left out of it, too.
        found[int(number)] = ("skip" if each in strict.kept else "bad", each.reason)
    return found | {int(game) + 1: ("ok", "") for game in np.unique(rows.game)}, rows


@pytest.mark.parametrize("name", GAMES)
def test_games(name: str) -> None:
    case, (found, rows) = CASES[name], game_outcomes(name)
    assert sorted(found) == [game["game"] for game in case["games"]]
    for game in case["games"]:
        status, reason = found[game["game"]]
        assert status in {game["status"], *case.get("alternatives", {}).get(str(game["game"]), [])}, game
        mine = rows.select(rows.game == game["game"] - 1)
        assert len(mine) == (game["plies"] if status == "ok" else 0)
        assert set(mine.result.tolist()) == ({game["label"]} if status == "ok" else set())
        assert status == "ok" or reason
        if "start_fen" in game:
            assert format_fens(mine)[0] == game["start_fen"]
        if "ply_numbers" in game:  # of the moves: one more than the plies played before them
            assert (mine.ply + 1).tolist() == game["ply_numbers"]
        if "white_cp" in game:
            assert [None if np.isnan(each) else each for each in mine.score.tolist()] == game["white_cp"]


@pytest.mark.parametrize(
    ("name", "reasons"),
    [
        ("24-empty-and-unfinished.pgn", {"no moves": 2, "unknown result": 2}),
        ("26-fen-tag-forms.pgn", {"illegal move": 1}),
        (
            "28-other-variants.pgn",
            {"variant Atomic": 1, "variant Horde": 1, "a game of Chess960 without a FEN tag": 1},
        ),
        ("29-zero-castling-null-moves.pgn", {"null move": 1}),
        ("30-comments.pgn", {"comment never closed": 1}),
        (
            "37-termination.pgn",
            {
                "termination time-forfeit": 2,
                "termination abandoned": 1,
                "termination illegal-move": 2,
                "termination crash": 1,
                "termination unterminated": 1,
            },
        ),
    ],
)
def test_games_are_left_out_by_reason(name: str, reasons: dict[str, int]) -> None:
    rejects = Rejects()
    read_positions(FOLDER / name, on_error="skip", rejects=rejects)
    assert dict(rejects.counts) == reasons


def test_only_main_lines_are_replayed() -> None:
    name = "30-comments.pgn"
    _, rows = game_outcomes(name)
    with (FOLDER / name).open(encoding="utf-8") as stream:
        game = chess.pgn.read_game(stream)
    assert game is not None
    # A game with `[%eval]` gives the positions after its moves.
    boards = [node.board().fen(en_passant="legal") for node in game.mainline()]
    assert format_fens(rows.select(rows.game == 0)) == boards


def test_a_ply_window_counts_from_the_move_numbers_of_a_fen() -> None:
    case = CASES["31-ply-from-fen.pgn"]
    _, rows = game_outcomes("31-ply-from-fen.pgn")
    left = list(run_steps([rows], [PlyWindow(case["min_ply"])], Tally()))
    assert np.bincount(left[0].game).tolist() == [4]


@pytest.mark.parametrize(
    ("name", "line", "words"),
    [
        ("04-short-fen.epd", 2, "the en-passant field is not"),
        ("04-short-fen.epd", 3, "the castling field is not"),
        ("04-short-fen.epd", 4, "the side to move is not"),
        ("10-castling-without-rook.epd", 1, "a castling right without its king and rook"),
        ("12-kings.epd", 1, "no black king"),
        ("12-kings.epd", 3, "no white king; no black king"),
        ("12-kings.epd", 5, "no black king; more than one white king"),
        ("13-side-not-to-move-in-check.epd", 4, "a check that no move can give"),
        ("14-piece-counts.epd", 4, "more than 16 white men"),
        ("15-impossible-ep.epd", 4, "the en-passant field is not"),
    ],
)
def test_reasons(name: str, line: int, words: str) -> None:
    rejects = Rejects()
    read(name, rejects)
    reason = next(each.reason for each in rejects.kept if each.place == line)
    assert all(part in reason for part in words.split("; "))


def test_castling_rooks() -> None:
    rows = read("11-two-rooks-one-side.epd", Rejects())
    assert rows.castling_rights.tolist() == [
        chess.BB_SQUARES[square] for square in (chess.B1, chess.B1, chess.A1, chess.H1)
    ]


def test_extra_and_missing_columns() -> None:
    case, rejects = CASES["17-extra-column.csv"], Rejects()
    rows = read("17-extra-column.csv", rejects)
    good = [row for row in case["rows"] if row["status"] == "ok"]
    assert rows.result.tolist() == [row["label"] for row in good]
    assert rows.score.tolist() == [row["score"] for row in good]
    assert [each.place for each in rejects.kept] == [r["line"] for r in case["rows"] if r["status"] == "bad"]
    with pytest.raises(FormatError, match=r"17-extra-column\.csv:3: .*blitz"):
        read_positions(FOLDER / "17-extra-column.csv")


def test_sentinels_and_mates() -> None:
    case, rejects = CASES["41-score-sentinels.csv"], Rejects()
    rows = read("41-score-sentinels.csv", rejects)
    for row, score in zip(case["rows"], rows.score.tolist(), strict=True):
        if str(row["line"]) in case["alternatives"]:
            assert score == pytest.approx(0.35)
        else:
            assert (None if np.isnan(score) else score) == row["score_cp"], row
    assert sum(rejects.notes.values()) == 9
    assert (rows.result == 0.5).all()


def test_side_to_move_labels_are_noticed() -> None:
    rejects = Rejects()
    read_positions(FOLDER / "40-labels-from-side-to-move.epd", rejects=rejects)
    assert len(rejects.warnings) == 1 and "they look like side-to-move" in rejects.warnings[0]


def test_scores_of_ce_are_the_movers() -> None:
    rows = read("35-c0-result.epd", Rejects())
    assert rows.score.tolist() == [-346, -676, 472]
    assert rows.fullmove_number.tolist() == [48, 30, 1]


@pytest.mark.parametrize(("labels", "expected"), [("first", [1, 0]), ("mean", [0.5, 0]), ("drop", [0])])
def test_conflicting_duplicates(labels: str, expected: list[float]) -> None:
    tally = Tally()
    rows = read("43-conflicting-duplicates.epd", Rejects())
    left = Positions.concatenate(list(run_steps([rows], [Duplicates(labels)], tally)))
    assert left.result.tolist() == expected
    assert tally.read == 5 and tally.kept == len(expected)
    if labels != "first":
        assert tally.notes["positions with different results"] == 1
    if labels == "mean":
        assert left.sample_weight.tolist() == [3, 2]


def test_checks_mates_and_stalemates_are_counted() -> None:
    tally = Tally()
    list(run_steps([read("44-in-check.epd", Rejects())], [NotInCheck()], tally))
    assert tally.dropped == {"in check": 3}
    tally = Tally()
    left = list(run_steps([read("45-terminal-positions.epd", Rejects())], [NotOver()], tally))
    assert format_fens(left[0]) == ["7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"]
    assert tally.dropped == {
        "checkmate": 1,
        "stalemate": 1,
        "insufficient material": 1,
        "a result the board contradicts": 2,
    }


@pytest.mark.parametrize("name", ["50-mirror-not-rotate.epd", "51-stacked-pieces.epd"])
def test_features_of_mirrored_positions_are_opposite(name: str) -> None:
    evaluation = load_evaluation("default")
    rows = read(name, Rejects())
    scores = evaluation.score(rows)
    pairs: dict[int, list[int]] = {}
    for line in CASES[name]["lines"]:
        if "pair" in line:
            pairs.setdefault(line["pair"], []).append(line["line"] - 1)
    matrix = evaluation.extract(rows)
    counts = matrix.dense().astype(int)
    for one, other in pairs.values():
        assert (counts[one] == -counts[other]).all()
        assert scores[one] == pytest.approx(-scores[other])
    for line in CASES[name]["lines"]:
        if "rotation" in line.get("relation", ""):
            original = int(line["relation"].split("line ")[1].split(":")[0]) - 1
            assert (counts[line["line"] - 1] != -counts[original]).any()
