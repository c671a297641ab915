"""The scaling rules that come with the package, one file a theme."""

from collections.abc import Mapping

from ..scaling import Scaling, ScalingFamily
from . import bishops, draws, low_material, material, pawn_endings

RULES: Mapping[str, Scaling | ScalingFamily] = {
    item.name: item
    for module in (draws, low_material, material, bishops, pawn_endings)
    for item in vars(module).values()
    if isinstance(item, Scaling | ScalingFamily)
}
"""Every scaling rule by name."""
