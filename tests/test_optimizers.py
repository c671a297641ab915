"""The contract of optimizers, tried on the whole table, and the default solver against scipy's optimum."""

import dataclasses
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from problems import Planted, data_objective, feature_matrix, planted
from scipy.optimize import minimize

from evalcore.errors import InputError
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
    with pytest.raises(InputError, match=f"method {method} needs .*; Nothing does not offer that"):
        solve(method, Nothing(), np.zeros(2))


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
