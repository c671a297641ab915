"""Moves that files hold: which positions `quiet_moves` leaves out, by python-chess and by our own labels."""

from __future__ import annotations

from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.fen import format_fens
from evalcore.formats import DataSource, Rejects, open_located, read_positions
from evalcore.formats.compression import open_decompressed
from evalcore.formats.stored_moves import NOTE_NOISY, noisy_moves
from evalcore.positions import Positions

SAMPLES = Path(__file__).parent / "data" / "formats"


def is_noisy(board: chess.Board, move: chess.Move) -> bool:
    return board.is_capture(move) or move.promotion is not None


def quiet_fens(path: Path, **options: object) -> list[str]:
    return format_fens(read_positions(DataSource(path, quiet_moves=True, **options)))  # type: ignore[arg-type]


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False), st.booleans())
def test_noisy_moves_against_python_chess(rng: object, chess960: bool) -> None:
    """All legal moves of positions of random games; castling is written as python-chess writes it."""
    start = rng.randrange(960) if chess960 else 518  # type: ignore[attr-defined]
    board = chess.Board.from_chess960_pos(start)
    for _ in range(80):
        legal = list(board.legal_moves)
        if not legal:
            break
        rows = Positions.from_boards([board] * len(legal))
        packed = np.array([move.from_square + 64 * move.to_square for move in legal])
        assert noisy_moves(rows, packed).tolist() == [is_noisy(board, move) for move in legal]
        board.push(rng.choice(legal))  # type: ignore[attr-defined]


def test_unknown_moves_are_quiet() -> None:
    rows = Positions.from_boards([chess.Board("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")] * 3)
    empty_square, enemy = chess.A1 + 64 * chess.D5, chess.D5 + 64 * chess.E4
    assert not noisy_moves(rows, np.array([0, empty_square, enemy])).any()


@pytest.fixture(scope="module")
def quiet_of_plain() -> list[str]:
    """By the words of the `.plain` sample, with python-chess."""
    found, fen = [], ""
    for line in (SAMPLES / "stockfish.plain").read_text().splitlines():
        key, _, value = line.partition(" ")
        if key == "fen":
            fen = value
        elif key == "move":
            board = chess.Board(fen)
            if not is_noisy(board, chess.Move.from_uci(value)):
                found.append(board.epd(en_passant="legal"))
    return found


@pytest.mark.parametrize("name", ["stockfish.plain", "stockfish.bin", "stockfish.binpack", "viriformat.vf"])
def test_the_same_positions_in_every_format(name: str, quiet_of_plain: list[str]) -> None:
    found = [chess.Board(fen).epd() for fen in quiet_fens(SAMPLES / name)]
    common = min(len(found), len(quiet_of_plain))  # some samples hold whole games or chains, and end later
    assert common > 100 and found[:common] == quiet_of_plain[:common]


def test_games() -> None:
    wanted = []
    with (SAMPLES / "games.pgn").open() as stream:
        while game := chess.pgn.read_game(stream):
            board = game.board()
            for move in game.mainline_moves():
                if not is_noisy(board, move):
                    wanted.append(board.fen(en_passant="legal"))
                board.push(move)
    assert quiet_fens(SAMPLES / "games.pgn") == wanted


def test_tables_with_moves_and_limits(tmp_path: Path) -> None:
    board = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    rows = [f"{board},0.5,{move}" for move in ("e4d5", "g1f3", "", "(none)", "e4e5", "Nf3", "e4d5")]
    path, rejects = tmp_path / "a.csv", Rejects()
    path.write_text("\n".join(["fen,result,bestmove", *rows]) + "\n")
    (block,) = open_located(DataSource(path, quiet_moves=True), rejects=rejects)
    assert block.places.tolist() == [3, 4, 5, 6, 7] and dict(rejects.counts) == {NOTE_NOISY: 2}
    (first,) = open_located(DataSource(path, quiet_moves=True, limit=2))
    assert first.places.tolist() == [3, 4], "the limit is one of positions that are kept"
    assert len(read_positions(path)) == len(rows)


def test_formats_without_moves_lose_nothing() -> None:
    assert len(quiet_fens(SAMPLES / "bullet.txt")) == 300


def test_our_own_labels(reference_data: Path) -> None:
    """`noisy_best` of the self-play data was found by another program."""
    path = reference_data / "selfplay" / "all.tsv.zst"
    with open_decompressed(path) as stream:
        lines = [stream.readline().decode().rstrip("\n").split("\t") for _ in range(20_001)]
    place = lines[0].index("noisy_best")
    wanted = [number for number, line in enumerate(lines[1:], 2) if line[place] == "0"]
    blocks = open_located(DataSource(path, quiet_moves=True))
    found = next(iter(blocks)).places
    assert found[found <= 20_001].tolist() == wanted
