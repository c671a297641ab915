"""The state of a random generator as something a checkpoint can hold."""

from __future__ import annotations

import json
from typing import Any

import numpy as np


def written(rng: np.random.Generator) -> str:
    """The state of a generator, as text."""
    return json.dumps(rng.bit_generator.state)


def reread(rng: np.random.Generator, text: Any) -> None:
    """Sets a generator to a written state."""
    rng.bit_generator.state = json.loads(str(text))
