"""Streams of bytes made of others: the beginning put back, another end of line."""

from __future__ import annotations

import io
from typing import IO, Any, BinaryIO, cast

BUFFER = 1 << 20
LOOKED_AT = 1 << 16


class Layer(io.RawIOBase):
    """A stream made of another one: `piece` gives its next bytes. Closing it closes the other."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def piece(self, size: int) -> bytes:
        """At most `size` further bytes; none at the end."""
        raise NotImplementedError

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self.piece(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        if not self.closed:
            self._inner.close()
        super().close()


class _Joined(Layer):
    """Bytes that were read already, and what comes behind them."""

    def __init__(self, first: bytes, rest: IO[bytes]) -> None:
        super().__init__(rest)
        self._first = first

    def piece(self, size: int) -> bytes:
        piece: bytes = self._first[:size] or self._inner.read(size)
        self._first = self._first[len(piece) :]
        return piece


class _Newlines(Layer):
    """Text with newlines in the place of carriage returns."""

    def piece(self, size: int) -> bytes:
        text: bytes = self._inner.read(size)
        return text.replace(b"\r", b"\n")


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
