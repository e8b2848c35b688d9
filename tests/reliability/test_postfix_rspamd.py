"""rspamd as it is deployed, asked by Postfix as it is deployed: what letters show, and who signs mails."""

from __future__ import annotations

import os
import re
import shutil
import smtplib
import socket
import socketserver
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from pbem.config import Settings
from tests.reliability.postfix_doors import Doors, letters_that_came, without_received
from tests.reliability.postfix_doors import outsider as somebody
from tests.support.mail import PATIENCE, Postbox
from tests.support.ports import free_port
from tests.support.postfix import ADDRESS, DOMAIN, HOSTNAME, LmtpBox, running_postfix
from tests.support.tools import require_tool

pytestmark = [pytest.mark.system, pytest.mark.timeout(300)]

DEPLOYED = Path(__file__).parents[2] / "deploy" / "rspamd"
FAR_AWAY = "192.0.2.25"
"""The source of letters; rspamd takes all loopback addresses for its own."""
_TXT, _IN, _NO_SUCH_NAME = 16, 1, 3


class _Names(socketserver.UDPServer):
    """A DNS server that knows some TXT records and nothing else (RFC 1035)."""

    def __init__(self, texts: dict[str, str]) -> None:
        super().__init__(("127.0.0.1", 0), _Question)
        self.texts = texts


class _Question(socketserver.DatagramRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, _Names)
        asked = self.rfile.read()
        end = asked.index(b"\0", 12) + 5
        kind = struct.unpack("!H", asked[end - 4 : end - 2])[0]
        text = self.server.texts.get(_name(asked[12:])) if kind == _TXT else None
        records = b"" if text is None else _record(text)
        flags = 0x8580 if text is not None else 0x8580 | _NO_SUCH_NAME
        head = asked[:2] + struct.pack("!HHHHH", flags, 1, 1 if records else 0, 0, 0)
        self.wfile.write(head + asked[12:end] + records)


def _name(labels: bytes) -> str:
    parts = []
    while size := labels[0]:
        parts.append(labels[1 : size + 1].decode().lower())
        labels = labels[size + 1 :]
    return ".".join(parts)


def _record(text: str) -> bytes:
    parts = [text[start : start + 255].encode() for start in range(0, len(text), 255)]
    data = b"".join(bytes([len(part)]) + part for part in parts)
    return struct.pack("!HHHIH", 0xC00C, _TXT, _IN, 60, len(data)) + data


@contextmanager
def _names(texts: dict[str, str]) -> Iterator[int]:
    with _Names(texts) as server:
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield int(server.server_address[1])
        server.shutdown()
        thread.join()


