"""Attacks on the doors of a running server, and clients that break off: others are served, letters count once."""

from __future__ import annotations

import re
import signal
import smtplib
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.reliability.ledger import Ledger
from tests.support.mail import PATIENCE
from tests.support.server import RunningServer, running_server

MIB = 1024 * 1024
TO_DATA = b"HELO test\r\nMAIL FROM:<alice@example.org>\r\nRCPT TO:<pbem@localhost>\r\nDATA\r\n"
HELP = b"From: alice@example.org\r\nSubject: help\r\nMessage-ID: <1@example.org>\r\n\r\n\r\n.\r\n"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunningServer]:
    with running_server(
        tmp_path, lmtp_listen=f"unix:{tmp_path / 'lmtp'}", session_seconds="3", drain_seconds="2", log_level="warning"
    ) as server:
        yield server


def connected(server: RunningServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)


def at_data(server: RunningServer) -> socket.socket:
    """A connection in which a letter may begin."""
    client = connected(server)
    client.sendall(TO_DATA)
    heard = b""
    while b"\r\n354 " not in heard:
        heard += client.recv(1000)
    return client


def most_memory(server: RunningServer) -> int:
    """The most memory that the process has had so far, in bytes."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) * 1024


def pour(client: socket.socket, mebibytes: int, what: bytes) -> None:
    """Send so much, or until the other side will have no more."""
    with suppress(OSError):
        for _ in range(mebibytes):
            client.sendall(what * (MIB // len(what)))


def is_served(server: RunningServer, name: str) -> None:
    """Somebody else's letter is still answered."""
    person = server.person(name)
    person.says("help")
    assert person.hears().text


@pytest.mark.parametrize("what", [b"x", b"\r\n", b"x\n", b"\0"], ids=["a line", "empty lines", "no CR", "zeros"])
@pytest.mark.parametrize("in_data", [True, False], ids=["in a letter", "as a command"])
def test_150_mib_without_an_end_cost_next_to_nothing(server: RunningServer, what: bytes, in_data: bool) -> None:
    is_served(server, "before")
    before = most_memory(server)
    with at_data(server) if in_data else connected(server) as client:
        pour(client, 150, what)
    is_served(server, "after")
    assert most_memory(server) - before < 16 * MIB


def test_three_thousand_recipients_do_no_harm(server: RunningServer) -> None:
    before = most_memory(server)
    with connected(server) as client, suppress(OSError):
        client.sendall(TO_DATA.partition(b"RCPT")[0])
        client.sendall(b"".join(b"RCPT TO:<pbem+%d@localhost>\r\n" % number for number in range(3000)))
        client.sendall(b"DATA\r\n" + HELP)
    is_served(server, "after")
    assert most_memory(server) - before < 16 * MIB
    for (recipients,) in Ledger(server.database).rows("SELECT recipients FROM inbox"):
        assert recipients.count("@") <= 10


def test_clients_that_trickle_are_sent_away_and_others_served_meanwhile(server: RunningServer) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(at_data(server)) for _ in range(40)]
        is_served(server, "meanwhile")
        deadline = time.monotonic() + PATIENCE
        ended: set[int] = set()
        while len(ended) < len(slow):
            assert time.monotonic() < deadline, "slow clients keep their connections"
            for number, client in enumerate(slow):
                if number not in ended and _is_over(client):
                    ended.add(number)
    assert Ledger(server.database).rows("SELECT count(*) FROM inbox") == [(1,)]


def _is_over(client: socket.socket) -> bool:
    """Return True if a connection that is sent one more byte has been closed."""
    client.settimeout(0.01)
    try:
        client.sendall(b"x")
        return b"421 " in client.recv(1000)
    except TimeoutError:
        return False
    except OSError:
        return True


def test_whoever_hangs_up_before_the_reply_and_comes_again_is_answered_once(server: RunningServer) -> None:
    for _ in range(10):
        with at_data(server) as client:
            client.sendall(HELP)
            # Close with a reset, as a client that is killed does.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    with at_data(server) as client:
        client.sendall(HELP)
        assert client.recv(100).startswith(b"250 ")
    alice = server.person("alice")
    assert alice.hears().text
    assert alice.hears_nothing()
    (stored,) = Ledger(server.database).rows("SELECT count(*) FROM inbox WHERE sender = 'alice@example.org'")
    assert stored == (1,)


def test_one_letter_in_pieces_through_both_doors_is_carried_out_once(server: RunningServer) -> None:
    raw = HELP.removesuffix(b".\r\n")
    with smtplib.LMTP(str(server.folder / "lmtp"), local_hostname="mta") as client:
        client.sendmail("alice@example.org", ["pbem@localhost"], raw)
        client.sendmail("alice@example.org", ["pbem+token@localhost"], b"Received: by mta\r\n" + raw)
    server.person("alice").mails(raw, "pbem+other@localhost")
    alice = server.person("alice")
    assert alice.hears().text
    assert alice.hears_nothing()


def test_the_end_lets_a_letter_over_lmtp_finish_and_takes_the_socket_away(server: RunningServer) -> None:
    path = server.folder / "lmtp"
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(PATIENCE)
        client.connect(str(path))
        client.sendall(TO_DATA.replace(b"HELO", b"LHLO"))
        heard = b""
        while b"\r\n354 " not in heard:
            heard += client.recv(1000)
        server._process.send_signal(signal.SIGTERM)  # type: ignore[union-attr]
        deadline = time.monotonic() + PATIENCE
        while path.exists():
            assert time.monotonic() < deadline, "the socket is not taken away"
            time.sleep(0.01)
        client.sendall(HELP)
        assert client.recv(100).startswith(b"250 ")
    assert server.stop() == 0
    assert Ledger(server.database).rows("SELECT count(*) FROM inbox") == [(1,)]


def test_a_killed_server_starts_again_on_the_socket_that_it_left(server: RunningServer) -> None:
    server.kill()
    assert (server.folder / "lmtp").exists()
    server.start()
    with smtplib.LMTP(str(server.folder / "lmtp"), local_hostname="mta") as client:
        assert client.noop()[0] == 250
