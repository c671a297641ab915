"""The table an author chooses a method from."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from typing import Any, NamedTuple

from evalcore.errors import UnknownName

from . import OPTIMIZERS


class Method(NamedTuple):
    """`when` to use it, what it `needs`, and where it comes from."""

    when: str
    needs: str
    source: str


GRADIENTS = "positions with labels, or pairs (gradients and curvature)"
VALUES = "values of a loss, no gradients"

METHODS: Mapping[str, Method] = {
    "texel": Method(
        "always, unless you know better: the certified optimum in some twenty passes, any constraint",
        GRADIENTS,
        "Gauss-Newton on a sample, then L-BFGS (Nocedal 1980) preconditioned by its curvature",
    ),
    "newton": Method(
        "up to a few hundred weights, or to check another method: few steps, each with the whole curvature",
        GRADIENTS,
        "Newton; for cross-entropy iteratively reweighted least squares (Nelder and Wedderburn 1972)",
    ),
    "gauss-newton": Method(
        "where newton's steps are too long, far from the optimum of a loss that is not convex",
        GRADIENTS,
        "Levenberg 1944, Marquardt 1963; damping by Nielsen 1999; Österlund's Texel has it undamped",
    ),
    "lbfgs": Method(
        "thousands of weights, more than a curvature matrix holds; keeps bounds",
        GRADIENTS,
        "L-BFGS-B, Byrd, Lu, Nocedal and Zhu 1995 (scipy)",
    ),
    "cg": Method(
        "so many weights that even L-BFGS takes too much memory",
        GRADIENTS,
        "Polak and Ribière 1969 (scipy)",
    ),
    "linear": Method(
        "regression on results or scores in one pass: loss linear or score-squared",
        "positions with labels and a quadratic loss",
        "least squares, ridge and bounds from the normal equations",
    ),
    "sgd": Method(
        "data that do not fit into memory, a rough answer in a few passes",
        GRADIENTS,
        "Robbins and Monro 1951; momentum by Nesterov 1983",
    ),
    "adagrad": Method(
        "to repeat what Ethereal does",
        GRADIENTS,
        "Duchi, Hazan and Singer 2011; Grant, Evaluation & Tuning in Chess Engines",
    ),
    "adam": Method(
        "to repeat what most engine tuners do (texel-tuner, Weiss); never quite arrives",
        GRADIENTS,
        "Kingma and Ba 2014",
    ),
    "online-lbfgs": Method(
        "minibatches with some knowledge of the curvature",
        GRADIENTS,
        "Schraudolph, Yu and Günter 2007",
    ),
    "local": Method(
        "whole centipawns from the start, any loss; may stop where weights must move together",
        VALUES,
        "Österlund, Texel's Tuning Method, with the priorities of his own tool",
    ),
    "spsa": Method(
        "losses without gradients or with noise; engine games, from Python alone: tuner.game_spsa",
        VALUES,
        "Spall 1992; gains by the end as in zamar's tool, fishtest and OpenBench",
    ),
    "rspsa": Method(
        "like spsa, where weights differ much in scale",
        VALUES,
        "Kocsis, Szepesvári and Winands 2006",
    ),
    "evolution": Method(
        "a few dozen weights and a loss with several valleys",
        VALUES,
        "differential evolution, Storn and Price 1997 (scipy); Bošković's BBChess",
    ),
    "annealing": Method(
        "a few weights and a loss with several valleys",
        VALUES,
        "Kirkpatrick, Gelatt and Vecchi 1983; generalised by Xiang and others 1997 (scipy)",
    ),
    "cma-es": Method(
        "up to a few hundred weights without gradients: the most reliable of the black boxes",
        VALUES + "; package cma",
        "Hansen and Ostermeier 2001 (cma)",
    ),
    "genetic": Method(
        "to compare with published genetic tunings",
        VALUES,
        "Holland 1975; David, van den Herik, Koppel and Netanyahu's Falcon",
    ),
    "pbil": Method(
        "to compare with published PBIL tunings",
        VALUES,
        "Baluja 1994",
    ),
}
"""Every method of `OPTIMIZERS`, in the order of the table."""


def described(name: str) -> dict[str, Any]:
    """The row of one method, with what its class says `about` it and its `options` by name, with defaults.

    Raises UnknownName.
    """
    if name not in METHODS:
        raise UnknownName("method", name, METHODS)
    row = next(row for row in method_table() if row["name"] == name)
    kind = OPTIMIZERS[name]
    defaults = {option.name: option.default for option in dataclasses.fields(kind)}
    return {**row, "about": inspect.cleandoc(kind.__doc__ or ""), "options": defaults}


def method_table() -> list[dict[str, Any]]:
    """One row a method: name, when, needs, keeps (kinds of constraint), source."""
    return [
        {
            "name": name,
            "when": method.when,
            "needs": method.needs,
            "keeps": ", ".join(OPTIMIZERS[name].handles) or "no constraints",
            "source": method.source,
        }
        for name, method in METHODS.items()
    ]
