"""Filters, recipes and splits: what is left, what is counted, and that blocks change nothing."""

from __future__ import annotations

from pathlib import Path

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.errors import InputError, UnknownName
from evalcore.fen import format_fens, parse_fens
from evalcore.filters import (
    STEPS,
    Duplicates,
    Labelled,
    NotInCheck,
    NotOver,
    Outliers,
    PerGame,
    Pieces,
    PlyWindow,
    Quiet,
    Sample,
    ScoreWindow,
    SortByGame,
    Step,
    Tally,
    load_recipe,
    make_step,
    run_recipe,
    run_steps,
    split_by_game,
)
from evalcore.filters.keys import KeySet
from evalcore.filters.rows import insufficient_material
from evalcore.formats import read_positions
from evalcore.positions import COLUMNS, NO_GAME, Positions

SAMPLES = Path(__file__).parent / "data" / "formats"
ALL_STEPS: list[Step] = [
    Quiet(),
    NotInCheck(),
    NotOver(),
    PlyWindow(20, 90),
    ScoreWindow(150, unknown="drop"),
    Labelled(("result", "score")),
    Pieces(8, 30),
    Outliers(0.4),
    Sample(0.5),
    Sample(0.5, by="game", seed=3),
    Duplicates("first"),
    Duplicates("mean"),
    Duplicates("drop"),
    PerGame(7),
    SortByGame(),
]


@pytest.fixture(scope="module")
def rows() -> Positions:
    """300 positions of a few games, the first 60 of them twice."""
    found = read_positions(SAMPLES / "stockfish.plain", score_unit=1.0)
    again = found.select(slice(0, 60)).replace(game=np.full(60, 99), result=np.zeros(60))
    return Positions.concatenate([found, again])


def applied(rows: Positions, *steps: Step, size: int = 1000) -> tuple[Positions, Tally]:
    tally = Tally()
    blocks = (rows.select(each) for each in rows.blocks(size))
    left = Positions.concatenate(list(run_steps(blocks, steps, tally)))
    assert tally.read == len(rows) and tally.kept == len(left)
    assert tally.dropped.total() == len(rows) - len(left)
    return left, tally


def same(one: Positions, other: Positions) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name), equal_nan=name in ("result", "score"))
        for name in COLUMNS
    )


def test_every_step_is_tried_here() -> None:
    assert {type(step) for step in ALL_STEPS} == set(STEPS.values())


@pytest.mark.parametrize("step", ALL_STEPS, ids=repr)
@pytest.mark.parametrize("size", [1, 7, 64])
def test_blocks_change_nothing(step: Step, size: int, rows: Positions) -> None:
    whole, tally = applied(rows, step)
    pieces, again = applied(rows, step, size=size)
    assert 0 < len(whole) <= len(rows)
    assert same(whole, pieces) and tally == again
    assert list(run_steps([], [step], Tally())) == []


def boards(positions: Positions) -> list[chess.Board]:
    return [positions.board(row) for row in range(len(positions))]


def test_checks_against_python_chess(rows: Positions) -> None:
    left, tally = applied(rows, NotInCheck())
    expected = [board.is_check() for board in boards(rows)]
    assert tally.dropped["in check"] == sum(expected) > 0
    assert len(left) == len(rows) - sum(expected)


def test_quiet_positions_have_no_capture_that_wins_at_once(rows: Positions) -> None:
    left, tally = applied(rows, Quiet())
    assert set(tally.dropped) == {"in check", "not quiet"}
    for board in boards(left):
        assert not board.is_check()
        for move in board.generate_legal_captures():
            undefended = not board.is_attacked_by(not board.turn, move.to_square)
            assert not (undefended and not board.is_en_passant(move)) or board.is_pinned(
                not board.turn, move.to_square
            )


FEW = st.lists(st.sampled_from("NnBbPRq"), max_size=3)


@settings(max_examples=300, deadline=None)
@given(FEW, st.permutations(range(8, 56)))
def test_insufficient_material_against_python_chess(men: list[str], squares: list[int]) -> None:
    board = chess.Board(None)
    for square, letter in zip(squares, ["K", "k", *men], strict=False):
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    assert insufficient_material(Positions.from_boards([board])).tolist() == [
        board.is_insufficient_material()
    ]


def test_windows(rows: Positions) -> None:
    left, tally = applied(rows, PlyWindow(20, 40), ScoreWindow(100), Pieces(20, 31))
    assert left.ply.min() >= 20 and left.ply.max() <= 40
    assert np.nanmax(np.abs(left.score)) <= 100
    assert all(20 <= len(board.piece_map()) <= 31 for board in boards(left))
    assert {"ply below 20", "ply above 40", "score beyond 100"} <= set(tally.dropped)


def test_unknown_plies_and_scores(rows: Positions) -> None:
    bare = rows.replace(ply=np.zeros(len(rows)), score=np.full(len(rows), np.nan))
    assert len(applied(bare, PlyWindow(20), ScoreWindow(100))[0]) == len(rows)
    assert applied(bare, PlyWindow(20, unknown="drop"))[1].dropped == {"ply below 20": len(rows)}
    assert applied(bare, ScoreWindow(100, unknown="drop"))[1].dropped == {"no score": len(rows)}
    assert applied(bare, Labelled(("score",)))[1].dropped == {"no score": len(rows)}
    with pytest.raises(InputError, match="unknown is one of keep, drop, not 'x'"):
        PlyWindow(3, unknown="x")


def test_outliers() -> None:
    one = parse_fens(["k7/8/8/8/8/8/8/K6R w - - 0 1"] * 4)
    rows = one.replace(score=[2000, 2000, -2000, np.nan], result=[1, 0, 0, 1])
    left, tally = applied(rows, Outliers(0.95))
    assert len(left) == 3 and tally.dropped == {"score against result": 1}


