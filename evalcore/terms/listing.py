"""The vocabulary as a page: `docs/vocabulary.md` is this text."""

from . import THEMES, terms_of
from .concepts import coverage_markdown


def vocabulary_markdown() -> str:
    """Every term by theme, then every concept of the sources with what serves it."""
    lines = [
        "# Vocabulary",
        "",
        "Made by `tuner terms --markdown`. A rule is written for the side whose pawns move north.",
    ]
    for theme in THEMES:
        lines += [
            "",
            f"## {theme.capitalize()}",
            "",
            "| term | columns | counts | page |",
            "|---|---|---|---|",
        ]
        for term in terms_of(theme):
            first = term.definition.splitlines()[0] if term.definition else ""
            lines.append(f"| `{term.name}` | {len(term.labels)} | {first} | {term.page} |")
    return "\n".join([*lines, "", "## Concepts", "", coverage_markdown().rstrip(), ""])
