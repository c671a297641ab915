"""Projections and constrained minima, against scipy's quadratic solvers and the conditions of an optimum."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import LinearConstraint, lsq_linear, minimize

from evalcore.errors import InputError
from tuner.constraints import (
    AT_LOWER,
    AT_NEIGHBOUR,
    AT_PRIOR,
    AT_UPPER,
    BOUNDS,
    LASSO,
    MONOTONE,
    Chain,
    Constraints,
    Group,
)
from tuner.optimizers.composite import model_minimum

Floats = NDArray[np.float64]
SIZE = 12


def quadratic(seed: int, spread: float = 3.0) -> tuple[Floats, Floats, Floats]:
    """A positive definite matrix whose eigenvalues spread over some powers of ten, a gradient and a place."""
    rng = np.random.default_rng(seed)
    turn, _ = np.linalg.qr(rng.normal(size=(SIZE, SIZE)))
    matrix = turn @ np.diag(np.logspace(0, -spread, SIZE)) @ turn.T
    return matrix, rng.normal(size=SIZE), rng.normal(size=SIZE)


def slope_at(problem: tuple[Floats, Floats, Floats], end: Floats) -> Floats:
    matrix, gradient, x = problem
    return gradient + matrix @ (end - x)


def members(*indices: int) -> NDArray[np.int64]:
    return np.array(indices, np.int64)


def test_without_constraints_it_is_newtons_step() -> None:
    matrix, gradient, x = quadratic(1)
    end = model_minimum(matrix, gradient, x, Constraints.none(SIZE))
    np.testing.assert_allclose(end.x, x - np.linalg.solve(matrix, gradient), rtol=1e-8)
    assert end.decrease == pytest.approx(0.5 * gradient @ np.linalg.solve(matrix, gradient))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("spread", [1.0, 7.0])
def test_bounds_against_scipys_bounded_least_squares(seed: int, spread: float) -> None:
    matrix, gradient, x = quadratic(seed, spread)
    lower, upper = np.full(SIZE, -1.5), np.full(SIZE, 0.8)
    upper[3] = np.inf
    factor = np.linalg.cholesky(matrix).T
    wanted = lsq_linear(
        factor, factor @ x - np.linalg.solve(factor.T, gradient), (lower, upper), method="bvls", tol=1e-14
    ).x
    end = model_minimum(matrix, gradient, x, Constraints.box(lower, upper))
    np.testing.assert_allclose(end.x, wanted, atol=1e-7)


@pytest.mark.parametrize("seed", range(5))
def test_lasso_meets_the_conditions_of_an_optimum(seed: int) -> None:
    problem = quadratic(seed)
    rng = np.random.default_rng(seed + 50)
    price, centre = rng.uniform(0, 1.5, SIZE), rng.normal(size=SIZE)
    constraints = replace(Constraints.none(SIZE), lasso=price, centre=centre)
    end = model_minimum(*problem, constraints).x
    slope = slope_at(problem, end)
    stays = end == centre
    assert 0 < stays.sum() < SIZE
    assert (np.abs(slope[stays]) <= price[stays]).all()
    np.testing.assert_allclose(slope[~stays], -(price * np.sign(end - centre))[~stays], atol=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_groups_meet_the_conditions_of_an_optimum(seed: int) -> None:
    problem = quadratic(seed, 2.0)
    groups = (Group(members(0, 1, 2), 0.1), Group(members(3, 4, 5, 6), 1.2), Group(members(9, 11), 50.0))
    centre = np.random.default_rng(seed).normal(size=SIZE)
    constraints = replace(Constraints.none(SIZE), centre=centre, groups=groups)
    end = model_minimum(*problem, constraints).x
    slope = slope_at(problem, end)
    for group in groups:
        away = (end - centre)[group.members]
        if away.any():
            np.testing.assert_allclose(
                slope[group.members], -group.price * away / np.linalg.norm(away), atol=1e-7
            )
        else:
            assert np.linalg.norm(slope[group.members]) <= group.price
    np.testing.assert_allclose(slope[[7, 8, 10]], 0.0, atol=1e-7)
    assert (end[[9, 11]] == centre[[9, 11]]).all()


@pytest.mark.parametrize("increasing", [True, False])
@pytest.mark.parametrize("bound", [None, "lower", "upper"])
@pytest.mark.parametrize("seed", range(3))
def test_monotone_tables_against_a_general_solver(increasing: bool, bound: str | None, seed: int) -> None:
    matrix, gradient, x = quadratic(seed, 1.5)
    table = members(2, 3, 5, 7, 8)
    lower, upper = np.full(SIZE, -np.inf), np.full(SIZE, np.inf)
    if bound == "lower":
        lower[table] = -0.4
    if bound == "upper":
        upper[table] = 0.3
    constraints = replace(Constraints.box(lower, upper), chains=(Chain(table, increasing),))
    end = model_minimum(matrix, gradient, x, constraints)
    order = np.zeros((4, SIZE))
    order[range(4), table[1:]], order[range(4), table[:-1]] = 1.0, -1.0
    wanted = minimize(
        lambda at: (gradient @ (at - x) + 0.5 * (at - x) @ matrix @ (at - x), gradient + matrix @ (at - x)),
        constraints.project(x),
        jac=True,
        method="SLSQP",
        bounds=list(zip(lower, upper, strict=True)),
        constraints=[LinearConstraint(order if increasing else -order, 0.0, np.inf)],
        options={"maxiter": 1000, "ftol": 1e-15},
    )
    assert -end.decrease <= wanted.fun + 1e-9
    np.testing.assert_allclose(end.x, wanted.x, atol=2e-4)
    assert not constraints.broken(end.x)


def test_what_a_box_of_increments_cannot_say_is_refused() -> None:
    matrix, gradient, x = quadratic(1)
    chain = (Chain(members(0, 1, 2), True),)
    both = replace(Constraints.box(np.full(SIZE, 0.0), np.full(SIZE, 1.0)), chains=chain)
    part = replace(Constraints.none(SIZE), lower=np.array([-9.0, 0.0, *[-np.inf] * 10]), chains=chain)
    kinked = replace(Constraints.none(SIZE), lasso=np.ones(SIZE), chains=chain)
    grouped = replace(Constraints.none(SIZE), groups=(Group(members(2, 3), 1.0),), chains=chain)
    for constraints, message in (
        (both, "a lower or an upper bound, but not both"),
        (part, "must hold for the whole table"),
        (kinked, "monotone and have a lasso"),
        (grouped, "monotone and have a lasso"),
    ):
        with pytest.raises(InputError, match=message):
            model_minimum(matrix, gradient, x, constraints)


def test_penalty_is_the_price_of_moving() -> None:
    constraints = Constraints(
        np.full(4, -np.inf), np.full(4, np.inf), np.array([2.0, 0.0, 0.0, 1.0]), np.array([1.0, 0, 0, 0]),
        groups=(Group(members(1, 2), 10.0),),
    )  # fmt: skip
    assert constraints.penalty(np.array([0.0, 3.0, 4.0, -2.0])) == 2.0 + 10.0 * 5.0 + 2.0
    assert constraints.kinds() == [LASSO]


def test_projection_is_the_nearest_allowed_point() -> None:
    constraints = replace(
        Constraints.box(np.full(SIZE, -1.0), np.full(SIZE, 1.0)),
        chains=(Chain(members(0, 1, 2, 3), True), Chain(members(5, 6, 7), False)),
    )
    rng = np.random.default_rng(3)
    for _ in range(20):
        x = rng.normal(0, 1.5, SIZE)
        near = constraints.project(x)
        assert not constraints.broken(near)
        for _ in range(20):
            other = constraints.project(rng.normal(0, 1.5, SIZE))
            assert (x - near) @ (other - near) <= 1e-9  # the defining inequality of a projection
    assert constraints.kinds() == [BOUNDS, MONOTONE]


def test_what_holds_a_weight_is_named() -> None:
    constraints = Constraints(
        np.array([0.0, -9, -9, -9, -9]), np.array([9.0, 1, 9, 9, 9]),
        np.array([0, 0, 0, 0, 2.0]), np.zeros(5),
        chains=(Chain(members(2, 3), True),),
    )  # fmt: skip
    found = dict(constraints.active(np.array([0.0, 1.0, 5.0, 5.0, 0.0])))
    assert found == {
        0: AT_LOWER,
        1: AT_UPPER,
        3: AT_NEIGHBOUR,
        4: AT_PRIOR,
    }
    assert not Constraints.none(5)
