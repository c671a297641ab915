"""Objectives over pairs, Kendall's tau, and siblings of played moves, against brute force and libraries."""

from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import chess
import numpy as np
import pytest
from problems import data_objective, feature_matrix, numeric_gradient, planted
from scipy.stats import kendalltau

from evalcore.errors import InputError
from evalcore.positions import NO_GAME, Positions
from tuner.comparison import siblings
from tuner.concordance import ConcordanceObjective, concordance
from tuner.objectives import Sampled
from tuner.optimizers import OPTIMIZERS, silent
from tuner.pairs import PairObjective, ranking


def rows_of(*, factors: bool = False, threads: int = 1):  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(8)
    dense = rng.integers(-3, 4, (40, 5)) * (rng.random((40, 5)) < 0.6)
    scale = rng.choice([1.0, 0.5, 0.0], (40, 2)) if factors else None
    features = feature_matrix(dense, rng.integers(0, 25, 40), threads=threads, factors=scale)
    start = rng.normal(0, 60, (5, 2))
    return data_objective(features, rng.choice([0, 0.5, 1], 40), ridge=1e-4, start=start)


def pairs_of(*, factors: bool = False) -> PairObjective:
    rng = np.random.default_rng(9)
    weight = rng.random(90)
    first = rng.integers(0, 40, 90)
    second = (first + rng.integers(1, 40, 90)) % 40
    return PairObjective(rows_of(factors=factors), first, second, weight / weight.sum())


@pytest.mark.parametrize("factors", [False, True])
def test_the_loss_of_pairs_is_logistic_in_the_difference_of_scores(factors: bool) -> None:
    made = pairs_of(factors=factors)
    x = made.parameters.start + 3.0
    scores = made.rows.features.scores(made.parameters.table(x))
    apart = scores[made.better] - scores[made.worse]
    wanted = float(made.pair_weight @ np.log1p(np.exp(-made.rows.scale * apart)))
    assert made.data_loss(x) == pytest.approx(wanted, rel=1e-13)
    assert made.value(x) == pytest.approx(wanted + made.rows.penalty(x), rel=1e-13)
    assert made.right(x) == pytest.approx(float(made.pair_weight @ ((apart > 0) + 0.5 * (apart == 0))))


@pytest.mark.parametrize("factors", [False, True])
def test_derivatives_of_pairs(factors: bool) -> None:
    made = pairs_of(factors=factors)
    x = made.parameters.start + np.random.default_rng(3).normal(0, 20, made.size)
    value, gradient = made.value_gradient(x)
    assert value == pytest.approx(made.value(x), rel=1e-13)
    np.testing.assert_allclose(gradient, numeric_gradient(made.value, x, 1e-2), rtol=1e-7, atol=1e-12)
    matrix = made.curvature_matrix(x)
    for index, column in enumerate(matrix.T):
        unit = np.zeros(made.size)
        unit[index] = 1e-3
        slope = (made.value_gradient(x + unit)[1] - made.value_gradient(x - unit)[1]) / 2e-3
        np.testing.assert_allclose(column, slope, rtol=1e-5, atol=1e-11)
    direction = np.random.default_rng(4).normal(size=made.size)
    np.testing.assert_allclose(made.hessian_vector(x, direction), matrix @ direction, rtol=1e-10)


def test_some_pairs_are_the_same_objective_on_fewer() -> None:
    made = pairs_of()
    assert isinstance(made, Sampled)
    x = made.parameters.start
    assert made.restricted(np.arange(90)).value(x) == pytest.approx(made.value(x), rel=1e-13)
    some = made.restricted(np.array([3, 4, 50, 89]))
    assert len(some) == 4
    scores = made.rows.features.scores(made.parameters.table(x))
    inside = some.rows.features.scores(made.parameters.table(x))
    np.testing.assert_array_equal(inside[some.better], scores[made.better[[3, 4, 50, 89]]])
    np.testing.assert_array_equal(inside[some.worse], scores[made.worse[[3, 4, 50, 89]]])
    assert len(made.sample(10)) == 10


