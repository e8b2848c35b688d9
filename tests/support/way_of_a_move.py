"""Follows one move by mail through the code, from the SMTP session to the rows of the outbox.

The server runs in this process, without its child that reads letters. Nothing is counted
of what the first move does, on another board: it fills the caches.
"""

from __future__ import annotations

import asyncio
import inspect
import smtplib
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass
from itertools import count
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import structlog
from sqlalchemy import func, select

import pbem
from pbem.bootstrap.server import Server
from pbem.cli.serve import new_event_loop
from pbem.cli.settings import configure_logs
from pbem.config import Listen, Settings
from pbem.mail_in.mime import ReadLetter
from pbem.mail_in.reading import Reader
from pbem.storage.engine import reading
from pbem.storage.models import MailRow
from tests.support.mail import PATIENCE
from tests.support.readers import OURS

_PACKAGE = Path(pbem.__file__).parent
_BEFORE = (
    "signup alice secret",
    "signup bob secret",
    *["superbo challenge bob"] * 2,
    "superbo move 101 alice secret b3",
)
_MOVE = "superbo move 102 alice secret b3"


@dataclass(frozen=True)
class WayOfAMove:
    """The part of the code that one move runs through."""

    modules: tuple[str, ...]
    """Those of which functions ran, by name."""
    lines: int
    """Of the functions that ran, each counted once."""
    shapes: tuple[str, ...]
    """The names of the dataclasses and named tuples of which it made instances."""


class _ReaderHere(Reader):
    """Reads letters in this process."""

    def warm_up(self) -> None:
        """There is no child."""

    def _answer(self, raw: bytes, *, may_be_bounce: bool) -> ReadLetter | str:
        return self._read_bytes(raw, self._ours, may_be_bounce=may_be_bounce)


class _Recorder:
    """Notes the functions that run in any thread begun since, while it is on."""

    def __init__(self) -> None:
        self.is_on = False
        self.ran: dict[int, CodeType] = {}
        """By their identity: the constructors of dataclasses with the same fields are equal."""

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        if self.is_on and event == "call":
            self.ran[id(frame.f_code)] = frame.f_code


@contextmanager
def _recording() -> Iterator[_Recorder]:
    recorder = _Recorder()
    threading.setprofile(recorder)
    sys.setprofile(recorder)
    try:
        yield recorder
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def way_of_a_move() -> WayOfAMove:
    """Have a server take and answer a move, and follow it."""
    if not structlog.is_configured():
        configure_logs("warning")
    with tempfile.TemporaryDirectory() as folder, _recording() as recorder:
        settings = {"PBEM_DATABASE_URL": f"sqlite:///{folder}/pbem.db", "PBEM_RELAY_URL": f"maildir:{folder}/mail"}
        settings |= {"PBEM_SMTP_LISTEN": "127.0.0.1:0", "PBEM_CONFIRM_SIGNUP": "false", "PBEM_WORKER_THREADS": "1"}
        settings |= {"PBEM_PASSWORD_MEMORY_KIB": "8", "PBEM_PASSWORD_ROUNDS": "1"}
        server = Server(Settings.read(settings), _ReaderHere(20, 512, OURS))
        try:
            server.prepare()
            with asyncio.Runner(loop_factory=new_event_loop) as runner:
                runner.run(_followed(server, recorder))
        finally:
            server.close()
    return _told(recorder.ran)


async def _followed(server: Server, recorder: _Recorder) -> None:
    """Open the door, and have the letters come in by it."""
    door = server.doors()["smtp"]
    where = await door.open()
    assert isinstance(where, Listen)
    for line in _BEFORE:
        await asyncio.to_thread(_answered, server, where.port, line)
    before = _mails(server)
    recorder.is_on = True
    await asyncio.to_thread(_answered, server, where.port, _MOVE)
    recorder.is_on = False
    assert _mails(server) == before + 2, "both players are told of a move"
    await door.close(0)


_NUMBERS = count(1)


def _answered(server: Server, port: int, line: str) -> None:
    """Send a letter by SMTP, and have a worker answer it."""
    sender = "bob@example.org" if " bob secret" in line else "alice@example.org"
    raw = (
        f"From: {sender}\r\nTo: {OURS.address}\r\nSubject: {line}\r\nMessage-ID: <{next(_NUMBERS)}@example.org>\r\n\r\n"
    )
    with smtplib.SMTP("127.0.0.1", port, "example.org", PATIENCE) as client:
        client.sendmail(sender, [OURS.address], raw.encode())
    (worker,) = server.loops.workers
    assert worker.step()


def _mails(server: Server) -> int:
    with reading(server.engine) as connection:
        return connection.execute(select(func.count(MailRow.id))).scalar_one()


def _told(ran: Mapping[int, CodeType]) -> WayOfAMove:
    functions = [code for code in ran.values() if _is_function_of_ours(code)]
    lines = {(code.co_filename, line) for code in functions for line in _lines(code)}
    shapes = sorted(f"{each.__module__}.{each.__qualname__}" for each in _shapes() if id(_constructor(each)) in ran)
    return WayOfAMove(tuple(sorted({_module(code) for code in functions})), len(lines), tuple(shapes))


def _is_function_of_ours(code: CodeType) -> bool:
    """Return True if this is neither of a library nor the body of a module or a class."""
    return Path(code.co_filename).is_relative_to(_PACKAGE) and bool(code.co_flags & inspect.CO_OPTIMIZED)


def _module(code: CodeType) -> str:
    path = Path(code.co_filename).relative_to(_PACKAGE.parent).with_suffix("")
    return ".".join(path.parts).removesuffix(".__init__")


def _lines(code: CodeType) -> range:
    lines, first = inspect.getsourcelines(code)
    return range(first, first + len(lines))


def _shapes() -> Iterator[type]:
    """The dataclasses and named tuples of all modules of ours that were imported."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "pbem":
            for each in vars(module).values():
                if isinstance(each, type) and each.__module__ == name and (is_dataclass(each) or _is_named_tuple(each)):
                    yield each


def _is_named_tuple(kind: type) -> bool:
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


def _constructor(kind: type) -> CodeType | None:
    """The code that runs when an instance is made."""
    made_by = vars(kind).get("__new__" if issubclass(kind, tuple) else "__init__")
    return made_by.__code__ if isinstance(made_by, FunctionType) else None
