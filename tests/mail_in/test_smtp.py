"""The SMTP door, on a real port."""

from __future__ import annotations

import gc
import socket
import time
from collections.abc import Iterator
from concurrent.futures import Future
from threading import Thread

import pytest

from pbem.domain.letters import InboxFull
from pbem.ids import LetterId
from tests.support.doors import LETTER, MOST, OURS, TO_DATA, OpenDoor, dont_answer, opened, raw, talk
from tests.support.mail import PATIENCE


@pytest.fixture
def door() -> Iterator[OpenDoor]:
    with opened() as door:
        yield door


def test_a_letter_comes_in_with_its_envelope_and_its_bytes(door: OpenDoor) -> None:
    dots = b"Subject: help\r\n\r\n.\r\n..x\r\nFrom y\r\n\xff\x00\r\n"
    with door.client() as client:
        assert client.sendmail("a@example.org", [OURS, "PBEM+x@LOCALHOST"], dots) == {}
    ((envelope, received),) = door.letters
    assert (envelope.sender, envelope.recipients) == ("a@example.org", (OURS, "PBEM+x@LOCALHOST"))
    assert received == dots


def test_the_null_sender_is_taken(door: OpenDoor) -> None:
    with door.client() as client:
        client.sendmail("", [OURS], LETTER)
    assert door.letters[0][0].sender == ""


def test_it_is_safe_before_it_is_answered_250(door: OpenDoor) -> None:
    door.answer = dont_answer
    with raw(door) as (connection, said):
        assert talk(connection, said, *TO_DATA).startswith("354")
        connection.sendall(LETTER + b".\r\n")
        assert door.came.wait(PATIENCE)
        connection.settimeout(0.2)
        with pytest.raises(TimeoutError):
            connection.recv(1)
        connection.settimeout(PATIENCE)
        door.answers[0].set_result(LetterId(1))
        assert connection.recv(100).startswith(b"250 ")


@pytest.mark.parametrize("number", [LetterId(7), None])
def test_a_letter_seen_before_is_answered_250_too(door: OpenDoor, number: LetterId | None) -> None:
    door.answer = lambda future: future.set_result(number)
    with door.client() as client:
        assert client.sendmail("a@example.org", [OURS], LETTER) == {}


@pytest.mark.parametrize(
    "recipient", ["other@localhost", "pbem@example.org", "pbem", "postmaster@localhost", "a%b@localhost"]
)
def test_other_recipients_are_refused_and_nothing_is_relayed(door: OpenDoor, recipient: str) -> None:
    with door.client() as client:
        client.helo()
        client.mail("a@example.org")
        assert client.rcpt(recipient)[0] == 550
        assert client.docmd("DATA")[0] == 503
    assert door.letters == []


def test_our_address_beside_another_still_gets_the_letter(door: OpenDoor) -> None:
    with door.client() as client:
        refused = client.sendmail("a@example.org", ["other@example.org", OURS], LETTER)
    assert list(refused) == ["other@example.org"]
    assert door.letters[0][0].recipients == (OURS,)


def test_the_size_limit_is_announced_and_kept(door: OpenDoor) -> None:
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


def test_a_failing_store_is_451_and_tells_nothing_of_itself(door: OpenDoor) -> None:
    door.answer = lambda future: future.set_exception(RuntimeError("secret words of the disk"))
    with door.client() as client:
        client.helo()
        client.mail("a@example.org")
        client.rcpt(OURS)
        code, text = client.data(LETTER)
        assert (code, text[:6]) == (451, b"4.3.0 ")
        assert b"secret" not in text
        assert b"RuntimeError" not in text
        door.answer = lambda future: future.set_result(LetterId(1))
        assert client.sendmail("a@example.org", [OURS], LETTER) == {}


def test_a_full_inbox_is_451_with_its_own_reason(door: OpenDoor) -> None:
    door.answer = lambda future: future.set_exception(InboxFull())
    with door.client() as client:
        client.helo()
        client.mail("a@example.org")
        client.rcpt(OURS)
        assert client.data(LETTER) == (451, b"4.3.1 Too many letters are waiting, please try again later")


def test_a_store_that_breaks_before_it_begins_is_451_too(door: OpenDoor) -> None:
    def break_down(_future: Future[LetterId | None]) -> None:
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


def test_a_client_that_hangs_up_after_data_has_its_letter_stored(door: OpenDoor) -> None:
    door.answer = dont_answer
    with raw(door) as (connection, said):
        talk(connection, said, *TO_DATA)
        connection.sendall(LETTER + b".\r\n")
        assert door.came.wait(PATIENCE)
    (future,) = door.answers
    assert not future.cancelled()
    future.set_result(LetterId(1))
    with door.client() as client:
        assert client.noop()[0] == 250


