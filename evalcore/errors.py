"""Errors a user can act on: what was found, where, and what was expected."""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

MOST_LISTED = 24
"""Choices that an unknown name lists at most."""


class InputError(ValueError):
    """Something the user gave cannot be used; the message is one complete sentence."""


class FormatError(InputError):
    """A place in a file that cannot be read: `path:line: what was expected: the offending text`.

    `place` is a line number of a text file, or words such as "game 3" or "record 17".
    """

    def __init__(self, path: str | Path, place: int | str | None, message: str, text: str = "") -> None:
        self.path, self.place, self.message, self.text = str(path), place, message, text
        where = f"{path}:{place}" if isinstance(place, int) else f"{path}: {place}" if place else f"{path}"
        shown = text if len(text) <= 120 else text[:117] + "..."
        super().__init__(f"{where}: {message}" + (f": {shown!r}" if text else ""))


class UnknownName(InputError):
    """A name that is in no table, with the nearest choices."""

    def __init__(self, kind: str, name: str, choices: Iterable[str]) -> None:
        known = sorted(choices)
        near = get_close_matches(name, known, n=3, cutoff=0.5)
        listed = ", ".join(known[:MOST_LISTED]) + (", …" if len(known) > MOST_LISTED else "")
        hint = f"did you mean {' or '.join(near)}?" if near else f"choose from {listed}"
        hint = hint if known else "there is none to choose from"
        super().__init__(f"no {kind} is called {name!r}; {hint}")
