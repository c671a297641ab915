"""Predictions, calibration, residuals, cross-validation, ablation, sources: against loops and refits."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import numpy as np
import pytest
from numpy.typing import NDArray
from oracles.boards import varied_boards
from playouts import random_games
from problems import data_objective, layout, planted, weights
from scipy.special import expit

from evalcore.errors import InputError
from evalcore.evaluation import load_evaluation
from evalcore.formats import write_positions
from evalcore.positions import Positions
from tuner.constraints import Constraints
from tuner.inference import residuals
from tuner.inference.ablation import without_terms
from tuner.inference.calibration import calibration_error, calibration_table, wilson
from tuner.inference.diagnosis import obstacle
from tuner.inference.errors import quantile, uncertainty
from tuner.inference.predictions import Predictions, expected_result, means, predict
from tuner.inference.refit import GameLosses, Held, for_games, game_losses
from tuner.inference.sources import source_influence, sources_of
from tuner.inference.terms import terms_table
from tuner.inference.validation import cross_validate, learning_curve
from tuner.inference.values import losses_table, pieces_table
from tuner.job import make_job
from tuner.losses import CrossEntropy, Linear, Ordinal, Squared
from tuner.parameters import make_parameters
from tuner.problem import Problem, prepare
from tuner.run import run

Floats = NDArray[np.float64]


def predictions(rows: int = 600, seed: int = 0) -> Predictions:
    rng = np.random.default_rng(seed)
    score = rng.normal(0, 300, rows)
    p = expit(0.0058 * score)
    return Predictions(
        np.arange(rows),
        np.arange(rows) >= rows // 2,
        score,
        p,
        (rng.random(rows) < p).astype(float),
        rng.uniform(0.5, 2.0, rows),
        (p - 0.5) ** 2,
        np.sort(rng.integers(0, rows // 10, rows)),
    )


# --- means with errors that know about games ----------------------------------------------------------


def test_means_and_errors_are_those_of_loops() -> None:
    rng = np.random.default_rng(1)
    values, weight = rng.normal(size=(200, 2)), rng.uniform(0.5, 2.0, 200)
    cell, game = rng.integers(0, 4, 200), rng.integers(0, 30, 200)
    found = means(values, weight, cell, game, 5)
    for each in range(4):
        inside = cell == each
        mean = np.average(values[inside], weights=weight[inside], axis=0)
        np.testing.assert_allclose(found.mean[each], mean)
        games = np.unique(game[inside])
        sums = [
            (weight[:, None] * (values - mean))[inside & (game == number)].sum(axis=0) for number in games
        ]
        variance = np.square(sums).sum(axis=0) * len(games) / (len(games) - 1) / weight[inside].sum() ** 2
        np.testing.assert_allclose(found.se[each], np.sqrt(variance))
        assert (found.rows[each], found.games[each]) == (inside.sum(), len(games))
    assert np.isnan(found.mean[4]).all()
    assert found.rows[4] == 0


def test_the_error_of_a_mean_of_independent_rows_is_the_usual_one() -> None:
    values = np.random.default_rng(2).normal(size=(500, 1))
    found = means(values, np.ones(500), np.zeros(500, int), np.arange(500), 1)
    assert found.se[0, 0] == pytest.approx(values.std(ddof=1) / np.sqrt(500))


def test_one_game_has_no_error() -> None:
    found = means(np.ones((3, 1)), np.ones(3), np.zeros(3, int), np.zeros(3, int), 1)
    assert np.isnan(found.se[0, 0])


# --- calibration and residuals ------------------------------------------------------------------------


def test_calibration_is_that_of_a_loop() -> None:
    told = predictions()
    table = calibration_table(told, bins=10)
    for row in table.itertuples():
        held_out = row.set == "validation"
        inside = (told.held_out == held_out) & (told.predicted >= row.low) & (told.predicted < row.high)
        assert row.rows == inside.sum()
        assert row.result == pytest.approx(np.average(told.target[inside], weights=told.weight[inside]))
        assert row.predicted == pytest.approx(np.average(told.predicted[inside], weights=told.weight[inside]))
        assert row.result_low <= row.result <= row.result_high
    assert table.groupby("set")["rows"].sum().to_dict() == {"train": 300, "validation": 300}


def test_a_calibrated_evaluation_is_within_its_intervals() -> None:
    rng = np.random.default_rng(3)
    told = predictions(40_000)
    told = replace(told, target=(rng.random(40_000) < told.predicted).astype(float), game=np.arange(40_000))
    table = calibration_table(told)
    inside = (table["predicted"] >= table["result_low"]) & (table["predicted"] <= table["result_high"])
    assert inside.mean() > 0.85
    assert calibration_error(table) < 0.015


def test_bins_without_a_spread_are_not_sure_of_themselves() -> None:
    """25 positions of nine games that all were lost where about 17.7 % were predicted."""
    from scipy.stats import binomtest

    rng = np.random.default_rng(0)
    told = replace(
        predictions(25), predicted=rng.uniform(0.16, 0.19, 25), target=np.zeros(25),
        held_out=np.zeros(25, bool), game=np.arange(25) % 9,
    )  # fmt: skip
    (row,) = calibration_table(told).itertuples()
    assert (row.rows, row.games, row.result) == (25, 9, 0.0)
    assert row.se < 0.01
    assert row.result_low == pytest.approx(0.0, abs=1e-12)
    assert row.result_high >= binomtest(0, 9).proportion_ci(method="wilson").high - 1e-12
    assert row.predicted < row.result_high
    many = replace(told, game=np.arange(25))
    (row,) = calibration_table(many).itertuples()
    expected = binomtest(0, 25).proportion_ci(method="wilson").high
    assert row.result_high == pytest.approx(expected)


def test_a_wilson_interval_is_that_of_scipy() -> None:
    from scipy.stats import binomtest

    for wins, trials in ((0, 9), (3, 9), (9, 9), (40, 100)):
        known = binomtest(wins, trials).proportion_ci(method="wilson")
        low, high = wilson(np.array([wins / trials]), np.array([trials]), quantile(0.95))
        assert (float(low[0]), float(high[0])) == (
            pytest.approx(known.low, abs=1e-12),
            pytest.approx(known.high),
        )


@cache
def boards() -> Positions:
    return Positions.from_boards(varied_boards())


def men(board: chess.Board, kinds: str, colour: chess.Color | None = None) -> int:
    colours = (True, False) if colour is None else (colour,)
    return sum(len(board.pieces(chess.PIECE_SYMBOLS.index(kind), side)) for kind in kinds for side in colours)


def test_material_balances() -> None:
    cell, names = residuals.by_balance(boards())
    worth = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}
    for row, board in enumerate(varied_boards()):
        balance = sum(
            value * (men(board, kind, True) - men(board, kind, False)) for kind, value in worth.items()
        )
        number = max(-6, min(6, balance))
        assert names[cell[row]].split()[0] == (f"{number:+d}".replace("-", "−") if number else "0")


def test_kinds_of_endings() -> None:
    cell, names = residuals.by_ending(boards())
    kinds = [names[number] for number in cell]
    for kind, board in zip(kinds, varied_boards(), strict=True):
        assert (kind == "pawns only") == (men(board, "nbrq") == 0)
        assert (kind == "rooks") == (men(board, "r") > 0 and men(board, "nbq") == 0)
        assert (kind == "queens") == (men(board, "q") > 0 and men(board, "nbr") == 0)
        assert (kind in ("opposite bishops", "minor pieces")) == (
            men(board, "nb") > 0 and men(board, "rq") == 0
        )
        if kind == "opposite bishops":
            white, black = (next(iter(board.pieces(chess.BISHOP, colour))) for colour in (True, False))
            assert (white + white // 8) % 2 != (black + black // 8) % 2
    assert len(set(kinds)) >= 5


def test_opposite_bishops() -> None:
    fens = {
        "8/5k2/4b3/8/8/3B4/5K2/8 w - - 0 1": "minor pieces",
        "8/5k2/3b4/8/8/3B4/5K2/8 w - - 0 1": "opposite bishops",
        "8/5k2/3b4/8/8/3B1N2/5K2/8 w - - 0 1": "minor pieces",
        "8/5k2/3bb3/8/8/8/5K2/8 w - - 0 1": "minor pieces",
    }
    cell, names = residuals.by_ending(Positions.from_boards(chess.Board(fen) for fen in fens))
    assert [names[number] for number in cell] == list(fens.values())


def test_phases_fall_into_equal_ranges() -> None:
    cell, names = residuals.phase_cells(np.array([0.0, 3.9, 4.0, 23.9, 24.0], np.float32), 24.0)
    assert cell.tolist() == [0, 0, 1, 5, 5]
    assert names == ["0–4 (endgame)", "4–8", "8–12", "12–16", "16–20", "20–24 (midgame)"]


def test_residuals_are_those_of_a_loop() -> None:
    count = len(boards())
    told = replace(predictions(count), held_out=np.ones(count, bool))
    phase = residuals.phase_cells(np.arange(count, dtype=np.float32) % 25, 24.0)
    table = residuals.residuals_table(told, boards(), phase)
    assert list(dict.fromkeys(table["by"])) == ["phase", *residuals.KINDS]
    assert (table.groupby("by")["rows"].sum() == count).all()
    side = table[table["by"] == "side to move"].set_index("group")
    for name, white in (("White to move", True), ("Black to move", False)):
        inside = boards().white_to_move == white
        residual = told.target - told.predicted
        favourite = np.where(told.predicted >= 0.5, residual, -residual)
        weight = told.weight[inside]
        assert side.loc[name, "white"] == pytest.approx(np.average(residual[inside], weights=weight))
        assert side.loc[name, "favourite"] == pytest.approx(np.average(favourite[inside], weights=weight))


def test_worst_positions_are_one_a_game_and_worst_first() -> None:
    count = len(boards())
    told = replace(
        predictions(count), loss=np.random.default_rng(0).random(count), game=np.arange(count) // 3
    )
    table = residuals.worst_table(told, boards(), most=10)
    best_of = [told.loss[told.game == number].max() for number in np.unique(told.game)]
    np.testing.assert_allclose(table["loss"], sorted(best_of, reverse=True)[:10])
    worst = int(told.loss.argmax())
    assert table["fen"][0] == varied_boards()[worst].fen(
        en_passant="fen" if varied_boards()[worst].ep_square else "legal"
    )


def test_what_losses_expect() -> None:
    z = np.linspace(-4, 4, 9)
    np.testing.assert_allclose(expected_result(Squared(), z), expit(z))
    np.testing.assert_allclose(expected_result(CrossEntropy(), z), expit(z))
    d = 0.7
    win, loss = expit(z - d), expit(-z - d)
    np.testing.assert_allclose(expected_result(Ordinal(draw=d), z), win + 0.5 * (1 - win - loss))
    assert (expected_result(Linear(), z)[[0, 4, -1]] == [0.0, 0.5, 1.0]).all()


# --- fitting again ------------------------------------------------------------------------------------


@cache
def files(tmp: Path) -> list[str]:
    """Two files of random games whose results follow the material balance now and then."""
    paths = []
    for number in range(2):
        positions = random_games(80, seed=number)
        path = tmp / f"games-{number}.parquet"
        write_positions(positions, path)
        paths.append(str(path))
    return paths


@pytest.fixture(scope="module")
def problem(tmp_path_factory: pytest.TempPathFactory) -> Problem:
    names = files(tmp_path_factory.mktemp("data"))
    return prepare(make_job(data=names, evaluation="material", threads=1, validation=0.2))


@pytest.fixture(scope="module")
def optimum(problem: Problem) -> Floats:
    fit = run(problem.job)
    return problem.parameters.gather(fit.fitted.values)


def test_an_objective_with_numbers_held() -> None:
    made = planted(rows=300, width=3, block_rows=64)
    inner = data_objective(made.features, made.result, scale=made.scale, ridge=0.3)
    x, free = made.truth.ravel().copy(), np.array([0, 3, 5])
    held = Held(inner, free, x)
    moved = x.copy()
    moved[free] += [3.0, -2.0, 1.0]
    assert held.value(moved[free]) == inner.value(moved)
    value, gradient = held.value_gradient(moved[free])
    np.testing.assert_array_equal(gradient, inner.value_gradient(moved)[1][free])
    curvature = held.curvature_matrix(moved[free])
    np.testing.assert_array_equal(curvature, inner.curvature_matrix(moved)[np.ix_(free, free)])
    vector = np.array([1.0, 2.0, -1.0])
    np.testing.assert_allclose(held.hessian_vector(moved[free], vector), curvature @ vector)
    assert len(held.sample(100)) == len(held.inner.sample(100))
    assert (held.embed(moved[free]) == moved).all()
    assert value == pytest.approx(held.value(moved[free]))


def test_prices_grow_when_games_go(problem: Problem) -> None:
    rows = np.arange(0, len(problem.objective), 2)
    half = for_games(problem, rows, 0.5)
    np.testing.assert_allclose(half.ridge, 2.0 * problem.objective.ridge)
    stronger = for_games(problem, rows, 0.5, 3.0 * problem.job.ridge)
    np.testing.assert_allclose(stronger.ridge, 6.0 * problem.objective.ridge)
    assert len(half) == len(rows)


def test_losses_by_game_and_their_paired_error() -> None:
    rng = np.random.default_rng(0)
    weight = rng.uniform(1, 3, 40)
    one, other = GameLosses(rng.random(40), weight), GameLosses(rng.random(40), weight)
    assert one.mean == pytest.approx(one.loss.sum() / weight.sum())
    difference = one.loss - other.loss
    apart = difference - difference.sum() / weight.sum() * weight
    expected = np.sqrt((apart**2).sum() * 40 / 39) / weight.sum()
    assert one.error(other) == pytest.approx(expected)
    assert one.error(one) == 0.0


def test_losses_of_a_problem_add_up(problem: Problem, optimum: Floats) -> None:
    start, fitted = problem.evaluation.start.values, problem.parameters.table(optimum)
    table = losses_table(problem, {"start": start, "fitted": fitted}).set_index(["set", "weights"])
    assert problem.held_out is not None
    assert table.loc[("train", "fitted"), "loss"] == pytest.approx(problem.objective.table_loss(fitted))
    assert table.loc[("validation", "start"), "loss"] == pytest.approx(problem.held_out.table_loss(start))
    gain = table.loc[("validation", "start"), "loss"] - table.loc[("validation", "fitted"), "loss"]
    assert table.loc[("validation", "fitted"), "gain"] == pytest.approx(gain)
    assert table.loc[("train", "fitted"), "gain_se"] < table.loc[("train", "fitted"), "se"]


def test_predictions_cover_every_row_once(problem: Problem, optimum: Floats) -> None:
    told = predict(problem, problem.parameters.table(optimum))
    assert sorted(told.row) == list(range(len(problem.data.positions)))
    assert set(told.row[told.held_out]) == set(problem.data.validation)
    np.testing.assert_array_equal(told.game, problem.data.groups.of_row[told.row])
    np.testing.assert_allclose(told.target, problem.data.targets.values[told.row])
    assert problem.held_out is not None
    judged = told.judged
    loss = np.average(judged.loss, weights=judged.weight)
    assert loss == pytest.approx(problem.held_out.data_loss(optimum))


def test_cross_validation(problem: Problem) -> None:
    found = cross_validate(problem, (0.1, 10.0, 1e4), folds=3)
    table = found.table.set_index("ridge")
    assert list(table.index) == [0.1, 10.0, 1e4, np.inf]
    start = problem.objective.table_loss(problem.evaluation.start.values)
    assert table.loc[np.inf, "validation"] == pytest.approx(start)
    assert table["train"].is_monotonic_increasing
    assert found.best == table["validation"].idxmin()
    assert table.loc[found.best, "above"] == 0.0
    assert found.simplest >= found.best
    np.testing.assert_allclose(table["start_gain"], start - table["validation"], atol=1e-15)
    # an enormous penalty leaves the start as it is
    assert table.loc[1e4, "validation"] == pytest.approx(start, rel=1e-3)


def test_folds_of_cross_validation_are_fits_without_them(problem: Problem) -> None:
    """One fold by hand, with a solver of scipy's."""
    from scipy.optimize import minimize

    _, game = np.unique(problem.data.groups.of_row[problem.data.train], return_inverse=True)
    count = int(game.max()) + 1
    fold = np.random.default_rng([problem.job.seed, 2]).permutation(count) % 2
    total = 0.0
    for number in range(2):
        rows = np.flatnonzero(fold[game] != number)
        train = for_games(problem, rows, float((fold != number).mean()), 1.0)
        options = {"gtol": 1e-12, "ftol": 1e-15, "maxiter": 5000}
        x = minimize(
            train.value_gradient, train.parameters.start, jac=True, method="L-BFGS-B", options=options
        ).x
        away = np.flatnonzero(fold[game] == number)
        share = problem.objective.row_weight[away].sum()
        total += share * problem.objective.restricted(away).data_loss(x)
    found = cross_validate(problem, (1.0,), folds=2).table.set_index("ridge")
    assert found.loc[1.0, "validation"] == pytest.approx(total, rel=1e-6)


