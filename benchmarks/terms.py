"""The cost of every term: microseconds a position, both sides, beyond describing the board.

The counts of some rows are checked against the Python bodies of the rules.
"""

from __future__ import annotations

import time

import numpy as np

from evalcore.drawing import marks
from evalcore.evaluation import Evaluation, make_evaluation
from evalcore.formats import read_positions
from evalcore.positions import Positions
from evalcore.term import Term
from evalcore.terms import TERMS, THEMES, terms_of
from tuner.cli.text import table
from tuner.sample import sample_path

ROWS = 100_000
CHECKED = 20
EXPENSIVE = 3.0
"""Microseconds a position; dearer terms must be marked."""


def run(sizes: list[int] | None = None) -> None:
    """Prints the table, dearest last, and the rate with every term on."""
    rows = (sizes or [ROWS])[0]
    positions = read_positions(str(sample_path())).select(slice(0, rows))
    describing = cost(_alone(TERMS["tempo"]), positions)
    found = []
    for theme in THEMES:
        for term in terms_of(theme):
            check(term, positions)
            microseconds = max(cost(_alone(term), positions) - describing, 0.0)
            found.append((microseconds, theme, term))
    lines = [
        (term.name, theme, len(term.labels), f"{microseconds:.3f}", _mark(microseconds, term))
        for microseconds, theme, term in sorted(found, key=lambda each: each[0])
    ]
    print(table(lines, ("term", "theme", "columns", "us a position", ""), left=2))
    everything = make_evaluation("everything", [(term, "tapered", 0, 0) for term in TERMS.values()])
    for threads in (1, 2):
        rate = 1e6 / cost(everything, positions, threads)
        size = f"all {len(TERMS)} terms, {len(everything.layout):,} columns"
        print(f"{size}, {threads} threads: {rate:,.0f} a second")


def cost(evaluation: Evaluation, positions: Positions, threads: int = 1) -> float:
    """Microseconds a position of the extraction, best of three after one to compile."""
    evaluation.extract(positions.select(slice(0, 100)), threads=threads)
    best = np.inf
    for _ in range(3):
        start = time.perf_counter()
        evaluation.extract(positions, threads=threads)
        best = min(best, time.perf_counter() - start)
    return float(best) / len(positions) * 1e6


def check(term: Term, positions: Positions) -> None:
    """Sums of counts against what the Python body says."""
    evaluation = _alone(term)
    some = positions.select(np.linspace(0, len(positions) - 1, CHECKED).astype(int))
    counted = evaluation.extract(some).dense().sum(axis=1)
    if term.partition.table is None and len(term.labels) == 1:
        for row in range(CHECKED):
            found = marks(term, some, row)
            assert counted[row] == found.white_number - found.black_number, term.name


def _alone(term: Term) -> Evaluation:
    return make_evaluation(term.name, [(term, "tapered", 0, 0)])


def _mark(microseconds: float, term: Term) -> str:
    if term.expensive:
        return "expensive"
    return "SHOULD BE MARKED EXPENSIVE" if microseconds > EXPENSIVE else ""
