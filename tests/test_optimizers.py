"""The contract of optimizers, tried on the whole table, and the default solver against scipy's optimum."""

import dataclasses
import re
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from problems import Planted, data_objective, feature_matrix, planted
from scipy.optimize import LinearConstraint, minimize

from evalcore.errors import InputError
from tuner.constraints import BOUNDS, LASSO, MONOTONE, Chain, Constraints, Group
from tuner.objectives import DataObjective
from tuner.optimizers import OPTIMIZERS, Minimum, Preconditioned, State, Step, silent

Floats = NDArray[np.float64]


@cache
def simulated() -> Planted:
    return planted()


@cache
def objective(loss: str = "cross-entropy", ridge: float = 1e-6) -> DataObjective:
    made = simulated()
    return data_objective(made.features, made.result, loss=loss, scale=made.scale, ridge=ridge)


@cache
def optimum(loss: str = "cross-entropy", ridge: float = 1e-6) -> tuple[Floats, float]:
    """Newton's method of scipy's trust region, with exact derivatives, polished until nothing moves."""
    made = objective(loss, ridge)
    x = made.prior
    for method, hessian in (("L-BFGS-B", None), ("trust-exact", made.curvature_matrix)):
        x = minimize(
            made.value_gradient, x, jac=True, hess=hessian, method=method, options={"maxiter": 500}
        ).x
    for _ in range(50):  # Gauss-Newton polish
        x = x - np.linalg.solve(made.curvature_matrix(x), made.value_gradient(x)[1])
    assert np.abs(made.value_gradient(x)[1]).max() < 1e-17
    return x, made.value(x)


def problem_of(method: str) -> DataObjective:
    """Each method on an objective of its kind."""
    return objective("linear") if method == "linear" else objective()


def solve(method: str, made: Any, start: Floats, *, seed: int = 1, **options: Any) -> Minimum:
    optimizer = OPTIMIZERS[method](**options)
    result: Minimum = optimizer.minimize(made, start, rng=np.random.default_rng(seed), observe=silent)
    return result


def steps_of(method: str, made: Any, start: Floats, **options: Any) -> tuple[Minimum, list[Step]]:
    seen: list[Step] = []
    end = OPTIMIZERS[method](**options).minimize(
        made, start, rng=np.random.default_rng(1), observe=seen.append
    )
    return end, seen


# --- the contract -------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", OPTIMIZERS)
def test_options_are_fields_with_plain_defaults(method: str) -> None:
    kind = OPTIMIZERS[method]
    assert dataclasses.is_dataclass(kind)
    assert kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    for option in dataclasses.fields(kind):
        assert isinstance(option.default, int | float | str | bool), option.name
    assert kind.__doc__ and not kind.__doc__.startswith(f"{kind.__name__}(")


@pytest.mark.parametrize("method", OPTIMIZERS)
def test_the_same_seed_gives_the_same_bits(method: str) -> None:
    first, second = (solve(method, problem_of(method), objective().prior) for _ in range(2))
    np.testing.assert_array_equal(first.x, second.x)
    assert first.value == second.value


@pytest.mark.parametrize("method", OPTIMIZERS)
def test_the_end_is_what_it_claims_to_be(method: str) -> None:
    made = problem_of(method)
    end, seen = steps_of(method, made, made.prior)
    best = optimum(made.loss.name)[1]
    assert end.value == pytest.approx(made.value(end.x), rel=1e-12)
    assert end.value < made.value(made.prior)
    assert end.value - best >= -1e-13
    assert seen, "observe was never called"
    assert [step.number for step in seen] == sorted(step.number for step in seen)
    assert [step.passes for step in seen] == sorted(step.passes for step in seen)
    assert end.passes >= seen[-1].passes
    assert end.message
    for step in seen:
        assert step.value == pytest.approx(made.value(step.x), rel=1e-12)