def test_random_pairs_have_different_targets() -> None:
    rows = rows_of()
    made = ranking(rows, 3, np.random.default_rng(1))
    assert (rows.target[made.better] > rows.target[made.worse]).all()
    assert 40 < len(made) <= 120
    assert made.pair_weight.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("method", ["texel", "newton", "lbfgs", "adam"])
def test_ranking_recovers_planted_weights_up_to_scale(method: str) -> None:
    made = planted(rows=3000)
    rows = data_objective(made.features, made.result, scale=made.scale, ridge=1e-6)
    goal = ranking(rows, 6, np.random.default_rng(1))
    options = {"rate": 8.0, "batch": 1000} if method == "adam" else {}
    end = OPTIMIZERS[method](**options).minimize(
        goal, rows.prior, rng=np.random.default_rng(1), observe=silent
    )
    assert np.corrcoef(end.x, made.truth.ravel())[0, 1] > 0.97
    assert goal.right(end.x) > 0.75 > goal.right(rows.prior)
    tau = [
        concordance(made.features.scores(rows.parameters.table(x)), made.result).tau_b
        for x in (rows.prior, end.x)
    ]
    assert tau[1] > tau[0] + 0.3


# --- Kendall's tau ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("levels", [1, 2, 3, 40])
def test_counts_of_pairs_by_brute_force_and_tau_by_scipy(seed: int, levels: int) -> None:
    rng = np.random.default_rng(seed)
    scores = np.round(rng.normal(0, 2, 37), 1 if seed % 2 else 6)
    target = rng.integers(0, levels, 37) / max(levels - 1, 1)
    signs = [
        np.sign((scores[i] - scores[j]) * (target[i] - target[j])) for i, j in combinations(range(37), 2)
    ]
    found = concordance(scores, target)
    assert (found.concordant, found.discordant) == (signs.count(1.0), signs.count(-1.0))
    assert found.pairs == 37 * 36 // 2
    assert found.tau_a == pytest.approx(sum(signs) / found.pairs)
    if levels > 1:
        assert found.tau_b == pytest.approx(kendalltau(scores, target).statistic, abs=1e-14)


def test_tau_of_nothing() -> None:
    assert concordance(np.empty(0), np.empty(0)).tau_b == 0.0
    assert concordance(np.ones(5), np.ones(5)).tau_b == 0.0
    assert concordance(np.arange(3.0), np.array([0, 0.5, 1])).tau_a == 1.0


def test_concordance_as_an_objective() -> None:
    rows = rows_of()
    made = ConcordanceObjective(rows)
    x = rows.parameters.start
    tau = kendalltau(rows.features.scores(rows.parameters.table(x)), rows.target).statistic
    assert made.data_loss(x) == pytest.approx(0.5 * (1.0 - tau))
    assert made.value(x + 1.0) == pytest.approx(made.data_loss(x + 1.0) + rows.penalty(x + 1.0))
    end = OPTIMIZERS["local"]().minimize(made, x, rng=np.random.default_rng(1), observe=silent)
    assert end.value < made.value(np.rint(x))
    with pytest.raises(
        InputError, match=r"method texel needs .*; methods local, spsa and cma-es need values alone"
    ):
        OPTIMIZERS["texel"]().minimize(made, x, rng=np.random.default_rng(1), observe=silent)


# --- siblings -----------------------------------------------------------------------------------------


def game_rows(moves: int = 60, seed: int = 5) -> tuple[Positions, list[chess.Board]]:
    rng, board, boards = np.random.default_rng(seed), chess.Board(), [chess.Board()]
    for _ in range(moves):
        legal = list(board.legal_moves)
        board.push(legal[int(rng.integers(len(legal)))])
        boards.append(board.copy(stack=False))
    numbers = np.arange(len(boards))
    return Positions.from_boards(boards, game=np.zeros(len(boards)), ply=numbers), boards


def placement(positions: Positions, row: int) -> tuple[str, bool]:
    board = positions.board(row)
    return board.board_fen(), board.turn


