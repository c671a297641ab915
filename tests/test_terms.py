"""The contract every term keeps, tried on the whole table `TERMS`."""

import os
import shutil
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import chess
import numpy as np
import pytest
from numpy.typing import NDArray
from oracles import ORACLES
from oracles.boards import varied_boards

import evalcore
from evalcore import evaluation as evaluation_module
from evalcore.errors import InputError
from evalcore.evaluation import Evaluation, load_evaluation, make_evaluation, preset_names
from evalcore.positions import Positions
from evalcore.side import FIELDS, Side, sides
from evalcore.term import BY_FOLDED_FILE, COUNT, PIECE, WHOLE, Term, term
from evalcore.terms import TERMS

NAMES = sorted(TERMS)
PYTHON_ROWS = 60
"""Rows on which the plain Python bodies run; they are a thousand times slower than the compiled ones."""


@cache
def every_term() -> Evaluation:
    return make_evaluation("all", [(each, "tapered", 0, 0) for each in TERMS.values()])


@cache
def positions() -> Positions:
    return Positions.from_boards(varied_boards())


@cache
def counts_of_sides() -> NDArray[np.int64]:
    """(rows, 2, columns): White's and Black's counts of every board."""
    return np.array([every_term().counts(positions(), row) for row in range(len(positions()))])


def as_counter(name: str, dense: NDArray[np.int64]) -> Counter[str]:
    counts = dense[every_term().layout.columns_of(name)]
    return Counter({label: int(n) for label, n in zip(TERMS[name].labels, counts, strict=True) if n})


def test_the_boards_are_legal() -> None:
    assert len(varied_boards()) > 300
    assert all(board.is_valid() for board in varied_boards())


def test_every_term_has_an_oracle_and_every_oracle_a_term() -> None:
    assert sorted(ORACLES) == NAMES


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("colour", [chess.WHITE, chess.BLACK], ids=["white", "black"])
def test_counts_what_the_oracle_counts(name: str, colour: chess.Color) -> None:
    for row, board in enumerate(varied_boards()):
        counted = as_counter(name, counts_of_sides()[row, 0 if colour else 1])
        expected = Counter({label: n for label, n in ORACLES[name](board, colour).items() if n})
        assert counted == expected, f"{board.fen()}: {counted} instead of {expected}"


@pytest.mark.parametrize("name", NAMES)
def test_the_boards_exercise_the_term(name: str) -> None:
    columns = every_term().layout.columns_of(name)
    assert counts_of_sides()[:, :, columns].any()


def plain_counts(each: Term, us: Side) -> Counter[str]:
    """What the extraction should count by the Python body of the rule and the partition."""
    if each.kind == PIECE:
        men = getattr(us, each.each)
        found = [each.rule(us, square) for square in range(64) if men >> square & 1]
    else:
        found = [each.rule(us)]
    counts: Counter[str] = Counter()
    for squares in found:
        counts.update(labels_of(each, squares))
    return Counter({label: n for label, n in counts.items() if n})


def labels_of(each: Term, squares: int) -> Counter[str]:
    table, labels = each.partition.table, each.labels
    if table is not None:
        assert 0 <= squares < 1 << 64, "a set of squares with bits outside the board"
        return Counter(labels[table[s]] for s in range(64) if squares >> s & 1 and table[s] >= 0)
    number = squares if each.kind == COUNT else squares.bit_count()
    return (
        Counter({labels[0]: number}) if len(labels) == 1 else Counter([labels[min(number, len(labels) - 1)]])
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_compiled_rule_equals_its_python_body(name: str) -> None:
    step = len(positions()) // PYTHON_ROWS
    for row in range(0, len(positions()), step):
        for us, counted in zip(sides(positions(), row), counts_of_sides()[row], strict=True):
            assert as_counter(name, counted) == plain_counts(TERMS[name], us), varied_boards()[row].fen()


def test_the_batch_equals_single_positions() -> None:
    matrix = every_term().extract(positions())
    assert np.array_equal(matrix.dense(), counts_of_sides()[:, 0] - counts_of_sides()[:, 1])
    assert np.array_equal(matrix.phase, every_term().phases(positions()))


def test_chosen_rows_come_in_their_order() -> None:
    rows = np.array([5, 3, 3, 200])
    chosen = every_term().extract(positions(), rows).dense()
    assert np.array_equal(chosen, every_term().extract(positions()).dense()[rows])


def test_counts_change_sign_on_the_mirrored_board() -> None:
    mirrored = Positions.from_boards([board.mirror() for board in varied_boards()])
    assert np.array_equal(every_term().extract(mirrored).dense(), -every_term().extract(positions()).dense())


def test_the_number_of_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation_module, "BLOCK_ROWS", 50)
    one, two = (every_term().extract(positions(), threads=threads) for threads in (1, 2))
    assert len(one.blocks) == len(two.blocks) > 4
    for a, b in zip(one.blocks, two.blocks, strict=True):
        assert all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))
    assert np.array_equal(one.phase, two.phase)


