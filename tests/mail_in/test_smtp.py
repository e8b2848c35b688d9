"""The SMTP door, on a real port."""

from __future__ import annotations

import asyncio
import smtplib
import socket
import time
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest

from pbem.config import Listen
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.smtp import SmtpDoor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from pbem.domain.letters import Envelope

PATIENCE = 20.0
OURS = "pbem@localhost"
LETTER = b"Subject: help\r\n\r\nHello\r\n"
MOST = 2000


class Door:
    """A door on an ephemeral port, and what came in through it."""

    def __init__(self) -> None:
        self.letters: list[tuple[Envelope, bytes]] = []
        self.answers: list[Future[bool]] = []
        self.answer: Callable[[Future[bool]], None] = lambda future: future.set_result(True)
        """What becomes of a letter that came in."""
        self.came = Event()
        self.port = 0
        self._ready = Event()
        self._loop = asyncio.new_event_loop()
        self._door = SmtpDoor(Listen("127.0.0.1", 0), self._accept, OwnAddress(OURS), MOST)
        self._thread = Thread(target=self._run)

    def _accept(self, envelope: Envelope, raw: bytes, at: datetime) -> Future[bool]:
        assert at.tzinfo is not None
        future: Future[bool] = Future()
        future.set_running_or_notify_cancel()
        self.letters.append((envelope, raw))
        self.answers.append(future)
        self.came.set()
        self.answer(future)
        return future

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        _, self.port = self._loop.run_until_complete(self._door.open())
        self._ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    def open(self) -> None:
        self._thread.start()
        assert self._ready.wait(PATIENCE)

    def close(self, patience: float) -> None:
        asyncio.run_coroutine_threadsafe(self._door.close(patience), self._loop).result(PATIENCE)

    def begin_to_close(self, patience: float) -> Future[None]:
        return asyncio.run_coroutine_threadsafe(self._door.close(patience), self._loop)

    def end(self) -> None:
        self.close(0)
        asyncio.run_coroutine_threadsafe(self._finish(), self._loop).result(PATIENCE)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)

    async def _finish(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*others, return_exceptions=True)

    def take_one(self) -> None:
        """Have a letter sent, as a client does that waits for the answer."""
        with self.client() as client:
            client.sendmail("a@example.org", [OURS], LETTER)

    def client(self) -> smtplib.SMTP:
        return smtplib.SMTP("127.0.0.1", self.port, local_hostname="test", timeout=PATIENCE)


@pytest.fixture
def door() -> Iterator[Door]:
    door = Door()
    door.open()
    yield door
    for future in door.answers:
        if not future.done():
            future.set_result(True)
    door.end()


def dont_answer(_future: Future[bool]) -> None:
    """Leave a letter waiting for its commit."""


@contextmanager
def raw(door: Door) -> Iterator[tuple[socket.socket, Callable[[], str]]]:
    """A connection to type into, and the next line that the server says."""
    with socket.create_connection(("127.0.0.1", door.port), timeout=PATIENCE) as connection:
        said = connection.makefile("r", encoding="ascii", newline="\r\n")
        with said:
            yield connection, lambda: said.readline().rstrip("\r\n")


def talk(connection: socket.socket, said: Callable[[], str], *lines: str) -> str:
    """Type lines, one answer each; return the last answer."""
    answer = said()
    for line in lines:
        connection.sendall(line.encode() + b"\r\n")
        answer = said()
    return answer


TO_DATA = ("HELO test", "MAIL FROM:<a@example.org>", f"RCPT TO:<{OURS}>", "DATA")


def test_a_letter_comes_in_with_its_envelope_and_its_bytes(door: Door) -> None:
    dots = b"Subject: help\r\n\r\n.\r\n..x\r\nFrom y\r\n\xff\x00\r\n"
    with door.client() as client:
        assert client.sendmail("a@example.org", [OURS, "PBEM+x@LOCALHOST"], dots) == {}
    ((envelope, received),) = door.letters
    assert (envelope.sender, envelope.recipients) == ("a@example.org", (OURS, "PBEM+x@LOCALHOST"))
    assert received == dots


