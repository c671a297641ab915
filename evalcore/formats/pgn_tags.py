"""The tag section of a PGN game: the values that matter, and what is wrong with it. Compiled.

All tags before the first move belong to one game, whatever stands between them. What is broken may be passed
over only where it cannot matter: a game is an error whose FEN, SetUp, Variant, Termination or Result tag
cannot be read, is given twice with different values, or may be hidden in another tag; or whose tags begin
again before any move.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compiled import primitive
from ..fen import Buffer
from .labels import is_digit
from .pgn_text import (
    begins_tag,
    comment_end,
    has_blank_line,
    is_space,
    is_tag,
    line_begins,
    line_end,
    name_end,
    same_bytes,
    skip_space,
)

TAGS = ("result", "fen", "variant", "termination", "setup", "white", "black")
"""The tags that matter, in any case of letters."""
RESULT, FEN, VARIANT, TERMINATION, SETUP, WHITE_NAME, BLACK_NAME = range(len(TAGS))
DECISIVE = SETUP
"""The last of the tags without which nobody knows what the moves or the result mean."""
LONGEST_TAG = 11
_NAMES = np.zeros((len(TAGS), LONGEST_TAG + 1), np.uint8)
for _number, _name in enumerate(TAGS):
    _NAMES[_number, : len(_name)] = np.frombuffer(_name.encode(), np.uint8)

BROKEN_TAG, TAG_IN_TAG, TAGS_AGAIN, TORN_TAGS, OPEN_COMMENT_IN_TAGS, DIFFERENT_TAGS = range(1, 7)
TAG_FAULTS = {
    BROKEN_TAG: "a broken tag",
    TAG_IN_TAG: "a tag inside another one",
    TAGS_AGAIN: "the tags begin again before any move",
    TORN_TAGS: "text between the tags",
    OPEN_COMMENT_IN_TAGS: "comment never closed",
    DIFFERENT_TAGS + RESULT: "two Result tags that differ",
    DIFFERENT_TAGS + FEN: "two FEN tags that differ",
    DIFFERENT_TAGS + VARIANT: "two Variant tags that differ",
    DIFFERENT_TAGS + TERMINATION: "two Termination tags that differ",
    DIFFERENT_TAGS + SETUP: "two SetUp tags that differ",
}
"""What may be wrong with a tag section."""


@primitive
def note_fault(fault: Any, kind: int, at: int, end: int) -> None:
    """Notes what is wrong (kind, begin and end of the text that shows it); the first fault stays."""
    if fault[0] == 0:
        fault[0], fault[1], fault[2] = kind, at, end


@primitive
def known_tag(buffer: Buffer, at: int, end: int) -> tuple[int, int]:
    """The number in `TAGS` of a name that stands at an offset and where it ends; -1 for none."""
    for number in range(len(TAGS)):
        place = 0
        while at + place < end and _NAMES[number, place] and buffer[at + place] | 32 == _NAMES[number, place]:
            place += 1
        if _NAMES[number, place] == 0:
            return number, at + place
    return -1, at


@primitive
def value_end(buffer: Buffer, at: int, end: int) -> int:
    """The offset of the quote that ends a tag's value: the first one of the line before a `]`; or -1."""
    stop = line_end(buffer, at, end)
    for place in range(at, stop):
        if buffer[place] == 34:
            after = skip_space(buffer, place + 1, end)
            if after < end and buffer[after] == 93:
                return place
    return -1


@primitive
def holds_decisive(buffer: Buffer, at: int, end: int, is_sound: bool) -> bool:
    """Whether a tag that matters begins within a span; only one with a quote counts if it `is_sound`."""
    for place in range(at, end):
        if buffer[place] == 91 and (is_tag(buffer, place, end) or not is_sound):
            number, _ = known_tag(buffer, skip_space(buffer, place + 1, end), end)
            if 0 <= number <= DECISIVE:
                return True
    return False


@primitive
def keep_value(buffer: Buffer, number: int, at: int, end: int, tags: Any, fault: Any) -> None:
    """Notes the value of a tag that matters; one that differs from an earlier one is a fault."""
    if tags[number, 0] < 0:
        tags[number, 0], tags[number, 1] = at, end
    elif number <= DECISIVE and not same_bytes(buffer, tags[number, 0], tags[number, 1], at, end):
        note_fault(fault, DIFFERENT_TAGS + number, at, end)


@primitive
def read_tag(buffer: Buffer, at: int, end: int, tags: Any, fault: Any) -> int:
    """Reads one tag; the offset after it, or after the line if it is broken."""
    first = skip_space(buffer, at + 1, end)
    stop = name_end(buffer, first, end)
    quote = skip_space(buffer, stop, end)
    close = value_end(buffer, quote + 1, end) if quote < end and buffer[quote] == 34 else -1
    if close < 0:
        after = line_end(buffer, at, end)
        if holds_decisive(buffer, at, after, False):
            note_fault(fault, BROKEN_TAG, at, after)
        return after
    if holds_decisive(buffer, quote + 1, close, True):
        note_fault(fault, TAG_IN_TAG, at, close + 1)
    number, name_stop = known_tag(buffer, first, stop)
    if number >= 0 and name_stop == stop:
        keep_value(buffer, number, quote + 1, close, tags, fault)
    return skip_space(buffer, close + 1, end) + 1


@primitive
def skip_asides(buffer: Buffer, at: int, end: int, fault: Any) -> int:
    """The next offset that holds no white space, comment or `$12`: these may stand between tags."""
    while at < end:
        byte = buffer[at]
        if byte == 123:
            stop = comment_end(buffer, at + 1, end)
            if stop < end and buffer[stop - 1] != 125:
                note_fault(fault, OPEN_COMMENT_IN_TAGS, at, stop)
            at = stop
        elif byte == 59 or (byte == 37 and line_begins(buffer, at)):
            at = line_end(buffer, at, end)
        elif is_space(byte):
            at += 1
        elif byte == 36:
            at += 1
            while at < end and is_digit(buffer[at]):
                at += 1
        else:
            return at
    return end


@primitive
def skip_tags(buffer: Buffer, at: int, end: int, tags: Any, fault: Any) -> tuple[int, int]:
    """The offset after the last tag of a game (`at` where it has none), and that of the next game if that
    begins with the next tag, else -1.

    So it does where the name of the first tag comes again after an empty line.
    """
    first, first_end, last = -1, -1, at
    while True:
        at = skip_asides(buffer, last, end, fault)
        if at >= end or not begins_tag(buffer, at, end):
            return last, -1
        name = skip_space(buffer, at + 1, end)
        stop = name_end(buffer, name, end)
        if stop >= end:
            return last, -1  # nobody knows its name yet
        if first < 0:
            first, first_end = name, stop
        elif same_bytes(buffer, first, first_end, name, stop):
            if has_blank_line(buffer, last, at):
                return last, at
            note_fault(fault, TAGS_AGAIN, at, stop)
        last = read_tag(buffer, at, end, tags, fault)


@primitive
def has_name(buffer: Buffer, at: int, end: int, name: int, stop: int) -> bool:
    """Whether a tag of the name in the span from `name` to `stop` stands in a tag section."""
    for place in range(at, end):
        if buffer[place] == 91:
            first = skip_space(buffer, place + 1, end)
            if same_bytes(buffer, first, name_end(buffer, first, end), name, stop):
                return True
    return False
