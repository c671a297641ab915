"""Optimizers on the classic functions: the published minimum, or an honest word that it was not reached."""

from typing import Any

import numpy as np
import pytest
from functions import BOWL, FUNCTIONS
from problems import numeric_gradient

from evalcore.errors import InputError
from tuner.optimizers import OPTIMIZERS, Minimum, silent

GRADIENT_METHODS = ("texel", "newton", "gauss-newton", "lbfgs", "cg")
NOT_REACHED = {
    ("newton", "freudenstein-roth"),  # large residuals: the curvature of Gauss and Newton misleads
    ("newton", "jennrich-sampson"),
    ("gauss-newton", "brown-dennis"),  # hundreds of steps
    ("lbfgs", "meyer"),  # a valley bent over nine powers of ten
    ("cg", "meyer"),
    ("cg", "jennrich-sampson"),
    ("lbfgs", "powell-singular"),  # 1e-6 is left of 215: flat in two directions
    ("cg", "powell-singular"),
    ("cg", "wood"),
}
VALUE_METHODS: dict[str, tuple[dict[str, Any], float]] = {
    "local": ({"first_step": 0.5, "last_step": 1e-4, "whole": False}, 1e-2),
    "spsa": ({"c": 0.05, "first_step": 0.02, "batch": 0}, 5.0),
    "rspsa": ({"c": 0.05, "first_step": 0.02, "batch": 0, "smallest": 1e-5, "largest": 0.5}, 0.1),
    "evolution": ({"radius": 5.0, "members": 15}, 1e-20),
    "annealing": ({"radius": 5.0}, 0.05),
    "cma-es": ({"radius": 5.0, "sigma": 1.0}, 1e-15),
    "genetic": ({"radius": 5.0, "step": 0.5}, 0.2),
    "pbil": ({"radius": 5.0, "bits": 16}, 0.2),
}


def solve(method: str, name: str, **options: Any) -> Minimum:
    known = FUNCTIONS[name]
    with np.errstate(all="ignore"):  # exponentials overflow on the way
        end: Minimum = OPTIMIZERS[method](**options).minimize(
            known.objective, known.start, rng=np.random.default_rng(1), observe=silent
        )
    return end


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_functions_are_typed_without_mistake(name: str) -> None:
    """Gradients agree with differences; Gauss-Newton from close by ends at the published value."""
    known = FUNCTIONS[name]
    gradient = known.objective.value_gradient(known.start)[1]
    numeric = numeric_gradient(known.objective.value, known.start, 1e-5)
    np.testing.assert_allclose(gradient, numeric, rtol=1e-5, atol=1e-6 * np.abs(gradient).max())
    if known.at is not None:
        assert known.objective.value(known.at) == pytest.approx(known.minimum, rel=1e-9, abs=1e-25)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("method", GRADIENT_METHODS)
def test_gradient_methods_reach_the_published_minimum_or_say_that_they_did_not(
    method: str, name: str
) -> None:
    end, known = solve(method, name, max_passes=3000), FUNCTIONS[name]
    if (method, name) in NOT_REACHED:
        assert not end.converged or end.value == pytest.approx(known.minimum, rel=1e-6)
        assert end.value <= known.objective.value(known.start)
    else:
        assert end.value == pytest.approx(known.minimum, rel=1e-6, abs=1e-8)
        if known.at is not None:
            np.testing.assert_allclose(end.x, known.at, atol=1e-3)


@pytest.mark.parametrize("method", VALUE_METHODS)
def test_methods_without_gradients_get_near(method: str) -> None:
    options, limit = VALUE_METHODS[method]
    for name in ("rosenbrock", "beale"):
        end = solve(method, name, **options)
        assert end.value <= limit
        assert end.value == FUNCTIONS[name].objective.value(end.x)


