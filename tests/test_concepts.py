"""Pawn concepts against worked examples: boards with the squares, counts and tables they should give.

`data/concepts.json` holds the examples by number, most of them from the diagrams and texts of the
Chess Programming Wiki and of computer-chess-club posts, computed independently of this code.
"""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from oracles.boards import varied_boards

from evalcore import bitboards as b
from evalcore.bitboards import Bitboard
from evalcore.compiled import kernel
from evalcore.forms import BY_CENTER_DISTANCE, BY_CENTER_MANHATTAN
from evalcore.positions import Positions
from evalcore.side import Side, sides
from evalcore.terms import TERMS, backward, chains, doubled, duos, holes, isolated, spans
from evalcore.terms.squares import distance, moves_apart

EXAMPLES: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "concepts.json").read_text(encoding="utf-8")
)


@cache
def views(number: str) -> tuple[Side, Side]:
    """White's and Black's view of an example."""
    example = EXAMPLES[number]
    board = chess.Board(None)
    if "fen" in example:
        board.set_board_fen(example["fen"].split()[0])
    for colour, men in ((chess.WHITE, "white_pawns"), (chess.BLACK, "black_pawns")):
        for name in example.get(men, []):
            board.set_piece_at(chess.parse_square(name), chess.Piece(chess.PAWN, colour))
    return sides(Positions.from_boards([board]), 0)


def white(number: str) -> Side:
    return views(number)[0]


def expected(number: str) -> Any:
    return EXAMPLES[number]["expected"]


def names(squares: Bitboard) -> set[str]:
    return {chess.square_name(square) for square in chess.SquareSet(squares)}


def black_names(squares: Bitboard) -> set[str]:
    """Names of squares in Black's view, as White reads them."""
    return names(chess.flip_vertical(squares))


def found(term: str, number: str) -> set[str]:
    """The squares a term marks for White."""
    return names(TERMS[term].rule(white(number)))


def found_of_both(term: str, number: str) -> set[str]:
    ours, theirs = (TERMS[term].rule(us) for us in views(number))
    return names(ours) | black_names(theirs)


def check(sets: dict[str, Bitboard], wanted: dict[str, Iterable[str]]) -> None:
    assert {key: names(squares) for key, squares in sets.items()} == {key: set(wanted[key]) for key in sets}


def test_every_example_is_tried() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    assert [number for number in EXAMPLES if f'"{number}"' not in source] == []


# --- spans --------------------------------------------------------------------------------------------


def test_attack_spans_of_white() -> None:
    pawns = white("v001").pawns
    sets = {
        "attack_frontspan": b.attack_spans(pawns),
        "east_frontspan": spans.east_attack_spans(pawns),
        "west_frontspan": spans.west_attack_spans(pawns),
        "attack_rearspan": spans.rear_attack_spans(pawns),
        "east_rearspan": spans.east_rear_attack_spans(pawns),
        "west_rearspan": spans.west_rear_attack_spans(pawns),
        "attack_filefill": spans.attack_file_fill(pawns),
    }
    assert set(sets) == set(expected("v001"))
    check(sets, expected("v001"))


def test_attack_spans_of_black() -> None:
    seen_by_black = views("v002")[1].pawns
    wanted = expected("v002")
    assert names(b.attack_spans_of_enemy(white("v002").their_pawns)) == set(wanted["attack_frontspan"])
    assert black_names(b.attack_spans(seen_by_black)) == set(wanted["attack_frontspan"])
    assert black_names(spans.rear_attack_spans(seen_by_black)) == set(wanted["attack_rearspan"])
    assert black_names(spans.attack_file_fill(seen_by_black)) == set(wanted["attack_filefill"])


def test_a_file() -> None:
    assert names(b.file_fill(b.bit(chess.D4))) == set(expected("v036")["arrFiles[d*]"])


