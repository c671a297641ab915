"""run(job): the folder it writes, what it refuses, and that a killed run goes on as if it had not been."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playouts import random_games

from evalcore.errors import FormatError, InputError, UnknownName
from evalcore.formats import write_positions
from evalcore.positions import NO_GAME, Positions
from evalcore.weights import load_weights
from tuner.folder import is_finished, next_folder, open_run
from tuner.job import Job, make_job, read_job
from tuner.progress import Progress
from tuner.run import Fit, run

FILES = [
    "calibration.csv", "covariance.npz", "inference.json", "job.toml", "losses.csv", "metrics.jsonl",
    "pieces.csv", "residuals.csv", "rounded.json", "summary.json", "terms.csv", "weights.csv",
    "weights.json", "worst.csv",
]  # fmt: skip


@pytest.fixture(scope="module")
def positions() -> Positions:
    return random_games()


@pytest.fixture(scope="module")
def data(positions: Positions, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "games.parquet"
    write_positions(positions, path)
    return path


def job(data: Path, *settings: str, **given: object) -> Job:
    return make_job(settings, **{"data": [str(data)], "evaluation": "material", "threads": 1, **given})


@pytest.fixture(scope="module")
def fitted(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Fit:
    return run(job(data), tmp_path_factory.mktemp("runs") / "one")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def folder_of(fit: Fit) -> Path:
    assert fit.folder is not None
    return fit.folder


# --- what a run leaves behind -------------------------------------------------------------------------


def test_a_run_folder_holds_these_files_and_no_others(fitted: Fit) -> None:
    assert sorted(contents(folder_of(fitted))) == FILES
    assert is_finished(folder_of(fitted))


def test_the_job_in_the_folder_is_the_job(fitted: Fit) -> None:
    assert open_run(folder_of(fitted)) == fitted.job
    assert read_job(folder_of(fitted) / "job.toml") == fitted.job


def test_weights_in_the_folder_are_the_fitted_ones(fitted: Fit) -> None:
    folder, layout = folder_of(fitted), fitted.evaluation.layout
    np.testing.assert_array_equal(load_weights(folder / "weights.json", layout).values, fitted.fitted.values)
    rounded = load_weights(folder / "rounded.json", layout).values
    np.testing.assert_array_equal(rounded, np.rint(fitted.fitted.values))
    table = pd.read_csv(folder / "weights.csv", keep_default_na=False)
    np.testing.assert_allclose(table[["mg", "eg"]], fitted.fitted.values, rtol=1e-12)
    assert table["term"].tolist() == [term for term, _ in layout.names]
    np.testing.assert_array_equal(table["count"], fitted.occurrences)


def test_metrics_are_one_line_a_step(fitted: Fit) -> None:
    lines = [json.loads(line) for line in (folder_of(fitted) / "metrics.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == list(range(fitted.minimum.steps + 1))
    assert lines[-1]["train"] == pytest.approx(fitted.losses["fitted"].train, rel=1e-12)
    assert lines[-1]["validation"] == pytest.approx(fitted.losses["fitted"].validation, rel=1e-12)
    objective = [line["objective"] for line in lines]
    assert objective == sorted(objective, reverse=True)


def test_the_summary_has_the_promised_keys(fitted: Fit, positions: Positions) -> None:
    summary = fitted.summary()
    assert list(summary) == [
        "run", "positions", "games", "terms", "parameters", "k", "loss", "passes", "converged",
        "relative_gradient", "seconds",
    ]  # fmt: skip
    assert summary["positions"] == len(positions)
    assert (summary["games"], summary["terms"], summary["parameters"]) == (60, 5, 10)
    assert set(summary["loss"]) == {"start", "fitted", "rounded"}
    assert set(summary["seconds"]) == {"compile", "read", "extract", "fit", "errors"}
    json.dumps(summary)


def test_the_fit_is_better_than_the_start_and_rounding_costs_little(fitted: Fit) -> None:
    start, end, rounded = (fitted.losses[name].train for name in ("start", "fitted", "rounded"))
    assert end < start
    assert abs(rounded - end) < 1e-5
    assert fitted.minimum.converged


def test_running_twice_gives_the_same_bytes(fitted: Fit, data: Path, tmp_path: Path) -> None:
    again = run(job(data), tmp_path / "two")
    assert contents(folder_of(again)) == contents(folder_of(fitted))


def test_another_number_of_threads_gives_the_same_numbers(fitted: Fit, data: Path) -> None:
    other = run(job(data, threads=2))
    np.testing.assert_array_equal(other.fitted.values, fitted.fitted.values)


def test_every_fit_tells_kendalls_tau(fitted: Fit) -> None:
    """Against scipy, on the held-out rows."""
    from scipy.stats import kendalltau

    from tuner.problem import prepare

    problem = prepare(fitted.job)
    assert problem.held_out is not None
    for name, weights in (("start", fitted.evaluation.start), ("fitted", fitted.fitted)):
        scores = problem.held_out.features.scores(weights.values.astype(float))
        expected = kendalltau(scores, problem.held_out.target, variant="b").statistic
        assert fitted.losses[name].tau == pytest.approx(expected, abs=1e-9)


def test_a_job_file_says_everything_the_keywords_say(fitted: Fit, data: Path, tmp_path: Path) -> None:
    file = tmp_path / "job.toml"
    file.write_text(f'data = ["{data}"]\nevaluation = "material"\nthreads = 1\n')
    np.testing.assert_array_equal(run(read_job(file)).fitted.values, fitted.fitted.values)


def test_all_rows_in_training(data: Path, positions: Positions) -> None:
    fit = run(job(data, validation=0))
    assert fit.losses["fitted"].validation is None
    assert fit.positions == len(positions)


def test_scores_as_targets(data: Path) -> None:
    fit = run(job(data, result_share=0, score_k=1.0, k=1.0, ridge=1e-3))
    assert (fit.score_k, fit.k) == (1.0, pytest.approx(1.0))
    assert abs(fit.fitted["material_queen", ""][0]) < 400  # from 980: these scores are noise


def test_frozen_weights_stay(data: Path) -> None:
    fit = run(job(data, freeze=["material_pawn", "material_rook.eg"]))
    start = fit.evaluation.start
    assert fit.fitted["material_pawn", ""] == start["material_pawn", ""]
    assert fit.fitted["material_rook", ""][1] == start["material_rook", ""][1]
    assert fit.fitted["material_rook", ""][0] != start["material_rook", ""][0]
    assert fit.parameters.size == 7


def test_a_large_ridge_holds_the_start(data: Path) -> None:
    fit = run(job(data, ridge=1e6))
    np.testing.assert_allclose(fit.fitted.values, fit.evaluation.start.values, atol=1e-3)


def test_a_fit_starts_from_given_weights(fitted: Fit, data: Path) -> None:
    given = folder_of(fitted) / "weights.json"
    fit = run(job(data, weights=str(given), k=fitted.k))
    assert fit.losses["start"].train == pytest.approx(fitted.losses["fitted"].train, rel=1e-12)


def test_listeners_hear_every_stage(data: Path) -> None:
    heard: list[Progress] = []
    run(job(data), listen=heard.append)
    stages = [progress.stage for progress in heard]
    assert list(dict.fromkeys(stages)) == [
        "compiling the evaluation's terms", "reading positions", "extracting features", "fitting",
        "computing standard errors",
    ]  # fmt: skip
    assert all(progress.losses for progress in heard if progress.step)


# --- what a run refuses -------------------------------------------------------------------------------


def with_labels(data: Path, positions: Positions, **labels: object) -> Path:
    path = data.parent / f"{'-'.join(labels)}-{len(list(data.parent.iterdir()))}.parquet"
    write_positions(positions.replace(**labels), path)
    return path


def test_one_game_cannot_be_split(data: Path, positions: Positions) -> None:
    one = with_labels(data, positions, game=np.zeros(len(positions)))
    with pytest.raises(InputError, match=r"are of one game, which cannot be split.*set validation=0"):
        run(job(one))
    assert run(job(one, validation=0)).games == 1


def test_all_draws_say_what_cannot_be_fitted(data: Path, positions: Positions) -> None:
    draws = with_labels(data, positions, result=np.full(len(positions), 0.5))
    with pytest.raises(InputError, match=r"all [\d,]+ results are draws: .*neither K nor any weight"):
        run(job(draws))


def test_no_labels_are_named(data: Path, positions: Positions) -> None:
    unknown = with_labels(data, positions, result=np.full(len(positions), np.nan))
    with pytest.raises(InputError, match=r"none of the [\d,]+ positions has a result"):
        run(job(unknown))


def test_labels_from_the_wrong_side_are_recognised(data: Path, positions: Positions) -> None:
    flipped = with_labels(data, positions, result=1 - positions.result)
    with pytest.raises(InputError, match=r"wins and losses exchanged|K runs away to 0"):
        run(job(flipped))


def test_positions_without_a_label_are_left_out_and_counted(data: Path, positions: Positions) -> None:
    some = positions.result.copy()
    some[:100] = np.nan
    fit = run(job(with_labels(data, positions, result=some)))
    assert fit.positions == len(positions) - 100
    assert any("100 positions have no label" in note for note in fit.notes)


def test_unknown_games_are_grouped_by_board_and_said_so(data: Path, positions: Positions) -> None:
    fit = run(job(with_labels(data, positions, game=np.full(len(positions), NO_GAME))))
    assert fit.games is None
    assert any("no game ids" in note for note in fit.notes)


def test_weights_that_no_position_has_are_named(data: Path, positions: Positions) -> None:
    queenless = positions.select(positions.queens == 0)
    assert not len(queenless) or len(queenless) < len(positions)
    bare = positions.replace(queens=np.zeros(len(positions)), white=positions.white & ~positions.queens)
    path = data.parent / "bare.parquet"
    write_positions(bare, path)
    fit = run(job(path))
    assert fit.parameters.size == 8
    assert fit.fitted["material_queen", ""] == fit.evaluation.start["material_queen", ""]
    assert any(
        "1 weight keeps its start, no position has a difference in it: material_queen" in note
        for note in fit.notes
    )


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"freeze": [f"material_{man}" for man in ("pawn", "knight", "bishop", "rook", "queen")]},
         InputError, "nothing to fit"),
        ({"freeze": ["material_pwn"]}, UnknownName, "material_pawn"),
        ({"loss": "sqared"}, UnknownName, "squared"),
        ({"method": "texl"}, UnknownName, "texel"),
        ({"evaluation": "materiel"}, InputError, "material"),
        ({"options": {"tolerence": 1}}, UnknownName, "tolerance"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_one_sentence(
    data: Path, given: dict[str, object], error: type[InputError], message: str
) -> None:
    with pytest.raises(error, match=message) as caught:
        run(job(data, **given))
    assert "\n" not in str(caught.value)


def test_weights_of_another_evaluation_are_refused(data: Path, fitted: Fit) -> None:
    with pytest.raises(FormatError, match=r"belongs to another evaluation .*missing: psqt"):
        run(job(data, evaluation="psqt", weights=str(folder_of(fitted) / "weights.json")))


def test_missing_data_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nosuch"):
        run(job(tmp_path / "nosuch.epd"))


def test_a_folder_with_a_run_is_not_overwritten(data: Path, fitted: Fit) -> None:
    before = contents(folder_of(fitted))
    with pytest.raises(InputError, match="holds a run already"):
        run(job(data), folder_of(fitted))
    assert contents(folder_of(fitted)) == before


def test_a_file_where_a_folder_should_be(data: Path) -> None:
    with pytest.raises(InputError, match="is a file"):
        run(job(data), data)


def test_a_folder_without_a_run_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no run folder"):
        open_run(tmp_path)


def test_run_folders_are_numbered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert next_folder("quiet") == Path("runs/quiet-1")
    Path("runs/quiet-1").mkdir(parents=True)
    assert next_folder("quiet") == Path("runs/quiet-2")


# --- killed and resumed -------------------------------------------------------------------------------

KILLED_AT = """
import os, signal, sys
from pathlib import Path
from tuner import folder
from tuner.job import read_job
from tuner.run import run

