"""How a PGN game ended: its Termination tag and the comments on its last move, sorted into `TERMINATIONS`.

A tag is believed only if its words are known: those of the PGN standard (section 9.8.1), of Lichess,
Chess.com, cutechess, fastchess, TCEC and chess servers. Comments are free text, so they count only where they
have the form that match runners and servers write; they may tell more than the tag.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from .base import PLAYED

NORMAL, UNKNOWN = "normal", "unknown"
NOT_GIVEN = {"", "?", "-", "*", "none", "n/a"}
"""Tags that say nothing."""

_DRAWN = "(?:game )?(?:drawn?|draws|tie)"
_WHY_DRAWN = (
    r"(?:mutual )?agreement|(?:(?:3|5|three|five)[- ]?fold )?repetition|(?:3|5|three|five)[- ]?fold|"
    r"(?:the )?(?:50|75|fifty|seventy[- ]five)[- ]moves?(?: rule)?|(?:insufficient|no)(?: mating)? material|"
    r"stalemate|perpetual check|dead position"
)
NORMAL_TAG = re.compile(
    rf"normal|(?:check)?mated?|resign(?:s|ed|ation)?|{_DRAWN}|{_WHY_DRAWN}|"
    rf"{_DRAWN} (?:by |due to )?(?:{_WHY_DRAWN})|"
    r".+ (?:won|wins) by (?:resignation|(?:check)?mate)|.+ (?:resigns|resigned|(?:check)?mates|checkmated)"
)
"""All that a tag may be whose game was played to its end."""

TAG_WORDS: Mapping[str, re.Pattern[str]] = {
    "time-forfeit": re.compile("time|flag|clock"),
    "illegal-move": re.compile("illegal|invalid|infraction|violat|cheat|fair play"),
    "crash": re.compile(r"stall|connect|crash|hang|hung|segfault|segmentation|failure|error|died|killed"),
    "abandoned": re.compile(
        r"abandon|abort|emergency|death|forfeit|forfait|no.?show|withdr[ae]w|walk.?over|default|absent|\bleft\b"
    ),
    "unterminated": re.compile(
        r"unterminated|incomplete|unfinished|interrupt|\bstop|progress|no result|cancel|adjourn|suspend"
    ),
    "adjudication": re.compile(r"adjudicat|arbiter|tablebase|syzygy|\btb\b|\begtb\b|(?:win|draw) rule"),
}
"""Words that name the other endings, in any place of a tag, tried in this order."""

_SIDE = r"(?:white|black)(?:'s)?"
_WHO = r"\S+(?: \S+){0,3}"
COMMENTS: Mapping[str, re.Pattern[str]] = {
    "time-forfeit": re.compile(
        rf"{_WHO} (?:loses|lost|wins|won|forfeits|forfeited)(?: the game)? (?:on|by) time(?: forfeit)?|"
        rf"{_SIDE} (?:runs|ran|has run) out of time|{_SIDE} flag (?:falls|fell|has fallen)|"
        rf"{_SIDE} exceed(?:s|ed)(?: the| its)? time(?: limit| control)?|time.?forfeit|time.?out"
    ),
    "crash": re.compile(
        rf"{_SIDE} connection (?:stalls|stalled|lost|is lost|closed)|{_SIDE} stalls|"
        rf"{_WHO} (?:disconnects|disconnected|crashes|crashed|loses connection|lost(?: the)? connection)\b.*|"
        rf"{_WHO} (?:loses|lost|forfeits) by disconnection|{_WHO} terminate[sd] unexpectedly"
    ),
    "illegal-move": re.compile(
        rf"{_WHO} (?:makes|made|plays|played|tries|tried) an? (?:illegal|invalid) move\b.*|"
        rf"(?:xboard\W+)?(?:forfeit due to )?(?:illegal|invalid) move(?: by {_WHO})?(?::.*)?"
    ),
    "abandoned": re.compile(
        rf"(?:game (?:was |is )?)?(?:aborted|abandoned)(?: by .*| on .*)?|"
        rf"{_WHO} (?:forfeits|forfeited|abandons|abandoned)(?: the game)?"
    ),
    "unterminated": re.compile(
        r"(?:game (?:was |is )?)?(?:unterminated|unfinished|adjourned|interrupted)(?: by .*)?|no result"
    ),
    "adjudication": re.compile(
        rf"(?:{_SIDE} (?:wins|won) |{_DRAWN} )?(?:by |due to )?adjudicat(?:ion|ed)\b.*|"
        r"(?:arena|xboard|winboard|gui|tcec|manual|user) adjudication\b.*"
    ),
}
"""What match runners and servers write behind the last move, alone or between commas."""
SOME_WORD = re.compile(
    "time|flag|stall|connect|crash|unexpected|legal|invalid|abort|abandon|forfeit|unterminat|unfinish|adjourn|"
    "interrupt|no result|adjudicat",
    re.IGNORECASE,
)
"""What every comment of `COMMENTS` holds, so that most are looked at only once."""
BETWEEN_COMMENTS = re.compile(r"\}[^{]*\{")
RESULT_IN_FRONT = re.compile(r"(?:1-0|0-1|1/2-1/2) ")


def plain(words: str) -> str:
    """Words in small letters, one blank between, without a full stop."""
    return " ".join(words.replace("_", " ").split()).rstrip(".").lower()


@lru_cache(maxsize=4096)
def kind_of_tag(words: str) -> str:
    """How a game ended by its Termination tag, one of `TERMINATIONS`; normal where that is not given."""
    words = plain(words)
    if words in NOT_GIVEN or NORMAL_TAG.fullmatch(words):
        return NORMAL
    return next((kind for kind, pattern in TAG_WORDS.items() if pattern.search(words)), UNKNOWN)


@lru_cache(maxsize=4096)
def kind_of_words(words: str) -> str:
    """How a game ended by words of a comment; "" where they do not say it in a form that is known."""
    words = RESULT_IN_FRONT.sub("", plain(words), count=1)
    return next((kind for kind, pattern in COMMENTS.items() if pattern.fullmatch(words)), "")


def kind_of_notes(notes: str) -> tuple[str, str]:
    """How a game ended by the comments on its last move, and the words that say so; "" where none does.

    The text begins within the first comment and ends within the last; each is looked at between its commas.
    """
    if SOME_WORD.search(notes):
        for comment in BETWEEN_COMMENTS.split(notes):
            for part in comment.split(","):
                if SOME_WORD.search(part) and (kind := kind_of_words(part)):
                    return kind, part.strip()
    return "", ""


def ending_of(termination: str, notes: str) -> tuple[str, str]:
    """How a game ended, one of `TERMINATIONS`, and the words that say so.

    The comments count where the tag says less: nothing, that all was normal, or what nobody understands.
    """
    said, (told, words) = kind_of_tag(termination), kind_of_notes(notes)
    is_worse = bool(told) and told not in PLAYED and (said in PLAYED or said == UNKNOWN)
    return (told, words) if is_worse or (told and said == NORMAL) else (said, termination.strip())
