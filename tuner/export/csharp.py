"""A class for C# engines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from evalcore.errors import InputError
from evalcore.weights import RoundedWeights

from .base import check_choice, check_program
from .constants import PASCAL, Constant, constants, phase_values, preamble, text_of
from .tables import ORIENTATIONS, tables_of

if TYPE_CHECKING:
    from evalcore.evaluation import Evaluation

STYLES = {"tuples": "({}, {})", "packed": "S({}, {})", "arrays": None}

PACKING = """\
// A pair in one integer: sums of packed pairs are packed sums, as long as each half fits into 16 bits.
public static int S(int mg, int eg) => unchecked((int)(((uint)eg << 16) + (uint)mg));
public static int MgOf(int pair) => unchecked((short)pair);
public static int EgOf(int pair) => unchecked((short)(((uint)pair + 0x8000u) >> 16));
"""


@dataclass(frozen=True)
class CSharpClass:
    """A static class of constants and arrays.

    `style` "tuples" writes `(mg, eg)` of type (int Mg, int Eg), "packed" writes `S(mg, eg)` which packs both
    into one int (values must fit into 16 bits), "arrays" writes NameMg and NameEg. `orientation` is the first
    square of the boards, a8 or a1. `prefix` stands before each name; `namespace` may be empty.
    """

    style: str = "tuples"
    orientation: str = "a8"
    prefix: str = ""
    name: str = "EvaluationWeights"
    namespace: str = ""
    evaluation: Evaluation | None = None

    def __post_init__(self) -> None:
        check_choice("style of a C# class", self.style, STYLES)
        check_choice("orientation", self.orientation, ORIENTATIONS)
        if not re.fullmatch(r"[A-Za-z_]\w*", self.name):
            raise InputError(f"{self.name!r} is no name of a C# class")
        if self.namespace and not re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", self.namespace):
            raise InputError(f"{self.namespace!r} is no name of a C# namespace")

    def write(self, weights: RoundedWeights, out: TextIO) -> None:
        """Writes the whole file."""
        check_program(weights, packed=self.style == "packed")
        out.write(text_of(self._lines(weights)))

    def _lines(self, weights: RoundedWeights) -> Iterator[str]:
        tables = tables_of(weights)
        for line in preamble(self.evaluation, PASCAL, self.prefix, self.orientation, tables):
            yield f"// {line}".rstrip()
        yield ""
        if self.namespace:
            yield from (f"namespace {self.namespace}", "{")
        indent = "    " if self.namespace else ""
        yield from (f"{indent}public static class {self.name}", f"{indent}{{")
        yield from (f"{indent}    {line}".rstrip() for line in self._members(weights))
        yield f"{indent}}}"
        if self.namespace:
            yield "}"

    def _members(self, weights: RoundedWeights) -> Iterator[str]:
        if self.style == "packed":
            yield from (*PACKING.splitlines(), "")
        for name, value, whole in phase_values(self.evaluation, PASCAL, self.prefix):
            yield f"public const {'int' if whole else 'double'} {name} = {value};"
        yield ""
        tables = tables_of(weights)
        for constant in constants(tables, PASCAL, self.prefix, self.orientation, STYLES[self.style]):
            yield from self._declaration(constant)

    def _declaration(self, constant: Constant) -> Iterator[str]:
        kind = "(int Mg, int Eg)" if constant.pairs and self.style == "tuples" else "int"
        if constant.single:
            known = "public static readonly" if constant.pairs else "public const"
            yield f"{known} {kind} {constant.name} = {constant.lines[0]};"
            return
        yield from ("", f"public static readonly {kind}[] {constant.name} =", "{")
        yield from (f"    {line}" for line in constant.lines)
        yield from ("};", "")
