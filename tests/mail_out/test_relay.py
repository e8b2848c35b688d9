"""Handing a mail over."""

from __future__ import annotations

import mailbox
import smtplib
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, Self

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session
from hypothesis import given
from hypothesis.strategies import from_regex

from pbem.config import UnixListen
from pbem.domain.players import is_mailable
from pbem.mail_in.doors import LmtpDoor
from pbem.mail_out.relay import Deferred, MaildirRelay, Refused, RelayDown, SmtpRelay, make_relay
from tests.support.doors import OURS, opened
from tests.support.mail import AnyPort, Postbox

MAIL = b"Subject: x\r\n\r\n.\r\n..x\r\nFrom here\r\n>From there\r\n\r\n \r\nend\r\n"
SENDER, TO = "pbem@localhost", "alice@example.org"


class Pipelining(Postbox):
    """One that says that it bears several commands at once, as MTAs do."""

    async def handle_EHLO(  # noqa: N802
        self, _server: SMTP, session: Session, _envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        return [*responses[:-1], "250-PIPELINING", responses[-1]]


@pytest.fixture(params=[Postbox, Pipelining])
def postbox(request: pytest.FixtureRequest) -> Iterator[Postbox]:
    with request.param() as postbox:
        yield postbox


class CountedConnections:
    """Makes connections to a postbox and keeps them."""

    def __init__(self, postbox: Postbox) -> None:
        self.made: list[smtplib.SMTP] = []
        self._port = postbox.port

    def __call__(self) -> smtplib.SMTP:
        self.made.append(smtplib.SMTP("127.0.0.1", self._port, local_hostname="test", timeout=20))
        return self.made[-1]


def files(folder: Path, place: str) -> list[str]:
    return sorted(each.name for each in (folder / place).iterdir())


def test_a_maildir_keeps_a_mail_as_programs_read_it(tmp_path: Path) -> None:
    relay = make_relay(f"maildir:{tmp_path / 'deep' / 'mail'}")
    relay.send(SENDER, TO, MAIL, "1.000001.abc")
    relay.close()
    (kept,) = mailbox.Maildir(tmp_path / "deep" / "mail", create=False)
    assert kept["Subject"] == "x"
    assert (tmp_path / "deep/mail/new/1.000001.abc").read_bytes() == MAIL.replace(b"\r\n", b"\n")


def test_the_same_name_twice_is_one_file_read_or_not(tmp_path: Path) -> None:
    relay = MaildirRelay(tmp_path)
    for _ in range(2):
        relay.send(SENDER, TO, MAIL, "one")
    assert files(tmp_path, "new") == ["one"]
    (tmp_path / "new" / "one").rename(tmp_path / "cur" / "one:2,S")
    relay.send(SENDER, TO, MAIL, "one")
    assert files(tmp_path, "new") == []


def test_a_write_that_was_killed_leaves_nothing_in_new_and_is_made_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    relay = MaildirRelay(tmp_path)

    def killed(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("pbem.mail_out.relay.os.fsync", killed)
        with pytest.raises(RelayDown, match="No space left"):
            relay.send(SENDER, TO, MAIL, "one")
    assert files(tmp_path, "new") == []
    (tmp_path / "tmp" / "one").write_bytes(b"half of a lon" * 1000)
    relay.send(SENDER, TO, MAIL, "one")
    assert files(tmp_path, "tmp") == []
    assert (tmp_path / "new" / "one").read_bytes() == MAIL.replace(b"\r\n", b"\n")


def test_a_maildir_that_cannot_be_made_is_a_relay_that_is_down(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RelayDown):
        MaildirRelay(tmp_path / "file").send(SENDER, TO, MAIL, "one")


def test_bytes_arrive_unchanged_with_their_envelope(postbox: Postbox) -> None:
    relay = make_relay(f"smtp://127.0.0.1:{postbox.port}")
    relay.send(SENDER, TO, MAIL, "one")
    relay.send("", TO, MAIL, "two")
    relay.close()
    assert [mail.raw for mail in postbox.mails] == [MAIL, MAIL]
    assert [mail.envelope_sender.strip("<>") for mail in postbox.mails] == [SENDER, ""]
    assert {mail.recipient for mail in postbox.mails} == {TO}


def test_one_connection_serves_many_mails(postbox: Postbox) -> None:
    connect = CountedConnections(postbox)
    relay = SmtpRelay(connect)
    for _ in range(3):
        relay.send(SENDER, TO, MAIL, "one")
    relay.close()
    assert (len(connect.made), len(postbox.mails)) == (1, 3)


def test_a_connection_that_has_gone_stale_is_made_anew(postbox: Postbox) -> None:
    connect = CountedConnections(postbox)
    relay = SmtpRelay(connect)
    relay.send(SENDER, TO, MAIL, "one")
    stale = connect.made[0].sock
    assert stale is not None
    stale.shutdown(socket.SHUT_RDWR)
    relay.send(SENDER, TO, MAIL, "two")
    relay.close()
    assert (len(connect.made), len(postbox.mails)) == (2, 2)


@pytest.mark.parametrize(
    ("answer", "of_recipient"),
    [
        ("550 5.1.1 No such user", True),
        ("550 no such user", True),
        ("551 user has moved", True),
        ("553 not a mailbox name", True),
        ("550 5.2.1 disabled", True),
        ("556 5.1.10 null MX", True),
        ("550 5.7.1 we do not like you", False),
        ("554 relay access denied", False),
        ("552 5.3.4 too large", False),
    ],
)
def test_a_refused_recipient_is_told_from_a_refused_sender(postbox: Postbox, answer: str, of_recipient: bool) -> None:
    relay = make_relay(f"smtp://127.0.0.1:{postbox.port}")
    postbox.at_rcpt[TO] = answer
    with pytest.raises(Refused) as refused:
        relay.send(SENDER, TO, MAIL, "one")
    relay.close()
    assert refused.value.of_recipient is of_recipient


def test_what_is_refused_for_its_words_is_not_refused_for_its_recipient(postbox: Postbox) -> None:
    relay = make_relay(f"smtp://127.0.0.1:{postbox.port}")
    postbox.answer = lambda _mail: "550 5.1.1 no such user after all"
    with pytest.raises(Refused) as refused:
        relay.send(SENDER, TO, MAIL, "one")
    relay.close()
    assert not refused.value.of_recipient


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("450 4.2.0 Greylisted", Deferred),
        ("451 4.3.0 Later", Deferred),
        ("550 5.1.1 No such user", Refused),
        ("554 5.7.1 Spam", Refused),
    ],
)
def test_an_answer_of_4xx_defers_and_one_of_5xx_refuses(
    postbox: Postbox, answer: str, verdict: type[Deferred | Refused]
) -> None:
    relay = make_relay(f"smtp://127.0.0.1:{postbox.port}")
    postbox.answer = lambda _mail: answer
    with pytest.raises(verdict, match=answer.split()[0]):
        relay.send(SENDER, TO, MAIL, "one")
    postbox.answer = lambda _mail: "250 OK"
    relay.send(SENDER, TO, MAIL, "two")
    relay.close()
    assert len(postbox.mails) == 1


