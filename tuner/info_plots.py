"""Pictures of a set of positions, one SVG file each: `tuner data info --plots DIR`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError

from .info import Info, k_of
from .report.theme import INK, LINE, MUTED, ONE, TWO, Picture, finished, legend, new_figure
from .scale import win_probability

Floats = NDArray[np.float64]

PLY_BIN, SCORE_BIN = 10, 50
FAR = 1000
"""Centipawns beyond which scores are shown together."""
FEWEST = 30
"""Rows below which a bin has no point."""
MATERIALS = 15
ROW = 24.0
HEADROOM = 1.18


def bars(values: Any, counts: Any, xlabel: str, title: str, width: float = 0.85) -> Picture:
    """Share of the positions, in percent, by a number."""
    figure, axes = new_figure()
    axes.bar(values, 100 * np.asarray(counts) / max(np.sum(counts), 1), width=width, color=ONE)
    axes.grid(False, axis="x")
    axes.set(xlabel=xlabel, ylabel="positions, %")
    return finished(figure, title)


def phases(info: Info) -> Picture:
    """How many positions have which phase."""
    return bars(np.arange(25), info.phases, "phase: 24 opening … 0 pawns only", "Positions by phase")


def men(info: Info) -> Picture:
    """How many positions have how many men."""
    return bars(np.arange(2, 33), info.men[2:], "men on the board", "Positions by number of men")


def plies(info: Info) -> Picture | None:
    """How many positions are how far into the game."""
    bins = info.plies // PLY_BIN
    if not bins.any():
        return None
    counts = np.bincount(bins)
    middles = PLY_BIN * (np.arange(len(counts)) + 0.5)
    return bars(middles, counts, "ply", "Positions by ply", 0.85 * PLY_BIN)


def scores(info: Info) -> Picture | None:
    """How many positions have which score; the outer bars hold everything beyond."""
    known = info.labels[np.isfinite(info.labels[:, 1]), 1]
    if not len(known):
        return None
    edges = np.arange(-FAR, FAR + SCORE_BIN, SCORE_BIN)
    inside = np.clip(known, -FAR + SCORE_BIN / 2, FAR - SCORE_BIN / 2)
    counts, _ = np.histogram(inside, edges)
    label = f"score, centipawns for White (the ends: {FAR} and more)"
    return bars(edges[:-1] + SCORE_BIN / 2, counts, label, "Positions by score", 0.85 * SCORE_BIN)


def results(info: Info) -> Picture | None:
    """Won, drawn and lost by White, by ply."""
    result, bins = info.labels[:, 0], info.plies // PLY_BIN
    if not (np.isfinite(result).any() and bins.any()):
        return None
    figure, axes = new_figure()
    rows = np.bincount(bins[np.isfinite(result)])
    usable = np.flatnonzero(rows >= FEWEST)
    for value, colour, name in ((1.0, ONE, "White wins"), (0.5, MUTED, "draw"), (0.0, TWO, "Black wins")):
        count = np.bincount(bins[result == value], minlength=len(rows))
        axes.plot(PLY_BIN * (usable + 0.5), 100 * count[usable] / rows[usable], color=colour, label=name)
    axes.set(xlabel="ply", ylabel="positions, %", ylim=(0, None))
    axes.set_ylim(0, HEADROOM * axes.get_ylim()[1])
    legend(axes, ncols=3, loc="upper center", columnspacing=1.0, handlelength=1.2)
    return finished(figure, "Results by ply")


def calibration(info: Info) -> Picture | None:
    """Mean result of positions by their score, and the curve of the K that fits them."""
    labels = info.labels[np.isfinite(info.labels).all(axis=1)]
    if not len(labels):
        return None
    bins = np.rint(labels[:, 1] / SCORE_BIN).astype(int)
    inside = np.abs(bins) <= FAR // SCORE_BIN
    place, result = bins[inside] + FAR // SCORE_BIN, labels[inside, 0]
    rows = np.bincount(place)
    usable = np.flatnonzero(rows >= FEWEST)
    mean = np.bincount(place, result)[usable] / rows[usable]
    figure, axes = new_figure(height=300)
    if (k := k_of(info.labels)) is not None:
        at = np.linspace(-FAR, FAR, 201)
        axes.plot(at, 100 * win_probability(at, k), color=TWO, label=f"K = {k:.3f}")
    axes.plot(SCORE_BIN * usable - FAR, 100 * mean, "o", markersize=4, color=ONE, label="mean result")
    axes.set(xlabel="score, centipawns for White", ylabel="White's result, %", ylim=(-3, 103))
    legend(axes, loc="upper left")
    return finished(figure, "Results by score")


def materials(info: Info) -> Picture | None:
    """Won, drawn and lost by the side with more, for the most frequent materials."""
    rows = [row for row in info.material.most_frequent(MATERIALS) if row["won"] + row["drawn"] + row["lost"]]
    if not rows:
        return None
    rows.reverse()
    figure, axes = new_figure(width=560, height=70 + ROW * len(rows))
    known = np.array([[row[name] for name in ("won", "drawn", "lost")] for row in rows], float)
    shares: Floats = 100 * known / known.sum(axis=1, keepdims=True)
    left = np.zeros(len(rows))
    for column, (name, colour) in enumerate((("won", ONE), ("drawn", LINE), ("lost", TWO))):
        axes.barh(range(len(rows)), shares[:, column], left=left, color=colour, height=0.7, label=name)
        left += shares[:, column]
    total = max(info.rows, 1)
    for place, row in enumerate(rows):
        share = f"{100 * row['positions'] / total:.1f} %"
        axes.text(1.02, place, share, transform=axes.get_yaxis_transform(), va="center", color=INK, size=11)
    axes.set_yticks(range(len(rows)), [row["material"] for row in rows])
    axes.set(
        xlim=(0, 100),
        ylim=(-0.6, len(rows) + 0.9),
        xlabel="by the side named first (of equal ones: White), %",
    )
    axes.grid(False, axis="y")
    legend(axes, ncols=3, loc="upper center")
    return finished(figure, "Most frequent materials")


PICTURES: Mapping[str, Callable[[Info], Picture | None]] = {
    "results-by-ply": results,
    "results-by-score": calibration,
    "plies": plies,
    "phases": phases,
    "men": men,
    "scores": scores,
    "materials": materials,
}
"""Every picture by the name of its file; None where the labels it needs are missing."""


def write_pictures(info: Info, folder: Path) -> list[Path]:
    """Writes all pictures that the data allow. Raises InputError where matplotlib is not installed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: no folder can be made ({error.strerror})") from error
    return [picture.save(folder / f"{name}.svg") for name, picture in _drawn(info)]


def _drawn(info: Info) -> Iterator[tuple[str, Picture]]:
    for name, draw in PICTURES.items():
        if (picture := draw(info)) is not None:
            yield name, picture
