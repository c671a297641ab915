"""Rules of a job: what single terms or weights must and should be, and how they shape the objective.

A rule has a name as in `freeze`: a term (`passed_pawn`), a weight (`passed_pawn[rank 5]`), a phase of either
(`tempo.eg`); `*` stands for any letters of a term's name. Later rules win over earlier ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from evalcore.errors import InputError, UnknownName
from evalcore.weights import Layout

from .constraints import Chain, Constraints, Group
from .objectives import PENALTY_UNIT
from .parameters import FROZEN, UNUSED, Parameters, matching, weight_indices

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Number = Annotated[float, Field(allow_inf_nan=False)]
Price = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]


class Rule(BaseModel):
    """What may be said of weights. Prices are in the loss of one game, like the job's ridge.

    ridge       price of moving a weight by 100 cp from its prior, instead of the job's
    prior       where ridge and lasso pull to, in cp; the start unless given
    lower upper bounds in cp
    sign        "+" or "-": a bound at zero
    monotone    "increasing" or "decreasing" along the labels of each table and phase
    smooth      price of a bend: of a second difference of 100 cp between neighbours of a table
    lasso       price of the first 100 cp, however small the move: unneeded weights stay at their prior
    group       the same for all weights of a term at once: unneeded terms stay at their prior
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    ridge: Price | None = None
    prior: Number | None = None
    lower: Number | None = None
    upper: Number | None = None
    sign: Literal["+", "-"] | None = None
    monotone: Literal["increasing", "decreasing"] | None = None
    smooth: Price | None = None
    lasso: Price | None = None
    group: Price | None = None


@dataclass(frozen=True, eq=False)
class Restraints:
    """What rules come to, for the free numbers of a fit: the fields of an objective of these names."""

    ridge: Floats
    prior: Floats
    roughness: Any
    constraints: Constraints | None


def make_restraints(
    rules: Mapping[str, Rule], parameters: Parameters, *, ridge: float, prior: Floats, games: float
) -> Restraints:
    """The rules of a job, with `ridge` and `prior` (size,) for what no rule names, prices per game.

    Raises UnknownName for a name that matches nothing, InputError for rules that contradict each other.
    """
    size = parameters.size
    prices, centre = np.full(size, ridge / games), prior.copy()
    lower, upper = np.full(size, -np.inf), np.full(size, np.inf)
    lasso = np.zeros(size)
    groups: dict[str, Group] = {}
    chains: dict[tuple[int, ...], Chain] = {}
    bends: dict[tuple[int, ...], float] = {}
    for pattern, rule in rules.items():
        members = _owners(parameters, matching(parameters.layout, pattern))
        if rule.ridge is not None:
            prices[members] = rule.ridge / games
        if rule.prior is not None:
            centre[members] = rule.prior
        if rule.lasso is not None:
            lasso[members] = rule.lasso / games / PENALTY_UNIT
        low, high = _bounds(pattern, rule)
        lower[members] = lower[members] if low is None else low
        upper[members] = upper[members] if high is None else high
        for table in _tables(parameters, pattern):
            if rule.monotone and len(table) > 1:
                chains[tuple(table)] = Chain(np.array(table), rule.monotone == "increasing")
        if rule.smooth is not None:
            bends |= dict.fromkeys(_bends(parameters, pattern), rule.smooth / games)
        if rule.group is not None:
            groups |= _groups(parameters, pattern, rule.group / games / PENALTY_UNIT)
    constraints = Constraints(lower, upper, lasso, centre, tuple(groups.values()), tuple(chains.values()))
    _refuse_empty(constraints, parameters)
    pulled = (prices > 0.0) | (lasso > 0.0)
    for group in groups.values():
        pulled[group.members] = True
    for pattern, rule in rules.items():
        _refuse_idle(pattern, rule, parameters, pulled)
    return Restraints(prices, centre, _roughness(bends, size), constraints if constraints else None)


