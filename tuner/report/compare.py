"""Runs side by side."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalcore.errors import FormatError, InputError

from ..names import JOB, SUMMARY, TABLE, WEIGHTS

if TYPE_CHECKING:
    import pandas as pd


def compare_runs(folders: Sequence[str | Path]) -> pd.DataFrame:
    """One row a run, indexed by its folder: what was fitted on what, losses and tau, and how it ended.

    Runs with the same letter in `data` had the same positions, targets and split; only the losses of
    those can be compared. `gap` estimates how far the objective is above its optimum. Raises InputError
    where a folder holds no finished run.
    """
    import pandas as pd

    jobs, summaries = zip(*(_read(Path(folder)) for folder in folders), strict=True)
    keys = [_data_of(job, summary) for job, summary in zip(jobs, summaries, strict=True)]
    data = list(dict.fromkeys(keys))
    rows = [
        {
            "evaluation": summary["evaluation"],
            "method": job["method"],
            "objective": job.get("objective", "labels"),
            "loss": job["loss"],
            "ridge": job["ridge"],
            "positions": summary["positions"],
            "games": summary["games"],
            "data": letter(data.index(key)),
            "parameters": summary["parameters"],
            "k": summary["k"],
            **{
                f"{part}_{name}": summary["loss"][name][part]
                for part in ("train", "validation")
                for name in ("start", "fitted", "rounded")
            },
            "tau": summary["loss"]["fitted"]["tau"],
            "passes": summary["passes"],
            "gap": summary["gap"],
            "converged": summary["converged"],
        }
        for summary, job, key in zip(summaries, jobs, keys, strict=True)
    ]
    return pd.DataFrame(rows, index=pd.Index([str(folder) for folder in folders], name="run"))


def letter(number: int) -> str:
    """A, B … Z, AA …"""
    return (letter(number // 26 - 1) if number >= 26 else "") + chr(ord("A") + number % 26)


def _data_of(job: dict[str, Any], summary: dict[str, Any]) -> tuple[Any, ...]:
    """What has to be the same for losses to be of the same rows."""
    return summary["data"], *(job[key] for key in ("validation", "split", "seed"))


def compare_weights(one: str | Path, other: str | Path) -> pd.DataFrame:
    """Weights of two runs that both have, by term, label and phase: one, other, difference, se, z.

    `se` adds the errors of both, as if they came from different games: on the same games a difference is
    better determined than that. Sorted by |z|, or by the difference where a run has no errors.
    """
    import pandas as pd

    from .charts import weight_rows
    from .contents import read_table

    sides = []
    for folder in (one, other):
        table = read_table(Path(folder) / TABLE)
        if "mg_se" not in table:
            raise InputError(f"{folder}: has no standard errors to compare by")
        sides.append(weight_rows(table).set_index("name"))
    both = sides[0].add_suffix("_one").join(sides[1].add_suffix("_other"), how="inner")
    difference = both["value_other"] - both["value_one"]
    error = (both["se_one"] ** 2 + both["se_other"] ** 2) ** 0.5
    found = pd.DataFrame(
        {
            "one": both["value_one"],
            "other": both["value_other"],
            "difference": difference,
            "se": error,
            "z": difference / error,
        }
    )
    return found.loc[found["z"].abs().sort_values(ascending=False, kind="stable").index]


def _read(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Job and summary as they are written, without what it takes to run a job."""
    if not (folder / JOB).is_file():
        raise InputError(f"{folder}: is no run folder (it has no {JOB})")
    if not (folder / WEIGHTS).is_file():
        raise InputError(f"{folder}: the run has not ended; continue it with: tuner resume {folder}")
    try:
        job = tomllib.loads((folder / JOB).read_text(encoding="utf-8"))
        return job, json.loads((folder / SUMMARY).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FormatError(folder, None, f"cannot be read as a run ({error})") from error
