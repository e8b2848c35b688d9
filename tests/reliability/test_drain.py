"""Orderly ends: nothing accepted is lost, nothing handed over is sent again."""

from __future__ import annotations

import signal
import smtplib
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import NamedTuple

import httpx
import pytest
from sqlalchemy import Connection, text

from pbem.storage.engine import writing
from tests.reliability.ledger import Ledger, check_exactly_once
from tests.reliability.mailers import Mailers
from tests.reliability.posts import PlayingPair, Post
from tests.support.databases import KEY, engine_at
from tests.support.mail import PATIENCE, Mail
from tests.support.server import RunningServer, running_server

BOTH = pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunningServer]:
    with running_server(tmp_path, confirm_signup="false", log_level="warning") as server:
        yield server


class Couples(NamedTuple):
    """Pairs of players, each with its board, and the letters by which they came to that."""

    pairs: list[PlayingPair]
    beginning: list[Post]


@pytest.fixture
def couples(server: RunningServer) -> Couples:
    pairs = [PlayingPair(f"p{number}", 101 + number) for number in range(4)]
    beginning = Mailers(server, [[letter for pair in pairs for letter in (*pair.signups(), pair.challenge())]])
    beginning.start()
    beginning.join()
    Ledger(server.database).wait_until_idle()
    return Couples(pairs, beginning.accepted)


