"""Streams of bytes made of others: the beginning put back, another end of line."""

from __future__ import annotations

import io
from typing import IO, Any, BinaryIO, cast

BUFFER = 1 << 20
LOOKED_AT = 1 << 16


class _Joined(io.RawIOBase):
    """Bytes that were read already, and what comes behind them."""

    def __init__(self, first: bytes, rest: IO[bytes]) -> None:
        self._first, self._rest = first, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._first[: len(buffer)] or self._rest.read(len(buffer))
        self._first = self._first[len(piece) :]
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        if not self.closed:
            self._rest.close()
        super().close()


class _Newlines(io.RawIOBase):
    """Text with newlines in the place of carriage returns."""

    def __init__(self, inner: IO[bytes]) -> None:
        self._inner = inner

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._inner.read(len(buffer)).replace(b"\r", b"\n")
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        if not self.closed:
            self._inner.close()
        super().close()


def joined(first: bytes, rest: IO[bytes]) -> BinaryIO:
    """A stream from which something was read, as if nothing had been."""
    return cast(BinaryIO, io.BufferedReader(_Joined(first, rest), BUFFER))


def with_newlines(text: BinaryIO) -> BinaryIO:
    """The text, with newlines where its lines end in nothing but a carriage return, as on old Macintoshes."""
    if not isinstance(text, io.BufferedReader):
        return text
    head = text.peek(LOOKED_AT)[:LOOKED_AT]
    if b"\r" not in head or b"\n" in head:
        return text
    return cast(BinaryIO, io.BufferedReader(_Newlines(text), BUFFER))
