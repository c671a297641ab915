"""What an evaluation file may say, as models of its tables; all mistakes of a file in one error."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from .errors import FormatError
from .phase import Phase

Model = TypeVar("Model", bound=BaseModel)
Number = Annotated[float, Field(allow_inf_nan=False)]

NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class PhaseTable(_Strict):
    """`[phase]`: weight of each man and the maximum."""

    pawn: NotNegative = 0
    knight: NotNegative = 1
    bishop: NotNegative = 1
    rook: NotNegative = 2
    queen: NotNegative = 4
    maximum: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 24

    def phase(self) -> Phase:
        return Phase((self.pawn, self.knight, self.bishop, self.rook, self.queen, 0.0), self.maximum)


class TermTable(_Strict):
    """`[[term]]`: a name of the vocabulary or `file.py:name`, its taper and starting weights.

    `as` names this use of the term, `options` are those of a family, `by` cuts a set of squares into other
    columns, `split` gives the side to move and its opponent weights of their own (see `forms`). `mg` and
    `eg` are one number for all labels or one number a label, in the order of the labels. `columns` or
    `labels` make it a term that the engine counts itself (see `traced`).
    """

    name: str
    called: str = Field("", alias="as")
    options: dict[str, bool | int | float | str] = Field(default_factory=dict)
    by: str = ""
    split: str = ""
    columns: Annotated[int, Field(ge=1)] | None = None
    labels: str | list[str] | None = None
    taper: Literal["tapered", "mg", "eg", "none"] = "tapered"
    mg: Number | list[Number] = 0
    eg: Number | list[Number] = 0

    def spec(self) -> tuple[tuple[str, Any], ...]:
        """The keys that say which form of which term is meant."""
        keys = {"name", "called", "options", "by", "split", "columns", "labels"}
        return tuple(self.model_dump(include=keys, exclude_defaults=True, by_alias=True).items())


class ScalingTable(_Strict):
    """One entry of `scaling`: a rule, and factors by case where they differ from the rule's own."""

    name: str
    factors: dict[str, Number] = Field(default_factory=dict)


class EvaluationTable(_Strict):
    """A whole evaluation file; `extends` names another one whose terms and scaling rules come first.

    `first_index` is the number that rows of an engine's own trace give the first column.
    """

    extends: str | None = None
    first_index: Annotated[int, Field(ge=0, le=1)] = 0
    phase: PhaseTable | None = None
    scaling: list[str | ScalingTable] = Field(default_factory=list)
    term: list[TermTable] = Field(default_factory=list)


def parse_toml(path: Path, model: type[Model]) -> Model:
    """A TOML file as a model; all mistakes of the file in one error."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FormatError(path, None, f"cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise FormatError(path, None, "is no TOML file (not UTF-8 text)") from error
    except tomllib.TOMLDecodeError as error:
        raise FormatError(path, None, f"is no valid TOML: {error}") from error
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise FormatError(path, None, "; ".join(mistakes(error))) from error


def mistakes(error: ValidationError) -> Iterator[str]:
    """Each mistake of a model: `key: what is wrong`."""
    for mistake in error.errors(include_url=False):
        place = ".".join(str(part) for part in mistake["loc"])
        what = mistake["msg"].lower().removeprefix("value error, ")
        if mistake["type"] == "extra_forbidden":
            what = "is no known key"
        yield f"{place}: {what}"
