"""The FEN parser and writer against python-chess: on real positions, on damaged ones, on random boards."""

from __future__ import annotations

from pathlib import Path

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore import faults as fault
from evalcore.errors import InputError
from evalcore.faults import FAULTS, fault_text
from evalcore.fen import format_fens, parse_fen, parse_fens, parse_spans
from evalcore.legality import check_boards
from evalcore.positions import BOARD_COLUMNS, Positions

DATA = Path(__file__).parent / "data"
REAL = [line.split(" [")[0] for line in (DATA / "formats" / "ethereal.fens").read_text().splitlines()]
HARD = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/pppp1ppp/8/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6 0 3",
    "8/8/8/K2pP2r/8/8/8/7k w - d6 0 2",  # the capture would open the rank to the rook
    "8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1",
    "2nkn3/2p1p3/8/8/8/6r1/7r/RR3K2 w B - 0 1",
    "2nkn3/2p1p3/8/8/8/6r1/7r/RR3K2 w Q - 0 1",
    "bnrkrqnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKRQNB w ECec - 0 1",
    "4k3/8/8/8/6R1/8/8/4K2R w K - 0 1",
    "8/8/8/4k3/5P2/8/8/4K3 b - f3 12 345",
]
COLUMNS = list(BOARD_COLUMNS)


def oracle(text: str) -> chess.Board | None:
    """The board python-chess makes of a text of four to six fields, None where it refuses."""
    fields = text.split()
    if not 4 <= len(fields) <= 6 or not all(field.isdigit() for field in fields[4:]):
        return None  # python-chess takes "-0" for a number
    board = chess.Board(None, chess960=True)
    try:
        board.set_fen(text)
    except ValueError:
        return None
    return board if board.status() == chess.STATUS_VALID else None


def ours(text: str) -> Positions | None:
    try:
        return parse_fen(text)
    except InputError as error:
        assert "\n" not in str(error)
        return None


def assert_same_boards(found: Positions, boards: list[chess.Board]) -> None:
    expected = Positions.from_boards(boards)
    for name in COLUMNS:
        assert np.array_equal(getattr(found, name), getattr(expected, name)), name


def test_real_positions_in_every_column() -> None:
    assert_same_boards(parse_fens(REAL + HARD), [chess.Board(fen, chess960=True) for fen in REAL + HARD])


def test_real_public_positions(reference_data: Path) -> None:
    fens = (reference_data / "public" / "fen" / "valid.sfens").read_text().splitlines()
    assert_same_boards(parse_fens(fens), [chess.Board(fen, chess960=True) for fen in fens])


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["replace", "insert", "delete"]),
        st.integers(0, 90),
        st.sampled_from("pnbrqkPNBRQK12345678/  wb-KQkqABCDEFGHacdefgh036x"),
    ),
    min_size=1,
    max_size=4,
)


def edited(text: str, edits: list[tuple[str, int, str]]) -> str:
    for kind, place, letter in edits:
        at = place % (len(text) + 1)
        text = text[:at] + ("" if kind == "delete" else letter) + text[at + (kind != "insert") :]
    return text


def is_documented_difference(text: str) -> bool:
    """What python-chess refuses or reads otherwise, on purpose.

    Castling letters may come in any order and name a rook twice.
    """
    castling = text.split()[2] if len(text.split()) > 2 else "-"
    halves = castling.lstrip("KQABCDEFGH")
    few = len(castling) - len(halves) <= 2 and len(halves) <= 2
    ordered = castling == "-" or (few and not halves.lstrip("kqabcdefgh"))
    return not ordered


def drops_rights(board: chess.Board, text: str) -> bool:
    """python-chess takes K and Q for nothing where a side has no rook at home; here it is a fault."""
    letters = text.split()[2].replace("-", "")
    return chess.popcount(board.castling_rights) < len(letters)


@settings(max_examples=1500, deadline=None)
@given(st.sampled_from(REAL[::7] + HARD), EDITS)
def test_damaged_positions_are_judged_alike(fen: str, edits: list[tuple[str, int, str]]) -> None:
    text = edited(fen, edits)
    if is_documented_difference(text):
        ours(text)
        return
    board, found = oracle(text), ours(text)
    if board is not None and drops_rights(board, text):
        return
    assert (board is None) == (found is None), text
    if board is not None and found is not None:
        assert_same_boards(found, [board])


@st.composite
def random_boards(draw: st.DrawFn) -> chess.Board:
    """A few men anywhere, any side to move, an en-passant square or a castling field now and then."""
    men = draw(st.lists(st.sampled_from("PpNnBbRrQqPpRr"), max_size=8))
    squares = draw(st.permutations(range(64)))
    board = chess.Board(None, chess960=True)
    for square, letter in zip(squares, ["K", "k", *men], strict=False):
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.turn = draw(st.booleans())
    if draw(st.booleans()):
        file = draw(st.integers(0, 7))
        board.ep_square = chess.square(file, 5 if board.turn else 2)
        pushed = board.ep_square + (-8 if board.turn else 8)
        board.set_piece_at(pushed, chess.Piece(chess.PAWN, not board.turn))
        for neighbour in draw(st.sets(st.sampled_from([-1, 1]))):
            if 0 <= file + neighbour < 8:
                board.set_piece_at(pushed + neighbour, chess.Piece(chess.PAWN, board.turn))
    return board