def test_the_span_of_a_passed_pawn_takes_three_files() -> None:
    pawns = white("v050").pawns
    both = b.front_spans(pawns) | b.attack_spans(pawns)
    assert names(both) == set(expected("v050")["arrFrontSpans[white][d4]"])


# --- backward pawns -----------------------------------------------------------------------------------


def test_telestop_weakness() -> None:
    us, wanted = white("v003"), expected("v003")
    dominated = backward.dominated_squares(us.pawns, us.their_pawns)
    sets = {
        "white_pawns": us.pawns,
        "black_pawns": us.their_pawns,
        "not_white_attack_frontspans": b.complement(b.attack_spans(us.pawns)),
        "black_attacks": us.their_pawn_attacks,
        "stops_dominated_by_black": dominated,
        "white_backward_area": b.south_fill(dominated),
    }
    check(sets, wanted)
    assert found("telestop_weak_pawn", "v003") == set(wanted["backward_telestop"])
    assert found("backward_pawn", "v003") == set(wanted["backward_simple(wBackward)"]) == set()
    assert found("straggler", "v003") == set(wanted["straggler"]) == set()


def test_the_second_pass_finds_pawns_that_trusted_in_vain() -> None:
    us, them = views("v004")
    wanted = expected("v004")
    first, added = TERMS["backward_pawn"].rule, TERMS["backward_pawn_second_pass"].rule
    assert names(first(us)) == set(wanted["white_pass1"])
    assert names(added(us)) == set(wanted["white_added_by_pass2"])
    assert names(first(us) | added(us)) == set(wanted["white_pass2"])
    assert black_names(first(them)) == set(wanted["black_pass1"])
    assert black_names(added(them)) == set(wanted["black_added_by_pass2"])
    assert black_names(first(them) | added(them)) == set(wanted["black_pass2"])


def test_the_knight_rule_contradicts_the_second_pass() -> None:
    """c4 and b6, a4 and b2 are a knight's move apart; the more advanced ones are those of the second pass."""
    kept = found("backward_pawn_knight_rule", "v004")
    assert kept & {"c4"} == set()
    assert found("backward_pawn_second_pass", "v004") == {"c4"}


@pytest.mark.parametrize("number", ["v005", "v006"])
def test_a_push_into_a_lost_exchange(number: str) -> None:
    _, black = views(number)
    wanted = expected(number)
    assert black_names(TERMS["backward_by_exchange"].rule(black)) == set(wanted["black_backward_by_see"])
    assert black_names(TERMS["backward_pawn"].rule(black)) == set(wanted["black_backward_simple"])


def test_straggler() -> None:
    wanted = expected("v045")
    assert found("backward_pawn", "v045") == set(wanted["backward"])
    assert found("straggler", "v045") == set(wanted["straggler"])
    assert set(wanted["open"]) <= found("open_pawn", "v045")


# --- would-be passed pawns ----------------------------------------------------------------------------


def named_bit(name: str) -> Bitboard:
    return b.bit(chess.parse_square(name))


def helpers_and_sentries(number: str, name: str) -> tuple[set[str], set[str]]:
    """Of White's or Black's pawn on a square."""
    square = named_bit(name)
    ours, theirs = views(number)
    if square & ours.pawns:
        return names(spans.helpers(square, ours.pawns)), names(spans.sentries(square, ours.their_pawns))
    square = b.flip(square)
    return (
        black_names(spans.helpers(square, theirs.pawns)),
        black_names(spans.sentries(square, theirs.their_pawns)),
    )


@pytest.mark.parametrize("number", ["v011", "v012"])
def test_helpers_and_sentries(number: str) -> None:
    wanted = expected(number)
    for name in wanted["helpers"]:
        found_ones = helpers_and_sentries(number, name)
        assert found_ones == (set(wanted["helpers"][name]), set(wanted["sentries"][name]))


def test_candidates_and_fakers() -> None:
    assert found_of_both("candidate_pawn", "v011") == set(expected("v011")["candidates"])
    assert found_of_both("faker", "v012") == set(expected("v012")["fakers_by_formal_count"])
    assert found_of_both("faker", "v012") > set(expected("v012")["fakers_named_by_text"])


