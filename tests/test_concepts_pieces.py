"""Concepts of pieces, kings and whole evaluations against the worked examples of their sources."""

from collections import Counter
from functools import cache

import chess
import pytest
from oracles import connectivity
from oracles.boards import varied_boards
from vectors import of_concept, vectors

from evalcore.bitboards import bishop_attacks, bit, knight_attacks, rook_attacks
from evalcore.evaluation import Evaluation, load_evaluation, make_evaluation
from evalcore.forms import Family, form
from evalcore.integer import integer_scores
from evalcore.positions import Positions
from evalcore.side import sides
from evalcore.term import Term
from evalcore.terms import TERMS, VOCABULARY
from evalcore.terms.corresponding import corresponding_squares


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


# --- connectivity (H5) ------------------------------------------------------------------------------------


def protected(piece: str, *, three: bool = False) -> Term:
    found = VOCABULARY["protected_man"]
    assert isinstance(found, Family)
    return found.with_options({"piece": piece, "three": three})


def test_connectivity_of_two_pawns() -> None:
    """Kopec et al.: 50 for the protected pawn times 8.00 for its protector, a pawn."""
    expected, values = vectors()["v058"]["expected"], vectors()["v057"]["expected"]
    board = chess.Board("4k3/8/8/3P4/2P5/8/8/4K3 w - - 0 1")
    weights = [
        values["single"].get(label, 0) * values["piece_value"]["P"] for label in protected("pawns").labels
    ]
    evaluation = make_evaluation("connectivity", [(protected("pawns"), "none", weights, 0)])
    assert evaluation.score(one(board))[0] == expected["score"]


def test_there_is_a_column_for_every_set_of_protectors() -> None:
    few, three = protected("queens").labels, protected("queens", three=True).labels
    assert (len(few), len(three), len({*few, *three})) == (6 + 21, 56, 83)
    named = vectors()["v057"]["expected"]
    for label in (*named["single"], *named["double_given"], *named["triple_given"]):
        assert "".join(sorted(label, key="PBNRKQ".index)) in (*few, *three)


@pytest.mark.parametrize(("piece", "kind"), [("knights", chess.KNIGHT), ("queens", chess.QUEEN)])
def test_protectors_of_other_men(piece: str, kind: chess.PieceType) -> None:
    evaluation = make_evaluation(
        "protected",
        [
            (protected(piece), "none", 0, 0),
            (
                form(VOCABULARY["protected_man"], options={"piece": piece, "three": True}, called="three"),
                "none",
                0,
                0,
            ),
        ],
    )
    positions = Positions.from_boards(varied_boards())
    seen = set()
    for row, board in enumerate(varied_boards()):
        counts = evaluation.counts(positions, row)[0]
        found = {(name, int(n)) for (_, name), n in zip(evaluation.layout.names, counts, strict=True) if n}
        expected = Counter(connectivity._by_protectors(board, kind, (1, 2, 3)))
        assert found == set(expected.items()), board.fen()
        seen |= {len(label) for label in expected}
    assert seen == {1, 2, 3}


# --- corresponding squares (G11) ----------------------------------------------------------------------------


def squares(names: list[str]) -> int:
    return sum(1 << chess.parse_square(name) for name in names)


def replies(fen: str, root: str, held: list[int]) -> list[str]:
    """Where Black's king can go and hold, after White's king went to `root`."""
    king = chess.Board(fen + " 0 1").king(chess.BLACK)
    assert king is not None
    good = chess.SquareSet(held[chess.parse_square(root)] & chess.BB_KING_ATTACKS[king])
    return sorted(chess.square_name(square) for square in good)


def held_squares(name: str, critical: int) -> list[int]:
    white, _ = sides(one(vectors()[name]["fen"] + " 0 1"), 0)
    return corresponding_squares(white, critical)


def test_lockocks_eight_square_system() -> None:
    example = vectors()["v030"]
    expected = example["expected"]
    held = held_squares("v030", squares(expected["critical_squares"]))
    key = "eight_square_system(white_king->black_king, inside the black 8-square zone)"
    zone = squares(list(expected[key].values()))
    for ours, theirs in expected[key].items():
        assert held[chess.parse_square(ours)] & zone == squares([theirs])
    for root, good in expected["holding_black_replies_after_root_move"].items():
        assert replies(example["fen"], root, held) == good


def test_the_main_line_of_lockock_is_lost_for_black_at_every_move() -> None:
    expected = vectors()["v030"]["expected"]
    held = held_squares("v030", squares(expected["critical_squares"]))
    board = chess.Board(vectors()["v030"]["fen"] + " 0 1")
    for move in expected["main_line"]:
        board.push_san(move)
        if board.turn == chess.BLACK:
            white, black = board.king(chess.WHITE), board.king(chess.BLACK)
            assert held[white] & chess.BB_KING_ATTACKS[black] == 0


def test_fine_70() -> None:
    example = vectors()["v031"]
    expected = example["expected"]
    white, black = sides(one(example["fen"] + " 0 1"), 0)
    held = corresponding_squares(white, white.their_pawns & ~white.their_pawn_attacks)
    ours, theirs = chess.Board(example["fen"] + " 0 1").king(chess.WHITE), white.their_king
    assert bool(held[ours] & theirs) == expected["black_holds_with_white_to_move"]
    for root, good in expected["holding_black_replies"].items():
        assert replies(example["fen"], root, held) == good
    assert TERMS["king_breaks_through"].rule(white) == 1
    assert TERMS["king_breaks_through"].rule(black) == 0
