"""Standard errors, null directions and tests of terms against dense arithmetic and published numbers."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from medvedev import medvedev_rows
from numpy.typing import NDArray
from problems import data_objective, feature_matrix, layout, numeric_gradient, planted, weights
from scipy import stats
from scipy.special import expit

from evalcore.errors import InputError, UnknownName
from evalcore.evaluation import Evaluation, load_evaluation, make_evaluation
from evalcore.formats import read_positions
from evalcore.forms import form
from evalcore.terms import TERMS
from tuner.constraints import Chain, Constraints
from tuner.inference.contrasts import contrast, contrasts_table, ratio
from tuner.inference.errors import Uncertainty, inverted, quantile, uncertainty
from tuner.inference.grouped import arranged, group_gram
from tuner.inference.identifiability import identifiability, null_space, unit_diagonal
from tuner.inference.terms import terms_table, wald
from tuner.objectives import PENALTY_UNIT, DataObjective
from tuner.optimizers import Preconditioned, silent
from tuner.parameters import make_parameters
from tuner.sample import sample_path

Floats = NDArray[np.float64]


def optimum(objective: DataObjective) -> Floats:
    rng = np.random.default_rng(0)
    solver = Preconditioned(tolerance=1e-11)
    return solver.minimize(objective, objective.parameters.start, rng=rng, observe=silent).x


def games_of(rows: int, seed: int = 5, games: int = 40) -> NDArray[np.int64]:
    """Groups of uneven size, in order."""
    return np.sort(np.random.default_rng(seed).integers(0, games, rows))


# --- sums over games ----------------------------------------------------------------------------------


def dense_group_gram(design: Floats, slopes: Floats, groups: Any) -> Floats:
    sums = np.array(
        [(slopes[groups == g, None] * design[groups == g]).sum(axis=0) for g in np.unique(groups)]
    )
    return sums.T @ sums


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("order", ["in order", "shuffled", "single rows", "one group"])
def test_group_gram_is_that_of_dense_sums(order: str, threads: int) -> None:
    problem = planted(rows=500, block_rows=64)
    features = replace(problem.features, threads=threads)
    slopes = np.random.default_rng(1).normal(size=500)
    groups = {
        "in order": games_of(500),
        "shuffled": np.random.default_rng(2).permutation(games_of(500)),
        "single rows": np.random.default_rng(3).permutation(500),
        "one group": np.zeros(500, np.int64),
    }[order]
    expected = dense_group_gram(features.to_scipy().toarray(), slopes, groups)
    np.testing.assert_allclose(group_gram(features, slopes, groups), expected, atol=1e-9)


def test_group_gram_has_the_same_bits_for_any_number_of_threads() -> None:
    problem = planted(rows=700, block_rows=64)
    slopes, groups = np.random.default_rng(1).normal(size=700), games_of(700)
    one, three = (group_gram(replace(problem.features, threads=n), slopes, groups) for n in (1, 3))
    assert (one == three).all()


def test_rows_in_any_order() -> None:
    features = planted(rows=300, block_rows=50).features
    features = replace(features, factors=np.random.default_rng(0).random((300, 2)).astype(np.float32))
    order = np.random.default_rng(4).permutation(300)
    moved = arranged(features, order)
    np.testing.assert_array_equal(moved.dense(), features.dense()[order])
    np.testing.assert_array_equal(moved.phase, features.phase[order])
    np.testing.assert_array_equal(moved.factors, features.factors[order])  # type: ignore[index]


# --- covariances --------------------------------------------------------------------------------------


def dense_sandwich(objective: DataObjective, x: Floats, groups: Any) -> tuple[Floats, Floats]:
    """(clustered, naive) by the textbook, on the dense design; all weights free."""
    design = objective.features.to_scipy().toarray()
    scores = objective.features.scores(objective.parameters.table(x))
    if objective.features.factors is not None:
        ahead = objective.features.factors.astype(float)
        design = design * np.where(scores >= 0, ahead[:, 0], ahead[:, 1])[:, None]
    z, n = objective.scale * scores, len(scores)
    slope = objective.row_weight * objective.scale * objective.loss.gradient(z, objective.target)
    bend = objective.row_weight * objective.scale**2 * objective.loss.curvature(z, objective.target)
    penalty = np.diag(2.0 * objective.ridge / PENALTY_UNIT**2)
    hessian = design.T @ (bend[:, None] * design) + penalty
    bread = np.linalg.inv(hessian)
    effective = np.trace(bread @ (hessian - penalty))
    count = len(np.unique(groups))
    clustered = bread @ dense_group_gram(design, slope, groups) @ bread
    naive = bread @ ((slope[:, None] * design).T @ (slope[:, None] * design)) @ bread
    return (
        clustered * count / (count - 1) * (n - 1) / (n - effective),
        naive * n / (n - effective),
    )


@pytest.mark.parametrize("loss", ["squared", "cross-entropy"])
@pytest.mark.parametrize("ridge", [0.0, 3.0])
@pytest.mark.parametrize("scaled", [False, True])
def test_covariances_are_the_dense_sandwich(loss: str, ridge: float, scaled: bool) -> None:
    problem = planted(rows=600, block_rows=64)
    rng = np.random.default_rng(8)
    factors = rng.uniform(0.3, 1.0, (600, 2)).astype(np.float32) if scaled else None
    objective = data_objective(
        replace(problem.features, factors=factors), problem.result, loss=loss, scale=problem.scale,
        ridge=ridge, row_weight=rng.uniform(0.5, 2.0, 600),
    )  # fmt: skip
    groups = games_of(600)
    x = problem.truth.ravel() * 0.9
    found = uncertainty(objective, x, groups, "game")
    clustered, naive = dense_sandwich(objective, x, groups)
    np.testing.assert_allclose(found.clustered, clustered, rtol=1e-7, atol=1e-9 * np.abs(clustered).max())
    np.testing.assert_allclose(found.naive, naive, rtol=1e-7, atol=1e-9 * np.abs(naive).max())
    np.testing.assert_allclose(found.errors, np.sqrt(np.diag(clustered)), rtol=1e-7)
    assert found.groups == len(np.unique(groups))


def test_a_side_whose_lead_counts_nothing_has_no_slope() -> None:
    """Factors of 0, and of the other side 1: what each game pulls against numerical derivatives."""
    problem = planted(rows=300, width=3, block_rows=64)
    factors = np.random.default_rng(8).integers(0, 2, (300, 2))
    objective = data_objective(
        replace(problem.features, factors=factors.astype(np.float32)), problem.result, scale=problem.scale
    )
    x, groups = problem.truth.ravel() * 0.9, games_of(300)
    pulls = []
    for game in np.unique(groups):
        part = objective.restricted(np.flatnonzero(groups == game))
        pulls.append(numeric_gradient(part.data_loss, x) * len(part) / 300)
    found = uncertainty(objective, x, groups, "game")
    count = len(pulls)
    adjusted = count / (count - 1) * (300 - 1) / (300 - found.effective_parameters)
    middle = found.curvature @ found.clustered @ found.curvature / adjusted
    expected = np.transpose(pulls) @ pulls
    np.testing.assert_allclose(middle, expected, rtol=1e-5, atol=1e-7 * expected.max())


def test_naive_errors_are_clustered_ones_with_every_row_its_own_game() -> None:
    problem = planted(rows=400, block_rows=64)
    objective = data_objective(problem.features, problem.result, scale=problem.scale)
    found = uncertainty(objective, problem.truth.ravel(), np.arange(400), "position")
    # G/(G−1)·(N−1)/(N−P) with G = N is N/(N−P)
    np.testing.assert_allclose(found.clustered, found.naive, rtol=1e-10)


def test_a_covariance_of_tied_and_frozen_weights() -> None:
    problem = planted(rows=500, width=3, block_rows=64)
    start = weights(layout(one=1, both=(1, "none"), other=1), problem.truth[:3])
    parameters = make_parameters(start, freeze=["other.eg"])
    objective = data_objective(problem.features, problem.result, scale=problem.scale, parameters=parameters)
    groups = games_of(500)
    found = uncertainty(objective, parameters.start, groups, "game")
    whole = data_objective(problem.features, problem.result, scale=problem.scale, start=start.values)
    whole_found = uncertainty(whole, parameters.table(parameters.start).ravel(), groups, "game")
    # one column for each free number: the tied two added up, the frozen one left out
    into = np.zeros((6, 4))
    into[[0, 1, 2, 3, 4], [0, 1, 2, 2, 3]] = 1.0
    bread = np.linalg.inv(into.T @ whole_found.curvature @ into)
    middle = whole_found.curvature @ whole_found.clustered @ whole_found.curvature
    freedom = (500 - 6) / (500 - 4)
    np.testing.assert_allclose(found.clustered, bread @ (into.T @ middle @ into) @ bread * freedom, rtol=1e-7)
    table = found.as_table(found.errors)
    assert table[1, 0] == table[1, 1]
    assert np.isnan(table[2, 1])


def test_held_numbers_have_no_error_and_neighbours_move_together() -> None:
    problem = planted(rows=500, width=3, block_rows=64)
    objective = data_objective(problem.features, problem.result, scale=problem.scale)
    x = problem.truth.ravel().copy()
    x[4] = x[2]
    lower = np.full(6, -np.inf)
    lower[0] = x[0]
    constraints = replace(Constraints.box(lower, np.full(6, np.inf)), chains=(Chain(np.array([2, 4]), True),))
    found = uncertainty(replace(objective, constraints=constraints), x, games_of(500), "game")
    assert np.isnan(found.errors[0])
    assert found.errors[2] == pytest.approx(found.errors[4])
    names = found.parameters.names()
    bound = contrast(found, names[0])
    assert np.isnan(bound.error) and "held there" in str(bound)
    assert contrast(found, f"{names[0]} + {names[3]}").error == pytest.approx(found.errors[3])
    assert contrast_of(found, 2, 4) == pytest.approx(0.0, abs=1e-9)
    free = uncertainty(objective, x, games_of(500), "game")
    assert found.errors[2] < free.errors[2]


def contrast_of(found: Uncertainty, one: int, other: int) -> float:
    difference = np.zeros(len(found.x))
    difference[one], difference[other] = 1.0, -1.0
    return float(difference @ found.clustered @ difference)


def test_from_data_is_one_without_a_prior_and_falls_with_it() -> None:
    problem = planted(rows=400, block_rows=64)
    shares = []
    for ridge in (0.0, 0.1, 10.0, 1e6):
        objective = data_objective(problem.features, problem.result, scale=problem.scale, ridge=ridge)
        found = uncertainty(objective, problem.truth.ravel(), games_of(400), "game")
        shares.append(found.effective_parameters)
    assert shares[0] == pytest.approx(16.0)
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < 0.1


def test_data_alone_is_the_optimum_without_a_prior() -> None:
    problem = planted(rows=3000, width=4, block_rows=256)
    plain = data_objective(problem.features, problem.result, scale=problem.scale)
    held = replace(plain, ridge=np.full(8, 1e-4))
    without = uncertainty(plain, optimum(plain), games_of(3000), "game")
    alone, covariance = uncertainty(held, optimum(held), games_of(3000), "game").data_alone()
    assert np.abs(alone - without.x).max() < 0.05 * without.errors.min()
    np.testing.assert_allclose(np.sqrt(np.diag(covariance)), without.errors, rtol=0.03)


def test_intervals() -> None:
    assert quantile(0.95) == pytest.approx(stats.norm.ppf(0.975))
    problem = planted(rows=400, block_rows=64)
    objective = data_objective(problem.features, problem.result, scale=problem.scale)
    found = uncertainty(objective, problem.truth.ravel(), games_of(400), "game")
    low, high = found.interval(0.9).T
    np.testing.assert_allclose((low + high) / 2, found.x)
    np.testing.assert_allclose(stats.norm.cdf((high - found.x) / found.errors), 0.95)


def test_an_inverse_that_hardly_moves_along_a_null_space() -> None:
    half = np.random.default_rng(0).normal(size=(5, 3))
    matrix = half @ half.T
    inverse = inverted(matrix)
    np.testing.assert_allclose(matrix @ inverse @ matrix, matrix, atol=1e-4)


def test_errors_without_a_prior_are_those_of_the_weakest_one() -> None:
    """Two columns that are the same: their sum has an error, each alone the smallest one possible."""
    problem = planted(rows=800, width=2, block_rows=128)
    counts = problem.features.dense()
    features = feature_matrix(np.column_stack([counts, counts[:, 0]]), problem.features.phase, block_rows=128)
    plain = data_objective(features, problem.result, scale=problem.scale)
    x, groups = np.zeros(6), games_of(800)
    without = uncertainty(plain, x, groups, "game")
    weakest = uncertainty(replace(plain, ridge=np.full(6, 1e-4)), x, groups, "game")
    np.testing.assert_allclose(without.errors, weakest.errors, rtol=0.02)
    single = data_objective(problem.features, problem.result, scale=problem.scale)
    alone = uncertainty(single, x[:4], groups, "game")
    together = np.array([1.0, 0.0, 0.0, 0.0, 1.0, 0.0])
    assert np.sqrt(together @ without.clustered @ together) == pytest.approx(alone.errors[0], rel=1e-3)


# --- published and simulated truth --------------------------------------------------------------------


def medvedev_objective(path: Path) -> tuple[DataObjective, NDArray[np.int64]]:
    """His fit: decisive rows, cross-entropy plus 1e-6·Σθ² of weights in log-odds, untapered."""
    rows = medvedev_rows(path)
    rows = rows[rows[:, 5] != 0.5]
    names = dict.fromkeys(("pawn", "knight", "bishop", "rook", "queen"), (1, "none"))
    parameters = make_parameters(weights(layout(**names)))
    scale = 0.0075
    features = feature_matrix(rows[:, :5], np.zeros(len(rows)), block_rows=1024)
    ridge = 1e-6 * scale**2 * PENALTY_UNIT**2
    objective = data_objective(features, rows[:, 5], scale=scale, parameters=parameters, ridge=ridge)
    return objective, np.unique(rows[:, 6], return_inverse=True)[1]


def test_errors_of_medvedevs_piece_values(reference_data: Path) -> None:
    objective, games = medvedev_objective(reference_data / "pgnlearn" / "OpenRating.pgn")
    found = uncertainty(objective, optimum(objective), games, "game")
    assert len(objective) == 17_957
    published = {"knight": (289, 14), "bishop": (346, 15), "rook": (480, 21), "queen": (1078, 50)}
    for piece, (value, error) in published.items():
        measured = ratio(found, piece, "pawn")
        assert (round(measured.value), round(measured.error)) == (value, error)
    contrasts = {
        "bishop - knight": (56.4, 7.2),
        "bishop + knight - rook - 1.5 pawn": (4.3, 15.9),
        "knight - 3 pawn": (-10.9, 14.0),
        "queen + pawn - 2 rook": (217.0, 28.9),
    }
    for text, (value, error) in contrasts.items():
        measured = ratio(found, text, "pawn")
        assert (measured.value, measured.error) == (
            pytest.approx(value, abs=0.06),
            pytest.approx(error, abs=0.06),
        )
    # with independent rows and the model true, the inverse of the information is the covariance
    by_model = replace(found, clustered=np.linalg.inv(found.information) / len(objective))
    naive = [ratio(by_model, piece, "pawn").error for piece in published]
    assert naive == pytest.approx([8.6, 9.4, 13.3, 32.0], abs=0.1)


def test_errors_of_anderssens_games_grow_by_the_published_ratio(reference_data: Path) -> None:
    objective, games = medvedev_objective(reference_data / "pgnlearn" / "Anderssen.pgn")
    found = uncertainty(objective, optimum(objective), games, "game")
    by_model = np.sqrt(np.diag(np.linalg.inv(found.information)) / len(objective))
    growth = found.errors / by_model
    assert (growth.min(), growth.max()) == (pytest.approx(1.41, abs=0.02), pytest.approx(1.81, abs=0.02))


class Coverage:
    """How often intervals and tests are right, when every game repeats its luck from row to row."""

    GAMES, ROWS, WIDTH, TIMES = 300, 12, 3, 250

    def __init__(self) -> None:
        rng = np.random.default_rng(2024)
        games = np.repeat(np.arange(self.GAMES), self.ROWS)
        lasting = rng.integers(-2, 3, (self.GAMES, self.WIDTH))[games]
        dense = lasting + rng.integers(-1, 2, (len(games), self.WIDTH))
        features = feature_matrix(dense, rng.integers(0, 25, len(games)), block_rows=4096)
        truth = rng.normal(0.0, 60.0, (self.WIDTH, 2))
        p = expit(0.006 * features.scores(truth))
        right = {"clustered": 0, "naive": 0}
        rejected = 0
        for _ in range(self.TIMES):
            shared = rng.random(self.GAMES)[games]
            luck = np.where(rng.random(len(games)) < 0.6, shared, rng.random(len(games)))
            objective = data_objective(features, (luck < p).astype(float), start=truth)
            x = optimum(objective)
            found = uncertainty(objective, x, games, "game")
            miss = np.abs(x - truth.ravel())
            right["clustered"] += int((miss <= quantile(0.95) * found.errors).sum())
            right["naive"] += int((miss <= quantile(0.95) * found.naive_errors).sum())
            rejected += int(terms_table(found)["moved_p"].iloc[0] < 0.05)
        asked = self.TIMES * 2 * self.WIDTH
        self.clustered, self.naive = right["clustered"] / asked, right["naive"] / asked
        self.rejected = rejected / self.TIMES


@cache
def coverage() -> Coverage:
    return Coverage()


def test_clustered_intervals_cover_planted_weights() -> None:
    assert 0.93 <= coverage().clustered <= 0.97


def test_naive_intervals_do_not() -> None:
    assert coverage().naive < 0.90


def test_the_wald_test_rejects_a_true_hypothesis_as_often_as_it_says() -> None:
    # five of a hundred, give or take three standard errors of 250 tries
    assert 0.01 <= coverage().rejected <= 0.095


# --- what data cannot tell apart ----------------------------------------------------------------------


@cache
def material_and_tables() -> Evaluation:
    """Material and piece-square tables of 64 squares each, the pawns' too."""
    pieces = ("pawn", "knight", "bishop", "rook", "queen", "king")
    material = [TERMS[f"material_{piece}"] for piece in pieces[:-1]]
    tables = [form(TERMS[f"psqt_{piece}"], by="square") for piece in pieces]
    return make_evaluation("tables", [(term, "tapered", 0, 0) for term in (*material, *tables)])