def test_candidates_on_the_fifth_rank() -> None:
    assert found("candidate_pawn_on_fifth", "v013") == set(expected("v013")["wCandidatesOn5th"])
    assert found("candidate_pawn", "v013") == set(expected("v013")["wCandidatesOn5th"])


@pytest.mark.parametrize("number", ["v014", "v015", "v016", "v017"])
def test_helpers_that_are_held_themselves(number: str) -> None:
    wanted = expected(number)
    assert ("d4" in found("candidate_pawn_recursive", number)) == (wanted["d4"] == "candidate")
    assert ("d4" in found("candidate_pawn", number)) == (wanted["d4_nonrecursive_count"] == "candidate")
    assert ("d4" in found("faker", number)) == (wanted["d4_nonrecursive_count"] == "faker")


@pytest.mark.parametrize("number", ["v019", "v020"])
def test_control_of_the_path(number: str) -> None:
    wanted = expected(number)
    assert ("b5" in found("candidate_pawn_by_path", number)) == wanted["b5_is_candidate_by_path_control"]
    assert ("b5" in found("candidate_pawn", number)) == (wanted["b5_by_sentry_helper_count"] == "candidate")


def test_a_faker_between_two_sentries() -> None:
    wanted = expected("v024")
    assert found("faker", "v024") == set(wanted["faker"])
    assert helpers_and_sentries("v024", "c4") == (set(wanted["helpers"]), set(wanted["sentries"]))
    assert found("hole_between_sentries", "v024") == {"c5"}


def test_candidates_of_both_sides() -> None:
    wanted = expected("v025")
    ours, theirs = views("v025")
    assert names(TERMS["candidate_pawn"].rule(ours)) == set(wanted["white_candidates"])
    assert black_names(TERMS["candidate_pawn"].rule(theirs)) == set(wanted["black_candidates"])


@pytest.mark.parametrize("number", ["v023", "v026", "v027"])
def test_pawns_named_in_the_discussions(number: str) -> None:
    for name, kind in expected(number).items():
        assert (name in found_of_both("candidate_pawn", number)) == (kind == "candidate")
        assert (name in found_of_both("faker", number)) == (kind == "faker")


def test_a_helper_that_is_a_passer_counts_once() -> None:
    wanted = expected("v028")
    assert (wanted["c4"], wanted["b4_by_count"], wanted["b4_should_not_score"]) == (
        "passed",
        "candidate",
        True,
    )
    assert "c4" in found("passed_pawn", "v028")
    assert "b4" in found("candidate_pawn", "v028")
    assert "b4" not in found("candidate_pawn_without_passer", "v028")


# --- sneakers -----------------------------------------------------------------------------------------


def test_sneaker() -> None:
    wanted = expected("v018")
    assert found("sneaker", "v018") == set(wanted["sneakers"])
    assert found("faker", "v018") == set(wanted["faker"])
    assert b.popcount(b.front_spans(named_bit("c6"))) == wanted["sneaker_frontspan_len"]
    offered = b.front_spans_of_enemy(named_bit("b6"))
    assert b.popcount(offered) == wanted["black_passer_b6_frontspan_len"]


def test_hidden_passed_pawns() -> None:
    assert found("sneaker", "v021") == set(expected("v021")["hidden_passed"])
    assert found("backward_pawn", "v021") == set(expected("v021")["backward"])
    assert found("faker", "v021") == set(expected("v021")["faker"])
    assert found("sneaker", "v022") == set(expected("v022")["sneakers"])
    assert found("faker", "v022") == set(expected("v022")["fakers"])
    assert found("sneaker", "v029") == set(expected("v029")["sneakers"])
    assert set(expected("v029")["advanced_backward"]) <= found("backward_pawn", "v029")


# --- chains, rows, islands ----------------------------------------------------------------------------


