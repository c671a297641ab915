"""From scanned PGN games to positions: which games are used, where they start, what each row is labelled."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..faults import fault_text
from ..fen import parse_fens, parse_spans
from ..moves_rows import positions_of, states_of
from ..moves_text import NULL_MOVE
from ..positions import Positions
from .base import PAWNS, Authors, PointOfView, ReadOptions
from .labels import LARGEST_SCORE, NOTE_MATE
from .pgn_comments import BOOK, ENGINE, EVAL, NO_SCORE, TCEC, UNREAD
from .pgn_endings import NORMAL, UNKNOWN, ending_of
from .pgn_labels import RESULT_VALUES, UNKNOWN_RESULT, game_result, variant_fault
from .pgn_replay import (
    BOARD,
    FAULT,
    FAULT_AT,
    FAULT_END,
    FAULTS,
    MARK,
    NOTE_AT,
    NOTE_END,
    OVER,
    ROWS,
    Replay,
    replay,
)
from .pgn_scan import TAG_FAULT, TAG_FAULT_AT, TAG_FAULT_END, Scan
from .pgn_scores import NOTE_UNCLEAR, Pairs, black_views, in_white_view, pair_signs
from .pgn_tags import BLACK_NAME, FEN, RESULT, SETUP, TAG_FAULTS, TERMINATION, VARIANT, WHITE_NAME

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
LONGEST_TEXT = 100
LONGEST_ENDING = 40
NOTE_UNREAD = "scores that could not be read, taken as no score"
NOTE_ASIDE = "scores of engines left aside in games with [%eval]"


@dataclass(frozen=True)
class Refusal:
    """Why a game is left out; an error if the game is wrong, not if it is only of no use."""

    reason: str
    text: str = ""
    is_error: bool = False


@dataclass
class Games:
    """Some games of a file on their way to positions; `refusals` by their place among these games."""

    scan: Scan
    refusals: dict[int, Refusal] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.scan.tags)

    def span(self, begin: int, end: int) -> bytes:
        """Bytes of the text."""
        return self.scan.buffer[begin:end].tobytes()

    def tag(self, game: int, tag: int) -> bytes | None:
        """The value of a tag; None where a game has no such tag."""
        begin, end = self.scan.tags[game, tag].tolist()
        return self.span(begin, end) if begin >= 0 else None

    def words(self, game: int, tag: int) -> str:
        """The value of a tag as text; empty where a game has no such tag."""
        return as_text(self.tag(game, tag) or b"")

    def refuse(self, game: int, refusal: Refusal) -> None:
        """Leaves a game out; the first reason stays."""
        self.refusals.setdefault(game, refusal)

    def with_tag(self, tag: int) -> list[int]:
        """The games that have a tag."""
        return [int(game) for game in np.flatnonzero(self.scan.tags[:, tag, 0] >= 0)]


def as_text(data: bytes) -> str:
    """Bytes of a PGN, which may be UTF-8 or Latin-1, for people to read."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def refuse_tags(games: Games) -> None:
    """Leaves out games whose tags may not say what they should, or are not theirs."""
    for game in np.flatnonzero(games.scan.spans[TAG_FAULT]).tolist():
        fault, begin, end = games.scan.spans[[TAG_FAULT, TAG_FAULT_AT, TAG_FAULT_END], game].tolist()
        text = as_text(games.span(begin, end)[:LONGEST_TEXT])
        games.refuse(game, Refusal(TAG_FAULTS[fault], text, is_error=True))
    for game in games.with_tag(SETUP):
        if games.words(game, SETUP).strip() == "1" and games.tag(game, FEN) is None:
            games.refuse(game, Refusal("a SetUp tag without a FEN tag", is_error=True))


def refuse_variants(games: Games) -> None:
    """Leaves out games that are not chess."""
    for game in games.with_tag(VARIANT):
        fault = variant_fault(games.words(game, VARIANT), has_fen=games.tag(game, FEN) is not None)
        if fault:
            games.refuse(game, Refusal(fault))