def test_what_it_says_in_several_lines_is_kept_as_one_that_any_database_takes(postbox: Postbox) -> None:
    relay = make_relay(f"smtp://127.0.0.1:{postbox.port}")
    postbox.answer = lambda _mail: "550-5.7.1 Spam\0,\r\n550 5.7.1  says the filter"
    with pytest.raises(Refused) as refused:
        relay.send(SENDER, TO, MAIL, "one")
    relay.close()
    assert refused.value.facts["reason"] == "550 5.7.1 Spam, 5.7.1 says the filter"


class Choosy(Postbox):
    """A server that wants a password of everybody."""

    def __init__(self) -> None:
        super().__init__()
        self._controller.loop.close()
        self.answer_to_sender = "530 5.7.0 Authentication required"
        self._controller = AnyPort(self, hostname="127.0.0.1", port=0, auth_require_tls=False)

    async def handle_MAIL(  # noqa: N802 - the name that aiosmtpd asks for
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if self.answer_to_sender.startswith("250"):
            envelope.mail_from = address
        return self.answer_to_sender


@pytest.mark.parametrize("answer", ["530 5.7.0 Authentication required", "451 4.3.0 Later"])
def test_a_server_that_does_not_like_our_own_address_is_down_and_no_mail_is_refused(answer: str) -> None:
    with Choosy() as choosy:
        choosy.answer_to_sender = answer
        relay = make_relay(f"smtp://127.0.0.1:{choosy.port}")
        with pytest.raises(RelayDown, match=answer[:3]):
            relay.send(SENDER, TO, MAIL, "one")
        choosy.answer_to_sender = "250 OK"
        relay.send(SENDER, TO, MAIL, "one")
        relay.close()
        assert len(choosy.mails) == 1


def test_a_host_that_cannot_be_written_is_a_relay_that_is_down() -> None:
    relay = make_relay(f"smtp://{'a' * 70}.example:25")
    with pytest.raises(RelayDown):
        relay.send(SENDER, TO, MAIL, "one")


def test_a_password_that_cannot_be_written_is_a_relay_that_is_down_and_is_not_shown() -> None:
    with Choosy() as choosy:
        relay = make_relay(f"smtp://user:p%C3%A4ss@127.0.0.1:{choosy.port}?starttls=no")
        with pytest.raises(RelayDown) as down:
            relay.send(SENDER, TO, MAIL, "one")
        assert "UnicodeEncodeError" in str(down.value.facts)
        assert "ss" not in str(down.value.facts).replace("password", "")


@pytest.mark.parametrize(
    "address",
    [
        "\u00e4@example.org",
        "a@\u00e4.org",
        "a@b.example\r\nRCPT TO:<eve@example.org>",
        "a@b.example\neve@example.org",
        "a@b.example\r",
        "a@b.example> <eve@example.org",
        "<eve@example.org>",
        "a b@example.org",
        '"a b"@example.org',
        "a@example.org ",
        "a@example.org SIZE=1",
        "a@b.example, eve@example.org",
        "a(eve)@example.org",
        "@relay.example:a@example.org",
        "a\0@example.org",
        "a\t@example.org",
        "a@example.org\u2028",
        "nobody",
        "",
    ],
)
def test_an_address_that_smtp_cannot_say_reaches_no_relay_and_the_next_mail_goes(
    postbox: Postbox, address: str
) -> None:
    connections: list[Talking] = []
    relay = SmtpRelay(lambda: connections.append(Talking(postbox.port)) or connections[-1])  # type: ignore[func-returns-value]
    relay.send(SENDER, TO, MAIL, "one")
    for sender, recipient in ((SENDER, address), (f"pbem{address or ' '}", TO)):
        with pytest.raises(Refused) as refused:
            relay.send(sender, recipient, MAIL, "two")
        assert not refused.value.of_recipient
    relay.send(SENDER, TO, MAIL, "three")
    relay.close()
    assert [mail.recipient for mail in postbox.mails] == [TO, TO]
    (connection,) = connections
    assert b"".join(connection.said).lower().count(b"mail from:") == 2


@given(
    from_regex(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9-]{1,20}(\.[A-Za-z0-9-]{1,20}){0,3}", fullmatch=True)
)
def test_an_address_is_said_as_it_stands_or_not_at_all(address: str) -> None:
    said: list[bytes] = []
    relay = SmtpRelay(lambda: Deaf(said))
    with pytest.raises(RelayDown if is_mailable(address) else Refused):
        relay.send(SENDER, address, MAIL, "one")
    expected = [f"mail FROM:<{SENDER}>\r\nrcpt TO:<{address}>\r\ndata\r\n".encode()]
    assert said == (expected if is_mailable(address) else [])


def test_a_socket_is_spoken_to_in_lmtp(tmp_path: Path) -> None:
    path = str(tmp_path / "lmtp")
    relay = make_relay(f"lmtp+unix:{path}")
    with pytest.raises(RelayDown, match="No such file"):
        relay.send(SENDER, TO, MAIL, "x")
    with opened(LmtpDoor, UnixListen(path)) as door:
        for _ in range(2):
            relay.send(SENDER, OURS, MAIL, "x")
        with pytest.raises(Refused, match="550"):
            relay.send(SENDER, TO, MAIL, "x")
        door.answer = lambda future: future.set_exception(RuntimeError())
        with pytest.raises(Deferred, match="451"):
            relay.send(SENDER, OURS, MAIL, "x")
        relay.close()
    assert [(envelope.sender, raw) for envelope, raw in door.letters[:2]] == [(SENDER, MAIL)] * 2


def test_where_nobody_listens_the_relay_is_down() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    relay = make_relay(f"smtp://127.0.0.1:{port}")
    for _ in range(2):
        with pytest.raises(RelayDown):
            relay.send(SENDER, TO, MAIL, "one")
    relay.close()


def test_a_password_goes_to_no_server_that_offers_no_encryption(postbox: Postbox) -> None:
    relay = make_relay(f"smtp://user:secret@127.0.0.1:{postbox.port}")
    with pytest.raises(RelayDown) as down:
        relay.send(SENDER, TO, MAIL, "one")
    assert "secret" not in str(down.value)
    assert postbox.mails == []


class Deaf(smtplib.SMTP):
    """A connection on which nobody answers."""

    def __init__(self, said: list[bytes]) -> None:
        super().__init__()
        self._said = said
        self.esmtp_features = {"pipelining": ""}
        self.ehlo_resp = b"250"

    def send(self, said: Any) -> None:
        self._said.append(said)

    def getreply(self) -> tuple[int, bytes]:
        raise smtplib.SMTPServerDisconnected("gone")


class Talking(smtplib.SMTP):
    """A connection that keeps what is said on it, as it is sent."""

    def __init__(self, port: int) -> None:
        self.said: list[bytes] = []
        super().__init__("127.0.0.1", port, local_hostname="test", timeout=20)

    def send(self, said: Any) -> None:
        self.said.append(said if isinstance(said, bytes) else said.encode())
        super().send(said)


def test_a_mail_takes_two_turns_where_several_commands_may_come_at_once() -> None:
    connections: list[Talking] = []
    with Pipelining() as postbox:
        relay = SmtpRelay(lambda: connections.append(Talking(postbox.port)) or connections[-1])  # type: ignore[func-returns-value]
        for _ in range(2):
            relay.send(SENDER, TO, b"Subject: x\r\n\r\n.end", "one")
        relay.close()
    (connection,) = connections
    envelope = b"mail FROM:<pbem@localhost> size=18\r\nrcpt TO:<alice@example.org>\r\ndata\r\n"
    words = b"Subject: x\r\n\r\n..end\r\n.\r\n"
    assert connection.said[1:5] == [envelope, words] * 2
    assert [mail.raw for mail in postbox.mails] == [b"Subject: x\r\n\r\n.end\r\n"] * 2


def test_words_are_kept_from_who_refuses_their_recipient_and_asks_for_them() -> None:
    """RFC 2920 s 3.1: DATA may be answered 354 although no recipient was taken."""
    heard: list[bytes] = []

    def serve(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection, connection.makefile("rb") as lines:
            connection.sendall(b"220 odd\r\n")
            lines.readline()
            connection.sendall(b"250-odd\r\n250 PIPELINING\r\n")
            heard.extend(lines.readline() for _ in range(3))
            connection.sendall(b"250 ok\r\n550 5.1.1 nobody\r\n354 go on\r\n")
            heard.append(lines.read())

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=serve, args=[listening])
        thread.start()
        relay = make_relay(f"smtp://127.0.0.1:{listening.getsockname()[1]}")
        with pytest.raises(Refused) as refused:
            relay.send(SENDER, TO, MAIL, "one")
        thread.join()
    assert refused.value.of_recipient
    assert [line[:4] for line in heard] == [b"mail", b"rcpt", b"data", b""]


class Tired:
    """A relay that bears several commands at once and ends each connection after one mail, as its script says.

    Args:
        goodbye: what it says by itself as soon as it has taken a mail; then it hangs up.
        at: instead, the number of the command of the second mail that it says so to.
        pipelining: whether it says that it bears several commands at once.
    """

    def __init__(self, goodbye: bytes, at: int = 0, *, pipelining: bool = True, always: bool = False) -> None:
        self.taken: list[bytes] = []
        self.connections = 0
        self.idle = Event()
        self._goodbye, self._at, self._always = goodbye, at, always
        self._offers = b"250-tired\r\n250 PIPELINING\r\n" if pipelining else b"250 tired\r\n"
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._thread = Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self.connections += 1
            with connection, connection.makefile("rb") as lines, suppress(OSError):
                self._talk(connection, lines)

    def _talk(self, connection: socket.socket, lines: Any) -> None:
        connection.sendall(b"220 tired\r\n")
        lines.readline()
        connection.sendall(self._offers)
        mails = 0
        while not self._always or mails:
            for command, answer in enumerate((b"250 ok\r\n", b"250 ok\r\n", b"354 go on\r\n"), 1):
                if not lines.readline():
                    return
                if mails and command == self._at:
                    connection.sendall(self._goodbye)
                    return
                connection.sendall(answer)
            mail = b"".join(iter(lines.readline, b".\r\n"))
            if mails and self._at > 3:
                connection.sendall(self._goodbye)
                return
            self.taken.append(mail)
            connection.sendall(b"250 ok\r\n")
            mails += 1
            if not self._at:
                connection.sendall(self._goodbye)
                connection.shutdown(socket.SHUT_WR)
                self.idle.set()
                lines.read()
                return
        connection.sendall(self._goodbye)


@pytest.mark.parametrize("pipelining", [True, False])
@pytest.mark.parametrize(
    "goodbye",
    [
        b"421 4.4.2 localhost Error: timeout exceeded\r\n",
        b"421 localhost: SMTP command timeout - closing connection\r\n",
        b"421-4.4.2 tired\r\n421 4.4.2 of waiting\r\n",
        b"451 4.7.0 Timeout waiting for client input\r\n",
        b"",
    ],
)
def test_a_relay_that_was_idle_and_has_said_goodbye_is_called_again_at_once(goodbye: bytes, pipelining: bool) -> None:
    with Tired(goodbye, pipelining=pipelining) as tired:
        relay = make_relay(f"smtp://127.0.0.1:{tired.port}")
        for number in (1, 2, 3):
            tired.idle.clear()
            relay.send(SENDER, TO, b"Subject: %d\r\n" % number, "one")
            assert tired.idle.wait(20)
        relay.close()
    assert tired.taken == [b"Subject: 1\r\n", b"Subject: 2\r\n", b"Subject: 3\r\n"]
    assert tired.connections == 3


@pytest.mark.parametrize("pipelining", [True, False])
@pytest.mark.parametrize("at", [1, 2, 3, 4])
def test_a_relay_that_says_421_to_the_second_mail_of_a_connection_gets_it_on_another(at: int, pipelining: bool) -> None:
    with Tired(b"421 4.7.0 too many messages here\r\n", at, pipelining=pipelining) as tired:
        relay = make_relay(f"smtp://127.0.0.1:{tired.port}")
        for number in (1, 2):
            relay.send(SENDER, TO, b"Subject: %d\r\n" % number, "one")
        relay.close()
    assert (tired.taken, tired.connections) == ([b"Subject: 1\r\n", b"Subject: 2\r\n"], 2)


def test_a_relay_that_says_421_on_a_fresh_connection_is_down_and_is_not_called_again() -> None:
    with Tired(b"421 4.3.2 shutting down\r\n", always=True) as tired:
        relay = make_relay(f"smtp://127.0.0.1:{tired.port}")
        with pytest.raises(RelayDown):
            relay.send(SENDER, TO, MAIL, "one")
        relay.close()
    assert tired.connections == 1


@pytest.mark.parametrize("answer", ["450 4.2.0 Greylisted", "452 4.2.2 full", "550 5.1.1 No such user"])
def test_what_is_said_of_one_recipient_on_a_kept_connection_is_not_asked_again(postbox: Postbox, answer: str) -> None:
    connect = CountedConnections(postbox)
    relay = SmtpRelay(connect)
    relay.send(SENDER, TO, MAIL, "one")
    postbox.at_rcpt["bob@example.org"] = answer
    with pytest.raises((Deferred, Refused)):
        relay.send(SENDER, "bob@example.org", MAIL, "two")
    relay.close()
    assert len(connect.made) == 1