def test_too_few_games_for_the_folds(problem: Problem) -> None:
    with pytest.raises(InputError, match="1000 folds needs as many games"):
        cross_validate(problem, folds=1000)


def test_a_learning_curve_ends_with_the_fit_itself(problem: Problem, optimum: Floats) -> None:
    heard: list[str] = []
    found = learning_curve(problem, (0.25, 0.5, 1.0), told=heard.append)
    assert found.table["games"].is_monotonic_increasing
    last = found.table.iloc[-1]
    assert problem.held_out is not None
    assert last["train"] == pytest.approx(problem.objective.data_loss(optimum), rel=1e-7)
    assert last["validation"] == pytest.approx(problem.held_out.data_loss(optimum), rel=1e-7)
    assert last["start_gain"] == pytest.approx(found.start - last["validation"])
    assert len(heard) == 3
    assert found.doubled == pytest.approx(found.limit + found.slope / (2 * last["games"]))
    assert found.worth_of_doubling == pytest.approx(last["validation"] - found.doubled)
    assert f"{abs(found.worth_of_doubling):.6f}" in found.words
    assert ("lower" in found.words) == (found.doubled < last["validation"])


def test_a_learning_curve_needs_held_out_games(problem: Problem) -> None:
    with pytest.raises(InputError, match="needs held-out games"):
        learning_curve(replace(problem, held_out=None))
    by_position = problem.job.model_copy(update={"split": "position"})
    with pytest.raises(InputError, match="split = game"):
        learning_curve(replace(problem, job=by_position))


