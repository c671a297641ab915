"""The objective over positions: value, gradient and curvature against dense arithmetic and differences."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from problems import data_objective, feature_matrix, layout, numeric_gradient, weights
from scipy.sparse import csr_array

from evalcore.features import FeatureMatrix
from tuner.constraints import Constraints
from tuner.losses import LOSSES
from tuner.objectives import PENALTY_UNIT, DataObjective, Differentiable, Objective, Sampled
from tuner.parameters import make_parameters

ROWS, WIDTH, SCALE = 61, 6, 0.006
SHAPE = layout(pawn=1, table=3, early=(1, "mg"), plain=(1, "none"))


def features(*, factors: bool = False, threads: int = 1) -> FeatureMatrix:
    rng = np.random.default_rng(8)
    dense = rng.integers(-3, 4, (ROWS, WIDTH)) * (rng.random((ROWS, WIDTH)) < 0.6)
    scale = rng.choice([1.0, 0.5, 0.25, 0.0], (ROWS, 2)) if factors else None
    return feature_matrix(dense, rng.integers(0, 25, ROWS), threads=threads, factors=scale)


def objective(loss: str = "squared", *, factors: bool = False, threads: int = 1) -> DataObjective:
    """Ties, a frozen weight, unequal row weights and a ridge that differs from weight to weight."""
    rng = np.random.default_rng(9)
    start = rng.normal(0, 80, (WIDTH, 2))
    start[5, 1] = start[5, 0]
    free = make_parameters(weights(SHAPE, start), freeze=["table[1].eg"])
    made = data_objective(
        features(factors=factors, threads=threads),
        rng.choice([0, 0.5, 1, 0.3], ROWS),
        loss=loss,
        scale=SCALE,
        parameters=free,
        row_weight=rng.random(ROWS),
    )
    return DataObjective(
        **{**vars(made), "ridge": rng.random(free.size), "prior": rng.normal(0, 50, free.size)}
    )


def somewhere(made: DataObjective) -> NDArray[np.float64]:
    return made.parameters.start + np.random.default_rng(3).normal(0, 40, made.size)


def dense_scores(made: DataObjective, x: NDArray[np.float64]) -> Any:
    """Scores by the textbook: the mean of two phases, then the factor of the side that is ahead."""
    matrix, table = made.features, made.parameters.table(x)
    share = matrix.phase.astype(float) / matrix.phase_maximum
    raw = share * (matrix.dense() @ table[:, 0]) + (1 - share) * (matrix.dense() @ table[:, 1])
    if matrix.factors is None:
        return raw, np.ones_like(raw)
    factor = np.where(raw > 0, matrix.factors[:, 0], matrix.factors[:, 1]).astype(float)
    return raw * factor, factor


def design(made: DataObjective, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Derivative of the scores by the free numbers (rows, size), one column at a time."""
    factor = dense_scores(made, x)[1]
    columns = []
    for unit in np.eye(made.size):
        table = made.parameters.direction(unit)
        share = made.features.phase.astype(float) / made.features.phase_maximum
        counts = made.features.dense()
        columns.append(factor * (share * (counts @ table[:, 0]) + (1 - share) * (counts @ table[:, 1])))
    return np.array(columns).T


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("factors", [False, True])
def test_value_is_the_weighted_mean_loss_and_the_price_of_moving(loss: str, factors: bool) -> None:
    made = objective(loss, factors=factors)
    x = somewhere(made)
    z = SCALE * dense_scores(made, x)[0]
    data = float(np.average(made.loss.value(z, made.target), weights=made.row_weight))
    moved = float((made.ridge * ((x - made.prior) / 100.0) ** 2).sum())
    assert made.data_loss(x) == pytest.approx(data, rel=1e-13)
    assert made.value(x) == pytest.approx(data + moved, rel=1e-13)
    assert made.value_gradient(x)[0] == pytest.approx(data + moved, rel=1e-13)
    assert PENALTY_UNIT == 100.0


