"""`tuner terms`: the vocabulary."""

from __future__ import annotations

import json as json_module
from typing import TYPE_CHECKING, Annotated

import typer

from . import options

if TYPE_CHECKING:
    from evalcore.term import Term


def terms(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="A term, for its definition.")] = None,
    json: options.Json = False,
) -> None:
    """Lists the terms, or prints the definition of one: what it counts, its labels, its page."""
    from evalcore.errors import UnknownName
    from evalcore.terms import TERMS, THEMES, terms_of

    from .text import table

    if name is not None:
        if name not in TERMS:
            raise UnknownName("term", name, TERMS)
        typer.echo(json_module.dumps(_record(TERMS[name])) if json else _page(TERMS[name]))
        return
    if json:
        typer.echo(json_module.dumps([_record(term) for term in TERMS.values()]))
        return
    rows = [
        (theme, term.name, len(term.labels), term.definition.splitlines()[0])
        for theme in THEMES
        for term in terms_of(theme)
    ]
    typer.echo(table(rows, ("theme", "term", "columns", "counts"), left=2))


def _record(term: Term) -> dict[str, object]:
    from evalcore.term import KINDS

    return {
        "name": term.name,
        "kind": KINDS[term.kind],
        "each": term.each or None,
        "labels": list(term.labels),
        "definition": term.definition,
        "page": term.page,
        "expensive": term.expensive,
    }


def _page(term: Term) -> str:
    from evalcore.term import KINDS

    each = f", for each of our {term.each}" if term.each else ""
    labels = ", ".join(term.labels) if len(term.labels) > 1 else "(one column)"
    return (
        f"{term.name}\n\n{term.definition}\n\n"
        f"rule    {KINDS[term.kind]} rule{each}\n"
        f"columns {len(term.labels)}, by {term.partition.name}: {labels}\n"
        f"page    {term.page} (Chess Programming Wiki)"
    )
