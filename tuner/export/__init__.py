"""Exporters: rounded weights in the form an engine reads; one file a target, EXPORTERS names them all."""

from __future__ import annotations

import inspect
import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalcore.errors import InputError, UnknownName
from evalcore.files import write_text
from evalcore.weights import RoundedWeights

from .base import Exporter
from .c_header import CHeader
from .csharp import CSharpClass
from .csv import CsvFile
from .json import JsonFile
from .rust import RustModule
from .toml import TomlPreset

if TYPE_CHECKING:
    from evalcore.evaluation import Evaluation

EXPORTERS: Mapping[str, type[Exporter]] = {
    "c-header": CHeader,
    "csharp": CSharpClass,
    "csv": CsvFile,
    "json": JsonFile,
    "rust": RustModule,
    "toml": TomlPreset,
}
"""Every exporter by name; the fields of each class are its options."""

CONTEXT = ("evaluation", "folder")
"""Fields that `export` fills; all others are options of the user."""


def find_exporter(name: str) -> type[Exporter]:
    """The exporter of that name, or the class that `file.py:Class` names.

    Raises UnknownName, or InputError where the file has no such class or it has no method `write`.
    """
    if ".py:" not in name:
        if name not in EXPORTERS:
            raise UnknownName("exporter", name, EXPORTERS)
        return EXPORTERS[name]
    from evalcore.term import load_object

    found = load_object(name, Path())
    if not isinstance(found, type) or not callable(getattr(found, "write", None)):
        raise InputError(f"{name} is no exporter: expected a class with write(self, weights, out)")
    return found


def options_of(kind: type[Exporter]) -> dict[str, Any]:
    """The options of an exporter with their defaults."""
    known = inspect.signature(kind).parameters.values()
    return {option.name: option.default for option in known if option.name not in CONTEXT}


def make_exporter(
    to: str, evaluation: Evaluation | None = None, folder: Path | None = None, **options: Any
) -> Exporter:
    """The exporter `to` with its options. Raises UnknownName for an unknown exporter or option."""
    kind = find_exporter(to)
    known = options_of(kind)
    for name in options:
        if name not in known:
            if not known:
                raise InputError(f"the exporter {to} has no options, but {name} was given")
            raise UnknownName(f"option of the exporter {to}", name, known)
    taken = inspect.signature(kind).parameters
    context = {"evaluation": evaluation, "folder": folder}
    return kind(**options, **{name: value for name, value in context.items() if name in taken})


def export(
    weights: RoundedWeights,
    evaluation: Evaluation | None,
    to: str,
    path: str | Path | None = None,
    **options: Any,
) -> str:
    """Weights as the text of the exporter `to`, written to `path` as a whole where one is given.

    `evaluation` is the one the weights belong to: its name and phase are part of the text. Raises TypeError
    for weights that are not rounded, InputError for what the target cannot hold or for weights of another
    evaluation, UnknownName for a name that is in no table.
    """
    if evaluation is not None and evaluation.layout.terms != weights.layout.terms:
        raise InputError(f"the weights do not have the terms and labels of the evaluation {evaluation.name}")
    target = Path(path) if path is not None else None
    exporter = make_exporter(to, evaluation, target.parent if target else None, **options)
    text = io.StringIO()
    exporter.write(weights, text)
    if target is not None:
        write_text(target, text.getvalue())
    return text.getvalue()


__all__ = ["EXPORTERS", "Exporter", "export", "find_exporter", "make_exporter", "options_of"]
