"""The terms that come with the package, one file a theme."""

from collections.abc import Mapping
from types import ModuleType

from ..term import Term
from . import king, material, mobility, passed, pawns, pieces, psqt, tempo

THEMES: Mapping[str, ModuleType] = {
    "material": material,
    "piece-square tables": psqt,
    "tempo": tempo,
    "pawns": pawns,
    "passed pawns": passed,
    "mobility": mobility,
    "pieces": pieces,
    "king": king,
}


def _terms_of(module: ModuleType) -> dict[str, Term]:
    return {item.name: item for item in vars(module).values() if isinstance(item, Term)}


TERMS: Mapping[str, Term] = {
    name: term for module in THEMES.values() for name, term in _terms_of(module).items()
}
"""Every term by name."""
