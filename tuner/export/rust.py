"""A module for Rust engines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from evalcore.weights import RoundedWeights

from .base import check_choice, check_program
from .constants import UPPER, Constant, constants, phase_values, preamble, text_of
from .tables import ORIENTATIONS, tables_of

if TYPE_CHECKING:
    from evalcore.evaluation import Evaluation

STYLES = {"tuples": "({}, {})", "packed": "S({}, {})", "arrays": None}

PACKING = """\
/// A pair in one integer: sums of packed pairs are packed sums, as long as each half fits into 16 bits.
#[allow(non_snake_case)]
pub const fn S(mg: i32, eg: i32) -> i32 {
    (eg << 16).wrapping_add(mg)
}

/// The midgame half of a pair.
pub const fn mg_of(pair: i32) -> i32 {
    pair as i16 as i32
}

/// The endgame half of a pair.
pub const fn eg_of(pair: i32) -> i32 {
    (pair.wrapping_add(0x8000) >> 16) as i16 as i32
}
"""


@dataclass(frozen=True)
class RustModule:
    """Public constants and arrays.

    `style` "tuples" writes `(mg, eg)` of type (i32, i32), "packed" writes `S(mg, eg)`, a const fn that packs
    both into one i32 (values must fit into 16 bits), "arrays" writes NAME_MG and NAME_EG. `orientation` is
    the first square of the boards, a8 or a1. `prefix` stands before each name.
    """

    style: str = "tuples"
    orientation: str = "a8"
    prefix: str = ""
    evaluation: Evaluation | None = None

    def __post_init__(self) -> None:
        check_choice("style of a Rust module", self.style, STYLES)
        check_choice("orientation", self.orientation, ORIENTATIONS)

    def write(self, weights: RoundedWeights, out: TextIO) -> None:
        """Writes the whole module."""
        check_program(weights, packed=self.style == "packed")
        out.write(text_of(self._lines(weights)))

    def _lines(self, weights: RoundedWeights) -> Iterator[str]:
        tables = tables_of(weights)
        for line in preamble(self.evaluation, UPPER, self.prefix, self.orientation, tables):
            yield f"// {line}".rstrip()
        yield ""
        if self.style == "packed":
            yield from PACKING.splitlines()
            yield ""
        for name, value, whole in phase_values(self.evaluation, UPPER, self.prefix):
            yield f"#[allow(dead_code)] pub const {name}: {'i32' if whole else 'f64'} = {value};"
        yield ""
        for constant in constants(tables, UPPER, self.prefix, self.orientation, STYLES[self.style]):
            yield from self._declaration(constant)

    def _declaration(self, constant: Constant) -> Iterator[str]:
        kind = "(i32, i32)" if constant.pairs and self.style == "tuples" else "i32"
        if constant.single:
            yield f"pub const {constant.name}: {kind} = {constant.lines[0]};"
            return
        yield from ("", "#[rustfmt::skip]", f"pub const {constant.name}: [{kind}; {constant.count}] = [")
        yield from (f"    {line}" for line in constant.lines)
        yield from ("];", "")
