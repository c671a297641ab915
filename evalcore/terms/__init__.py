"""The terms that come with the package, one file a theme."""

from collections.abc import Iterator, Mapping
from types import ModuleType

from ..forms import Family
from ..term import Term
from . import (
    backward,
    bishops,
    candidates,
    center,
    chains,
    connectivity,
    corresponding,
    cpw,
    development,
    doubled,
    duos,
    endgame,
    exchanges,
    holes,
    imbalance,
    islands,
    isolated,
    king,
    legal_moves,
    majorities,
    material,
    mobility,
    passed,
    passers,
    pawns,
    pieces,
    psqt,
    rooks,
    safety,
    tempo,
    tension,
    trapped,
    tropism,
)

THEMES: Mapping[str, ModuleType] = {
    "material": material,
    "piece-square tables": psqt,
    "tempo": tempo,
    "pawns": pawns,
    "isolated pawns": isolated,
    "doubled pawns": doubled,
    "backward pawns": backward,
    "pawns under exchange": exchanges,
    "pawn tension": tension,
    "pawn rows": duos,
    "pawn chains": chains,
    "pawn islands": islands,
    "pawn majorities": majorities,
    "holes and outposts": holes,
    "passed pawns": passed,
    "passers and kings": passers,
    "candidates": candidates,
    "mobility": mobility,
    "pieces": pieces,
    "king": king,
    "imbalance": imbalance,
    "development": development,
    "trapped pieces": trapped,
    "bishops": bishops,
    "centre and space": center,
    "connectivity": connectivity,
    "corresponding squares": corresponding,
    "kings in the endgame": endgame,
    "rooks": rooks,
    "defended and loose men": safety,
    "pieces near the king": tropism,
    "CPW-Engine": cpw,
    "legal moves": legal_moves,
}


def _items_of(module: ModuleType) -> Iterator[Term | Family]:
    """The terms and families of a module, single or in a tuple."""
    for item in vars(module).values():
        for each in item if isinstance(item, tuple) else (item,):
            if isinstance(each, Term | Family):
                yield each


def _vocabulary() -> dict[str, Term | Family]:
    found: dict[str, Term | Family] = {}
    for module in THEMES.values():
        for item in _items_of(module):
            if found.setdefault(item.name, item) is not item:
                raise ValueError(f"two terms are called {item.name}; one of them is in {module.__name__}")
    return found


VOCABULARY: Mapping[str, Term | Family] = _vocabulary()
"""Every term and family of terms by name."""

TERMS: Mapping[str, Term] = {
    name: item.term if isinstance(item, Family) else item for name, item in VOCABULARY.items()
}
"""Every term by name; of a family the one with the default options."""


def terms_of(theme: str) -> list[Term]:
    """The terms of a theme, in the order of its file."""
    return [TERMS[name] for name in dict.fromkeys(item.name for item in _items_of(THEMES[theme]))]


def find_term(name: str) -> Term | Family | None:
    """The term or family of that name, None where there is none."""
    return VOCABULARY.get(name)
