"""Trying single weights gives the values of the whole objective."""

from dataclasses import replace

import numpy as np
import pytest
from problems import data_objective, feature_matrix, layout, weights

from tuner.constraints import Constraints
from tuner.objectives import DataObjective
from tuner.parameters import make_parameters
from tuner.stepping import DataStepper, PlainStepper, stepper


def objective(loss: str, *, factors: bool) -> DataObjective:
    rng = np.random.default_rng(8)
    dense = rng.integers(-3, 4, (61, 6)) * (rng.random((61, 6)) < 0.6)
    shape = layout(pawn=1, table=3, early=(1, "mg"), plain=(1, "none"))
    free = make_parameters(weights(shape, rng.normal(0, 80, (6, 2))), tie=[["table[0]", "table[2]"]])
    features = feature_matrix(
        dense, rng.integers(0, 25, 61), factors=rng.choice([1.0, 0.5, 0.0], (61, 2)) if factors else None
    )
    made = data_objective(
        features,
        rng.choice([0, 0.5, 1], 61),
        loss=loss,
        ridge=1e-4,
        parameters=free,
        row_weight=rng.random(61),
    )
    return replace(made, constraints=replace(Constraints.none(made.size), lasso=np.full(made.size, 1e-5)))


@pytest.mark.parametrize("loss", ["squared", "ordinal", "huber"])
@pytest.mark.parametrize("factors", [False, True])
def test_attempts_and_steps_are_values_of_the_objective(loss: str, factors: bool) -> None:
    made = objective(loss, factors=factors)
    fast, slow = stepper(made, made.parameters.start), PlainStepper(made, made.parameters.start)
    assert isinstance(fast, DataStepper)
    rng = np.random.default_rng(1)
    for _ in range(60):
        index, move = int(rng.integers(made.size)), float(rng.choice([-40.0, -1.0, 1.0, 8.0]))
        value, cost = fast.attempt(index, move)
        assert value == pytest.approx(slow.attempt(index, move)[0], rel=1e-12)
        assert 0.0 < cost <= 1.0
        if rng.random() < 0.5:
            fast.accept()
            slow.accept()
    np.testing.assert_array_equal(fast.x, slow.x)
    assert fast.value == pytest.approx(made.value(fast.x), rel=1e-12)