@BOTH
@pytest.mark.parametrize("each", [10, pytest.param(40, marks=pytest.mark.slow)])
def test_under_load_nothing_is_lost_and_nothing_is_sent_twice(
    server: RunningServer, couples: Couples, number: signal.Signals, each: int
) -> None:
    work = [pair.letters(seed, each) for seed, pair in enumerate(couples.pairs, 5)]
    mailers = Mailers(server, work)
    mailers.start()
    for part in (1, 2, 3):
        mailers.wait_for(part * sum(map(len, work)) // 4)
        mailers.server_is(up=False)
        assert server.stop(number) == 0
        server.start()
        mailers.server_is(up=True)
    mailers.join()
    Ledger(server.database).wait_until_idle()
    assert server.stop(number) == 0
    arrivals = check_exactly_once(server, [*couples.beginning, *mailers.accepted], couples.pairs)
    assert set(arrivals.values()) == {1}


@BOTH
def test_what_was_answered_250_and_nothing_else_is_in_the_inbox_when_nobody_tries_again(
    server: RunningServer, couples: Couples, number: signal.Signals
) -> None:
    work = [pair.letters(seed, 10) for seed, pair in enumerate(couples.pairs, 5)]
    mailers = Mailers(server, work)
    mailers.start()
    mailers.wait_for(sum(map(len, work)) // 3)
    mailers.server_is(up=False)
    assert server.stop(number) == 0
    mailers.give_up()
    stored = Ledger(server.database).rows("SELECT count(*) FROM inbox")
    assert stored == [(len(couples.beginning) + len(mailers.accepted),)]


def _begin_letter(server: RunningServer) -> smtplib.SMTP:
    client = smtplib.SMTP("127.0.0.1", server.port, timeout=PATIENCE)
    client.ehlo()
    assert client.mail("slow@example.org")[0] == 250
    assert client.rcpt("pbem@localhost")[0] == 250
    return client


def _stopping(server: RunningServer, number: signal.Signals, codes: list[int]) -> Thread:
    """Ask the server to end, and return once it takes no more sessions."""
    thread = Thread(target=lambda: codes.append(server.stop(number)))
    thread.start()
    while True:
        try:
            smtplib.SMTP("127.0.0.1", server.port, timeout=PATIENCE).close()
        except (OSError, smtplib.SMTPException):
            return thread


@BOTH
def test_a_letter_under_way_is_accepted_and_kept(server: RunningServer, number: signal.Signals) -> None:
    codes: list[int] = []
    client = _begin_letter(server)
    stopping = _stopping(server, number, codes)
    code, _ = client.data(b"From: slow@example.org\r\nSubject: help\r\n\r\n")
    client.close()
    stopping.join()
    assert (code, codes) == (250, [0])
    server.start()
    assert server.person("slow").hears().subject == "pbem help"


def test_a_server_that_is_ending_lives_and_is_not_ready(tmp_path: Path) -> None:
    with running_server(tmp_path, log_level="warning", monitor_listen="127.0.0.1:0") as server:
        (monitor,) = [line.split()[-1] for line in server.lines if line.startswith("pbem: monitor ")]
        assert httpx.get(f"{monitor}/ready").json() == {"status": "ready"}
        codes: list[int] = []
        client = _begin_letter(server)
        stopping = _stopping(server, signal.SIGTERM, codes)
        assert httpx.get(f"{monitor}/ready").json() == {"status": "not ready", "because": ["it is ending"]}
        assert httpx.get(f"{monitor}/live").json() == {"status": "live"}
        client.close()
        stopping.join()
        assert codes == [0]


@BOTH
def test_a_session_without_a_letter_is_told_that_the_server_closes(
    server: RunningServer, number: signal.Signals
) -> None:
    with smtplib.SMTP("127.0.0.1", server.port, timeout=PATIENCE) as client:
        client.ehlo()
        assert server.stop(number) == 0
        assert client.getreply()[0] == 421
        client.close()


def test_who_never_ends_his_letter_does_not_keep_the_server_from_ending(tmp_path: Path) -> None:
    with running_server(tmp_path, drain_seconds="0") as server:
        client = _begin_letter(server)
        client.docmd("DATA")
        client.send(b"Subject: help\r\n")
        assert server.stop() == 0
        client.close()
        assert Ledger(server.database).waiting() == (0, 0)


@BOTH
def test_a_server_asked_twice_to_end_ends_as_orderly(server: RunningServer, number: signal.Signals) -> None:
    client = _begin_letter(server)
    codes: list[int] = []
    stopping = _stopping(server, number, codes)
    again = Thread(target=lambda: codes.append(server.stop(signal.SIGTERM)))
    again.start()
    code, _ = client.data(b"From: slow@example.org\r\nSubject: help\r\n\r\n")
    client.close()
    stopping.join()
    again.join()
    assert (code, codes) == (250, [0, 0])


_DRAIN = 5
"""Seconds."""
_SOON = 20.0
"""Seconds: less than the 30 that a relay has for each of its answers."""


def test_a_relay_that_hangs_does_not_keep_the_server_from_ending_and_no_mail_comes_twice(tmp_path: Path) -> None:
    with running_server(tmp_path, drain_seconds="1", log_level="warning") as server:
        alice, bob = server.player("alice"), server.player("bob")
        hangs, goes_on = Event(), Event()

        def answer(mail: Mail) -> str:
            if mail.recipient != bob.address:
                return "250 OK"
            hangs.set()
            goes_on.wait(PATIENCE)
            return "451 4.3.0 too late"

        server.postbox.answer = answer
        alice.says("superbo challenge bob")
        assert hangs.wait(PATIENCE)
        began = monotonic()
        assert server.stop() == 0
        assert monotonic() - began < _SOON
        assert any("loop left behind" in line for line in server.lines)
        goes_on.set()
        server.postbox.answer = lambda _mail: "250 OK"
        server.start()
        assert bob.hears().subject == "New superbo Board 101 alice"
        assert alice.hears().subject == "New superbo Board 101 alice"
        assert server.postbox.repeated == []


def test_a_relay_that_never_says_hello_does_not_keep_the_server_from_ending(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=10) as silent:
        url = f"smtp://127.0.0.1:{silent.getsockname()[1]}"
        settings = {"drain_seconds": "1", "log_level": "warning", "delivery_threads": "3", "relay_url": url}
        with running_server(tmp_path, **settings) as server:
            server.person("stranger").says("help")
            with silent.accept()[0]:
                began = monotonic()
                assert server.stop() == 0
                assert monotonic() - began < _SOON


def test_a_slow_client_and_a_relay_that_hangs_keep_the_server_for_the_same_time(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=10) as silent:
        url = f"smtp://127.0.0.1:{silent.getsockname()[1]}"
        with running_server(tmp_path, drain_seconds=str(_DRAIN), log_level="warning", relay_url=url) as server:
            server.person("stranger").says("help")
            with silent.accept()[0]:
                client = _begin_letter(server)
                client.docmd("DATA")
                client.send(b"Subject: help\r\n")
                began = monotonic()
                assert server.stop() == 0
                assert _DRAIN <= monotonic() - began < 1.6 * _DRAIN
                client.close()


def _guess(web: str) -> None:
    with suppress(httpx.HTTPError):
        httpx.post(f"{web}/sign-in/password", data={"userid": "ann", "password": "?"}, headers={"origin": web})


def test_a_page_that_is_waited_for_in_vain_does_not_keep_the_server_from_ending(
    tmp_path: Path, postgresql_url: str
) -> None:
    settings = {"database_url": postgresql_url, "secret_key": KEY, "web_listen": "127.0.0.1:0", "drain_seconds": "0"}
    with running_server(tmp_path, log_level="error", **settings) as server, engine_at(postgresql_url) as engine:
        codes: list[int] = []
        asking = Thread(target=_guess, args=(server.web,))
        stopping = Thread(target=lambda: codes.append(server.stop()))
        with writing(engine) as connection:
            connection.execute(text("LOCK TABLE players IN ACCESS EXCLUSIVE MODE"))
            asking.start()
            _wait_for_locks(connection, "NOT granted", 1)
            stopping.start()
            _wait_for_locks(connection, "locktype = 'advisory'", 0)  # the bell is silent: nothing is written any more
        stopping.join()
        asking.join()
        assert codes == [0]


def _wait_for_locks(connection: Connection, which: str, count: int) -> None:
    """Wait until there are so many of a kind."""
    here = "database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    until = monotonic() + PATIENCE
    while connection.scalar(text(f"SELECT count(*) FROM pg_locks WHERE {which} AND {here}")) != count:  # noqa: S608
        assert monotonic() < until
        connection.execute(text("SELECT pg_sleep(0.02)"))
