"""Boards with marks: the marked squares are those python-chess finds by the definition."""

import json
from pathlib import Path

import chess
import pytest

from evalcore.drawing import best_example, marks, svg_board, text_board
from evalcore.fen import parse_fens
from evalcore.terms import TERMS
from evalcore.terms.examples import EXAMPLES
from tuner.cli import run

FEN = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/P1NB1N2/1P3PPP/R1BQ1RK1 w - - 0 10"


def test_marks_of_a_set_rule() -> None:
    found = marks(TERMS["isolated_pawn"], parse_fens([FEN]))
    assert chess.SquareSet(found.white) == chess.SquareSet([chess.D4])
    assert found.white_number == 1 and found.black_number == 0 and found.black == 0


def test_marks_of_black_are_turned_back() -> None:
    mirrored = chess.Board(FEN).mirror().fen()
    found = marks(TERMS["isolated_pawn"], parse_fens([mirrored]))
    assert chess.SquareSet(found.black) == chess.SquareSet([chess.D5])


def test_marks_of_a_piece_rule_join_all_pieces() -> None:
    board = chess.Board(FEN)
    found = marks(TERMS["knight_mobility"], parse_fens([FEN]))
    guarded = chess.SquareSet()
    for pawn in board.pieces(chess.PAWN, chess.BLACK):
        guarded |= board.attacks(pawn)
    expected = [
        board.attacks(knight) - guarded - chess.SquareSet(board.occupied_co[chess.WHITE])
        for knight in board.pieces(chess.KNIGHT, chess.WHITE)
    ]
    assert found.white_number == sum(map(len, expected))
    assert chess.SquareSet(found.white) == expected[0] | expected[1]


def test_text_board_is_the_board() -> None:
    text = text_board(parse_fens([FEN]), 0)
    board = "\n".join(line[3:].replace("  ", " ") for line in text.splitlines()[:8])
    assert board == str(chess.Board(FEN))


def test_svg_board_marks_squares() -> None:
    positions = parse_fens([FEN])
    svg = svg_board(positions, 0, marks(TERMS["isolated_pawn"], positions))
    assert svg.startswith("<svg") and svg.count("#ffd75f") == 1 and "#87afff" not in svg


def test_examples_are_legal_and_say_something_about_nearly_every_term() -> None:
    positions = parse_fens(EXAMPLES)
    silent = [name for name, term in TERMS.items() if best_example(term, positions) is None]
    assert len(silent) <= len(TERMS) // 20, silent


@pytest.mark.parametrize("name", ["passed_pawn", "knight_mobility", "king_attack_units"])
def test_the_page_of_a_term(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["terms", name]) == 0
    out = capsys.readouterr().out
    assert TERMS[name].definition.splitlines()[0] in out and "a  b  c  d  e  f  g  h" in out
    assert run(["terms", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["labels"] == list(TERMS[name].labels)


def test_the_vocabulary_page_names_every_term(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["terms", "--markdown"]) == 0
    out = capsys.readouterr().out
    page = Path(__file__).parent.parent / "docs/vocabulary.md"
    assert page.read_text(encoding="utf-8") == out, "run: tuner terms --markdown > docs/vocabulary.md"
    assert all(f"| `{name}` |" in out for name in TERMS)
