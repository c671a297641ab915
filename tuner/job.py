"""Job: everything that determines a fit, as a TOML file or as Python."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import tomli_w
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from evalcore.errors import InputError, UnknownName
from evalcore.evaluation_tables import mistakes, parse_toml

from .conflicts import refuse_conflicts
from .losses import LOSSES, Loss
from .optimizers import OPTIMIZERS
from .optimizers.limits import CHOICES, limit_of
from .own import complete_loss, complete_method, made, try_loss
from .rules import Rule

LEAST_K, MOST_K = 0.01, 100.0
"""Published K lie between 0.5 and 2; beyond these, scores are in no unit of a hundredth of a pawn."""
MOST_RIDGE = 1e9
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
PointOfView = Literal["white", "side-to-move"]


class Job(BaseModel):
    """One fit. Every field is a key of the TOML file and can be given as `--set key=value`.

    data            files or globs; none means the sample set that comes with the project
    data_format     a reader's name, where sniffing is not wanted
    result_pov      whose view results are in, where the format's own is not meant
    score_pov       the same for scores
    score_unit      centipawns in one unit of the data's scores, where the format's own is not meant
    check_labels    whether labels that contradict their point of view or unit stop the reading
    on_error        stop at the first bad line, or skip and count
    evaluation      a preset or a TOML file
    weights         a weights file to start from, instead of the evaluation's own
    method          the optimizer, or `file.py:Class`; `options` are its fields
    loss            squared, cross-entropy, ordinal, linear, score-squared, huber, or `file.py:Class`
    loss_options    numbers of the loss: `draw` of ordinal, `width` of huber
    result_share    the target is share·result + (1 − share)·p(score)
    k               "fit", or a number for 1/(1 + 10^(−K·cp/400))
    score_k         K of the data's scores, "fit" or a number; used where result_share < 1
    ridge           price, in the loss of one game, of moving a weight by 100 cp from its start
    objective       what is minimised: the loss over "labels"; "ranking" or "concordance", the order of
                    positions by their labels; "comparison", moves that were played against others
    pairs           for those: how many others each position or move is compared with
    prior           where ridge and lasso pull to: the "start", or "zero"
    freeze          terms (`tempo`), weights (`passed_pawn[rank 5]`) or phases (`tempo.eg`) that stay
    tie             lists of such names whose weights are equal, one by one
    rules           a table for each such name: bounds, sign, monotone, smooth, ridge, prior, lasso, group
    centre          tables (`psqt_*`) whose mean moves into the piece's value, which changes no score
    polish          after rounding, steps of 1 cp while the loss falls, true or false
    validation      share of the positions held out
    split           what is held out: whole games, or single positions (which hides over-fitting)
    errors          standard errors and a diagnosis of the fit, true or false
    seed            of every random choice
    threads         all cores unless given; results do not depend on it
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    data: tuple[str, ...] = ()
    data_format: str | None = None
    result_pov: PointOfView | None = None
    score_pov: PointOfView | None = None
    score_unit: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    check_labels: bool = True
    on_error: Literal["stop", "skip"] = "stop"
    evaluation: str = "default"
    weights: str | None = None
    method: str = "texel"
    options: dict[str, Any] = Field(default_factory=dict)
    loss: str = "squared"
    loss_options: dict[str, Annotated[float, Field(allow_inf_nan=False)]] = Field(default_factory=dict)
    result_share: Share = 1.0
    k: Literal["fit"] | Annotated[float, Field(gt=0, allow_inf_nan=False)] = "fit"
    score_k: Literal["fit"] | Annotated[float, Field(gt=0, allow_inf_nan=False)] = "fit"
    ridge: Annotated[float, Field(ge=0, le=MOST_RIDGE, allow_inf_nan=False)] = 1.0
    objective: Literal["labels", "ranking", "concordance", "comparison"] = "labels"
    pairs: Annotated[int, Field(ge=1)] = 4
    prior: Literal["start", "zero"] = "start"
    freeze: tuple[str, ...] = ()
    tie: tuple[tuple[str, ...], ...] = ()
    rules: dict[str, Rule] = Field(default_factory=dict)
    centre: tuple[str, ...] = ()
    polish: bool = False
    validation: Annotated[float, Field(ge=0, lt=1, allow_inf_nan=False)] = 0.1
    split: Literal["game", "position"] = "game"
    errors: bool = True
    seed: Annotated[int, Field(ge=0)] = 1
    threads: Annotated[int, Field(ge=1)] | None = None

    @field_validator("k", "score_k", mode="before")
    @classmethod
    def _fit_or_number(cls, value: Any) -> Any:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if value == "fit" or (number and LEAST_K <= value <= MOST_K):
            return value
        raise ValueError(f"expected 'fit' or a number from {LEAST_K:g} to {MOST_K:g}, got {value!r}")

    def checked(self) -> Job:
        """The same job, after looking its names up in their tables. Raises UnknownName or InputError.

        Keys that contradict each other, or would have no effect, are refused too.
        """
        refuse_conflicts(self, self.loss_function(), self.optimizer())
        return self

    def loss_function(self) -> Loss:
        """The loss with its options."""
        kind, own = _find("loss", self.loss, LOSSES), self.loss not in LOSSES
        if own:
            kind = complete_loss(self.loss, kind)
        fields = dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ()
        known = [field.name for field in fields if "float" in str(field.type)]
        for name, value in self.loss_options.items():
            if name not in known:
                raise UnknownName(f"option of loss {self.loss}", name, known)
            if not value > 0.0:
                raise InputError(f"option {name} of loss {self.loss} must be above 0, not {value:g}")
        loss: Loss = made("loss", self.loss, kind, self.loss_options)
        if own:
            try_loss(self.loss, loss)
        return loss

    def optimizer(self) -> Any:
        """The optimizer with its options."""
        kind = _find("method", self.method, OPTIMIZERS)
        if self.method not in OPTIMIZERS:
            kind = complete_method(self.method, kind)
        known = {field.name: field for field in dataclasses.fields(kind)}
        for name, value in self.options.items():
            if name not in known:
                raise UnknownName(f"option of method {self.method}", name, known)
            if wrong := _unlike(value, known[name].default):
                raise InputError(f"option {name} of method {self.method} is {wrong}, not {value!r}")
            _check_option(self.method, name, value)
        return made("method", self.method, kind, self.options)

    def anchored(self) -> Job:
        """The same job with absolute paths, so that it means the same from every folder."""
        changes: dict[str, Any] = {
            "data": tuple(str(Path(name).expanduser().absolute()) for name in self.data)
        }
        if self.evaluation.endswith(".toml"):
            changes["evaluation"] = str(Path(self.evaluation).expanduser().absolute())
        for key in ("method", "loss"):
            if ".py:" in (name := getattr(self, key)):
                changes[key] = str(Path(name).expanduser().absolute())
        if self.weights:
            changes["weights"] = str(Path(self.weights).expanduser().absolute())
        return self.model_copy(update=changes)

    def to_toml(self) -> str:
        """The whole job, defaults included; what is not set is left out."""
        text: str = tomli_w.dumps(self.model_dump(mode="json", exclude_none=True))
        return text


