"""Which columns a term needs, and sources that lack them."""

from pathlib import Path

import chess
import numpy as np
import pytest

from evalcore.errors import InputError
from evalcore.evaluation import load_evaluation
from evalcore.formats import write_positions
from evalcore.needs import fields_read, needs, terms_without
from evalcore.positions import Positions
from evalcore.side import Side, sides
from evalcore.term import COUNT, PIECE, PIECES, Term
from evalcore.terms import TERMS
from tuner.cli import run

COLUMNS = ("white_to_move", "castling_rights")
FENS = (
    "r3k2r/pppq1ppp/2n1bn2/3pp3/3PP3/2N1BN2/PPPQ1PPP/R3K2R w KQkq - 0 9",
    "8/1p3k2/8/p7/P1P5/8/5K2/8 w - - 0 40",
    "8/P7/8/8/3k4/8/8/K7 w - - 0 1",
)


def counted(term: Term, us: Side) -> object:
    if term.kind == PIECE:
        return [term.rule(us, square) for square in range(64) if us[PIECES.index(term.each)] >> square & 1]
    return term.rule(us)


@pytest.mark.parametrize("name", TERMS)
def test_terms_do_not_change_with_what_they_do_not_need(name: str) -> None:
    """The rule is run with the side to move, or the castling rights, exchanged."""
    term = TERMS[name]
    for fen in FENS:
        us = sides(Positions.from_boards([chess.Board(fen)]), 0)[0]
        if not needs(term, "white_to_move"):
            assert counted(term, us._replace(to_move=1 - us.to_move)) == counted(term, us)
        if not needs(term, "castling_rights"):
            assert counted(term, us._replace(castling=0, their_castling=0)) == counted(term, us)


def test_fields_are_found_through_helpers() -> None:
    assert "to_move" in fields_read(TERMS["tempo"].rule)
    assert "their_pawn_attacks" in fields_read(TERMS["knight_mobility"].rule)
    assert needs(TERMS["tempo"], "white_to_move") and not needs(TERMS["passed_pawn"], "white_to_move")
    assert TERMS["king_attack_units"].kind == COUNT


def test_terms_are_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    boards = [chess.Board(fen) for fen in FENS]
    positions = Positions.from_boards(
        boards, result=[1.0, 0.5, 1.0], score=[30, 0, 500], game=np.arange(3), ply=[16, 78, 0]
    )
    path = tmp_path / "some.data"
    write_positions(positions, path, format="bulletformat")
    assert terms_without(load_evaluation("default").terms, COLUMNS) == {"white_to_move": ["tempo"]}
    for command in (["fit", str(path), "--out", str(tmp_path / "run")], ["score", str(path)]):
        assert run([*command, "--format", "bulletformat", "-e", "default"]) == 2
        message = capsys.readouterr().err
        assert "white_to_move" in message and "tempo" in message and "some.data" in message
    assert run(["score", str(path), "--format", "bulletformat", "-e", "psqt"]) == 0


def test_no_lost_column_no_error() -> None:
    assert terms_without(load_evaluation("psqt").terms, COLUMNS) == {}
    with pytest.raises(InputError, match="b does not carry white_to_move"):
        load_evaluation("default").refuse_lost({"a": (), "b": ("white_to_move",)})
