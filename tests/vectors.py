"""Worked examples of the concepts, by id: numbers published with the definitions, or derived from them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "data" / "concepts_pieces.json"


@cache
def vectors() -> dict[str, dict[str, Any]]:
    """Every example of pieces, kings, draws and CPW-Engine."""
    return {each["id"]: each for each in json.loads(FILE.read_text(encoding="utf-8"))}


def of_concept(prefix: str) -> list[str]:
    """Ids of the examples of a concept."""
    return [name for name, each in vectors().items() if each["concept"].startswith(prefix)]
