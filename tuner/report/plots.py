"""`fit.plot`: the pictures of the report, one call each."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from evalcore.errors import InputError, UnknownName

from . import boards, charts
from .contents import Contents
from .series import Series, series_of
from .theme import Gallery, Picture

if TYPE_CHECKING:
    import pandas as pd


class Plots:
    """Pictures of a fit; notebooks show them, `.save(path)` writes an SVG."""

    def __init__(self, contents: Callable[[], Contents]) -> None:
        self._make = contents

    @cached_property
    def _contents(self) -> Contents:
        return self._make()

    def psqt(self, *pieces: str) -> Gallery:
        """Piece-square tables as boards, midgame and endgame; of all pieces unless some are named."""
        wanted = {f"psqt_{piece}" for piece in pieces}
        found = [each for each in self._series("board") if not pieces or each.title in wanted | set(pieces)]
        if not found:
            known = [each.title for each in self._series("board")]
            if pieces:
                raise UnknownName("piece-square table of this evaluation", " ".join(pieces), known)
            raise InputError("this evaluation has no piece-square tables")
        return Gallery(tuple(picture for each in found for picture in boards.heat_maps(each)))

    def curves(self, *terms: str) -> Gallery:
        """Tables of weights by label (mobility, king attack, ranks …) with 95 % bands."""
        found = self._series("curve")
        for term in terms:
            if term not in {each.title for each in found}:
                raise UnknownName("table of this evaluation", term, (each.title for each in found))
        return Gallery(tuple(charts.curve(each) for each in found if not terms or each.title in terms))

    def weights(self, most: int = 25) -> Picture:
        """Weights before and after with 95 % intervals, the worst determined first."""
        contents = self._contents
        contents.require_errors()
        return charts.forest(
            charts.worst_first(charts.weight_rows(contents.weights)).head(most), "Worst determined weights"
        )

    def pieces(self) -> Picture:
        """Piece values as a whole, with 95 % intervals."""
        return charts.forest(piece_rows(self._contents), "Piece values")

    def convergence(self) -> Picture:
        """Loss by passes over the data."""
        return charts.convergence(self._contents.history)

    def gradient(self) -> Picture:
        """Gradient by passes over the data."""
        return charts.gradient(self._contents.history)

    def calibration(self) -> Picture:
        """Actual against predicted score."""
        return charts.calibration(self._contents.table("calibration"))

    def residuals(self, by: str = "phase") -> Picture:
        """Score of the side ahead less the prediction, by phase, pieces, ply and so on."""
        table = self._contents.table("residuals")
        if by not in set(table["by"]):
            raise UnknownName("way to sort positions", by, table["by"].unique().tolist())
        return charts.residuals(table, by, self._contents.units)

    def _series(self, kind: str) -> list[Series]:
        return [each for each in series_of(self._contents.weights) if each.kind == kind]


def piece_rows(contents: Contents) -> pd.DataFrame:
    """Piece values as rows of a forest."""
    table = contents.table("pieces")
    return table.assign(name=table["what"] + "." + table["phase"])


def single_rows(contents: Contents) -> pd.DataFrame:
    """Weights of terms that are single numbers as rows of a forest, in the order of the evaluation."""
    terms = {each.title for each in series_of(contents.weights) if each.kind == "single"}
    return charts.weight_rows(contents.weights[contents.weights["term"].isin(terms)])
