"""The standard output, and what is said when it cannot be written."""

from __future__ import annotations

import io
import sys
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _typeshed import ReadableBuffer


class OutputLostError(Exception):
    """The standard output cannot be written; the argument is what the system says."""


class _Output(io.FileIO):
    """The first write that fails is told; what is written after it is dropped, so that the program can end."""

    _is_lost = False

    def write(self, data: ReadableBuffer, /) -> int:
        """Write, and raise nothing but `BrokenPipeError` and `OutputLostError`."""
        if self._is_lost:
            return memoryview(data).nbytes
        try:
            return super().write(data)
        except BrokenPipeError:
            self._is_lost = True
            raise
        except OSError as failed:
            self._is_lost = True
            raise OutputLostError(failed.strerror) from failed


@contextmanager
def guarded_output() -> Iterator[None]:
    """All that is printed is written at the end, or else there is an exception.

    Raises:
        OutputLostError: not all could be written. It is no `OSError`, which might come from any other file.
        BrokenPipeError: nobody reads any more.
    """
    output = _guarded(sys.stdout)
    if output is None:
        yield
        return
    with redirect_stdout(output):
        try:
            yield
        finally:
            output.flush()


def _guarded(plain: object) -> io.TextIOWrapper | None:
    """The same output, guarded; None if it is closed, or no file of the system's."""
    if not isinstance(plain, io.TextIOWrapper):
        return None
    try:
        raw = io.BufferedWriter(_Output(plain.fileno(), "wb", closefd=False))
    except io.UnsupportedOperation:
        return None
    return io.TextIOWrapper(raw, plain.encoding, plain.errors, line_buffering=plain.line_buffering)