def test_roughness_and_kinks_have_a_price() -> None:
    """Second differences of the three weights of a table, and a lasso on two others."""
    plain = objective()
    bends = np.zeros((1, plain.size))
    bends[0, [2, 3, 5]] = np.sqrt(0.7) * np.array([1.0, -2.0, 1.0])
    constraints = replace(
        Constraints.none(plain.size), lasso=np.arange(plain.size) * 1e-4, centre=np.ones(plain.size)
    )
    made = replace(plain, roughness=csr_array(bends), constraints=constraints)
    x = somewhere(made)
    rough = 0.7 * ((x[2] - 2 * x[3] + x[5]) / 100.0) ** 2
    kinks = float(np.abs(x - 1.0) @ np.arange(plain.size)) * 1e-4
    assert made.value(x) == pytest.approx(plain.value(x) + rough + kinks, rel=1e-13)
    assert made.data_loss(x) == plain.data_loss(x)
    smooth, gradient = made.value_gradient(x)
    assert smooth == pytest.approx(plain.value(x) + rough, rel=1e-13)
    differences = numeric_gradient(lambda at: made.value_gradient(at)[0], x, 1e-2)
    np.testing.assert_allclose(gradient, differences, rtol=1e-7, atol=1e-12)
    direction = np.random.default_rng(4).normal(size=made.size)
    np.testing.assert_allclose(
        made.hessian_vector(x, direction), made.curvature_matrix(x) @ direction, rtol=1e-11
    )
    np.testing.assert_allclose(
        made.curvature_matrix(x) - plain.curvature_matrix(x), 2e-4 * bends.T @ bends, atol=1e-12
    )


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("factors", [False, True])
def test_gradient_is_the_slope_of_the_value(loss: str, factors: bool) -> None:
    made = objective(loss, factors=factors)
    x = somewhere(made)
    found = made.value_gradient(x)[1]
    np.testing.assert_allclose(found, numeric_gradient(made.value, x, 1e-2), rtol=1e-7, atol=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("factors", [False, True])
def test_curvature_is_the_dense_gauss_newton_matrix(loss: str, factors: bool) -> None:
    made = objective(loss, factors=factors)
    x = somewhere(made)
    z = SCALE * dense_scores(made, x)[0]
    curvature = SCALE**2 * made.row_weight * made.loss.curvature(z, made.target)
    columns = design(made, x)
    wanted = columns.T @ (curvature[:, None] * columns) + np.diag(2 * made.ridge / 100.0**2)
    matrix = made.curvature_matrix(x)
    np.testing.assert_allclose(matrix, wanted, rtol=1e-12, atol=1e-18)
    for direction in np.random.default_rng(4).normal(size=(3, made.size)):
        np.testing.assert_allclose(made.hessian_vector(x, direction), wanted @ direction, rtol=1e-11)


def test_curvature_of_cross_entropy_is_the_slope_of_its_gradient() -> None:
    made = objective("cross-entropy")
    x, step = somewhere(made), 1e-3
    for index, column in enumerate(made.curvature_matrix(x).T):
        unit = np.zeros(made.size)
        unit[index] = step
        slope = (made.value_gradient(x + unit)[1] - made.value_gradient(x - unit)[1]) / (2 * step)
        np.testing.assert_allclose(column, slope, rtol=1e-6, atol=1e-12)


def test_the_sparse_oracle_has_the_same_scores_and_columns() -> None:
    made = objective()
    sparse = made.features.to_scipy()
    table = np.random.default_rng(5).normal(size=(WIDTH, 2))
    np.testing.assert_allclose(sparse @ table.ravel(), made.features.scores(table), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("factors", [False, True])
def test_threads_change_nothing_bit_for_bit(factors: bool) -> None:
    one, two = objective(factors=factors, threads=1), objective(factors=factors, threads=2)
    x = somewhere(one)
    direction = np.random.default_rng(6).normal(size=one.size)
    assert one.value(x) == two.value(x)
    assert one.value_gradient(x)[0] == two.value_gradient(x)[0]
    for first, second in (
        (one.value_gradient(x)[1], two.value_gradient(x)[1]),
        (one.curvature_matrix(x), two.curvature_matrix(x)),
        (one.hessian_vector(x, direction), two.hessian_vector(x, direction)),
    ):
        np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("factors", [False, True])
def test_selected_rows_keep_their_scores(factors: bool) -> None:
    matrix = features(factors=factors)
    rows = np.array([0, 1, 8, 20, 21, 22, 59, 60])
    table = np.random.default_rng(5).normal(size=(WIDTH, 2))
    np.testing.assert_array_equal(matrix.select(rows).scores(table), matrix.scores(table)[rows])
    np.testing.assert_array_equal(matrix.select(rows).dense(), matrix.dense()[rows])
    assert len(matrix.select(rows[:0])) == 0


def test_a_sample_is_the_same_objective_on_evenly_spaced_rows() -> None:
    made = objective()
    x = somewhere(made)
    whole = made.sample(ROWS)
    assert whole.value(x) == pytest.approx(made.value(x), rel=1e-12)
    sample = made.sample(10)
    assert len(sample) == 10
    assert sample.row_weight.sum() == pytest.approx(1.0)
    gaps = np.diff(np.searchsorted(np.cumsum(made.row_weight), np.cumsum(made.row_weight)[[0, 30, 60]]))
    assert gaps.tolist() == [30, 30]
    np.testing.assert_allclose(
        sample.value_gradient(x)[1], numeric_gradient(sample.value, x, 1e-2), rtol=1e-7, atol=1e-12
    )


def test_a_sample_of_more_rows_than_there_are_is_all_of_them() -> None:
    assert len(objective().sample(10 * ROWS)) == ROWS


def test_the_objective_offers_what_the_protocols_name() -> None:
    made = objective()
    assert isinstance(made, Objective)
    assert isinstance(made, Differentiable)
    assert isinstance(made, Sampled)
    assert made.size == made.parameters.size == 9
