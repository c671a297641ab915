"""The table of methods names every optimizer, and every optimizer can be asked for in a job."""

import numpy as np
import pytest
from problems import data_objective, planted

from evalcore.errors import InputError, UnknownName
from tuner.job import make_job
from tuner.optimizers import OPTIMIZERS, silent
from tuner.optimizers.methods import METHODS, method_table


def test_the_table_names_every_method_once_in_the_order_of_optimizers() -> None:
    assert list(METHODS) == list(OPTIMIZERS)
    for row in method_table():
        assert all(row.values()), row["name"]
        assert len(str(row["when"])) < 110
        assert "\n" not in "".join(map(str, row.values()))


def test_a_method_that_keeps_nothing_says_so() -> None:
    keeps = {row["name"]: row["keeps"] for row in method_table()}
    assert keeps["texel"] == "bounds, monotone tables, lasso penalties"
    assert keeps["cg"] == "no constraints"


@pytest.mark.parametrize("method", OPTIMIZERS)
def test_every_method_can_be_asked_for(method: str) -> None:
    loss = "linear" if method == "linear" else "squared"
    assert type(make_job(method=method, loss=loss).optimizer()) is OPTIMIZERS[method]


def test_options_of_a_method_are_set_by_name() -> None:
    job = make_job(["options.rate=0.5", "options.schedule=constant"], method="adam")
    assert (job.optimizer().rate, job.optimizer().schedule) == (0.5, "constant")
    with pytest.raises(UnknownName, match="rate"):
        make_job(["options.rat=0.5"], method="adam")


def test_a_method_of_ones_own(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "mine.py"
    file.write_text(
        "from dataclasses import dataclass\n"
        "from tuner.optimizers import Preconditioned\n"
        "@dataclass(frozen=True)\n"
        "class Mine(Preconditioned):\n"
        "    patience: int = 3\n"
        "class Other:\n"
        "    pass\n"
    )
    job = make_job(["options.patience=5"], method=f"{file}:Mine")
    assert job.optimizer().patience == 5
    assert job.anchored().method == f"{file}:Mine"
    with pytest.raises(InputError, match="is no optimizer"):
        make_job(method=f"{file}:Other")


@pytest.mark.parametrize("loss", ["squared", "cross-entropy", "huber"])
def test_linear_regression_says_which_losses_it_takes(loss: str) -> None:
    simulated = planted()
    objective = data_objective(simulated.features, simulated.result, loss=loss)
    with pytest.raises(
        InputError, match=f"needs a loss that is quadratic in the weights, and loss {loss} is not"
    ):
        OPTIMIZERS["linear"]().minimize(
            objective, objective.prior, rng=np.random.default_rng(1), observe=silent
        )
