"""The table of methods names every optimizer, and every optimizer can be asked for in a job."""

import dataclasses
import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from problems import data_objective, planted

from evalcore.errors import InputError, UnknownName
from tuner.cli import run as cli
from tuner.job import make_job
from tuner.optimizers import OPTIMIZERS, silent
from tuner.optimizers.limits import ANY, CHOICES, DEPENDS, LIMITS, limit_of
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


def test_the_command_line_lists_every_method_and_explains_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli(["methods"]) == 0
    listed = capsys.readouterr().out
    for name, row in METHODS.items():
        assert re.search(rf"^{re.escape(name)} +{re.escape(row.when[:40])}", listed, re.MULTILINE)
    assert max(map(len, listed.splitlines())) <= 110
    assert cli(["methods", "adam"]) == 0
    told = capsys.readouterr().out
    assert "  schedule = cosine" in told and "texel-tuner and Weiss have constant rates" in told
    assert cli(["methods", "adam", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["options"]["rate"] == 2.0
    assert cli(["methods", "adm"]) == 2
    assert "did you mean adam" in capsys.readouterr().err


@pytest.mark.parametrize("method", OPTIMIZERS)
def test_every_method_can_be_asked_for(method: str) -> None:
    loss = "linear" if method == "linear" else "squared"
    assert type(make_job(method=method, loss=loss).optimizer()) is OPTIMIZERS[method]


def test_options_of_a_method_are_set_by_name() -> None:
    job = make_job(["options.rate=0.5", "options.schedule=constant"], method="adam")
    assert (job.optimizer().rate, job.optimizer().schedule) == (0.5, "constant")
    with pytest.raises(UnknownName, match="rate"):
        make_job(["options.rat=0.5"], method="adam")


def options() -> Iterator[tuple[str, str, Any]]:
    for method, kind in OPTIMIZERS.items():
        for option in dataclasses.fields(kind):
            yield method, option.name, option.default


def test_every_option_has_a_limit_or_a_list_of_words_that_holds_its_default() -> None:
    for method, name, default in options():
        if isinstance(default, str):
            assert default in CHOICES[name]
        elif not isinstance(default, bool):
            assert limit_of(method, name) is not ANY, (method, name)
            assert limit_of(method, name).allows(default), (method, name)
    known = {name for method, option, _ in options() for name in (option, f"{method}.{option}")}
    assert set(LIMITS) | set(CHOICES) | set(DEPENDS) <= known


@pytest.mark.parametrize(
    ("method", "setting", "sentence"),
    [
        (
            "evolution",
            "mutation=3",
            "option mutation of method evolution must be at least 0 and below 2, not 3",
        ),
        ("cma-es", "members=1", "option members of method cma-es must be 0, or at least 4, not 1"),
        ("cma-es", "sigma=0", "must be above 0, not 0"),
        ("annealing", "accept=1", "must be above -10000 and at most -5, not 1"),
        ("pbil", "bits=70", "must be at least 2 and at most 30, not 70"),
        ("adam", "momentum=1", "must be at least 0 and below 1, not 1"),
        ("sgd", "batch=0", "must be at least 1, not 0"),
        ("sgd", "batch=-1", "option batch of method sgd is a whole number, not -1"),
        ("adam", "schedule=cosin", "no schedule is called 'cosin'; did you mean cosine"),
        ("spsa", "gains=zamar", "no gains is called 'zamar'"),
        ("adam", "drop=0.3", "option drop belongs to schedule steps, and schedule is cosine"),
        ("spsa", "c_end=3", "option c_end belongs to gains openbench, and gains is spall"),
    ],
)
def test_options_that_mean_nothing_are_refused(method: str, setting: str, sentence: str) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)):
        make_job([f"options.{setting}"], method=method)


def test_options_that_mean_something_are_taken() -> None:
    assert make_job(["options.batch=0"], method="spsa").optimizer().batch == 0
    assert make_job(["options.c=1", "options.first_step=2"], method="rspsa").optimizer().c == 1
    assert make_job(["options.drop=0.3", "options.schedule=steps"], method="adam").optimizer().drop == 0.3
    assert make_job(["options.gains=openbench", "options.c_end=3"], method="spsa").optimizer().c_end == 3
    with pytest.raises(InputError, match="options a and first_step both say"):
        make_job(["options.a=1", "options.first_step=2"], method="spsa")
    with pytest.raises(InputError, match="option c belongs to gains spall, and gains is openbench"):
        make_job(["options.gains=openbench", "options.c=3"], method="spsa")


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


def test_games_are_promised_to_no_method_of_the_command_line() -> None:
    """Pairs of games are handed out and learnt from by functions; games themselves are the user's to play."""
    from tuner import game_spsa

    assert callable(game_spsa.hand_out) and callable(game_spsa.learn)
    assert "games" not in METHODS["spsa"].needs
    assert "tuner.game_spsa" in METHODS["spsa"].when