def test_chains() -> None:
    us, wanted = white("v032"), expected("v032")
    pawns = us.pawns
    from_west, from_east = chains.defended_from_west(pawns), chains.defended_from_east(pawns)
    of_west, of_east = chains.defenders_from_west(pawns), chains.defenders_from_east(pawns)
    sets = {
        "defended_from_west": from_west,
        "defended_from_east": from_east,
        "defenders_from_west": of_west,
        "defenders_from_east": of_east,
        "defended_defenders_west": from_west & of_west,
        "defended_defenders_east": from_east & of_east,
        "base_west(not_defended_defenders)": of_west & b.complement(from_west),
        "base_east": of_east & b.complement(from_east),
        "peak_west(not_defending_defended)": from_west & b.complement(of_west),
        "peak_east": from_east & b.complement(of_east),
    }
    assert set(sets) == set(wanted)
    check(sets, wanted)
    assert (of_west, of_east) == (from_west >> 9, from_east >> 7)
    assert found("inner_chain_pawn", "v032") == {"d5"}
    assert found("chain_base", "v032") == found("undefended_chain_base", "v032") == {"c4", "h4"}
    assert found("chain_peak", "v032") == found("undefending_chain_peak", "v032") == {"e6", "g5"}


def test_neighbours() -> None:
    pawns = white("v039").pawns
    east, west = duos.with_east_neighbour(pawns), duos.with_west_neighbour(pawns)
    check(
        {"with_east_neighbor": east, "with_west_neighbor": west, "with_both": east & west}, expected("v039")
    )
    one = east ^ west
    check({"excl_east": east & one, "excl_west": west & one}, expected("v040"))
    assert found("duo", "v040") == set(expected("v040")["duo"])


@pytest.mark.parametrize("term", ["duo", "trio", "quart"])
def test_rows(term: str) -> None:
    assert found(term, "v041") == set(expected("v041")[term])


def pawns_in_islands(pawns: int, islands: int) -> Side:
    """Own pawns on every other file, the rest of them stacked on the h-file or joined to the last island."""
    starts = [chess.square(2 * island, 1) for island in range(islands)]
    rest = [chess.square(2 * islands - 2, rank) for rank in range(2, 7)]
    rest += [chess.square(min(2 * islands - 1, 7), rank) for rank in range(1, 7)]
    placed = sum(1 << square for square in (starts + rest)[:pawns])
    return white("v001")._replace(pawns=placed)


def test_the_table_of_dispersion() -> None:
    wanted = expected("v033")
    for pawns, row in enumerate(wanted["rows_by_pawn_count_1..8_cols_islands_1..4"], 1):
        for islands, value in enumerate(row, 1):
            if value is not None:
                us = pawns_in_islands(pawns, islands)
                assert TERMS["pawn_island"].rule(us) == islands
                assert TERMS["pawn_dispersion"].rule(us) == value
                label = TERMS["islands_and_pawns"].labels[TERMS["islands_and_pawns"].rule(us)]
                assert label == f"{islands} islands, {pawns} pawns"
    assert wanted["3ni^2"] == [3 * n * n for n in range(1, 5)]


def test_distortion() -> None:
    us, wanted = white("v034"), expected("v034")
    fill = b.south_fill(us.pawns)
    shifted = (fill << 1) & b.ALL
    sets = {"rear_fill": fill, "xor_not_a_file": (fill ^ shifted) & b.NOT_A}
    check(sets, wanted)
    assert names(shifted) - names(b.FILE_A) == set(wanted["rear_fill_shl1"]) - names(b.FILE_A)
    assert TERMS["pawn_distortion"].rule(us) == wanted["distortion"]
    assert TERMS["pawn_reverse_distortion"].rule(us) == 26
    assert TERMS["pawn_distortion"].rule(white("v035")) == expected("v035")["distortion"]


# --- doubled, isolated, majorities, holes -------------------------------------------------------------


