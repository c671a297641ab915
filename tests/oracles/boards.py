"""Boards the terms are tried on: real games, odd but legal ones, and random ones from a fixed seed."""

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import chess

from .patterns import PATTERNS

GAMES = Path(__file__).parent.parent / "data" / "boards.fen"
"""FENs of quiet and sharp positions from games engines played for this project."""

ODD = (
    chess.STARTING_FEN,
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "Q6Q/8/4k3/1Q6/1R5Q/7R/Q2Q3Q/K3Q1Q1 b - - 0 1",
    "8/8/8/8/8/8/8/k1K5 b - - 9 99",
    "7Q/3Q4/8/2n1Q3/3r1Q1Q/1kQ5/1bQ1nQ1K/2Q5 b - - 0 60",
    "2k4q/4q3/2qP4/6q1/K3Rq2/P6q/q2qBq2/2N3B1 w - - 0 60",
    "4R3/1p1R1RR1/R7/4R1R1/1R5R/2p5/2k2K2/7R w - - 0 80",
    "2k5/8/8/1NNNNN2/1NNNNN2/8/8/4K3 b - - 0 80",
    "2k5/8/8/1BBBBB2/1BBBBB2/8/8/4K3 b - - 0 80",
    "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w KQkq - 0 30",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "4k3/8/pppppppp/PPPPPPPP/8/8/8/4K3 w - - 0 1",
    "8/PPPPPPPP/8/k7/7K/8/pppppppp/8 w - - 0 1",
    "7k/8/p1p1p1p1/p1p1p1p1/P1P1P1P1/P1P1P1P1/8/K7 w - - 0 40",
    "4k3/4p3/4p3/4p3/4P3/4P3/4P3/4K3 b - - 0 1",
    "8/PP6/KP6/8/8/6pk/6pp/8 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnb1kbnr/ppp1pppp/8/8/2qPp3/8/PPP2PPP/RNBQKBNR b KQkq d3 0 4",
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
)

PAWNS = (
    "8/2p5/2P5/1P6/8/8/8/K6k w - - 0 50",
    "8/2p5/2P5/1P6/8/8/8/K6k b - - 0 50",
    "8/2p5/1PP4k/1P6/8/8/8/K7 w - - 0 50",
    "8/2p5/2P1k3/1P6/8/8/8/K7 w - - 0 50",
    "8/2p2k2/2P5/1P6/8/8/8/K7 b - - 0 50",
    "4k3/p1p3pp/1pP2pP1/1P3P2/8/3p4/4p1PP/4K3 w - - 0 40",
    "4k3/2p2p1p/8/1PP2PPP/8/8/8/4K3 w - - 0 30",
    "4k3/8/8/1ppp4/2P1P3/3P4/8/4K3 w - - 0 30",
    "4k3/pp3ppp/4p3/8/2PP4/8/P4PPP/4K3 w - - 0 20",
    "r3k3/8/8/1PP5/5pp1/8/8/4K2R w - - 0 40",
    "r3k3/6p1/1P6/2P5/5p2/6p1/8/4K2R b - - 0 40",
    "8/2p2k2/8/P6P/p6p/8/2P2K2/8 w - - 0 50",
    "4k3/P2ppp1P/8/8/8/p2p1p1p/1P4P1/4K3 b - - 0 40",
)
"""Pawn patterns that random boards hardly show: sneakers, candidates, triangle, hanging pawns."""

MEN = "PPPPPPPPNNBBRRQQ"


def random_games(rng: random.Random, boards: int) -> Iterator[chess.Board]:
    """Positions of games of random moves, at random plies."""
    while boards > 0:
        board = chess.Board()
        for _ in range(rng.randrange(4, 160)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        boards -= 1
        yield chess.Board(board.fen())


def random_setups(rng: random.Random, boards: int) -> Iterator[chess.Board]:
    """Legal positions with men scattered over the board."""
    while boards > 0:
        board = chess.Board(None)
        squares = rng.sample(chess.SQUARES, 64)
        for colour in chess.COLORS:
            board.set_piece_at(squares.pop(), chess.Piece(chess.KING, colour))
            for letter in rng.sample(MEN, rng.randrange(0, len(MEN))):
                piece = chess.Piece(chess.Piece.from_symbol(letter).piece_type, colour)
                square = squares.pop()
                if piece.piece_type != chess.PAWN or 0 < chess.square_rank(square) < 7:
                    board.set_piece_at(square, piece)
        board.turn = rng.random() < 0.5
        if board.is_valid():
            boards -= 1
            yield board


def random_pawn_structures(rng: random.Random, boards: int) -> Iterator[chess.Board]:
    """Legal positions of kings and many pawns, every third with a rook on either side."""
    while boards > 0:
        board = chess.Board(None)
        squares = rng.sample(range(8, 56), 48)
        for colour in chess.COLORS:
            for _ in range(rng.randrange(2, 9)):
                board.set_piece_at(squares.pop(), chess.Piece(chess.PAWN, colour))
            board.set_piece_at(squares.pop(), chess.Piece(chess.KING, colour))
            if boards % 3 == 0:
                board.set_piece_at(squares.pop(), chess.Piece(chess.ROOK, colour))
        board.turn = rng.random() < 0.5
        if board.is_valid():
            boards -= 1
            yield board


@cache
def varied_boards() -> tuple[chess.Board, ...]:
    """A few hundred boards: from games, odd, and random ones."""
    rng = random.Random(20)
    games = [chess.Board(line) for line in GAMES.read_text(encoding="utf-8").splitlines()]
    odd = [chess.Board(fen, chess960=True) for fen in ODD + PATTERNS + PAWNS]
    pawns = random_pawn_structures(random.Random(21), 90)
    return (*games, *odd, *random_games(rng, 80), *random_setups(rng, 64), *pawns)
