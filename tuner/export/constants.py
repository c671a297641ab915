"""Tables as constants of a program: names, cells and lines, which C, C++, Rust and C# write alike.

A language adds only how it declares a constant and an array.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalcore.errors import InputError

from .tables import ORIENTATIONS, Pair, Table

if TYPE_CHECKING:
    from evalcore.evaluation import Evaluation

ROW = 8
"""Numbers in a line of a series that is indexed by a number."""


@dataclass(frozen=True)
class Naming:
    """How a language names constants: `name` of a term or phase weight, `mg` and `eg` for split tables."""

    name: Callable[[str], str]
    mg: str
    eg: str


def upper_name(term: str) -> str:
    """`passed_pawn` as PASSED_PAWN."""
    return _letters(term).upper()


def pascal_name(term: str) -> str:
    """`passed_pawn` as PassedPawn."""
    return "".join(part[:1].upper() + part[1:] for part in _letters(term).split("_"))


def _letters(term: str) -> str:
    """ASCII letters, digits and underscores, starting with a letter."""
    plain = unicodedata.normalize("NFKD", term).encode("ascii", "ignore").decode()
    name = re.sub(r"\W+", "_", plain).strip("_")
    return name if name[:1].isalpha() else f"t_{name}"


PACKING = ("S", "MG_OF", "EG_OF", "MgOf", "EgOf")
"""Names that exporters of packed pairs define."""

UPPER = Naming(upper_name, "_MG", "_EG")
PASCAL = Naming(pascal_name, "Mg", "Eg")


@dataclass(frozen=True)
class Constant:
    """One declaration: `lines` of the initialiser, or the one value of a `single` constant.

    `pairs` says whether each of the `count` values is a midgame-endgame pair or a plain integer.
    """

    name: str
    pairs: bool
    single: bool
    count: int
    lines: tuple[str, ...]


def constants(
    tables: Sequence[Table], naming: Naming, prefix: str, orientation: str, pair: str | None
) -> list[Constant]:
    """All declarations in the order of the terms.

    `pair` is the text of a midgame-endgame pair, such as "S({}, {})"; None makes two tables of each tapered
    term. Raises InputError for a prefix that cannot begin a name and for two constants of one name.
    """
    if prefix and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", prefix):
        raise InputError(f"the prefix {prefix!r} cannot begin a name: use letters, digits and underscores")
    made = dict.fromkeys(phase_names(naming, prefix).values(), "the phase") | dict.fromkeys(
        PACKING, "packing"
    )
    found = []
    for table in tables:
        for constant in _of_table(table, naming, prefix, orientation, pair):
            if constant.name in made:
                raise InputError(
                    f"{made[constant.name]} and {table.term} would both be called {constant.name}; "
                    "a prefix or another name for the term (as = …) avoids it"
                )
            made[constant.name] = table.term
            found.append(constant)
    return found


def _of_table(
    table: Table, naming: Naming, prefix: str, orientation: str, pair: str | None
) -> Iterator[Constant]:
    name = prefix + naming.name(table.term)
    pairs = table.arranged(orientation)
    if table.tapered and pair is not None:
        yield _constant(table, name, pair_cells(pairs, pair), orientation, True)
        return
    for phase, suffix in enumerate((naming.mg, naming.eg) if table.tapered else ("",)):
        cells = aligned([str(values[phase]) for values in pairs])
        yield _constant(table, name + suffix, cells, orientation, False)


def _constant(table: Table, name: str, cells: Sequence[str], orientation: str, pairs: bool) -> Constant:
    lines = (cells[0],) if table.single else tuple(initialiser(table, cells, orientation))
    return Constant(name, pairs, table.single, len(cells), lines)


# --- the phase ----------------------------------------------------------------------------------------

PHASE_MEN = ("pawn", "knight", "bishop", "rook", "queen")


def phase_names(naming: Naming, prefix: str) -> dict[str, str]:
    """Man (or "max") to the constant that holds its phase weight."""
    return {man: prefix + naming.name(f"phase_{man}") for man in (*PHASE_MEN, "max")}


def phase_values(evaluation: Evaluation | None, naming: Naming, prefix: str) -> list[tuple[str, str, bool]]:
    """(name, value, whether it is an integer) of the phase constants; none without an evaluation."""
    if evaluation is None:
        return []
    values = (*evaluation.phase.weights[:5], evaluation.phase.maximum)
    whole = all(value == int(value) for value in values)
    texts = [str(int(value)) if whole else repr(float(value)) for value in values]
    names = phase_names(naming, prefix).values()
    return [(name, text, whole) for name, text in zip(names, texts, strict=True)]


# --- text ---------------------------------------------------------------------------------------------


def preamble(
    evaluation: Evaluation | None, naming: Naming, prefix: str, orientation: str, tables: Sequence[Table]
) -> list[str]:
    """What a reader of the file has to know, as lines of plain text."""
    top = phase_names(naming, prefix)["max"]
    name = plain_text(evaluation.name) if evaluation else "(not named)"
    lines = [
        f"Weights of the evaluation {name}, in centipawns.",
        "",
        "The count of a term is White's minus Black's, so that all sums are from White's point of view:",
        "mg and eg are the sums of count times weight over the tapered terms, and",
        f"    score = (mg * phase + eg * ({top} - phase)) / {top} + untapered",
        "where the division may truncate, as in C; the phase is the sum of the phase weights of all men of",
        f"both sides, at most {top}.",
    ]
    untapered = [table.term for table in tables if not table.tapered]
    if untapered:
        lines.append(f"Untapered, plain integers outside the division: {plain_text(', '.join(untapered))}.")
    if evaluation and evaluation.scaling:
        rules = ", ".join(rule.name for rule in evaluation.scaling)
        lines.append(f"Not in this file: rules that scale the score afterwards ({plain_text(rules)}).")
    if any(table.squares is not None for table in tables):
        lines += ["", f"Boards: {ORIENTATIONS[orientation]};", f"{_indexing(orientation)}."]
    return lines


def _indexing(orientation: str) -> str:
    flipped, plain = ("White", "Black") if orientation == "a8" else ("Black", "White")
    return f"with squares from a1 = 0, {flipped} reads table[square ^ 56] and {plain} table[square]"


def plain_text(text: str) -> str:
    """One printable line that neither ends a comment nor opens one."""
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    return line.replace("*/", "* /").replace("/*", "/ *").replace("\\", "/")


def comment(text: str) -> str:
    """A comment in C, C++, Rust and C#."""
    return f"/* {plain_text(text)} */"


