"""Boards: piece-square tables as heat maps, and positions as diagrams."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from evalcore.term import SQUARES

from .series import Series
from .theme import BAD, GOOD, INK, LINE, MUTED, Picture, opening, variable

if TYPE_CHECKING:
    import pandas as pd

CELL, EDGE, CAPTION = 36, 18, 24
STRONGEST = 0.62
"""Opacity of the largest weight: numbers on it stay legible in both themes."""
PHASE_WORDS = {"mg": "midgame", "eg": "endgame", "both": "all phases"}


def heat_maps(series: Series) -> list[Picture]:
    """One board a phase, from White's side; colours are on one scale, relative to the mean of each board."""
    spread = max((_spread(series.rows, _column(phase)) for phase in series.phases), default=0.0) or 1.0
    return [heat_map(series, phase, spread) for phase in series.phases]


def heat_map(series: Series, phase: str, spread: float) -> Picture:
    """A board of weights in centipawns.

    Green is above the mean of the board, pink below. Numbers in grey are decided by the prior rather than
    the data, or never occur. Errors and counts are in the tooltips.
    """
    column, rows = _column(phase), series.rows
    assert series.squares is not None
    mean = float(rows[column].mean())
    title = f"{series.title}, {PHASE_WORDS[phase]}"
    size = 8 * CELL + EDGE
    cells = [
        _cell(square, rows.iloc[row], column, mean, spread)
        for square, row in enumerate(series.squares)
        if row >= 0
    ]
    text = (
        opening(title, size, size + CAPTION)
        + _text(EDGE + 4 * CELL, 15, title, variable(INK), 13)
        + "".join(cells)
        + _coordinates()
        + "</svg>"
    )
    return Picture(title, text, drawn=True)


def _column(phase: str) -> str:
    return "mg" if phase == "both" else phase


def _spread(rows: pd.DataFrame, column: str) -> float:
    return float((rows[column] - rows[column].mean()).abs().max())


def _place(square: int) -> tuple[int, int]:
    return EDGE + CELL * (square % 8), CAPTION + CELL * (7 - square // 8)


def _cell(square: int, row: pd.Series, column: str, mean: float, spread: float) -> str:
    value = float(row[column])
    x, y = _place(square)
    muted = _muted(row, column)
    share = STRONGEST * min(abs(value - mean) / spread, 1.0) * (0.55 if muted else 1.0)
    fill = variable(GOOD if value > mean else BAD)
    return (
        f"<g><title>{escape(_tooltip(square, row, column))}</title>"
        f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" style="fill:{fill};fill-opacity:{share:.3f};'
        f'stroke:{variable(LINE)};stroke-width:1"/>'
        + _text(x + CELL / 2, y + CELL / 2 + 4.5, _whole(value), variable(MUTED if muted else INK), 12.5)
        + "</g>"
    )


def _muted(row: pd.Series, column: str) -> bool:
    flags = str(row["flags"]).split("; ")
    return any(flag.removeprefix(f"{column} ") in ("prior", "unseen", "frozen") for flag in flags)


def _tooltip(square: int, row: pd.Series, column: str) -> str:
    error = row.get(f"{column}_se")
    reach = f" ± {error:.1f}" if error is not None and error == error else ""
    start, value = _whole(float(row[f"{column}_start"])), f"{row[column]:.1f}".replace("-", "−")
    return f"{SQUARES[square]}: {value}{reach}, from {start}; in {int(row['count']):,} positions"


def _whole(value: float) -> str:
    return f"{round(value)}".replace("-", "−")  # round gives an int, which has no −0


def _coordinates() -> str:
    files = "".join(
        _text(EDGE + CELL * (index + 0.5), CAPTION + 8 * CELL + 13, "abcdefgh"[index], variable(MUTED), 11)
        for index in range(8)
    )
    return files + "".join(
        _text(8, CAPTION + CELL * (index + 0.5) + 4, str(8 - index), variable(MUTED), 11)
        for index in range(8)
    )


def _text(x: float, y: float, text: str, fill: str, size: float) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" style="fill:{fill};font:{size}px system-ui,sans-serif;'
        f'text-anchor:middle">{escape(text)}</text>'
    )


def diagram(fen: str) -> str:
    """A position as an SVG of its own, White at the bottom."""
    import chess
    import chess.svg

    board = chess.Board(fen, chess960=True)
    check = board.king(board.turn) if board.is_check() else None
    drawn = str(chess.svg.board(board, check=check, size=None))
    label = f"Position {fen}"
    drawn = re.sub(r"<desc>.*?</desc>", "", drawn, flags=re.DOTALL)
    return drawn.replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)