@settings(max_examples=1500, deadline=None)
@given(random_boards())
def test_random_boards_are_judged_alike(board: chess.Board) -> None:
    text = board.fen(en_passant="fen")
    legal = board.status() == chess.STATUS_VALID
    found = ours(text)
    assert (found is not None) == legal, text
    if found is not None:
        assert_same_boards(found, [board])
    columns = Positions.from_boards([board]).replace(
        ep_square=[-1 if board.ep_square is None else board.ep_square]
    )
    checked, faults = check_boards(columns)
    assert (faults[0] == 0) == legal, fault_text(int(faults[0]))
    if found is not None:
        assert checked.ep_square[0] == found.ep_square[0]


def test_all_faults_of_a_text_are_named_at_once() -> None:
    with pytest.raises(InputError) as caught:
        parse_fen("P7/8/8/8/8/8/8/KK6 x KQ e4 0 1")
    for mask in (
        fault.NO_BLACK_KING,
        fault.WHITE_KINGS,
        fault.PAWN_RANKS,
        fault.BAD_SIDE,
        fault.CASTLING_RIGHT,
        fault.BAD_EN_PASSANT,
    ):
        assert fault_text(mask) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8/8/8/8/8/6k1/6p1/4K3 w -", "the en-passant field is missing"),
        ("8/8/8/8/8/6k1/6p1/4K3 w", "the castling field is missing"),
        ("8/8/8/8/8/6k1/6p1/4K3", "the side to move is missing"),
        ("8/8/8/8/8/6k1/6p1 w - -", "the board does not have 8 ranks"),
        ("8/8/8/8/8/6k1/6p1/13K3 w - -", "two numbers side by side in a rank"),
        ("P115/8/8/8/8/6k1/6p1/4K3 w - -", "two numbers side by side in a rank"),
        ("8/8/8/8/8/6k1/6p2/4K3 w - -", "a rank does not have 8 squares"),
        ("4k3/QQQQQQQ1/8/8/8/QQ6/PPPPPPPP/4K3 b - - 0 1", "more than 16 white men"),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "more than 8 white pawns"),
        ("8/8/8/8/1k6/1Q6/8/5K2 w - - 0 1", "the side not to move is in check"),
        ("rnbqkb1r/ppp3pp/3p1n2/3P4/8/2P5/PP3PPP/RNBQKB1R w KQkq e6 0 8", "just passed"),
        ("k7/8/8/8/8/8/8/K6R w - - 0 46 7", "'7' follows it"),
        ("k7/8/8/8/8/8/8/K6R w - - x", "'x' follows it"),
    ],
)
def test_errors_say_what_is_wrong(text: str, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        parse_fen(text)


def test_counters() -> None:
    found = parse_fens(
        [
            "k7/8/8/8/8/8/8/K6R w - -",
            "k7/8/8/8/8/8/8/K6R b - - 7",
            "k7/8/8/8/8/8/8/K6R b - - 12 57",
            "k7/8/8/8/8/8/8/K6R w - - 0 0",
            "k7/8/8/8/8/8/8/K6R w - - 99999999999999999999 70000",
        ]
    )
    assert found.halfmove_clock.tolist() == [0, 7, 12, 0, 65535]
    assert found.fullmove_number.tolist() == [1, 1, 57, 1, 65535]
    assert found.ply.tolist() == [0, 0, 113, 0, 65535]


def test_written_positions_read_back_and_are_python_chess_texts() -> None:
    boards = [chess.Board(fen, chess960=True) for fen in REAL + HARD]
    positions = Positions.from_boards(boards)
    written = format_fens(positions)
    for row, (board, text) in enumerate(zip(boards, written, strict=True)):
        assert text in (board.fen(), board.shredder_fen(), positions.board(row).fen())
        assert chess.Board(text, chess960=True) == board
    assert_same_boards(parse_fens(written), boards)
    assert [" ".join(text.split()[:4]) for text in written] == format_fens(positions, fields=4)


def test_castling_letters_name_files_where_kqkq_would_mislead() -> None:
    texts = ["2nkn3/2p1p3/8/8/8/6r1/7r/RR3K2 w B - 0 1", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"]
    assert format_fens(parse_fens(texts)) == texts


def test_no_texts() -> None:
    assert len(parse_fens([])) == 0
    assert format_fens(Positions.empty()) == []


def test_spans_leave_the_rest_alone() -> None:
    text = b"k7/8/8/8/8/8/8/K6R w - -;c9 |k7/8/8/8/8/8/8/K6R w - - 3 4|1"
    starts = np.array([0, text.index(b"|") + 1], np.int64)
    ends = np.array([text.index(b"|"), len(text)], np.int64)
    _, rests, faults = parse_spans(np.frombuffer(text, np.uint8), starts, ends)
    assert [text[rest:end] for rest, end in zip(rests, ends, strict=True)] == [b";c9 ", b"|1"]
    assert not faults.any()


def test_every_fault_has_its_words() -> None:
    assert len(set(FAULTS)) == len(FAULTS)
    assert fault_text(fault.RANKS | fault.BAD_SIDE) == f"{FAULTS[0]}; {FAULTS[4]}"
