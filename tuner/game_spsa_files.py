"""Parameter lists of other SPSA tools: fishtest, OpenBench, zamar's tool, weather-factory."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from typing import Any

from evalcore.errors import FormatError, UnknownName

from .game_spsa import Parameter

WEATHER_RATE = 0.002
"""weather-factory has one rate for all parameters, in a file of its own; this one stands for it."""


def read_fishtest(text: str, path: str = "parameters") -> list[Parameter]:
    """`name,start,min,max,c_end,r_end`, six columns."""
    return [
        _parameter(row[0], row[1:], path, line)
        for line, row in _rows(text, path, 6, "name,start,min,max,c_end,r_end")
    ]


def read_openbench(text: str, path: str = "parameters") -> list[Parameter]:
    """`name, int|float, value, min, max, c_end, r_end`, seven columns."""
    found = []
    for line, row in _rows(text, path, 7, "name, int|float, value, min, max, c_end, r_end"):
        if row[1] not in ("int", "float"):
            raise FormatError(path, line, "expected int or float as second column", row[1])
        found.append(_parameter(row[0], row[2:], path, line, whole=row[1] == "int"))
    return found


def read_zamar(text: str, path: str = "parameters") -> list[Parameter]:
    """`name,start,min,max,c_end,r_end,simulated Elo`; the last column, for simulations, may be missing."""
    columns = "name,start,min,max,c_end,r_end,simul_elo"
    return [
        _parameter(row[0], row[1:6], path, line, whole=False)
        for line, row in _rows(text, path, 6, columns, more=1)
    ]


def read_weather_factory(text: str, path: str = "config.json") -> list[Parameter]:
    """`{"name": {"value": …, "min_value": …, "max_value": …, "step": …}}`: the step is the spread."""
    found = []
    for name, keys in _object(text, path).items():
        cells = [keys.get(key) for key in ("value", "min_value", "max_value", "step")]
        found.append(_parameter(name, [*cells, WEATHER_RATE], path, name))
    return found


def read_json(text: str, path: str = "parameters.json") -> list[Parameter]:
    """`{"parameters": {"name": {"start": …, "min": …, "max": …, "c": …, "r": …}}}`."""
    found = []
    for name, keys in _object(text, path).get("parameters", {}).items():
        cells = [keys.get(key) for key in ("start", "min", "max", "c", "r")]
        found.append(_parameter(name, cells, path, name, whole=bool(keys.get("whole", True))))
    return found


PARAMETER_READERS: Mapping[str, Callable[..., list[Parameter]]] = {
    "fishtest": read_fishtest,
    "openbench": read_openbench,
    "zamar": read_zamar,
    "weather-factory": read_weather_factory,
    "json": read_json,
}
"""Readers by the name of the tool; what is wrong with the numbers is found by `game_spsa.check`."""


def read_parameters(text: str, tool: str, path: str = "parameters") -> list[Parameter]:
    """A parameter list in the form of a tool. Raises UnknownName or FormatError."""
    if tool not in PARAMETER_READERS:
        raise UnknownName("form of a parameter list", tool, PARAMETER_READERS)
    return PARAMETER_READERS[tool](text, path)


def write_openbench(parameters: list[Parameter]) -> str:
    """`name, value` a line, whole numbers rounded: what OpenBench prints at the end."""
    lines = [f"{each.name}, {round(each.value) if each.whole else each.value}" for each in parameters]
    return "\n".join(lines) + "\n"


def _rows(text: str, path: str, columns: int, names: str, more: int = 0) -> list[tuple[int, list[str]]]:
    """Line numbers and stripped cells; blank lines and lines that begin with # are left out."""
    found = []
    for line, row in enumerate(csv.reader(io.StringIO(text)), 1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or cells[0].startswith("#"):
            continue
        if not columns <= len(cells) <= columns + more:
            raise FormatError(path, line, f"expected {columns} columns: {names}", ",".join(row))
        found.append((line, cells))
    return found


def _parameter(name: str, cells: list[Any], path: str, place: int | str, *, whole: bool = True) -> Parameter:
    """A parameter from its five numbers; NaN is left to the checks, which list everything at once."""
    numbers = []
    for cell in cells:
        try:
            numbers.append(float(cell))
        except (TypeError, ValueError):
            raise FormatError(path, place, "expected a number", str(cell)) from None
    value, low, high, c_end, r_end = numbers
    return Parameter(name, value, low, high, c_end, r_end, whole)


def _object(text: str, path: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(path, error.lineno, f"is no JSON ({error.msg})") from error
    if not isinstance(found, dict):
        raise FormatError(path, None, "expected an object of parameters")
    return found
