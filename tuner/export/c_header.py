"""A header for C and C++ engines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from evalcore.errors import InputError
from evalcore.weights import RoundedWeights

from .base import check_choice, check_program
from .constants import UPPER, Constant, constants, phase_values, preamble, text_of
from .tables import ORIENTATIONS, tables_of

if TYPE_CHECKING:
    from evalcore.evaluation import Evaluation

STYLES = ("pairs", "arrays")

PACKING = """\
/* A pair in one integer: sums of packed pairs are packed sums, as long as each half fits into 16 bits.
 * Define S yourself before this header, and `type` of the exporter with it, for another kind of pair. */
#ifndef S
#define S(mg, eg) ((int)(((unsigned int)(eg) << 16) + (unsigned int)(mg)))
#endif
#ifndef MG_OF
#define MG_OF(pair) ((int)(int16_t)(uint16_t)(unsigned int)(pair))
#endif
#ifndef EG_OF
#define EG_OF(pair) ((int)(int16_t)(uint16_t)(((unsigned int)(pair) + 0x8000u) >> 16))
#endif
"""


@dataclass(frozen=True)
class CHeader:
    """Constants, boards and arrays, for C99 and later and for C++.

    `style` "pairs" writes `S(mg, eg)` with a macro that packs both into one int (values must fit into 16
    bits), with `MG_OF` and `EG_OF` to unpack; "arrays" writes NAME_MG and NAME_EG. `orientation` is the first
    square of the boards, a8 or a1; tables of pawns are padded with zeros to 64 squares. Tables that are no
    boards are arrays in the order of the labels, which stand beside them. Names are the terms in upper case
    behind `prefix`. `type` is the type of a value and `storage` what stands before it, such as
    "inline constexpr".
    """

    style: str = "pairs"
    orientation: str = "a8"
    prefix: str = ""
    guard: str = "EVALUATION_WEIGHTS_H"
    type: str = "int"
    storage: str = "static const"
    evaluation: Evaluation | None = None

    def __post_init__(self) -> None:
        check_choice("style of a C header", self.style, STYLES)
        check_choice("orientation", self.orientation, ORIENTATIONS)
        if not re.fullmatch(r"[A-Za-z_]\w*", self.guard, re.ASCII):
            raise InputError(f"the guard {self.guard!r} is no name of C")

    def write(self, weights: RoundedWeights, out: TextIO) -> None:
        """Writes the whole header."""
        check_program(weights, packed=self.style == "pairs")
        out.write(text_of(self._lines(weights)))

    def _lines(self, weights: RoundedWeights) -> Iterator[str]:
        tables = tables_of(weights)
        about = preamble(self.evaluation, UPPER, self.prefix, self.orientation, tables)
        yield from ("/* " + "\n * ".join(about)).replace(" \n", "\n").split("\n")
        yield from (" */", f"#ifndef {self.guard}", f"#define {self.guard}", "")
        pair = "S({}, {})" if self.style == "pairs" else None
        if pair:
            yield from ("#include <stdint.h>", "", *PACKING.splitlines(), "")
        for name, value, whole in phase_values(self.evaluation, UPPER, self.prefix):
            yield f"{self.storage} {'int' if whole else 'double'} {name} = {value};"
        yield ""
        for constant in constants(tables, UPPER, self.prefix, self.orientation, pair):
            yield from self._declaration(constant)
        yield from ("", f"#endif /* {self.guard} */")

    def _declaration(self, constant: Constant) -> Iterator[str]:
        kind = self.type if constant.pairs else "int"
        if constant.single:
            yield f"{self.storage} {kind} {constant.name} = {constant.lines[0]};"
            return
        yield ""
        yield f"{self.storage} {kind} {constant.name}[{constant.count}] = {{"
        yield from (f"    {line}" for line in constant.lines)
        yield from ("};", "")