@cache
def sample_uncertainty() -> Uncertainty:
    positions = read_positions(sample_path())
    features = material_and_tables().extract(positions)
    start = load_evaluation("default").start
    material = start.values[
        [start.layout[f"material_{piece}", ""] for piece in ("pawn", "knight", "bishop", "rook", "queen")]
    ]
    table = np.zeros((len(material_and_tables().layout), 2))
    table[:5] = material
    parameters = make_parameters(replace(material_and_tables().start, values=table))
    objective = data_objective(features, np.nan_to_num(positions.result, nan=0.5), parameters=parameters)
    return uncertainty(objective, parameters.start, positions.game.astype(np.int64), "game")


def test_material_and_tables_are_redundant_by_44_directions() -> None:
    found = identifiability(sample_uncertainty())
    assert (found.size, found.rank, found.nullity) == (778, 734, 44)
    told = [direction.text for direction in found.null_directions]
    for piece in ("pawn", "knight", "bishop", "rook", "queen"):
        assert f"+1 material_{piece}.mg, −1 every psqt_{piece}.mg" in told or any(
            f"material_{piece}.mg" in text and f"psqt_{piece}" in text for text in told
        )
    assert {"+1 every psqt_king.mg", "+1 every psqt_king.eg"} <= set(told)
    assert sum(text.startswith("+1 psqt_pawn[") for text in told) == 32


