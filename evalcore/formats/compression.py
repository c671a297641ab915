"""Files as streams of bytes: decompressed by their first bytes, UTF-16 as UTF-8, compressed by suffix."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, BinaryIO, cast

from ..errors import FormatError, InputError
from .streams import BUFFER, Layer, joined

MAGIC_BYTES = 8
GZIP_LEVEL = 6
ENCRYPTED = 1
"""Bit of the flags of a zip archive's member."""


def _open_zstd(file: IO[bytes], mode: str) -> IO[bytes]:
    """Python 3.14 has zstd; before it, a backport of the same module."""
    try:
        from compression import zstd
    except ImportError:
        from backports import zstd
    return cast(IO[bytes], zstd.ZstdFile(file, mode))


class Unsupported(Exception):
    """What is wrong with a file that is not damaged and yet cannot be opened."""


def _open_zip(file: IO[bytes], mode: str) -> IO[bytes]:
    """The only member of an archive."""
    if not file.seekable():
        raise Unsupported("a zip archive is read from its end and cannot come from a pipe; name a file")
    try:
        archive = zipfile.ZipFile(file)
        members = [each for each in archive.infolist() if not each.is_dir()]
        if len(members) != 1:
            raise Unsupported(f"a zip archive of one file was expected, this one holds {len(members)}")
        if members[0].flag_bits & ENCRYPTED:
            raise Unsupported("the zip archive is encrypted; unpack it first")
        return archive.open(members[0])
    except NotImplementedError as error:
        raise Unsupported(
            f"the zip archive is packed in an unknown way ({error}); unpack it first"
        ) from error


def _open_gzip(file: IO[bytes], mode: str) -> IO[bytes]:
    """Without a time stamp, so that the same rows give the same bytes."""
    return cast(IO[bytes], gzip.GzipFile("", mode, GZIP_LEVEL, fileobj=file, mtime=0))


def _open_bz2(file: IO[bytes], mode: str) -> IO[bytes]:
    return cast(IO[bytes], bz2.open(file, mode))


def _open_xz(file: IO[bytes], mode: str) -> IO[bytes]:
    return cast(IO[bytes], lzma.open(file, mode))


Opener = Callable[[IO[bytes], str], IO[bytes]]

BY_MAGIC: Mapping[bytes, Opener] = {
    b"\x1f\x8b": _open_gzip,
    b"BZh": _open_bz2,
    b"\xfd7zXZ\0": _open_xz,
    b"\x28\xb5\x2f\xfd": _open_zstd,
    b"PK\x03\x04": _open_zip,
}
BY_SUFFIX: Mapping[str, Opener] = {
    ".gz": _open_gzip,
    ".bz2": _open_bz2,
    ".xz": _open_xz,
    ".zst": _open_zstd,
}
DAMAGE = (EOFError, OSError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
"""What decompressors raise on damaged files (a ZstdError is caught by its name)."""


class _Content(Layer):
    """Decompressed content; damage becomes a FormatError that names the file."""

    def __init__(self, path: Path, file: IO[bytes], inner: IO[bytes]) -> None:
        super().__init__(inner)
        self._path, self._file = path, file

    def piece(self, size: int) -> bytes:
        try:
            piece: bytes = self._inner.read(size)
        except Exception as error:
            if isinstance(error, DAMAGE) or type(error).__name__ == "ZstdError":
                raise damaged(self._path, error) from error
            raise
        return piece

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._file.close()


def damaged(path: Path, error: Exception) -> FormatError:
    """The error for a file whose content cannot be read or decompressed."""
    return FormatError(path, None, f"the file is damaged or cut off ({error})")


def opened(path: Path) -> BinaryIO:
    """The file itself; InputError where it cannot be opened."""
    try:
        return path.open("rb")
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from error


class Content:
    """What is in one file, decompressed: its beginning, and then all of it.

    A pipe can be read only once, so it stays open between the two.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._is_pipe = path, not path.is_file()
        self._begun: BinaryIO | None = None

    def head(self, size: int) -> bytes:
        """The first bytes."""
        stream = open_decompressed(self._path)
        if not self._is_pipe:
            with stream:
                return stream.read(size)
        head = stream.read(size)
        self._begun = joined(head, stream)
        return head

    def open(self) -> BinaryIO:
        """The content from the start."""
        if not self._is_pipe:
            return open_decompressed(self._path)
        if self._begun is None:
            raise FormatError(self._path, None, "a pipe can be read only once")
        stream, self._begun = self._begun, None
        return stream


def open_decompressed(path: Path) -> BinaryIO:
    """The decompressed content of a file, as a buffered stream; one level of compression."""
    file = opened(path)
    try:
        magic = file.read(MAGIC_BYTES)
        if file.seekable():
            file.seek(0)
        else:
            file = joined(magic, file)
        opener = next((each for start, each in BY_MAGIC.items() if magic.startswith(start)), None)
        inner = opener(file, "rb") if opener else file
    except Exception as error:
        file.close()
        if isinstance(error, Unsupported):
            raise FormatError(path, None, str(error)) from error
        if isinstance(error, DAMAGE):
            raise damaged(path, error) from error
        raise
    content = io.BufferedReader(_Content(path, file, inner), BUFFER)
    return as_utf8(cast(BinaryIO, content)) if is_utf16(content.peek(64)[:64]) else cast(BinaryIO, content)


def is_utf16(head: bytes) -> bool:
    """Whether a file is text as some shells of Windows write it: a mark, then a zero in every second byte."""
    if len(head) < 4 or not head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return False
    zeros = head[3::2] if head.startswith(codecs.BOM_UTF16_LE) else head[2::2]
    return not any(zeros)


def as_utf8(content: BinaryIO) -> BinaryIO:
    """UTF-16 text as UTF-8."""
    recoded = codecs.EncodedFile(content, "utf-8", "utf-16", "replace")
    return cast(BinaryIO, io.BufferedReader(_Recoded(recoded), BUFFER))


class _Recoded(Layer):
    """A recoding stream, which may give more bytes than were asked for, as one that does not."""

    def __init__(self, inner: codecs.StreamRecoder) -> None:
        super().__init__(inner)
        self._waiting = b""

    def piece(self, size: int) -> bytes:
        if not self._waiting:
            self._waiting = self._inner.read(size)
        piece, self._waiting = self._waiting[:size], self._waiting[size:]
        return piece


def compressor(path: Path) -> Opener | None:
    """How a file of this name is compressed when written."""
    return BY_SUFFIX.get(path.suffix.lower())


def without_compression(path: Path) -> Path:
    """The name without the suffix of a compression."""
    return path.with_suffix("") if compressor(path) else path
