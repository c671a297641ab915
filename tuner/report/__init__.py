"""Reports and pictures of runs; matplotlib and jinja2 are imported when they are used."""

NEEDED = ("matplotlib", "jinja2")
"""Packages of the extra `report`."""


def can_report() -> bool:
    """Whether what a report needs is installed."""
    from importlib.util import find_spec

    return all(find_spec(name) is not None for name in NEEDED)
