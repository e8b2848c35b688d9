"""Containers of ``deploy/docker/compose.yaml``, run in namespaces in place of an engine."""

from __future__ import annotations

import re
import signal
import smtplib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest
from aiosmtpd.controller import UnixSocketController
from aiosmtpd.lmtp import LMTP

from tests.support.containers import ROOT, Container, Image, compose, folder_of_volumes
from tests.support.forked import Forked
from tests.support.mail import PATIENCE
from tests.support.maildir import mails_in, nth_mail
from tests.support.ports import free_port
from tests.support.postfix import ADDRESS, LmtpBox
from tests.support.tools import require_tool

IMAGE = Image("Dockerfile")
FAR_AWAY = "192.0.2.25"
"""The address of a mail server of others."""
KEEPING = {"PBEM_RELAY_URL": "maildir:/var/lib/pbem/mail", "PBEM_THINKERS": "0", "PBEM_RETRY_LETTER_SECONDS": "0"}
"""Mails stay in the volume."""


@pytest.fixture
def volumes() -> Iterator[Path]:
    with folder_of_volumes() as folder:
        yield folder


@pytest.fixture
def pbem(tmp_path: Path, volumes: Path) -> Iterator[Container]:
    """The container of the profile sqlite, started."""
    container = Container("pbem", IMAGE, compose("sqlite", tmp_path)["services"]["pbem"], volumes, KEEPING)
    try:
        container.start("pbem: ready")
        yield container
    finally:
        container.discard()


def wait_until(holds: Callable[[], bool], container: Container) -> None:
    deadline = time.monotonic() + 4 * PATIENCE  # rspamd takes its time
    while not holds():
        assert time.monotonic() < deadline, "\n".join(container.lines)
        time.sleep(0.2)


def begin_letter(container: Container, sender: str) -> smtplib.LMTP:
    client = smtplib.LMTP(str(container.folder / "socket" / "lmtp"), timeout=PATIENCE)
    client.ehlo()
    assert client.mail(sender)[0] == 250
    assert client.rcpt("pbem@pbem.example.org")[0] == 250
    return client


def end_letter(client: smtplib.LMTP, sender: str, subject: str) -> None:
    head = f"From: {sender}\r\nTo: pbem@pbem.example.org\r\nSubject: {subject}\r\nMessage-ID: <{sender}>\r\n"
    assert client.data(f"{head}\r\n")[0] == 250


def test_it_runs_as_nobody_who_can_change_its_image(pbem: Container) -> None:
    assert pbem.run("id", "-u").stdout == "10001\n"
    assert pbem.run("sh", "-c", "tr '\\0' ' ' </proc/1/cmdline").stdout.endswith("-m pbem serve ")
    powers = dict(line.split(":\t") for line in Path(f"/proc/{pbem.process}/status").read_text().splitlines())
    assert {int(powers[name], 16) for name in ("CapPrm", "CapEff", "CapBnd", "CapInh")} == {0}
    assert powers["NoNewPrivs"] == "1"
    own = [*pbem.service["tmpfs"], *(each["target"] for each in pbem.service["volumes"])]
    assert [pbem.run("touch", f"{place}/file").returncode for place in own] == [0] * 3
    for place in ("", "/etc", "/opt/pbem", "/usr/bin", str(ROOT)):
        assert "Read-only file system" in pbem.run("touch", f"{place}/file").stderr


def test_a_letter_is_answered_and_the_volume_is_all_that_must_be_kept(pbem: Container) -> None:
    assert pbem.is_healthy
    with begin_letter(pbem, "alice@example.org") as client:
        end_letter(client, "alice@example.org", "signup alice secret")
    mails = pbem.folder / "pbem" / "mail"
    assert nth_mail(mails, 1)["Subject"] == "Please confirm your pbem account alice"
    assert "alice" in pbem.run("pbem", "admin", "letters").stdout
    assert pbem.stop() == 0
    again = Container("again", IMAGE, pbem.service, pbem.folder, KEEPING)
    try:
        again.start("pbem: ready")
        with begin_letter(again, "bob@example.org") as client:
            end_letter(client, "bob@example.org", "help")
        assert nth_mail(mails, 2)["To"] == "bob@example.org"
        assert again.stop() == 0
    finally:
        again.discard()


def test_the_command_of_the_image_and_its_health_check_work_as_plain_processes(tmp_path: Path) -> None:
    environ = {name: each.replace("/var/lib/pbem", str(tmp_path)) for name, each in IMAGE.environ.items()}
    ports = {name: each for name, each in environ.items() if name.endswith("_LISTEN") and each != "off"}
    environ |= {name: f"127.0.0.1:{free_port()}" for name in ports} | KEEPING | {"PBEM_RELAY_URL": "maildir:mail"}
    asked, here = ports["PBEM_MONITOR_LISTEN"], environ["PBEM_MONITOR_LISTEN"]
    python, *words = [word.replace(asked, here) for word in IMAGE.health_check]
    check = [{"python": sys.executable}[python], *words]
    assert here in words[-1]
    assert IMAGE.entrypoint == ["pbem"]
    server = Forked(tmp_path, environ, IMAGE.command)
    with server.stdout as lines:
        assert any(line.startswith("pbem: ready") for line in lines)
        assert subprocess.run(check, timeout=PATIENCE, check=False).returncode == 0
        server.send_signal(signal.SIGTERM)
        lines.read()
    assert server.wait(PATIENCE) == 0
    assert subprocess.run(check, stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False).returncode == 1