@contextmanager
def _running_rspamd(port: int) -> Iterator[None]:
    """The deployed rspamd in a folder of its own; only its port, its names and the place of its key are others."""
    hint = "apt-get install rspamd"
    rspamd = require_tool("rspamd", hint)
    if os.geteuid() != 0:
        pytest.skip("needs root: nobody else can start Postfix")
    folder = Path(tempfile.mkdtemp(prefix="pbem-rspamd-"))
    try:
        shutil.copytree(DEPLOYED, folder, dirs_exist_ok=True)
        for name in ("db", "run", "log"):
            (folder / name).mkdir()
        places = [f"--var={each}={folder}/{each[:-3].lower()}" for each in ("DBDIR", "RUNDIR", "LOGDIR")]
        variables = [f"--var=LOCAL_CONFDIR={folder}", *places]
        record = _make_key(folder)
        texts = {
            "example.org": f"v=spf1 ip4:{FAR_AWAY} -all",
            "_dmarc.example.org": "v=DMARC1; p=none",
            "example.net": "v=spf1 -all",
            "_dmarc.example.net": "v=DMARC1; p=none",
            f"pbem._domainkey.{DOMAIN}": record,
        }
        with _names(texts) as names:
            _set_up(folder, port, names)
            configuration = ["-c", "/etc/rspamd/rspamd.conf"]
            test = [require_tool("rspamadm", hint), *variables, "configtest", *configuration]
            done = subprocess.run(test, capture_output=True, text=True, timeout=60, check=False)
            assert (done.returncode, done.stdout.strip()[-9:]) == (0, "syntax OK"), done.stdout + done.stderr
            with _process([rspamd, "-f", "-i", *variables, *configuration], folder, port):
                yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make_key(folder: Path) -> str:
    """Make a key by the command in the deployed file; the TXT record that it prints."""
    text = (DEPLOYED / "local.d/dkim_signing.conf").read_text()
    found = re.search(r"rspamadm (dkim_keygen .*?) \\\n#     (-k) (\S+)\n", text)
    assert found is not None
    words = [*found[1].split(), found[2], f"{folder}/key"]
    printed = subprocess.run(
        [require_tool("rspamadm"), *words], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    return "".join(re.findall(r'"([^"]*)"', printed))


def _set_up(folder: Path, port: int, names: int) -> None:
    places = {
        "worker-proxy.inc": ("127.0.0.1:11332", f"127.0.0.1:{port}"),
        "dkim_signing.conf": (f"/var/lib/rspamd/dkim/{DOMAIN}.pbem.key", f"{folder}/key"),
    }
    for file, (deployed, here) in places.items():
        path = folder / "local.d" / file
        assert path.read_text().count(deployed) >= 1
        path.write_text(path.read_text().replace(deployed, here))
    options = folder / "override.d/options.inc"
    options.write_text(options.read_text() + f'dns {{ nameserver = ["127.0.0.1:{names}"]; }}\n')
    (folder / "local.d/worker-controller.inc").write_text("enabled = false;\n")


@contextmanager
def _process(command: list[str], folder: Path, port: int) -> Iterator[None]:
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        deadline = time.monotonic() + 10 * PATIENCE  # its rules are compiled when it starts
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                assert process.poll() is None, (folder / "output").read_text()
                assert time.monotonic() < deadline
                time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


@pytest.fixture(scope="module")
def doors() -> Iterator[Doors]:
    port = free_port()
    with (
        _running_rspamd(port),
        LmtpBox() as pbem,
        Postbox() as world,
        running_postfix(world.port, lmtp=f"inet:127.0.0.1:{pbem.port}", milters=f"inet:127.0.0.1:{port}") as postfix,
    ):
        yield Doors(postfix, pbem, world)


def outsider(doors: Doors) -> smtplib.SMTP:
    """A connection that seems to come from far away, to Postfix and so to rspamd."""
    client = somebody(doors)
    assert client.docmd("XCLIENT", f"ADDR={FAR_AWAY} NAME=mail.example.org")[0] == 220
    client.ehlo("mail.example.org")
    return client


def _letter(sender: str, *headers: str) -> bytes:
    lines = [*headers, f"From: {sender}", f"To: {ADDRESS}", "Subject: superbo move 101 B3"]
    lines += ["Date: Fri, 20 Nov 2026 12:00:00 +0000", f"Message-ID: <{time.monotonic_ns()}@example.org>"]
    return "\r\n".join([*lines, "", "Hello", ""]).encode()


def _results(raw: bytes) -> list[str]:
    """The Authentication-Results, each on one line."""
    head = raw.partition(b"\r\n\r\n")[0].decode().replace("\r\n\t", " ").replace("\r\n ", " ")
    return [line for line in head.split("\r\n") if line.lower().startswith("authentication-results:")]


def test_letters_of_who_they_say_they_are_from_pass(doors: Doors) -> None:
    with outsider(doors) as client:
        client.sendmail("alice@example.org", [ADDRESS], _letter("alice@example.org"))
    (mail,) = letters_that_came(doors)
    (result,) = _results(mail.raw)
    assert result.split()[1] == f"{Settings.read({'PBEM_AUTHSERV_ID': HOSTNAME}).authserv_id};"
    assert re.search(r"\bdmarc=pass\b.*header\.from=example\.org", result)
    assert mail.subject == "superbo move 101 B3"


def test_forged_letters_fail_whatever_they_claim(doors: Doors) -> None:
    claim = f"Authentication-Results: {HOSTNAME}; dmarc=pass header.from=example.net"
    with outsider(doors) as client:
        client.sendmail("mallory@example.org", [ADDRESS], _letter("bob@example.net", claim))
    (mail,) = letters_that_came(doors)
    (result,) = _results(mail.raw)
    assert "dmarc=fail" in result
    assert "dmarc=pass" not in mail.raw.decode()


@pytest.mark.parametrize("sender", [ADDRESS, f"pbem+token@{DOMAIN}", ""])
def test_mails_are_signed_and_otherwise_unchanged(doors: Doors, sender: str) -> None:
    unsubscribing = "List-Unsubscribe: <https://pbem.example.org/>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click"
    mail = _letter(f"pbem <{ADDRESS}>", *unsubscribing)
    with smtplib.SMTP("127.0.0.1", doors.postfix.relay_port, timeout=PATIENCE) as client:
        client.sendmail(sender, ["alice@example.org"], mail)
    came = without_received(doors.world.next_for("alice@example.org").raw)
    signature = re.split(rb"\r\n(?![ \t])", came, maxsplit=1)[0]
    assert signature.startswith(b"DKIM-Signature:")
    assert b"d=pbem.example.org" in signature
    assert b"s=pbem" in signature
    signed = re.sub(rb"\s", b"", signature).partition(b";h=")[2].partition(b";")[0].lower().split(b":")
    assert {b"from", b"list-unsubscribe", b"list-unsubscribe-post"} <= {*signed}  # RFC 8058 s 4
    assert came.removeprefix(signature + b"\r\n") == mail
    with outsider(doors) as client:
        client.sendmail("forwarder@example.org", [ADDRESS], came)
    (back,) = letters_that_came(doors)
    assert f"dkim=pass header.d={DOMAIN}" in _results(back.raw)[0]