def test_berliners_kinds_of_doubled_pawns() -> None:
    wanted = expected("v037")
    pawns = white("v037").pawns
    check(
        {"doubled_rear": doubled.behind_own(pawns), "doubled_front": doubled.in_front_of_own(pawns)}, wanted
    )
    terms = ("doubled_pawn_with_support", "doubled_pawn_without_support", "doubled_pawn_held")
    assert [found(term, "v037") for term in terms] == [{"b2"}, {"f2"}, {"h2"}]
    assert wanted["best_to_worst_files"] == ["b", "f", "h"]


def test_crippled_majority() -> None:
    wanted = expected("v038")
    us, them = views("v038")
    assert wanted["white_kingside_majority_crippled"] and not wanted["black_queenside_has_majority"]
    for majority, crippled in (
        ("pawn_majority", "crippled_majority"),
        ("outer_pawn_majority", "crippled_outer_majority"),
    ):
        assert names(TERMS[majority].rule(us)) == names(TERMS[crippled].rule(us)) == {"h1"}
        assert TERMS[majority].rule(them) == TERMS[crippled].rule(them) == 0


def test_hanging_pawns() -> None:
    us, wanted = white("v042"), expected("v042")
    assert found("hanging_pawn", "v042") == set(wanted["hanging"])
    assert found("half_isolated_pawn", "v042") == set(wanted["half_isolated"])
    assert found("isolated_pawn", "v042") == set(wanted["isolated"])
    assert found("open_pawn", "v042") == set(wanted["open"])
    assert found("duo", "v042") & found("open_pawn", "v042") == set(wanted["duos"])
    half_open = b.file_fill(us.pawns) & b.complement(b.file_fill(us.their_pawns))
    assert {name[0] for name in names(half_open)} == set(wanted["black_half_open_files"])


def test_holes() -> None:
    pawns, wanted = white("v043").pawns, expected("v043")
    check(
        {
            "holes_in_extended_center_rank3_4": holes.central_holes(pawns),
            "holes_rank3_4_all_files": holes.holes(pawns),
        },
        wanted,
    )
    assert wanted["hole"] in found("hole_without_pawn", "v043")
    assert found("hole", "v043") - found("hole_without_pawn", "v043") == {"d3"}
    assert found("pawn_triangle", "v043") == {"d3"}


def test_half_isolated_in_both_senses() -> None:
    pawns, wanted = white("v044").pawns, expected("v044")
    check({"half_isolated_xor": isolated.half_isolated(pawns), "isolated": isolated.isolated(pawns)}, wanted)
    assert found("half_isolated_pawn", "v044") == set(wanted["half_isolated_xor"])
    assert found("pawn_lacking_a_neighbour", "v044") == set(wanted["literal_or_wording"])


# --- passed pawns -------------------------------------------------------------------------------------


def test_connected_passed_pawns() -> None:
    wanted = expected("v046")
    assert found("passed_pawn", "v046") == set(wanted["passed"])
    assert found("connected_passed_pawn", "v046") == set(wanted["connected"])
    assert found("foremost_connected_passed_pawn", "v046") == {"b5", "d5", "e5"}
    assert found("passed_pawn_with_neighbour", "v046") == set(wanted["passed"])


def test_passed_pawns() -> None:
    us, them = views("v051")
    assert names(TERMS["passed_pawn"].rule(us)) == set(expected("v051")["white_passed"])
    assert black_names(TERMS["passed_pawn"].rule(them)) == set(expected("v051")["black_passed"])


def test_doubled_passed_pawns_in_both_senses() -> None:
    assert found("passed_pawn", "v052") == set(expected("v052")["setwise_passers"])
    assert found("foremost_passed_pawn", "v052") == set(expected("v052")["cpw_engine_passers"])


# --- the centre ---------------------------------------------------------------------------------------


def test_center_distance() -> None:
    wanted = expected("v048")
    assert list(BY_CENTER_DISTANCE.table or ()) == wanted["array64"]
    registers = [int(wanted[bit], 16) for bit in ("bit0", "bit1")]
    assert [2 * (registers[1] >> s & 1) + (registers[0] >> s & 1) for s in range(64)] == wanted["array64"]


