"""Optimizers on the classic functions: the published minimum, or an honest word that it was not reached."""

from typing import Any

import numpy as np
import pytest
from functions import FUNCTIONS
from problems import numeric_gradient

from tuner.optimizers import OPTIMIZERS, Minimum, silent

GRADIENT_METHODS = ("newton", "gauss-newton", "lbfgs", "cg")
NOT_REACHED = {
    ("newton", "freudenstein-roth"),  # large residuals: the curvature of Gauss and Newton misleads
    ("newton", "jennrich-sampson"),
    ("gauss-newton", "brown-dennis"),  # hundreds of steps
    ("lbfgs", "meyer"),  # a valley bent over nine powers of ten
    ("cg", "meyer"),
    ("cg", "jennrich-sampson"),
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
