"""Limits on the cost of one client, on a real port."""

from __future__ import annotations

import contextlib
import resource
import smtplib
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.ids import LetterId
from pbem.mail_in.doors import Door, LmtpDoor, SmtpDoor
from tests.support.doors import ANY_PORT, LETTER, LIMITS, OURS, TO_DATA, OpenDoor, dont_answer, opened, raw, talk
from tests.support.mail import PATIENCE

BOTH = pytest.mark.parametrize("kind", [SmtpDoor, LmtpDoor])
GREETINGS = {SmtpDoor: "HELO test", LmtpDoor: "LHLO test"}


def door_with(kind: type[Door] = SmtpDoor, **limits: Any) -> AbstractContextManager[OpenDoor]:
    return opened(kind, ANY_PORT, replace(LIMITS, **limits))


def until_closed(said: Callable[[], str]) -> list[str]:
    """The lines that the server still says before it closes the connection."""
    lines = []
    while line := said():
        lines.append(line)
    return lines


def greeted(connection: socket.socket, said: Callable[[], str], kind: type[Door] = SmtpDoor) -> None:
    """Come so far that MAIL may be said."""
    answer = talk(connection, said, GREETINGS[kind])
    while answer[3] == "-":
        answer = said()


@BOTH
def test_only_so_many_recipients_are_taken_and_the_letter_is_for_those(kind: type[Door]) -> None:
    with door_with(kind, recipients=2) as door, raw(door) as (connection, said):
        greeted(connection, said, kind)
        codes = []
        for line in ("MAIL FROM:<a@example.org>", *(f"RCPT TO:<pbem+{number}@localhost>" for number in range(4))):
            connection.sendall(line.encode() + b"\r\n")
            codes.append(said()[:9])
        assert codes == ["250 2.1.0", "250 2.1.5", "250 2.1.5", "452 4.5.3", "452 4.5.3"]
        connection.sendall(b"DATA\r\n")
        assert said().startswith("354")
        connection.sendall(LETTER + b".\r\n")
        assert said().startswith("250 ")
    assert door.letters[0][0].recipients == ("pbem+0@localhost", "pbem+1@localhost")


def test_three_thousand_recipients_are_harmless() -> None:
    with door_with(session_commands=5000) as door, door.client() as client:
        assert len(client.sendmail("a@example.org", [f"pbem+{n}@localhost" for n in range(3000)], LETTER)) == 2990
        assert client.noop()[0] == 250
    assert len(door.letters[0][0].recipients) == 10


@BOTH
def test_one_connection_too_many_is_told_so_and_the_next_may_come_when_one_has_gone(kind: type[Door]) -> None:
    with door_with(kind, connections=2) as door, raw(door) as (one, said_to_one), raw(door) as (_, said_to_other):
        assert said_to_one().startswith("220 ")
        assert said_to_other().startswith("220 ")
        with raw(door) as (_, said):
            assert until_closed(said) == ["421 4.3.2 Too many connections, please try again later"]
        assert talk_on(one, said_to_one, "QUIT").startswith("221 ")
        assert said_to_one() == ""
        with raw(door) as (_, said):
            assert said().startswith("220 ")


def talk_on(connection: socket.socket, said: Callable[[], str], line: str) -> str:
    connection.sendall(line.encode() + b"\r\n")
    return said()


def test_one_host_has_only_so_many_connections() -> None:
    with door_with(connections_per_host=1) as door, raw(door) as (_, said_to_first):
        assert said_to_first().startswith("220 ")
        with raw(door) as (_, said):
            assert until_closed(said) == ["421 4.7.0 Too many connections from your host, please try again later"]
        with socket.socket() as elsewhere:
            elsewhere.bind(("127.0.0.2", 0))
            elsewhere.settimeout(PATIENCE)
            elsewhere.connect(("127.0.0.1", door.port))
            assert elsewhere.recv(100).startswith(b"220 ")


