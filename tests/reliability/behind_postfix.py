"""A server as it stands in public: Postfix before it and behind it, and people who know nobody but Postfix."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.reliability.ledger import Ledger
from tests.support.mail import Person, Postbox
from tests.support.ports import free_port
from tests.support.postfix import ADDRESS, Postfix, running_postfix
from tests.support.server import RunningServer


@dataclass
class ServerBehindPostfix:
    """The server, its Postfix, and the mail server of everybody else."""

    server: RunningServer
    postfix: Postfix
    postbox: Postbox

    @property
    def ledger(self) -> Ledger:
        """The server's database."""
        return Ledger(self.server.database)

    def person(self, name: str) -> Person:
        """Somebody who writes to Postfix."""
        return Person(f"{name}@example.org", self.postbox, self.postfix.port, ADDRESS)

    def player(self, userid: str) -> Person:
        """Somebody who has signed up and confirmed their address."""
        person = self.person(userid)
        person.says(f"signup {userid} secret")
        person.answers(person.hears(), "yes")
        welcome = person.hears()
        assert welcome.subject == f"Welcome to pbem, {userid}", welcome.text
        return person

    def wait_until_idle(self) -> None:
        """Wait until every letter is handled, and every mail with who it is for."""
        self.postfix.wait_until_empty()
        self.ledger.wait_until_idle()
        self.postfix.wait_until_empty()


@contextmanager
def running_behind_postfix(
    folder: Path, *, tcp: bool = False, through_relay: bool = True, **settings: str
) -> Iterator[ServerBehindPostfix]:
    """All of it, ended at the end.

    Args:
        folder: where the server keeps its games.
        tcp: whether letters come by LMTP over TCP; by a UNIX socket otherwise.
        through_relay: whether mails go to Postfix, as they should; to their readers directly otherwise.
        settings: further settings of the server.
    """
    port = free_port()
    with Postbox() as postbox, running_postfix(postbox.port, lmtp=f"inet:127.0.0.1:{port}" if tcp else None) as postfix:
        listen = f"127.0.0.1:{port}" if tcp else f"unix:{postfix.socket}"
        given = {"address": ADDRESS, "lmtp_listen": listen, "lmtp_socket_mode": "666", "log_level": "info"}
        if through_relay:
            given["relay_url"] = f"smtp://127.0.0.1:{postfix.relay_port}"
        server = RunningServer(folder, postbox, **given | settings).start()
        try:
            yield ServerBehindPostfix(server, postfix, postbox)
        finally:
            server.stop()
