"""A disk that is full or can only be read: no letter is lost, none is done twice, and the operator is told."""

from __future__ import annotations

import json
import resource
import smtplib
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.cli.running import SIGNUP, deliver, pbem
from tests.support.disks import Disk, small_disk
from tests.support.mail import PATIENCE
from tests.support.server import RunningServer, running_server
from tests.support.webhooks import running_service

pytestmark = pytest.mark.sqlite

OPERATOR = "operator@example.org"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with small_disk(tmp_path / "disk", mebibytes=12) as disk:
        yield disk


def settings(database: Path) -> dict[str, str]:
    return {
        "database_url": f"sqlite:///{database}",
        "operator": OPERATOR,
        "web_listen": "127.0.0.1:0",
        "log_level": "warning",
        "lease_seconds": "2",  # a letter that could not even be given back waits so long
    }


def letter(number: int) -> tuple[str, bytes]:
    """A large letter, and whom it is from."""
    sender = f"p{number}@example.org"
    message = EmailMessage()
    message["From"] = sender
    message["To"] = "pbem@localhost"
    message["Subject"] = "help"
    message["Message-ID"] = f"<{number}@example.org>"
    message.set_content("All work and no play makes Jack a dull boy.\n" * 4000)
    return sender, message.as_bytes().replace(b"\n", b"\r\n")


def send(server: RunningServer, number: int) -> int:
    """The code that a letter is answered with."""
    sender, raw = letter(number)
    with smtplib.SMTP("127.0.0.1", server.port, timeout=3 * PATIENCE) as client:
        client.ehlo()
        client.mail(sender)
        client.rcpt("pbem@localhost")
        return client.data(raw)[0]


def health(server: RunningServer) -> tuple[int, str]:
    (url,) = [line.split()[-1] for line in server.lines if line.startswith("pbem: web ")][-1:]
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=PATIENCE) as answer:  # noqa: S310 - our own server
            return answer.status, json.load(answer)["status"]
    except urllib.error.HTTPError as failed:
        with failed:
            return failed.code, json.load(failed)["status"]


def wait_for_health(server: RunningServer, code: int) -> None:
    deadline = time.monotonic() + 3 * PATIENCE
    while health(server)[0] != code:
        assert time.monotonic() < deadline, f"its health does not become {code}"
        time.sleep(0.1)


def send_until_put_off(server: RunningServer, first: int) -> tuple[list[int], int]:
    """Letters that were accepted, and the first one that was not."""
    accepted = list[int]()
    for number in range(first, first + 200):
        code = send(server, number)
        if code == 451:
            return accepted, number
        assert code == 250
        accepted.append(number)
    raise AssertionError("no letter is ever put off")


def everybody_is_answered_once(server: RunningServer, numbers: list[int]) -> None:
    senders = [letter(number)[0] for number in numbers]
    server.postbox.wait_until(lambda mails: {*senders} <= {mail.recipient for mail in mails}, 3 * PATIENCE)
    arrived = Counter(mail.recipient for mail in server.postbox.mails if mail.recipient != OPERATOR)
    assert arrived == Counter(senders)


def test_a_full_disk_puts_letters_off_until_there_is_room_again(tmp_path: Path, disk: Disk) -> None:
    given = settings(disk.path / "pbem.db")
    with running_service() as chat, running_server(tmp_path, alarm_webhook=f"ntfy:{chat.url}/club", **given) as server:
        assert send(server, 0) == 250
        assert health(server) == (200, "ok")
        disk.fill()
        accepted, put_off = send_until_put_off(server, 1)
        alarm = server.postbox.next_for(OPERATOR, 3 * PATIENCE)
        assert alarm.subject == "pbem cannot store letters"
        assert "database or disk is full" in alarm.words
        assert alarm.envelope_sender in ("", "<>")
        assert health(server)[0] == 503
        assert send(server, put_off) == 451
        disk.free()
        assert send(server, put_off) == 250
        assert send(server, put_off) == 250
        wait_for_health(server, 200)
        over = server.postbox.next_for(OPERATOR, 3 * PATIENCE)
        assert over.subject == "pbem stores letters again"
        assert send(server, put_off + 1) == 250
        everybody_is_answered_once(server, [0, *accepted, put_off, put_off + 1])
        titles = [headers["Title"] for _, _, headers, _ in chat.came]
        assert titles == ["pbem cannot store letters", "pbem stores letters again"]
    assert not [line for line in server.lines if "Traceback" in line]


def test_a_disk_that_cannot_be_written_puts_letters_off_until_it_can(tmp_path: Path) -> None:
    with running_server(tmp_path, **settings(tmp_path / "pbem.db")) as server:
        assert send(server, 0) == 250
        everybody_is_answered_once(server, [0])
        _, most = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        # From now on each write of the process fails, as on a disk that is broken or can only be read.
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (0, most))
        assert [send(server, number) for number in (1, 2, 1)] == [451, 451, 451]
        assert server.postbox.next_for(OPERATOR, 3 * PATIENCE).subject == "pbem cannot store letters"
        assert health(server)[0] == 503
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (most, most))
        assert [send(server, number) for number in (2, 1, 2, 1)] == [250] * 4
        wait_for_health(server, 200)
        over = server.postbox.next_for(OPERATOR, 3 * PATIENCE)
        assert over.subject == "pbem stores letters again"
        assert "letters put off 3" in over.words
        everybody_is_answered_once(server, [0, 1, 2])


def test_a_read_only_disk_stops_the_start_and_the_pipe_with_a_sentence(tmp_path: Path, disk: Disk) -> None:
    given = settings(disk.path / "pbem.db")
    with running_server(tmp_path, **given) as server:
        assert send(server, 0) == 250
        everybody_is_answered_once(server, [0])
    disk.remount("ro")
    piped = deliver(tmp_path, SIGNUP, **given)
    assert piped.returncode == 75
    assert b"the database cannot be used: " in piped.stderr
    assert b"Traceback" not in piped.stderr
    started = pbem(tmp_path, "serve", smtp_listen="127.0.0.1:0", **given)
    assert started.returncode == 1
    assert "PBEM_DATABASE_URL: " in started.stderr.splitlines()[-1]
    assert "Traceback" not in started.stderr
    disk.remount("rw")
    assert deliver(tmp_path, SIGNUP, **given).returncode == 0
    with running_server(tmp_path, **given) as server:
        assert "alice" in server.postbox.next_for("alice@example.org").text


def test_the_pipe_puts_letters_off_when_the_disk_is_full(tmp_path: Path, disk: Disk) -> None:
    given = settings(disk.path / "pbem.db")
    with running_server(tmp_path, **given):
        pass
    disk.fill()
    done = deliver(tmp_path, letter(0)[1], **given)
    assert done.returncode == 75
    assert b"the database cannot be used: " in done.stderr
    assert b"Traceback" not in done.stderr
    disk.free()
    assert deliver(tmp_path, letter(0)[1], **given).returncode == 0