def test_center_manhattan_distance() -> None:
    wanted = expected("v049")
    assert list(BY_CENTER_MANHATTAN.table or ()) == wanted["array64"]
    assert len(BY_CENTER_MANHATTAN.labels) == wanted["max"] + 1


def fewest_moves(board: chess.Board, start: chess.Square, target: chess.Square) -> int:
    """Of the piece on a square, by making all its moves again and again; -1 if it never gets there."""
    piece = board.remove_piece_at(start)
    assert piece is not None
    distance, reached, frontier = 0, {start}, {start}
    while frontier:
        if target in frontier:
            return distance
        distance += 1
        found = set()
        for square in frontier:
            there = board.copy(stack=False)
            there.set_piece_at(square, piece)
            found |= {to for to in there.attacks(square) if to == target or board.piece_at(to) is None}
        frontier = found - reached
        reached |= frontier
    return -1


@kernel
def compiled_moves_apart(piece: int, start: int, target: int, men: Any) -> int:
    return moves_apart(piece, start, target, men[0])


def test_moves_apart() -> None:
    kinds = {chess.KNIGHT: 1, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 4, chess.KING: 5}
    tried = set()
    for number, board in enumerate(varied_boards()[::8]):
        for start, piece in board.piece_map().items():
            if piece.piece_type != chess.PAWN:
                target = (7 * start + 11 * number) % 64
                expected_moves = fewest_moves(board.copy(stack=False), start, target)
                kind, men = kinds[piece.piece_type], np.array([board.occupied], np.uint64)
                found_moves = moves_apart(kind, start, target, board.occupied)
                assert found_moves == expected_moves, (board.fen(), start, target)
                assert compiled_moves_apart(kind, start, target, men) == expected_moves
                tried.add(expected_moves)
    assert tried >= {-1, 0, 1, 2, 3, 4, 5}


def test_distance() -> None:
    pairs = [(one, other) for one in chess.SQUARES for other in chess.SQUARES]
    assert all(distance(*pair) == chess.square_distance(*pair) for pair in pairs)


# --- races --------------------------------------------------------------------------------------------


@cache
def is_caught(king: chess.Square, rank: int, pawn_to_move: bool) -> bool:
    """Whether a lone king catches a d-pawn that only runs: both sides tried out, no rule of the square."""
    pawn = chess.square(3, rank)
    if not pawn_to_move and chess.square_distance(king, pawn) == 1:
        return True
    if rank == 7:
        return False
    if pawn_to_move:
        steps = [1, 2] if rank == 1 and king != pawn + 8 else [1]
        return all(is_caught(king, rank + step, False) for step in steps if king != pawn + 8 * step)
    guarded = chess.BB_PAWN_ATTACKS[chess.WHITE][pawn]
    moves = chess.SquareSet(chess.BB_KING_ATTACKS[king] & ~guarded)
    return any(is_caught(to, rank, True) for to in moves)


@pytest.mark.parametrize("turn", chess.COLORS)
@pytest.mark.parametrize("rank", range(1, 7))
def test_the_rule_of_the_square(rank: int, turn: chess.Color) -> None:
    pawn = chess.square(3, rank)
    for king in set(chess.SQUARES) - {pawn}:
        if turn == chess.WHITE and chess.BB_PAWN_ATTACKS[chess.WHITE][pawn] >> king & 1:
            continue
        board = chess.Board(None)
        board.set_piece_at(pawn, chess.Piece(chess.PAWN, chess.WHITE))
        board.set_piece_at(king, chess.Piece(chess.KING, chess.BLACK))
        board.turn = turn
        us = sides(Positions.from_boards([board]), 0)[0]
        runs = TERMS["unstoppable_passed_pawn"].rule(us) != 0
        assert runs != is_caught(king, rank, turn == chess.WHITE), board.board_fen()
