"""An engine's source as text: where the numbers of a constant or table stand, whatever the language.

Text is handled as one character a byte (Latin-1), so that everything that is not replaced stays as it is,
byte by byte. Comments and strings are blanked in a copy of the same length, and only that copy is searched
for code. Nothing is parsed beyond brackets and number tokens: what is no plain list of integers is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from evalcore.errors import FormatError


@dataclass(frozen=True)
class Syntax:
    """What the search has to know of a language: comments, strings, and whether a line end ends a value."""

    skipped: re.Pattern[str]
    newline_ends: bool


_QUOTED = r""""(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\[^\n][0-9a-fA-F]*|[^'\\\n])'"""
_SLASHES = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)|R\"([^()\s\\]{0,16})\(.*?\)\1\"|\br(#+)\".*?\"\2|" + _QUOTED, re.DOTALL
)
_HASHES = re.compile(
    r'#[^\n]*|""".*?(?:"""|\Z)|' + r"'''.*?(?:'''|\Z)|" + r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""",
    re.DOTALL,
)
C_LIKE = Syntax(_SLASHES, newline_ends=False)
SYNTAXES: Mapping[str, Syntax] = {
    **dict.fromkeys((".py", ".jl", ".nim", ".rb"), Syntax(_HASHES, newline_ends=True)),
    **dict.fromkeys((".go", ".kt", ".swift"), Syntax(_SLASHES, newline_ends=True)),
}
"""Languages by the end of the file's name; all others are written like C, C++, Rust, C#, Java or Zig."""

Span = tuple[int, int]
"""Start and end, as offsets of characters."""

OPEN, CLOSE = "([{", ")]}"


@dataclass(frozen=True)
class Source:
    """One file; `text` has a character a byte."""

    path: str
    text: str

    @property
    def syntax(self) -> Syntax:
        return SYNTAXES.get(PurePath(self.path).suffix, C_LIKE)

    @cached_property
    def comments(self) -> tuple[Span, ...]:
        """Start and end of every comment."""
        spans = (match.span() for match in self.syntax.skipped.finditer(self.text))
        return tuple(span for span in spans if self.text[span[0]] in "/#")

    @cached_property
    def code(self) -> str:
        """The text with spaces for the characters of comments and strings."""
        return self.syntax.skipped.sub(_blanked, self.text)

    def line(self, offset: int) -> int:
        """Line number, from 1."""
        return self.text.count("\n", 0, offset) + 1

    def error(self, offset: int, message: str, text: str = "") -> FormatError:
        """An error at a place of the file."""
        return FormatError(self.path, self.line(offset), message, text)


def _blanked(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


@dataclass(frozen=True)
class Number:
    """One number of a list, from its sign to its last digit; `plain` if it is a decimal integer."""

    start: int
    end: int
    text: str
    plain: bool

    @property
    def value(self) -> int:
        """The number; 0 for one that is not plain."""
        return int(re.sub(r"[\s'_]", "", self.text)) if self.plain else 0


# --- where the value begins and ends -------------------------------------------------------------------

_DIMENSIONS = r"(?:\s*\[[^\]\n]*\])*"
_DECLARES = r"\b(?:const|static|let|mut|var|val|pub|final)\s+"
_NO_VALUE = {
    "struct",
    "class",
    "enum",
    "union",
    "namespace",
    "interface",
    "trait",
    "impl",
    "mod",
    "record",
    "return",
}


def values_of_identifier(source: Source, identifier: str) -> list[Span]:
    """Start and end of every value that is given to this name.

    `NAME[8] = …`, `let NAME: [i32; 8] = …`, `Type NAME{…}` and `#define NAME …`.
    """
    name = rf"(?<![\w.]){re.escape(_bytes_text(identifier))}(?!\w)"
    if identifier.startswith("."):
        name = rf"{re.escape(_bytes_text(identifier))}(?!\w)"
    code, found = source.code, []
    for match in re.finditer(rf"{name}{_DIMENSIONS}\s*=(?![=>])", code):
        found.append(match.end())
    typed = rf"(?:{_DECLARES}|^[ \t]*){name}\s*:[^={{}}\n]*(?<![<>!+\-*/%&|^])=(?![=>])"
    found += [match.end() for match in re.finditer(typed, code, re.MULTILINE)]
    for match in re.finditer(rf"{name}{_DIMENSIONS}\s*(?=\{{)", code):
        before = re.search(r"(\w+|>)[\s*&]*$", code[max(0, match.start() - 200) : match.start()])
        if before and before[1] not in _NO_VALUE:
            found.append(match.end())
    spans = [(start, _end_of_value(code, start, ",;", source.syntax.newline_ends)) for start in found]
    for match in re.finditer(rf"^[ \t]*#[ \t]*define[ \t]+{name}(?=[ \t])", code, re.MULTILINE):
        spans.append((match.end(), _end_of_value(code, match.end(), "", newline_ends=True)))
    return sorted(set(spans))


def values_of_marker(source: Source, marker: str, markers: set[str]) -> list[list[Span]]:
    """For every comment that holds the marker, what it can stand in front of, the nearest first.

    The value after the next `=` or `#define NAME`, if one comes before any other statement; else the next
    group in brackets with its name; else, or if that does not fit, everything up to the end of the enclosing
    bracket. A comment with another one of the `markers` ends each of them.
    """
    others = [begin for other in markers - {marker} for begin, _ in _comments_with(source, other)]
    found = []
    for _, start in _comments_with(source, marker):
        limit = min((begin for begin in others if begin >= start), default=len(source.code))
        found.append(list(_values_after(source.code[:limit], start, source.syntax.newline_ends)))
    return found


_SIZES = r"(?<=\w)\[[^\[\]]*\]"
_ASSIGNED = re.compile(
    r"(?:[^=;{},()\[\]<>]|\([^=;{}()]*\)|\[(?:[^\[\]={}]|\[[^\[\]={}]*\])*\]|<[^;(){}=]*>)*=(?![=>])"
)
_BRACKET = re.compile(rf"(?:[^;,()\[\]{{}}<>\d=+\-*/%]|(?<=\w)\d|{_SIZES}|<[^;(){{}}=]*>)*(?=[(\[{{])")
_DEFINE = re.compile(r"\s*#[ \t]*define[ \t]+\w+")


def _values_after(code: str, start: int, newline_ends: bool) -> Iterator[Span]:
    if define := _DEFINE.match(code, start):
        yield define.end(), _end_of_value(code, define.end(), "", newline_ends=True)
        return
    found = _ASSIGNED.match(code, start)
    if first := found or _BRACKET.match(code, start):
        yield first.end(), _end_of_value(code, first.end(), ",;", newline_ends)
    if not found:
        yield start, _end_of_value(code, start, ";", newline_ends=False)


def _comments_with(source: Source, marker: str) -> list[Span]:
    pattern = re.compile(rf"(?<!\w){re.escape(_bytes_text(marker))}(?!\w)")
    return [(start, end) for start, end in source.comments if pattern.search(source.text, start, end)]


def _bytes_text(text: str) -> str:
    return text.encode().decode("latin-1")


def _end_of_value(code: str, start: int, stops: str, newline_ends: bool) -> int:
    """The first stop outside brackets, or the bracket that closes what was opened before."""
    first = start + len(code[start:]) - len(code[start:].lstrip())

    def line_end(offset: int) -> bool:
        return newline_ends and offset > first and not code[:offset].rstrip(" \t\r").endswith("\\")

    depth = 0
    for offset in range(start, len(code)):
        letter = code[offset]
        if letter in OPEN:
            depth += 1
        elif letter in CLOSE:
            if depth == 0:
                return offset
            depth -= 1
        elif depth == 0 and (letter in stops or (letter == "\n" and line_end(offset))):
            return offset
    return len(code)


# --- the numbers of a value ----------------------------------------------------------------------------

_TOKEN = re.compile(
    r"(?P<number>\d(?:[eE][+-]\d|[\w.']|\.)*)|(?P<name>[^\W\d]\w*)|(?P<sign>[+-])|(?P<other>\S)"
)
_PLAIN = re.compile(r"(?P<digits>0|[1-9][\d_']*)(?:[uUlLzZ]+|[iu](?:8|16|32|64|128|size))?")
_EXPRESSION = set("*/%|^~?<>@$")
_TEMPLATE = re.compile(r"(?<=\w)<[^<>;(){}]*>")
_INDEX = re.compile(
    r"(?<=[\w\]])\[[^\[\]]*\]"  # int[64], values[KNIGHT]
    r"|\[[^\[\]]*\](?=\s*=(?!=))"  # [KNIGHT] = …
    r"|\[[^\[\]]*\](?=(?:\[[^\[\]]*\])*[^\W\d])"  # [64]int
)


def numbers_in(source: Source, start: int, end: int) -> list[Number]:
    """The numbers between two offsets, in order; those in brackets after a name are sizes and no values.

    Raises FormatError for a preprocessor directive or an operator: an expression cannot be patched.
    """
    area = source.code[start:end]
    if source.syntax is C_LIKE and (line := re.search(r"^[ \t]*#", area, re.MULTILINE)):
        raise source.error(start + line.start(), "a preprocessor directive stands among the numbers")
    for pattern in (_TEMPLATE, _TEMPLATE, _INDEX, _INDEX):
        area = pattern.sub(_blanked, area)
    return list(_numbers(source, area, start))


def _numbers(source: Source, area: str, offset: int) -> Iterator[Number]:
    sign: int | None = None
    operand = False
    for token in _TOKEN.finditer(area):
        begin = offset + token.start()
        if token["number"]:
            plain = _PLAIN.fullmatch(token[0]) if area[token.start() - 1 : token.start()] != "." else None
            start = begin if sign is None else sign
            end = begin + len(plain["digits"] if plain else token[0])
            yield Number(start, end, source.text[start:end], plain is not None)
        elif sign is not None or token[0] in _EXPRESSION or (token["sign"] and operand):
            line = source.text.splitlines()[source.line(begin) - 1].strip()
            raise source.error(begin, "expected plain numbers, found an expression", line)
        sign = begin if token["sign"] else None
        operand = bool(token["number"] or token["name"] or token[0] in ")]")
    if sign is not None:
        raise source.error(sign, "expected a number after the sign")
