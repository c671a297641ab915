"""CPW-Engine, reproduced to the centipawn: the compiled C code of its page is the oracle."""

import csv
import gzip
from functools import cache
from pathlib import Path

import chess
import numpy as np
import pytest
from vectors import of_concept, vectors

from evalcore.errors import FormatError, InputError
from evalcore.evaluation import Evaluation, load_evaluation
from evalcore.forms import Family
from evalcore.integer import integer_scores, truncated
from evalcore.numbers import numbers_of
from evalcore.positions import Positions
from evalcore.scaling import factors_of
from evalcore.side import sides
from evalcore.terms import TERMS, VOCABULARY
from evalcore.weights import Weights

GOLDEN = Path(__file__).parent / "data" / "cpw_golden.csv.gz"
"""10,000 positions with the score (White's view), phase and attack units of the engine's own code."""


@cache
def cpw() -> Evaluation:
    return load_evaluation("cpw")


@cache
def golden() -> tuple[Positions, dict[str, np.ndarray]]:
    with gzip.open(GOLDEN, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    positions = Positions.from_boards(chess.Board(row["fen"]) for row in rows)
    names = ("score_white", "phase", "white_attack_units", "black_attack_units")
    return positions, {name: np.array([int(row[name]) for row in rows]) for name in names}


def test_scores_equal_the_engine_on_every_row() -> None:
    positions, expected = golden()
    assert len(positions) == 10_000
    found = integer_scores(cpw(), positions)
    assert np.flatnonzero(found != expected["score_white"]).tolist() == []


def test_threads_change_nothing() -> None:
    positions, expected = golden()
    assert np.array_equal(integer_scores(cpw(), positions, threads=1), expected["score_white"])


def test_phases_equal_the_engine() -> None:
    positions, expected = golden()
    assert np.array_equal(cpw().extract(positions).phase, expected["phase"])


def test_attack_units_equal_the_engine() -> None:
    positions, expected = golden()
    units = numbers_of(cpw().terms[-1], positions)
    assert np.array_equal(units[:, 0], expected["white_attack_units"])
    assert np.array_equal(units[:, 1], expected["black_attack_units"])
    columns = cpw().layout.columns_of("king_attack_table")
    for row in np.flatnonzero(units.any(axis=1))[:100]:
        assert [int(np.argmax(side[columns])) for side in cpw().counts(positions, row)] == units[row].tolist()


def test_only_terms_that_count_have_a_number() -> None:
    with pytest.raises(InputError, match="the term tempo marks squares"):
        numbers_of(TERMS["tempo"], golden()[0])


def test_the_table_of_attack_units_is_a_block_of_weights() -> None:
    positions, expected = golden()
    one = cpw().layout["king_attack_table", "12"]
    values = cpw().start.values.copy()
    values[one] += 7
    moved = integer_scores(cpw(), positions, Weights(cpw().layout, values)) - expected["score_white"]
    twelve = (expected["white_attack_units"] == 12).astype(int) - (expected["black_attack_units"] == 12)
    assert set(moved[twelve == 1]) == {7}
    assert set(moved[twelve == -1]) == {-7}
    assert not moved[twelve == 0].any()


def test_without_the_exception_the_rule_does_what_was_meant(tmp_path: Path) -> None:
    """Rook and minor piece against rook: the printed code compares the wrong side and never halves."""
    path = tmp_path / "meant.toml"
    path.write_text('extends = "cpw"\nscaling = ["low_material"]\n')
    positions, expected = golden()
    meant = integer_scores(load_evaluation(path), positions)
    differ = np.flatnonzero(meant != expected["score_white"])
    assert len(differ) > 10
    for row in differ:
        white_ahead = bool(expected["score_white"][row] > 0)
        stronger = _men(positions.board(row), white_ahead)
        weaker = _men(positions.board(row), not white_ahead)
        assert stronger in (["B", "K", "R"], ["K", "N", "R"])
        assert [man for man in weaker if man != "P"] == ["K", "R"]
        assert meant[row] == int(expected["score_white"][row] / 2)


def _men(board: chess.Board, colour: chess.Color) -> list[str]:
    return sorted(str(man).upper() for man in board.piece_map().values() if man.color == colour)


# --- the trace of the linear part ----------------------------------------------------------------------

MOBILITY = tuple(f"{kind}_mobility_plain" for kind in ("knight", "bishop", "rook", "queen"))
LITERALS = (
    "knight_by_own_pawns",
    "rook_by_own_pawns",
    "doubled_pawn_pairs",
    "weak_open_pawn",
    "early_queen",
)
"""Terms whose weights are literal numbers in the engine's code."""
NAMED = {
    "mat_P": "material_pawn",
    "mat_N": "material_knight",
    "mat_B": "material_bishop",
    "mat_R": "material_rook",
    "mat_Q": "material_queen",
    "ROOK_OPEN": "rook_open_ahead",
    "ROOK_HALF": "rook_half_open_ahead",
    "TEMPO": "tempo",
    "BISHOP_PAIR": "bishop_pair",
    "P_KNIGHT_PAIR": "knight_pair",
    "P_ROOK_PAIR": "rook_pair",
    "P_KNIGHT_TRAPPED_A8": "knight_trapped_in_corner",
    "P_KNIGHT_TRAPPED_A7": "knight_trapped_on_seventh",
    "P_C3_KNIGHT": "knight_blocks_c_pawn",
    "P_BISHOP_TRAPPED_A7": "bishop_trapped_on_seventh",
    "P_BISHOP_TRAPPED_A6": "bishop_trapped_on_sixth",
    "RETURNING_BISHOP": "returning_bishop",
    "P_BLOCK_CENTRAL_PAWN": "blocked_central_pawn",
    "P_KING_BLOCKS_ROOK": "king_blocks_rook",
}
"""The engine's name of a weight, and our term; a P_ is subtracted in the engine."""
TABLES = {
    "passed_pawn": "cpw_passed_pawn",
    "protected_passer": "cpw_protected_passer",
    "weak_pawn": "weak_pawn",
}


def weighted(counts: np.ndarray, terms: tuple[str, ...], phase: int) -> int:
    """Σ count·weight of some terms."""
    columns = np.concatenate([np.arange(len(cpw().layout))[cpw().layout.columns_of(term)] for term in terms])
    return int(counts[columns] @ cpw().start.values[columns, phase])


def traced(white: np.ndarray, black: np.ndarray, phase: int | None) -> dict[str, int]:
    """What the engine's trace shows: counts by its own names, `_num` for literal numbers."""
    both, layout, out = white - black, cpw().layout, {}
    for name, term in NAMED.items():
        tapered = layout.taper_of[term] == "tapered"
        if tapered == (phase is not None):
            out[name] = int(both[layout.columns_of(term)].sum()) * (-1 if name.startswith("P_") else 1)
    if phase is not None:
        return {**out, "_num": weighted(both, MOBILITY, phase)}
    for name, term in TABLES.items():
        for colour, side, sign in (("white", white, 1), ("black", black, -1)):
            for column in np.flatnonzero(side[layout.columns_of(term)]):
                square = chess.parse_square(cpw().layout.names[layout.columns_of(term).start + column][1])
                seen = square if colour == "white" else chess.square_mirror(square)
                out[f"{name}[{colour}][{chess.square_name(seen)}]"] = sign
    return {**out, "_num": weighted(both, LITERALS, 0)}


@pytest.mark.parametrize("name", of_concept("cpw.trace"))
def test_the_trace_equals_the_engine(name: str) -> None:
    expected = vectors()[name]["expected"]
    positions = Positions.from_boards([chess.Board(vectors()[name]["fen"])])
    white, black = cpw().counts(positions, 0)
    for key, phase in (("mg", 0), ("eg", 1), ("flat(phase-independent)", None)):
        found = {name: n for name, n in traced(white, black, phase).items() if n}
        assert found == {name: n for name, n in expected[key].items() if n}
    assert cpw().phases(positions)[0] == expected["phase"]


def table_of_attacks(**options: object) -> object:
    family = VOCABULARY["king_attack_table"]
    assert isinstance(family, Family)
    return family.with_options(options)


@pytest.mark.parametrize("name", of_concept("cpw.trace"))
def test_raw_attack_units_equal_the_engine(name: str) -> None:
    """The engine counts first, and later forgets the units of a lone attacker or without a queen."""
    board = chess.Board(vectors()[name]["fen"])
    raw = table_of_attacks(attackers=1, needs_queen=False)
    expected = vectors()[name]["expected"]["king_attack(ring+3_front zone)"]
    white, black = sides(Positions.from_boards([board]), 0)
    assert raw.rule(white) == expected["weight"]["white"]
    assert raw.rule(black) == expected["weight"]["black"]
    kept = table_of_attacks()
    for us, colour in ((white, "white"), (black, "black")):
        in_force = expected["count"][colour] >= 2 and us.queens
        assert kept.rule(us) == (expected["weight"][colour] if in_force else 0)


# --- constants and options ------------------------------------------------------------------------------


def test_tables_are_those_of_the_page() -> None:
    expected = vectors()["v083"]["expected"]
    assert cpw().start.of_term("king_attack_table")[:, 0].tolist() == expected["SafetyTable"]
    assert cpw().start.of_term("knight_by_own_pawns")[:, 0].tolist() == expected["knight_adj"]
    assert cpw().start.of_term("rook_by_own_pawns")[:, 0].tolist() == expected["rook_adj"]


def test_constants_are_those_of_the_page() -> None:
    expected = vectors()["v084"]["expected"]
    for letter, kind in (("N", "knight"), ("B", "bishop"), ("R", "rook"), ("Q", "queen")):
        line, weights = expected["mobility"][letter], cpw().start.of_term(f"{kind}_mobility_plain")
        for phase, key in enumerate(("mg", "eg")):
            assert np.diff(weights[:, phase]).tolist() == [line[key]] * (len(weights) - 1)
            assert weights[line["zero_at"], phase] == 0
    assert cpw().start["doubled_pawn_pairs", ""][0] == expected["doubled_per_own_pawn_ahead"]
    assert cpw().start["weak_open_pawn", ""][0] == expected["weak_unopposed_extra"]
    assert cpw().start["early_queen", ""][0] == expected["early_queen_per_home_minor"]
    units = {"N": "knight", "B": "bishop", "R": "rook", "Q": "queen"}
    defaults = VOCABULARY["king_attack_table"].options
    assert {letter: defaults[kind] for letter, kind in units.items()} == expected["attack_weight"]
    assert defaults["attackers"] == expected["min_attackers"]
    phase = dict(zip("PNBRQK", cpw().phase.weights, strict=True))
    assert {key: expected["phase"][key] for key in "NBRQ"} == {key: phase[key] for key in "NBRQ"}
    assert cpw().phase.maximum == expected["phase"]["max"]


def test_a_longer_table_holds_the_index_the_engine_reads_past_its_end() -> None:
    example = vectors()["v105"]
    white, _ = sides(Positions.from_boards([chess.Board(example["fen"])]), 0)
    assert table_of_attacks(columns=120).rule(white) == example["expected"]["attack_weight_white"]
    evaluation = load_evaluation("cpw")
    counts = evaluation.counts(Positions.from_boards([chess.Board(example["fen"])]), 0)[0]
    assert counts[evaluation.layout["king_attack_table", "99"]] == 1


CASES = vectors()["v106"]["expected"]["cases"]


@pytest.mark.parametrize("case", CASES, ids=[f"{case['strong']} v {case['weak']}" for case in CASES])
@pytest.mark.parametrize("colour", [chess.WHITE, chess.BLACK], ids=["white", "black"])
def test_the_low_material_rule(case: dict[str, str], colour: bool) -> None:
    board = chess.Board(None)
    squares = iter(["h1", "c1", "d1", "e1"])
    for letter in case["strong"]:
        board.set_piece_at(chess.parse_square(next(squares)), chess.Piece.from_symbol(letter))
    squares = iter(["a8", "f6"])
    for letter in case["weak"]:
        board.set_piece_at(chess.parse_square(next(squares)), chess.Piece.from_symbol(letter.lower()))
    positions = Positions.from_boards([board if colour else board.mirror()])
    expected = {"half": 0.5, "full": 1.0, 0: 0.0}
    ahead = 0 if colour else 1
    assert cpw().extract(positions).factors[0, ahead] == expected[case["code"]]
    meant = cpw().scaling[0].with_factors({"rook and minor v rook": 0.5})
    wanted = case["code"] if case["intended"] is None else case["intended"]
    assert factors_of(positions, [meant])[0, ahead] == expected[wanted]


# --- the arithmetic -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dividend", "quotient"), [(7, 3), (-7, -3), (6, 3), (-6, -3), (1, 0), (-1, 0), (0, 0)]
)
def test_division_truncates_toward_zero(dividend: int, quotient: int) -> None:
    assert truncated(dividend, 2) == quotient