def test_nothing_is_logged_of_a_letter_that_cannot_be_stored_once_its_client_has_hung_up(
    door: OpenDoor, caplog: pytest.LogCaptureFixture
) -> None:
    door.answer = dont_answer
    with raw(door) as (connection, said):
        talk(connection, said, *TO_DATA)
        connection.sendall(LETTER + b".\r\n")
        assert door.came.wait(PATIENCE)
    with door.client() as client:
        assert client.noop()[0] == 250
    door.answers.pop().set_exception(LookupError("secret"))
    with door.client() as client:
        assert client.noop()[0] == 250
    gc.collect()
    assert "never retrieved" not in caplog.text


def test_a_client_that_hangs_up_before_the_dot_has_sent_nothing(door: OpenDoor) -> None:
    with raw(door) as (connection, said):
        talk(connection, said, *TO_DATA)
        connection.sendall(LETTER)
    with door.client() as client:
        client.sendmail("a@example.org", [OURS], LETTER)
    assert len(door.letters) == 1


def test_many_sessions_may_wait_for_their_commits_at_once(door: OpenDoor) -> None:
    door.answer = dont_answer
    clients = [Thread(target=door.take_one) for _ in range(8)]
    for client in clients:
        client.start()
    deadline = time.monotonic() + PATIENCE
    while len(door.letters) < len(clients) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(door.letters) == len(clients)
    for future in door.answers:
        future.set_result(LetterId(1))
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
        "MAIL FROM:<a@b> X=Y",
        "MAIL FROM:<\xff@b>",
    ],
)
def test_a_wrong_command_is_refused_and_the_session_goes_on(door: OpenDoor, line: str) -> None:
    with raw(door) as (connection, said):
        said()
        connection.sendall(line.encode("latin-1") + b"\r\n")
        assert said()[0] == "5"
        connection.sendall(b"NOOP\r\n")
        assert said().startswith("250")


def test_closing_says_goodbye_to_an_idle_client_at_once(door: OpenDoor) -> None:
    with raw(door) as (connection, said):
        talk(connection, said, "HELO test")
        door.close(PATIENCE)
        assert said().startswith("421 ")
        assert said() == ""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", door.port), timeout=PATIENCE)


def test_closing_lets_a_letter_under_way_finish(door: OpenDoor) -> None:
    with raw(door) as (connection, said):
        assert talk(connection, said, *TO_DATA).startswith("354")
        closing = door.begin_to_close(PATIENCE)
        connection.sendall(LETTER + b".\r\n")
        assert said().startswith("250 ")
        assert said().startswith("421 ")
        assert said() == ""
        closing.result(PATIENCE)
    assert [received for _, received in door.letters] == [LETTER]


def test_closing_waits_for_a_slow_commit(door: OpenDoor) -> None:
    door.answer = dont_answer
    with raw(door) as (connection, said):
        talk(connection, said, *TO_DATA)
        connection.sendall(LETTER + b".\r\n")
        assert door.came.wait(PATIENCE)
        closing = door.begin_to_close(PATIENCE)
        time.sleep(0.1)
        assert not closing.done()
        door.answers[0].set_result(LetterId(1))
        assert said().startswith("250 ")


def test_closing_ends_what_takes_too_long_without_a_250(door: OpenDoor) -> None:
    door.answer = dont_answer
    with raw(door) as (connection, said):
        talk(connection, said, *TO_DATA)
        connection.sendall(LETTER + b".\r\n")
        assert door.came.wait(PATIENCE)
        door.close(0.1)
        assert said().startswith("421 ")
        assert said() == ""
    assert not door.answers[0].cancelled()


def test_a_session_that_is_open_while_closing_begins_no_new_letter(door: OpenDoor) -> None:
    with raw(door) as (connection, said):
        assert talk(connection, said, *TO_DATA).startswith("354")
        closing = door.begin_to_close(PATIENCE)
        connection.sendall(LETTER + b".\r\nMAIL FROM:<a@example.org>\r\n")
        answers = [said(), said()]
        assert answers[0].startswith("250 ")
        assert answers[1].startswith("421 ")
        closing.result(PATIENCE)
    assert len(door.letters) == 1


@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        ([], None),
        (["XFORWARD ADDR=192.0.2.1"], "192.0.2.1"),
        (["XFORWARD NAME=evil.example ADDR=IPV6:2001:db8:0:0::1 PROTO=ESMTP"], "2001:db8::1"),
        (["XFORWARD ADDR=192.0.2.1", "XFORWARD HELO=evil.example"], "192.0.2.1"),
        (["XFORWARD ADDR=192.0.2.1", "XFORWARD ADDR=[UNAVAILABLE]"], None),
        (["XFORWARD ADDR=somewhere"], None),
        (["XFORWARD NAME=ADDR=192.0.2.1"], None),
    ],
)
def test_a_letter_knows_the_client_it_comes_from_or_that_our_own_mta_names(
    door: OpenDoor, forwarded: list[str], client: str | None
) -> None:
    with door.client() as mta:
        mta.ehlo()
        for line in forwarded:
            assert mta.docmd(line)[0] == 250
        mta.sendmail("a@example.org", [OURS], LETTER)
        mta.sendmail("a@example.org", [OURS], LETTER)
    assert [envelope.client for envelope, _ in door.letters] == [client, None]
