"""The command line: exit codes, one line for bad input, what is written and printed."""

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalcore.evaluation import load_evaluation
from evalcore.fen import parse_fens
from evalcore.formats import read_positions, write_positions
from evalcore.weights import load_weights
from tuner.cli import run
from tuner.job import make_job
from tuner.sample import sample_path

EPD = '{} c9 "{}";\n'
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
FENS = (
    START,
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -",
    "8/5k2/8/3R4/8/2K5/8/8 w - -",
    "8/5K2/8/3r4/8/2k5/8/8 b - -",
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small finished run: `material` on the sample."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    assert run(["fit", "--evaluation", "material", "--out", str(folder), "--quiet"]) == 0
    return folder


def errors(capsys: pytest.CaptureFixture[str]) -> str:
    """What was printed to stderr: exactly one line."""
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = captured.err.splitlines()
    assert len(lines) == 1 and lines[0].startswith("tuner: "), captured.err
    return lines[0]


def write_bad_inputs(folder: Path) -> None:
    lines = [
        EPD.format(fen, result) for fen, result in zip(FENS, ("1/2-1/2", "1-0", "1-0", "0-1"), strict=True)
    ]
    (folder / "empty.epd").write_text("")
    (folder / "folder").mkdir()
    (folder / "picture.epd").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    (folder / "third.epd").write_text("".join([*lines[:2], EPD.format("8/8/8 w - -", "1-0"), lines[3]]))
    (folder / "label.epd").write_text(lines[0] + EPD.format(FENS[1], "2-0"))
    (folder / "draws.epd").write_text("".join(EPD.format(fen, "1/2-1/2") for fen in FENS))
    (folder / "job.toml").write_text("ridge = 'much'\nlos = 'squared'\n")
    (folder / "weights.json").write_text(load_evaluation("psqt").start.to_json())


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["fit", "nosuch.epd"], ["nosuch.epd", "no file"]),
        (["fit", "empty.epd"], ["empty.epd", "empty"]),
        (["fit", "folder"], ["folder", "Parquet"]),
        (["fit", "picture.epd"], ["picture.epd", "PNG"]),
        (["fit", "third.epd"], ["third.epd:3", "8/8/8 w - -"]),
        (["fit", "label.epd"], ["label.epd:2", "2-0"]),
        (["fit", "draws.epd"], ["draws", "fitted"]),
        (["fit", "job.toml"], ["job.toml", "ridge", "los: is no known key"]),
        (["fit", "--freeze", "passd_pawn"], ["passd_pawn", "passed_pawn"]),
        (["fit", "--evaluation", "materail"], ["materail", "material"]),
        (
            ["fit", "--evaluation", "material", "--weights", "weights.json"],
            ["weights.json", "another evaluation"],
        ),
        (["fit", "--method", "texle"], ["texle", "texel"]),
        (["fit", "--loss", "sqared"], ["sqared", "squared"]),
        (["fit", "--set", "rigde=1"], ["rigde", "ridge"]),
        (["fit", "--set", "options.tolerence=1"], ["tolerence", "tolerance"]),
        (["fit", "--set", "ridge"], ["ridge", "key=value"]),
        (["fit", "--k", "high"], ["k: expected", "high"]),
        (["fit", "--validation", "1.5"], ["validation", "less than 1"]),
        (["resume", "folder"], ["folder", "no run folder"]),
        (["export", "nosuch", "--to", "json"], ["nosuch"]),
        (["export", "weights.json", "--evaluation", "psqt", "--to", "jsn"], ["jsn", "json"]),
        (["explain", "8/8/8/8"], ["8 ranks"]),
        (["terms", "passd_pawn"], ["passd_pawn", "passed_pawn"]),
        (["score", "third.epd"], ["third.epd:3"]),
        (["data", "convert", "label.epd", "-o", "out.xyz"], ["out.xyz", "suffix"]),
        (["data", "info", "nosuch.epd"], ["nosuch.epd"]),
        (["fit", "--no-such-option"], ["--no-such-option"]),
        (["fitt"], ["fitt"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_input_is_one_line_and_exit_2(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], expected: list[str]
) -> None:
    write_bad_inputs(here)
    before = sorted(path.name for path in here.iterdir())
    assert run(arguments) == 2
    message = errors(capsys)
    for words in expected:
        assert words in message
    assert sorted(path.name for path in here.iterdir()) == before, "nothing half written"


def test_fit_without_arguments_fits_the_default_evaluation(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["fit", "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary.keys() >= {
        "run", "positions", "games", "terms", "parameters", "k", "loss", "passes", "converged",
        "relative_gradient", "seconds",
    }  # fmt: skip
    assert summary["positions"] > 100_000 and summary["games"] > 10_000
    assert summary["converged"] and summary["relative_gradient"] < 1e-6 and summary["passes"] < 60
    loss = summary["loss"]
    assert loss["fitted"]["train"] < loss["start"]["train"]
    assert loss["fitted"]["validation"] < loss["start"]["validation"]
    assert summary["seconds"].keys() >= {"read", "extract", "fit"}
    run_folder = here / summary["run"]
    weights = pd.read_csv(run_folder / "weights.csv", keep_default_na=False)
    assert len(weights) == len(load_evaluation("default").layout)
    pawn, queen = (weights.set_index("term").loc[f"material_{piece}", "eg"] for piece in ("pawn", "queen"))
    assert 60 < pawn < 200 and 700 < queen < 1500, "looks like chess"


def test_fit_says_where_it_wrote_what(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fit", "--evaluation", "material"]) == 0
    out = capsys.readouterr().out
    assert "runs/material-1" in out and "weights.csv" in out and "Optimum reached" in out
    assert run(["fit", "--evaluation", "material", "--out", "runs/material-1"]) == 2
    assert "resume" in errors(capsys)


def test_settings_and_job_files_agree(here: Path) -> None:
    job = f'data = ["{sample_path()}"]\nevaluation = "material"\nloss = "cross-entropy"\nridge = 5.0\n'
    (here / "job.toml").write_text(job)
    assert run(["fit", "job.toml", "--out", "a", "-q"]) == 0
    flags = ["--evaluation", "material", "--loss", "cross-entropy", "--set", "ridge=5.0"]
    assert run(["fit", str(sample_path()), *flags, "--out", "b", "-q"]) == 0
    assert (here / "a/weights.json").read_bytes() == (here / "b/weights.json").read_bytes()


def test_the_ridge_can_be_chosen_by_cross_validation(here: Path) -> None:
    assert run(["fit", "--evaluation", "material", "--ridge", "cross-validate", "--out", "run", "-q"]) == 0
    ridge = float((here / "run/job.toml").read_text().partition("ridge = ")[2].split()[0])
    assert ridge != 1.0 and 0.01 <= ridge <= 100


def test_export_reads_back(fitted: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", str(fitted), "--to", "c-header", "-o", "weights.h"]) == 0
    assert "weights.h" in capsys.readouterr().out
    assert run(["export", str(fitted), "--to", "json", "-o", "weights.json"]) == 0
    layout = load_evaluation("material").layout
    exported, rounded = (
        load_weights(here / "weights.json", layout),
        load_weights(fitted / "rounded.json", layout),
    )
    assert (exported.values == rounded.values).all()
    mg, eg = rounded["material_queen", ""]
    assert f"S({mg:.0f}, {eg:.0f})" in (here / "weights.h").read_text().replace("  ", " ")


def test_score_equals_the_library(fitted: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "some.epd").write_text("".join(EPD.format(fen, "1-0") for fen in FENS))
    assert run(["score", "some.epd", "--weights", str(fitted), "-o", "scores.csv"]) == 0
    scores = pd.read_csv("scores.csv")
    evaluation = load_evaluation("material")
    weights = load_weights(fitted / "weights.json", evaluation.layout)
    expected = evaluation.score(parse_fens(list(FENS)), weights)
    assert np.allclose(scores["score"], expected, atol=0.0051)
    assert scores["phase"].tolist() == [24, 24, 2, 2]
    assert scores["score"][2] == -scores["score"][3] > 300


def test_score_reproduces_cpw_engine(here: Path) -> None:
    """Every column of the engine's own evaluation of 10,000 positions, through the command line."""
    golden = Path(__file__).parent / "data/cpw_golden.csv.gz"
    assert run(["score", str(golden), "--evaluation", "cpw", "--integer", "-o", "scores.csv"]) == 0
    found, expected = pd.read_csv("scores.csv"), pd.read_csv(golden)
    assert len(found) == len(expected) == 10_000
    for ours, theirs in (("score", "score_white"), ("phase", "phase")):
        assert (found[ours] == expected[theirs]).all()
    for side in ("white", "black"):
        assert (found[f"{side}_attack_units"] == expected[f"{side}_attack_units"]).all()


def test_explain_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    fen = "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/P1NB1N2/1P2QPPP/R1BR2K1 w - - 2 13"
    assert run(["explain", fen, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    evaluation = load_evaluation("default")
    assert [share["term"] for share in content["terms"]] == [term.name for term in evaluation.terms]
    total = sum(share["total"] for share in content["terms"])
    assert np.isclose(total, content["score"]) and np.isclose(total, evaluation.score(parse_fens([fen]))[0])
    for share in content["terms"]:
        assert np.isclose(share["white"] - share["black"], share["total"])
    assert run(["explain", *fen.split()]) == 0
    assert f"{total:+.1f} cp" in capsys.readouterr().out


def test_terms_lists_and_defines(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["terms"]) == 0
    assert "passed_pawn" in capsys.readouterr().out
    assert run(["terms", "passed_pawn"]) == 0
    out = capsys.readouterr().out
    assert "no enemy pawn in front" in out and "rank 2" in out and "Passed Pawn" in out


def test_data_check_answers_no(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_bad_inputs(here)
    assert run(["data", "check", "third.epd", "--rejects", "rejects.csv"]) == 1
    assert "third.epd:3" in capsys.readouterr().out
    rejects = pd.read_csv("rejects.csv")
    assert rejects["place"].tolist() == [3] and rejects["file"].tolist() == ["third.epd"]
    assert run(["data", "convert", "third.epd", "-o", "good.parquet", "--on-error", "skip"]) == 0
    assert run(["data", "check", "good.parquet"]) == 0


def test_data_info_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["data", "info", str(sample_path()), "--json"]) == 0
    info = json.loads(capsys.readouterr().out)
    assert info["positions"] == info["scores"] == 223_465 and info["games"] == 11_213
    assert info["duplicates"] == 0
    results = info["results"]
    assert results["white wins"] + results["draws"] + results["black wins"] == 223_465


def test_interrupt_leaves_a_run_that_can_be_resumed(here: Path) -> None:
    """Ctrl-C in the middle: exit 130, one line that says how to go on, the same weights in the end."""
    common = ["--evaluation", "psqt", "--quiet", "--set", "options.sample_rows=200"]
    assert run(["fit", *common, "--out", "whole"]) == 0
    command = [sys.executable, "-m", "tuner", "fit", *common, "--out", "cut"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    deadline = time.monotonic() + 120
    while not (here / "cut/checkpoint.npz").exists() and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    _, message = process.communicate(timeout=120)
    if process.returncode == 0:
        pytest.skip("the fit was faster than the interrupt")
    assert process.returncode == 130, message
    assert "tuner resume cut" in message
    assert run(["resume", "cut", "--quiet"]) == 0
    assert (here / "cut/weights.json").read_bytes() == (here / "whole/weights.json").read_bytes()


def test_stdout_may_be_a_file(here: Path) -> None:
    """A shell's redirection: nothing is replaced, everything arrives."""
    (here / "some.epd").write_text("".join(EPD.format(fen, "1-0") for fen in FENS))
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    command = [sys.executable, "-m", "tuner", "score", "some.epd", "-e", "material"]
    with (here / "out.csv").open("w") as out:
        subprocess.run(command, stdout=out, check=True, env=environment)
    lines = (here / "out.csv").read_text().splitlines()
    assert lines[0] == "fen,score,phase" and len(lines) == 1 + len(FENS)


@pytest.mark.parametrize("method", ["local", "spsa", "rspsa", "genetic", "pbil", "adam", "linear", "newton"])
def test_methods_write_run_folders(method: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint at every step, whatever an optimizer's state is made of."""
    monkeypatch.setattr("tuner.folder.CHECKPOINT_SECONDS", 0.0)
    write_positions(read_positions(str(sample_path())).select(slice(0, 2_000)), "few.parquet")
    loss = "linear" if method == "linear" else "squared"
    few = {
        "local": ["max_passes=3"], "spsa": ["steps=5"], "rspsa": ["steps=5"], "genetic": ["generations=3"],
        "pbil": ["generations=3"], "adam": ["epochs=2"],
    }.get(method, [])  # fmt: skip
    options = [part for pair in few for part in ("--set", f"options.{pair}")]
    arguments = ["fit", "few.parquet", "-e", "material", "--method", method, "--loss", loss, *options]
    assert run([*arguments, "--out", "run", "-q", "--no-report"]) == 0
    assert (here / "run/weights.csv").exists() and (here / "run/metrics.jsonl").read_text().count("\n") >= 1


def test_a_run_keeps_its_evaluation(here: Path) -> None:
    """Editing the evaluation, or a term of one's own, afterwards changes nothing about the run."""
    (here / "helper.py").write_text(
        "from evalcore.bitboards import file_fill\nfrom evalcore.compiled import primitive\n\n"
        "@primitive\ndef files(pawns):\n    return file_fill(pawns)\n"
    )
    (here / "mine.py").write_text(
        "from evalcore.term import WHOLE, term\nfrom helper import files\n\n"
        "@term(WHOLE, page='none')\ndef rook_by_pawns(us):\n    return us.rooks & files(us.pawns)\n"
    )
    (here / "engine.toml").write_text(
        'extends = "material"\n[[term]]\nname = "mine.py:rook_by_pawns"\nmg = -5.5\n'
    )
    assert run(["fit", "-e", "engine.toml", "--out", "run", "-q", "--no-report"]) == 0
    assert run(["export", "run", "--to", "csv", "-o", "before.csv"]) == 0
    for name in ("engine.toml", "mine.py", "helper.py"):
        (here / name).unlink()
    assert run(["export", "run", "--to", "csv", "-o", "after.csv"]) == 0
    assert (here / "before.csv").read_bytes() == (here / "after.csv").read_bytes()
    assert "rook_by_pawns" in (here / "after.csv").read_text()


def test_readme_jobs_are_jobs() -> None:
    """Every TOML block of the README that is no evaluation is a valid job."""
    text = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    blocks = [block.partition("```")[0] for block in text.split("```toml\n")[1:]]
    jobs = [tomllib.loads(block) for block in blocks if "[[term]]" not in block]
    assert jobs
    for job in jobs:
        make_job(**job)
