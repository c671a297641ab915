"""Which PGN games can be used, and what their result is: tags, marks and final boards reconciled."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .pgn_words import BLACK_WINS, DRAW, NO_MARK, WHITE_WINS

RESULT_VALUES = {WHITE_WINS: 1.0, DRAW: 0.5, BLACK_WINS: 0.0}
TAG_RESULTS: Mapping[bytes, int] = {
    b"1-0": WHITE_WINS,
    b"0-1": BLACK_WINS,
    b"1/2-1/2": DRAW,
    b"1/2": DRAW,
    b"": NO_MARK,
    b"*": NO_MARK,
    b"?": NO_MARK,
}
"""What the result tag may say."""

UNKNOWN_RESULT = "unknown result"

STANDARD = {"", "standard", "chess", "normal", "fromposition"}
CHESS960 = {"chess960", "fischerandom", "fischerrandom", "frc", "960", "dfrc", "freestyle"}
"""Names of variants, in small letters without blanks and hyphens, whose games are chess."""


def variant_fault(variant: str, has_fen: bool) -> str:
    """Why a game of a variant is left out, or an empty text."""
    name = re.sub(r"[\s_-]", "", variant).lower()
    if name in STANDARD or (name in CHESS960 and has_fen):
        return ""
    return "a game of Chess960 without a FEN tag" if name in CHESS960 else f"variant {variant.strip()}"


def game_result(tag: bytes | None, mark: int, board: int) -> tuple[int, str]:
    """The result of a game from its tag, the mark behind its moves and its final board; or why there is none.

    The board is what happened; a tag or mark may be missing or unknown, but none may contradict another.
    """
    said = TAG_RESULTS.get(tag.strip(), None) if tag is not None else NO_MARK
    if said is None:
        return NO_MARK, "a result tag that is no result"
    if said and mark and said != mark:
        return NO_MARK, "the result tag and the mark behind the moves differ"
    label = said or mark
    if board and label and label != board:
        return NO_MARK, "the result contradicts the final board"
    return (label or board), "" if label or board else UNKNOWN_RESULT
