"""Whether labels are from the point of view, and in the unit, that they are said to be.

Among the positions with Black to move, White's results and scores go with White's material; labels of the
side to move go against it. In real data a few hundred such positions tell the two apart without fail: the
correlation is above 0.4 one way and below -0.4 the other. With White to move both go with it; labels that
go against it there have wins and losses exchanged. Positions of one game share its result, so errors of
correlations are clustered by game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..positions import NO_GAME, Positions
from .base import Mask

Verdict = Literal["agrees", "doubtful", "contradicts", "unknown"]

PAWN_VALUES = {"pawns": 1, "knights": 3, "bishops": 3, "rooks": 5, "queens": 9}
FEWEST = 3
"""Positions of one side to move below which nothing is said."""
AGAINST = -0.2
"""Correlation below which labels go against the material."""
UNRELATED = 0.15
"""Correlation below which labels do not go with the material."""
SURE = 4.0
"""Standard errors that make a correlation of chance out of the question."""
FEW_GROUPS = 20
"""Games (positions where games are not named) below which nothing is sure."""
PAWN_SCORE = 5.0
LARGE_SCORE = 1000.0
"""Centipawns of score for a pawn of material, below and above which the unit must be another one."""
FEW_FOR_UNITS = 200


@dataclass(frozen=True)
class Correlation:
    """Pearson's, NaN where one of the two does not vary; `error` is clustered, `groups` the clusters."""

    rows: int
    value: float
    error: float
    groups: int

    @property
    def against(self) -> Verdict:
        """Whether the two go against each other."""
        if np.isnan(self.value):
            return "unknown"
        if self.value >= AGAINST:
            return "agrees" if self.value > 0 else "unknown"
        sure = self.groups >= FEW_GROUPS and -self.value > SURE * self.error
        return "contradicts" if sure else "doubtful"

    @property
    def unrelated(self) -> bool:
        """Whether the two surely do not go together."""
        return self.groups >= FEW_GROUPS and self.value + SURE * self.error < UNRELATED


@dataclass(frozen=True)
class Agreement:
    """Correlation of a label with White's material, by side to move, and what follows from it.

    Where the side to move is not known, all rows are those of `white`: the mover is shown as White.
    """

    label: str
    white: Correlation
    black: Correlation
    turn_known: bool = True

    @property
    def verdict(self) -> Verdict:
        """Whether the labels can be White's (the mover's where the side to move is not known)."""
        verdicts = {self.white.against, self.black.against}
        if "contradicts" in verdicts:
            return "contradicts"
        if "doubtful" in verdicts:
            return "doubtful"
        if self.turn_known:
            return self.black.against
        return "doubtful" if self.white.unrelated else self.white.against

    def __str__(self) -> str:
        if not self.white.rows + self.black.rows:
            return f"{self.label}: none"
        if self.verdict == "unknown":
            return f"{self.label}: too few positions to tell the point of view"
        white, black = self.white, self.black
        if not self.turn_known:
            return (
                f"{self.label} with the mover's material: correlation {white.value:+.2f} over"
                f" {white.rows:,} positions ({self.verdict})"
            )
        return (
            f"{self.label} with White's material: correlation {white.value:+.2f} over"
            f" {white.rows:,} positions with White to move, {black.value:+.2f} over"
            f" {black.rows:,} with Black to move ({self.verdict})"
        )


@dataclass(frozen=True)
class PovReport:
    """What labels say about their own point of view and unit.

    `pawn_score` is the score in centipawns that goes with a pawn of material, NaN where unknown; `groups`
    is the number of games (positions, where games are not named).
    """

    result: Agreement
    score: Agreement
    pawn_score: float
    groups: int

    @property
    def unit_verdict(self) -> Verdict:
        """Whether scores can be centipawns."""
        if np.isnan(self.pawn_score):
            return "unknown"
        if PAWN_SCORE < self.pawn_score < LARGE_SCORE:
            return "agrees"
        return "contradicts" if self.groups >= FEW_GROUPS else "doubtful"

    def lines(self) -> list[str]:
        """What was seen, in words."""
        unit = (
            [] if np.isnan(self.pawn_score) else [f"score for a pawn of material: {self.pawn_score:.0f} cp"]
        )
        return [str(self.result), str(self.score), *unit]


