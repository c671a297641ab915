"""What numbers the options of methods can be, and which of them go without effect beside others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from .schedules import SCHEDULES
from .spsa import GAINS


@dataclass(frozen=True)
class Limit:
    """Numbers from `low` to `high`; an end that is `open` is not among them, 0 may be as a special case."""

    low: float = -inf
    high: float = inf
    open_low: bool = False
    open_high: bool = False
    or_zero: bool = False

    def allows(self, value: float) -> bool:
        above = value > self.low if self.open_low else value >= self.low
        below = value < self.high if self.open_high else value <= self.high
        return (above and below) or (self.or_zero and value == 0)

    @property
    def words(self) -> str:
        """`above 0 and below 2`."""
        ends = (
            [f"above {self.low:g}" if self.open_low else f"at least {self.low:g}"] if self.low > -inf else []
        )
        if self.high < inf:
            ends.append(f"below {self.high:g}" if self.open_high else f"at most {self.high:g}")
        return ("0, or " if self.or_zero else "") + " and ".join(ends)


ABOVE_ZERO, NOT_NEGATIVE, ANY = Limit(0.0, open_low=True), Limit(0.0), Limit()
SHARE, FROM_ONE = Limit(0.0, 1.0), Limit(1.0)
REMEMBERED = Limit(0.0, 1.0, open_high=True)

LIMITS: Mapping[str, Limit] = {
    "rate": ABOVE_ZERO, "momentum": REMEMBERED, "memory": REMEMBERED, "epsilon": NOT_NEGATIVE,
    "drop": Limit(0.0, 1.0, open_low=True), "epochs": FROM_ONE, "batch": FROM_ONE,
    "damping": NOT_NEGATIVE, "gauss-newton.damping": ABOVE_ZERO, "corrections": FROM_ONE,
    "tolerance": NOT_NEGATIVE, "max_passes": FROM_ONE, "sample_rows": FROM_ONE,
    "local.first_step": ABOVE_ZERO, "last_step": ABOVE_ZERO,
    "spsa.batch": NOT_NEGATIVE, "rspsa.batch": NOT_NEGATIVE, "steps": FROM_ONE, "samples": FROM_ONE,
    "c": ABOVE_ZERO, "a": NOT_NEGATIVE, "first_step": ABOVE_ZERO, "c_end": ABOVE_ZERO, "r_end": ABOVE_ZERO,
    "stability": NOT_NEGATIVE, "alpha": NOT_NEGATIVE, "gamma": NOT_NEGATIVE,
    "grow": FROM_ONE, "shrink": Limit(0.0, 1.0, open_low=True), "smallest": ABOVE_ZERO, "largest": ABOVE_ZERO,
    "radius": ABOVE_ZERO, "sigma": ABOVE_ZERO, "step": ABOVE_ZERO,
    "temperature": Limit(0.01, 5e4, open_low=True), "visit": Limit(1.0, 3.0, open_low=True),
    "accept": Limit(-1e4, -5.0, open_low=True),
    "generations": FROM_ONE, "members": Limit(2.0), "evolution.members": FROM_ONE,
    "cma-es.members": Limit(4.0, or_zero=True), "bits": Limit(2.0, 30.0),
    "crossover": SHARE, "mutation": SHARE, "evolution.mutation": Limit(0.0, 2.0, open_high=True),
    "pbil.rate": Limit(0.0, 1.0, open_low=True), "away": SHARE, "shake": SHARE,
}  # fmt: skip
"""By option, or by `method.option` where a method differs."""

CHOICES: Mapping[str, tuple[str, ...]] = {"schedule": tuple(SCHEDULES), "gains": GAINS}
"""Options that are words."""

DEPENDS: Mapping[str, tuple[str, str]] = {
    "drop": ("schedule", "steps"),
    "c": ("gains", "spall"), "a": ("gains", "spall"), "first_step": ("gains", "spall"),
    "c_end": ("gains", "openbench"), "r_end": ("gains", "openbench"),
}  # fmt: skip
"""Options that have a meaning where another one, if the method has it, is that word alone."""


def limit_of(method: str, option: str) -> Limit:
    """The limit of an option, `ANY` for what the table does not know."""
    return LIMITS.get(f"{method}.{option}", LIMITS.get(option, ANY))


def without_effect(optimizer: Any, given: Mapping[str, Any]) -> Iterator[str]:
    """Sentences on options that were given to a method and would change nothing."""
    for option in given:
        other, word = DEPENDS.get(option, ("", ""))
        if other and getattr(optimizer, other, word) != word:
            yield f"option {option} belongs to {other} {word}, and {other} is {getattr(optimizer, other)}"
    if given.get("a") and "first_step" in given:
        yield "options a and first_step both say how far the first steps go: give one of them"