@pytest.mark.parametrize("line", ["NOOP", "", "NONSENSE\xff", "x" * 600, "VRFY a@b"])
def test_only_so_many_commands_are_answered_understood_or_not(line: str) -> None:
    with door_with(session_commands=3) as door, raw(door) as (connection, said):
        said()
        connection.sendall((line.encode("latin-1") + b"\r\n") * 10)
        answers = until_closed(said)
    assert len(answers) == 5
    assert answers[-1] == "421 4.7.0 Too many commands"


def test_letters_are_commands_as_well_but_not_their_lines() -> None:
    with door_with(session_commands=9) as door, raw(door) as (connection, said):
        assert talk(connection, said, *TO_DATA).startswith("354")
        connection.sendall(b"NOOP\r\n" * 20 + b".\r\n")
        assert said().startswith("250 ")
        connection.sendall(b"NOOP\r\n" * 20)
        assert [answer[:3] for answer in until_closed(said)] == ["250"] * 6 + ["421"]


@BOTH
def test_a_silent_client_is_sent_away(kind: type[Door]) -> None:
    with door_with(kind, idle_seconds=0.1) as door, raw(door) as (_, said):
        assert said().startswith("220 ")
        assert until_closed(said) == ["421 4.4.2 Nothing has come for too long"]


@pytest.mark.parametrize("lines", [[], TO_DATA], ids=["between commands", "in a letter"])
def test_a_client_that_trickles_is_sent_away(lines: list[str]) -> None:
    with door_with(session_seconds=1, idle_seconds=60) as door, raw(door) as (connection, said):
        talk(connection, said, *lines)
        connection.settimeout(0.02)
        heard = b""
        while b"\n" not in heard:
            connection.sendall(b"x")
            try:
                heard += connection.recv(200)
            except TimeoutError:
                continue
        assert heard.startswith(b"421 4.4.2 This has lasted too long")
    assert door.letters == []


@pytest.mark.parametrize("limits", [{"idle_seconds": 0.3}, {"session_seconds": 0.3}], ids=["idle", "session"])
def test_a_letter_that_is_being_stored_is_answered_however_long_it_takes(limits: Any) -> None:
    with door_with(SmtpDoor, **limits) as door, raw(door) as (connection, said):
        door.answer = dont_answer
        assert talk(connection, said, *TO_DATA).startswith("354")
        connection.sendall(LETTER + b".\r\n")
        assert door.came.wait(PATIENCE)
        connection.settimeout(0.8)
        with pytest.raises(TimeoutError):
            connection.recv(1)
        connection.settimeout(PATIENCE)
        door.answers[0].set_result(LetterId(1))
        rest = connection.recv(1000) + connection.recv(1000)
    assert rest.startswith(b"250 2.0.0 Accepted\r\n421 ")


def test_bytes_without_an_end_are_cut_off() -> None:
    with door_with() as door, raw(door) as (connection, said):
        said()
        flood(connection)
    with door_with() as door, raw(door) as (connection, said):
        talk(connection, said, *TO_DATA)
        flood(connection)
    assert door.letters == []


def flood(connection: socket.socket, what: bytes = b"x" * 65536) -> None:
    """Send until the other side will have no more."""
    with pytest.raises(OSError, match=r"reset|Broken pipe|timed out"):
        connection.sendall(what * 1000)


def test_a_letter_a_little_too_large_is_read_to_its_end_and_the_session_goes_on() -> None:
    with door_with() as door, raw(door) as (connection, said):
        talk(connection, said, *TO_DATA)
        connection.sendall(b"x" * (LIMITS.letter_bytes + 1) + b"\r\n.\r\n")
        assert said() == "552 5.3.4 The letter is too large"
        for line in TO_DATA[1:]:
            answer = talk_on(connection, said, line)
        assert answer.startswith("354")
        connection.sendall(LETTER + b".\r\n")
        assert said().startswith("250 ")
    assert [letter for _, letter in door.letters] == [LETTER]