def start_states(games: Games) -> NDArray[np.uint64]:
    """The states the games start from, shape (n, WORDS); games with an impossible FEN tag are refused."""
    states = np.repeat(states_of(parse_fens([START_FEN])), len(games), axis=0)
    given = games.with_tag(FEN)
    if not given:
        return states
    starts, ends = np.ascontiguousarray(games.scan.tags[given, FEN].T)
    columns, rests, faults = parse_spans(games.scan.buffer, starts, ends)
    states[given] = states_of(Positions.from_columns(columns, len(given)))
    for number, game in enumerate(given):
        rest = games.span(int(rests[number]), int(ends[number])).strip()
        if faults[number] or rest:
            reason = fault_text(int(faults[number])) or "text behind the FEN"
            games.refuse(game, Refusal(f"FEN tag: {reason}", games.words(game, FEN), is_error=True))
    return states


def refuse_endings(games: Games, played: Replay, options: ReadOptions) -> None:
    """Leaves out games that ended in another way than those asked for; counts adjudications and the like."""
    for game, (begin, end) in enumerate(played.reports[[NOTE_AT, NOTE_END]].T.tolist()):
        if game in games.refusals:
            continue
        kind, words = ending_of(games.words(game, TERMINATION), games.span(begin, end).decode("latin-1"))
        if kind not in options.terminations:
            is_clear = kind != UNKNOWN
            reason = f"termination {kind if is_clear else repr(words[:LONGEST_ENDING]) + ' not understood'}"
            games.refuse(game, Refusal(reason, words))
        elif kind != NORMAL:
            options.rejects.note(f"games kept that ended by {kind}")


def refuse_unplayable(games: Games, played: Replay) -> None:
    """Leaves out games with a mistake in their moves, or without any."""
    for game, report in enumerate(played.reports.T.tolist()):
        if fault := report[FAULT]:
            text = as_text(games.span(report[FAULT_AT], report[FAULT_END])[:LONGEST_TEXT])
            games.refuse(game, Refusal(FAULTS[fault], text, is_error=fault != NULL_MOVE))
        elif not report[ROWS]:
            games.refuse(game, Refusal("no moves"))


def label_games(games: Games, played: Replay) -> NDArray[np.float32]:
    """Results of the games, NaN for those left out; games without a clear one are refused."""
    results = np.full(len(games), np.nan, np.float32)
    for game, report in enumerate(played.reports.T.tolist()):
        result, fault = game_result(games.tag(game, RESULT), report[MARK], report[BOARD])
        if fault:
            games.refuse(game, Refusal(fault, games.words(game, RESULT), is_error=fault != UNKNOWN_RESULT))
        if game not in games.refusals:
            results[game] = RESULT_VALUES[result]
    return results


@dataclass(frozen=True)
class Rows:
    """Columns of a replay: the game of each, whether it becomes a row, kind and centipawns of its score.

    A score of the position after a move stands one column after that move. `book` marks the positions
    before moves that nobody thought about.
    """

    games: NDArray[np.int64]
    kept: NDArray[np.bool_]
    book: NDArray[np.bool_]
    kinds: NDArray[np.uint8]
    scores: NDArray[np.float32]


def count_lost_scores(played: Replay, results: NDArray[np.float32], options: ReadOptions) -> None:
    """Counts, in the games that are used, the scores that become none of a row."""
    games = np.repeat(np.arange(len(results)), played.reports[ROWS])
    used, has_eval = ~np.isnan(results)[games], games_with(played.kinds == EVAL, games, len(results))
    engine = (played.kinds == ENGINE) | (played.kinds == TCEC)
    options.rejects.note(NOTE_UNREAD, int((used & (played.kinds == UNREAD)).sum()))
    options.rejects.note(NOTE_ASIDE, int((used & has_eval[games] & engine).sum()))


