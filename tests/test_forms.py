"""Forms of a term: other partitions, other names, own and opponent's weights, families of users."""

from pathlib import Path

import chess
import numpy as np
import pytest
from oracles.boards import varied_boards

from evalcore.errors import FormatError, InputError
from evalcore.evaluation import Evaluation, load_evaluation, make_evaluation
from evalcore.forms import BY_CENTER_DISTANCE, BY_CENTER_MANHATTAN, PARTITIONS, Family, form, one_of
from evalcore.integer import integer_scores
from evalcore.positions import Positions
from evalcore.term import Term
from evalcore.terms import TERMS, VOCABULARY
from evalcore.weights import Weights

CENTRE = (chess.D4, chess.E4, chess.D5, chess.E5)


def positions() -> Positions:
    return Positions.from_boards(varied_boards())


def evaluation_of(text: str, folder: Path) -> Evaluation:
    path = folder / "mine.toml"
    path.write_text(text)
    return load_evaluation(path)


# --- partitions -----------------------------------------------------------------------------------------


def test_distances_to_the_centre_are_those_of_kings_and_of_rook_steps() -> None:
    for square in chess.SQUARES:
        steps = min(chess.square_distance(square, each) for each in CENTRE)
        assert BY_CENTER_DISTANCE.labels[BY_CENTER_DISTANCE.table[square]] == f"distance {steps}"
        steps = min(chess.square_manhattan_distance(square, each) for each in CENTRE)
        assert BY_CENTER_MANHATTAN.labels[BY_CENTER_MANHATTAN.table[square]] == f"distance {steps}"


def test_square_colours_are_those_of_the_board() -> None:
    partition = PARTITIONS["square colour"]
    for square in chess.SQUARES:
        light = bool(chess.BB_SQUARES[square] & chess.BB_LIGHT_SQUARES)
        assert partition.labels[partition.table[square]] == ("light" if light else "dark")


@pytest.mark.parametrize("by", [name for name in PARTITIONS if name != "whole"])
def test_a_partition_only_sorts_what_the_term_counts(by: str) -> None:
    """The columns of any partition add up to the columns of squares it is made of."""
    squares = make_evaluation("squares", [(TERMS["psqt_rook"], "tapered", 0, 0)]).extract(positions()).dense()
    cut = make_evaluation("cut", [(form(TERMS["psqt_rook"], by=by), "tapered", 0, 0)])
    table = np.array(PARTITIONS[by].table)
    expected = np.stack(
        [squares[:, table == column].sum(axis=1) for column in range(len(cut.layout))], axis=1
    )
    assert np.array_equal(cut.extract(positions()).dense(), expected)


@pytest.mark.parametrize("name", ["knight_mobility", "doubled_pawn", "king_attackers"])
def test_the_whole_of_a_term_is_one_linear_column(name: str) -> None:
    table = make_evaluation("table", [(TERMS[name], "tapered", 0, 0)]).extract(positions()).dense()
    whole = make_evaluation("whole", [(form(TERMS[name], by="whole"), "tapered", 0, 0)])
    by_number = TERMS[name].partition.table is None
    each = np.arange(table.shape[1]) if by_number else np.ones(table.shape[1], int)
    found = whole.extract(positions()).dense()[:, 0]
    rows = slice(None) if name != "king_attackers" else (table[:, -1] == 0)
    assert np.array_equal(found[rows], (table @ each)[rows])


# --- own and opponent's weights (asymmetric evaluation) ----------------------------------------------------


def test_a_split_term_has_columns_for_the_side_to_move_and_its_opponent() -> None:
    plain = make_evaluation("plain", [(TERMS["passed_pawn"], "tapered", 0, 0)])
    split = make_evaluation("split", [(form(TERMS["passed_pawn"], split="side to move"), "tapered", 0, 0)])
    labels = TERMS["passed_pawn"].labels
    assert split.layout.names == tuple(
        ("passed_pawn", f"{side}, {label}") for side in ("own", "opponent") for label in labels
    )
    for row in range(0, len(varied_boards()), 5):
        board = varied_boards()[row]
        white, black = plain.counts(positions(), row)
        found = split.counts(positions(), row)
        own, other = (found[0], found[1]) if board.turn else (found[1], found[0])
        us, them = (white, black) if board.turn else (black, white)
        assert own.tolist() == [*us, *np.zeros_like(us)]
        assert other.tolist() == [*np.zeros_like(them), *them]


def test_equal_weights_of_both_sides_give_the_symmetric_evaluation(tmp_path: Path) -> None:
    plain = evaluation_of('[[term]]\nname = "knight_mobility"\nmg = [0,1,2,3,4,5,6,7,8]\neg = 3\n', tmp_path)
    text = '[[term]]\nname = "knight_mobility"\nsplit = "side to move"\nmg = [{0},{0}]\neg = 3\n'
    split = evaluation_of(text.format("0,1,2,3,4,5,6,7,8"), tmp_path)
    assert np.allclose(split.score(positions()), plain.score(positions()))
    assert np.array_equal(integer_scores(split, positions()), integer_scores(plain, positions()))


