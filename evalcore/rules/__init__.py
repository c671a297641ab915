"""The scaling rules that come with the package, one file a theme."""

from collections.abc import Mapping

from ..scaling import Scaling, ScalingFamily
from . import low_material

RULES: Mapping[str, Scaling | ScalingFamily] = {
    item.name: item
    for module in (low_material,)
    for item in vars(module).values()
    if isinstance(item, Scaling | ScalingFamily)
}
"""Every scaling rule by name."""
