"""Which term, rule or pattern serves each concept; a core or important one without any fails."""

import importlib

import pytest

from evalcore.rules import RULES
from evalcore.terms import TERMS
from evalcore.terms.concept_table import (
    CONCEPTS,
    CORE,
    EXOTIC,
    FEATURE,
    IMPORTANT,
    OTHER,
    PATTERN,
    SCALING,
    Concept,
)
from evalcore.terms.concepts import coverage, coverage_markdown

COVERED = list(coverage())
CPW_ROWS = {f"I{number}" for number in range(1, 32)}
FORMALISM = {f"K{number}" for number in range(1, 17)}
"""Rows of CPW-Engine's own evaluation and of the formalism, which this table leaves to their presets."""


@pytest.mark.parametrize(("concept", "served_by"), COVERED, ids=[concept.row for concept, _ in COVERED])
def test_every_concept_is_served_or_says_why_not(concept: Concept, served_by: list[str]) -> None:
    assert served_by or concept.reason


def test_rows_are_unique_and_complete() -> None:
    rows = [concept.row for concept in CONCEPTS]
    assert len(set(rows)) == len(rows)
    sizes = {"A": 7, "B": 10, "C": 22, "D": 16, "E": 15, "F": 26, "G": 12, "H": 13, "J": 16}
    assert rows == [f"{section}{number + 1}" for section, size in sizes.items() for number in range(size)]
    assert {concept.kind for concept in CONCEPTS} == {FEATURE, PATTERN, SCALING, OTHER}
    assert {concept.priority for concept in CONCEPTS} == {CORE, IMPORTANT, EXOTIC}


def test_every_term_and_rule_serves_a_concept_of_the_table() -> None:
    known = {concept.row for concept in CONCEPTS} | CPW_ROWS | FORMALISM
    for item in (*TERMS.values(), *RULES.values()):
        rows = getattr(item, "concept", None)
        if rows is not None:
            assert rows, f"{item.name} names no concept"
            assert set(rows) <= known, f"{item.name} names {rows}"


def test_the_names_of_patterns_exist() -> None:
    for concept in CONCEPTS:
        for name in concept.served_by:
            module, _, attribute = name.rpartition(".")
            assert hasattr(importlib.import_module(f"evalcore.{module}"), attribute), name


def test_the_table_in_markdown_has_a_line_for_every_row() -> None:
    lines = coverage_markdown().splitlines()
    assert len(lines) == len(CONCEPTS) + 2
    assert all(line.count("|") == 6 for line in lines)
    assert "| C5 | Backward pawn | feature | core | `backward_pawn`" in coverage_markdown()
