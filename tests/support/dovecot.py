"""A Dovecot of our own for the tests: an IMAP server as a provider runs it, with one mailbox in a temporary folder.

It has its own folders and a loopback port, and touches nothing of the system's.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import trustme
from imapclient import IMAPClient

from tests.support.mail import PATIENCE
from tests.support.ports import free_port
from tests.support.tools import require_tool

HOST = "127.0.0.1"
USER, PASSWORD = "club@example.org", "apple pie"
ADDRESS = "pbem@example.org"

_BY_TOKEN = """
auth_mechanisms = $auth_mechanisms xoauth2
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {folder}/oauth2.conf
}}
"""
"""Lines with which it takes tokens, too; the file says who knows whose they are."""

_QUOTA = """
mail_plugins = quota
protocol imap {{
  mail_plugins = quota imap_quota
}}
plugin {{
  quota = maildir:User quota
  quota_rule = *:storage={kilobytes}K
}}
"""

_RIGHTS = """
mail_plugins = acl
plugin {
  acl = vfile
}
"""

_RIGHTS_FILE = "dovecot-acl"

_CONFIGURATION = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
listen = {host}
default_internal_user = {internal}
default_internal_group = {group}
default_login_user = {login}
mail_uid = {mail}
mail_gid = {mail_group}
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:{folder}/mail
ssl = required
ssl_cert = <{folder}/cert.pem
ssl_key = <{folder}/key.pem
disable_plaintext_auth = yes
auth_mechanisms = plain login
auth_failure_delay = 0
mail_max_userip_connections = {connections}
maildir_very_dirty_syncs = no
mailbox_idle_check_interval = 1s
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%u {folder}/users
}}
userdb {{
  driver = static
  args = home={folder}/home
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    port = {port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
{more}
"""

# As for Postfix: when the tests let go of the pipe, or are killed, it ends.
_GUARD = '"$@" & cat >/dev/null; kill -TERM $!; wait $!'


@dataclass
class Dovecot:
    """A Dovecot that runs."""

    folder: Path
    port: int
    connections: int = 10
    """The most that one user may have."""
    tokens: str | None = None
    """The beginning of a URL at which it asks whose a token is; None: it takes none."""
    kilobytes: int = 0
    """The room for letters; 0: any."""
    rights: str = ""
    """The rights to INBOX (RFC 4314), such as ``lrs``; empty: all."""
    certificates: trustme.CA = field(default_factory=trustme.CA)
    _guard: subprocess.Popen[bytes] | None = None
    _numbers: Iterator[int] = field(default_factory=count)

    @property
    def url(self) -> str:
        """The setting by which pbem finds the mailbox."""
        return f"imaps://{USER}:{PASSWORD.replace(' ', '%20')}@localhost:{self.port}/INBOX"

    @property
    def environ(self) -> Mapping[str, str]:
        """The environment of a process that is to trust its certificate."""
        return {"SSL_CERT_FILE": str(self.folder / "ca.pem")}

    @property
    def inbox(self) -> Path:
        """The Maildir that letters are delivered to."""
        return self.folder / "mail"

    @property
    def log(self) -> str:
        """Its log so far."""
        file = self.folder / "log"
        return file.read_text(errors="replace") if file.exists() else ""

    def start(self) -> None:
        """Start it, and wait until it answers."""
        deadline = time.monotonic() + PATIENCE
        begun = self._launch()
        while True:
            try:
                self.client().logout()
            except OSError:
                told = (self.folder / "output").read_text()
                assert time.monotonic() < deadline, told + self.log
                time.sleep(0.05)
                if "Fatal: " in told[begun:]:  # processes of one that was killed take a moment to let go
                    self.stop()
                    begun = self._launch()
            else:
                return

    def _launch(self) -> int:
        """Start it; return the number of characters that had been put out before."""
        command = [require_tool("dovecot"), "-F", "-c", str(self.folder / "dovecot.conf")]
        with (self.folder / "output").open("ab") as output:
            begun = output.tell()
            self._guard = subprocess.Popen(
                ["/bin/sh", "-c", _GUARD, "guard", *command],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd="/",
                start_new_session=True,
            )
        return begun

    def stop(self) -> None:
        """End it; letters stay."""
        guard, self._guard = self._guard, None
        if guard is not None:
            guard.communicate(b"", PATIENCE)

    def kill(self) -> None:
        """End it as a power cut would, with all of its processes."""
        guard, self._guard = self._guard, None
        assert guard is not None
        os.killpg(guard.pid, signal.SIGKILL)
        guard.communicate()
        master = self.folder / "run" / "master.pid"
        with suppress(ProcessLookupError):
            os.kill(int(master.read_text()), signal.SIGKILL)
        master.unlink()  # or it would be taken for running as long as nobody has asked how it ended

    def client(self) -> IMAPClient:
        """A connection, logged in and with INBOX open."""
        context = ssl.create_default_context()
        self.certificates.configure_trust(context)
        client = IMAPClient("localhost", self.port, ssl_context=context, timeout=PATIENCE)
        client.login(USER, PASSWORD)
        client.select_folder("INBOX", readonly=bool(self.rights))
        return client

    def deliver(self, raw: bytes, sender: str = "alice@example.org", to: str = ADDRESS) -> None:
        """Bring a letter as a provider does, with its fields on top."""
        name = f"{time.time():.6f}.{next(self._numbers)}.test"
        head = f"Return-Path: <{sender}>\r\nDelivered-To: {to}\r\n".encode()
        aside = self.inbox / "tmp" / name
        aside.write_bytes(head + raw)
        self._belongs_to_it(aside)
        aside.replace(self.inbox / "new" / name)

    def _belongs_to_it(self, path: Path) -> None:
        if os.geteuid() == 0:
            shutil.chown(path, "nobody", "nogroup")

    def subjects(self, folder: str = "INBOX") -> list[str]:
        """The Subjects of the letters in a folder, in order; none if there is no such folder."""
        with self.client() as client:
            if not client.folder_exists(folder):
                return []
            client.select_folder(folder, readonly=True)
            found = client.fetch(client.search(), ["BODY.PEEK[HEADER.FIELDS (SUBJECT)]"])
        fields = [each[b"BODY[HEADER.FIELDS (SUBJECT)]"] for _, each in sorted(found.items())]
        return [field.decode().removeprefix("Subject:").strip() for field in fields]

    def flags(self, folder: str = "INBOX") -> list[set[bytes]]:
        """The flags of the letters in a folder, in order."""
        with self.client() as client:
            client.select_folder(folder, readonly=True)
            found = client.get_flags(client.search())
        return [set(flags) - {b"\\Recent"} for _, flags in sorted(found.items())]

    def renumber(self) -> None:
        """Forget all numbers, as a provider does that has moved its mailboxes; it must not run."""
        assert self._guard is None
        for file in self.inbox.rglob("dovecot*"):
            if file.is_file() and file.name != _RIGHTS_FILE:
                file.unlink()
        for folder in (self.inbox, *(each for each in self.inbox.iterdir() if each.name.startswith("."))):
            listed = folder / "dovecot-uidlist"
            listed.write_text(f"3 V{int(time.time()) + 1000} N1 G0123456789abcdef0123456789abcdef\n")
            self._belongs_to_it(listed)


