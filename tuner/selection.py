"""Telescoping: from all terms to few, with the loss at each step (Althöfer, "telescoping evaluations").

Backward elimination takes the term away whose removal, by the quadratic model at the optimum, costs
least: ½·wᵀ·C⁻¹·w, with w its weights and C their block of the inverse curvature. Forward selection adds the
term that promises most: ½·gᵀ·M⁻¹·g, with g its gradient and M its curvature after the chosen terms have
adjusted. After each step the chosen terms are fitted again, and the true losses are told.

So the order of the terms comes from the training positions; how many of them to keep is for the held-out
games to say: the fewest whose loss is within one standard error of the best on the path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from threadpoolctl import threadpool_limits

from evalcore.errors import InputError, UnknownName

from .inference.refit import GameLosses, Held, game_losses, refit

if TYPE_CHECKING:
    import pandas as pd

    from .problem import Problem

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

BACKWARD, FORWARD = "backward", "forward"
DIRECTIONS = (BACKWARD, FORWARD)
SAMPLE_ROWS = 50_000
JITTER = 1e-9


def members_of_terms(problem: Problem) -> dict[str, Integers]:
    """Term to the indices of its free numbers; terms without any are left out.

    A number that is tied across terms belongs to the first of them, which then stands for the others.
    """
    found: dict[str, Integers] = {}
    seen = np.zeros(problem.parameters.size, bool)
    for term, numbers in problem.parameters.of_terms().items():
        found[term] = numbers[~seen[numbers]]
        seen[numbers] = True
    return {term: numbers for term, numbers in found.items() if len(numbers)}


def telescope(
    problem: Problem,
    x: Floats,
    *,
    direction: str = BACKWARD,
    least: int = 1,
    most: int | None = None,
    told: Callable[[str], object] = lambda _term: None,
) -> pd.DataFrame:
    """The path from all terms, near whose optimum `x` is, down to `least`, or from none up to `most`.

    One row a step: term (that went or came), terms and weights (how many are in), train and validation
    (losses after fitting again), above and above_se (validation loss above the best on the path, with the
    clustered error of this difference), kept (one row: the fewest terms within one such error of the best;
    none where nothing was held out), set (the terms that are in). Weights of other terms are zero. Raises
    InputError for an unknown direction or a fit with constraints.
    """
    import pandas as pd

    if problem.objective.constraints:
        raise InputError("terms cannot be selected under constraints on their weights")
    if direction not in DIRECTIONS:
        raise UnknownName("direction", direction, DIRECTIONS)
    walk = _backward(problem, x, least) if direction == BACKWARD else _forward(problem, most)
    rows, held_out = [], []
    for term, members, fitted in walk:
        rows.append(_row(problem, term, members, fitted))
        held_out.append(_held_out(problem, fitted))
        told(term)
    path = pd.DataFrame(rows, columns=["term", "terms", "weights", "train", "set"])
    path[["validation", "above", "above_se"]] = _compared(held_out)
    within = path["above"] <= path["above_se"]
    path["kept"] = within & (path["terms"] == path["terms"][within].min())
    return path[["term", "terms", "weights", "train", "validation", "above", "above_se", "kept", "set"]]


def _held_out(problem: Problem, x: Floats) -> GameLosses | None:
    """Losses by held-out game."""
    if problem.held_out is None:
        return None
    game = problem.data.groups.of_row[problem.data.validation]
    return game_losses(problem.held_out, problem.parameters.table(x), game, int(game.max()) + 1)


def _compared(steps: list[GameLosses | None]) -> Floats:
    """Mean, mean above the best, and its error (steps, 3); NaN where nothing was held out."""
    known = [step for step in steps if step is not None]
    if not known:
        return np.full((len(steps), 3), np.nan)
    best = min(known, key=lambda step: step.mean)
    return np.array([(step.mean, step.mean - best.mean, step.error(best)) for step in known])


Members = dict[str, Integers]


def _backward(problem: Problem, x: Floats, least: int) -> Iterator[tuple[str, Members, Floats]]:
    members = members_of_terms(problem)
    x = _refit(problem, members, x)
    yield "", members, x
    while len(members) > max(least, 1):
        term = cheapest(problem, members, x)
        members = {name: numbers for name, numbers in members.items() if name != term}
        x = _refit(problem, members, x)
        yield term, members, x


def _forward(problem: Problem, most: int | None) -> Iterator[tuple[str, Members, Floats]]:
    everything = members_of_terms(problem)
    members: Members = {}
    x = np.zeros(problem.objective.size)
    for _ in range(min(most or len(everything), len(everything))):
        term = most_promising(problem, everything, members, x)
        members = {name: everything[name] for name in everything if name in members or name == term}
        x = _refit(problem, members, x)
        yield term, members, x


def cheapest(problem: Problem, members: Members, x: Floats) -> str:
    """The term whose removal the quadratic model says costs least."""
    kept = _joined(members)
    with threadpool_limits(1, "blas"):
        inverse = _inverse(_curvature(problem, x)[np.ix_(kept, kept)])
        costs = {
            term: _cost(inverse, np.searchsorted(kept, numbers), x[numbers])
            for term, numbers in members.items()
        }
    return min(costs, key=lambda term: costs[term])


def most_promising(problem: Problem, everything: Members, members: Members, x: Floats) -> str:
    """The term outside `members` whose addition the quadratic model says helps most."""
    _, gradient = problem.objective.value_gradient(x)
    kept = _joined(members)
    with threadpool_limits(1, "blas"):
        curvature = _curvature(problem, x)
        inverse = _inverse(curvature[np.ix_(kept, kept)])
        gains = {
            term: _gain(curvature, inverse, kept, numbers, gradient)
            for term, numbers in everything.items()
            if term not in members
        }
    return max(gains, key=lambda term: gains[term])


def _joined(members: Members) -> Integers:
    return np.unique(np.concatenate([np.zeros(0, np.int64), *members.values()]))


def _curvature(problem: Problem, x: Floats) -> Floats:
    sample = problem.objective.sample(min(SAMPLE_ROWS, len(problem.objective)))
    curvature = sample.curvature_matrix(x)
    curvature[np.diag_indices_from(curvature)] += JITTER * np.trace(curvature) / len(curvature)
    return curvature


def _inverse(matrix: Floats) -> Floats:
    return cho_solve(cho_factor(matrix), np.eye(len(matrix))) if len(matrix) else matrix


def _gain(curvature: Floats, inverse: Floats, kept: Integers, block: Integers, gradient: Floats) -> float:
    across = curvature[np.ix_(block, kept)]
    own = curvature[np.ix_(block, block)] - across @ inverse @ across.T
    slope = gradient[block] - across @ inverse @ gradient[kept]
    return 0.5 * float(slope @ np.linalg.solve(own, slope))


def _cost(inverse: Floats, block: Integers, weights: Floats) -> float:
    return 0.5 * float(weights @ np.linalg.solve(inverse[np.ix_(block, block)], weights))


def _refit(problem: Problem, members: Members, x: Floats) -> Floats:
    free = _joined(members)
    whole = np.zeros_like(x)
    whole[free] = x[free]
    held = Held(problem.objective, free, whole)
    return held.embed(refit(problem, held, whole[free]))


def _row(problem: Problem, term: str, members: Members, x: Floats) -> tuple[object, ...]:
    weights = sum(len(numbers) for numbers in members.values())
    return term, len(members), weights, problem.objective.data_loss(x), " ".join(members)