def test_without_a_term_is_the_fit_with_it_frozen_at_zero(problem: Problem, optimum: Floats) -> None:
    found = without_terms(problem, optimum, ["material_queen"])
    assert found["term"].tolist() == ["material_queen"]
    start = problem.evaluation.start
    values = start.values.copy()
    values[start.layout["material_queen", ""]] = 0.0
    frozen = make_parameters(replace(start, values=values), freeze=["material_queen"])
    kept = frozen.gather(start.values)
    objective = replace(
        problem.objective, parameters=frozen, prior=kept, ridge=problem.objective.ridge[: frozen.size]
    )
    x = problem.job.optimizer().minimize(
        objective, kept, rng=np.random.default_rng(0), observe=lambda _step: None
    ).x  # fmt: skip
    change = objective.data_loss(x) - problem.objective.data_loss(optimum)
    assert found["train_change"][0] == pytest.approx(change, rel=1e-5)
    assert problem.held_out is not None
    without = problem.held_out.table_loss(frozen.table(x)) - problem.held_out.data_loss(optimum)
    assert found["validation_change"][0] == pytest.approx(without, rel=1e-4)


def test_a_fit_with_rules_is_not_ablated_but_told_what_to_do(problem: Problem, optimum: Floats) -> None:
    bound = Constraints.box(np.full(len(optimum), -np.inf), np.full(len(optimum), 1e4))
    held = replace(problem, objective=replace(problem.objective, constraints=bound))
    with pytest.raises(InputError, match="fit without these rules and ask there"):
        without_terms(held, optimum)


