"""Files that appear whole or not at all."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from .errors import InputError


@contextlib.contextmanager
def replacing(path: Path, mode: str = "wb") -> Iterator[IO[Any]]:
    """A file to write into; it takes the name `path` when the block ends well, and vanishes otherwise.

    Raises InputError where the file cannot be written (no folder, no permission, disk full). A link keeps
    pointing where it points. What is no regular file (a pipe), and anything under /dev and /proc, is
    written to as it is: /dev/stdout may well be a regular file, but its name is not ours to take.
    """
    if _is_device(path):
        with _opened(path, mode) as file:
            yield file
        return
    path = path.resolve()
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from error
    options: dict[str, Any] = {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
    try:
        with os.fdopen(descriptor, mode, **options) as file:
            yield file
            file.flush()
            os.fsync(descriptor)
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except OSError as error:
        _remove(temporary)
        raise InputError(f"{path}: cannot be written ({error.strerror or error})") from error
    except BaseException:
        _remove(temporary)
        raise


def _is_device(path: Path) -> bool:
    top = path.absolute().parts[1:2]
    return top in (("dev",), ("proc",)) or (path.exists() and not path.is_file())


def _opened(path: Path, mode: str) -> IO[Any]:
    try:
        return path.open(mode)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from error


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        Path(path).unlink()


def write_text(path: Path, text: str) -> None:
    """Writes UTF-8 text with `\\n` line ends, whole or not at all."""
    with replacing(path, "w") as file:
        file.write(text)


def write_bytes(path: Path, data: bytes) -> None:
    """Writes bytes, whole or not at all."""
    with replacing(path) as file:
        file.write(data)