@pytest.mark.parametrize(
    "letter",
    [
        b"x" * 1500 + b"\r\nline\r\n",
        b"x" * 1000 + b".\r\n",
        b"x" * 1001 + b".\r\n",
        b"x" * 1002 + b".\r\n",
        b"a\n.\nMAIL FROM:<x@y>\r\n",
        b"a\r.\r\n",
        b"a\n.\r\nb\r\n",
        b"\r\n" * 600,
        b"",
    ],
    ids=range(9),
)
def test_lines_of_any_length_come_in_as_they_are_and_only_a_lone_dot_ends_a_letter(letter: bytes) -> None:
    with door_with() as door, door.client() as client:
        client.helo()
        client.mail("a@example.org")
        client.rcpt(OURS)
        assert client.docmd("DATA")[0] == 354
        client.send(letter.replace(b"\r\n.", b"\r\n..") + b".\r\n")
        assert client.getreply()[0] == 250
        assert client.noop()[0] == 250
    assert [received for _, received in door.letters] == [letter]


def test_a_client_that_reads_nothing_is_cut_off_in_the_end() -> None:
    with door_with(session_seconds=1) as door:
        with socket.create_connection(("127.0.0.1", door.port), timeout=PATIENCE) as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            flood(deaf, b"HELP\r\n" * 10_000)
        assert door.letters == []


@pytest.mark.parametrize("line", ["AUTH PLAIN AGEAYg==", "AUTH LOGIN", "EXPN staff", "BDAT 5", "ETRN example.org"])
def test_what_is_not_needed_is_not_there(line: str) -> None:
    with door_with() as door, raw(door) as (connection, said):
        assert talk(connection, said, "HELO test", line)[:2] == "50"


@pytest.mark.parametrize("line", [f"VRFY {OURS}", "VRFY root@localhost", "HELP", "HELP MAIL"])
def test_what_would_tell_something_tells_nothing(line: str) -> None:
    with door_with() as door, raw(door) as (connection, said):
        answer = talk(connection, said, "HELO test", line)
    assert answer in ("252 2.5.0 Mail a letter to see", "214 2.0.0 See RFC 5321")


def test_what_is_offered() -> None:
    with door_with() as door, door.client() as client:
        client.ehlo()
        assert set(client.esmtp_features) == {"size", "8bitmime", "pipelining", "enhancedstatuscodes", "xforward"}
        assert client.docmd("MAIL FROM:<a@example.org> SMTPUTF8")[0] == 501


def test_each_answer_has_an_enhanced_status_code() -> None:
    lines = ["NOOP", "RSET", "NONSENSE", "MAIL", "DATA", "RCPT TO:<a@b>", "MAIL FROM:<a@b>", "RCPT TO:<a@b>", "QUIT"]
    with door_with() as door, raw(door) as (connection, said):
        talk(connection, said, "HELO test")
        for line in lines:
            answer = talk_on(connection, said, line)
            assert answer[4:8] in (f"{answer[0]}.{digit}." for digit in range(8)), answer


def test_commands_sent_ahead_are_answered_in_order() -> None:
    with door_with() as door, raw(door) as (connection, said):
        connection.sendall("\r\n".join([*TO_DATA, ""]).encode())
        assert [said()[:3] for _ in range(5)] == ["220", "250", "250", "250", "354"]
        connection.sendall(LETTER + b".\r\nMAIL FROM:<b@example.org>\r\nQUIT\r\n")
        assert [said()[:3] for _ in range(3)] == ["250", "250", "221"]
        assert said() == ""
    assert len(door.letters) == 1


@pytest.mark.parametrize(
    "line", [b"NOOP\n", b"NO\rOP\r\n", b"NOOP\r\r\n", b"\n", b"MAIL FROM:<a@b>\nNOOP\r\n", b"DATA\n"]
)
def test_a_command_that_does_not_end_with_cr_lf_ends_the_session(line: bytes) -> None:
    with door_with() as door, raw(door) as (connection, said):
        talk(connection, said, *TO_DATA[:-1])
        connection.sendall(line + b"NOOP\r\n")
        assert until_closed(said) == ["521 5.5.2 Lines end with <CR><LF> here, and no <CR> or <LF> stands alone"]
    assert door.letters == []


