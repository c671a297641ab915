"""Evaluation: an ordered list of terms with a phase, read from TOML; layout, extraction, scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import FormatError, InputError, UnknownName
from .evaluation_tables import EvaluationTable, ScalingTable, TermTable, parse_toml
from .extraction import Plan, count_side, extract_rows, plan_of
from .features import BLOCK_ROWS, Block, FeatureMatrix
from .forms import Family, form
from .needs import terms_without
from .phase import DEFAULT_PHASE, Phase
from .positions import Positions
from .rules import RULES
from .scaling import Scaling, ScalingPlan, factors_of_rows, scaling_plan
from .side import FIELDS, board_columns, describe
from .term import Term, load_object, no_term
from .terms import TERMS, find_term
from .threads import in_order
from .traced import is_traced, traced_term
from .weights import TAPERS, Layout, Weights, shown

ENTRIES_A_ROW = 64
"""First guess of the entries of a row; a block that needs more is redone with twice the room."""
PRESETS = Path(__file__).parent / "presets"


@dataclass(frozen=True)
class Evaluation:
    """`terms` in column order, how each is tapered, the phase, the starting weights, the scaling rules.

    A traced evaluation has terms without rules: an engine counts them and writes rows of features, in which
    the first column has the number `first_index`.
    """

    name: str
    terms: tuple[Term, ...]
    tapers: tuple[str, ...]
    phase: Phase
    start: Weights
    scaling: tuple[Scaling, ...] = ()
    first_index: int = 0

    @property
    def traced(self) -> bool:
        """Whether the counts come from an engine instead of from boards."""
        return is_traced(self.terms[0])

    @property
    def layout(self) -> Layout:
        return self.start.layout

    @cached_property
    def plan(self) -> Plan:
        """The compiled rules; the first use compiles what no cache holds. InputError where there are none."""
        if self.traced:
            raise InputError(
                f"the terms of evaluation {self.name} are counted by an engine: this needs a term of the"
                " vocabulary, or of your own, for each"
            )
        return plan_of(self.terms)

    @cached_property
    def scaling_plan(self) -> ScalingPlan:
        """The compiled scaling rules."""
        return scaling_plan(self.scaling)

    def extract(
        self,
        positions: Positions,
        rows: NDArray[np.int64] | None = None,
        *,
        threads: int | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> FeatureMatrix:
        """Counts of all rows, or of the given ones in their order.

        `progress` is told the number of rows after each block. Raises InputError where a count does not
        fit into eight bits.
        """
        if positions.unknown:
            self.refuse_lost({"the source of the positions": tuple(sorted(positions.unknown))})
        chosen = np.arange(len(positions)) if rows is None else np.ascontiguousarray(rows, np.int64)
        boards, plan = board_columns(positions), self.plan
        phase = np.zeros(len(chosen), np.float32)
        factors = np.ones((len(chosen), 2), np.float32) if self.scaling else None
        scaling = self.scaling_plan

        def one(start: int) -> Block:
            span = slice(start, min(start + BLOCK_ROWS, len(chosen)))
            block = self._extract_block(boards, positions.white_to_move, chosen[span], plan, phase[span])
            if factors is not None:
                factors_of_rows(boards, positions.white_to_move, chosen[span], scaling, factors[span])
            if progress:
                progress(span.stop - span.start)
            return block

        blocks = in_order(one, range(0, len(chosen), BLOCK_ROWS), threads)
        return FeatureMatrix(tuple(blocks), phase, self.phase.maximum, len(self.layout), threads, factors)

    def refuse_lost(self, lost: Mapping[str, tuple[str, ...]]) -> None:
        """Raises InputError where a file (path -> columns it does not carry) lacks what a term needs."""
        for path, columns in lost.items():
            for column, terms in terms_without(self.terms, columns).items():
                raise InputError(
                    f"{path} does not carry {column}, which these terms of evaluation {self.name} need:"
                    f" {', '.join(terms)}; use another format, or an evaluation without them"
                )

    def _extract_block(
        self, boards: Any, white_to_move: Any, rows: NDArray[np.int64], plan: Plan, phase: Any
    ) -> Block:
        width = len(self.layout)
        capacity = len(rows) * min(width, max(ENTRIES_A_ROW, len(self.terms))) + width
        weights = np.array(self.phase.weights, float)
        while True:
            indptr = np.zeros(len(rows) + 1, np.int64)
            columns, counts = np.empty(capacity, np.uint16), np.empty(capacity, np.int8)
            done, status = extract_rows(
                boards, white_to_move, rows, plan, width, weights, float(self.phase.maximum),
                indptr, columns, counts, phase,
            )  # fmt: skip
            if status < 0:
                name = shown(*self.layout.names[-1 - status])
                raise InputError(f"position {done + 1}: the count of {name} does not fit into -128 … 127")
            if done == len(rows):
                used = int(indptr[-1])
                return Block(indptr, columns[:used].copy(), counts[:used].copy())
            capacity *= 2

    def score(
        self, positions: Positions, weights: Weights | None = None, *, threads: int | None = None
    ) -> Any:
        """Scores in centipawns (rows,), White's view; by the starting weights unless others are given."""
        table = (weights or self.start).values.astype(float)
        return self.extract(positions, threads=threads).scores(table)

    def phases(self, positions: Positions) -> NDArray[np.float64]:
        """The phase of every row, 0 … maximum."""
        return self.phase.of(positions)

    def counts(self, positions: Positions, row: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Dense counts of White and of Black for one row."""
        white, black = np.zeros((2, FIELDS), np.uint64)
        describe(white, black, board_columns(positions), positions.white_to_move, row)
        out = np.zeros((2, len(self.layout)), np.int64)
        touched = np.zeros((len(self.layout) + 63) // 64, np.uint64)
        for side, counts in zip((white, black), out, strict=True):
            count_side(side, self.plan, 1, counts, touched)
        return out[0], out[1]


def preset_names() -> list[str]:
    """The evaluations that come with the package."""
    return sorted(path.stem for path in PRESETS.glob("*.toml"))


def load_evaluation(name: str | Path) -> Evaluation:
    """A preset by name, or an evaluation file (`.toml`).

    Raises InputError or FormatError that names the file and every mistake in it.
    """
    path = Path(name)
    if path.suffix != ".toml":
        if str(name) not in preset_names():
            raise UnknownName("evaluation (a preset, or a path ending in .toml)", str(name), preset_names())
        path = PRESETS / f"{name}.toml"
    table = parse_toml(path, EvaluationTable)
    uses, phase, rules = _read_terms(path, table, ())
    return make_evaluation(path.stem, uses, phase or DEFAULT_PHASE, tuple(rules.values()), table.first_index)


Use = tuple[Term, str, Any, Any]
"""(term, taper, mg, eg)"""


def make_evaluation(
    name: str,
    uses: Sequence[Use],
    phase: Phase = DEFAULT_PHASE,
    scaling: tuple[Scaling, ...] = (),
    first_index: int = 0,
) -> Evaluation:
    """From terms with tapers and starting weights (numbers, or one a label)."""
    terms = tuple(use[0] for use in uses)
    if len({is_traced(term) for term in terms}) > 1:
        raise InputError(f"evaluation {name}: either all terms are counted by the engine or none is")
    for term in terms:
        if sum(other.name == term.name for other in terms) > 1:
            raise InputError(
                f"evaluation {name} lists the term {term.name} twice; `as` gives one another name"
            )
    layout = Layout(tuple((term.name, term.labels) for term in terms), tuple(use[1] for use in uses))
    if not len(layout):
        raise InputError(f"evaluation {name} has no terms")
    if len(layout) > 0xFFFF:
        raise InputError(f"evaluation {name} has {len(layout):,} columns; at most 65,535 fit")
    values = np.zeros((len(layout), 2))
    for term, taper, mg, eg in uses:
        for phase_index, given in enumerate((mg, eg)):
            if np.ndim(given) and len(given) != len(term.labels):
                raise InputError(
                    f"evaluation {name}: term {term.name} has {len(term.labels)} labels, "
                    f"but {len(given)} {('mg', 'eg')[phase_index]} weights"
                )
            values[layout.columns_of(term.name), phase_index] = given
        _apply_taper(values[layout.columns_of(term.name)], taper)
    return Evaluation(name, terms, layout.tapers, phase, Weights(layout, values), scaling, first_index)


def _apply_taper(values: NDArray[Any], taper: str) -> None:
    if taper not in TAPERS:
        raise UnknownName("taper", taper, TAPERS)
    if taper == "mg":
        values[:, 1] = 0
    elif taper == "eg":
        values[:, 0] = 0
    elif taper == "none":
        values[:, 1] = values[:, 0]


def _read_terms(
    path: Path, table: EvaluationTable, above: tuple[Path, ...]
) -> tuple[list[Use], Phase | None, dict[str, Scaling]]:
    if path.resolve() in above:
        raise FormatError(path, None, "extends itself")
    uses: list[Use] = []
    phase = None
    rules: dict[str, Scaling] = {}
    if table.extends:
        base = Path(table.extends)
        base = path.parent / base if base.suffix == ".toml" else PRESETS / f"{base}.toml"
        if not base.is_file():
            unknown = UnknownName("evaluation to extend", table.extends, preset_names())
            raise FormatError(path, None, str(unknown))
        uses, phase, rules = _read_terms(base, parse_toml(base, EvaluationTable), (*above, path.resolve()))
    for entry in table.term:
        uses.append((_find_term(entry, path), entry.taper, entry.mg, entry.eg))
    for rule in table.scaling:
        found = _find_rule(rule if isinstance(rule, ScalingTable) else ScalingTable(name=rule), path)
        rules[found.name] = found
    return uses, table.phase.phase() if table.phase else phase, rules


def _find_rule(entry: ScalingTable, path: Path) -> Scaling:
    try:
        if entry.name not in RULES:
            raise UnknownName("scaling rule", entry.name, RULES)
        return RULES[entry.name].with_factors(entry.factors)
    except InputError as error:
        raise FormatError(path, None, str(error)) from error


def _find_term(entry: TermTable, path: Path) -> Term:
    if entry.columns is not None or entry.labels is not None:
        return _traced_term(entry, path)
    found = load_object(entry.name, path.parent) if ".py:" in entry.name else find_term(entry.name)
    if not isinstance(found, Term | Family):
        if ".py:" in entry.name:
            no_term(entry.name, path.parent)
        raise FormatError(path, None, str(UnknownName("term", entry.name, TERMS)))
    try:
        term = form(found, options=entry.options, by=entry.by, called=entry.called, split=entry.split)
    except InputError as error:
        raise FormatError(path, None, str(error)) from error
    return replace(term, spec=entry.spec())


def _traced_term(entry: TermTable, path: Path) -> Term:
    if entry.called or entry.options or entry.by or entry.split:
        raise FormatError(path, None, f"term {entry.name}: columns of a trace have no options, by or split")
    try:
        term = traced_term(entry.name, entry.columns, entry.labels)
    except InputError as error:
        raise FormatError(path, None, str(error)) from error
    return replace(term, spec=entry.spec())
