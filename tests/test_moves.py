"""Move generation, making moves, notation and exchanges, against python-chess."""

import os
import random
from pathlib import Path

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore import moves, moves_exchange, moves_generate, moves_rows, moves_text
from evalcore.positions import Positions

PERFT = [
    # Chess Programming Wiki, page "Perft Results"; counts by depth from 1.
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", [20, 400, 8902, 197281]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", [48, 2039, 97862]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812, 43238, 674624]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", [6, 264, 9467, 422333]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1486, 62379]),
    # Chess Programming Wiki, page "Chess960 Perft Results".
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", [21, 528, 12189, 326672]),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", [21, 807, 18002, 667366]),
]

AWKWARD = [
    "7k/8/8/K2Pp2r/8/8/8/8 w - e6 0 1",  # both pawns leave the fifth rank
    "8/8/8/2k5/3Pp3/8/8/4K2B b - d3 0 1",  # the capturer is pinned
    "4k3/8/8/3pP3/8/8/8/4RK2 w - d6 0 1",
    "8/8/3k4/3pP3/8/8/8/4K3 w - d6 0 1",
    "8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1",
    "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1",
    "3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "4k3/8/8/8/8/8/6PP/rR1K2RB w GB - 0 1",  # the castling rook leaves a check behind
    "4k3/8/8/8/8/8/6PP/1RK3RN w GB - 0 1",
    "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
    "k7/1P6/8/8/8/8/5p2/4K1N1 w - - 0 1",
    "k3r1n1/3P1P2/8/8/8/8/8/4K3 w - - 0 1",
    "3k4/8/8/1b6/8/3B4/4K3/3R3q w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",  # 218 moves
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
    "4r1k1/8/8/8/8/8/3PPP2/3QKB2 w - - 99 80",
]


def board_of(fen: str) -> chess.Board:
    return chess.Board(fen, chess960=True)


def state_of(board: chess.Board) -> moves.State:
    state: moves.State = moves_rows.states_of(Positions.from_boards([board]))[0]
    return state


def move_of(move: chess.Move) -> int:
    return moves.pack_move(move.from_square, move.to_square, (move.promotion or 1) - 1)


def random_boards(games: int, seed: int, chess960: bool) -> list[chess.Board]:
    """Positions of random games, every third one, so that all phases occur."""
    rng = random.Random(seed)
    found = []
    for _ in range(games):
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board(chess960=True)
        for ply in range(120):
            options = list(board.legal_moves)
            if not options:
                break
            captures = [move for move in options if board.is_capture(move)]
            board.push(rng.choice(captures if captures and rng.random() < 0.1 else options))
            if ply % 3 == 0:
                found.append(board.copy(stack=False))
    return found


BOARDS = [
    *map(board_of, AWKWARD),
    *(board_of(fen) for fen, _ in PERFT),
    *random_boards(20, seed=1, chess960=False),
    *random_boards(20, seed=2, chess960=True),
]


@pytest.mark.parametrize(("fen", "counts"), PERFT, ids=[fen.split()[0] for fen, _ in PERFT])
def test_perft(fen: str, counts: list[int]) -> None:
    state = state_of(board_of(fen))
    assert [moves_generate.perft(state, depth + 1) for depth in range(len(counts))] == counts


def test_legal_moves_equal_python_chess() -> None:
    for board in BOARDS:
        found = moves_generate.list_moves(state_of(board))
        assert sorted(found) == sorted(map(move_of, board.legal_moves)), board.fen()