def aligned(cells: Sequence[str]) -> list[str]:
    """Padded on the left to the same width; a single cell stays as it is."""
    width = max(map(len, cells), default=0)
    return [cell.rjust(width) for cell in cells]


def pair_cells(pairs: Sequence[Pair], template: str) -> list[str]:
    """Pairs as text, midgame below midgame and endgame below endgame."""
    sides = [aligned([str(pair[phase]) for pair in pairs]) for phase in (0, 1)]
    return [template.format(mg, eg) for mg, eg in zip(*sides, strict=True)]


def rows_of(cells: Sequence[str], width: int = ROW) -> list[str]:
    """Cells joined by commas, `width` a line, each line ending in a comma."""
    return [", ".join(cells[start : start + width]) + "," for start in range(0, len(cells), width)]


def text_of(lines: Iterable[str]) -> str:
    """The text of a file; several empty lines in a row count as one."""
    kept: list[str] = []
    for line in lines:
        if line or kept[-1:] != [""]:
            kept.append(line)
    return "\n".join(kept).rstrip("\n") + "\n"


def initialiser(table: Table, cells: Sequence[str], orientation: str) -> list[str]:
    """The lines between the brackets: a line a rank of a board, 8 numbered cells, or one labelled cell."""
    if table.squares is not None:
        ranks = range(8, 0, -1) if orientation == "a8" else range(1, 9)
        return [f"{row} {comment(f'rank {rank}')}" for rank, row in zip(ranks, rows_of(cells), strict=True)]
    if table.numbered:
        return rows_of(cells)
    return [f"{cell}, {comment(label)}" for cell, label in zip(cells, table.labels, strict=True)]