def test_duplicates_first(rows: Positions) -> None:
    left, tally = applied(rows, Duplicates("first"))
    keys = [" ".join(fen.split()[:4]) for fen in format_fens(rows)]
    assert len(left) == len(set(keys)) and tally.dropped["a repeated position"] >= 60
    assert [" ".join(fen.split()[:4]) for fen in format_fens(left)] == list(dict.fromkeys(keys))


def test_duplicates_mean(rows: Positions) -> None:
    left, tally = applied(rows, Duplicates("mean"))
    keys = np.array([" ".join(fen.split()[:4]) for fen in format_fens(rows)])
    for row, fen in enumerate(format_fens(left)):
        same_board = keys == " ".join(fen.split()[:4])
        assert left.result[row] == pytest.approx(rows.result[same_board].mean())
        assert left.sample_weight[row] == same_board.sum()
    assert left.sample_weight.sum() == len(rows)
    assert tally.notes["positions with different results"] > 0


def test_duplicates_drop(rows: Positions) -> None:
    left, tally = applied(rows, Duplicates("drop"))
    assert tally.dropped["different results for one position"] >= 2
    assert set(left.result.tolist()) <= {0, 0.5, 1}


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.integers(0, 50), max_size=20), max_size=20))
def test_key_sets_are_sets(batches: list[list[int]]) -> None:
    ours, theirs = KeySet(), set[int]()
    for batch in batches:
        keys = np.array(batch, np.uint64)
        found, numbers = ours.find(keys)
        assert found.tolist() == [key in theirs for key in batch]
        assert np.array_equal(numbers, np.where(found, keys, np.nan).astype(np.float32), equal_nan=True)
        new = np.array(sorted(set(batch) - theirs), np.uint64)
        ours.add(new, new.astype(np.float32))
        theirs |= set(batch)


def test_per_game(rows: Positions) -> None:
    left, tally = applied(rows, PerGame(7))
    before, after = (np.unique(each.game, return_counts=True) for each in (rows, left))
    assert np.array_equal(after[0], before[0])
    assert np.array_equal(after[1], np.minimum(before[1], 7))
    assert tally.dropped == {"more than 7 of a game": len(rows) - len(left)}
    other, _ = applied(rows, PerGame(7, seed=2))
    assert not same(left, other)
    bare = rows.replace(game=np.full(len(rows), NO_GAME))
    assert len(applied(bare, PerGame(7))[0]) == len(rows)


def test_samples_have_their_share() -> None:
    many = Positions.concatenate([read_positions(SAMPLES / "ethereal.fens")] * 20)
    many = many.replace(game=np.arange(len(many)))
    for step in (Sample(0.25), Sample(0.25, by="game"), Sample(0.25, seed=5)):
        assert applied(many, step)[0].game.size == pytest.approx(0.25 * len(many), rel=0.1)
    chosen = applied(many, Sample(0.25))[0]
    assert not same(chosen, applied(many, Sample(0.25, seed=5))[0])
    assert len(applied(many.replace(game=np.full(len(many), NO_GAME)), Sample(0.5))[0]) > 0


def test_split_by_game(rows: Positions) -> None:
    games = rows.replace(game=np.arange(len(rows)) // 3)
    parts = list(split_by_game((games.select(each) for each in games.blocks(50)), 0.3, seed=1))
    rest = Positions.concatenate([part[0] for part in parts])
    chosen = Positions.concatenate([part[1] for part in parts])
    assert len(rest) + len(chosen) == len(rows)
    assert not set(rest.game.tolist()) & set(chosen.game.tolist())
    assert len(chosen) == pytest.approx(0.3 * len(rows), rel=0.4)


RECIPE = f"""
[[source]]
path = "{(SAMPLES / "bullet.txt").as_posix()}"
weight = 0.5
limit = 100

[[source]]
path = "more.epd"

[[step]]
name = "labelled"
need = ["result", "score"]

[[step]]
name = "ply-window"
least = 20

[[step]]
name = "duplicates"
labels = "first"
"""


def test_recipes(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text(RECIPE)
    (tmp_path / "more.epd").write_bytes((SAMPLES / "ethereal.fens").read_bytes())
    recipe = load_recipe(tmp_path / "recipe.toml")
    assert recipe.steps == (Labelled(("result", "score")), PlyWindow(20), Duplicates("first"))
    tally = Tally()
    left = Positions.concatenate(list(run_recipe(recipe, tally)))
    assert tally.read == 400 and tally.kept == len(left) > 0
    assert (left.sample_weight == 0.5).all() and left.ply.min() >= 20


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[step]]\nname = "quite"', "no step is called 'quite'; did you mean quiet"),
        ('[[step]]\nname = "ply-window"\nlest = 3', "no option of step ply-window is called 'lest'"),
        ('[[step]]\nname = "ply-window"\nleast = "3"', "least is a int, not '3'"),
        ('[[step]]\nname = "score-window"', "missing 1 required"),
        ('[[steps]]\nname = "quiet"', "no table of the recipe"),
        ("[[step]\n", "is no TOML file"),
        ("[[source]]\nweight = 2", "a source has no path"),
        ('[[source]]\npath = "x"\nwait = 2', "no option of source"),
        ('[[step]]\nname = "sample"\nshare = 0.1\nby = "row"', "by is one of position, game"),
    ],
)
def test_recipes_that_are_wrong(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text(text)
    with pytest.raises(InputError, match=message):
        load_recipe(tmp_path / "recipe.toml")


def test_recipe_files_and_steps_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_recipe(tmp_path / "nosuch.toml")
    with pytest.raises(UnknownName):
        make_step({"least": 3})
    assert make_step({"name": "score-window", "most": 300}) == ScoreWindow(300)
