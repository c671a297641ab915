"""The main job, stage by stage, at two sizes and with one and two threads.

Positions are those of the sample, repeated with a file's own text; every stage checks its answer: parsed
columns against the sample's, one pass against scipy, the fit against its certificate.
"""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from evalcore.evaluation import load_evaluation
from evalcore.fen import format_fens
from evalcore.formats import read_positions
from evalcore.positions import Positions
from tuner.cli.text import table
from tuner.job import make_job
from tuner.losses import Squared
from tuner.objectives import DataObjective
from tuner.parameters import make_parameters
from tuner.run import run as run_job
from tuner.sample import sample_path
from tuner.scale import slope

SIZES = (100_000, 1_000_000)
REPEATS = 3
RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}


def run(sizes: list[int] | None = None) -> None:
    """Prints the table."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        warm = Path(folder) / "warm.epd"
        write_epd(warm, 10_000)
        _in_fresh_process(whole_fit, warm, 10_000, 1)  # fills the cache of compiled code
        for size in sizes or SIZES:
            path = Path(folder) / f"{size}.epd"
            write_epd(path, size)
            for threads in (1, 2):
                rows += _in_fresh_process(stages, path, size, threads)
                rows += _in_fresh_process(whole_fit, path, size, threads)
    print(table(rows, ("stage", "positions", "threads", "seconds", "a second", "note"), left=1))


def write_epd(path: Path, size: int) -> None:
    """`size` EPD lines from the sample, repeated as often as needed."""
    sample = read_positions(str(sample_path()))
    labels = [RESULTS[result] for result in sample.result.tolist()]
    lines = [f'{fen} c9 "{label}";\n' for fen, label in zip(format_fens(sample, 4), labels, strict=True)]
    with path.open("w") as file:
        for start in range(0, size, len(lines)):
            file.writelines(lines[: size - start])


def stages(path: Path, size: int, threads: int) -> list[list[Any]]:
    """Parse, extract, one pass, and scipy's time for the same pass."""
    evaluation = load_evaluation("default")
    sample = read_positions(str(sample_path()))
    small = evaluation.extract(sample.select(slice(0, 1000)), threads=threads)
    read_positions(str(path), threads=threads) if size <= SIZES[0] else None
    parse, positions = _timed(lambda: read_positions(str(path), threads=threads))
    _check_columns(positions, sample)
    extract, features = _timed(lambda: evaluation.extract(positions, threads=threads))
    assert (features.dense(slice(0, 1000)) == small.dense()).all() if size <= SIZES[0] else True
    parameters = make_parameters(evaluation.start, occurrences=features.occurrences())
    objective = DataObjective(
        features, positions.result.astype(float), np.full(size, 1 / size), slope(1.0), Squared(),
        parameters, np.zeros(parameters.size), parameters.start,
    )  # fmt: skip
    one, (value, gradient) = _timed(lambda: objective.value_gradient(parameters.start))
    rows = [
        ["text to positions", f"{size:,}", threads, f"{parse:.2f}", _rate(size, parse), ""],
        ["extract default", f"{size:,}", threads, f"{extract:.2f}", _rate(size, extract), ""],
        ["value and gradient", f"{size:,}", threads, f"{one:.3f}", _rate(size, one), ""],
    ]
    if threads == 1:
        seconds, expected = _scipy_pass(features, objective, parameters.start)
        assert np.isclose(value, expected[0], rtol=1e-12)
        assert np.allclose(gradient, expected[1], rtol=1e-9, atol=1e-18)
        ratio = f"{seconds / one:.1f} times our pass"
        rows.append(
            ["  the same by scipy.sparse", f"{size:,}", 1, f"{seconds:.3f}", _rate(size, seconds), ratio]
        )
    return rows


def whole_fit(path: Path, size: int, threads: int) -> list[list[Any]]:
    """`run(job)` from the file to the certified optimum, with the memory it took."""
    before = _peak_megabytes()
    job = make_job(data=(str(path),), threads=threads)
    seconds, fit = _timed(lambda: run_job(job), repeats=1)
    assert fit.minimum.converged
    assert fit.losses["fitted"].train < fit.losses["start"].train
    peak = (_peak_megabytes() - before) * 1e6 / size
    note = f"{fit.minimum.passes:.0f} passes, {peak:.0f} MB above the imports per million positions"
    return [["whole fit", f"{size:,}", threads, f"{seconds:.1f}", _rate(size, seconds), note]]


def _scipy_pass(features: Any, objective: DataObjective, x: Any) -> tuple[float, Any]:
    matrix = features.to_scipy()
    transposed = matrix.T.tocsr()
    parameters, scale = objective.parameters, objective.scale
    weights = parameters.table(x).ravel()

    def value_gradient() -> tuple[float, Any]:
        z = scale * (matrix @ weights)
        value = float(objective.row_weight @ objective.loss.value(z, objective.target))
        slope_ = scale * objective.row_weight * objective.loss.gradient(z, objective.target)
        return value, parameters.pull_back((transposed @ slope_).reshape(-1, 2))

    return _timed(value_gradient)


def _check_columns(positions: Positions, sample: Positions) -> None:
    """The first rows are the sample's, men for men."""
    rows = slice(0, min(len(positions), len(sample)))
    for name in ("pawns", "kings", "white", "white_to_move", "castling_rights", "ep_square", "result"):
        assert (getattr(positions, name)[rows] == getattr(sample, name)[rows]).all(), name


def _timed(function: Callable[[], Any], repeats: int = REPEATS) -> tuple[float, Any]:
    """The best of some runs (after one that is not counted, to compile), and the last result."""
    result = function() if repeats > 1 else None
    best = np.inf
    for _ in range(repeats):
        start = time.perf_counter()
        result = function()
        best = min(best, time.perf_counter() - start)
    return float(best), result


def _rate(size: int, seconds: float) -> str:
    return f"{size / seconds / 1e6:.2f} M"


def _peak_megabytes() -> float:
    """The largest resident size of this process so far (not ru_maxrss, which a child inherits)."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def _in_fresh_process(function: Callable[..., list[list[Any]]], *arguments: Any) -> list[list[Any]]:
    """Runs with nothing left over from other sizes, so that peak memory means something."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)