def test_ablation_counts_the_directions_that_the_tests_count(problem: Problem, optimum: Floats) -> None:
    found = without_terms(problem, optimum).set_index("term")["df"]
    groups = problem.data.groups
    of_fit = uncertainty(problem.objective, optimum, groups.of_row[problem.data.train], groups.kind)
    assert found.to_dict() == terms_table(of_fit).set_index("term")["zero_df"].to_dict()


def test_what_sources_do_is_titled_as_an_estimate() -> None:
    from tuner.cli.report import _answers

    study: Any = SimpleNamespace(sources=lambda: SimpleNamespace(table=None))
    ((_, title, _),) = _answers(study, [], False, False, True, None)
    assert "first-order estimate" in title


def simulated(rows: int = 6000, width: int = 4, zero: bool = True, seed: int = 7) -> Any:
    """A problem of independent rows in which the last term has no weight."""
    made = planted(rows=rows, width=width, seed=seed, block_rows=1024)
    truth = made.truth.copy()
    if zero:
        truth[-1] = 0.0
    rng = np.random.default_rng([seed, 1])
    result = (rng.random(rows) < expit(made.scale * made.features.scores(truth))).astype(float)
    start = weights(layout(**{f"term{number}": 1 for number in range(width)}), truth)
    objective = data_objective(
        made.features, result, scale=made.scale, parameters=make_parameters(start), ridge=1e-9
    )
    groups = SimpleNamespace(of_row=np.arange(rows), kind="position")
    data = SimpleNamespace(groups=groups, train=np.arange(rows))
    return SimpleNamespace(
        job=make_job(), objective=objective, held_out=None, data=data, parameters=objective.parameters
    )