def test_null_directions_change_no_score() -> None:
    found = sample_uncertainty()
    features = material_and_tables().extract(read_positions(sample_path()).select(slice(0, 20_000)))
    names = found.parameters.names()
    for direction in identifiability(found).null_directions:
        change = np.zeros(len(names))
        for name, amount in direction.amounts.items():
            change[names.index(name)] = amount
        assert np.abs(features.scores(found.parameters.direction(change))).max() < 1e-9


def test_a_null_space_is_that_of_scipy() -> None:
    rng = np.random.default_rng(0)
    half = rng.normal(size=(30, 4)) @ rng.normal(size=(4, 9))
    scaled, _ = unit_diagonal(half.T @ half)
    null = null_space(scaled)
    assert null.shape == (5, 9)
    np.testing.assert_allclose(scaled @ null.T, 0.0, atol=1e-10)
    assert np.linalg.matrix_rank(null) == 5


def typed_uncertainty(dense: Any, **terms: Any) -> Uncertainty:
    """An uncertainty of typed counts, all positions in the midgame half."""
    dense = np.asarray(dense)
    rng = np.random.default_rng(0)
    features = feature_matrix(dense, rng.integers(4, 21, len(dense)), block_rows=256)
    parameters = make_parameters(weights(layout(**terms)))
    objective = data_objective(features, rng.integers(0, 2, len(dense)), parameters=parameters)
    return uncertainty(objective, parameters.start, np.arange(len(dense)), "position")


