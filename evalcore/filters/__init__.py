"""Filters and surgery on streams of positions: steps with counts by reason, recipes in TOML, splits by game.

tally = Tally()
blocks = run_steps(open_positions("games.epd"), [Quiet(), Duplicates("mean")], tally)
write_positions(blocks, "quiet.parquet")
"""

from .base import Step, Tally
from .games import SortByGame
from .recipe import STEPS, Recipe, load_recipe, make_step, run_recipe, run_steps
from .rows import Labelled, NotInCheck, NotOver, Outliers, Pieces, PlyWindow, Quiet, Sample, ScoreWindow
from .sets import Duplicates, PerGame
from .split import split_by_game

__all__ = [
    "STEPS",
    "Duplicates",
    "Labelled",
    "NotInCheck",
    "NotOver",
    "Outliers",
    "PerGame",
    "Pieces",
    "PlyWindow",
    "Quiet",
    "Recipe",
    "Sample",
    "ScoreWindow",
    "SortByGame",
    "Step",
    "Tally",
    "load_recipe",
    "make_step",
    "run_recipe",
    "run_steps",
    "split_by_game",
]