def test_siblings_are_legal_and_the_played_move_is_better_for_the_player() -> None:
    positions, boards = game_rows()
    rows = np.arange(len(boards) - 1)
    found = siblings(positions, rows, 4, np.random.default_rng(1), quiet=False)
    played = {row: (after.board_fen(), after.turn) for row, (_, after) in enumerate(pairwise(boards))}
    legal: dict[int, set[tuple[str, bool]]] = {}
    for row in rows.tolist():
        legal[row] = set()
        for move in boards[row].legal_moves:
            child = boards[row].copy(stack=False)
            child.push(move)
            legal[row].add((child.board_fen(), child.turn))
    pairs: dict[int, list[tuple[str, bool]]] = {}
    for better, worse in zip(found.better.tolist(), found.worse.tolist(), strict=True):
        row = int(found.parent[better])
        assert row == found.parent[worse]
        white = boards[row].turn
        best, other = (better, worse) if white else (worse, better)
        assert placement(found.positions, best) == played[row]
        assert placement(found.positions, other) in legal[row] - {played[row]}
        pairs.setdefault(row, []).append(placement(found.positions, other))
    for row, others in pairs.items():
        assert len(others) == len(set(others)) == min(4, boards[row].legal_moves.count() - 1)
    assert set(pairs) == {row for row in rows.tolist() if boards[row].legal_moves.count() > 1}


def test_noisy_children_are_left_out() -> None:
    positions, boards = game_rows()
    every = siblings(positions, np.arange(len(boards) - 1), 6, np.random.default_rng(1), quiet=False)
    calm = siblings(positions, np.arange(len(boards) - 1), 6, np.random.default_rng(1))
    assert 0 < len(calm.better) < len(every.better)
    assert not any(calm.positions.board(row).is_check() for row in range(len(calm.positions)))


def test_rows_without_a_successor_are_passed_over() -> None:
    positions, boards = game_rows()
    holes = positions.select(np.arange(len(boards)) % 3 != 2)  # pairs of rows in a row
    found = siblings(holes, np.arange(len(holes)), 2, np.random.default_rng(1), quiet=False)
    assert set(found.parent.tolist()) <= set(range(0, len(holes), 2))
    for broken in (
        positions.select(slice(None, None, 2)),
        positions.replace(game=np.full(len(boards), NO_GAME)),
        positions.replace(game=np.arange(len(boards))),
    ):
        with pytest.raises(InputError, match="comparison needs games"):
            siblings(broken, np.arange(len(broken)), 2, np.random.default_rng(1))


def test_the_next_position_is_found_in_whatever_order_the_data_are() -> None:
    positions, boards = game_rows()
    rows, rng = np.arange(len(boards)), np.random.default_rng(2)
    order = rng.permutation(len(boards))
    # everything twice, and another game that runs on between
    mixed = Positions.gather(
        [positions.select(order), positions.replace(game=np.ones(len(boards))), positions]
    )

    def asked(of: Positions, rows: Any) -> set[tuple[str, bool, str]]:
        found = siblings(of, rows, 100, np.random.default_rng(1), quiet=False)
        pairs = zip(found.better.tolist(), found.worse.tolist(), strict=True)
        return {
            (*placement(found.positions, better), placement(found.positions, worse)[0])
            for better, worse in pairs
        }

    assert asked(mixed, rows) == asked(positions, rows)


def test_the_same_seed_gives_the_same_siblings() -> None:
    positions, boards = game_rows()
    rows = np.arange(len(boards) - 1)
    one, again, other = (siblings(positions, rows, 3, np.random.default_rng(seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.positions.white, again.positions.white)
    assert len(one.positions) != len(other.positions) or (one.positions.white != other.positions.white).any()


def test_pair_weights_may_differ() -> None:
    made = pairs_of()
    heavy = replace(made, pair_weight=np.eye(90)[7])
    single = made.restricted(np.array([7]))
    assert heavy.data_loss(made.parameters.start) == pytest.approx(single.data_loss(made.parameters.start))