def test_blocks_that_need_more_room_than_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = load_evaluation("psqt")
    expected = tables.extract(positions()).dense()
    monkeypatch.setattr(evaluation_module, "ENTRIES_A_ROW", 1)
    assert tables.extract(positions()).entries > len(positions()) * len(tables.terms)
    assert np.array_equal(tables.extract(positions()).dense(), expected)


@pytest.mark.parametrize("name", NAMES)
def test_says_what_it_is(name: str) -> None:
    each = TERMS[name]
    assert each.name == name
    assert each.definition.split("\n\n")[0].endswith(".")
    assert each.page
    assert len(set(each.labels)) == len(each.labels)


def test_a_term_knows_its_concepts() -> None:
    @term(WHOLE, page="test", number=True, concept="C5 C3")
    def nothing(us: Side) -> int:
        """Nothing."""
        return 0

    assert nothing.concept == ("C5", "C3")
    assert nothing.squares(Side(*[0] * FIELDS)) == 0


def test_a_rule_of_the_wrong_kind_is_refused_when_it_is_written() -> None:
    with pytest.raises(ValueError, match=r"each='pawn' is no piece kind; choose from pawns, knights"):
        term(WHOLE, page="test", each="pawn")
    with pytest.raises(ValueError, match=r"a count rule returns no squares"):
        term(BY_FOLDED_FILE, page="test", number=True)
    with pytest.raises(TypeError, match=r"a piece rule needs a square"):
        TERMS["knight_mobility"].squares(Side(*[0] * FIELDS))


# --- counts that do not fit ---------------------------------------------------------------------------


@term(WHOLE, page="test", number=True)
def the_move_times_128(us: Side) -> int:
    """128 for the side to move."""
    return 128 if us.to_move else 0


@term(WHOLE, page="test", number=True)
def the_move_times_127(us: Side) -> int:
    """127 for the side to move."""
    return 127 if us.to_move else 0


def counts_to_move(each: Term, fen: str) -> list[int]:
    chosen = make_evaluation("one", [(each, "tapered", 0, 0)])
    return chosen.extract(Positions.from_boards([chess.Board(fen)])).dense()[0].tolist()


KINGS = "4k3/8/8/8/8/8/8/4K3"


def test_counts_up_to_the_bounds_of_eight_bits_are_kept() -> None:
    assert counts_to_move(the_move_times_127, f"{KINGS} w - - 0 1") == [127]
    assert counts_to_move(the_move_times_128, f"{KINGS} b - - 0 1") == [-128]


def test_a_count_beyond_eight_bits_is_an_error() -> None:
    with pytest.raises(InputError, match=r"position 1: the count of the_move_times_128 does not fit"):
        counts_to_move(the_move_times_128, f"{KINGS} w - - 0 1")


# --- terms of the user's own --------------------------------------------------------------------------

BATTERY = '''
from evalcore.bitboards import file_fill
from evalcore.term import BY_FOLDED_FILE, term
from helpers import HEAVY

@term(BY_FOLDED_FILE, page="Battery")
def battery(us):
    """Rooks on a file with an own queen."""
    return us.rooks & file_fill(us.queens)

not_a_term = 1
'''


@pytest.fixture
def own_terms(tmp_path: Path) -> Path:
    (tmp_path / "helpers.py").write_text("HEAVY = 5\n")
    (tmp_path / "my_terms.py").write_text(BATTERY)
    return tmp_path


def test_a_term_of_a_file_of_the_users_own(own_terms: Path) -> None:
    path = own_terms / "mine.toml"
    path.write_text('extends = "material"\n[[term]]\nname = "my_terms.py:battery"\nmg = 7\n')
    mine = load_evaluation(path)
    assert mine.layout.names[-1] == ("battery", "file d/e")
    board = Positions.from_boards([chess.Board("4k3/8/8/3q4/8/3Q4/8/R2RK3 w - - 0 1")])
    assert mine.extract(board).dense()[0, mine.layout["battery", "file d/e"]] == 1
    assert mine.start["battery", "file d/e"] == (7.0, 0.0)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("no_such.py:battery", r"no_such\.py: no such file; a term of your own is written file\.py:name"),
        ("my_terms.py:not_a_term", r"my_terms\.py: has no term called 'not_a_term'"),
        ("my_terms.py:missing", r"my_terms\.py: has no term called 'missing'"),
        ("broken.py:anything", r"broken\.py: cannot be loaded: ZeroDivisionError"),
    ],
)
def test_mistakes_in_own_terms_are_named(own_terms: Path, name: str, complaint: str) -> None:
    (own_terms / "broken.py").write_text("1 / 0\n")
    path = own_terms / "mine.toml"
    path.write_text(f'[[term]]\nname = "{name}"\n')
    with pytest.raises(InputError, match=complaint):
        load_evaluation(path)


