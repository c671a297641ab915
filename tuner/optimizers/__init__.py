"""Optimizers, one file each, by the name a job uses."""

from collections.abc import Mapping
from typing import Any

from .adagrad import AdaGrad
from .adam import Adam
from .annealing import Annealing
from .base import Minimum, Observe, Optimizer, State, Step, silent
from .cmaes import CmaEs
from .conjugate import ConjugateGradients
from .evolution import DifferentialEvolution
from .gauss_newton import GaussNewton
from .genetic import Genetic
from .lbfgs import Lbfgs
from .linear import LinearRegression
from .local_search import LocalSearch
from .newton import Newton
from .online_lbfgs import OnlineLbfgs
from .pbil import Pbil
from .preconditioned import Preconditioned
from .rspsa import Rspsa
from .sgd import Sgd
from .spsa import Spsa

OPTIMIZERS: Mapping[str, type[Any]] = {
    "texel": Preconditioned,
    "newton": Newton,
    "gauss-newton": GaussNewton,
    "lbfgs": Lbfgs,
    "cg": ConjugateGradients,
    "linear": LinearRegression,
    "sgd": Sgd,
    "adagrad": AdaGrad,
    "adam": Adam,
    "online-lbfgs": OnlineLbfgs,
    "local": LocalSearch,
    "spsa": Spsa,
    "rspsa": Rspsa,
    "evolution": DifferentialEvolution,
    "annealing": Annealing,
    "cma-es": CmaEs,
    "genetic": Genetic,
    "pbil": Pbil,
}
"""Every optimizer by name; the fields of each class are its options."""

__all__ = ["OPTIMIZERS", "Minimum", "Observe", "Optimizer", "Preconditioned", "State", "Step", "silent"]
