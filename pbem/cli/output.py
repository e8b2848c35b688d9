"""The standard output, and what is said when it cannot be written."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # known to type checkers alone; Python has it from 3.12 on
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


class _LastingOutput(io.FileIO):
    """What cannot be written is dropped, and the next line is tried anew."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write, and raise nothing."""
        try:
            written: int | None = super().write(data)
        except OSError:
            written = None
        return memoryview(data).nbytes if written is None else written


@contextmanager
def guarded_output() -> Iterator[None]:
    """All that is printed is written at the end, or else there is an exception.

    Raises:
        OutputLostError: not all could be written. It is no `OSError`, which might come from any other file.
        BrokenPipeError: nobody reads any more.
    """
    with _written_by(_Output):
        yield


@contextmanager
def lasting_output() -> Iterator[None]:
    """What is printed is the log of a program that goes on, whether or not it can be written just now."""
    with _written_by(_LastingOutput):
        yield


@contextmanager
def _written_by(kind: type[io.FileIO]) -> Iterator[None]:
    """Have what is printed written in one of the two ways, unless it goes nowhere, or to no file of the system's."""
    output = _output_of(kind, sys.stdout)
    if output is None:
        yield
        return
    with redirect_stdout(output):
        try:
            yield
        finally:
            output.flush()


def _output_of(kind: type[io.FileIO], plain: object) -> io.TextIOWrapper | None:
    """The same output, written in another way; None if it is closed, or no file of the system's."""
    if not isinstance(plain, io.TextIOWrapper):
        return None
    try:
        raw = io.BufferedWriter(kind(plain.fileno(), "wb", closefd=False))
    except io.UnsupportedOperation:
        return None
    return io.TextIOWrapper(raw, plain.encoding, plain.errors, line_buffering=plain.line_buffering)