ENDS = [
    b"\n.\n",
    b"\r.\r",
    b"\n.\r\n",
    b"\r\n.\n",
    b"\r\n.\r",
    b"\r.\r\n",
    b"\n.\r",
    b"\r.\n",
    b"\r\n\0.\r\n",
    b"\n\n.\r\n",
    b"\r\r\n.\r\r\n",
]


@pytest.mark.parametrize("end", ENDS, ids=repr)
def test_nothing_within_a_letter_begins_another(end: bytes) -> None:
    smuggled = b"a" + end + b"MAIL FROM:<x@example.org>\r\nRCPT TO:<pbem@localhost>\r\nDATA\r\nSubject: resign\r\n\r\n"
    with door_with() as door, raw(door) as (connection, said):
        assert talk(connection, said, *TO_DATA).startswith("354")
        connection.sendall(smuggled + b".\r\nQUIT\r\n")
        answers = until_closed(said)
    assert [answer[:3] for answer in answers] == ["250", "221"]
    assert [received for _, received in door.letters] == [smuggled.replace(b"\r\n.", b"\r\n")]  # its dot taken off


def test_who_comes_when_files_run_out_is_told_to_come_again() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with door_with(connections=1000) as door, contextlib.ExitStack() as stack:
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        resource.setrlimit(resource.RLIMIT_NOFILE, (len(list(Path("/proc/self/fd").iterdir())) + 24, hard))
        greetings = [""]
        while not greetings[-1].startswith("421 "):
            greetings.append(stack.enter_context(raw(door))[1]())
    assert greetings[1].startswith("220 ")
    assert greetings[-1] == "421 4.3.2 Too many connections, please try again later"


def test_a_host_that_has_brought_too_much_is_asked_to_come_later_and_others_are_not() -> None:
    with door_with(letters_per_hour=2, trusted=()) as door, door.client() as client:
        for number in range(3):
            client.sendmail(f"{number}@example.org", [OURS], LETTER)
        client.rset()
        code, said = client.mail("3@example.org")
        assert (code, said[:6]) == (450, b"4.7.1 ")
        with smtplib.SMTP("127.0.0.1", door.port, "test", PATIENCE, ("127.0.0.2", 0)) as other:
            other.sendmail("3@example.org", [OURS], LETTER)
    assert len(door.letters) == 4


@BOTH
def test_letters_that_are_refused_for_their_size_count_too(kind: type[Door]) -> None:
    with door_with(kind, bytes_per_hour=5000, trusted=()) as door, raw(door) as (connection, said):
        greeted(connection, said, kind)
        answers = []
        for _ in range(4):
            answers.append(talk_on(connection, said, "MAIL FROM:<>")[:3])
            if answers[-1] == "250":
                talk_on(connection, said, "RCPT TO:<pbem@localhost>")
                talk_on(connection, said, "DATA")
                connection.sendall(b"x" * 3000 + b"\r\n")
                answers.append(talk_on(connection, said, ".")[:3])
    # an MTA of our own that names no client is never put off
    assert answers == ["250", "552"] * 3 + (["250", "552"] if kind is LmtpDoor else ["450"])


@BOTH
def test_a_letter_of_a_shape_that_nobody_can_read_is_refused_for_good(kind: type[Door]) -> None:
    lines = [f"Content-Type: multipart/mixed; boundary=b{n}\r\n\r\n--b{n}" for n in range(12)]
    with door_with(kind) as door, raw(door) as (connection, said):
        greeted(connection, said, kind)
        for line in ("MAIL FROM:<a@example.org>", "RCPT TO:<pbem@localhost>", "DATA"):
            talk_on(connection, said, line)
        assert talk_on(connection, said, "\r\n".join([*lines, "."])).startswith("554 5.6.0 ")
    assert door.letters == []
