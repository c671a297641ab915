"""The folder of a run: job.toml, metrics.jsonl, checkpoint.npz, weights.json, weights.csv, summary.json.

The files of a diagnosis are described in `inference.files`.

Nothing in it depends on the time of day or on the speed of the machine: the same job on the same data
gives the same bytes. Every file but metrics.jsonl appears whole or not at all.
"""

from __future__ import annotations

import io
import json
import math
import sys
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from evalcore.compiled import SOURCES
from evalcore.errors import FormatError, InputError
from evalcore.files import write_bytes, write_text

from .export.toml import kept_text, source_of
from .job import Job, read_job
from .names import CHECKPOINT, JOB, METRICS, ROUNDED, SUMMARY, TABLE, WEIGHTS
from .optimizers import State, Step

if TYPE_CHECKING:
    from evalcore.evaluation import Evaluation

    from .progress import Losses
    from .run import Fit

FINGERPRINT, NUMBER = "run.fingerprint", "run.number"
"""What a checkpoint holds besides the optimizer's state; optimizers use names without a dot."""
CHECKPOINT_SECONDS = 0.5
"""Least time between two checkpoints; what happens in between is repeated after a kill."""


class RunFolder:
    """Writes one run. `fingerprint` identifies the data a checkpoint belongs to.

    The folder keeps the evaluation, too, with the files of users' own terms: editing them later changes
    nothing about the run.
    """

    def __init__(self, path: Path, job: Job, fingerprint: str, evaluation: Evaluation) -> None:
        self.path, self.job, self.fingerprint, self.evaluation = path, job, fingerprint, evaluation
        self._last_checkpoint = 0.0

    def begin(self, resume: bool) -> State | None:
        """Makes the folder, or, to resume, returns the state to continue from and cuts the metrics there.

        Raises InputError where the folder holds another run or the data have changed.
        """
        if resume:
            return self._restore()
        claim(self.path)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be made ({error.strerror})") from error
        write_text(self.path / METRICS, "")
        write_text(self.path / JOB, self._kept_job().to_toml())
        return None

    def _kept_job(self) -> Job:
        """The job, with an evaluation or weights that are files replaced by copies in the folder."""
        if not (self.job.evaluation.endswith(".toml") or self.job.weights):
            return self.job
        for source in sources_of(self.evaluation):
            write_bytes(self.path / source.name, source.read_bytes())
        name = f"{self.evaluation.name}.toml"
        write_text(self.path / name, kept_text(self.evaluation))
        return self.job.model_copy(update={"evaluation": name, "weights": None})

    def record(self, step: Step, losses: Losses) -> None:
        """Appends one line to the metrics, and writes a checkpoint now and then."""
        self._append(json.dumps(metrics_of(step, losses)) + "\n")
        if step.state and time.monotonic() - self._last_checkpoint >= CHECKPOINT_SECONDS:
            self._checkpoint(step)
            self._last_checkpoint = time.monotonic()

    def finish(self, fit: Fit) -> None:
        """Writes the results, and removes the checkpoint, which is no longer needed."""
        from .tables import weights_table

        summary = summary_of(fit) | {"data": self.fingerprint}
        write_text(self.path / TABLE, weights_table(fit).to_csv(index=False, lineterminator="\n"))
        if fit.diagnosis is not None:
            from .inference.files import write_diagnosis

            write_diagnosis(fit.diagnosis, self.path)
        fit.rounded.save(self.path / ROUNDED)
        write_text(self.path / SUMMARY, json.dumps(summary, indent=1) + "\n")
        fit.fitted.save(self.path / WEIGHTS)
        (self.path / CHECKPOINT).unlink(missing_ok=True)

    def _append(self, line: str) -> None:
        try:
            with (self.path / METRICS).open("a", encoding="utf-8", newline="\n") as file:
                file.write(line)
        except OSError as error:
            raise InputError(f"{self.path / METRICS}: cannot be written ({error.strerror})") from error

    def _checkpoint(self, step: Step) -> None:
        buffer = io.BytesIO()
        state: dict[str, Any] = dict(step.state)
        state |= {FINGERPRINT: np.array(self.fingerprint), NUMBER: np.array(step.number)}
        np.savez(buffer, **state)
        write_bytes(self.path / CHECKPOINT, buffer.getvalue())

    def _restore(self) -> State | None:
        path = self.path / CHECKPOINT
        if not path.exists():  # killed before the first checkpoint: start again
            write_text(self.path / METRICS, "")
            return None
        try:
            with path.open("rb") as handle, np.load(handle, allow_pickle=False) as file:
                state = dict(file)
        except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
            raise FormatError(path, None, f"is no checkpoint ({error})") from error
        if str(state.pop(FINGERPRINT)) != self.fingerprint:
            raise InputError(f"{self.path}: the data have changed since this run was started")
        self._cut_metrics(int(state.pop(NUMBER)))
        return state

    def _cut_metrics(self, number: int) -> None:
        """Keeps the steps before the checkpoint's, which will be told again."""
        kept = []
        for line in (self.path / METRICS).read_text(encoding="utf-8").splitlines(keepends=True):
            if line.endswith("\n") and json.loads(line)["step"] < number:
                kept.append(line)
        write_text(self.path / METRICS, "".join(kept))