def test_legality_of_any_pair_of_squares() -> None:
    for board in BOARDS[:: len(BOARDS) // 40]:
        state = state_of(board)
        legal = set(map(move_of, board.legal_moves))
        every = (
            moves.pack_move(source, target, promotion)
            for source in range(64)
            for target in range(64)
            for promotion in range(7)
        )
        assert {move for move in every if moves.is_legal(state, move)} == legal, board.fen()


def test_making_a_move_equals_python_chess() -> None:
    for board in BOARDS:
        before = state_of(board)
        after = []
        for move in board.legal_moves:
            state = before.copy()
            moves.make(state, move_of(move))
            after.append(state)
            board.push(move)
            np.testing.assert_array_equal(state, state_of(board), err_msg=f"{board.fen()} {move}")
            board.pop()


def test_check_mate_and_stalemate() -> None:
    positions = Positions.from_boards(BOARDS)
    assert moves_rows.check_rows(positions).tolist() == [board.is_check() for board in BOARDS]
    over = [not any(board.legal_moves) for board in BOARDS]
    assert moves_rows.over_rows(positions).tolist() == over
    assert sum(over) >= 2


def test_every_legal_san_and_uci_is_read() -> None:
    for board in BOARDS[::3]:
        state = state_of(board)
        for move in board.legal_moves:
            wanted = move_of(move)
            san = board.san(move)
            for text in (san, san + "!?", board.lan(move), board.uci(move), moves_text.uci(wanted)):
                assert moves_text.parse_move(state, text) == wanted, (board.fen(), text)


def test_forms_of_notation() -> None:
    board = board_of("r3k2r/1P4P1/8/8/8/8/8/R3K2R w KQkq - 0 1")
    state = state_of(board)
    for text in ("O-O", "0-0", "o-o", "O-O+", "e1g1", "e1h1"):
        assert moves_text.uci(moves_text.parse_move(state, text), state) == "e1g1", text
    for text in ("O-O-O", "0-0-0!", "e1c1", "e1a1"):
        assert moves_text.uci(moves_text.parse_move(state, text), state) == "e1c1", text
    for text in ("g8=N", "g8N", "g8(N)", "g8/N", "g8n", "g7g8=N", "g7-g8N", "g7g8n"):
        assert moves_text.uci(moves_text.parse_move(state, text)) == "g7g8n", text
    for text in ("bxa8=B", "bxa8b", "ba8B", "b7xa8b", "b7a8b"):
        assert moves_text.uci(moves_text.parse_move(state, text)) == "b7a8b", text
    for text in ("b8", "g8=K", "g8=P", "Rb1=Q", "O-O-O-O", "e1e1", "a1h1", "bxc8=Q", "e9", "Kd1d1d1", ""):
        assert moves_text.parse_move(state, text) < 0, text
    assert moves_text.parse_move(state, "Raf1") == moves_text.ILLEGAL_MOVE
    assert moves_text.parse_move(state, "--") == moves_text.NULL_MOVE
    assert moves_text.parse_move(state, "resigns") == moves_text.NOT_A_MOVE
    knights = state_of(board_of("4k3/8/8/8/8/8/8/1N1NK3 w - - 0 1"))
    assert moves_text.parse_move(knights, "Nc3") == moves_text.AMBIGUOUS_MOVE
    pinned = state_of(board_of("4k3/8/8/8/4r3/4N3/8/1N2K3 w - - 0 1"))
    assert moves_text.uci(moves_text.parse_move(pinned, "Nd2")) == "b1d2"


def test_marks_in_a_move_stand_in_one_place_only() -> None:
    """A mark put anywhere into a move leaves the move or makes it none; its target is never torn apart."""
    for board in BOARDS[::12]:
        state = state_of(board)
        for move in board.legal_moves:
            wanted, target = move_of(move), chess.square_name(move.to_square)
            for text in (board.san(move), board.lan(move)):
                for place in range(len(text) + 1):
                    for mark in "-:x=/(":
                        changed = text[:place] + mark + text[place:]
                        found = moves_text.parse_move(state, changed)
                        assert found in (wanted, moves_text.NOT_A_MOVE), (board.fen(), changed)
                        assert found < 0 or target in changed or "O-O" in changed, changed


def test_null_moves() -> None:
    state = state_of(chess.Board())
    for text in ("--", "-", "---", "Z0", "0000", "@@@@", "<>"):
        assert moves_text.parse_move(state, text) == moves_text.NULL_MOVE, text
    for text in ("00", "000", "00000", "@@", "Z00", "><", "", "-e4", "xe4", "0-"):
        assert moves_text.parse_move(state, text) == moves_text.NOT_A_MOVE, text


SAN_LIKE = st.from_regex(r"[NBRQK]?[a-h]?[1-8]?x?[a-h][1-8](=?[NBRQ])?[+#]?", fullmatch=True)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(BOARDS), st.one_of(SAN_LIKE, st.text("NBRQKabcdefgh12345678xO0-=+#", max_size=8)))
def test_san_like_text_means_what_python_chess_says(board: chess.Board, text: str) -> None:
    found = moves_text.parse_move(state_of(board), text)
    try:
        wanted = move_of(board.parse_san(text))
    except ValueError:
        # More forms are read than python-chess does, but nothing that is no legal move.
        assert found < 0 or found in moves_generate.list_moves(state_of(board))
        return
    # `xe4` has lost what takes; python-chess plays a push.
    assert found == wanted or text in ("--", "Z0", "0000", "@@@@") or text[0] in "x-"


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 959), st.lists(st.integers(0, 255), max_size=80))
def test_random_games_replayed_word_by_word(start: int, choices: list[int]) -> None:
    board = chess.Board.from_chess960_pos(start)
    state = state_of(board)
    for choice in choices:
        found = moves_generate.list_moves(state)
        assert sorted(found) == sorted(map(move_of, board.legal_moves))
        if not found:
            break
        move = sorted(board.legal_moves, key=move_of)[choice % len(found)]
        moves.make(state, move_of(move))
        board.push(move)
    np.testing.assert_array_equal(state, state_of(board))


