"""CMA-ES (Hansen and Ostermeier 2001): evolution with an adapted covariance, the code of package cma."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError

from ..constraints import BOUNDS, LASSO, MONOTONE
from ..objectives import Objective
from .base import Minimum, Observe, State, accept, one_blas_thread, require
from .population import Search, region

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CmaEs:
    """Samples from a normal distribution that learns the shape of the loss; up to a few hundred weights.

    `sigma` is the first standard deviation in centipawns of a mean weight, `members` the size of a
    generation (0: the package's choice).
    """

    sigma: float = 10.0
    radius: float = 300.0
    members: int = 0
    max_passes: int = 3000
    requires: ClassVar[type] = Objective
    handles: ClassVar[tuple[str, ...]] = (BOUNDS, MONOTONE, LASSO)

    @one_blas_thread
    def minimize(
        self,
        objective: Any,
        start: Floats,
        *,
        rng: np.random.Generator,
        observe: Observe,
        state: State | None = None,
    ) -> Minimum:
        """See `Optimizer`."""
        require("cma-es", objective, Objective, "an objective with values")
        constraints = accept("cma-es", objective, self.handles)
        cma = _package()
        middle, lower, upper = region(objective, constraints, start, self.radius)
        units = (upper - lower) / (2.0 * self.radius)
        search = Search(objective, constraints, middle, state, observe, self.max_passes, name="cma-es")
        options: dict[str, Any] = {
            "seed": int(rng.integers(1, 2**31)), "verbose": -9,
            "tolfun": 0.0, "tolfunhist": 0.0, "tolx": 1e-9,
            "bounds": [(lower - middle) / units, (upper - middle) / units],
        }  # fmt: skip
        if self.members:
            options["popsize"] = self.members

        def evolve() -> None:
            strategy = cma.CMAEvolutionStrategy(np.zeros(len(middle)), self.sigma, options)
            while not strategy.stop():
                asked = strategy.ask()
                strategy.tell(asked, [search.value(middle + units * u) for u in asked])
                search.told()

        return search.run(evolve, "the distribution has become a point")


def _package() -> Any:
    try:
        return import_module("cma")
    except ImportError:
        raise InputError(
            "method cma-es needs the package cma: pip install 'evaluation-tuner[blackbox]'"
        ) from None