def test_duplicates_inflation_and_collinear_columns() -> None:
    rng = np.random.default_rng(1)
    one, other, far = rng.integers(-3, 4, (3, 900))
    nearly = one + (rng.random(900) < 0.02)
    dense = np.column_stack([one, one, nearly, far])
    names = dict.fromkeys(("first", "copy", "nearly", "far"), (1, "none"))
    found = identifiability(typed_uncertainty(dense, **names))
    assert [pair[:2] for pair in found.duplicates] == [("first", "copy")]
    assert {pair[:2] for pair in found.collinear} == {("first", "nearly"), ("copy", "nearly")}
    assert found.nullity == 1
    assert found.null_directions[0].text in ("+1 first, −1 copy", "+1 copy, −1 first")
    assert np.isinf(found.inflation[:2]).all()
    # of regressions on the others, through the origin and without the copy
    three = np.column_stack([one, nearly, far]).astype(float)
    for index, column in ((2, 1), (3, 2)):
        rest = np.delete(three, column, axis=1)
        left = three[:, column] - rest @ np.linalg.lstsq(rest, three[:, column], rcond=None)[0]
        expected = float(three[:, column] @ three[:, column] / (left @ left))
        assert found.inflation[index] == pytest.approx(expected, rel=1e-6)
    assert other.any()


