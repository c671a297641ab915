"""Optimizers, one file each, by the name a job uses."""

from collections.abc import Mapping
from typing import Any

from .base import Minimum, Observe, Optimizer, State, Step, silent
from .conjugate import ConjugateGradients
from .gauss_newton import GaussNewton
from .lbfgs import Lbfgs
from .linear import LinearRegression
from .local_search import LocalSearch
from .newton import Newton
from .preconditioned import Preconditioned

OPTIMIZERS: Mapping[str, type[Any]] = {
    "texel": Preconditioned,
    "newton": Newton,
    "gauss-newton": GaussNewton,
    "lbfgs": Lbfgs,
    "cg": ConjugateGradients,
    "linear": LinearRegression,
    "local": LocalSearch,
}
"""Every optimizer by name; the fields of each class are its options."""

__all__ = ["OPTIMIZERS", "Minimum", "Observe", "Optimizer", "Preconditioned", "State", "Step", "silent"]
