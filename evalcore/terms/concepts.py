"""Which term, scaling rule or pattern serves each concept of the table."""

from collections.abc import Iterator, Mapping

from ..rules import RULES
from . import TERMS
from .concept_table import CONCEPTS, Concept


def serving_names() -> Mapping[str, list[str]]:
    """Row -> the terms and scaling rules that name it."""
    found: dict[str, list[str]] = {}
    for item in (*TERMS.values(), *RULES.values()):
        for row in getattr(item, "concept", ()):
            found.setdefault(row, []).append(item.name)
    return found


def coverage() -> Iterator[tuple[Concept, list[str]]]:
    """Every concept with all that serves it: terms and rules first, then names in the package."""
    serving = serving_names()
    for concept in CONCEPTS:
        yield concept, [*serving.get(concept.row, []), *concept.served_by]


def coverage_markdown() -> str:
    """The coverage as a Markdown table."""
    lines = ["| row | concept | kind | priority | served by |", "|---|---|---|---|---|"]
    for concept, names in coverage():
        served = ", ".join(f"`{name}`" for name in names)
        told = ". ".join(part for part in (served, concept.reason) if part)
        lines.append(f"| {concept.row} | {concept.name} | {concept.kind} | {concept.priority} | {told} |")
    return "\n".join(lines) + "\n"
