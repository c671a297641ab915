"""A fit from its run folder, without reading the data again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from evalcore.errors import FormatError
from evalcore.formats import Rejects
from evalcore.weights import load_weights

from .inference.diagnosis import Diagnosis
from .inference.errors import Uncertainty
from .inference.files import read_covariances
from .inference.identifiability import Identifiability, NullDirection
from .names import ROUNDED, WEIGHTS
from .optimizers import Minimum
from .parameters import Parameters
from .problem import parameters_of, starting_evaluation
from .progress import Losses
from .report.contents import Contents, read_contents
from .run import Fit
from .split import Groups


def open_fit(folder: str | Path) -> Fit:
    """The fit of a finished run: weights, errors, tables and pictures, as they were when it ended.

    Questions that need the positions go to `open_study`. Raises InputError (FormatError) where the folder
    holds no finished run, or its evaluation has changed since.
    """
    folder = Path(folder)
    contents = read_contents(folder)
    evaluation = starting_evaluation(contents.job)
    weights = load_weights(folder / WEIGHTS, evaluation.layout)
    parameters = parameters_of(contents.job, evaluation, contents.weights["count"].to_numpy())
    summary = contents.summary
    if parameters.size != summary["parameters"]:
        raise FormatError(folder, None, f"evaluation {evaluation.name} has changed since this run")
    kind = summary["group"]
    return Fit(
        contents.job, folder, evaluation, parameters, weights,
        load_weights(folder / ROUNDED, evaluation.layout).rounded(),
        contents.weights["count"].to_numpy(), summary["k"], summary["score_k"], summary["positions"],
        Groups(np.zeros(0, np.int64), summary["groups"], kind),
        {name: Losses(**each) for name, each in summary["loss"].items()},
        _minimum(summary, parameters.gather(weights.values)), tuple(summary["notes"]), Rejects(), {},
        _diagnosis(contents, parameters, weights.values),
        tuple({str(key): value for key, value in row.items()} for row in contents.history.to_dict("records")),
    )  # fmt: skip


def _minimum(summary: Any, x: Any) -> Minimum:
    return Minimum(
        x, float("nan"), summary["steps"], summary["passes"], summary["converged"],
        summary["relative_gradient"], summary["gap"], summary["message"],
    )  # fmt: skip


def _diagnosis(contents: Contents, parameters: Parameters, base: Any) -> Diagnosis | None:
    """The diagnosis of the weights `base` (width, 2)."""
    if not contents.with_errors or contents.folder is None:
        return None
    clustered, naive = read_covariances(contents.folder)
    if len(clustered) != parameters.size:
        raise FormatError(contents.folder, None, "the covariances are those of another fit")
    gather = {
        name: parameters.gather(contents.weights[[f"mg_{name}", f"eg_{name}"]].to_numpy(float))
        for name in ("from_data", "inflation")
    }
    told, x = contents.inference, parameters.gather(base)
    unknown = np.zeros((0, 0))
    found = Uncertainty(
        replace(parameters, base=base), x, unknown, unknown, clustered, naive, gather["from_data"],
        np.zeros(0), np.zeros(0), unknown, _flagged(contents, parameters, "held"),
        told["effective_parameters"], told["rows"], told["groups"], told["group"],
    )  # fmt: skip
    identified = Identifiability(
        told["free"],
        told["rank"],
        tuple(NullDirection(each["text"], each["amounts"]) for each in told["null_directions"]),
        _flagged(contents, parameters, "redundant"),
        gather["inflation"],
        tuple((one, other, value) for one, other, value in told["duplicates"]),
        tuple((one, other, value) for one, other, value in told["collinear"]),
        tuple(told["unseen"]),
    )
    tables = {name: contents.tables[name] for name in DIAGNOSED}
    return Diagnosis(found, identified, **tables)


DIAGNOSED = ("losses", "pieces", "terms", "calibration", "residuals", "worst")


def _flagged(contents: Contents, parameters: Parameters, flag: str) -> Any:
    """Which free numbers carry a flag."""
    table = np.zeros(parameters.owner.shape)
    for row, flags in enumerate(contents.weights["flags"]):
        for phase, name in enumerate(("mg", "eg")):
            table[row, phase] = flag in {each.removeprefix(f"{name} ") for each in flags.split("; ")}
    return parameters.gather(table) > 0.0
