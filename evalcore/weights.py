"""Weights: one (mg, eg) pair in centipawns for every column of an evaluation.

A weight is named by its term and label, never by a position in an array: files are matched by name.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .errors import FormatError, InputError, UnknownName
from .files import write_text

if TYPE_CHECKING:
    import pandas as pd

Name = tuple[str, str]
"""(term, label); the label is "" for a term of one column."""

TAPERS = ("tapered", "mg", "eg", "none")
"""How a term enters the score: both phases, one of them, or the same weight in both."""


LARGEST = 2.0**31 - 1
"""Size of the largest weight that can be rounded: engines use integers of 32 bits."""


def shown(term: str, label: str) -> str:
    """`passed_pawn[rank 5]`, or `tempo` for a term of one column."""
    return f"{term}[{label}]" if label else term


@dataclass(frozen=True)
class Layout:
    """Which column belongs to which term and label; `terms` in order, with their labels and tapers."""

    terms: tuple[tuple[str, tuple[str, ...]], ...]
    tapers: tuple[str, ...]

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """(term, label) of every column."""
        return tuple((term, label) for term, labels in self.terms for label in labels)

    @cached_property
    def _index(self) -> dict[Name, int]:
        return {name: column for column, name in enumerate(self.names)}

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Term to its columns."""
        ends = np.cumsum([len(labels) for _, labels in self.terms])
        return {
            term: slice(int(end) - len(labels), int(end))
            for (term, labels), end in zip(self.terms, ends, strict=True)
        }

    @cached_property
    def taper_of(self) -> dict[str, str]:
        """Term to its taper."""
        return {term: taper for (term, _), taper in zip(self.terms, self.tapers, strict=True)}

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, name: Name) -> int:
        """Column of (term, label)."""
        try:
            return self._index[name]
        except KeyError:
            raise UnknownName("weight", shown(*name), (shown(*known) for known in self._index)) from None

    def columns_of(self, term: str) -> slice:
        """The columns of a term."""
        try:
            return self.slices[term]
        except KeyError:
            raise UnknownName("term of this evaluation", term, self.slices) from None


@dataclass(frozen=True, eq=False)
class Weights:
    """`values` is float64 (columns, 2): midgame and endgame centipawns, White's view."""

    layout: Layout
    values: NDArray[Any]

    def __post_init__(self) -> None:
        expected = (len(self.layout), 2)
        if self.values.shape != expected:
            raise ValueError(f"weights have shape {self.values.shape}, the layout needs {expected}")

    def __getitem__(self, name: Name) -> tuple[float, float]:
        mg, eg = self.values[self.layout[name]]
        return float(mg), float(eg)

    def of_term(self, term: str) -> NDArray[Any]:
        """(labels, 2) of one term."""
        return self.values[self.layout.columns_of(term)]

    def rounded(self) -> RoundedWeights:
        """To the nearest integers, halves to even. Raises InputError where one needs more than 32 bits."""
        for (term, label), pair in zip(self.layout.names, self.values.tolist(), strict=True):
            if max(map(abs, pair)) > LARGEST:
                weight = f"{shown(term, label)} has the weight {max(pair, key=abs):g}"
                raise InputError(f"{weight}, which no integer of 32 bits holds")
        return RoundedWeights(self.layout, np.rint(self.values).astype(np.int64))

    def rows(self) -> Iterator[tuple[str, str, float, float]]:
        """(term, label, mg, eg) of every column."""
        for (term, label), (mg, eg) in zip(self.layout.names, self.values.tolist(), strict=True):
            yield term, label, mg, eg

    def to_frame(self) -> pd.DataFrame:
        """Columns mg and eg, indexed by term and label."""
        import pandas as pd

        index = pd.MultiIndex.from_tuples(self.layout.names, names=("term", "label"))
        return pd.DataFrame(self.values, index=index, columns=["mg", "eg"])

    def _repr_html_(self) -> str:
        """A table, for notebooks."""
        text: str = self.to_frame().to_html(max_rows=20)
        return text

    def to_json(self) -> str:
        """One object: term -> {"labels": […], "mg": […], "eg": […]}, full precision."""
        terms = {
            term: {
                "taper": taper,
                "labels": list(labels),
                "mg": self.of_term(term)[:, 0].tolist(),
                "eg": self.of_term(term)[:, 1].tolist(),
            }
            for (term, labels), taper in zip(self.layout.terms, self.layout.tapers, strict=True)
        }
        return json.dumps({"unit": "centipawns", "terms": terms}, indent=1) + "\n"

    def save(self, path: str | Path) -> None:
        """As JSON; the file appears whole or not at all."""
        write_text(Path(path), self.to_json())


class RoundedWeights(Weights):
    """Weights after the visible step of rounding: `values` is int64. Exporters take only these."""


