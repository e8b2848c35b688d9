"""Letters made to break the server, through a running one."""

from __future__ import annotations

import smtplib
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.mail_in.parts import UnreadableLetter, check_shape
from tests.mail_in.nasty import all_nasty
from tests.support.corpora import require_corpus
from tests.support.mail import PATIENCE, Person
from tests.support.server import RunningServer, running_server

_GROWTH_KIB = 32 * 1024
"""The most that a warm server may grow; if it kept what it reads, it would grow more."""
_SLOW = 0.5


def resident_kib(pid: int) -> int:
    """The memory that a process holds."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def is_refused_at_the_door(raw: bytes) -> bool:
    """Return True if a letter is of a shape that the door does not take."""
    try:
        check_shape(raw)
    except UnreadableLetter:
        return True
    return False


def answered(server: RunningServer, address: str, raw: bytes) -> tuple[float, str]:
    """Mail a letter from an address; return the seconds until the answer, and the answer's Subject."""
    person = Person(address, server.postbox, server.port)
    began = time.monotonic()
    person.mails(
        raw, f"pbem+{address.partition('@')[0]}@localhost"
    )  # without a head they would be taken for one letter
    subject = person.hears(PATIENCE).subject
    return time.monotonic() - began, subject


def test_every_nasty_letter_is_answered_or_rightly_ignored_and_none_stops_the_server(
    tmp_path: Path, record_testsuite_property: Callable[[str, object], None]
) -> None:
    nasty = [(each, *each.from_sender(number)) for number, each in enumerate(all_nasty())]
    slow, memory = [], []
    with running_server(tmp_path) as server:
        for number, (each, address, raw) in enumerate(nasty):
            if number == len(nasty) // 3:
                memory.append(resident_kib(server.pid))
            if is_refused_at_the_door(raw):
                assert each.fate.startswith("shunted"), each.name
                with pytest.raises(smtplib.SMTPDataError, match="554"):
                    Person(address, server.postbox, server.port).mails(raw)
                continue
            if not each.is_answered:
                Person(address, server.postbox, server.port).mails(raw)
                continue
            seconds, subject = answered(server, address, raw)
            is_sorry = subject == "pbem could not handle your letter"
            assert is_sorry == each.fate.startswith("shunted") or each.fate == "answered", (each.name, subject)
            slow += [each.name] * (seconds > _SLOW)
        memory.append(resident_kib(server.pid))
        server.person("last").says("help")
        assert server.person("last").hears().subject == "pbem help"
        ignored = [address for each, address, _ in nasty if not each.is_answered]
        assert ignored
        assert not [address for address in ignored if server.postbox.unread_for(address)]
    assert memory[1] - memory[0] < _GROWTH_KIB
    record_testsuite_property("letters answered in more than half a second", ", ".join(slow) or "none")
    record_testsuite_property("memory grown by KiB", memory[1] - memory[0])


@pytest.mark.parametrize("corpus", ["cpython", "flufl.bounce"])
def test_every_letter_that_others_have_gathered_is_done_with_or_shunted(tmp_path: Path, corpus: str) -> None:
    letters = require_corpus(corpus)
    with running_server(tmp_path) as server:
        for number, letter in enumerate(letters):
            person = Person(f"n{number:04}@example.org", server.postbox, server.port)
            person.mails(letter.read_bytes(), f"pbem+n{number:04}@localhost")
        server.person("last").says("help")
        assert server.person("last").hears().subject == "pbem help"
    states = dict(server.database.rows("SELECT state, count(*) FROM inbox GROUP BY state"))
    assert states.keys() <= {"done", "shunted"}
    assert states.get("shunted", 0) <= len(letters) // 20
