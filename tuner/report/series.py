"""The weights of a run as single numbers, boards and curves: what kind of picture each term asks for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalcore.term import SPLIT_SIDES

from ..export.tables import squares_of

if TYPE_CHECKING:
    import pandas as pd

FEW = 3
"""Terms with fewer labels are shown as single numbers."""


@dataclass(frozen=True, eq=False)
class Series:
    """The weights of a term, or of one side of a split term. `squares` maps squares to rows, for boards."""

    title: str
    rows: pd.DataFrame
    squares: tuple[int, ...] | None

    @property
    def kind(self) -> str:
        """ "board", "curve" or "single"."""
        if self.squares is not None and len(self.rows) > 8:
            return "board"
        return "curve" if len(self.rows) >= FEW else "single"

    @property
    def phases(self) -> list[str]:
        """The phases the term has: mg and eg, one of them, or "both" where the weight is untapered."""
        fixed = self.rows["flags"].str.contains
        if (self.rows["mg"] == self.rows["eg"]).all() and (
            self.rows["mg_start"] == self.rows["eg_start"]
        ).all():
            return ["both"]
        return [phase for phase in ("mg", "eg") if not fixed(f"{phase} unused").all()]


def series_of(weights: pd.DataFrame) -> Iterator[Series]:
    """All terms in the order of the evaluation."""
    for term, rows in weights.groupby("term", sort=False):
        labels = rows["label"].tolist()
        sides = [label.partition(", ")[0] for label in labels]
        if set(sides) == set(SPLIT_SIDES):
            for side in SPLIT_SIDES:
                chosen = rows[[each == side for each in sides]].reset_index(drop=True)
                chosen["label"] = [label.partition(", ")[2] for label in chosen["label"]]
                yield Series(f"{term}, {side}", chosen, squares_of(chosen["label"].tolist()))
        else:
            yield Series(str(term), rows.reset_index(drop=True), squares_of(labels))
