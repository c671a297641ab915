"""Losses and methods of a user's own file: what may be left out, and what is said of what is missing."""

from pathlib import Path

import numpy as np
import pytest
from playouts import random_games

from evalcore.errors import InputError
from evalcore.formats import write_positions
from tuner.job import make_job
from tuner.run import run

LOSS = """
import numpy as np
from dataclasses import dataclass
from scipy.special import expit

class Plain:
    def value(self, z, target):
        return (expit(z) - target) ** 2

    def gradient(self, z, target):
        p = expit(z)
        return 2.0 * (p - target) * p * (1.0 - p)

    def curvature(self, z, target):
        p = expit(z)
        return 2.0 * (p * (1.0 - p)) ** 2

@dataclass(frozen=True)
class Powered(Plain):
    power: float = 2.0

    def value(self, z, target):
        return np.abs(expit(z) - target) ** self.power

class ValueOnly:
    def value(self, z, target):
        return z

class Mean(Plain):
    def value(self, z, target):
        return float(np.mean(z))

class Broken(Plain):
    def gradient(self, z, target):
        raise ZeroDivisionError("by hand")

class Strange(Plain):
    compares = "moves"

class Wanting(Plain):
    def __init__(self, width):
        self.width = width

number = 3
"""

METHOD = """
from dataclasses import dataclass
from tuner.optimizers import Minimum

@dataclass(frozen=True)
class Stay:
    share: float = 1.0

    def minimize(self, objective, start, *, rng, observe, state=None):
        return Minimum(start, objective.value(start), 0, 1.0, False, float("nan"), float("nan"), "stayed")

@dataclass(frozen=True)
class Short:
    def minimize(self, objective, start):
        return None

@dataclass(frozen=True)
class Nothing(Stay):
    def minimize(self, objective, start, *, rng, observe, state=None):
        return start

class Undecorated:
    def minimize(self, objective, start, *, rng, observe, state=None):
        return None
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("own")
    (path / "own_loss.py").write_text(LOSS)
    (path / "own_method.py").write_text(METHOD)
    write_positions(random_games(games=60), path / "games.parquet")
    return path


def given(folder: Path, **more: object) -> dict[str, object]:
    return {"data": [str(folder / "games.parquet")], "evaluation": "material", "threads": 1, **more}


@pytest.mark.parametrize("name", ["Plain", "Powered"])
def test_a_loss_with_three_functions_fits_as_the_built_in_one(folder: Path, name: str) -> None:
    own = run(make_job(**given(folder, loss=f"{folder}/own_loss.py:{name}")), str(folder / name))
    known = run(make_job(**given(folder)))
    np.testing.assert_allclose(own.fitted.values, known.fitted.values, rtol=1e-6, atol=1e-6)
    assert own.diagnosis is not None
    assert own.folder == folder / name  # a folder may be a string


LACKS = {
    "ValueOnly": "ValueOnly lacks gradient and curvature",
    "Mean": "value.* has to give a finite number for each position: of 5 positions it gave",
    "Broken": "gradient.z, target. failed: ZeroDivisionError: by hand",
    "Strange": "compares has to be one of results, scores, outcomes, not 'moves'",
    "Wanting": "cannot be made from its options .*width.*: give every field a default",
    "number": "has to be a class with value, gradient and curvature, .*; found int",
    "absent": "found NoneType",
}


@pytest.mark.parametrize(("name", "sentence"), LACKS.items())
def test_what_a_loss_lacks_is_said_when_the_job_is_made(folder: Path, name: str, sentence: str) -> None:
    with pytest.raises(InputError, match=f"own_loss.py:{name}.*{sentence}"):
        make_job(loss=f"{folder}/own_loss.py:{name}")


def test_options_of_an_own_loss_are_its_numbers(folder: Path) -> None:
    loss = make_job(["loss_options.power=1.5"], loss=f"{folder}/own_loss.py:Powered").loss_function()
    assert loss.value(np.zeros(1), np.ones(1)) == pytest.approx(0.5**1.5)
    with pytest.raises(InputError, match="option of loss"):
        make_job(["loss_options.power=1.5"], loss=f"{folder}/own_loss.py:Plain")


def test_a_method_needs_minimize_alone(folder: Path) -> None:
    fit = run(make_job(["options.share=2"], **given(folder, method=f"{folder}/own_method.py:Stay")))
    assert fit.minimum.message == "stayed"
    with pytest.raises(InputError, match="Stay cannot keep bounds"):
        make_job(["rules.tempo.lower=0"], method=f"{folder}/own_method.py:Stay")


METHODS = {
    "Short": r"minimize has to take \(self, objective, start, \*, rng, observe, state=None\)",
    "Undecorated": "has minimize.*, but has to be a dataclass, too",
    "absent": "is no optimizer: it has to be a dataclass with minimize",
}


@pytest.mark.parametrize(("name", "sentence"), METHODS.items())
def test_what_a_method_lacks_is_said_when_the_job_is_made(folder: Path, name: str, sentence: str) -> None:
    with pytest.raises(InputError, match=f"own_method.py:{name}.*{sentence}"):
        make_job(method=f"{folder}/own_method.py:{name}")


def test_a_method_that_returns_no_minimum_is_named(folder: Path) -> None:
    with pytest.raises(InputError, match=r"has to return a tuner\.optimizers\.Minimum, not ndarray"):
        run(make_job(**given(folder, method=f"{folder}/own_method.py:Nothing")))
