"""A Postfix of our own for the tests, configured by the very files of ``deploy/postfix``.

It has its own folders and loopback ports, and touches nothing of the system's. Only
paths, ports and waiting times differ from what an operator installs.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import trustme
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.mail import PATIENCE, AnyPort, Postbox
from tests.support.ports import free_port
from tests.support.tools import require_tool

DEPLOYED = Path(__file__).parents[2] / "deploy" / "postfix"
DOMAIN = "pbem.example.org"
ADDRESS = f"pbem@{DOMAIN}"
HOSTNAME = "mx.example.org"
OUTSIDE = "127.0.0.2"
"""The address of clients that Postfix does not know."""
_BEFORE_ASKING = 5

_PACKAGE_MASTER = Path("/etc/postfix/master.cf.proto")
_LOOKED_UP_IN_CHROOT = ("services", "hosts", "localtime", "nsswitch.conf", "resolv.conf")
_NOT_IN_TESTS = """
# In tests: nothing waits for minutes, everything goes to one next hop, and the log to a file.
relayhost = [127.0.0.1]:{next_hop}
smtp_tls_security_level = none
smtpd_milters = {milters}
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file_prefixes = {folder}
maillog_file = {folder}/log
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
transport_retry_time = 1s
in_flow_delay = 0
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtpd_peername_lookup = no
smtpd_authorized_xclient_hosts = 127.0.0.2
"""

# As for PostgreSQL: the pipe closes when the tests let go of it, and also when they are killed. Then nobody has
# said that the folder is still wanted, and it goes.
_GUARD = (
    'folder=$1; shift; "$@" & wanted=$(cat); kill -TERM $(cat "$folder/queue/pid/master.pid"); wait $!; '
    '[ -n "$wanted" ] || rm -rf -- "$folder"'
)


@dataclass
class Postfix:
    """A Postfix that runs, in front of ``pbem`` and behind it."""

    folder: Path
    """Open to Postfix's account, so that a socket of ours can lie in it."""
    port: int
    """The port for the world: port 25 elsewhere."""
    relay_port: int
    """The port on which pbem hands its mails over."""
    certificates: trustme.CA
    _guard: subprocess.Popen[bytes] | None = None

    @property
    def socket(self) -> Path:
        """The socket to which it brings letters by LMTP."""
        return self.folder / "run" / "lmtp"

    @property
    def log(self) -> str:
        """Its log so far."""
        file = self.folder / "log"
        return file.read_text(errors="replace") if file.exists() else ""

    def command(self, program: str, *words: str) -> subprocess.CompletedProcess[str]:
        """Run one of its programs on this instance."""
        return subprocess.run(
            [require_tool(program), "-c", self.configuration, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    @property
    def configuration(self) -> Path:
        """Its folder of settings."""
        return self.folder / "etc"

    def start(self) -> None:
        """Start it, and wait until both doors are open."""
        command = [require_tool("postfix"), "-c", str(self.configuration), "start-fg"]
        with (self.folder / "output").open("ab") as output:
            self._guard = subprocess.Popen(
                ["/bin/sh", "-c", _GUARD, "guard", str(self.folder), *command],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd="/",
                start_new_session=True,
            )
        for port in (self.port, self.relay_port):
            self._wait_for(port)

    def _wait_for(self, port: int, *, is_open: bool = True) -> None:
        deadline = time.monotonic() + PATIENCE
        while _answers(port) != is_open:
            assert time.monotonic() < deadline, (self.folder / "output").read_text() + self.log
            time.sleep(0.02)

    def stop(self) -> None:
        """End it; what it has queued stays. Its doors are closed afterwards: its children outlive it for a moment."""
        guard, self._guard = self._guard, None
        if guard is not None:
            guard.communicate(b"wanted", PATIENCE)
            for port in (self.port, self.relay_port):
                self._wait_for(port, is_open=False)

    def queue(self) -> list[str]:
        """The names of the letters and mails that it still has."""
        places = ("incoming", "active", "deferred")
        return [path.name for place in places for path in (self.folder / "queue" / place).rglob("*") if path.is_file()]

    def wait_until_empty(self, patience: float = 4 * PATIENCE) -> None:
        """Wait until everything is delivered.

        A letter that Postfix looks at while an attempt to deliver it is ending is "skipped, still being delivered": it
        comes back to it after minutes, unless it is asked to try all of them.
        """
        deadline, ask = time.monotonic() + patience, time.monotonic() + _BEFORE_ASKING
        while self.queue():
            if time.monotonic() > ask:
                self.command("postqueue", "-f")
                ask += _BEFORE_ASKING
            assert time.monotonic() < deadline, f"Postfix still has {len(self.queue())} letters\n{self.log[-4000:]}"
            time.sleep(0.05)


def _answers(port: int) -> bool:
    """Return True if somebody listens at a port of 127.0.0.1."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
    except (ConnectionRefusedError, ConnectionResetError):
        return False
    return True


@contextmanager
def running_postfix(next_hop: int, *, lmtp: str | None = None, milters: str = "") -> Iterator[Postfix]:
    """A Postfix in a folder that is gone afterwards.

    Args:
        next_hop: the port of 127.0.0.1 to which everything goes that is not for us.
        lmtp: where letters for us go, as in ``virtual_transport``; a UNIX socket in its folder unless given.
        milters: what ``smtpd_milters`` is in this test.
    """
    require_tool("postfix")
    if os.geteuid() != 0:
        pytest.skip("needs root: nobody else can start Postfix")
    folder = Path(tempfile.mkdtemp(prefix="pbem-postfix-"))
    postfix = Postfix(folder, free_port(), free_port(), trustme.CA())
    try:
        _set_up(postfix, lmtp or f"unix:{postfix.socket}", next_hop, milters)
        postfix.start()
        yield postfix
    finally:
        postfix.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _set_up(postfix: Postfix, lmtp: str, next_hop: int, milters: str) -> None:
    folder = postfix.folder
    folder.chmod(0o755)
    for name in ("etc", "queue", "data", "run", "queue/etc"):
        (folder / name).mkdir()
    shutil.chown(folder / "data", pwd.getpwnam("postfix").pw_uid)
    for name in _LOOKED_UP_IN_CHROOT:
        if (Path("/etc") / name).exists():
            shutil.copyfile(Path("/etc") / name, folder / "queue/etc" / name)
    for name in ("dynamicmaps.cf", "postfix-files"):
        shutil.copyfile(Path("/etc/postfix") / name, folder / "etc" / name)
    _write_certificate(postfix)
    for file in DEPLOYED.glob("pbem_*"):
        shutil.copyfile(file, folder / "etc" / file.name)
    (folder / "etc/main.cf").write_text(_main(postfix, lmtp, next_hop, milters))
    (folder / "etc/master.cf").write_text(_master(postfix))


def _write_certificate(postfix: Postfix) -> None:
    issued = postfix.certificates.issue_cert(HOSTNAME)
    issued.private_key_pem.write_to_path(str(postfix.folder / "etc/privkey.pem"))
    for part in issued.cert_chain_pems:
        part.write_to_path(str(postfix.folder / "etc/fullchain.pem"), append=True)


def _main(postfix: Postfix, lmtp: str, next_hop: int, milters: str) -> str:
    """The deployed file, its paths changed; of what is set twice Postfix takes the last, but warns of it."""
    text = (DEPLOYED / "main.cf").read_text()
    text = text.replace("/etc/postfix/", f"{postfix.folder}/etc/")
    text = text.replace(f"/etc/letsencrypt/live/{HOSTNAME}/", f"{postfix.folder}/etc/")
    text = text.replace("unix:/run/pbem/lmtp", lmtp)
    changed = _NOT_IN_TESTS.format(folder=postfix.folder, next_hop=next_hop, milters=milters)
    for name in re.findall(r"(?m)^(\w+) =", changed):
        text = re.sub(rf"(?m)^{name} =.*\n", "", text)
    return text + changed


def _master(postfix: Postfix) -> str:
    """The package's own file with our additions, the ports changed."""
    package = _PACKAGE_MASTER.read_text()
    ours = (DEPLOYED / "master.cf").read_text().replace("/etc/postfix/", f"{postfix.folder}/etc/")
    return re.sub(r"(?m)^smtp( +inet)", rf"127.0.0.1:{postfix.port}\1", package) + re.sub(
        r"(?m)^127\.0\.0\.1:10025", f"127.0.0.1:{postfix.relay_port}", ours
    )


class _LmtpPort(AnyPort):
    """A controller whose sessions speak LMTP."""

    def factory(self) -> LMTP:
        return LMTP(self.handler, **self.SMTP_kwargs)


class LmtpBox(Postbox):
    """Takes letters by LMTP as pbem does, and keeps them as they come, one for all recipients."""

    def __init__(self) -> None:
        super().__init__()
        self.recipients: list[list[str]] = []
        """The recipients of each transaction."""
        self._controller.loop.close()
        self._controller = _LmtpPort(self, hostname="127.0.0.1", port=0)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Keep the letter, and answer for each recipient (RFC 2033 s 4.2)."""
        self.recipients.append(list(envelope.rcpt_tos))
        answer = await super().handle_DATA(server, session, envelope)
        return "\r\n".join([answer] * len(envelope.rcpt_tos))