def test_likelihood_ratios_agree_with_wald_and_with_chi_square() -> None:
    from scipy.stats import chi2

    made = simulated(zero=False)
    x = made.job.optimizer().minimize(
        made.objective, made.parameters.start, rng=np.random.default_rng(0), observe=lambda _step: None
    ).x  # fmt: skip
    found = without_terms(made, x).set_index("term")
    tests = terms_table(uncertainty(made.objective, x, np.arange(6000), "position")).set_index("term")
    for term in found.index:
        assert found.loc[term, "df"] == 2
        # rows are independent and the model is true: twice the log-likelihood ratio is χ²
        rise = 2 * 6000 * found.loc[term, "train_change"]
        assert found.loc[term, "lr"] == pytest.approx(rise, rel=0.1)
        assert found.loc[term, "lr"] == pytest.approx(tests.loc[term, "zero_chi2"], rel=0.35)
        assert found.loc[term, "lr_p"] == pytest.approx(chi2.sf(rise, 2), abs=0.01)


def test_likelihood_ratios_of_a_term_without_weight_are_those_of_chance() -> None:
    p = []
    for seed in range(12):
        made = simulated(rows=1500, width=2, seed=seed)
        p.append(without_terms(made, made.parameters.start, ["term1"])["lr_p"][0])
    assert min(p) > 1e-3
    assert 0.2 < np.mean(p) < 0.8