def test_unequal_weights_depend_on_who_is_to_move_and_stay_fair_to_both_colours() -> None:
    evaluation = make_evaluation(
        "asymmetric",
        [(form(TERMS["king_attackers"], split="side to move", by="whole"), "tapered", [10, 30], 20)],
    )
    boards = [board for board in varied_boards() if not board.is_check()][::4]
    passed = [board.copy() for board in boards]
    for board in passed:
        board.push(chess.Move.null())
        board.ep_square = None
    here, there = (evaluation.score(Positions.from_boards(each)) for each in (boards, passed))
    assert (np.abs(here - there) > 1).mean() > 0.3
    mirrored = evaluation.score(Positions.from_boards([board.mirror() for board in boards]))
    assert np.allclose(mirrored, -here)


def test_gradients_reach_both_halves_of_a_split_term() -> None:
    evaluation = make_evaluation(
        "split", [(form(TERMS["material_rook"], split="side to move"), "none", 5, 5)]
    )
    matrix = evaluation.extract(positions())
    _, gradient = matrix.value_and_gradient(
        lambda _, scores: (float(scores.sum()), np.ones_like(scores)), np.ones((2, 2))
    )
    dense = matrix.dense().astype(float)
    assert np.allclose(gradient.sum(axis=1), dense.sum(axis=0))
    assert (dense != 0).sum(axis=0).min() > 10


# --- names, files, families of users -----------------------------------------------------------------------


def test_a_term_can_be_used_twice_under_another_name(tmp_path: Path) -> None:
    text = """
    [[term]]
    name = "king_attack_table"
    [[term]]
    name = "king_attack_table"
    as = "light_attacks"
    options = { queen = 1, needs_queen = false }
    """
    evaluation = evaluation_of(text, tmp_path)
    assert [term.name for term in evaluation.terms] == ["king_attack_table", "light_attacks"]
    assert evaluation.terms[1].spec == (
        ("name", "king_attack_table"),
        ("as", "light_attacks"),
        ("options", {"queen": 1, "needs_queen": False}),
    )
    first, second = np.split(evaluation.extract(positions()).dense(), 2, axis=1)
    assert (first != second).any()


FAMILY = '''
from evalcore.bitboards import popcount
from evalcore.forms import family
from evalcore.side import Side
from evalcore.term import BY_COUNT, Term, term


@family
def many_pawns(*, most: int = 8, own: bool = True) -> Term:
    """Pawns of one side, at most `most`."""

    @term(BY_COUNT(9), page="Pawn", number=True)
    def many_pawns(us: Side) -> int:
        """Pawns of one side."""
        return min(popcount(us.pawns if own else us.their_pawns), most)

    return many_pawns
'''


def test_a_family_of_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "my_terms.py").write_text(FAMILY)
    text = '[[term]]\nname = "my_terms.py:many_pawns"\noptions = { most = 3, own = false }\n'
    evaluation = evaluation_of(text, tmp_path)
    board = chess.Board("4k3/pp6/8/8/8/8/PPPPP3/4K3 w - - 0 1")
    white, black = evaluation.counts(Positions.from_boards([board]), 0)
    assert (int(np.argmax(white)), int(np.argmax(black))) == (2, 3)


def test_options_say_what_they_are() -> None:
    found = VOCABULARY["king_attack_table"]
    assert isinstance(found, Family)
    assert found.options["columns"] == 100
    assert isinstance(found.term, Term)
    assert found.term.labels[-1] == "99"


def test_a_rule_names_at_most_64_columns() -> None:
    with pytest.raises(ValueError, match="at most 64"):
        one_of(*map(str, range(65)))


MISTAKES = {
    "no such partition": ('by = "diagonal"', "no partition is called 'diagonal'"),
    "numbers have no squares": ('name = "king_attackers"\nby = "rank"', "can be taken by 'whole' only"),
    "no options": ("options = { queen = 3 }", "the term psqt_rook has no options"),
    "no such split": ('split = "colour"', "no way to split a term is called 'colour'"),
    "split halves the labels": ('split = "side to move"\nmg = [1, 2]', "has 128 labels, but 2 mg weights"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_a_form_is_one_clear_sentence(mistake: str, tmp_path: Path) -> None:
    lines, complaint = MISTAKES[mistake]
    text = f"[[term]]\n{lines}\n" if "name" in lines else f'[[term]]\nname = "psqt_rook"\n{lines}\n'
    with pytest.raises(InputError) as caught:
        evaluation_of(text, tmp_path)
    assert isinstance(caught.value, FormatError) or "evaluation mine" in str(caught.value)
    assert complaint in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_weights_of_a_form_can_be_moved_by_name() -> None:
    evaluation = make_evaluation("split", [(form(TERMS["tempo"], split="side to move"), "none", 0, 0)])
    values = np.zeros((2, 2))
    values[evaluation.layout["tempo", "own"]] = 12
    scores = evaluation.score(positions(), Weights(evaluation.layout, values))
    assert scores.tolist() == [12 if board.turn else -12 for board in varied_boards()]
