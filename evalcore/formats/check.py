"""Labels are checked on every import, against the point of view and the unit that they are read with.

A file is looked at from its beginning to its end, as files are joined; see `agreement` for what is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ..errors import FormatError
from ..positions import Positions
from .agreement import AGAINST, Agreement, PovReport, Verdict, check_point_of_view, suspicious
from .base import ReadOptions

ROWS_LOOKED_AT = 20_000
"""Rows at the beginning of a file, which are all looked at."""
LATER_ROWS, LATER_STEP = 40_000, 40
"""Later rows that are judged together, and of how many one is looked at: a thousand is enough, and fast."""


def objections(report: PovReport, options: ReadOptions) -> Iterator[tuple[Verdict, str]]:
    """What speaks against the declared point of view or unit, and how sure it is."""
    for each, option, declared in (
        (report.result, "result_pov", options.result_pov),
        (report.score, "score_pov", options.score_pov),
    ):
        if each.verdict in ("contradicts", "doubtful"):
            yield each.verdict, f"{each}: {_looks(each, option, declared)}"
    if report.unit_verdict in ("contradicts", "doubtful"):
        yield (
            report.unit_verdict,
            f"scores of {report.pawn_score:.3g} for a pawn of material are no centipawns; give a score_unit",
        )


def _looks(found: Agreement, option: str, declared: str) -> str:
    """What the labels look like."""
    if not found.turn_known and not found.white.value < AGAINST:
        return "those of the mover go with the mover's material, so they may be White's"
    other = "white" if declared == "side-to-move" else "side-to-move"
    looks = "wins and losses exchanged" if found.white.value < AGAINST else other
    return f"read with {option} {declared}, they look like {looks}"


def checked(path: Path, blocks: Iterable[Positions], options: ReadOptions) -> Iterator[Positions]:
    """The same blocks, after a look at them: FormatError where they contradict the options.

    What is only doubtful goes to `options.rejects.warnings`, what was seen in the first rows to
    `options.rejects.seen`.
    """
    waiting: list[Positions] = []
    row, looked = 0, False
    for block in blocks:
        begin = max(ROWS_LOOKED_AT - row, 0)
        if not looked:
            waiting.append(block)
            looked = len(block) >= begin
            if looked:
                look_at(path, waiting, options)
                yield from waiting[:-1]
        look_on(path, block.select(slice(begin, None)), row + begin, options)
        row += len(block)
        if looked:
            yield block
    if not looked:
        look_at(path, waiting, options)
        yield from waiting


def look_at(path: Path, blocks: list[Positions], options: ReadOptions) -> None:
    """Judges the first rows of a file, and remembers what was seen."""
    begin = slice(0, ROWS_LOOKED_AT)
    rows = Positions.concatenate([*blocks[:-1], *(each.select(begin) for each in blocks[-1:])])
    report = _report_on(path, rows.select(begin), options)
    options.rejects.seen[str(path)] = report.lines()
    _raise_or_warn(path, report, options, "")


def look_on(path: Path, block: Positions, first: int, options: ReadOptions) -> None:
    """Judges later rows, of which `first` is the number of the first one."""
    for start in range(0, len(block), LATER_ROWS):
        some = block.select(slice(start, start + LATER_ROWS, LATER_STEP))
        if suspicious(some):
            report = _report_on(path, some, options)
            _raise_or_warn(path, report, options, f"from position {first + start + 1:,} on: ", warn=False)


def _report_on(path: Path, rows: Positions, options: ReadOptions) -> PovReport:
    return check_point_of_view(rows.without(options.rejects.lost.get(str(path), ())))


def _raise_or_warn(
    path: Path, report: PovReport, options: ReadOptions, where: str, *, warn: bool = True
) -> None:
    for sureness, words in objections(report, options):
        if sureness == "contradicts":
            raise FormatError(path, None, f"{where}{words} (or read without the check)")
        if warn:
            options.rejects.warnings.append(f"{path}: {where}{words}")
