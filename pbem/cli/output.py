"""The streams, the settings and the exit codes of every command."""

from __future__ import annotations

import io
import os
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, NoReturn

import click

from pbem.config import BadSetting, Settings

if TYPE_CHECKING:  # known to type checkers alone; Python has it from 3.12 on
    from _typeshed import ReadableBuffer


class OutputLostError(Exception):
    """The standard output cannot be written; the argument is the system's message."""


class _Output(io.FileIO):
    """Reports the first failed write; later output is dropped, so that the program can end."""

    _is_lost = False

    def write(self, data: ReadableBuffer, /) -> int:
        """Write; raise only `BrokenPipeError` and `OutputLostError`."""
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
    """Drops lines that cannot be written, and tries again with the next."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write, and never raise an exception."""
        try:
            written: int | None = super().write(data)
        except OSError:
            written = None
        return memoryview(data).nbytes if written is None else written


@contextmanager
def guarded_output() -> Iterator[None]:
    """Ensure that all output is written at the end; otherwise an exception is raised.

    Raises:
        OutputLostError: some could not be written. It is no `OSError`, which might come from any other file.
        BrokenPipeError: nobody reads any more.
    """
    with _written_by(_Output):
        yield


@contextmanager
def lasting_output() -> Iterator[None]:
    """Print the log of a program that goes on, even while the output cannot be written."""
    with _written_by(_LastingOutput):
        yield


@contextmanager
def _written_by(kind: type[io.FileIO]) -> Iterator[None]:
    """Write output in one of the two ways, unless it goes nowhere, or to no file of the system."""
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
    """The same output, written in another way; None if it is closed, or no file of the system."""
    if not isinstance(plain, io.TextIOWrapper):
        return None
    try:
        raw = io.BufferedWriter(kind(plain.fileno(), "wb", closefd=False))
    except io.UnsupportedOperation:
        return None
    return io.TextIOWrapper(raw, plain.encoding, plain.errors, line_buffering=plain.line_buffering)


def safe(text: object) -> str:
    """A text on one line that cannot control a terminal."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in str(text))


OWN_FILES = 256
"""Files for the database, those of the process itself, and connections that are just being refused."""


def most_files() -> int:
    """Raise the limit of open files as far as the system allows; return it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def room_for_web(files: int, wanted: int, for_mail: int) -> int:
    """The number of connections that the web may have, so that letters always come in.

    Args:
        files: the limit of open files.
        wanted: connections, by the settings.
        for_mail: the most connections of the doors for letters.
    """
    return max(1, min(wanted, files - for_mail - OWN_FILES))


FAILED, MISUSE, TRY_LATER = 1, 2, 75
"""Exit codes; the last is EX_TEMPFAIL of sysexits.h."""
OVERTAKEN = "the server kept changing the data first; please try again"


def read_settings(*, serving: bool = False) -> Settings:
    """The settings of the environment, with those a server needs if one is to run; a wrong one ends the program."""
    try:
        return Settings.read(os.environ, serving=serving)
    except BadSetting as wrong:
        end(str(wrong), MISUSE)


def end(sentence: str, code: int = FAILED) -> NoReturn:
    """End the program with a sentence on the standard error, or one line for each of several problems."""
    for line in sentence.splitlines():
        click.echo(f"pbem: {line}", err=True)
    sys.exit(code)
