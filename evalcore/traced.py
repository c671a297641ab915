"""Terms that an engine counts itself and writes as rows of features: names and labels without a rule.

An evaluation file lists them in the order of the columns, as many as each has:

[[term]]
name = "knight_psqt"
labels = "squares"      # a1, b1 … h8; or "squares from a8", "ranks", "files", or a list of labels

[[term]]
name = "tempo"
columns = 1
"""

from __future__ import annotations

from collections.abc import Sequence

from .errors import InputError
from .side import Side
from .term import BY_FILE, BY_RANK, SQUARES, Partition, Term

NAMED_LABELS = {
    "squares": SQUARES,
    "squares from a8": tuple(SQUARES[square ^ 56] for square in range(64)),
    "ranks": BY_RANK.labels,
    "files": BY_FILE.labels,
}
"""Labels that a word stands for."""


def counted_by_the_engine(us: Side) -> int:
    """Counted by the engine itself."""
    raise InputError("a term of an engine's own trace cannot be counted on a board")


def traced_term(name: str, columns: int | None, labels: str | Sequence[str] | None) -> Term:
    """A term of `columns` columns, or of one a label."""
    if isinstance(labels, str):
        if labels not in NAMED_LABELS:
            known = ", ".join(NAMED_LABELS)
            raise InputError(f"term {name}: labels is a list, or one of {known}, not {labels!r}")
        labels = NAMED_LABELS[labels]
    if labels is None:
        labels = ("",) if columns == 1 else tuple(map(str, range(columns or 0)))
    if columns not in (None, len(labels)) or not labels or len(set(labels)) < len(labels):
        raise InputError(f"term {name}: {columns} columns cannot have the labels {', '.join(labels)}")
    return Term(name, counted_by_the_engine, Partition("traced", tuple(labels)), page="none")


def is_traced(term: Term) -> bool:
    """Whether a term has no rule."""
    return term.rule is counted_by_the_engine