REACHES: dict[str, tuple[dict[str, Any], float, float]] = {
    # options, and what is left at the end: of a quadratic that is 9 at its start, and of Rosenbrock's 24.2
    "texel": ({}, 1e-15, 1e-15),
    "newton": ({}, 1e-15, 1e-15),
    "gauss-newton": ({}, 1e-13, 1e-13),
    "lbfgs": ({}, 1e-10, 1e-10),
    "cg": ({}, 1e-10, 1e-8),
    "linear": ({}, 1e-15, np.nan),  # for quadratics alone
    "sgd": ({"epochs": 2000, "rate": 0.2}, 1e-10, 0.5),
    "adagrad": ({"epochs": 3000, "rate": 0.5}, 1e-7, 1e-2),
    "adam": ({"epochs": 3000, "rate": 0.05}, 1e-7, 1e-4),
    "online-lbfgs": ({"epochs": 500}, 1e-10, 1.0),
    "local": ({"first_step": 0.5, "last_step": 1e-4, "whole": False}, 1e-6, 1e-2),
    "spsa": ({"c": 0.05, "first_step": 0.02, "batch": 0}, 0.2, 5.0),
    "rspsa": ({"c": 0.05, "first_step": 0.02, "batch": 0, "smallest": 1e-5, "largest": 0.5}, 1e-2, 0.1),
    "evolution": ({"radius": 5.0, "members": 15}, 1e-10, 1e-20),
    "annealing": ({"radius": 5.0}, 0.1, 0.05),
    "cma-es": ({"radius": 5.0, "sigma": 1.0}, 1e-12, 1e-15),
    "genetic": ({"radius": 5.0, "step": 0.5}, 0.1, 0.2),
    "pbil": ({"radius": 5.0, "bits": 16}, 0.1, 0.2),
}


def test_every_method_has_a_limit_here() -> None:
    assert list(REACHES) == list(OPTIMIZERS)


def end_of(method: str, made: Any, start: Any) -> Minimum:
    options, _, _ = REACHES[method]
    end: Minimum = OPTIMIZERS[method](**options).minimize(
        made, start, rng=np.random.default_rng(1), observe=silent
    )
    assert end.value == pytest.approx(made.value(end.x), rel=1e-9, abs=1e-25)
    assert end.value <= made.value(start)
    return end


@pytest.mark.parametrize("method", OPTIMIZERS)
def test_every_method_on_a_quadratic(method: str) -> None:
    end = end_of(method, BOWL, np.zeros(4))
    assert 0.0 <= end.value <= REACHES[method][1]


@pytest.mark.parametrize("method", OPTIMIZERS)
def test_every_method_on_rosenbrocks_valley(method: str) -> None:
    known = FUNCTIONS["rosenbrock"]
    if np.isnan(REACHES[method][2]):
        with pytest.raises(InputError, match="quadratic"):
            end_of(method, known.objective, known.start)
        return
    end = end_of(method, known.objective, known.start)
    assert 0.0 <= end.value <= REACHES[method][2]


MORE: dict[str, tuple[float, float, float]] = {
    # what is left of Beale's function, of Powell's singular one, and of Wood's, that are 14.2, 215 and
    # 19,192 at their starts; Wood's has a saddle of 7.88 in the way, where many stay
    "texel": (1e-12, 1e-12, 1e-10),
    "newton": (1e-12, 1e-10, 2.0),
    "gauss-newton": (1e-12, 1e-10, 1e-8),
    "lbfgs": (1e-9, 1e-5, 1e-7),
    "cg": (1e-8, 1e-5, 1e-5),
    "sgd": (1e-12, 1e-2, 7.9),
    "adagrad": (1e-12, 1e-2, 7.9),
    "adam": (1e-12, 1e-2, 7.9),
    "online-lbfgs": (1e-10, 5e-2, 7.9),
    "local": (1e-5, 1e-4, 1e-2),
    "spsa": (0.5, 20.0, 1000.0),
    "rspsa": (1e-2, 1e-4, 50.0),
    "evolution": (1e-15, 1e-10, 100.0),
    "annealing": (1e-8, 1e-2, 100.0),
    "cma-es": (1e-12, 1e-12, 100.0),
    "genetic": (1e-2, 0.5, 100.0),
    "pbil": (1e-2, 0.5, 150.0),
}


def test_every_method_but_linear_has_limits_for_more_functions() -> None:
    assert list(MORE) == [method for method in OPTIMIZERS if method != "linear"]


@pytest.mark.parametrize("name", ["beale", "powell-singular", "wood"])
@pytest.mark.parametrize("method", MORE)
def test_every_method_on_more_functions(method: str, name: str) -> None:
    known, limit = FUNCTIONS[name], MORE[method][("beale", "powell-singular", "wood").index(name)]
    with np.errstate(all="ignore"):
        end = end_of(method, known.objective, known.start)
    assert 0.0 <= end.value <= limit
    if end.converged:
        assert end.value <= 1e-8  # whoever says "reached the optimum" has