def shaped(layout: Layout, rules: Mapping[str, Rule]) -> NDArray[np.bool_]:
    """Columns (width,) that rules bound or tie to neighbours: they obey even where no position has them."""
    out = np.zeros(len(layout), bool)
    for pattern, rule in rules.items():
        if (rule.lower, rule.upper, rule.sign, rule.monotone, rule.smooth) != (None,) * 5:
            for name in matching(layout, pattern):
                out[weight_indices(layout, name) // 2] = True
    return out


def held_notes(constraints: Constraints | None, x: Floats, names: list[str]) -> list[str]:
    """One sentence for each way constraints hold weights at the end of a fit."""
    held: dict[str, list[str]] = {}
    for index, how in constraints.active(x) if constraints else ():
        held.setdefault(how, []).append(names[index])
    notes = []
    for how, which in held.items():
        more = f" and {len(which) - 3} more" if len(which) > 3 else ""
        notes.append(f"weights {how}: {', '.join(which[:3])}{more}")
    return notes


def parse_rule(text: str) -> tuple[str, dict[str, Any]]:
    """`passed_pawn: lower=0, monotone=increasing` as a name and the keys of its rule."""
    name, colon, rest = text.partition(":")
    keys: dict[str, Any] = {}
    for part in rest.split(","):
        key, equals, value = part.partition("=")
        if not colon or not equals:
            raise InputError(f"rule {text!r}: expected NAME: KEY=VALUE, KEY=VALUE, …")
        if key.strip() not in Rule.model_fields:
            raise UnknownName("key of a rule", key.strip(), Rule.model_fields)
        keys[key.strip()] = value.strip()
    return name.strip(), keys


def _owners(parameters: Parameters, names: list[str]) -> Indices:
    """The free numbers behind names, each once, in the order of the weights."""
    cells = np.concatenate([weight_indices(parameters.layout, name) for name in names])
    owners: Indices = parameters.owner.ravel()[cells]
    owners = owners[owners >= 0]
    return owners[np.sort(np.unique(owners, return_index=True)[1])]


def _bounds(pattern: str, rule: Rule) -> tuple[float | None, float | None]:
    low = max(
        (bound for bound in (rule.lower, 0.0 if rule.sign == "+" else None) if bound is not None),
        default=None,
    )
    high = min(
        (bound for bound in (rule.upper, 0.0 if rule.sign == "-" else None) if bound is not None),
        default=None,
    )
    if low is not None and high is not None and low > high:
        raise InputError(f"rule {pattern}: the lower bound {low:g} is above the upper bound {high:g}")
    return low, high


def _tables(parameters: Parameters, pattern: str) -> Iterator[list[int]]:
    """Free numbers of each matching term and phase, in the order of its labels."""
    for name in matching(parameters.layout, pattern):
        for phase in ("mg", "eg"):
            if name.endswith((".mg", ".eg")) and not name.endswith(phase):
                continue
            single = name if name.endswith((".mg", ".eg")) else f"{name}.{phase}"
            table = _owners(parameters, [single]).tolist()
            if table:
                yield table


def _groups(parameters: Parameters, pattern: str, price: float) -> dict[str, Group]:
    """A term's group is as dear as the root of its size, so that large tables are not favoured."""
    out = {}
    for name in matching(parameters.layout, pattern):
        members = _owners(parameters, [name])
        if len(members):
            out[name] = Group(members, price * float(np.sqrt(len(members))))
    return out


def _bends(parameters: Parameters, pattern: str) -> Iterator[tuple[int, ...]]:
    """Triples of free numbers whose second difference is to be small; along ranks and files of a board."""
    found = False
    for name in matching(parameters.layout, pattern):
        for phase, suffix in enumerate((".mg", ".eg")):
            if name.endswith((".mg", ".eg")) and not name.endswith(suffix):
                continue
            term = name.removesuffix(".mg").removesuffix(".eg")
            columns = range(len(parameters.layout))[parameters.layout.columns_of(term)]
            owner = parameters.owner[columns.start : columns.stop, phase].tolist()
            for triple in neighbours(
                [label for _, label in parameters.layout.names[columns.start : columns.stop]]
            ):
                members = tuple(owner[place] for place in triple)
                found = True
                if min(members) >= 0 and len(set(members)) == 3:
                    yield members
    if not found:
        raise InputError(f"rule {pattern}: smooth needs a table of at least three weights")


def neighbours(labels: list[str]) -> Iterator[tuple[int, int, int]]:
    """Places of three labels in a row: of a list, or along the ranks and files of a board."""
    if not all(len(label) == 2 and label[0] in "abcdefgh" and label[1] in "12345678" for label in labels):
        yield from ((place - 1, place, place + 1) for place in range(1, len(labels) - 1))
        return
    where = {(ord(label[0]), ord(label[1])): place for place, label in enumerate(labels)}
    for (file, rank), place in where.items():
        for file_step, rank_step in ((1, 0), (0, 1)):
            before = where.get((file - file_step, rank - rank_step))
            after = where.get((file + file_step, rank + rank_step))
            if before is not None and after is not None:
                yield before, place, after


def _refuse_idle(pattern: str, rule: Rule, parameters: Parameters, pulled: NDArray[np.bool_]) -> None:
    """A rule that can have no effect, whatever the data are."""
    names = matching(parameters.layout, pattern)
    cells = np.concatenate([weight_indices(parameters.layout, name) for name in names])
    if np.isin(parameters.flags.ravel()[cells], (FROZEN, UNUSED)).all():
        raise InputError(f"rule {pattern}: all its weights are frozen or in a phase the term does not use")
    if rule.monotone and max(len(weight_indices(parameters.layout, _table(name))) for name in names) < 2:
        raise InputError(f"rule {pattern}: monotone needs a table of at least two weights")
    members = _owners(parameters, names)
    if rule.prior is not None and len(members) and not pulled[members].any():
        raise InputError(f"rule {pattern}: nothing pulls to its prior without a ridge, lasso or group")


def _table(name: str) -> str:
    """A name with one phase, so that it stands for one weight a label."""
    return name if name.endswith((".mg", ".eg")) else f"{name}.mg"


def _roughness(bends: dict[tuple[int, ...], float], size: int) -> Any:
    """Sparse rows √price·(1, −2, 1)."""
    if not bends:
        return None
    from scipy.sparse import csr_array

    rows = np.repeat(np.arange(len(bends)), 3)
    columns = np.array(list(bends)).ravel()
    values = np.outer(np.sqrt(list(bends.values())), [1.0, -2.0, 1.0]).ravel()
    return csr_array((values, (rows, columns)), shape=(len(bends), size))


def _refuse_empty(constraints: Constraints, parameters: Parameters) -> None:
    """Several rules together may leave a weight no value."""
    empty = np.flatnonzero(constraints.lower > constraints.upper)
    if len(empty):
        name = parameters.names()[int(empty[0])]
        low, high = constraints.lower[empty[0]], constraints.upper[empty[0]]
        raise InputError(f"rules leave {name} no value: it must be at least {low:g} and at most {high:g}")
    used: set[int] = set()
    for chain in constraints.chains:
        if used & set(chain.members.tolist()):
            raise InputError("two rules want parts of one table monotone; name the table in one of them")
        used |= set(chain.members.tolist())
