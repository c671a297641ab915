"""PGN: games as text, replayed at machine speed, in pieces of bounded size.

One row for each move of the main line: the position before it, with the score of the comment on it.
Where comments hold `[%eval]`, which scores the position after the move, the rows are the positions after
the moves, but for a final position where the game is over. Scores are pawns in the file and centipawns
here, in White's view (see `pgn_scores`); mates are no scores. `game` is the number of the game in the file,
from 0; `ply` is counted from the start position's move number.

A game with an illegal or missing move, an open comment, tags that may not say what they should (`pgn_tags`)
or a result that contradicts itself is an error; one without moves or result, of another variant, or lost on
time, by a crash and the like (`pgn_endings`) is left out and counted. Both are left out whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from ..errors import FormatError
from ..positions import Positions
from .base import PAWNS, Reader, ReadOptions, Source
from .lines import BYTE_ORDER_MARK
from .pgn_games import Games, positions_of_games
from .pgn_scan import LINE, Scan, scan
from .pgn_scores import Pairs

BYTES_A_ROW = 16
"""About one move with its number and a short comment."""
LONGEST_GAME = 1 << 26


def scans(source: Source, options: ReadOptions, stream: BinaryIO) -> Iterator[Scan]:
    """The games of a file, some at a time, with all that is needed to replay them."""
    text, size = stream.read(len(BYTE_ORDER_MARK)).removeprefix(BYTE_ORDER_MARK), options.block * BYTES_A_ROW
    is_last = False
    while not is_last:
        piece = stream.read(size)
        is_last = not piece
        text += piece
        while len(found := scan(text, is_last)):
            text = text[found.done :]
            yield found
        if len(text) > LONGEST_GAME + size:
            raise FormatError(source.path, None, f"a game of more than {LONGEST_GAME >> 20} MiB")


def report(source: Source, options: ReadOptions, games: Games, first_game: int, first_line: int) -> None:
    """Tells why games were left out, in their order; a wrong one stops the import where that is asked for."""
    for game in sorted(games.refusals):
        refusal = games.refusals[game]
        place = f"game {first_game + game + 1} (line {first_line + int(games.scan.spans[LINE, game])})"
        say = options.rejects.add if refusal.is_error else options.rejects.leave_out
        say(source.path, place, refusal.reason, refusal.text)


def read(source: Source, options: ReadOptions) -> Iterator[Positions]:
    """Positions of a PGN file."""
    pairs, first_game, first_line = Pairs(), 0, 1
    with source.open() as stream:
        for found in scans(source, options, stream):
            extracted = positions_of_games(found, options, pairs, first_game)
            report(source, options, extracted.games, first_game, first_line)
            if len(positions := extracted.positions):
                lines = first_line + found.spans[LINE]
                places = lines[positions.game.astype(np.int64) - first_game]
                yield options.located(positions, places, extracted.authors, extracted.moves)
            first_game += len(found)
            first_line += found.lines
    if summary := pairs.summary():
        options.rejects.seen.setdefault(str(source.path), []).append(summary)


TAG = re.compile(rb'(?:^|[\r\n])[ \t]*\[\s*[A-Za-z][A-Za-z0-9_]*\s+"[^\r\n]*"\s*\]')
FIRST_MOVE = re.compile(rb"\s*1\.\s*[a-hNO0]")


def sniff(head: bytes) -> float:
    """Sure where there is a tag; a guess where text begins with a first move."""
    head = head.removeprefix(BYTE_ORDER_MARK)
    return 0.95 if TAG.search(head) else 0.5 if FIRST_MOVE.match(head) else 0.0


READER = Reader(
    "pgn",
    "games, with the scores of cutechess, fastchess, TCEC or Lichess in comments",
    sniff,
    read,
    score_pov="side-to-move",
    score_unit=PAWNS,
    fixed=("result_pov",),
)