@contextmanager
def running_dovecot(
    connections: int = 10, tokens: str | None = None, kilobytes: int = 0, rights: str = ""
) -> Iterator[Dovecot]:
    """A Dovecot in a folder that is gone afterwards.

    Args:
        connections: the most that one user may have.
        tokens: the beginning of a URL at which it asks whose a token is.
        kilobytes: the room for letters.
        rights: what may be done in INBOX.
    """
    require_tool("dovecot")
    folder = Path(tempfile.mkdtemp(prefix="pbem-dovecot-"))
    dovecot = Dovecot(folder, free_port(), connections, tokens, kilobytes, rights)
    try:
        _set_up(dovecot)
        dovecot.start()
        yield dovecot
    finally:
        dovecot.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _set_up(dovecot: Dovecot) -> None:
    folder = dovecot.folder
    folder.chmod(0o755)
    for name in ("run", "state", "home", "mail", "mail/tmp", "mail/new", "mail/cur"):
        (folder / name).mkdir()
    issued = dovecot.certificates.issue_cert("localhost")
    issued.private_key_pem.write_to_path(str(folder / "key.pem"))
    for part in issued.cert_chain_pems:
        part.write_to_path(str(folder / "cert.pem"), append=True)
    dovecot.certificates.cert_pem.write_to_path(str(folder / "ca.pem"))
    asks = f"tokeninfo_url = {dovecot.tokens}\nusername_attribute = email\n"
    (folder / "oauth2.conf").write_text(asks)
    (folder / "users").write_text(f"{USER}:{PASSWORD}\n")
    me = pwd.getpwuid(os.geteuid()).pw_name
    is_root = os.geteuid() == 0
    if is_root:
        for each in (folder / "home", folder / "mail", *(folder / "mail").iterdir()):
            shutil.chown(each, "nobody", "nogroup")
    if dovecot.rights:
        (folder / "mail" / _RIGHTS_FILE).write_text(f"owner {dovecot.rights}\n")
    own_group = pwd.getpwuid(os.geteuid()).pw_gid
    configuration = _CONFIGURATION.format(
        folder=folder,
        host=HOST,
        port=dovecot.port,
        connections=dovecot.connections,
        internal="dovecot" if is_root else me,
        group="dovecot" if is_root else own_group,
        login="dovenull" if is_root else me,
        mail="nobody" if is_root else me,
        mail_group="nogroup" if is_root else own_group,
        more=("" if dovecot.tokens is None else _BY_TOKEN.format(folder=folder))
        + (_QUOTA.format(kilobytes=dovecot.kilobytes) if dovecot.kilobytes else "")
        + (_RIGHTS if dovecot.rights else ""),
    )
    (folder / "dovecot.conf").write_text(configuration)
