"""The one place that talks to numba: what is compiled, with which signature, and where it is kept.

* `primitive` leaves a function as it is and lets compiled code call it, so that one body serves plain
  Python ints (the oracle of the tests) and machine words.
* `kernel` compiles a loop over arrays once, without the interpreter lock.
* `compile_rule` turns the rule of a term into the address of a machine-code function. A loop over an
  array of such addresses needs no recompilation when another selection of terms is asked for.

Compiled code is kept in the user's cache folder, in a folder named by a hash of all sources of this
package and the versions of numba and llvmlite: an edited helper can never leave a stale kernel behind.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload, register_jitable, typeof_impl

F = TypeVar("F", bound=Callable[..., Any])

SOURCES = Path(__file__).parent
KEPT_CACHES = 4


def source_key() -> str:
    """Hash of every source file of this package and of the compiler's version."""
    digest = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__} {sys.version}".encode())
    for path in sorted(SOURCES.rglob("*.py")):
        digest.update(path.relative_to(SOURCES).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_home() -> Path:
    """Where compiled code is kept: $EVALCORE_CACHE, or the user's cache folder."""
    if given := os.environ.get("EVALCORE_CACHE"):
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~")).expanduser() / "evalcore"
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "evalcore"


@cache
def cache_folder() -> Path | None:
    """The folder for this version of the sources, or None where nothing can be written."""
    folder = cache_home() / source_key()
    try:
        if not folder.exists():
            folder.mkdir(parents=True)
            _forget_old_caches(folder)
        return folder if os.access(folder, os.W_OK) else None
    except OSError:
        return None


def cache_is_empty() -> bool:
    """Whether nothing has been compiled yet for this version of the sources."""
    folder = cache_folder()
    return folder is None or not any(folder.rglob("*.nbi"))


def _forget_old_caches(newest: Path) -> None:
    others = [path for path in newest.parent.iterdir() if path.is_dir() and path != newest]
    others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in others[KEPT_CACHES - 1 :]:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _cached() -> Any:
    """Points numba at our folder while a function is decorated, and nowhere else."""
    before = numba.config.CACHE_DIR
    folder = cache_folder()
    numba.config.CACHE_DIR = str(folder) if folder else before
    try:
        yield folder is not None
    finally:
        numba.config.CACHE_DIR = before


def primitive(function: F) -> F:
    """A small pure function for both worlds: Python ints and compiled code."""
    return register_jitable(function)  # type: ignore[no-any-return]


def kernel(function: F) -> F:
    """A compiled loop over arrays: compiled at the first call, kept on disk, free of the interpreter lock."""
    with _cached() as keep:
        return numba.njit(nogil=True, cache=keep)(function)  # type: ignore[no-any-return]


class Constant(int):
    """A 64-bit constant: a plain int in Python, an unsigned machine word in compiled code."""


@typeof_impl.register(Constant)  # type: ignore[untyped-decorator]
def _typeof_constant(_value: Constant, _context: Any) -> Any:
    return types.uint64


def builtin(returns: Any, emit: Callable[[Any, Any], Any]) -> Callable[[F], F]:
    """Gives a one-argument primitive a machine instruction as its compiled form.

    `emit(builder, word)` returns the LLVM value; the decorated Python body remains the definition.
    """

    @intrinsic  # type: ignore[untyped-decorator]
    def instruction(_typing: Any, word: Any) -> Any:
        return returns(types.uint64), lambda _context, builder, _signature, arguments: emit(
            builder, arguments[0]
        )

    def decorate(function: F) -> F:
        @overload(function, inline="never")
        def _compiled(word):  # type: ignore[no-untyped-def]  # numba compares the two signatures
            return lambda word: instruction(word)

        return function

    return decorate


def compile_rule(rule: Callable[..., Any], signature: Any, *, cached: bool) -> Any:
    """A C function made of `rule`; its `.address` can be called by `call_set`, `call_piece` or `call_count`.

    The returned object must be kept alive as long as the address is used. `cached=False` for rules that
    live outside this package: their helpers are not part of the cache key.
    """
    with _cached() as keep:
        # "numpy": a division by zero gives zero; an exception could not leave a C function
        return numba.cfunc(signature, cache=cached and keep, error_model="numpy")(rule)


def called(function: Callable[..., Any]) -> Any:
    """An intrinsic that compiled code calls without the typing context of its definition."""
    return intrinsic(function)


def _caller(returns: Any, *extra: Any) -> Any:
    """An intrinsic that calls the function at `address` with a pointer and further integer arguments."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        types_ = [pointer, *(context.get_value_type(each) for each in extra)]
        function = ir.FunctionType(context.get_value_type(returns), types_)
        target = builder.inttoptr(arguments[0], function.as_pointer())
        record = builder.inttoptr(arguments[1], pointer)
        return builder.call(target, [record, *arguments[2:]])

    return emit


@called
def call_set(_typing: Any, address: Any, record: Any) -> Any:
    """Calls a rule `(us) -> squares` on the record at an address."""
    return types.uint64(types.int64, types.int64), _caller(types.uint64)


@called
def call_piece(_typing: Any, address: Any, record: Any, square: Any) -> Any:
    """Calls a rule `(us, square) -> squares` on the record at an address."""
    return types.uint64(types.int64, types.int64, types.int64), _caller(types.uint64, types.int64)


@called
def call_count(_typing: Any, address: Any, record: Any) -> Any:
    """Calls a rule `(us) -> int` on the record at an address."""
    return types.int64(types.int64, types.int64), _caller(types.int64)
