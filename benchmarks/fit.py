"""Every optimizer on the same positions from the same start: time and passes to within 1e-4, 1e-6, 1e-8.

The table an author reads to choose a method. "Within" is the objective's distance from the optimum, as a
share of the optimum. What each method says of its own distance is checked against the true one.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from evalcore.errors import InputError
from tuner.cli.text import table
from tuner.job import make_job
from tuner.objectives import DataObjective
from tuner.optimizers import OPTIMIZERS, Minimum, Step
from tuner.problem import prepare

SIZE = 100_000
LEVELS = (1e-4, 1e-6, 1e-8)
HEADER = (
    "method", "loss", "seconds", "passes", "left", *(f"within {level:g}" for level in LEVELS), "why it ended",
)  # fmt: skip


def run(sizes: list[int] | None = None) -> None:
    """Prints one table for each size."""
    for size in sizes or [SIZE]:
        print(f"{size:,} positions of the sample, evaluation default, ridge 1, options as they are")
        objectives = {loss: objective_of(loss, size) for loss in ("squared", "cross-entropy", "linear")}
        optima = {loss: optimum(objective) for loss, objective in objectives.items()}
        rows = []
        for method in OPTIMIZERS:
            for loss in ("linear",) if method == "linear" else ("squared", "cross-entropy"):
                rows.append(one_fit(method, loss, objectives[loss], optima[loss]))
        print(table(rows, HEADER, left=2))


def objective_of(loss: str, size: int) -> DataObjective:
    """The objective of `tuner fit` on some of the sample, none held out."""
    whole = prepare(make_job(loss=loss, validation=0.0, errors=False)).objective
    return whole.sample(size) if size < len(whole) else whole


def optimum(objective: DataObjective) -> float:
    """The least value, by Newton's method to the last digits."""
    start = objective.parameters.start
    end = OPTIMIZERS["newton"](tolerance=1e-10).minimize(
        objective, start, rng=np.random.default_rng(1), observe=lambda step: None
    )
    assert end.converged
    return float(end.value)


def one_fit(method: str, loss: str, objective: DataObjective, best: float) -> list[Any]:
    """A row of the table; asserts that the method's claim about its end is true."""
    seen: list[tuple[float, float, float]] = []
    began = time.perf_counter()

    def observe(step: Step) -> None:
        seen.append((step.value, step.passes, time.perf_counter() - began))

    start = objective.parameters.start
    try:
        end: Minimum = OPTIMIZERS[method]().minimize(
            objective, start, rng=np.random.default_rng(1), observe=observe
        )
    except InputError as error:  # a package that is not installed
        return [method, loss, *[""] * 6, str(error)]
    seconds = time.perf_counter() - began
    left = max(0.0, (end.value - best) / best)
    assert left <= 1e-7 or 0.5 < end.gap / (left * best) < 2.0, f"{method} claims a gap of {end.gap}"
    assert not end.converged or left < 2e-8, f"{method} claims to have arrived"
    reached = [_first(seen, best * (1.0 + level)) for level in LEVELS]
    why = end.message.split(";")[0].split(", stopped at")[0]
    return [method, loss, f"{seconds:.1f}", f"{end.passes:.0f}", f"{left:.0e}", *reached, why]


def _first(seen: list[tuple[float, float, float]], value: float) -> str:
    """Seconds and passes until the first step at or below a value."""
    for found, passes, seconds in seen:
        if found <= value:
            return f"{seconds:.1f} s, {passes:.0f}"
    return "–"