@pytest.mark.parametrize("method", OPTIMIZERS)
def test_it_continues_from_every_state_with_the_same_bits(method: str) -> None:
    made = problem_of(method)
    whole, seen = steps_of(method, made, made.prior)
    states = [step.state for step in seen if step.state]
    assert states, "no step carried a state"
    chosen = [
        states[index] for index in sorted({0, 1, len(states) // 2, len(states) - 1}) if index < len(states)
    ]
    for state in chosen:
        again = OPTIMIZERS[method]().minimize(
            made, made.prior, rng=np.random.default_rng(1), observe=silent, state=stored(state)
        )
        np.testing.assert_array_equal(again.x, whole.x)
        assert (again.value, again.passes, again.steps) == (whole.value, whole.passes, whole.steps)
        assert again.message == whole.message


def stored(state: State) -> dict[str, Any]:
    """What a state is after a checkpoint: arrays."""
    arrays = {name: np.asarray(value) for name, value in state.items()}
    assert not any(array.dtype.hasobject for array in arrays.values()), "a checkpoint holds no Python objects"
    return arrays


class OnlyValues:
    """An objective without gradients."""

    size = 2

    def value(self, x: Floats) -> float:
        return float(x @ x)


class Nothing:
    """No objective at all."""


@pytest.mark.parametrize("method", OPTIMIZERS)
def test_the_wrong_kind_of_objective_is_one_sentence(method: str) -> None:
    with pytest.raises(InputError, match=f"method {method} needs an objective .*, which this one is not$"):
        solve(method, Nothing(), np.zeros(2))


def test_the_remedy_for_an_objective_without_gradients_is_named() -> None:
    with pytest.raises(InputError, match="which this one is not; methods local, spsa and cma-es need values"):
        solve("texel", OnlyValues(), np.zeros(2))


# --- how near each comes ------------------------------------------------------------------------------

REACHES: dict[str, tuple[dict[str, Any], float]] = {
    # options for a problem of 16 weights that lie up to 300 cp away, and the share of the loss that is left
    "texel": ({}, 1e-13),
    "newton": ({}, 1e-13),
    "gauss-newton": ({}, 1e-13),
    "lbfgs": ({}, 1e-10),
    "cg": ({}, 1e-9),
    "linear": ({}, 1e-13),
    "sgd": ({"batch": 500, "rate": 0.3}, 1e-4),
    "adagrad": ({"batch": 500, "epsilon": 1e-14, "rate": 60.0}, 1e-4),
    "adam": ({"batch": 500, "rate": 8.0}, 1e-4),
    "online-lbfgs": ({"batch": 500}, 1e-4),
    "local": ({}, 1e-5),
    "spsa": ({"first_step": 4.0, "c": 20.0}, 2e-2),
    "rspsa": ({"first_step": 2.0, "c": 20.0}, 1e-2),
    "evolution": ({"radius": 400.0, "max_passes": 9000}, 5e-2),
    "annealing": ({"radius": 400.0, "max_passes": 9000}, 5e-2),
    "cma-es": ({"radius": 600.0, "sigma": 100.0}, 1e-4),
    "genetic": ({"radius": 400.0, "step": 30.0}, 5e-2),
    "pbil": ({"radius": 400.0}, 5e-2),
}


def test_every_method_has_a_limit_here() -> None:
    assert list(REACHES) == list(OPTIMIZERS)


@pytest.mark.parametrize("method", OPTIMIZERS)
def test_every_method_comes_as_near_as_its_limit(method: str) -> None:
    options, limit = REACHES[method]
    made = problem_of(method)
    best = optimum(made.loss.name)[1]
    end = solve(method, made, made.prior, **options)
    left = end.value - best
    assert -1e-14 <= left / best <= limit
    if left > 1e-9 * best:
        assert end.gap == pytest.approx(left, rel=0.5)  # all are certified in the same way
        assert not end.converged or left <= 2e-8 * best
    else:
        assert end.converged


@pytest.mark.parametrize("seed", [1, 2])
def test_annealing_finds_a_few_weights_with_its_defaults(seed: int) -> None:
    """Starts a few dozen centipawns off, in a loss of about 0.6."""
    made, (best, value) = objective(), optimum()
    start = best + np.random.default_rng(seed).normal(0.0, 20.0, made.size)
    end = solve("annealing", made, start, seed=seed)
    assert made.value(start) - value > 1e-3
    assert end.value - value < 1e-5


# --- constraints --------------------------------------------------------------------------------------


def constrained(kind: str) -> DataObjective:
    """The simulated problem with constraints that hold about half of the weights."""
    made, truth = objective(), optimum()[0]
    none = Constraints.none(made.size)
    if kind == BOUNDS:
        return replace(made, constraints=Constraints.box(np.full(made.size, -40.0), np.full(made.size, 60.0)))
    if kind == LASSO:
        group = Group(np.arange(8, 12), 3e-4)
        return replace(made, constraints=replace(none, lasso=np.repeat([1e-3, 0.0], 8), groups=(group,)))
    chains = (Chain(np.arange(0, 8), True), Chain(np.arange(8, 16), bool(truth[8] < truth[15])))
    return replace(made, constraints=replace(none, chains=chains))


@cache
def constrained_optimum(kind: str) -> float:
    """By scipy's general solver in scaled variables, or by tiny steps where there are kinks."""
    made = constrained(kind)
    constraints = made.constraints
    assert constraints is not None
    if kind == LASSO:
        return lasso_optimum(made)
    order = [np.diff(np.eye(made.size)[chain.members], axis=0) for chain in constraints.chains]
    linear = [
        LinearConstraint(50.0 * (rows if chain.increasing else -rows), 0.0, np.inf)
        for rows, chain in zip(order, constraints.chains, strict=True)
    ]
    found = minimize(
        lambda u: (made.value_gradient(50.0 * u)[0], 50.0 * made.value_gradient(50.0 * u)[1]),
        constraints.project(np.zeros(made.size)) / 50.0,
        jac=True,
        method="SLSQP",
        bounds=list(zip(constraints.lower / 50.0, constraints.upper / 50.0, strict=True)),
        constraints=linear,
        options={"maxiter": 2000, "ftol": 1e-16},
    )
    return made.value(constraints.project(50.0 * found.x))


def lasso_optimum(made: DataObjective) -> float:
    """By many tiny proximal steps, which no part of the product takes."""
    constraints = made.constraints
    assert constraints is not None
    x, step = made.prior, 1.0 / np.linalg.eigvalsh(made.curvature_matrix(made.prior))[-1]
    for _ in range(4000):
        x = x - step * made.value_gradient(x)[1]
        x = np.sign(x) * np.maximum(np.abs(x) - step * constraints.lasso, 0.0)
        for group in constraints.groups:
            norm = np.linalg.norm(x[group.members])
            x[group.members] *= max(0.0, 1.0 - step * group.price / norm) if norm else 0.0
    return made.value(x)


@pytest.mark.parametrize("kind", [BOUNDS, MONOTONE, LASSO])
@pytest.mark.parametrize("method", [name for name in OPTIMIZERS if name != "linear"])
def test_constraints_are_kept_or_refused(method: str, kind: str) -> None:
    made = constrained(kind)
    if kind not in OPTIMIZERS[method].handles:
        with pytest.raises(InputError, match=f"method {method} cannot keep {kind}"):
            solve(method, made, made.prior)
        return
    options, limit = REACHES[method]
    best = constrained_optimum(kind)
    end = solve(method, made, made.prior, **options)
    assert made.constraints is not None
    assert not made.constraints.broken(end.x)
    assert end.value == pytest.approx(made.value(end.x), rel=1e-12)
    if limit < 1e-5:
        assert end.value <= best * (1.0 + 1e-8)
        assert len(list(made.constraints.active(end.x, 1e-6))) >= 4
    assert end.value <= made.value(made.constraints.project(made.prior))


@pytest.mark.parametrize("kind", [BOUNDS, MONOTONE, LASSO])
def test_constrained_linear_regression_is_newtons(kind: str) -> None:
    made = replace(objective("linear"), constraints=constrained(kind).constraints)
    first, second = (solve(method, made, made.prior) for method in ("linear", "newton"))
    assert first.value == pytest.approx(second.value, rel=1e-13)
    np.testing.assert_allclose(first.x, second.x, atol=1e-4)


@pytest.mark.parametrize("kind", [BOUNDS, MONOTONE, LASSO])
def test_a_constrained_fit_continues_with_the_same_bits(kind: str) -> None:
    made = constrained(kind)
    whole, seen = steps_of("texel", made, made.prior, sample_rows=300)
    assert len(seen) > 3
    for step in seen:
        again = Preconditioned(sample_rows=300).minimize(
            made, made.prior, rng=np.random.default_rng(1), observe=silent, state=stored(step.state)
        )
        np.testing.assert_array_equal(again.x, whole.x)
        assert (again.value, again.passes, again.steps) == (whole.value, whole.passes, whole.steps)


# --- what goes wrong ----------------------------------------------------------------------------------


class Breaking(DataObjective):
    """Loses its value after some evaluations, or from the start."""

    def value(self, x: Floats) -> float:
        return super().value(x) if self._lives() else np.nan

    def value_gradient(self, x: Floats) -> tuple[float, Floats]:
        value, gradient = super().value_gradient(x)
        return (value, gradient) if self._lives() else (np.nan, gradient * np.nan)

    def restricted(self, rows: NDArray[np.int64]) -> DataObjective:
        return DataObjective(**{name: getattr(self, name) for name in self.__dataclass_fields__}).restricted(
            rows
        )

    def _lives(self) -> bool:
        left = getattr(self, "left", 0)
        object.__setattr__(self, "left", left - 1)
        return left > 0


def breaking(made: DataObjective, after: int) -> Breaking:
    broken = Breaking(**{name: getattr(made, name) for name in made.__dataclass_fields__})
    object.__setattr__(broken, "left", after)
    return broken


@pytest.mark.parametrize("method", [name for name in OPTIMIZERS if name != "local"])
def test_a_start_without_a_value_is_refused(method: str) -> None:
    made = problem_of(method)
    with pytest.raises(InputError, match="no finite number"):
        solve(method, breaking(made, 0), made.prior)


class BreakingValues:
    """A round bowl of two numbers that loses its value after some evaluations, or from the start."""

    size = 2

    def __init__(self, after: int) -> None:
        self.left = after

    def value(self, x: Floats) -> float:
        self.left -= 1
        return float((x - 3.0) @ (x - 3.0)) if self.left >= 0 else np.nan


@pytest.mark.parametrize("method", [name for name in OPTIMIZERS if name not in ("linear", "local")])
def test_a_value_that_is_lost_on_the_way_ends_with_the_best_weights_so_far(method: str) -> None:
    made = problem_of(method)
    after = 60 if method in ("spsa", "rspsa") else 5
    options = {"sample_rows": 300} if method == "texel" else {}
    end = solve(method, breaking(made, after), made.prior, **options)
    assert np.isfinite(end.x).all()
    assert end.value == pytest.approx(made.value(end.x), rel=1e-12)
    assert end.value <= made.value(made.prior) * (1.0 + 1e-12)
    assert not end.converged
    assert re.match(r"(step|epoch|generation|evaluation) \d+( of method [a-z-]+)? met a value", end.message)
    assert "the best weights before it are kept" in end.message


def test_a_search_of_single_weights_that_loses_its_value_says_in_which_round() -> None:
    end = solve("local", BreakingValues(5), np.array([40.0, -9.0]))
    assert end.message.startswith("round 1 of method local met a value that is no finite number")
    assert end.value == (end.x - 3.0) @ (end.x - 3.0) < 37.0**2 + 12.0**2
    with pytest.raises(InputError, match="no finite number"):
        solve("local", BreakingValues(0), np.zeros(2))


@pytest.mark.parametrize("method", ["sgd", "adam", "adagrad", "online-lbfgs"])
def test_divergence_is_recognised_and_named(method: str) -> None:
    made = objective()
    end = solve(method, made, made.prior, rate=3000.0, schedule="constant", batch=200)
    assert "diverged: the loss after epoch" in end.message or "no finite number" in end.message
    assert "smaller rate" in end.message
    assert end.steps < 10
    assert end.value <= made.value(made.prior) * (1.0 + 1e-12)


@pytest.mark.parametrize(
    ("method", "options"),
    [("spsa", {"c": 300.0, "first_step": 3000.0}), ("rspsa", {"smallest": 500.0, "largest": 900.0})],
)
def test_walks_whose_steps_are_too_large_end_with_the_best_weights(
    method: str, options: dict[str, Any]
) -> None:
    made = objective()
    end, seen = steps_of(method, made, made.prior, **options)
    assert re.match(
        r"diverged: the loss after step \d+ is [\d.]+, above the 0.69\d* of the start", end.message
    )
    assert "try smaller steps" in end.message
    assert end.steps < 1000
    assert end.value == min(step.value for step in seen)


def test_the_last_epoch_is_a_normal_end() -> None:
    """Even where the best weights are some epochs old."""
    options = {"batch": 200, "schedule": "constant", "rate": RESTLESS["sgd"], "epochs": 5}
    end, seen = steps_of("sgd", objective(), optimum()[0] + 20.0, **options)
    since = int(np.argmin([step.value for step in seen]))
    assert end.message.startswith("stopped after 5 epochs"), end.message
    assert (f"no better objective since epoch {since}" in end.message) == (since < 5)


RESTLESS = {"sgd": 0.1, "adam": 8.0, "online-lbfgs": 0.2}
"""Rates at which the noise of small batches keeps a descent away from the optimum."""


@pytest.mark.parametrize("method", RESTLESS)
def test_a_descent_that_gets_no_better_stops_and_says_since_when(method: str) -> None:
    made, near = objective(), optimum()[0] + 1.0
    options = {"batch": 200, "schedule": "constant", "rate": RESTLESS[method]}
    end = solve(method, made, near, **options)
    assert end.message.startswith(
        "stalled: no epoch was better than the start, stopped at epoch 20 of 60; try"
    )
    assert end.value == pytest.approx(made.value(near), rel=1e-14)
    np.testing.assert_array_equal(end.x, near)
    end, seen = steps_of(method, made, made.prior, **options)
    values = [step.value for step in seen]
    since = int(np.argmin(values))
    assert (
        f"stalled: no better objective since epoch {since}, stopped at epoch {since + 20} of 60"
        in end.message
    )
    assert len(values) == since + 20
    assert end.value == min(values)


class Corner:
    """A corner at zero, where nothing is better and no two directions are alike; it has values only."""

    size = 2

    def value(self, x: Floats) -> float:
        return 1000.0 + float(np.where(x > 0.0, 2.0 * x, -x).sum())


SEARCHES = {
    "spsa": "step", "rspsa": "step", "evolution": "evaluation", "annealing": "evaluation",
    "cma-es": "evaluation", "genetic": "generation", "pbil": "generation",
}  # fmt: skip


@pytest.mark.parametrize("method", SEARCHES)
def test_a_search_that_finds_nothing_better_than_the_start_says_so(method: str) -> None:
    end, seen = steps_of(method, Corner(), np.zeros(2))
    unit = SEARCHES[method]
    assert re.match(
        rf"stalled: no {unit} was better than the start, stopped at {unit} [\d,]+ of ", end.message
    )
    np.testing.assert_array_equal(end.x, np.zeros(2))
    assert end.value == 1000.0
    if method != "annealing":  # losing is its business while it is hot
        assert seen[-1].passes < 0.6 * (9000 if unit == "step" else 3000)


def test_a_search_that_stops_getting_better_says_since_when() -> None:
    class Stairs(Corner):
        def value(self, x: Floats) -> float:
            return float(np.ceil(super().value(x) / 10.0))

    for method in ("rspsa", "genetic", "pbil"):
        end = solve(method, Stairs(), np.array([30.0, 30.0]))
        assert re.match(r"stalled: no better objective since [a-z]+ [\d,]+, stopped at", end.message), method
        assert end.value < 105.0


def test_a_gradient_that_leads_nowhere_is_named_with_its_step() -> None:
    """A loss of the user's own whose gradient has the wrong sign, in methods that would trust it."""

    class Wrong(DataObjective):
        def value_gradient(self, x: Floats) -> tuple[float, Floats]:
            value, gradient = super().value_gradient(x)
            return value, -gradient

    wrong = Wrong(**vars(objective()))
    for method in ("texel", "newton", "gauss-newton", "lbfgs", "cg"):
        end = solve(method, wrong, wrong.prior)
        assert not end.converged
        assert end.message.startswith("stalled: no length of step 1 lowers the value"), method
        np.testing.assert_array_equal(end.x, wrong.prior)


@pytest.mark.parametrize("method", ["texel", "newton", "gauss-newton"])
def test_a_curvature_that_is_no_number_is_refused(method: str) -> None:
    class Bent(DataObjective):
        def curvature_matrix(self, x: Floats) -> Floats:
            return super().curvature_matrix(x) * np.nan

        def sample(self, rows: int) -> DataObjective:
            return self

    with pytest.raises(InputError, match="curvature of the loss is no finite number"):
        solve(method, Bent(**vars(objective())), objective().prior)


def test_the_best_epoch_is_kept_when_later_ones_are_worse() -> None:
    made = objective()
    end, seen = steps_of("adam", made, made.prior, rate=300.0, schedule="constant", batch=200, epochs=8)
    assert end.value == min(step.value for step in seen)


# --- the default solver -------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", ["squared", "cross-entropy", "ordinal"])
@pytest.mark.parametrize("sample_rows", [300, 50_000])
def test_the_default_solver_reaches_and_certifies_the_optimum(loss: str, sample_rows: int) -> None:
    x, best = optimum(loss)
    end = solve("texel", objective(loss), objective(loss).prior, sample_rows=sample_rows)
    assert end.converged
    assert end.relative_gradient <= 1e-7
    assert -1e-15 <= end.value - best <= 1e-8 * best
    assert end.gap <= 1e-8 * best
    np.testing.assert_allclose(end.x, x, atol=1e-2)


def test_the_gap_estimates_the_distance_to_the_optimum() -> None:
    """Stopped early, the claimed gap is within a factor of three of the true one."""
    best = optimum()[1]
    for tolerance in (1e-1, 1e-2, 1e-3):
        end = solve("texel", objective(), objective().prior, sample_rows=300, tolerance=tolerance)
        true = end.value - best
        assert true / 3 <= end.gap <= 3 * true


def test_planted_weights_are_recovered_within_their_standard_errors() -> None:
    made = simulated()
    free = data_objective(made.features, made.result, scale=made.scale)
    end = solve("texel", free, free.prior)
    information = len(made.features) * free.curvature_matrix(end.x)
    errors = np.sqrt(np.diag(np.linalg.inv(information)))
    deviation = (end.x - made.truth.ravel()) / errors
    assert np.abs(deviation).max() < 3.5
    assert np.sqrt((deviation**2).mean()) == pytest.approx(0.85, abs=0.3)  # draws carry less noise than coins


def test_duplicate_and_empty_columns_do_not_hurt() -> None:
    rng = np.random.default_rng(2)
    one = rng.integers(-2, 3, (500, 1))
    dense = np.hstack([one, one, 2 * one, 0 * one])
    result = (rng.random(500) < 1 / (1 + np.exp(-0.6 * one[:, 0]))).astype(float)
    made = data_objective(feature_matrix(dense, [24] * 500), result)
    end = solve("texel", made, made.prior)
    alone = data_objective(feature_matrix(one, [24] * 500), result)
    assert np.isfinite(end.x).all()
    assert end.value == pytest.approx(solve("texel", alone, alone.prior).value, rel=1e-9)


def test_passes_are_counted_and_limited() -> None:
    calls = 0
    made = objective()

    class Counting(DataObjective):
        def value_gradient(self, x: Floats) -> tuple[float, Floats]:
            nonlocal calls
            calls += 1
            return super().value_gradient(x)

        def sample(self, rows: int) -> DataObjective:
            return made.sample(rows)

    counting = Counting(**vars(made))
    end = Preconditioned(sample_rows=400).minimize(
        counting, made.prior, rng=np.random.default_rng(1), observe=silent
    )
    assert calls <= end.passes < calls + 5
    short = solve("texel", made, made.prior, sample_rows=400, max_passes=4)
    assert not short.converged
    assert short.message == "stopped after 4 passes"
