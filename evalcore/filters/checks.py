"""What the options of steps may be; InputError for anything else."""

from __future__ import annotations

from ..errors import InputError


def check_choice(option: str, value: str, choices: tuple[str, ...]) -> None:
    """One of a few words."""
    if value not in choices:
        raise InputError(f"{option} is one of {', '.join(choices)}, not {value!r}")


def check_least(option: str, value: float, least: float) -> None:
    """A number from `least` on."""
    if not least <= value < float("inf"):
        raise InputError(f"{option} is a number from {least:g} on, not {value:g}")


def check_share(option: str, value: float) -> None:
    """A number from 0 to 1."""
    if not 0 <= value <= 1:
        raise InputError(f"{option} is a number from 0 to 1, not {value:g}")


def check_positive(option: str, value: float) -> None:
    """A number above 0."""
    if not 0 < value < float("inf"):
        raise InputError(f"{option} is a number above 0, not {value:g}")


def check_window(least: float, most: float) -> None:
    """Two ends in order."""
    check_least("least", least, 0)
    check_least("most", most, least)