def test_letters_are_drained_when_it_is_asked_to_end(pbem: Container) -> None:
    slow = begin_letter(pbem, "slow@example.org")
    quick = [f"quick{number}@example.org" for number in range(10)]
    for sender in quick:
        with begin_letter(pbem, sender) as client:
            end_letter(client, sender, "help")
    pbem.ask_to_end()
    wait_until(lambda: not (pbem.folder / "socket" / "lmtp").exists(), pbem)
    assert not pbem.is_healthy
    end_letter(slow, "slow@example.org", "help")
    slow.close()
    assert pbem.wait() == 0
    again = Container("again", IMAGE, pbem.service, pbem.folder, KEEPING)
    try:
        again.start("pbem: ready")
        mails = pbem.folder / "pbem" / "mail"
        nth_mail(mails, len(quick) + 1)
        assert again.stop() == 0
        assert sorted(mail["To"] for mail in mails_in(mails)) == sorted([*quick, "slow@example.org"])
    finally:
        again.discard()


def test_with_a_mailbox_the_web_is_the_only_door(tmp_path: Path, volumes: Path) -> None:
    nobody = {"PBEM_MAILBOX_URL": "imaps://club@127.0.0.1:9/INBOX", "PBEM_RELAY_URL": "smtp://127.0.0.1:9"}
    environ = nobody | {"PBEM_THINKERS": "0"}
    container = Container("mailbox", IMAGE, compose("mailbox", tmp_path)["services"]["mailbox"], volumes, environ)
    try:
        container.start("pbem: ready")
        assert container.is_healthy
        assert {each.name for each in (volumes / "pbem").iterdir() if each.is_socket()} == set()
        listening = container.run("ss", "--no-header", "--listening", "--tcp", "--numeric").stdout
        assert sorted(line.split()[3] for line in listening.splitlines()) == ["0.0.0.0:8080", "127.0.0.1:8090"]
        assert container.stop() == 0
    finally:
        container.discard()
    assert any("mailbox trouble" in line for line in container.lines)


class _LmtpSocket(UnixSocketController):
    """A controller at a socket, whose sessions speak LMTP."""

    def factory(self) -> LMTP:
        return LMTP(self.handler, **self.SMTP_kwargs)


class World(LmtpBox):
    """The mail system of everybody, at a socket in a volume."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._controller.loop.close()
        self._socket = folder / "socket" / "world"
        self._controller = _LmtpSocket(self, unix_socket=str(self._socket))  # type: ignore[assignment] # no port

    def __enter__(self) -> Self:
        super().__enter__()
        self._socket.chmod(0o666)
        return self


WITH_WORLD = f"""
ip address add {FAR_AWAY}/32 dev lo
chroot $root postconf -e default_transport=lmtp:unix:/run/pbem/world
"""
"""Changes to the container of Postfix: others have an address, and their mail servers a socket."""


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_postfix_and_rspamd_bring_letters_and_sign_mails(tmp_path: Path, volumes: Path) -> None:
    require_tool("rspamd", "apt-get install rspamd")
    for tool in ("postfix", "swaks"):
        require_tool(tool)
    found = compose("sqlite", tmp_path)["services"]
    mail = Container("mail", Image("mail.Dockerfile"), found["mail"], volumes, change=WITH_WORLD)
    again = replace(mail, lines=[])
    pbem = Container("pbem", IMAGE, found["pbem"], volumes, {"PBEM_THINKERS": "0"}, network=mail)
    letter = ["swaks", "--from", "alice@example.org", "--header", "Subject: help", "--helo", "example.org"]
    outside = [*letter, "--local-interface", FAR_AWAY, "--server"]
    try:
        mail.start("start-mail: made a key")
        pbem.start("pbem: ready")
        wait_until(lambda: mail.is_healthy, mail)
        with World(volumes) as world:
            said = mail.run(*outside, "127.0.0.1:25", "--to", ADDRESS).stdout
            assert "250 2.0.0 Ok: queued" in said, said
            answer = world.next_for("alice@example.org")
        assert answer.subject == "pbem help"
        assert " d=pbem.example.org;" in str(answer.parsed["DKIM-Signature"])
        for door, to in (("127.0.0.1:25", "bob@example.net"), ("127.0.0.1:10025", ADDRESS), ("127.0.0.1:25", "x@y")):
            assert re.search(r"\*\* 5\d\d ", mail.run(*outside, door, "--to", to).stdout)
        assert pbem.stop() == 0
        assert mail.stop() == 0
        again.start("")
        wait_until(lambda: again.is_healthy, again)
        assert not any("made a key" in line for line in again.lines)
        numbers = {found for line in again.lines for found in re.findall(r" #(\d+)\(main\) ", line)}
        assert again.run("bash", "-c", f"kill {numbers.pop()}").returncode == 0
        assert again.wait() == 1
    finally:
        for container in (pbem, mail, again):
            container.discard()