def test_unseen_weights_are_listed() -> None:
    start = weights(layout(seen=1, table=3))
    parameters = make_parameters(start, occurrences=np.array([5, 3, 0, 2]))
    dense = np.random.default_rng(0).integers(-2, 3, (200, 4))
    features = feature_matrix(dense, np.arange(200) % 25)
    objective = data_objective(features, np.arange(200) % 2, parameters=parameters)
    found = identifiability(uncertainty(objective, parameters.start, np.arange(200), "position"))
    assert found.unseen == ("table[1]",)


# --- contrasts and terms ------------------------------------------------------------------------------


@cache
def simple() -> Uncertainty:
    problem = planted(rows=2000, width=4, block_rows=256)
    start = weights(layout(pawn=1, knight=1, table=(2, "none")), 10.0)
    parameters = make_parameters(start, freeze=["knight.eg"])
    objective = data_objective(problem.features, problem.result, scale=problem.scale, parameters=parameters)
    return uncertainty(objective, optimum(objective), games_of(2000, games=200), "game")


def test_a_contrast_is_its_weights_and_their_covariance() -> None:
    found = simple()
    names = found.parameters.names()
    coefficients = np.zeros(len(names))
    coefficients[names.index("knight.mg")] = 2.0
    coefficients[names.index("pawn.eg")] = -1.5
    coefficients[names.index("table[1]")] = -1.0
    asked = contrast(found, "2*knight.mg - 1.5 pawn.eg - table[1]")
    assert asked.value == pytest.approx(coefficients @ found.x)
    assert asked.error == pytest.approx(np.sqrt(coefficients @ found.clustered @ coefficients))
    assert asked.naive_error == pytest.approx(np.sqrt(coefficients @ found.naive @ coefficients))
    assert asked.high - asked.value == pytest.approx(1.959963985 * asked.error)
    assert asked.z == pytest.approx(asked.value / asked.error)


