"""What becomes of positions on their way into a file: rows it cannot hold, columns it does not carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from ..errors import InputError
from ..fen import format_fens
from ..positions import COLUMNS, Positions
from .base import Located, Mask, Rejects, Writer

BOARD_WORDS = {
    "white_to_move": "the side to move",
    "castling_rights": "castling rights",
    "ep_square": "en-passant squares",
}
"""What a reader of a file takes for the truth even where nobody knew it."""


@dataclass
class Saving:
    """Watches the rows that a writer is given; `finish` says what the file does not tell.

    Rows the format cannot hold raise InputError, unless `rejects` does not stop: then they are left out
    and counted there.
    """

    writer: Writer
    name: str
    rejects: Rejects
    rows: int = 0
    refused: set[str] = field(default_factory=set)
    dropped: Counter[str] = field(default_factory=Counter)
    invented: set[str] = field(default_factory=set)

    def positions(self, blocks: Iterable[Positions]) -> Iterator[Positions]:
        """The rows that can be written."""
        for block in blocks:
            left_out = np.zeros(len(block), np.bool_)
            for reason, rows in self._refused(block, left_out, None):
                self.rejects.drop_rows(reason, int(rows.sum()))
            yield self._watched(block.select(~left_out) if left_out.any() else block)
        self._refuse_nothing()

    def located(self, blocks: Iterable[Located]) -> Iterator[Located]:
        """As `positions`; each row that is left out is listed with its place."""
        for block in blocks:
            left_out = np.zeros(len(block.positions), np.bool_)
            for reason, rows in self._refused(block.positions, left_out, block):
                fens = format_fens(block.positions.select(rows))
                for place, fen in zip(block.places[rows].tolist(), fens, strict=True):
                    self.rejects.leave_out(block.source, place, reason, fen)
            kept = block.select(~left_out) if left_out.any() else block
            self._watched(kept.positions)
            yield kept
        self._refuse_nothing()

    def _refuse_nothing(self) -> None:
        if self.refused and not self.rows:
            reasons = " and ".join(sorted(self.refused))
            raise InputError(f"nothing can be written as {self.writer.name}: all positions have {reasons}")

    def finish(self) -> int:
        """The rows written; warns of what was known and is not written, and of what is and was not known."""
        if self.dropped:
            columns = ", ".join(name for name in COLUMNS if name in self.dropped)
            rows = max(self.dropped.values())
            self.rejects.warnings.append(
                f"{self.writer.name} does not carry {columns}: {self.name} lacks what {rows:,} positions had"
            )
        if self.invented:
            words = " and ".join(words for name, words in BOARD_WORDS.items() if name in self.invented)
            self.rejects.warnings.append(
                f"{words} are not known from the source; {self.name} states them all the same"
                " (Parquet remembers that they are unknown)"
            )
        return self.rows

    def _refused(
        self, block: Positions, left_out: Mask, located: Located | None
    ) -> Iterator[tuple[str, Mask]]:
        """Reasons with the rows they hold for, each row for its first one; adds them to `left_out`."""
        for refusal in self.writer.refusals:
            rows = refusal.rows(block) & ~left_out
            if not rows.any():
                continue
            if self.rejects.stop:
                raise InputError(
                    f"{_counted(int(rows.sum()))} {refusal.words}{_first_place(rows, located)}, which the"
                    f" {self.writer.name} format cannot say; leave such positions out with on-error skip, or"
                    " write another format"
                )
            left_out |= rows
            self.refused.add(refusal.words)
            yield f"{refusal.words} ({self.writer.name} cannot say so)", rows

    def _watched(self, block: Positions) -> Positions:
        self.rows += len(block)
        for name in self.writer.lost:
            if known := int(has_value(block, name).sum()):
                self.dropped[name] += known
        if not self.writer.tells_unknown:
            self.invented |= (block.unknown & BOARD_WORDS.keys()) - set(self.writer.lost)
        return block


def _counted(count: int) -> str:
    return "1 position has" if count == 1 else f"{count:,} positions have"


def _first_place(rows: Mask, located: Located | None) -> str:
    if located is None:
        return ""
    return f" (first at {located.source}:{located.places[rows][0]})"


def has_value(positions: Positions, name: str) -> Mask:
    """Rows that know a column."""
    values, unknown = getattr(positions, name), COLUMNS[name][1]
    if name in positions.unknown:
        return np.zeros(len(positions), np.bool_)
    return np.asarray(~np.isnan(values) if unknown != unknown else values != unknown)
