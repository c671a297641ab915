"""What searches over a whole region share: the region, and the end of a search with values alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError

from ..constraints import Constraints
from .base import Minimum, Observe, State
from .certificate import finish
from .endings import Patience, not_finite
from .line_search import NO_START
from .replay import NotFinite, OutOfPasses, Recorder
from .scaling import natural_units

Floats = NDArray[np.float64]

MOST_WEIGHTS = 5_000
"""Above that a population does not fit into memory."""


def region(
    objective: Any, constraints: Constraints, start: Floats, radius: float
) -> tuple[Floats, Floats, Floats]:
    """Start, lower and upper end of the search: `radius` centipawns of a mean weight about the start."""
    if len(start) > MOST_WEIGHTS:
        raise InputError(f"a population of {len(start):,} weights does not fit; freeze some, or use texel")
    middle = constraints.project(start)
    reach = radius * natural_units(objective, middle)
    lower = np.maximum(middle - reach, constraints.lower)
    upper = np.minimum(middle + reach, constraints.upper)
    # a region of no width stops libraries that divide by it
    width = np.where(upper > lower, 0.0, 1e-9)
    return middle, lower - width, upper + width


class _Stalled(Exception):
    """Nothing has got better for too long."""


class Search:
    """A library's search over values, replayed after a stop; `told` is to be called after each generation.

    A `patient` one is never called stalled before its end.
    """

    def __init__(
        self,
        objective: Any,
        constraints: Constraints,
        start: Floats,
        state: State | None,
        observe: Observe,
        max_passes: int,
        *,
        name: str,
        patient: bool = False,
    ) -> None:
        self._name, self._patient, self._patience = name, patient, Patience("evaluation", max_passes)
        self._objective, self._constraints, self._start = objective, constraints, start
        self._recorder = Recorder(objective, constraints, state, max_passes)
        self._observe, self.generation = observe, 0

    def value(self, x: Floats) -> float:
        """The objective at the allowed point nearest to x."""
        return self._recorder.value(self._constraints.project(np.asarray(x, float)))

    def told(self, *_arguments: Any, **_more: Any) -> None:
        """Reports the best so far. Raises what ends a search that is stalled."""
        best = self._recorder.best
        assert best is not None, "a search reports after it has asked"
        self._recorder.report(self._observe, self.generation, best, self._recorder.best_value, np.nan)
        self.generation += 1
        if not self._patient and self._patience.ended(self._recorder.best_asked, self._recorder.asked):
            raise _Stalled

    def run(self, search: Callable[[], Any], ended: str) -> Minimum:
        """Runs a search to its end, and looks how good that is."""
        recorder, patience, message = self._recorder, self._patience, ""
        try:
            self.value(self._start)
            self.told()
            search()
        except (OutOfPasses, _Stalled):
            ended = f"stopped after {recorder.asked:,} evaluations"
        except NotFinite:
            message = not_finite(f"evaluation {recorder.asked + 1} of method {self._name}")
        never = recorder.best_asked == 1
        if never or patience.ended(recorder.best_asked, recorder.asked):
            ended = patience.words(recorder.best_asked, recorder.asked, never=never)
        message = message or ended
        best = self._recorder.best
        if best is None:
            raise InputError(NO_START)
        return finish(
            self._objective, self._constraints, self._start, best, self._recorder.best_value,
            steps=self.generation, passes=self._recorder.asked, message=message,
        )  # fmt: skip