# --- sources ------------------------------------------------------------------------------------------


def test_every_position_has_its_file(problem: Problem) -> None:
    source, names = sources_of(problem.job, problem)
    assert names == ["games-0.parquet", "games-1.parquet"]
    first = len(random_games(80, seed=0))
    assert (source[:first] == 0).all()
    assert (source[first:] == 1).all()


def test_files_are_read_once_more_as_they_were(tmp_path: Path) -> None:
    """Scores in thousandths of a pawn, which are refused unless their unit is told; two files of one name."""
    for number in range(2):
        positions = random_games(20, seed=number)
        scores = np.asarray(load_evaluation("material").score(positions)) * 10.0 + 5.0
        (tmp_path / f"{number}").mkdir()
        write_positions(positions.replace(score=scores), tmp_path / f"{number}" / "games.csv")
    data = [str(tmp_path / f"{number}" / "games.csv") for number in range(2)]
    unit = {"score_unit": 0.1}
    problem = prepare(make_job(data=data, evaluation="material", result_share=0.5, **unit))
    source, names = sources_of(problem.job, problem)
    assert names == data
    assert (source == 0).sum() == len(random_games(20, seed=0))
    with pytest.raises(InputError):
        prepare(make_job(data=data, evaluation="material", result_share=0.5))


