"""Concepts of pieces, kings and whole evaluations against the worked examples of their sources."""

from functools import cache

import chess
import pytest
from vectors import of_concept, vectors

from evalcore.bitboards import bishop_attacks, bit, knight_attacks, rook_attacks
from evalcore.evaluation import Evaluation, load_evaluation, make_evaluation
from evalcore.integer import integer_scores
from evalcore.positions import Positions
from evalcore.terms import TERMS


def one(board: chess.Board | str) -> Positions:
    """A single position."""
    return Positions.from_boards([chess.Board(board) if isinstance(board, str) else board])


# --- Shannon 1949 (K3) ----------------------------------------------------------------------------------


@cache
def shannon() -> Evaluation:
    return load_evaluation("shannon")


@cache
def shannon_of_the_wiki() -> Evaluation:
    """The same with blocked pawns for S, as the wiki page words it."""
    uses = [
        (TERMS["blocked_pawn"] if term.name == "backward_pawn" else term, taper, *values)
        for term, taper in zip(shannon().terms, shannon().tapers, strict=True)
        for values in [tuple(shannon().start.of_term(term.name).T)]
    ]
    return make_evaluation("wiki", [(t, taper, list(mg), list(eg)) for t, taper, mg, eg in uses])


@pytest.mark.parametrize("name", of_concept("shannon_1949"))
def test_shannons_evaluation(name: str) -> None:
    expected, positions = vectors()[name]["expected"], one(vectors()[name]["fen"])
    assert shannon().score(positions)[0] == pytest.approx(100 * expected["f_S=backward(original paper)"])
    assert integer_scores(shannon(), positions)[0] == round(100 * expected["f_S=backward(original paper)"])
    blocked = shannon_of_the_wiki().score(positions)[0]
    assert blocked == pytest.approx(100 * expected["f_S=blocked(seed wording)"])


def test_legal_moves_of_known_positions() -> None:
    """Perft(1) of positions every move generator is tried on."""
    known = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": 20,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": 48,
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": 14,
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": 6,
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": 44,
    }
    evaluation = make_evaluation("moves", [(TERMS["legal_moves"], "none", 1, 1)])
    for fen, moves in known.items():
        assert evaluation.counts(one(fen), 0)[0].tolist() == [moves]


# --- moves of pieces on an empty board (F26) --------------------------------------------------------------


def test_influence_of_pieces_on_an_empty_board() -> None:
    expected = vectors()["v007"]["expected"]
    counted = {
        "rook": sum(rook_attacks(square, 0).bit_count() for square in range(64)),
        "bishop": sum(bishop_attacks(square, 0).bit_count() for square in range(64)),
        "knight": sum(knight_attacks(bit(square)).bit_count() for square in range(64)),
    }
    assert counted == {kind: expected[kind] for kind in counted}
    assert sum(counted.values()) == expected["total"]
