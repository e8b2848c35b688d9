"""What both network doors are: they listen, let sessions in, and end in order."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from pbem.config import Listen, UnixListen
from pbem.mail_in.guards import Guests, spare_files
from pbem.mail_in.handler import Handler
from pbem.mail_in.session import Session
from pbem.meters import DoorMeters, Meters

if TYPE_CHECKING:
    import ssl

    from pbem.mail_in.addresses import OwnAddress
    from pbem.mail_in.guarded import GuardedSession
    from pbem.mail_in.guards import DoorLimits
    from pbem.mail_in.handler import Accept


_LONGEST_QUEUE = 100
"""Clients that the system keeps waiting until they are let in."""


class Door:
    """Listens, and hands every letter to ``accept``.

    Args:
        listen: where to listen; port 0 lets the system choose.
        accept: stores a letter; its future tells the letter's number, None if it had come before.
        ours: which recipients are ours.
        limits: what the door bears; the size of a letter is announced as SIZE (RFC 1870).
        tls: what STARTTLS is done with; None: it is not offered.
        wants_proxy: whether each connection begins with a PROXY line.
        socket_mode: who may connect to a UNIX socket, as the mode of a file.
        meters: what is counted here.
    """

    session: ClassVar[type[Session]] = Session
    """What is spoken here."""

    def __init__(
        self,
        listen: Listen | UnixListen,
        accept: Accept,
        ours: OwnAddress,
        limits: DoorLimits,
        *,
        tls: ssl.SSLContext | None = None,
        wants_proxy: bool = False,
        socket_mode: int = 0o600,
        meters: DoorMeters | None = None,
    ) -> None:
        self.listen = listen
        self._socket_mode = socket_mode
        self.limits = limits
        self.hostname = ours.domain
        self.tls = tls
        self.wants_proxy = wants_proxy
        self.guests: Guests[GuardedSession] = Guests(limits)
        self.meters = meters or Meters().door("none")
        self.handler = Handler(accept, ours, limits, self.guests, self.meters)
        self._server: asyncio.Server | None = None
        self._socket_file: tuple[Path, int] | None = None

    async def open(self) -> Listen | UnixListen:
        """Begin to listen; return where.

        Raises:
            OSError: that is not possible.
        """
        loop = asyncio.get_running_loop()
        queue = min(_LONGEST_QUEUE, spare_files() // 2)  # all of it may be let in before any is told to go
        if isinstance(self.listen, UnixListen):
            listening, self._socket_file = _unix_socket(Path(self.listen.path), self._socket_mode)
            self._server = await loop.create_unix_server(self._enter, sock=listening, backlog=queue)
            return self.listen
        self._server = await loop.create_server(self._enter, self.listen.host, self.listen.port, backlog=queue)
        host, port = self._server.sockets[0].getsockname()[:2]
        return Listen(str(host), int(port))

    @property
    def is_open(self) -> bool:
        """Whether sessions are let in."""
        return self._server is not None and self._server.is_serving()

    def _enter(self) -> Session:
        return self.session(self)

    async def close(self, patience: float) -> None:
        """Take no more sessions, let letters under way finish within ``patience`` seconds, end the rest."""
        if self._server is None:
            return
        self.handler.closing = True
        self._server.close()
        self._remove_socket_file()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + patience
        told: set[GuardedSession] = set()
        while self.guests and loop.time() < deadline:
            for session in self.guests.all:
                if session.is_idle and session not in told:
                    told.add(session)
                    session.hang_up()
            await asyncio.sleep(0.02)
        for session in self.guests.all:
            session.hang_up()
        await asyncio.sleep(0)

    def _remove_socket_file(self) -> None:
        """Take the socket away, unless it is another server's by now."""
        if self._socket_file is None:
            return
        path, inode = self._socket_file
        with suppress(OSError):
            if path.lstat().st_ino == inode:
                path.unlink()


def _unix_socket(path: Path, mode: int) -> tuple[socket.socket, tuple[Path, int]]:
    """A bound socket, and its file by name and number; one that a killed server has left behind is replaced."""
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise OSError(errno.EEXIST, "there is a file that is no socket")
        if _is_answered(path):
            raise OSError(errno.EADDRINUSE, "another server listens there")
        path.unlink()
    listening = socket.socket(socket.AF_UNIX)
    mask = os.umask(0o177)  # nobody comes in before the mode is set
    try:
        listening.bind(str(path))
        path.chmod(mode)
    except BaseException:
        listening.close()
        raise
    finally:
        os.umask(mask)
    return listening, (path, path.lstat().st_ino)


def _is_answered(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1)
        try:
            client.connect(str(path))
        except ConnectionRefusedError:
            return False
        except TimeoutError:  # its queue is full: it is there
            return True
    return True
