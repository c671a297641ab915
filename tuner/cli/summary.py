"""What `tuner fit` prints when it is done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..report import NEEDED, can_report
from ..verdict import warning
from .text import board, curve, side_by_side, table

if TYPE_CHECKING:
    from evalcore.weights import Weights

    from ..optimizers import Minimum
    from ..progress import Losses
    from ..run import Fit

PIECES = ("pawn", "knight", "bishop", "rook", "queen")
PHASES = ("mg", "eg")


def summary(fit: Fit) -> str:
    """Losses, piece values, tables and curves, and where everything was written."""
    parts = [
        _headline(fit),
        _losses(fit),
        _pieces(fit),
        _boards(fit.rounded),
        _curves(fit.rounded),
        *(f"note: {note}" for note in fit.notes),
        *(f"warning: {text}" for text in [warning(fit)] if text),
        _places(fit),
    ]
    return "\n\n".join(part for part in parts if part)


def _headline(fit: Fit) -> str:
    games = f" of {fit.games:,} games" if fit.games else ""
    seconds = sum(fit.seconds.values())
    return (
        f"{fit.positions:,} positions{games}, {len(fit.evaluation.terms)} terms, "
        f"{fit.parameters.size:,} free weights; K = {fit.k:.4f}\n"
        f"{_end(fit.minimum)} ({seconds:.1f} s in all)"
    )


def _end(minimum: Minimum) -> str:
    """How a minimisation ended; one without gradients does not know how near it is."""
    if np.isnan(minimum.gap):
        return f"Ended after {minimum.passes:.1f} passes, how near the optimum is not known"
    state = "Optimum reached" if minimum.converged else "NOT converged"
    return (
        f"{state} after {minimum.passes:.1f} passes: relative gradient {minimum.relative_gradient:.1e}, "
        f"objective within {minimum.gap:.1e} of the minimum"
    )


def _losses(fit: Fit) -> str:
    rows = [
        (
            name,
            *("" if each is None else f"{each:.7f}" for each in (found.train, found.validation)),
            _tau(found),
        )
        for name, found in fit.losses.items()
    ]
    return table(rows, (f"{fit.job.loss} loss", "train", "validation", "Kendall's tau"))


def _tau(found: Losses) -> str:
    return "" if found.tau is None else f"{found.tau:.4f}"


def _pieces(fit: Fit) -> str:
    """Piece values with the average of their square tables and mobility, as they occur in the data."""
    layout = fit.evaluation.layout
    rows = []
    for piece in PIECES:
        if f"material_{piece}" not in layout.slices:
            continue
        before = _whole_value(fit.evaluation.start, fit, piece)
        after = _whole_value(fit.fitted, fit, piece)
        rows.append((piece, *(f"{value:.0f}" for value in (*after, *before))))
    header = ("piece value (cp)", "mg", "eg", "mg before", "eg before")
    return table(rows, header) if rows else ""


def _whole_value(weights: Weights, fit: Fit, piece: str) -> tuple[float, float]:
    value = weights.of_term(f"material_{piece}")[0].astype(float)
    for term in (f"psqt_{piece}", f"{piece}_mobility"):
        if term in weights.layout.slices:
            count = fit.occurrences[weights.layout.columns_of(term)]
            value = value + count @ weights.of_term(term) / max(count.sum(), 1)
    return float(value[0]), float(value[1])


def _boards(weights: Weights) -> str:
    shown = []
    for piece in ("knight", "king"):
        if (term := f"psqt_{piece}") in weights.layout.slices:
            mg, eg = weights.of_term(term).T.tolist()
            shown.append(f"{term}: mg left, eg right\n" + side_by_side(board(mg), board(eg)))
    return "\n\n".join(shown)


def _curves(weights: Weights) -> str:
    rows = []
    for term, labels in weights.layout.terms:
        if len(labels) > 3 and not term.startswith("psqt_"):
            mg, eg = weights.of_term(term).T.tolist()
            phases = zip(PHASES, (mg, eg), strict=True) if mg != eg else [("", mg)]
            for phase, values in phases:
                if np.ptp(values):
                    rows.append(
                        (f"{term} {phase}".strip(), curve(values), f"{min(values):.0f} … {max(values):.0f}")
                    )
    return table(rows, ("curve", "first to last label", "range (cp)"), left=2) if rows else ""


def _places(fit: Fit) -> str:
    if fit.folder is None:
        return ""
    return (
        f"written to {fit.folder}: weights.csv (all weights), weights.json (full precision), rounded.json,\n"
        f"metrics.jsonl (every step), job.toml (repeats this run){_page(fit.folder)}\n"
        f"next: tuner export {fit.folder} --to c-header -o weights.h"
    )


def _page(folder: Path) -> str:
    if (folder / "report.html").exists():
        return ", report.html (all of it as a page)"
    first = "" if can_report() else f"pip install {' '.join(NEEDED)}, then "
    return f"\nfor a page with pictures: {first}tuner report {folder}"
