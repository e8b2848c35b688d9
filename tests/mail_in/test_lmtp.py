"""The LMTP door, on a real port and on a real UNIX socket."""

from __future__ import annotations

import smtplib
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.config import Listen, UnixListen
from pbem.ids import LetterId
from pbem.mail_in.doors import DoorOptions, LmtpDoor
from tests.support.doors import LETTER, MOST, OURS, OpenDoor, dont_answer, opened, raw, talk
from tests.support.mail import PATIENCE

ALSO_OURS = "PBEM+token@localhost"
TO_DATA = ("LHLO mta", "MAIL FROM:<a@example.org>", f"RCPT TO:<{OURS}>", f"RCPT TO:<{ALSO_OURS}>", "DATA")


@pytest.fixture(params=["tcp", "unix"])
def listen(request: pytest.FixtureRequest, tmp_path: Path) -> Listen | UnixListen:
    return Listen("127.0.0.1", 0) if request.param == "tcp" else UnixListen(str(tmp_path / "lmtp"))


@pytest.fixture
def door(listen: Listen | UnixListen) -> Iterator[OpenDoor]:
    with opened(LmtpDoor, listen) as door:
        yield door


def mta(door: OpenDoor) -> smtplib.LMTP:
    where = door.door.listen
    if isinstance(where, UnixListen):
        return smtplib.LMTP(where.path, local_hostname="mta")
    return smtplib.LMTP("127.0.0.1", door.port, local_hostname="mta")


def hand_over(client: smtplib.LMTP, letter: bytes, *recipients: str) -> tuple[list[int], list[tuple[int, bytes]]]:
    """Return the answers for each recipient, and for the letter; the client's own method reads only one reply."""
    client.ehlo_or_helo_if_needed()
    client.mail("a@example.org")
    taken = [client.rcpt(recipient)[0] for recipient in recipients]
    assert client.docmd("DATA")[0] == 354
    client.send(letter + b".\r\n")
    return taken, [client.getreply() for code in taken if code == 250]


def test_a_letter_comes_in_once_for_all_its_recipients(door: OpenDoor) -> None:
    with mta(door) as client:
        taken, answers = hand_over(client, LETTER, OURS, ALSO_OURS)
    assert (taken, [code for code, _ in answers]) == ([250, 250], [250, 250])
    ((envelope, received),) = door.letters
    assert (envelope.sender, envelope.recipients) == ("a@example.org", (OURS, ALSO_OURS))
    assert received == LETTER


def test_of_three_recipients_the_one_that_is_not_ours_is_refused_and_not_answered_for(door: OpenDoor) -> None:
    with mta(door) as client:
        taken, answers = hand_over(client, LETTER, OURS, "other@localhost", ALSO_OURS)
        assert (taken, [code for code, _ in answers]) == ([250, 550, 250], [250, 250])
        assert client.noop()[0] == 250  # no answer is left over
    assert door.letters[0][0].recipients == (OURS, ALSO_OURS)


@pytest.mark.parametrize("listen", [Listen("127.0.0.1", 0)])
def test_each_recipient_is_answered_in_one_go_after_the_letter_is_safe(door: OpenDoor) -> None:
    door.answer = dont_answer
    with raw(door) as (connection, said):
        for line in TO_DATA[:1]:
            assert talk(connection, said, line).startswith("250-")
        while said().startswith("250-"):
            pass
        for line in TO_DATA[1:]:
            connection.sendall(line.encode() + b"\r\n")
            answer = said()
        assert answer.startswith("354")
        connection.sendall(LETTER + b".\r\n")
        assert door.came.wait(PATIENCE)
        connection.settimeout(0.2)
        with pytest.raises(TimeoutError):
            connection.recv(1)
        connection.settimeout(PATIENCE)
        door.answers[0].set_result(LetterId(1))
        assert [said()[:4], said()[:4]] == ["250 ", "250 "]
        connection.sendall(b"NOOP\r\n")
        assert said() == "250 2.0.0 OK"


def test_what_is_wrong_is_told_for_each_recipient_too(door: OpenDoor) -> None:
    door.answer = lambda future: future.set_exception(RuntimeError("secret words of the disk"))
    with mta(door) as client:
        for letter, code in ((b"x" * (MOST + 100) + b"\r\n", 552), (LETTER, 451)):
            _, answers = hand_over(client, letter, OURS, ALSO_OURS)
            assert [answered for answered, _ in answers] == [code, code]
            assert b"secret" not in answers[0][1]
        assert client.noop()[0] == 250


@pytest.mark.parametrize("listen", [Listen("127.0.0.1", 0)])
@pytest.mark.parametrize("line", ["HELO mta", "EHLO mta", "MAIL FROM:<a@example.org>"])
def test_it_speaks_no_smtp(door: OpenDoor, line: str) -> None:
    with raw(door) as (connection, said):
        assert talk(connection, said, line)[0] == "5"
        connection.sendall(b"LHLO mta\r\n")
        offered = list[str]()
        while not offered or offered[-1][3] == "-":
            offered.append(said())
    assert {"250-PIPELINING", "250 ENHANCEDSTATUSCODES", f"250-SIZE {MOST}"} <= set(offered)
    assert not [line for line in offered if "AUTH" in line or "STARTTLS" in line or "SMTPUTF8" in line]


def test_without_a_recipient_there_is_one_answer_to_data(door: OpenDoor) -> None:
    with mta(door) as client:
        client.ehlo()
        client.mail("a@example.org")
        assert client.docmd("DATA")[0] == 503
        assert client.noop()[0] == 250


def test_the_socket_is_for_those_that_its_mode_names_and_gone_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "lmtp"
    with opened(LmtpDoor, UnixListen(str(path)), options=DoorOptions(socket_mode=0o620)):
        assert path.stat().st_mode & 0o777 == 0o620
    assert not path.exists()


def test_a_socket_that_a_killed_server_left_behind_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "lmtp"
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(path))
    with opened(LmtpDoor, UnixListen(str(path))) as door, mta(door) as client:
        assert client.noop()[0] == 250


def test_a_letter_comes_from_the_client_that_the_mta_names_and_not_from_the_mta(door: OpenDoor) -> None:
    with mta(door) as client:
        client.ehlo_or_helo_if_needed()
        assert client.docmd("XFORWARD ADDR=192.0.2.1")[0] == 250
        hand_over(client, LETTER, OURS)
        hand_over(client, LETTER, OURS)
    assert [envelope.client for envelope, _ in door.letters] == ["192.0.2.1", None]