def load_weights(path: str | Path, layout: Layout | None = None) -> Weights:
    """Reads what `Weights.save` wrote.

    With a `layout`, the file must hold exactly its terms and labels, in any order, and weights that fit
    their tapers; otherwise the error names what is missing, too many or against the taper. Raises
    FormatError, one sentence, for whatever else is no weights file.
    """
    terms = _terms_of_file(path)
    found = Layout(
        tuple((term, tuple(map(str, entry["labels"]))) for term, entry in terms.items()),
        tuple(entry.get("taper", "tapered") for entry in terms.values()),
    )
    pairs = [(entry["mg"], entry["eg"]) for entry in terms.values()]
    values = np.concatenate([np.array(pair, float).T for pair in pairs])
    weights = Weights(found, values)
    return weights if layout is None else _arranged(weights, layout, path)


_SHAPE = '{"terms": {term: {"labels": […], "mg": […], "eg": […]}}}'


def _terms_of_file(path: str | Path) -> dict[str, dict[str, Any]]:
    """The entries of a weights file by term, checked one by one."""
    try:
        data = json.loads(_read(Path(path)), object_pairs_hook=_without_repeats)
    except FormatError:
        raise
    except (ValueError, RecursionError) as error:
        raise FormatError(path, None, f"is no weights file ({error})") from error
    terms = data.get("terms") if isinstance(data, dict) else None
    if not isinstance(terms, dict) or not terms:
        raise FormatError(path, None, f"is no weights file (expected {_SHAPE})")
    if data.get("unit", "centipawns") != "centipawns":
        raise FormatError(path, None, "holds weights of another unit than centipawns", str(data["unit"]))
    for term, entry in terms.items():
        if mistake := _mistake_of(entry):
            raise FormatError(path, None, f"term {term} {mistake}")
    return terms


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(n for n in names if names.count(n) > 1)!r} occurs twice")
    return found


def _mistake_of(entry: Any) -> str:
    """What is wrong with the entry of one term; empty for nothing."""
    if not isinstance(entry, dict) or not all(isinstance(entry.get(k), list) for k in ("labels", "mg", "eg")):
        return "needs lists called labels, mg and eg"
    labels = entry["labels"]
    if not all(isinstance(label, str) for label in labels) or len(set(labels)) < len(labels):
        return "needs labels that are texts and differ"
    if entry.get("taper", "tapered") not in TAPERS:
        return f"has the taper {entry['taper']!r}; expected one of {', '.join(TAPERS)}"
    for phase in ("mg", "eg"):
        if len(entry[phase]) != len(labels):
            return f"has {len(labels)} labels but {len(entry[phase])} {phase} weights"
        if not all(map(_is_weight, entry[phase])):
            return f"has an {phase} weight that is no finite number"
    return ""


def _is_weight(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return bool(-sys.float_info.max <= value <= sys.float_info.max)


def _arranged(weights: Weights, layout: Layout, path: str | Path) -> Weights:
    """The same weights in the order of another layout."""
    have, want = set(weights.layout.names), set(layout.names)
    if have != want:
        raise FormatError(
            path, None, f"belongs to another evaluation ({_difference(want - have, have - want)})"
        )
    order = [weights.layout[name] for name in layout.names]
    arranged = Weights(layout, weights.values[order])
    if mistake := against_taper(arranged):
        raise FormatError(path, None, f"belongs to another evaluation: {mistake}")
    return arranged


def against_taper(weights: Weights) -> str:
    """Which weight contradicts the taper of its term, as a sentence; empty for none."""
    for term, label, mg, eg in weights.rows():
        taper = weights.layout.taper_of[term]
        if taper == "none" and mg != eg:
            return f"{shown(term, label)} is untapered, but its weights are {mg:g} and {eg:g}"
        other = {"mg": eg, "eg": mg}.get(taper, 0)
        if other:
            return f"{shown(term, label)} is {taper} only, but its other phase has the weight {other:g}"
    return ""


def _difference(missing: set[Name], surplus: set[Name]) -> str:
    parts = []
    for names, what in ((missing, "missing"), (surplus, "unknown")):
        if names:
            listed = sorted(shown(*name) for name in names)
            more = f" and {len(listed) - 3} more" if len(listed) > 3 else ""
            parts.append(f"{what}: {', '.join(listed[:3])}{more}")
    return "; ".join(parts)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FormatError(path, None, f"cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise FormatError(path, None, "is no weights file (not text)") from error


def from_terms(layout: Layout, values: Mapping[str, Sequence[Any]]) -> Weights:
    """From (mg, eg) per term, each a number for all labels or one per label."""
    table = np.zeros((len(layout), 2))
    for term, pair in values.items():
        for phase, given in enumerate(pair):
            table[layout.columns_of(term), phase] = given
    return Weights(layout, table)
