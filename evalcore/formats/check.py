"""Whether labels are from the point of view, and in the unit, that they are said to be.

Among the positions with Black to move, White's results and scores go with White's material; labels of the
side to move go against it. In real data a few hundred such positions tell the two apart without fail: the
correlation is above 0.4 one way and below -0.4 the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError
from ..positions import Positions
from .base import ReadOptions

Verdict = Literal["agrees", "doubtful", "contradicts", "unknown"]

PAWN_VALUES = {"pawns": 1, "knights": 3, "bishops": 3, "rooks": 5, "queens": 9}
FEWEST = 3
"""Positions with Black to move below which nothing is said."""
AGAINST = -0.2
"""Correlation below which labels go against the material."""
SURE = 4.0
"""Standard errors that make a correlation of chance out of the question."""
PAWN_SCORE = 5.0
LARGE_SCORE = 1000.0
"""Centipawns of score for a pawn of material, below and above which the unit must be another one."""
FEW_FOR_UNITS = 200
ROWS_LOOKED_AT = 20_000


@dataclass(frozen=True)
class Agreement:
    """Correlation of a label with White's material, by side to move, and what follows from it."""

    label: str
    white_rows: int
    white_correlation: float
    black_rows: int
    black_correlation: float
    verdict: Verdict

    def __str__(self) -> str:
        if not self.white_rows + self.black_rows:
            return f"{self.label}: none"
        if self.verdict == "unknown":
            return f"{self.label}: too few positions to tell the point of view"
        return (
            f"{self.label} with White's material: correlation {self.white_correlation:+.2f} over"
            f" {self.white_rows:,} positions with White to move, {self.black_correlation:+.2f} over"
            f" {self.black_rows:,} with Black to move ({self.verdict})"
        )


@dataclass(frozen=True)
class PovReport:
    """What labels say about their own point of view and unit.

    `pawn_score` is the score in centipawns that goes with a pawn of material, NaN where unknown.
    """

    result: Agreement
    score: Agreement
    pawn_score: float

    @property
    def unit_verdict(self) -> Verdict:
        """Whether scores can be centipawns."""
        if np.isnan(self.pawn_score):
            return "unknown"
        return "agrees" if PAWN_SCORE < self.pawn_score < LARGE_SCORE else "contradicts"

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


def correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Pearson's, NaN where one of the two does not vary."""
    if len(one) < FEWEST or np.ptp(one) == 0 or np.ptp(other) == 0:
        return float("nan")
    return float(np.corrcoef(one, other)[0, 1])


def agreement(
    label: str, values: NDArray[np.float32], balance: NDArray[np.int64], white: NDArray[np.bool_]
) -> Agreement:
    """The correlations of one label, in White's view, with the material."""
    known = ~np.isnan(values)
    rows = [known & white, known & ~white]
    found = [correlation(values[each].astype(np.float64), balance[each].astype(np.float64)) for each in rows]
    counts = [int(each.sum()) for each in rows]
    return Agreement(label, counts[0], found[0], counts[1], found[1], verdict(found[1], counts[1]))


def verdict(black: float, black_rows: int) -> Verdict:
    """What the correlation with Black to move says; a doubt where too few positions speak for being sure."""
    if np.isnan(black):
        return "unknown"
    if black >= AGAINST:
        return "agrees" if black > 0 else "unknown"
    return "contradicts" if -black * np.sqrt(black_rows) > SURE else "doubtful"


def pawn_score(positions: Positions, balance: NDArray[np.int64]) -> float:
    """Slope of scores by material where the two go together, else NaN."""
    known = ~np.isnan(positions.score) & (np.abs(balance) <= 9)
    scores, pawns = positions.score[known].astype(np.float64), balance[known].astype(np.float64)
    if known.sum() < FEW_FOR_UNITS or not correlation(scores, pawns) > 0.3:
        return float("nan")
    return float(np.polyfit(pawns, scores, 1)[0])


def check_point_of_view(positions: Positions) -> PovReport:
    """Looks at positions whose labels are meant to be White's, in centipawns."""
    balance, white = material(positions), positions.white_to_move
    return PovReport(
        agreement("results", positions.result, balance, white),
        agreement("scores", positions.score, balance, white),
        pawn_score(positions, balance),
    )


def objections(report: PovReport, options: ReadOptions) -> Iterator[tuple[Verdict, str]]:
    """What speaks against the declared point of view or unit, and how sure it is."""
    for each, option, declared in (
        (report.result, "result_pov", options.result_pov),
        (report.score, "score_pov", options.score_pov),
    ):
        if each.verdict in ("contradicts", "doubtful"):
            other = "white" if declared == "side-to-move" else "side-to-move"
            looks = "wins and losses exchanged" if each.white_correlation < AGAINST else other
            yield each.verdict, f"{each}: read with {option} {declared}, they look like {looks}"
    if report.unit_verdict == "contradicts":
        yield (
            "contradicts",
            f"scores of {report.pawn_score:.3g} for a pawn of material are no centipawns; give a score_unit",
        )


def checked(path: Path, blocks: Iterable[Positions], options: ReadOptions) -> Iterator[Positions]:
    """The same blocks, after a look at the first rows: FormatError where they contradict the options.

    What is only doubtful goes to `options.rejects.warnings`, what was seen to `options.rejects.seen`.
    """
    waiting: list[Positions] = []
    looked = False
    for block in blocks:
        if looked:
            yield block
            continue
        waiting.append(block)
        if sum(map(len, waiting)) >= ROWS_LOOKED_AT:
            look_at(path, waiting, options)
            looked = True
            yield from waiting
    if not looked:
        look_at(path, waiting, options)
        yield from waiting


def look_at(path: Path, blocks: list[Positions], options: ReadOptions) -> None:
    """Raises, warns or only remembers what the labels say."""
    report = check_point_of_view(Positions.concatenate(blocks).select(slice(0, ROWS_LOOKED_AT)))
    options.rejects.seen[str(path)] = report.lines()
    for sureness, words in objections(report, options):
        if sureness == "contradicts":
            raise FormatError(path, None, f"{words} (or read without the check)")
        options.rejects.warnings.append(f"{path}: {words}")