def test_the_influence_of_a_source_is_the_fit_without_it(problem: Problem, optimum: Floats) -> None:
    groups = problem.data.groups.of_row[problem.data.train]
    found = uncertainty(problem.objective, optimum, groups, "game")
    rng = np.random.default_rng(0)
    # a small source: one step is then nearly the whole way
    source = (rng.random(problem.data.groups.count) < 0.06).astype(int)[problem.data.groups.of_row]
    influence = source_influence(problem, found, source, ["most", "few"])
    left = problem.objective.restricted(np.flatnonzero(source[problem.data.train] == 0))
    refitted = problem.job.optimizer().minimize(
        left, optimum, rng=rng, observe=lambda _step: None
    ).x  # fmt: skip
    np.testing.assert_allclose(
        influence.shifts[1], refitted - optimum, atol=0.1 * np.abs(refitted - optimum).max()
    )
    row = influence.table.iloc[1]
    assert row["rows"] == (source == 1).sum()
    assert row["largest"] in problem.parameters.names()


def test_a_single_source_has_no_influence_to_tell(problem: Problem, optimum: Floats) -> None:
    groups = problem.data.groups.of_row[problem.data.train]
    found = uncertainty(problem.objective, optimum, groups, "game")
    everything = np.zeros(len(problem.data.positions), int)
    with pytest.raises(InputError, match="nothing is left without it"):
        source_influence(problem, found, everything, ["all"])


# --- piece values -------------------------------------------------------------------------------------


def test_pieces_of_a_material_evaluation_are_its_weights(problem: Problem, optimum: Floats) -> None:
    groups = problem.data.groups.of_row[problem.data.train]
    found = uncertainty(problem.objective, optimum, groups, "game")
    table = pieces_table(found, problem.occurrences).set_index(["what", "phase"])
    values = problem.parameters.table(optimum)
    errors = found.as_table(found.errors)
    for row, piece in enumerate(("pawn", "knight", "bishop", "rook", "queen")):
        for column, phase in enumerate(("mg", "eg")):
            assert table.loc[(piece, phase), "value"] == pytest.approx(values[row, column])
            assert table.loc[(piece, phase), "se"] == pytest.approx(errors[row, column])
    pair = table.loc[("bishop − knight", "eg"), "value"]
    assert pair == pytest.approx(values[2, 1] - values[1, 1])


def test_when_a_fit_cannot_be_diagnosed(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    assert obstacle(problem) == ""
    groups = replace(problem.data.groups, of_row=np.zeros_like(problem.data.groups.of_row))
    one_game = replace(problem, data=replace(problem.data, groups=groups))
    assert "one game says nothing about chance" in obstacle(one_game)
    monkeypatch.setattr("tuner.inference.diagnosis.MOST_WEIGHTS", 9)
    fit = run(problem.job)
    assert fit.diagnosis is None
    assert any("more than 9 free weights" in note for note in fit.notes)
    assert "mg_se" not in fit.weights


def test_losses_by_game_add_up_to_the_loss(problem: Problem, optimum: Floats) -> None:
    game = problem.data.groups.of_row[problem.data.train]
    found = game_losses(problem.objective, problem.parameters.table(optimum), game, problem.data.groups.count)
    assert found.mean == pytest.approx(problem.objective.data_loss(optimum))
    assert found.weight.sum() == pytest.approx(1.0)