def test_the_null_sender_is_taken(door: Door) -> None:
    with door.client() as client:
        client.sendmail("", [OURS], LETTER)
    assert door.letters[0][0].sender == ""


def test_it_is_safe_before_it_is_answered_250(door: Door) -> None:
    door.answer = dont_answer
    with raw(door) as (connection, said):
        assert talk(connection, said, *TO_DATA).startswith("354")
        connection.sendall(LETTER + b".\r\n")
        assert door.came.wait(PATIENCE)
        connection.settimeout(0.2)
        with pytest.raises(TimeoutError):
            connection.recv(1)
        connection.settimeout(PATIENCE)
        door.answers[0].set_result(True)
        assert connection.recv(100).startswith(b"250 ")


@pytest.mark.parametrize("new", [True, False])
def test_a_letter_seen_before_is_answered_250_too(door: Door, new: bool) -> None:
    door.answer = lambda future: future.set_result(new)
    with door.client() as client:
        assert client.sendmail("a@example.org", [OURS], LETTER) == {}


@pytest.mark.parametrize(
    "recipient", ["other@localhost", "pbem@example.org", "pbem", "postmaster@localhost", "a%b@localhost"]
)
def test_other_recipients_are_refused_and_nothing_is_relayed(door: Door, recipient: str) -> None:
    with door.client() as client:
        client.helo()
        client.mail("a@example.org")
        assert client.rcpt(recipient)[0] == 550
        assert client.docmd("DATA")[0] == 503
    assert door.letters == []


def test_our_address_beside_another_still_gets_the_letter(door: Door) -> None:
    with door.client() as client:
        refused = client.sendmail("a@example.org", ["other@example.org", OURS], LETTER)
    assert list(refused) == ["other@example.org"]
    assert door.letters[0][0].recipients == (OURS,)


def test_the_size_limit_is_announced_and_kept(door: Door) -> None:
    with door.client() as client:
        client.ehlo()
        assert client.esmtp_features["size"] == str(MOST)
        assert "smtputf8" not in client.esmtp_features
        assert client.docmd(f"MAIL FROM:<a@example.org> SIZE={MOST + 1}")[0] == 552
    with door.client() as client:
        client.helo()
        client.mail("a@example.org")
        client.rcpt(OURS)
        assert client.data(b"x" * 70 + b"\r\n" + (b"y" * 70 + b"\r\n") * 40)[0] == 552
        assert client.sendmail("a@example.org", [OURS], LETTER) == {}
    assert [received for _, received in door.letters] == [LETTER]


def test_a_failing_store_is_451_and_tells_nothing_of_itself(door: Door) -> None:
    door.answer = lambda future: future.set_exception(RuntimeError("secret words of the disk"))
    with door.client() as client:
        client.helo()
        client.mail("a@example.org")
        client.rcpt(OURS)
        code, text = client.data(LETTER)
        assert (code, text[:6]) == (451, b"4.3.0 ")
        assert b"secret" not in text
        assert b"RuntimeError" not in text
        door.answer = lambda future: future.set_result(True)
        assert client.sendmail("a@example.org", [OURS], LETTER) == {}


def test_a_store_that_breaks_before_it_begins_is_451_too(door: Door) -> None:
    def break_down(_future: Future[bool]) -> None:
        raise LookupError("secret words of a bug")

    door.answer = break_down
    with door.client() as client:
        client.helo()
        client.mail("a@example.org")
        client.rcpt(OURS)
        code, text = client.data(LETTER)
    assert code == 451
    assert b"secret" not in text
    assert b"LookupError" not in text


