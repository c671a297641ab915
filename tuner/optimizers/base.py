"""The contract of optimizers: how something is minimised, apart from what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from evalcore.errors import InputError

from ..constraints import Constraints, constraints_of

F = TypeVar("F", bound=Callable[..., Any])
Floats = NDArray[np.float64]
State = Mapping[str, Any]
"""Arrays and numbers from which an optimizer continues as if it had never stopped."""


@dataclass(frozen=True, eq=False)
class Step:
    """What `observe` is told after each step.

    `passes` are evaluations so far in units of one pass over all rows; `relative_gradient` is the norm
    of the gradient over its norm at the start, NaN for methods without gradients; `state` continues from
    here.
    """

    number: int
    passes: float
    value: float
    relative_gradient: float
    x: Floats
    state: State = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Minimum:
    """The end of a minimisation; `gap` estimates how far `value` lies above the optimum."""

    x: Floats
    value: float
    steps: int
    passes: float
    converged: bool
    relative_gradient: float
    gap: float
    message: str


Observe = Callable[[Step], None]


class Optimizer(Protocol):
    """A frozen dataclass: its fields are the options.

    `requires` is the kind of objective it can work on, `handles` the kinds of constraint it keeps.
    """

    @property
    def requires(self) -> type: ...

    @property
    def handles(self) -> tuple[str, ...]: ...

    def minimize(
        self,
        objective: Any,
        start: Floats,
        *,
        rng: np.random.Generator,
        observe: Observe,
        state: State | None = None,
    ) -> Minimum:
        """From `start`, or from the `state` of an earlier step.

        Raises InputError with one plain sentence where the objective is of the wrong kind.
        """
        ...


def require(optimizer: str, objective: Any, kind: type, needs: str) -> None:
    """Says in one sentence that an optimizer was handed the wrong kind of objective."""
    if not isinstance(objective, kind):
        others = "; methods local, spsa and cma-es need values alone" if hasattr(objective, "value") else ""
        raise InputError(f"method {optimizer} needs {needs}, which this one is not{others}")


def accept(optimizer: str, objective: Any, handles: tuple[str, ...]) -> Constraints:
    """The constraints of an objective, or one sentence that names the one this method would ignore."""
    constraints = constraints_of(objective, objective.size)
    for kind in constraints.kinds():
        if kind not in handles:
            raise InputError(f"method {optimizer} cannot keep {kind}; methods texel and newton can")
    return constraints


def one_blas_thread(function: F) -> F:
    """Runs a function with one thread in BLAS: the same bits on every machine, and no threads that wait."""

    @wraps(function)
    def limited(*arguments: Any, **options: Any) -> Any:
        with threadpool_limits(1, "blas"):
            return function(*arguments, **options)

    return cast(F, limited)


def silent(_step: Step) -> None:
    """An observer that does not look."""