def test_fixed_weights_count_with_their_value_and_no_error() -> None:
    alone, both = contrast(simple(), "knight.mg"), contrast(simple(), "knight.mg + knight.eg")
    assert both.value - alone.value == pytest.approx(10.0)
    assert both.error == alone.error


def test_a_ratio_has_the_error_of_the_delta_method() -> None:
    found = simple()
    step = 1e-4
    gradient = np.zeros(len(found.x))
    for index in range(len(found.x)):
        ends = [found.x.copy(), found.x.copy()]
        ends[0][index] += step
        ends[1][index] -= step
        up, down = (ratio(replace(found, x=end), "knight.mg", "pawn.mg").value for end in ends)
        gradient[index] = (up - down) / (2 * step)
    expected = float(np.sqrt(gradient @ found.clustered @ gradient))
    assert ratio(found, "knight.mg", "pawn.mg").error == pytest.approx(expected, rel=1e-6)


def test_a_table_of_contrasts() -> None:
    table = contrasts_table(simple(), ["pawn.mg", "pawn.mg − pawn.eg"])
    assert list(table.columns) == ["contrast", "value", "se", "naive_se", "low", "high", "z"]
    assert table["value"][1] == pytest.approx(contrast(simple(), "pawn.mg - pawn.eg").value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("pawn.mg knight.mg", "cannot be read from ' knight.mg' on"),
        ("pawn.mg - ", "cannot be read from"),
        ("pawn", "pawn has two phases; write pawn.mg or pawn.eg"),
        ("table", r"table has several weights; name one, as in table\[label\]"),
    ],
)
def test_contrasts_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        contrast(simple(), text)


