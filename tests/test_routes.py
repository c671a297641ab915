"""Every constraint and prior by a flag, a job file and Python: the same job; and its fit and report."""

import html
import re
from pathlib import Path

import numpy as np
import pytest
from playouts import random_games

from evalcore.formats import write_positions
from tuner.cli import run
from tuner.folder import open_run
from tuner.job import Job, make_job, read_job
from tuner.opened import open_fit
from tuner.report.page import write_report
from tuner.rules import Rule

FLAGS = [
    "--freeze", "material_queen", "--freeze", "psqt_pawn[e4].mg",
    "--tie", "material_knight,material_bishop", "--tie", "psqt_rook[a1],psqt_rook[h1]",
    "--constrain", "material_rook: lower=100, upper=500",
    "--constrain", "psqt_king[a1]: sign=-",
    "--constrain", "psqt_queen: monotone=increasing",
    "--constrain", "psqt_knight: smooth=5, ridge=2, prior=0",
    "--constrain", "psqt_bishop.mg: lasso=50",
    "--constrain", "psqt_bishop.eg: group=50",
    "--centre", "psqt_knight", "--centre", "psqt_king",
    "--prior", "zero", "--ridge", "0.5", "--polish",
]  # fmt: skip
FILE = """
ridge = 0.5
prior = "zero"
polish = true
freeze = ["material_queen", "psqt_pawn[e4].mg"]
tie = [["material_knight", "material_bishop"], ["psqt_rook[a1]", "psqt_rook[h1]"]]
centre = ["psqt_knight", "psqt_king"]

[rules.material_rook]
lower = 100
upper = 500
[rules."psqt_king[a1]"]
sign = "-"
[rules.psqt_queen]
monotone = "increasing"
[rules.psqt_knight]
smooth = 5
ridge = 2
prior = 0
[rules."psqt_bishop.mg"]
lasso = 50
[rules."psqt_bishop.eg"]
group = 50
"""
PYTHON = make_job(
    ridge=0.5, prior="zero", polish=True,
    freeze=["material_queen", "psqt_pawn[e4].mg"],
    tie=[["material_knight", "material_bishop"], ["psqt_rook[a1]", "psqt_rook[h1]"]],
    centre=["psqt_knight", "psqt_king"],
    rules={
        "material_rook": Rule(lower=100, upper=500),
        "psqt_king[a1]": Rule(sign="-"),
        "psqt_queen": Rule(monotone="increasing"),
        "psqt_knight": Rule(smooth=5, ridge=2, prior=0),
        "psqt_bishop.mg": Rule(lasso=50),
        "psqt_bishop.eg": Rule(group=50),
    },
)  # fmt: skip
KEYS = ("ridge", "prior", "polish", "freeze", "tie", "centre", "rules")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the flags."""
    here = tmp_path_factory.mktemp("routes")
    write_positions(random_games(), here / "games.parquet")
    common = ["fit", str(here / "games.parquet"), "-e", "psqt", "--no-report", "--quiet", "--threads", "1"]
    assert run([*common, *FLAGS, "--out", str(here / "run")]) == 0
    return here / "run"


def asked(job: Job) -> dict[str, object]:
    return {key: getattr(job, key) for key in KEYS}


def test_a_flag_a_job_file_and_python_are_the_same_job(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "job.toml").write_text(FILE, encoding="utf-8")
    assert asked(open_run(folder)) == asked(read_job(tmp_path / "job.toml")) == asked(PYTHON)
    assert {key for rule in PYTHON.rules.values() for key in rule.model_fields_set} == set(Rule.model_fields)


def test_the_fit_keeps_all_of_it(folder: Path) -> None:
    fit = open_fit(folder)
    rounded, start = fit.rounded, fit.evaluation.start
    assert tuple(rounded["material_queen", ""]) == tuple(start["material_queen", ""])
    assert rounded["psqt_pawn", "e4"][0] == start["psqt_pawn", "e4"][0]
    assert tuple(rounded["psqt_rook", "a1"]) == tuple(rounded["psqt_rook", "h1"])
    assert all(100 <= value <= 500 for value in rounded["material_rook", ""])
    assert max(rounded["psqt_king", "a1"]) <= 0
    assert (np.diff(rounded.of_term("psqt_queen"), axis=0) >= 0).all()
    assert (rounded.of_term("psqt_bishop")[:, 0] == 0).sum() > 10


def test_the_report_shows_all_of_it(folder: Path) -> None:
    page = html.unescape(re.sub(r"<[^>]+>", " ", write_report(folder).read_text(encoding="utf-8")))
    text = re.sub(r"\s+", " ", page).lower()
    for line in FILE.split("\n"):
        for name in re.findall(r'"([^"]+)"', line.removeprefix("[rules.")):
            assert name in text, name
    for key in (
        "freeze =", "tie =", "centre =", "prior =", "lower = 100", "upper = 500", "sign =", "monotone =",
        "smooth = 5", "ridge = 2", "lasso = 50", "group = 50", "polish = true",
    ):  # fmt: skip
        assert key in text, key
    for note in (
        "weights at their lower bound: material_rook",
        "equal to a neighbour, to keep tables monotone: psqt_queen",
        "at their prior, by a lasso penalty: psqt_bishop",
    ):
        assert note in text, note
    assert "centred by" in text or "was not centred" in text