def material(positions: Positions) -> NDArray[np.int64]:
    """White minus Black in pawns, with the usual 1 3 3 5 9."""
    balance = np.zeros(len(positions), np.int64)
    for name, value in PAWN_VALUES.items():
        men = getattr(positions, name)
        ours = np.bitwise_count(men & positions.white).astype(np.int64)
        balance += value * (2 * ours - np.bitwise_count(men))
    return balance


def groups_of(positions: Positions) -> NDArray[np.int64]:
    """A number for the game of each row; a row of no game is a group of its own."""
    game = positions.game.astype(np.int64)
    return np.where(positions.game == NO_GAME, int(NO_GAME) + np.arange(len(game)), game)


def correlation(
    one: NDArray[np.float64], other: NDArray[np.float64], group: NDArray[np.int64]
) -> Correlation:
    """Of two columns; the error is that of the mean influence of a group."""
    rows = len(one)
    numbers, of_row = np.unique(group, return_inverse=True)
    groups = len(numbers)
    if rows < FEWEST or np.ptp(one) == 0 or np.ptp(other) == 0:
        return Correlation(rows, float("nan"), float("nan"), groups)
    u, v = ((each - each.mean()) / each.std() for each in (one, other))
    value = float((u * v).mean())
    influence = np.bincount(of_row, u * v - 0.5 * value * (u * u + v * v), groups)
    clustered = np.sqrt((influence**2).sum() * groups / max(groups - 1, 1)) / rows
    return Correlation(rows, value, max(float(clustered), rows**-0.5), groups)


def agreement(
    label: str,
    values: NDArray[np.float32],
    balance: NDArray[np.int64],
    white: Mask,
    group: NDArray[np.int64],
    turn_known: bool,
) -> Agreement:
    """The correlations of one label, in White's view, with the material."""
    known = np.isfinite(values)
    whites, blacks = (
        correlation(values[rows].astype(np.float64), balance[rows].astype(np.float64), group[rows])
        for rows in (known & white, known & ~white)
    )
    return Agreement(label, whites, blacks, turn_known)


def product(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """The inner product, without BLAS: its threads would wait busily while others read."""
    return float((one * other).sum())


def pawn_score(positions: Positions, balance: NDArray[Any]) -> float:
    """Slope of scores by material where the two go together, else NaN."""
    known = np.isfinite(positions.score) & (np.abs(balance) <= 9)
    scores, pawns = positions.score[known].astype(np.float64), balance[known].astype(np.float64)
    if len(scores) < FEW_FOR_UNITS or np.ptp(scores) == 0 or np.ptp(pawns) == 0:
        return float("nan")
    pawns -= pawns.mean()
    slope = product(pawns, scores) / product(pawns, pawns)
    return slope if slope * pawns.std() > 0.3 * scores.std() else float("nan")


def check_point_of_view(positions: Positions) -> PovReport:
    """Looks at positions whose labels are meant to be White's, in centipawns."""
    balance, white, group = material(positions), positions.white_to_move, groups_of(positions)
    turn_known = "white_to_move" not in positions.unknown
    return PovReport(
        agreement("results", positions.result, balance, white, group, turn_known),
        agreement("scores", positions.score, balance, white, group, turn_known),
        pawn_score(positions, balance),
        len(np.unique(group)),
    )


def suspicious(rows: Positions) -> bool:
    """Whether a closer look is worth its time: ten times faster than a report."""
    balance, white = material(rows).astype(np.float64), rows.white_to_move
    for values in (rows.result, rows.score):
        known = np.isfinite(values)
        for some in (known & white, known & ~white):
            if some.any() and _goes_against(values[some].astype(np.float64), balance[some]):
                return True
    slope = pawn_score(rows, balance)
    return not (np.isnan(slope) or PAWN_SCORE < slope < LARGE_SCORE)


def _goes_against(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    one, other = one - one.mean(), other - other.mean()
    return product(one, other) < AGAINST * float(np.sqrt(product(one, one) * product(other, other)))