def test_a_contrast_of_an_unknown_weight() -> None:
    with pytest.raises(UnknownName, match="did you mean knight"):
        contrast(simple(), "knigt.mg")


def test_wald_is_a_quadratic_form() -> None:
    rng = np.random.default_rng(0)
    half = rng.normal(size=(3, 3))
    value, covariance = rng.normal(size=3), half @ half.T
    statistic, freedom, p = wald(value, covariance)
    assert statistic == pytest.approx(value @ np.linalg.solve(covariance, value))
    assert (freedom, p) == (3, pytest.approx(stats.chi2.sf(statistic, 3)))


def test_a_term_that_others_can_replace_cannot_be_tested() -> None:
    rng = np.random.default_rng(1)
    table = rng.integers(-2, 3, (800, 3))
    other = rng.integers(-2, 3, 800)
    dense = np.column_stack([table.sum(axis=1), table, other])
    tests = terms_table(typed_uncertainty(dense, whole=1, table=3, other=1)).set_index("term")
    assert tests.loc["whole", "zero_df"] == 0
    assert np.isnan(tests.loc["whole", "zero_p"])
    assert tests.loc["table", "zero_df"] == 4
    assert tests.loc["other", "zero_df"] == 2


def test_a_prior_is_no_evidence() -> None:
    """Weights that only the prior holds away from zero do not count against zero."""
    rng = np.random.default_rng(0)
    dense = rng.integers(-1, 2, (2000, 2))
    features = feature_matrix(dense, rng.integers(0, 25, 2000), block_rows=256)
    result = (rng.random(2000) < 0.5).astype(float)
    start = weights(layout(one=1, other=1), 50.0)
    strong = data_objective(features, result, parameters=make_parameters(start), ridge=1e3)
    found = uncertainty(strong, optimum(strong), np.arange(2000) // 4, "game")
    assert np.abs(found.x - 50.0).max() < 1.0
    tests = terms_table(found)
    assert (tests["zero_p"] > 0.01).all()
    assert (tests["moved_p"] < 0.01).all()


# --- tests of terms on few positions, and where something is held -------------------------------------


def small_set(seed: int, rows: int, games: int, ridge: float = 1.0) -> tuple[DataObjective, Any]:
    """Three terms of which `whole` is the sum of `table`, and a column of `rare` that hardly occurs."""
    rng = np.random.default_rng(seed)
    table = rng.integers(-2, 3, (rows, 3))
    rare = np.column_stack([rng.random(rows) < 2.5 / rows, rng.integers(-1, 2, rows)])
    dense = np.column_stack([table.sum(axis=1), table, rare]).astype(np.int64)
    features = feature_matrix(dense, rng.integers(0, 25, rows), block_rows=64)
    truth = rng.normal(0.0, 40.0, (6, 2))
    result = (rng.random(rows) < expit(0.006 * features.scores(truth))).astype(float)
    start = weights(layout(whole=1, table=3, rare=2), 10.0)
    objective = data_objective(
        features, result, parameters=make_parameters(start), ridge=ridge / games, scale=0.006
    )
    return objective, games_of(rows, seed=seed, games=games)


def brute_force(objective: DataObjective, x: Floats, groups: Any, members: Any) -> tuple[Floats, int]:
    """(Wald statistics of zero and of the start, df) on dense matrices, by pseudo-inverses of numpy's."""
    design = objective.features.to_scipy().toarray()
    z = objective.scale * objective.features.scores(objective.parameters.table(x))
    slope = objective.row_weight * objective.scale * objective.loss.gradient(z, objective.target)
    bend = objective.row_weight * objective.scale**2 * objective.loss.curvature(z, objective.target)
    information = design.T @ (bend[:, None] * design)
    inverse = np.linalg.pinv(information, rcond=1e-11, hermitian=True)
    own = np.linalg.pinv(information) @ information  # what of each weight the data determine
    hidden = (np.eye(len(x)) - own)[:, members]
    left = np.linalg.svd(hidden.T)[0][:, np.linalg.matrix_rank(hidden, tol=1e-6) :].T
    sums = np.array([slope[groups == game] @ design[groups == game] for game in np.unique(groups)])
    scatter = sums.T @ sums
    n, count = len(z), len(sums)
    penalty = np.diag(2.0 * objective.ridge / PENALTY_UNIT**2)
    effective = np.trace(np.linalg.inv(information + penalty) @ information)
    scatter *= count / (count - 1) * (n - 1) / (n - effective)
    covariance = left @ (inverse @ scatter @ inverse)[np.ix_(members, members)] @ left.T
    step = (inverse @ (slope @ design))[members]
    distances = (x[members] - step, x[members] - step - objective.parameters.start[members])
    values = [left @ each for each in distances]
    statistics = np.array([each @ np.linalg.pinv(covariance, hermitian=True) @ each for each in values])
    return statistics, len(left)


@pytest.mark.parametrize(("seed", "rows", "games"), [(1, 90, 40), (2, 150, 60), (3, 300, 30)])
def test_tests_of_terms_are_those_of_pseudo_inverses(seed: int, rows: int, games: int) -> None:
    objective, groups = small_set(seed, rows, games)
    x = optimum(objective)
    found = uncertainty(objective, x, groups, "game")
    tests = terms_table(found).set_index("term")
    count = len(np.unique(groups))
    for term, members in found.parameters.of_terms().items():
        expected, freedom = brute_force(objective, x, groups, members)
        row = tests.loc[term]
        assert row["zero_df"] == row["moved_df"] == freedom
        np.testing.assert_allclose([row["zero_chi2"], row["moved_chi2"]], expected, rtol=1e-5)
        if freedom:
            ratio = expected[0] * (count - freedom) / (freedom * (count - 1))
            p = stats.f.sf(ratio, freedom, count - freedom)
            assert row["zero_p"] == pytest.approx(p, rel=1e-4, abs=1e-300)
    assert tests.loc["whole", "zero_df"] == 0
    assert tests.loc["table", "zero_df"] == 4


def test_no_statistic_grows_beyond_what_games_can_say() -> None:
    """More weights than rows: a direction that nothing but rounding tells apart must not be tested."""
    rng = np.random.default_rng(4)
    rows = 120
    dense = (rng.random((rows, 100)) < 0.05).astype(np.int64) - (rng.random((rows, 100)) < 0.05)
    features = feature_matrix(dense, rng.integers(0, 25, rows), block_rows=64)
    start = weights(layout(one=1, five=5, table=94))
    objective = data_objective(
        features, rng.integers(0, 2, rows).astype(float), parameters=make_parameters(start), ridge=1e-3
    )
    found = uncertainty(objective, optimum(objective), np.arange(rows), "game")
    tests = terms_table(found).set_index("term")
    # from a start at zero a direction cannot tell more than: every single game says the same
    assert (tests["moved_chi2"].dropna() <= rows).all()
    assert (tests["moved_chi2"].dropna() >= 0.0).all()
    table = tests.loc["table"]
    assert table["zero_df"] > rows / 2  # as many directions as games, nearly: no statistic at all
    assert np.isnan(table["zero_chi2"])
    assert np.isnan(table["zero_p"])


@pytest.mark.parametrize("rule", ["bound", "lasso"])
def test_what_is_held_does_not_spoil_the_tests(rule: str) -> None:
    """The tests ask the data alone: they are those of the fit in which nothing is held."""
    problem = planted(rows=3000, width=3, block_rows=256)
    start = weights(layout(one=1, two=1, three=1), problem.truth + 8.0)
    plain = data_objective(
        problem.features, problem.result, scale=problem.scale, parameters=make_parameters(start)
    )
    groups = games_of(3000, games=600)
    free = optimum(plain)
    errors = uncertainty(plain, free, groups, "game").errors
    kinks = Constraints.none(6)
    if rule == "bound":
        kinks.upper[0] = free[0] - 2.0 * errors[0]
    else:
        kinks.lasso[:2], kinks.centre[:] = 1e-3, plain.parameters.start
    bound = replace(plain, constraints=kinks)
    x = optimum(bound)
    found = uncertainty(bound, x, groups, "game")
    assert found.held.any()
    expected = terms_table(uncertainty(plain, free, groups, "game")).set_index("term")
    tests = terms_table(found).set_index("term")
    for column in ("zero_chi2", "moved_chi2"):
        np.testing.assert_allclose(tests[column], expected[column], rtol=0.2, atol=0.5)