last_checkpoint, killed = int(sys.argv[3]), int(sys.argv[4])
folder.CHECKPOINT_SECONDS = 0.0 if last_checkpoint >= 0 else 1e9

def listen(progress):
    if progress.step and progress.step.number >= last_checkpoint:
        folder.CHECKPOINT_SECONDS = 1e9
    if progress.step and progress.step.number >= killed:
        os.kill(os.getpid(), signal.SIGKILL)

run(read_job(sys.argv[1]), Path(sys.argv[2]), listen=listen)
"""


@pytest.fixture(scope="module")
def long_job(data: Path) -> Job:
    return job(data, ridge=1e-4, options={"sample_rows": 40, "corrections": 2, "tolerance": 1e-10})


@pytest.fixture(scope="module")
def unbroken(long_job: Job, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unbroken") / "run"
    assert run(long_job, folder).minimum.steps > 8
    return folder


def killed_run(long_job: Job, tmp_path: Path, checkpoint: int, killed: int) -> Path:
    (tmp_path / "job.toml").write_text(long_job.to_toml())
    folder = tmp_path / "run"
    arguments = [str(tmp_path / "job.toml"), str(folder), str(checkpoint), str(killed)]
    command = [sys.executable, "-c", KILLED_AT, *arguments]
    ended = subprocess.run(command, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=False)
    assert ended.returncode == -signal.SIGKILL
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
@pytest.mark.parametrize(("checkpoint", "killed"), [(3, 3), (2, 6), (-1, 4)])
def test_a_killed_run_resumes_to_the_same_bytes(
    long_job: Job, unbroken: Path, tmp_path: Path, checkpoint: int, killed: int
) -> None:
    """Killed at the checkpoint, some steps after it, and before the first one."""
    folder = killed_run(long_job, tmp_path, checkpoint, killed)
    assert (folder / "checkpoint.npz").exists() == (checkpoint >= 0)
    assert not is_finished(folder)
    fit = run(open_run(folder), folder, resume=True)
    assert contents(folder) == contents(unbroken)
    assert fit.minimum.converged


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_run_is_not_resumed_on_other_data(
    long_job: Job, positions: Positions, data: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.parquet"
    write_positions(positions, mine)
    folder = killed_run(long_job.model_copy(update={"data": (str(mine),)}), tmp_path, 2, 3)
    mine.unlink()
    write_positions(
        positions.replace(result=np.where(np.arange(len(positions)) < 9, 0.5, positions.result)), mine
    )
    with pytest.raises(InputError, match="the data have changed"):
        run(open_run(folder), folder, resume=True)


def test_a_broken_checkpoint_is_named(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    fit = run(job(data), folder)
    (folder / "weights.json").unlink()
    (folder / "checkpoint.npz").write_bytes(b"PK\x03\x04 half a file")
    with pytest.raises(FormatError, match=r"checkpoint.npz: is no checkpoint"):
        run(fit.job, folder, resume=True)