def sources_of(evaluation: Evaluation) -> list[Path]:
    """The files of users' own terms, and the modules beside them that they have imported.

    Raises InputError where two files of different folders have the same name.
    """
    own = {Path(source_of(term)).resolve() for term in evaluation.terms}
    own = {path for path in own if not path.is_relative_to(SOURCES)}
    folders = {path.parent for path in own}
    loaded = {Path(file).resolve() for module in list(sys.modules.values()) if (file := _file_of(module))}
    found = sorted(own | {path for path in loaded if path.parent in folders})
    names = [path.name for path in found]
    for path in found:
        if names.count(path.name) > 1:
            raise InputError(f"two files with terms are called {path.name}; a run folder keeps only one")
    return found


def _file_of(module: object) -> str | None:
    file = getattr(module, "__file__", None)
    return file if isinstance(file, str) and file.endswith(".py") else None


def summary_of(fit: Fit) -> dict[str, Any]:
    """What is kept of a fit as a whole: nothing that depends on the folder or on the machine."""
    summary = {key: value for key, value in fit.summary().items() if key not in ("seconds", "run")}
    return summary | {
        "evaluation": fit.evaluation.name,
        "split": fit.job.split if fit.job.split == "position" else fit.groups.kind,
        "group": fit.groups.kind,
        "groups": fit.groups.count,
        "score_k": fit.score_k,
        "steps": fit.minimum.steps,
        "gap": finite(fit.minimum.gap),
        "message": fit.minimum.message,
        "notes": list(fit.notes),
    }


def metrics_of(step: Step, losses: Losses) -> dict[str, Any]:
    """The line of metrics of one step."""
    return {
        "step": step.number,
        "passes": step.passes,
        "objective": step.value,
        "train": losses.train,
        "validation": losses.validation,
        "relative_gradient": finite(step.relative_gradient),
    }


def finite(value: float) -> float | None:
    """JSON knows no NaN: what a method cannot tell is None."""
    return value if math.isfinite(value) else None


def claim(path: Path) -> None:
    """Refuses a folder that holds a run already, or something that is no folder."""
    if path.exists() and not path.is_dir():
        raise InputError(f"{path}: is a file, but a run needs a folder")
    if (path / JOB).exists():
        raise InputError(
            f"{path}: holds a run already; name another folder, or continue it: tuner resume {path}"
        )


def next_folder(name: str) -> Path:
    """The first of runs/NAME-1, runs/NAME-2 … that does not exist."""
    number = 1
    while (path := Path("runs") / f"{name}-{number}").exists():
        number += 1
    return path


def open_run(path: str | Path, settings: Sequence[str] = ()) -> Job:
    """The job of a run folder, with `key=value` settings over it. Raises InputError where there is no run."""
    if not (Path(path) / JOB).is_file():
        raise InputError(f"{path}: is no run folder (it has no {JOB})")
    return read_job(Path(path) / JOB, settings)


def is_finished(path: str | Path) -> bool:
    """Whether a run has ended: the weights are the last file written."""
    return (Path(path) / WEIGHTS).exists()