def read_job(path: str | Path, settings: Sequence[str] = (), **given: Any) -> Job:
    """A job file, with `key=value` settings and keyword arguments (None is not given) over it.

    Paths in the file are relative to the file. Raises FormatError that lists every mistake of the file.
    """
    path = Path(path)
    job = parse_toml(path, Job)
    here = path.parent
    relative: dict[str, Any] = {"data": tuple(_beside(here, name) for name in job.data)}
    if job.evaluation.endswith(".toml"):
        relative["evaluation"] = _beside(here, job.evaluation)
    for key in ("method", "loss"):
        if ".py:" in (name := getattr(job, key)):
            relative[key] = _beside(here, name)
    if job.weights:
        relative["weights"] = _beside(here, job.weights)
    return make_job(settings, **{**job.model_dump(), **relative, **_present(given)})


def make_job(settings: Sequence[str] = (), **given: Any) -> Job:
    """A job from keyword arguments (None is not given) and `key=value` settings, which come last."""
    values = _present(given)
    for setting in settings:
        _set(values, setting)
    try:
        return Job.model_validate(values).checked()
    except ValidationError as error:
        raise InputError("; ".join(mistakes(error))) from error


def _check_option(method: str, name: str, value: Any) -> None:
    """Raises UnknownName or InputError for a word or number that means nothing to a built-in method."""
    if method not in OPTIMIZERS:
        return
    if name in CHOICES and value not in CHOICES[name]:
        raise UnknownName(name, value, CHOICES[name])
    limit = limit_of(method, name)
    if not isinstance(value, str) and not limit.allows(value):
        raise InputError(f"option {name} of method {method} must be {limit.words}, not {value:g}")


def _unlike(value: Any, default: Any) -> str:
    """What an option has to be, where a value is not of the kind of its default; "" where it is."""
    if isinstance(default, bool):
        return "" if isinstance(value, bool) else "true or false"
    if isinstance(default, int):
        whole = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        return "" if whole else "a whole number"
    if isinstance(default, float):
        number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        return "" if number else "a number"
    if isinstance(default, str):
        return "" if isinstance(value, str) else "a word"
    return "" if isinstance(value, int | float | str | bool) else "a number or a word"


def _find(kind: str, name: str, table: Mapping[str, Any]) -> Any:
    """An entry of a table, or the object of a user's file written `file.py:name`."""
    if ".py:" in name:
        from evalcore.term import load_object

        return load_object(name, Path())
    if name not in table:
        raise UnknownName(kind, name, table)
    return table[name]


def _beside(folder: Path, name: str) -> str:
    return str(folder / Path(name).expanduser())


def _present(given: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in given.items() if value is not None}


def _set(values: dict[str, Any], setting: str) -> None:
    """`key=value` with a TOML value or bare text.

    `options.key=value` is an option of the method, `loss_options.key=value` one of the loss, and
    `rules.NAME.key=value` one key of a rule.
    """
    key, equals, text = setting.partition("=")
    if not equals:
        raise InputError(f"--set {setting}: expected key=value")
    value = toml_value(text.strip())
    key = key.strip()
    group, dot, name = key.partition(".")
    if dot and group in ("options", "loss_options", "rules") and not isinstance(values.get(group, {}), dict):
        raise InputError(f"--set {setting}: {group} is a table, but was set to {values[group]!r}")
    if dot and group in ("options", "loss_options"):
        values[group] = {**values.get(group, {}), name: value}
    elif dot and group == "rules":
        _set_rule(values, name, value)
    elif key not in Job.model_fields:
        raise UnknownName("key of a job", key, Job.model_fields)
    else:
        values[key] = [value] if key in ("data", "freeze", "centre") and isinstance(value, str) else value


def _set_rule(values: dict[str, Any], name: str, value: Any) -> None:
    """One key of one rule; the last dot parts them, as names of weights may have a phase."""
    weight, _, key = name.rpartition(".")
    weight = weight.strip("\"'")
    rules = {
        known: rule if isinstance(rule, dict) else rule.model_dump()
        for known, rule in values.get("rules", {}).items()
    }
    values["rules"] = {**rules, weight: {**rules.get(weight, {}), key: value}}


def toml_value(text: str) -> Any:
    """A TOML value, or the text itself where it is none."""
    import tomllib

    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