def games_with(rows: NDArray[np.bool_], games: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    """The games that hold one of some rows."""
    return np.asarray(np.bincount(games[rows], minlength=count) > 0)


def choose_rows(played: Replay, results: NDArray[np.float32]) -> Rows:
    """The positions before the moves; in games with `[%eval]` those after them, unless the game is over."""
    games = np.repeat(np.arange(len(results)), played.reports[ROWS])
    last = np.append(games[1:] != games[:-1], True)
    first = np.insert(last[:-1], 0, True)
    after = games_with(played.kinds == EVAL, games, len(results))[games]
    over = last & (played.reports[OVER] != 0)[games]
    before_kinds, before_scores = np.roll(played.kinds, 1), np.roll(played.scores, 1)
    kinds = np.where(after, np.where(before_kinds == EVAL, before_kinds, NO_SCORE), played.kinds)
    return Rows(
        games,
        np.where(after, ~first & ~over, ~last) & ~np.isnan(results)[games],
        book_moves(played.kinds, games) & ~after,
        np.where((kinds == BOOK) | (kinds == UNREAD), NO_SCORE, kinds).astype(np.uint8),
        np.where(after, before_scores, played.scores),
    )


def book_moves(kinds: NDArray[np.uint8], games: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Moves marked `{book}`, and those before the first score in games that have scores."""
    rows, scored = np.arange(len(kinds)), np.flatnonzero((kinds != NO_SCORE) & (kinds != BOOK))
    first = np.full(games.max(initial=0) + 1, -1)
    first[games[scored][::-1]] = scored[::-1]  # of several the one assigned last, which comes first
    return np.asarray((kinds == BOOK) | (rows < first[games]))


def views_of(games: Games, rows: Rows, options: ReadOptions, pairs: Pairs) -> list[PointOfView | None]:
    """Whose view the black engine of each game speaks for: what was asked for, or what the signs say."""
    if options.score_pov_given:
        return [options.score_pov] * len(games)
    engines = [games.tag(game, BLACK_NAME) or b"" for game in range(len(games))]
    return black_views(pairs, engines, pair_signs(rows.kinds, rows.scores, rows.games), rows.games)


def without_mates(
    scores: NDArray[np.float32], kinds: NDArray[np.uint8], options: ReadOptions
) -> NDArray[np.float32]:
    """Centipawns where there is a score; mates and what stands for them become NaN and are counted."""
    scaled = scores * np.float32(options.score_unit / PAWNS)
    mates = (kinds != NO_SCORE) & ~(np.abs(scaled) < LARGEST_SCORE)
    options.rejects.note(NOTE_MATE, int(mates.sum()))
    return np.where((kinds == NO_SCORE) | mates, np.float32(np.nan), scaled)


def authors_of(
    games: Games, kinds: NDArray[np.uint8], numbers: NDArray[np.int64], white_to_move: NDArray[np.bool_]
) -> Authors:
    """The engines that made the scores; nobody where a server analysed the game."""
    tags = (WHITE_NAME, BLACK_NAME)
    names = tuple(games.words(game, tag) for game in range(len(games)) for tag in tags)
    mover = 2 * numbers + ~white_to_move
    return Authors(names, np.where((kinds == ENGINE) | (kinds == TCEC), mover, -1))


@dataclass(frozen=True)
class Extracted:
    """All rows of the usable games of a scan, who scored them, the moves made there, and the games with why
    some are left out."""

    positions: Positions
    authors: Authors
    moves: NDArray[np.int64]
    games: Games


def positions_of_games(scan: Scan, options: ReadOptions, pairs: Pairs, first: int) -> Extracted:
    """Replays the games of a scan, which are numbered from `first`."""
    games = Games(scan)
    refuse_tags(games)
    refuse_variants(games)
    states = start_states(games)
    wanted = np.array([game not in games.refusals for game in range(len(games))])
    played = replay(scan, states, wanted)
    refuse_endings(games, played, options)
    refuse_unplayable(games, played)
    results = label_games(games, played)
    count_lost_scores(played, results, options)
    rows = choose_rows(played, results)
    views = views_of(games, rows, options, pairs)
    wanted = rows.kept & ~rows.book if options.skip_book else rows.kept
    options.rejects.drop_rows("moves of an opening book", int((rows.kept & ~wanted).sum()))
    kept, kinds, numbers = np.flatnonzero(wanted), rows.kinds[wanted], rows.games[wanted]
    positions = positions_of(
        played.words[:, kept],
        result=results[numbers],
        score=without_mates(rows.scores[kept], kinds, options),
        game=numbers + first,
    )
    score = in_white_view(positions, kinds, numbers, views)
    options.rejects.note(NOTE_UNCLEAR, int((np.isnan(score) & ~np.isnan(positions.score)).sum()))
    authors = authors_of(games, kinds, numbers, positions.white_to_move)
    moves = played.moves[kept].astype(np.int64) & 0xFFF
    return Extracted(positions.replace(score=score), authors, moves, games)
