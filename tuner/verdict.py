"""Is a fit better than its start, on games it has not seen?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .inference.errors import quantile
from .split import BY_POSITION, UNITS

if TYPE_CHECKING:
    import pandas as pd

    from .run import Fit

BETTER, WORSE, UNCLEAR = "better", "worse", "unclear"
SURE = 2.0
"""Standard errors from which a gain counts as one."""
FOUND = {
    BETTER: "the fit predicts better than the starting weights did",
    WORSE: "the fit predicts worse than the starting weights did",
    UNCLEAR: "the fit cannot be told from the starting weights",
}
REMEDY = "try more games, fewer terms, or --ridge cross-validate"


@dataclass(frozen=True)
class Verdict:
    """`kind` better, worse or unclear; the fall of the held-out loss and the reach of its 95 % interval.

    `groups` groups of kind `group` (games) were held out. `reach` is NaN where that is a single one.
    """

    kind: str
    gain: float
    reach: float
    groups: int
    group: str

    @property
    def text(self) -> str:
        """What was found, and by which numbers."""
        way = "fell" if self.gain >= 0.0 else "rose"
        one, several = UNITS[self.group]
        if self.reach != self.reach:
            return (
                f"On the only {one} it has not seen the loss {way} by {abs(self.gain):.6f}; a single {one}"
                f" says nothing about chance, so {FOUND[UNCLEAR]}"
            )
        who = f"{self.groups:,} {one if self.groups == 1 else several}"
        return (
            f"On {who} it has not seen, {FOUND[self.kind]}: the loss {way} by {abs(self.gain):.6f}"
            f" ± {self.reach:.6f} (95 %, {several} as units)"
        )

    @property
    def remedy(self) -> str:
        """What to try where the fit is not known to be better; empty where it is."""
        return "" if self.kind == BETTER else REMEDY


def verdict_of(losses: pd.DataFrame, group: str) -> Verdict | None:
    """The verdict by the losses of a diagnosis (`inference.values`); None where nothing was held out."""
    held_out = losses[(losses["set"] == "validation") & (losses["weights"] == "fitted")]
    if not len(held_out):
        return None
    row = held_out.iloc[0]
    gain, error = float(row["gain"]), float(row["gain_se"]) if row["games"] > 1 else float("nan")
    kind = BETTER if gain > SURE * error else WORSE if -gain > SURE * error else UNCLEAR
    return Verdict(kind, gain, quantile(0.95) * error, int(row["games"]), group)


def warning(fit: Fit) -> str:
    """What to say of a fit that held-out games do not show to be better, and what to try; "" of one they do.

    Fits of an order have a goal of their own, and are not judged by the loss of labels. A split by position
    holds out no game, and its fits cannot be judged.
    """
    start, fitted = (fit.losses[name].validation for name in ("start", "fitted"))
    if fit.job.objective != "labels" or fit.job.split == BY_POSITION or start is None or fitted is None:
        return ""
    if fit.diagnosis is not None:
        told = verdict_of(fit.diagnosis.losses, fit.groups.kind)
        return f"{told.text}; {told.remedy}" if told and told.remedy else ""
    return f"the validation loss rose by {fitted - start:.6f}; {REMEDY}" if fitted > start else ""