def test_a_rule_that_cannot_be_compiled_is_named(own_terms: Path) -> None:
    (own_terms / "odd_terms.py").write_text(BATTERY.replace("us.rooks &", "us.rookies &"))
    path = own_terms / "mine.toml"
    path.write_text('[[term]]\nname = "odd_terms.py:battery"\n')
    with pytest.raises(InputError, match=r"the rule of term battery cannot be compiled: .*rookies"):
        _ = load_evaluation(path).plan


# --- the cache of compiled code -----------------------------------------------------------------------

SCRIPT = """
import chess, evalcore
from evalcore.evaluation import make_evaluation
from evalcore.positions import Positions
from evalcore.terms import TERMS
chosen = make_evaluation("one", [(TERMS["passed_pawn"], "tapered", 0, 0)])
board = Positions.from_boards([chess.Board("4k3/4p3/8/8/8/8/P3P3/4K3 w - - 0 1")])
print(evalcore.__file__, int(sum(chosen.counts(board, 0)[0])))
"""


def run_script(folder: Path) -> tuple[str, int]:
    environment = {**os.environ, "PYTHONPATH": str(folder), "EVALCORE_CACHE": str(folder / "cache")}
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    file, count = done.stdout.split()
    return file, int(count)


def test_an_edited_helper_never_meets_an_old_kernel(tmp_path: Path) -> None:
    """The same board before and after `front_spans_of_enemy` is broken in bitboards.py, a file that the
    kernels and rules in other files only import."""
    source = Path(evalcore.__file__).parent
    shutil.copytree(source, tmp_path / "evalcore", ignore=shutil.ignore_patterns("__pycache__"))
    file, count = run_script(tmp_path)
    assert Path(file).is_relative_to(tmp_path)
    assert count == 1
    helper = tmp_path / "evalcore" / "bitboards.py"
    text = helper.read_text(encoding="utf-8")
    assert text.count("return south_fill(south(pawns))") == 2
    helper.write_text(text.replace("return south_fill(south(pawns))", "return pawns & south(pawns)"), "utf-8")
    assert run_script(tmp_path)[1] == 2
    helper.write_text(text, encoding="utf-8")
    assert run_script(tmp_path)[1] == 1
    assert len([path for path in (tmp_path / "cache").iterdir() if path.is_dir()]) == 2


# --- mistakes in evaluation files ---------------------------------------------------------------------

MISTAKES = {
    "no such file": (None, "cannot be read"),
    "not TOML": ("[[term]\n", "is no valid TOML"),
    "unknown term": ('[[term]]\nname = "passed_prawn"\n', "no term is called 'passed_prawn'; did you mean"),
    "unknown key": ('[[term]]\nname = "tempo"\nopening = 3\n', "term.0.opening: is no known key"),
    "no name": ("[[term]]\nmg = 3\n", "term.0.name: field required"),
    "unknown taper": ('[[term]]\nname = "tempo"\ntaper = "flat"\n', "term.0.taper: input should be"),
    "no terms": ("[phase]\nknight = 1\n", "has no terms"),
    "a term twice": ('[[term]]\nname = "tempo"\n' * 2, "lists the term tempo twice"),
    "weights and labels": (
        '[[term]]\nname = "passed_pawn"\neg = [1, 2]\n',
        "term passed_pawn has 6 labels, but 2 eg weights",
    ),
    "no maximum": (
        '[phase]\nmaximum = 0\n[[term]]\nname = "tempo"\n',
        "phase.maximum: input should be greater",
    ),
    "infinite weight": ('[[term]]\nname = "tempo"\nmg = inf\n', "term.0.mg"),
    "unknown base": ('extends = "defaults"\n', "no evaluation to extend is called 'defaults'; did you mean"),
    "extends itself": ('extends = "wrong.toml"\n', "extends itself"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_an_evaluation_file_is_one_clear_sentence(mistake: str, tmp_path: Path) -> None:
    text, complaint = MISTAKES[mistake]
    path = tmp_path / "wrong.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(InputError) as caught:
        load_evaluation(path)
    assert complaint in str(caught.value)
    assert "wrong" in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_all_mistakes_of_an_evaluation_file_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text('phases = 1\n[[term]]\nname = "tempo"\nmidgame = 1\n[[term]]\nname = 3\n')
    with pytest.raises(InputError) as caught:
        load_evaluation(path)
    assert all(place in str(caught.value) for place in ("phases", "term.0.midgame", "term.1.name"))


def test_an_unknown_preset_lists_the_presets() -> None:
    with pytest.raises(InputError, match=r"did you mean default\?"):
        load_evaluation("defualt")


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_can_be_read(name: str) -> None:
    preset = load_evaluation(name)
    assert len(preset.layout) == len(preset.start.values) > 0