def test_a_client_that_hangs_up_after_data_has_its_letter_stored(door: Door) -> None:
    door.answer = dont_answer
    with raw(door) as (connection, said):
        talk(connection, said, *TO_DATA)
        connection.sendall(LETTER + b".\r\n")
        assert door.came.wait(PATIENCE)
    (future,) = door.answers
    assert not future.cancelled()
    future.set_result(True)
    with door.client() as client:
        assert client.noop()[0] == 250


def test_a_client_that_hangs_up_before_the_dot_has_sent_nothing(door: Door) -> None:
    with raw(door) as (connection, said):
        talk(connection, said, *TO_DATA)
        connection.sendall(LETTER)
    with door.client() as client:
        client.sendmail("a@example.org", [OURS], LETTER)
    assert len(door.letters) == 1


def test_many_sessions_may_wait_for_their_commits_at_once(door: Door) -> None:
    door.answer = dont_answer
    clients = [Thread(target=door.take_one) for _ in range(8)]
    for client in clients:
        client.start()
    deadline = time.monotonic() + PATIENCE
    while len(door.letters) < len(clients) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(door.letters) == len(clients)
    for future in door.answers:
        future.set_result(True)
    for client in clients:
        client.join(PATIENCE)
        assert not client.is_alive()


@pytest.mark.parametrize(
    "line",
    [
        "",
        "HELO",
        "NONSENSE",
        "MAIL",
        "MAIL FROM:",
        "RCPT TO:<a@b>",
        "DATA",
        "VRFY",
        "MAIL FROM:<a@b> X=Y",
        "MAIL FROM:<\xff@b>",
    ],
)
def test_a_wrong_command_is_refused_and_the_session_goes_on(door: Door, line: str) -> None:
    with raw(door) as (connection, said):
        said()
        connection.sendall(line.encode("latin-1") + b"\r\n")
        assert said()[0] == "5"
        connection.sendall(b"NOOP\r\n")
        assert said().startswith("250")


def test_closing_says_goodbye_to_an_idle_client_at_once(door: Door) -> None:
    with raw(door) as (connection, said):
        talk(connection, said, "HELO test")
        door.close(PATIENCE)
        assert said().startswith("421 ")
        assert said() == ""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", door.port), timeout=PATIENCE)


def test_closing_lets_a_letter_under_way_finish(door: Door) -> None:
    with raw(door) as (connection, said):
        assert talk(connection, said, *TO_DATA).startswith("354")
        closing = door.begin_to_close(PATIENCE)
        connection.sendall(LETTER + b".\r\n")
        assert said().startswith("250 ")
        assert said().startswith("421 ")
        assert said() == ""
        closing.result(PATIENCE)
    assert [received for _, received in door.letters] == [LETTER]


def test_closing_waits_for_a_slow_commit(door: Door) -> None:
    door.answer = dont_answer
    with raw(door) as (connection, said):
        talk(connection, said, *TO_DATA)
        connection.sendall(LETTER + b".\r\n")
        assert door.came.wait(PATIENCE)
        closing = door.begin_to_close(PATIENCE)
        time.sleep(0.1)
        assert not closing.done()
        door.answers[0].set_result(True)
        assert said().startswith("250 ")


def test_closing_ends_what_takes_too_long_without_a_250(door: Door) -> None:
    door.answer = dont_answer
    with raw(door) as (connection, said):
        talk(connection, said, *TO_DATA)
        connection.sendall(LETTER + b".\r\n")
        assert door.came.wait(PATIENCE)
        door.close(0.1)
        assert said().startswith("421 ")
        assert said() == ""
    assert not door.answers[0].cancelled()


def test_a_session_that_is_open_while_closing_begins_no_new_letter(door: Door) -> None:
    with raw(door) as (connection, said):
        assert talk(connection, said, *TO_DATA).startswith("354")
        closing = door.begin_to_close(PATIENCE)
        connection.sendall(LETTER + b".\r\nMAIL FROM:<a@example.org>\r\n")
        answers = [said(), said()]
        assert answers[0].startswith("250 ")
        assert answers[1].startswith("421 ")
        closing.result(PATIENCE)
    assert len(door.letters) == 1
