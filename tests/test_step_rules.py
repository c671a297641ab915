"""The steps of stochastic methods, against their published formulas worked by hand."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from problems import data_objective, planted

from evalcore.errors import UnknownName
from tuner.optimizers import OPTIMIZERS, silent
from tuner.optimizers.adagrad import AdaGradRule
from tuner.optimizers.adam import AdamRule
from tuner.optimizers.scaling import natural_units, steepness, unit_curvature
from tuner.optimizers.schedules import SCHEDULES, find_schedule

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Slope:
    """A batch with a given gradient."""

    gradient: Floats

    def value_gradient(self, x: Floats) -> tuple[float, Floats]:
        return 0.0, self.gradient


GRADIENTS = [np.array([3e-5, -2e-6]), np.array([1e-5, 4e-6]), np.array([-2e-5, 4e-6])]


def test_adagrad_is_grants() -> None:
    """w −= rate·g/√(1e-8 + Σ g²), with the 1e-8 under the root."""
    rule, seen = AdaGradRule(1e-8, 2), np.zeros(2)
    for gradient in GRADIENTS:
        seen += gradient**2
        step = rule.step(np.zeros(2), Slope(gradient), 0.1)
        np.testing.assert_allclose(step, -0.1 * gradient / np.sqrt(1e-8 + seen), rtol=1e-14)


def test_grants_epsilon_is_no_mere_safeguard() -> None:
    """At gradients of 1e-5 it holds the first step back eightfold; where the scale is larger it does not."""
    small = AdaGradRule(1e-8, 1).step(np.zeros(1), Slope(np.array([1.25e-5])), 1.0)
    large = AdaGradRule(1e-8, 1).step(np.zeros(1), Slope(np.array([1.25e-1])), 1.0)
    assert small[0] == pytest.approx(-0.124, abs=1e-3)
    assert large[0] == pytest.approx(-1.0, abs=1e-6)


@pytest.mark.parametrize("correct", [True, False])
def test_adam_is_kingmas_and_bas(correct: bool) -> None:
    rule = AdamRule(0.9, 0.999, 1e-8, correct, 2)
    mean, square = np.zeros(2), np.zeros(2)
    for count, gradient in enumerate(GRADIENTS, 1):
        mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
        first, second = (mean / (1 - 0.9**count), square / (1 - 0.999**count)) if correct else (mean, square)
        step = rule.step(np.zeros(2), Slope(gradient), 2.0)
        np.testing.assert_allclose(step, -2.0 * first / (np.sqrt(second) + 1e-8), rtol=1e-12)


def test_adams_first_step_is_the_rate() -> None:
    rule = AdamRule(0.9, 0.999, 1e-12, True, 2)
    np.testing.assert_allclose(
        rule.step(np.zeros(2), Slope(np.array([5e-6, -2e-4])), 2.0), [-2.0, 2.0], rtol=1e-5
    )


def test_schedules_begin_at_the_rate_and_fall() -> None:
    for name, schedule in SCHEDULES.items():
        factors = [schedule(epoch, 10.0, 0.5) for epoch in np.linspace(0.0, 10.0, 41)]
        assert factors[0] == 1.0, name
        assert (np.diff(factors) <= 0.0).all(), name
        assert min(factors) >= 0.0, name
    assert find_schedule("cosine")(5.0, 10.0, 0.5) == pytest.approx(0.5)
    assert find_schedule("straight")(2.5, 10.0, 0.5) == pytest.approx(0.75)
    assert find_schedule("inverse")(3.0, 10.0, 0.5) == pytest.approx(0.25)
    assert find_schedule("steps")(3.5, 10.0, 0.5) == pytest.approx(0.125)


def test_an_unknown_schedule_lists_the_others() -> None:
    made = planted()
    objective = data_objective(made.features, made.result, scale=made.scale)
    with pytest.raises(UnknownName, match="cosine"):
        OPTIMIZERS["adam"](schedule="cosin").minimize(
            objective, objective.prior, rng=np.random.default_rng(1), observe=silent
        )


def test_units_make_every_column_bend_the_objective_alike() -> None:
    made = planted()
    objective = data_objective(made.features, made.result, scale=made.scale)
    units = unit_curvature(objective, objective.prior)
    scaled = objective.curvature_matrix(objective.prior) * np.outer(units, units)
    np.testing.assert_allclose(np.diag(scaled), 1.0, rtol=1e-12)
    assert steepness(objective, objective.prior, units) == pytest.approx(np.linalg.eigvalsh(scaled)[-1])
    natural = natural_units(objective, objective.prior)
    assert np.median(natural) == pytest.approx(1.0)
    np.testing.assert_allclose(natural / units, natural[0] / units[0], rtol=1e-12)
