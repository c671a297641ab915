"""Descent by minibatches: what SGD, AdaGrad, Adam and online L-BFGS share.

Each epoch deals all rows into batches at random, and ends with a look at all rows: the best end of an epoch
is what a descent returns, so that a step too far loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..constraints import Constraints
from .base import Minimum, Observe, State, Step
from .certificate import finish
from .endings import Patience, diverged, far_above, not_finite
from .line_search import Point, evaluator, finite_start
from .randomness import reread, written
from .schedules import find_schedule

Floats = NDArray[np.float64]

MOST_ABOVE = 3
"""Epochs in a row that may end far above the start before the descent is called divergent."""
SMALLER = "try a smaller rate"


class Rule(Protocol):
    """How gradients become steps. `arrays` is all it remembers, and what a checkpoint keeps."""

    arrays: dict[str, Any]

    def step(self, x: Floats, batch: Any, rate: float) -> Floats:
        """The change of x for one batch, an objective over some rows."""
        ...


@dataclass(frozen=True)
class Course:
    """How long, in what portions, and with which rates."""

    name: str
    epochs: int
    batch: int
    rate: float
    schedule: str
    drop: float = 0.5


@dataclass
class _Walk:
    x: Floats
    best: Floats
    best_value: float
    reference: float
    first_value: float
    epoch: int = 0
    passes: float = 1.0
    above: int = 0
    best_epoch: int = 0

    def state(self, rng: np.random.Generator, rule: Rule) -> State:
        kept = {name: np.copy(array) for name, array in rule.arrays.items()}
        return {**vars(self), "rng": written(rng), **{f"rule.{name}": array for name, array in kept.items()}}


def stochastic_descent(
    objective: Any,
    constraints: Constraints,
    start: Floats,
    course: Course,
    rule: Rule,
    *,
    rng: np.random.Generator,
    observe: Observe,
    state: State | None,
) -> Minimum:
    """Epochs until the last, until three in a row end far above the start, or until nothing gets better."""
    schedule = find_schedule(course.schedule)
    evaluate = evaluator(objective, constraints)
    walk = _begin(evaluate, constraints.project(start)) if state is None else _restored(state, rng, rule)
    point = evaluate(walk.x)
    message = ended = f"stopped after {course.epochs} epochs"
    patience = Patience("epoch", course.epochs)
    while True:
        norm = float(np.linalg.norm(point.gradient))
        observe(
            Step(walk.epoch, walk.passes, point.value, norm / walk.reference, walk.x, walk.state(rng, rule))
        )
        if walk.epoch >= course.epochs:
            break
        for done, batch in _batches(objective, course.batch, rng):
            rate = course.rate * schedule(walk.epoch + done, course.epochs, course.drop)
            walk.x = constraints.project(walk.x + rule.step(walk.x, batch, rate))
        walk.epoch, walk.passes = walk.epoch + 1, walk.passes + 2.0
        point = evaluate(walk.x) if np.isfinite(walk.x).all() else _nowhere(walk.x)
        if not point.finite:
            message = f"{not_finite(f'epoch {walk.epoch} of method {course.name}')}; {SMALLER}"
            break
        _remember(walk, point)
        if walk.above >= MOST_ABOVE:
            message = f"{diverged(f'epoch {walk.epoch}', point.value, walk.first_value)}; {SMALLER}"
            break
        never = walk.best_epoch == 0
        if patience.ended(walk.best_epoch, walk.epoch) and (never or walk.epoch < course.epochs):
            message = f"{patience.words(walk.best_epoch, walk.epoch, never=never)}; {SMALLER}"
            break
    if message == ended and walk.best_epoch < walk.epoch:
        message += f", no better objective since epoch {walk.best_epoch:,}"
    return finish(
        objective, constraints, start, walk.best, walk.best_value,
        steps=walk.epoch, passes=walk.passes, message=message,
    )  # fmt: skip


def _begin(evaluate: Callable[[Floats], Point], x: Floats) -> _Walk:
    point = finite_start(evaluate(x))
    reference = float(np.linalg.norm(point.gradient)) or 1.0
    return _Walk(x, x, point.value, reference, point.value)


def _restored(state: State, rng: np.random.Generator, rule: Rule) -> _Walk:
    reread(rng, state["rng"])
    for name in [name for name in state if name.startswith("rule.")]:
        rule.arrays[name.removeprefix("rule.")] = np.array(state[name])
    return _Walk(
        np.array(state["x"]), np.array(state["best"]), float(state["best_value"]),
        float(state["reference"]), float(state["first_value"]),
        int(state["epoch"]), float(state["passes"]), int(state["above"]), int(state["best_epoch"]),
    )  # fmt: skip


def _remember(walk: _Walk, point: Point) -> None:
    walk.above = walk.above + 1 if far_above(point.value, walk.first_value) else 0
    if point.value < walk.best_value:
        walk.best, walk.best_value, walk.best_epoch = walk.x, point.value, walk.epoch


def _nowhere(x: Floats) -> Point:
    return Point(x, np.nan, x)


def _batches(objective: Any, size: int, rng: np.random.Generator) -> Iterator[tuple[float, Any]]:
    """All rows once, in random portions: (share of the epoch done before, objective over the portion)."""
    order = rng.permutation(len(objective))
    portions = max(1, round(len(order) / size))
    for number, rows in enumerate(np.array_split(order, portions)):
        yield number / portions, objective.restricted(np.sort(rows))