def test_scores_change_sign_with_the_colours() -> None:
    positions, _ = golden()
    few = positions.select(slice(0, 300))
    mirrored = Positions.from_boards([few.board(row).mirror() for row in range(300)])
    assert np.array_equal(integer_scores(cpw(), mirrored), -integer_scores(cpw(), few))


def test_floats_differ_from_integers_by_the_truncation_only() -> None:
    positions, expected = golden()
    assert np.abs(cpw().score(positions) - expected["score_white"]).max() < 1


def test_unrounded_weights_are_refused() -> None:
    values = cpw().start.values.copy()
    values[cpw().layout["psqt_king", "g1"], 1] += 0.25
    positions = golden()[0].select(slice(0, 2))
    with pytest.raises(InputError, match=r"eg of psqt_king\[g1\] is -47\.75; round the weights first"):
        integer_scores(cpw(), positions, Weights(cpw().layout, values))


def test_a_broken_phase_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "half.toml"
    path.write_text('[phase]\nknight = 0.5\n[[term]]\nname = "tempo"\nmg = 3\neg = 3\n')
    with pytest.raises(InputError, match="needs integer phase weights, not those of half"):
        integer_scores(load_evaluation(path), golden()[0].select(slice(0, 2)))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("options = { pawn = 2 }", "no option of the term king_attack_table is called 'pawn'"),
        ("options = { knight = 2.5 }", "option knight of the term king_attack_table is 2.5; expected int"),
        ("options = { knight = true }", "option knight of the term king_attack_table is True; expected int"),
    ],
)
def test_mistakes_in_options_are_one_clear_sentence(line: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(f'[[term]]\nname = "king_attack_table"\n{line}\n')
    with pytest.raises(FormatError) as caught:
        load_evaluation(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert complaint in str(caught.value)