VALUES = dict(zip(chess.PIECE_TYPES, moves_exchange.PIECE_VALUES, strict=False))


def slow_exchange(board: chess.Board, square: int) -> int:
    """What the side to move can win on a square, by really taking with its cheapest man."""
    hunters = board.attackers(board.turn, square)
    if not hunters:
        return 0
    source = min(hunters, key=lambda each: (VALUES[board.piece_type_at(each) or 1], each))
    prize = VALUES[board.piece_type_at(square) or 1]
    board.set_piece_at(square, board.remove_piece_at(source))
    board.turn = not board.turn
    return max(0, prize - slow_exchange(board, square))


def slow_see(board: chess.Board, move: chess.Move) -> int:
    if board.is_castling(move):
        return 0
    captured = chess.PAWN if board.is_en_passant(move) else board.piece_type_at(move.to_square)
    gain = VALUES[captured] if captured else 0
    if move.promotion:
        gain += VALUES[move.promotion] - VALUES[chess.PAWN]
    after = board.copy(stack=False)
    after.push(move)
    return gain - slow_exchange(after, move.to_square)


def test_examples_of_static_exchange() -> None:
    # Chess Programming Wiki, page "SEE - The Swap Algorithm".
    for fen, san, value in (
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -225),
    ):
        state = state_of(board_of(fen))
        assert moves_exchange.see(state, moves_text.parse_move(state, san)) == value


def test_static_exchange_of_every_move() -> None:
    for board in BOARDS[::4]:
        state = state_of(board)
        for move in board.legal_moves:
            assert moves_exchange.see(state, move_of(move)) == slow_see(board, move), (board.fen(), move)


def test_quiet_positions() -> None:
    wanted = []
    for board in BOARDS:
        noisy = [
            move
            for move in board.legal_moves
            if (board.is_capture(move) or move.promotion in (chess.QUEEN,)) and slow_see(board, move) > 0
        ]
        wanted.append(not board.is_check() and not noisy)
    assert moves_rows.quiet_rows(Positions.from_boards(BOARDS)).tolist() == wanted
    assert 0.2 < np.mean(wanted) < 0.9


REFERENCE = os.environ.get("EVALTUNER_REFERENCE_DATA", "")


@pytest.mark.skipif(not REFERENCE, reason="EVALTUNER_REFERENCE_DATA names no folder of public files")
def test_public_perft_suite() -> None:
    path = Path(REFERENCE) / "public" / "epd" / "perftsuite.epd"
    for line in path.read_text().splitlines():
        fen, *counts = line.split(";")
        state = state_of(board_of(fen.strip()))
        for count in counts:
            depth, leaves = count.split()
            if int(leaves) < 300_000:
                assert moves_generate.perft(state, int(depth[1:])) == int(leaves), line


@pytest.mark.skipif(not REFERENCE, reason="EVALTUNER_REFERENCE_DATA names no folder of public files")
def test_public_chess960_positions() -> None:
    path = Path(REFERENCE) / "public" / "fen" / "valid.sfens"
    for line in path.read_text().splitlines()[::20]:
        board = board_of(line)
        found = moves_generate.list_moves(state_of(board))
        assert sorted(found) == sorted(map(move_of, board.legal_moves)), line
