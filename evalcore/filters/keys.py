"""A growing set of 64-bit keys with a number for each, in little memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .base import Key, Mask

Numbers = NDArray[np.float32]


class KeySet:
    """Sorted arrays of doubling size: 12 bytes a key."""

    def __init__(self) -> None:
        self._arrays: list[tuple[Key, Numbers]] = []

    def find(self, keys: Key) -> tuple[Mask, Numbers]:
        """Which keys are in the set, and the number of each that is; NaN for the others."""
        found, numbers = np.zeros(len(keys), np.bool_), np.full(len(keys), np.nan, np.float32)
        for known, values in self._arrays:
            places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
            here = known[places] == keys
            numbers[here] = values[places[here]]
            found |= here
        return found, numbers

    def add(self, keys: Key, numbers: Numbers | None = None) -> None:
        """Adds keys that are not in the set and differ from each other."""
        if not len(keys):
            return
        merged = keys, np.full(len(keys), np.nan, np.float32) if numbers is None else numbers
        while self._arrays and len(self._arrays[-1][0]) <= len(merged[0]):
            known = self._arrays.pop()
            merged = np.concatenate([known[0], merged[0]]), np.concatenate([known[1], merged[1]])
        order = np.argsort(merged[0], kind="stable")
        self._arrays.append((merged[0][order], merged[1][order]))
