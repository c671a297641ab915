"""A run as tables, from its folder or from memory: all that a report or a picture is made of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalcore.errors import FormatError, InputError

from ..inference.diagnosis import absence
from ..names import INFERENCE, METRICS, SUMMARY, TABLE
from ..split import BY_POSITION, UNITS
from ..verdict import Verdict, verdict_of

if TYPE_CHECKING:
    import pandas as pd

    from ..job import Job
    from ..run import Fit

TABLES = (
    "losses", "pieces", "terms", "calibration", "residuals", "worst",
    "contrasts", "cross_validation", "learning_curve", "ablation", "sources",
)  # fmt: skip
"""Tables a run folder may hold, each in a CSV file of that name; the second line is made on demand."""
TEXT = (
    "term",
    "label",
    "flags",
    "fen",
    "group",
    "by",
    "set",
    "weights",
    "what",
    "phase",
    "contrast",
    "source",
)


@dataclass(frozen=True, eq=False)
class Contents:
    """`weights` as of `weights_table`, `history` by step, `tables` by name, `inference` as in its file."""

    job: Job
    summary: Mapping[str, Any]
    weights: pd.DataFrame
    history: pd.DataFrame
    tables: Mapping[str, pd.DataFrame]
    inference: Mapping[str, Any]
    folder: Path | None

    @property
    def with_errors(self) -> bool:
        """Whether the run was diagnosed."""
        return "mg_se" in self.weights.columns

    @property
    def units(self) -> str:
        """What was held out and counted as independent: games, or boards where the data name no games."""
        return UNITS[self.summary["group"]][1]

    @property
    def verdict(self) -> Verdict | None:
        """Whether the fit is better than the start on what it has not seen; None where that is not known.

        A split by position holds out nothing that was not seen.
        """
        if "losses" not in self.tables or self.job.split == BY_POSITION:
            return None
        return verdict_of(self.tables["losses"], self.summary["group"])

    def require_errors(self) -> None:
        """Raises InputError that says why where the run was not diagnosed."""
        if not self.with_errors:
            raise InputError(f"this fit has no standard errors: {absence(self.job)}")

    def table(self, name: str) -> pd.DataFrame:
        """A table by name. Raises InputError that says how to get it where the run has none."""
        if name not in self.tables:
            how = _HOW.get(name) or absence(self.job)
            raise InputError(f"this run has no {name.replace('_', ' ')}: {how}")
        return self.tables[name]

    def of_term(self, term: str) -> pd.DataFrame:
        """The weights of one term."""
        return self.weights[self.weights["term"] == term].reset_index(drop=True)


_HOW = {
    "contrasts": "ask for some with tuner study --contrast, or study.contrasts()",
    "cross_validation": "make it with tuner study --ridges, or study.cross_validate()",
    "learning_curve": "make it with tuner study --learning, or study.learning_curve()",
    "ablation": "make it with tuner ablate, or study.without_terms()",
    "sources": "make it with tuner study --sources, or study.sources()",
}


def read_contents(folder: str | Path) -> Contents:
    """The contents of a finished run. Raises InputError where there is none."""
    import pandas as pd

    from ..folder import is_finished, open_run

    folder = Path(folder)
    job = open_run(folder)
    if not is_finished(folder):
        raise InputError(f"{folder}: the run has not ended; continue it with: tuner resume {folder}")
    files = {name: folder / f"{name}.csv" for name in TABLES}
    history = [json.loads(line) for line in _text(folder / METRICS).splitlines()]
    inference = json.loads(_text(folder / INFERENCE)) if (folder / INFERENCE).exists() else {}
    return Contents(
        job,
        json.loads(_text(folder / SUMMARY)),
        read_table(folder / TABLE),
        pd.DataFrame(history),
        {name: read_table(file) for name, file in files.items() if file.exists()},
        inference,
        folder,
    )


def contents_of(fit: Fit) -> Contents:
    """The contents of a fit in memory, with what has been added to its folder since."""
    import pandas as pd

    from ..folder import summary_of
    from ..inference.files import inference_of
    from ..tables import weights_table

    tables: dict[str, pd.DataFrame] = {}
    if fit.folder is not None:
        added = {name: fit.folder / f"{name}.csv" for name in TABLES}
        tables = {name: read_table(file) for name, file in added.items() if file.exists()}
    if fit.diagnosis is not None:
        tables |= {name: getattr(fit.diagnosis, name) for name in TABLES if hasattr(fit.diagnosis, name)}
    inference = inference_of(fit.diagnosis) if fit.diagnosis is not None else {}
    history = pd.DataFrame(list(fit.history))
    return Contents(fit.job, summary_of(fit), weights_table(fit), history, tables, inference, fit.folder)


def read_table(path: Path) -> pd.DataFrame:
    """A table of a run folder; text columns stay text, empty numbers are NaN."""
    import pandas as pd

    try:
        table = pd.read_csv(path, dtype=dict.fromkeys(TEXT, str), encoding="utf-8")
    except (OSError, ValueError) as error:
        raise FormatError(path, None, f"cannot be read as a table ({error})") from error
    return table.fillna(dict.fromkeys((name for name in TEXT if name in table), ""))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise FormatError(path, None, f"cannot be read ({error.strerror})") from error
