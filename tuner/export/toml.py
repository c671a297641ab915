"""TOML: an evaluation file that `load_evaluation` reads, so that a fit is the start of the next one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import tomli_w

from evalcore.weights import RoundedWeights, Weights

from .base import check_weights
from .constants import ROW, aligned, plain_text, rows_of, text_of
from .tables import Table, squares_of

if TYPE_CHECKING:
    from evalcore.evaluation import Evaluation
    from evalcore.term import Term

INLINE = 16
"""Longest list that stands on one line."""

NUMBERS_USED = {"tapered": ("mg", "eg"), "mg": ("mg",), "eg": ("eg",), "none": ("mg",)}
"""Which numbers of a term its taper leaves free."""


@dataclass(frozen=True)
class TomlPreset:
    """A complete evaluation: phase, scaling rules, terms with their forms and tapers, weights to start from.

    Boards have a rank a line, starting with the first rank, as everywhere inside evaluations. A term of a
    user's own file is named by its path, relative to `folder` where it lies below it. Without an
    `evaluation` the names of the terms are those of the weights, and the phase is the default one.
    """

    evaluation: Evaluation | None = None
    folder: Path | None = None

    def write(self, weights: RoundedWeights, out: TextIO) -> None:
        """Writes the whole file."""
        check_weights(weights)
        lines = _preset(self.evaluation, weights, lambda _term: self.folder, "with fitted weights")
        out.write(text_of(lines))


def kept_text(evaluation: Evaluation) -> str:
    """An evaluation with its own starting weights, at full precision, as a file of a run folder.

    Terms of users' own files are named as if those files lay beside it.
    """
    beside = _preset(evaluation, evaluation.start, lambda term: Path(source_of(term)).parent, "as it was")
    return text_of(beside)


def _preset(
    evaluation: Evaluation | None, weights: Weights, folder_of: Callable[[Term], Path | None], what: str
) -> Iterator[str]:
    if evaluation:
        yield f"# The evaluation {plain_text(evaluation.name)} {what}."
    yield "# Centipawns; boards start at a1 (pawns at a2), one rank a line."
    if evaluation:
        if evaluation.first_index:
            yield f"first_index = {evaluation.first_index}"
        yield from ("", *_scaling(evaluation), "", *_phase(evaluation))
    terms = {term.name: term for term in evaluation.terms} if evaluation else {}
    for (name, labels), taper in zip(weights.layout.terms, weights.layout.tapers, strict=True):
        pairs = tuple((mg, eg) for mg, eg in weights.of_term(name).tolist())
        spec = term_spec(terms[name], folder_of(terms[name])) if name in terms else {"name": name}
        yield from ("", *_term(Table(name, taper, labels, pairs), spec))


def _phase(evaluation: Evaluation) -> Iterator[str]:
    phase = evaluation.phase
    yield "[phase]"
    for man, weight in zip(("pawn", "knight", "bishop", "rook", "queen"), phase.weights, strict=False):
        yield f"{man} = {_number(weight)}"
    yield f"maximum = {_number(phase.maximum)}"


def _scaling(evaluation: Evaluation) -> Iterator[str]:
    """Every rule with all its factors, so that no default of a rule is relied on."""
    if not evaluation.scaling:
        return
    yield "scaling = ["
    for rule in evaluation.scaling:
        factors = dict(zip(rule.cases, rule.factors, strict=True))
        yield f"    {_inline({'name': rule.name, 'factors': factors})},"
    yield "]"


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))


def _term(table: Table, spec: dict[str, Any]) -> Iterator[str]:
    yield "[[term]]"
    for key, value in spec.items():
        yield _entry(key, value)
    if table.taper != "tapered":
        yield _entry("taper", table.taper)
    for phase in NUMBERS_USED[table.taper]:
        cells = [str(mg if phase == "mg" else eg) for mg, eg in table.pairs]
        yield from _numbers(phase, table, cells)


def _entry(key: str, value: Any) -> str:
    """`key = value` on one line, tables inline."""
    if not isinstance(value, dict):
        text: str = tomli_w.dumps({key: value})
        return text.strip()
    return f"{key} = {_inline(value)}"


def _inline(table: dict[str, Any]) -> str:
    return f"{{ {', '.join(_entry(*item) for item in table.items())} }}"


def _numbers(key: str, table: Table, cells: Sequence[str]) -> Iterator[str]:
    if len(cells) == 1:
        yield f"{key} = {cells[0] if table.single else f'[{cells[0]}]'}"
    elif len(cells) <= INLINE:
        yield f"{key} = [{', '.join(cells)}]"
    else:
        yield f"{key} = ["
        yield from (f"    {row}" for row in rows_of(aligned(cells), _row_length(table.labels)))
        yield "]"


def _row_length(labels: Sequence[str]) -> int:
    """The number of labels a rank has, where the labels are squares."""
    if squares_of(labels) is None:
        return ROW
    ranks = [label[-1] for label in labels]
    return max(map(ranks.count, set(ranks)))


def term_spec(term: Term, folder: Path | None) -> dict[str, Any]:
    """The keys by which an evaluation file asks for this form of the term."""
    from evalcore.terms import TERMS

    spec = dict(term.spec)
    if not spec:
        known = TERMS.get(term.name) is term
        spec = {"name": term.name if known else f"{Path(source_of(term)).name}:{term.rule.__name__}"}
    file, separator, name = str(spec["name"]).rpartition(".py:")
    if separator:
        spec["name"] = f"{_reference(term, Path(f'{file}.py'), folder)}:{name}"
    return spec


def _reference(term: Term, given: Path, folder: Path | None) -> str:
    """The path of a user's file, relative to the folder where it lies in it."""
    source = Path(source_of(term))
    if source.name != given.name:
        return given.as_posix()
    source = source.resolve()
    inside = folder is not None and source.is_relative_to(folder.resolve())
    return (source.relative_to(folder.resolve()) if inside and folder else source).as_posix()


def source_of(term: Term) -> str:
    """The file a term's rule is written in."""
    return term.rule.__code__.co_filename
