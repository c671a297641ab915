"""Draw and scaling rules: each against an oracle, and their way through an evaluation."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import chess
import numpy as np
import pytest
from oracles import draws
from oracles.boards import varied_boards
from oracles.squares import place
from vectors import of_concept, vectors

from evalcore.errors import FormatError
from evalcore.evaluation import load_evaluation, make_evaluation
from evalcore.explain import explain
from evalcore.integer import integer_scores
from evalcore.positions import Positions
from evalcore.rules import RULES
from evalcore.rules.pawn_endings import flood
from evalcore.scaling import Scaling, ScalingFamily, factors_of
from evalcore.side import sides
from evalcore.terms import TERMS

PLAIN = {name: rule for name, rule in RULES.items() if isinstance(rule, Scaling)}
ENDINGS = (
    *(("", "N", "B", "NN", "NB", "BB", "R", "RN", "RB", "Q", "QQ", "RR", "BBN"),) * 2,
    ("BP", "BPP", "BBP", "P", "PP", "PPP", "BPPP", "RBP", "QP", "NP"),
)
"""Men beside the king that endings are made of."""


def placed(rng: random.Random, ours: str, theirs: str, pawns: tuple[chess.Square, ...]) -> chess.Board | None:
    """A legal board with these men at random squares, pawns on `pawns` only; None where it is not legal."""
    board, free = chess.Board(None), rng.sample(chess.SQUARES, 64)
    for colour, letters in ((chess.WHITE, "K" + ours), (chess.BLACK, "K" + theirs)):
        for letter in letters:
            allowed = [s for s in free if letter != "P" or s in pawns]
            if not allowed:
                return None
            free.remove(allowed[0])
            board.set_piece_at(allowed[0], chess.Piece(chess.Piece.from_symbol(letter).piece_type, colour))
    board.turn = rng.random() < 0.5
    return board if board.is_valid() else None


MIDDLE = tuple(chess.SquareSet(chess.BB_ALL & ~chess.BB_RANK_1 & ~chess.BB_RANK_8))
SEVENTH = tuple(chess.SquareSet(chess.BB_RANK_2 | chess.BB_RANK_7))
ROOK_FILE = tuple(chess.SquareSet(chess.BB_FILE_H & ~chess.BB_RANK_1 & ~chess.BB_RANK_8))


def endings(rng: random.Random, boards: int) -> Iterator[chess.Board]:
    """Random endings of few men."""
    sets = [letters for group in ENDINGS for letters in group]
    while boards > 0:
        pawns = rng.choice((MIDDLE, MIDDLE, SEVENTH, ROOK_FILE))
        pair = ("Q", "P") if rng.random() < 0.1 else (rng.choice(sets), rng.choice(sets))
        board = placed(rng, *pair, pawns)
        if board is not None:
            boards -= 1
            yield board


def rammed(rng: random.Random, boards: int) -> Iterator[chess.Board]:
    """Pawn endings with several rams across the board."""
    while boards > 0:
        board = chess.Board(None)
        for file in range(8):
            rank = rng.choice((2, 3, 3, 4))
            if rng.random() < 0.6:
                board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, chess.WHITE))
                board.set_piece_at(chess.square(file, rank + 1), chess.Piece(chess.PAWN, chess.BLACK))
            for colour in chess.COLORS:
                at = chess.square(file, rng.randrange(1, 7))
                if rng.random() < 0.15 and board.piece_at(at) is None:
                    board.set_piece_at(at, chess.Piece(chess.PAWN, colour))
        for colour, rank in ((chess.WHITE, rng.choice((0, 1, 2))), (chess.BLACK, rng.choice((5, 6, 7)))):
            board.set_piece_at(chess.square(rng.randrange(8), rank), chess.Piece(chess.KING, colour))
        board.turn = rng.random() < 0.5
        if board.is_valid():
            boards -= 1
            yield board


@cache
def boards() -> tuple[chess.Board, ...]:
    rng = random.Random(64)
    return (*varied_boards()[:200], *endings(rng, 2500), *rammed(rng, 700))


@cache
def positions() -> Positions:
    return Positions.from_boards(boards())


def expected_cases(oracle: Callable[[chess.Board], str]) -> list[tuple[str, str]]:
    return [(oracle(board), oracle(board.mirror())) for board in boards()]


@pytest.mark.parametrize("name", PLAIN)
def test_a_rule_answers_what_the_oracle_answers(name: str) -> None:
    """Cases are told apart by their factors, so each case gets one of its own here."""
    rule, oracle = PLAIN[name], getattr(draws, name)
    marks = {case: (index + 1) / 16 for index, case in enumerate(rule.cases)}
    found = factors_of(positions(), [rule.with_factors(marks)])
    expected = expected_cases(oracle)
    seen = Counter(case for pair in expected for case in pair)
    assert set(seen) == {"", *rule.cases}, "the boards show every case"
    for row, pair in enumerate(expected):
        assert [marks.get(case, 1.0) for case in pair] == found[row].tolist(), boards()[row].fen()


@pytest.mark.parametrize("name", PLAIN)
def test_the_compiled_rule_equals_its_python_body(name: str) -> None:
    rule = PLAIN[name]
    table = (1.0, *rule.factors)
    found = factors_of(positions(), [rule])
    for row in range(0, len(positions()), 7):
        plain = [np.float32(table[rule.rule(us)]) for us in sides(positions(), row)]
        assert plain == found[row].tolist(), boards()[row].fen()


@pytest.mark.parametrize("name", RULES)
def test_every_rule_says_where_it_comes_from(name: str) -> None:
    rule = RULES[name]
    made = rule.with_factors({"KR v KB": 0.5}) if isinstance(rule, ScalingFamily) else rule
    assert made.name == name
    assert made.page
    assert made.concept
    assert made.definition
    assert len(made.cases) == len(made.factors)
    assert all(0 <= factor <= 1 for factor in made.factors)


# --- worked examples -----------------------------------------------------------------------------------


def factor(name: str, fen: str, ahead: chess.Color = chess.WHITE) -> float:
    """The factor of one rule for one position."""
    found = factors_of(Positions.from_boards([chess.Board(fen)]), [PLAIN[name]])
    return float(found[0, 0 if ahead else 1])


@pytest.mark.parametrize("name", [*of_concept("draw.obvious"), *of_concept("draw.bishops")])
def test_only_dead_positions_are_drawn_by_rule(name: str) -> None:
    example = vectors()[name]["expected"]
    fen = vectors()[name]["fen"]
    dead = chess.Board(fen).is_insufficient_material()
    for key in ("python_chess_is_insufficient_material", "is_insufficient_material", "rule_draw"):
        assert example.get(key, dead) == dead
    assert factor("insufficient_material", fen) == (0 if dead else 1)


def test_two_knights_cannot_win_but_are_no_dead_position() -> None:
    fen = "8/8/8/K1k5/N7/8/2N5/8 w - - 0 1"
    assert factor("insufficient_material", fen) == 1
    assert factor("two_knights", fen) == 0


@pytest.mark.parametrize("name", of_concept("draw.simple_heuristic"))
def test_minor_pieces_as_the_page_lists_them(name: str) -> None:
    example = vectors()[name]
    assert factor("minor_pieces", example["fen"]) == (1 / 16 if example["expected"]["draw"] else 1)


def test_a_lone_minor_wins_against_no_number_of_pawns() -> None:
    fen = vectors()["v082"]["fen"]
    assert factor("lone_minor", fen, ahead=chess.WHITE) == 0
    assert factor("lone_minor", fen, ahead=chess.BLACK) == 1


def fence_of(name: str) -> tuple[tuple[int, int], chess.Board]:
    example = vectors()[name]
    board = chess.Board(None)
    if "fen" in example:
        board = chess.Board(example["fen"] + " 0 1")
    for letter, key in (("P", "white_pawns"), ("p", "black_pawns"), ("K", "white_king"), ("k", "black_king")):
        for square in [example[key]] if key.endswith("king") and key in example else example.get(key, []):
            board.set_piece_at(chess.parse_square(square), chess.Piece.from_symbol(letter))
    white, black = (int(board.pieces(chess.PAWN, colour)) for colour in (chess.WHITE, chess.BLACK))
    return flood(white, black), board


@pytest.mark.parametrize("name", of_concept("blockage"))
def test_the_fence_of_rams(name: str) -> None:
    expected = vectors()[name]["expected"]
    (water, fence), board = fence_of(name)
    assert bool(fence) == expected["blockage"]
    if not expected["blockage"]:
        return
    assert {chess.square_name(square) for square in chess.SquareSet(water)} == set(expected["flood_below"])
    assert {chess.square_name(square) for square in chess.SquareSet(fence)} == set(expected["fence"])
    rams = {chess.square_name(s) for s in board.pieces(chess.PAWN, chess.WHITE) if board.piece_at(s + 8)}
    assert rams & set(expected["rams"]) == set(expected["rams"])


def test_a_fence_of_fixed_pawns_is_a_draw_and_one_with_a_stopped_passer_nearly() -> None:
    assert factor("blockage", "3k4/8/8/1p2p2p/1P2P2P/1P6/3K4/8 w - - 0 1") == 0
    assert factor("blockage", "4k3/8/3pPp2/1p1P1P1p/1P5P/5P2/3K4/8 w - - 0 1") == 1 / 4
    assert factor("blockage", "k7/8/3pPp2/1p1P1P1p/1P5P/5P2/3K4/8 w - - 0 1") == 1


def test_flood_and_fence_equal_sets_of_squares() -> None:
    held = 0
    for board in rammed(random.Random(7), 400):
        ours, theirs = (board.pieces(chess.PAWN, colour) for colour in (chess.WHITE, chess.BLACK))
        found = flood(int(ours), int(theirs))
        expected = draws.ram_fence({place(s) for s in ours}, {place(s) for s in theirs})
        if expected is None:
            assert found == (0, 0)
        else:
            held += 1
            assert tuple({place(s) for s in chess.SquareSet(part)} for part in found) == expected
    assert held > 30


# --- by material signature -----------------------------------------------------------------------------

SIGNATURES = {"KR v KB": 0.5, "KRB v KR": 0.25, "KBP* v KNP*": 0.75, "K v K": 0.0, "KPP v KP": 0.125}


def fits(board: chess.Board, signature: str) -> bool:
    """By text: the men of both sides, with any number of pawns where the signature has P*."""
    for colour, wanted in zip((chess.WHITE, chess.BLACK), signature.split(" v "), strict=True):
        have = "K" + draws.men(board, colour)
        if wanted.endswith("P*"):
            have, wanted = have.replace("P", ""), wanted.removesuffix("P*")
        if sorted(have) != sorted(wanted):
            return False
    return True


def test_factors_by_material_signature() -> None:
    family = RULES["material"]
    assert isinstance(family, ScalingFamily)
    found = factors_of(positions(), [family.with_factors(SIGNATURES)])
    seen = set()
    for row, board in enumerate(boards()):
        for side, view in enumerate((board, board.mirror())):
            expected = next((f for signature, f in SIGNATURES.items() if fits(view, signature)), 1.0)
            assert found[row, side] == expected, board.fen()
            seen.add(expected)
    assert seen == {1.0, *SIGNATURES.values()}


# --- in an evaluation ----------------------------------------------------------------------------------

ROOK_V_BISHOP = "8/8/8/8/5k2/8/1K1b4/7R w - - 0 1"


def evaluation_of(text: str, folder: Path) -> Path:
    path = folder / "mine.toml"
    path.write_text(text)
    return path


def test_the_score_of_the_side_ahead_is_scaled(tmp_path: Path) -> None:
    text = (
        'extends = "material"\nscaling = [{ name = "low_material", factors = { "rook v minor" = 0.25 } }]\n'
    )
    scaled, plain = load_evaluation(evaluation_of(text, tmp_path)), load_evaluation("material")
    board = chess.Board(ROOK_V_BISHOP)
    both = Positions.from_boards([board, board.mirror(), chess.Board()])
    assert scaled.extract(both).factors.tolist() == [[0.25, 0], [0, 0.25], [1, 1]]
    assert np.allclose(scaled.score(both), plain.score(both) * 0.25)
    assert integer_scores(scaled, both).tolist() == np.trunc(integer_scores(plain, both) / 4).tolist()


def test_the_smallest_factor_counts(tmp_path: Path) -> None:
    text = 'extends = "material"\nscaling = ["no_pawns", "low_material"]\n'
    evaluation = load_evaluation(evaluation_of(text, tmp_path))
    assert evaluation.extract(Positions.from_boards([chess.Board(ROOK_V_BISHOP)])).factors[0, 0] == 0.125


def test_an_extension_adds_rules_and_replaces_factors(tmp_path: Path) -> None:
    evaluation_of('extends = "material"\nscaling = ["opposite_bishops", "no_pawns"]\n', tmp_path)
    path = tmp_path / "other.toml"
    path.write_text('extends = "mine.toml"\nscaling = ["wrong_bishop", { name = "no_pawns" }]\n')
    names = [rule.name for rule in load_evaluation(path).scaling]
    assert names == ["opposite_bishops", "no_pawns", "wrong_bishop"]


def test_threads_and_chosen_rows_change_nothing() -> None:
    evaluation = make_evaluation(
        "scaled", [(TERMS["material_pawn"], "tapered", 85, 105)], scaling=tuple(PLAIN.values())
    )
    one = evaluation.extract(positions(), threads=1).factors
    assert np.array_equal(one, evaluation.extract(positions(), threads=2).factors)
    rows = np.array([700, 3, 3, 1200])
    assert np.array_equal(evaluation.extract(positions(), rows).factors, one[rows])


def test_factors_change_places_on_the_mirrored_board() -> None:
    chosen = boards()[::9]
    rules = list(PLAIN.values())
    here = factors_of(Positions.from_boards(chosen), rules)
    mirrored = factors_of(Positions.from_boards([board.mirror() for board in chosen]), rules)
    assert np.array_equal(mirrored, here[:, ::-1])


MISTAKES = {
    "unknown rule": (
        'scaling = ["oposite_bishops"]',
        "no scaling rule is called 'oposite_bishops'; did",
    ),
    "unknown case": (
        'scaling = [{ name = "wrong_bishop", factors = { "king" = 0 } }]',
        "no case of the scaling rule wrong_bishop is called 'king'",
    ),
    "a factor above one": (
        'scaling = [{ name = "two_knights", factors = { "two knights v king" = 1.5 } }]',
        "scaling rule two_knights, 'two knights v king': the factor is 1.5; expected 0 … 1",
    ),
    "no factors": ('scaling = ["material"]', "the scaling rule material needs factors"),
    "no signature": (
        'scaling = [{ name = "material", factors = { "KR-KB" = 0.5 } }]',
        "'KR-KB' is no material signature; expected one such as",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_scaling_is_one_clear_sentence(mistake: str, tmp_path: Path) -> None:
    line, complaint = MISTAKES[mistake]
    path = evaluation_of(f'{line}\n[[term]]\nname = "tempo"\n', tmp_path)
    with pytest.raises(FormatError) as caught:
        load_evaluation(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert complaint in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("name", ["cpw", "default", "shannon"])
def test_an_explanation_adds_up_to_the_scaled_score(name: str) -> None:
    evaluation = load_evaluation(name)
    few = Positions.from_boards([*boards()[:60:3], chess.Board(ROOK_V_BISHOP)])
    scores = evaluation.score(few)
    for row in range(len(few)):
        assert explain(evaluation, few, evaluation.start, row).score == pytest.approx(scores[row])
    last = explain(evaluation, few, evaluation.start, len(few) - 1)
    expected = [("low_material", "rook v minor", 0.5)] if name == "cpw" else []
    assert [(scaled.rule, scaled.case, scaled.factor) for scaled in last.scaling] == expected
