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
    markdown: Annotated[
        bool, typer.Option("--markdown", help="The vocabulary and the concepts it serves, as Markdown.")
    ] = False,
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
    if markdown:
        from evalcore.terms.listing import vocabulary_markdown

        typer.echo(vocabulary_markdown(), nl=False)
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
    concept = f"\nconcept {', '.join(term.concept)}" if term.concept else ""
    return (
        f"{term.name}\n\n{term.definition}\n\n{_example(term)}"
        f"rule    {KINDS[term.kind]} rule{each}\n"
        f"columns {len(term.labels)}, by {term.partition.name}: {labels}\n"
        f"page    {term.page} (Chess Programming Wiki){concept}"
    )


def _example(term: Term) -> str:
    """A board where the term says something about White, its squares marked."""
    from evalcore.drawing import best_example, text_board
    from evalcore.fen import format_fens, parse_fens
    from evalcore.terms.examples import EXAMPLES

    positions = parse_fens(EXAMPLES)
    best = best_example(term, positions)
    if best is None:
        return ""
    row, found = best
    fen = format_fens(positions.select([row]))[0]
    told = f"White {found.white_number}, Black {found.black_number}"
    return f"{text_board(positions, row, found.white)}\n\n{fen}\n{told}; White's squares are marked *\n\n"
