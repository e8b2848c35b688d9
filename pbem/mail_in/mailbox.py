"""A mailbox at a provider, reached by IMAP (RFC 9051, RFC 3501): what is needed to fetch letters, and no more."""

from __future__ import annotations

import re
import select
import socket
import ssl
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from imapclient import DELETED, SEEN, IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, IMAPClientReadOnlyError, LoginError

from pbem.access_tokens import AccessTokens, NoAccessToken
from pbem.config import DELETE, FLAG, Folder, ImapUrl
from pbem.config.values import is_this_machine
from pbem.domain.letters import one_line
from pbem.errors import PbemError
from pbem.mail_in.parts import LONGEST_HEAD

TAKEN = b"$pbemTaken"
"""The keyword of letters that were stored and stay where they are."""
_CONNECT_SECONDS, _ANSWER_SECONDS = 20, 60
_SHORT_SECONDS = 1.0
"""The first wait of each: what a mailbox says together with "idling" is only read when the wait ends."""
_LONGEST_SAID = 200
NEARLY_FULL = 0.9
"""The used part of a mailbox from which on its operator is warned: when it is full, letters come back."""
_TOO_MANY = re.compile(r"too many|maximum number|\[(?:limit|inuse|unavailable|throttled)\]|rate limit", re.IGNORECASE)
_IS_NEW_ENOUGH = ssl.TLSVersion.TLSv1_2

TROUBLES = ("unreachable", "certificate", "login", "busy", "folder", "lost", "refused", "not_stored")
"""Why letters cannot be fetched: no connection, its certificate, name and password, too many connections, no such
folder, the connection was cut, a command was refused; or a letter could not be stored here."""


class MailboxTrouble(PbemError):
    """Letters cannot be fetched now: ``why`` is one of `TROUBLES`, ``says`` a line for the log, without secrets."""

    why: str
    says: str


class MailboxLogin(Protocol):
    """Proves to a mailbox who fetches."""

    def log_in(self, client: IMAPClient) -> None:
        """Log in.

        Raises:
            MailboxTrouble, IMAPClientError, OSError: that is not possible.
        """

    def masked(self, text: str) -> str:
        """A text without what must not be told, should it be in it."""


class PasswordLogin:
    """Logs in by name and password."""

    def __init__(self, user: str, password: str) -> None:
        self._user = user
        self._password = password

    def log_in(self, client: IMAPClient) -> None:
        """Log in; by SASL where that is offered, since LOGIN knows no letters but those of ASCII."""
        if client.has_capability("AUTH=PLAIN"):
            client.sasl_login("PLAIN", lambda _challenge: f"\0{self._user}\0{self._password}".encode())
        elif self._user.isascii() and self._password.isascii():
            client.login(self._user, self._password)
        else:
            raise MailboxTrouble(why="login", says="this server takes only ASCII letters in name and password")

    def masked(self, text: str) -> str:
        """A text without the password."""
        return text.replace(self._password, "***")


class OAuthLogin:
    """Logs in by an access token."""

    def __init__(self, user: str, tokens: AccessTokens) -> None:
        self._user = user
        self._tokens = tokens

    def log_in(self, client: IMAPClient) -> None:
        """Log in; a token that is refused is not shown again."""
        try:
            token = self._tokens.get()
        except NoAccessToken as none:
            raise MailboxTrouble(why=none.why, says=none.says) from None
        try:
            client.oauth2_login(self._user, token.text)
        except IMAPClientError:
            self._tokens.drop(token)
            raise

    def masked(self, text: str) -> str:
        """A text without the tokens."""
        return self._tokens.masked(text)


class OpenedFolder(NamedTuple):
    """A folder as it was when it was opened."""

    uid_validity: int
    uid_next: int
    letters: int
    newest_at: datetime | None
    """When the last letter in it came; None: it is empty."""


@dataclass(frozen=True, slots=True)
class MailboxLetter:
    """A letter that lies in a mailbox, before it is fetched."""

    uid: int
    octets: int
    arrived_at: datetime
    """By the mailbox's clock."""
    head: bytes
    is_taken: bool
    """It bears our keyword. Where keywords are not allowed none does: letters are then known by their keys alone."""


def _allowed(flags: Sequence[bytes]) -> tuple[bytes, ...]:
    """Those of our flags that stay, of all flags that do (RFC 9051 s 7.1, PERMANENTFLAGS)."""
    return tuple(each for each in (SEEN, TAKEN) if each in flags or (each == TAKEN and b"\\*" in flags))


class Mailbox:
    """One folder of a mailbox. Used by one thread; another one may call `wake`.

    Args:
        url: says where it is.
        login: says who we are.
        taken: what becomes of letters once they are stored.
        connect: makes the connection, instead of what is usual.
    """

    def __init__(
        self,
        url: ImapUrl,
        login: MailboxLogin,
        taken: Folder | str,
        connect: Callable[..., IMAPClient] = IMAPClient,
    ) -> None:
        self.name = f"{url.user}@{url.host}/{url.folder}"
        self._url = url
        self._login = login
        self._taken = taken
        self._connect = connect
        self._client: IMAPClient | None = None
        self._flags: tuple[bytes, ...] = (SEEN,)
        self._move_to: str | None = None
        self._pair: tuple[socket.socket, socket.socket] | None = None
        self._waits_short = True

    @property
    def is_open(self) -> bool:
        """There is a connection."""
        return self._client is not None

    @property
    def can_mark(self) -> bool:
        """Letters in the folder that is open can bear our keyword."""
        return TAKEN in self._flags

    def open(self) -> OpenedFolder:
        """Connect, log in, and open the folder.

        Raises:
            MailboxTrouble: one of these is not possible.
        """
        if self._pair is None:
            self._pair = socket.socketpair()
        with self._understood("unreachable"):
            client = self._client = self._connected()
        with self._understood("login"):
            self._login.log_in(client)
        with self._understood("folder"):
            try:
                said = client.select_folder(self._url.folder)
            except IMAPClientReadOnlyError:
                said = client.select_folder(self._url.folder, readonly=True)
        with self._understood("refused"):
            self._flags = _allowed(said.get(b"PERMANENTFLAGS", (SEEN,)))
            self._waits_short = True
            last = client.search(["UID", "*"]) if said[b"EXISTS"] else []
            uid_next = said.get(b"UIDNEXT") or max(last, default=0) + 1
            dates = client.fetch(last, ["INTERNALDATE"]) if last else {}
            newest = max((each[b"INTERNALDATE"] for each in dates.values()), default=None)
        return OpenedFolder(said[b"UIDVALIDITY"], uid_next, said[b"EXISTS"], newest)

    def prepare_folder(self) -> None:
        """See that there is a folder for letters that were stored.

        Raises:
            MailboxTrouble: there is none, and it cannot be made.
        """
        self._move_to = None
        if isinstance(self._taken, Folder):
            with self._understood("folder"):
                name = self._within_namespace(self._taken.name)
                if not self._opened.folder_exists(name):
                    self._opened.create_folder(name)
                self._move_to = name

    def _within_namespace(self, name: str) -> str:
        """A folder's name as the server wants it: some keep all folders below INBOX (RFC 2342)."""
        if not self._opened.has_capability("NAMESPACE"):
            return name
        personal = self._opened.namespace().personal or ()
        prefix = str(personal[0][0]) if personal else ""
        return name if name.startswith(prefix) else prefix + name

    def since(self, uid: int) -> list[int]:
        """The numbers of letters from this one on, lowest first.

        Raises:
            MailboxTrouble: they cannot be had.
        """
        with self._understood("refused"):  # of "7:*" the last letter is one even if its number is 5 (RFC 9051 s 9)
            return sorted(each for each in self._opened.search(["UID", f"{uid}:*"]) if each >= uid)

    def newest(self, most: int) -> list[int]:
        """The highest numbers of letters, so many at most, lowest first.

        Raises:
            MailboxTrouble: they cannot be had.
        """
        with self._understood("refused"):
            return sorted(self._opened.search())[-most:]

    def arrived_since(self, moment: datetime | None) -> list[int]:
        """The numbers of letters that came on the day of a moment or later; None: of all.

        Raises:
            MailboxTrouble: they cannot be had.
        """
        with self._understood("refused"):
            criteria = ["ALL"] if moment is None else ["SINCE", moment.date()]
            return sorted(self._opened.search(criteria))

    def look(self, uids: Sequence[int]) -> list[MailboxLetter]:
        """The size, the head and so on of letters, lowest number first; those that are gone by now are left out.

        Raises:
            MailboxTrouble: they cannot be had.
        """
        wanted = ["RFC822.SIZE", "INTERNALDATE", "FLAGS", f"BODY.PEEK[HEADER]<0.{LONGEST_HEAD + 1}>"]
        with self._understood("refused"):
            found = self._opened.fetch(uids, wanted)
        return [
            MailboxLetter(
                uid,
                each[b"RFC822.SIZE"],
                each[b"INTERNALDATE"],
                each.get(b"BODY[HEADER]<0>") or b"",
                TAKEN in each.get(b"FLAGS", ()),
            )
            for uid, each in sorted(found.items())
            if b"RFC822.SIZE" in each and b"INTERNALDATE" in each
        ]

    def fetch(self, uid: int) -> bytes | None:
        """A whole letter, which stays unseen; None if it is gone.

        Raises:
            MailboxTrouble: it cannot be had.
        """
        with self._understood("refused"):
            letter: bytes | None = self._opened.fetch([uid], ["BODY.PEEK[]"]).get(uid, {}).get(b"BODY[]")
        return letter

    def put_aside(self, uids: Sequence[int]) -> None:
        """Do with letters what is to become of them once they are stored.

        Raises:
            MailboxTrouble: that is not possible. Where nothing else is, they are flagged.
        """
        if not uids:
            return
        client = self._opened
        if self._taken == FLAG or (isinstance(self._taken, Folder) and self._move_to is None):
            self._flag(uids)
            return
        try:
            with self._understood("refused"):
                if self._taken == DELETE:
                    self._delete(client, uids)
                elif client.has_capability("MOVE"):
                    client.move(uids, self._move_to)
                else:
                    client.copy(uids, self._move_to)
                    self._delete(client, uids)
        except MailboxTrouble as trouble:
            if trouble.facts["why"] == "refused":
                self._flag(uids)
            raise

    def _flag(self, uids: Sequence[int]) -> None:
        if not self._flags:
            return
        with self._understood("refused"):
            self._opened.add_flags(uids, self._flags, silent=True)

    def _delete(self, client: IMAPClient, uids: Sequence[int]) -> None:
        """Delete letters; without UIDPLUS (RFC 4315) others that are marked would go, too, so that they stay marked."""
        client.add_flags(uids, [*self._flags, DELETED], silent=True)
        if client.has_capability("UIDPLUS"):
            client.uid_expunge(uids)

    def wait(self, seconds: float) -> None:
        """Wait until letters may have come, or it is woken, or the time is over.

        Raises:
            MailboxTrouble: the connection is lost.
        """
        client = self._opened
        with self._understood("lost"):
            if not client.has_capability("IDLE"):
                self._poll(seconds)
                client.noop()
                return
            client.idle()
            if self._waits_short:
                seconds = min(seconds, _SHORT_SECONDS)
            self._poll(seconds, client.socket())
            client.idle_check(timeout=0)
            client.idle_done()
            self._waits_short = not self._waits_short

    def _poll(self, seconds: float, *others: Any) -> None:
        waiting = select.poll()
        for each in (*(self._pair or ())[:1], *others):
            waiting.register(each, select.POLLIN)
        waiting.poll(1000 * seconds)

    def wake(self) -> None:
        """End the wait under way, and all that follow; may be called by any thread, at any time."""
        if self._pair is not None:
            with suppress(OSError):  # it is closed
                self._pair[1].send(b"!")

    def capabilities(self) -> list[str]:
        """The abilities of the server that make a difference, those that it has.

        Raises:
            MailboxTrouble: they cannot be had.
        """
        with self._understood("refused"):
            return [each for each in ("IDLE", "MOVE", "UIDPLUS") if self._opened.has_capability(each)]

    def fullness(self) -> float:
        """The used part of the room that the provider gives (RFC 9208), at most of several; 0 if it does not say.

        Raises:
            MailboxTrouble: the connection is lost.
        """
        with self._understood("refused"):
            if not self._opened.has_capability("QUOTA"):
                return 0.0
            try:
                _, quotas = self._opened.get_quota_root(self._url.folder)
            except IMAPClientAbortError:
                raise
            except IMAPClientError:  # it has none, or does not tell
                return 0.0
            used = (int(each.usage) / int(each.limit) for each in quotas if int(each.limit) > 0)
            return max(used, default=0.0)

    def hang_up(self) -> None:
        """Close the connection, if there is one."""
        client, self._client = self._client, None
        if client is not None:
            with suppress(IMAPClientError, OSError, ValueError):
                client.logout()
            with suppress(IMAPClientError, OSError, ValueError):
                client.shutdown()

    def close(self) -> None:
        """Let go of everything, once."""
        self.hang_up()
        for each in self._pair or ():
            each.close()

    @property
    def _opened(self) -> IMAPClient:
        if self._client is None:
            raise MailboxTrouble(why="lost", says="the connection is closed")
        return self._client

    def _connected(self) -> IMAPClient:
        """Connect with TLS and a valid certificate; only a server on this machine may do without."""
        url, timeout = self._url, SocketTimeout(_CONNECT_SECONDS, _ANSWER_SECONDS)
        context = ssl.create_default_context()
        context.minimum_version = _IS_NEW_ENOUGH
        is_tls = url.scheme == "imaps"
        client = self._connect(url.host, url.port, ssl=is_tls, ssl_context=context if is_tls else None, timeout=timeout)
        try:
            client.normalise_times = False  # moments keep their zone
            if not is_tls and not is_this_machine(url.host):
                client.starttls(context)
        except BaseException:
            client.shutdown()
            raise
        return client

    @contextmanager
    def _understood(self, why: str) -> Iterator[None]:
        """Translate whatever goes wrong meanwhile into `MailboxTrouble`, and say nothing secret."""
        try:
            yield
        except MailboxTrouble:
            raise
        except ssl.SSLCertVerificationError as failed:
            raise self._trouble("certificate", failed.verify_message or "not valid") from None
        except LoginError as failed:
            raise self._trouble("login", str(failed)) from None
        except IMAPClientAbortError as failed:
            raise self._trouble("unreachable" if why == "unreachable" else "lost", str(failed)) from None
        except IMAPClientError as failed:
            raise self._trouble(why, str(failed)) from None
        except OSError as failed:
            lost = "unreachable" if why == "unreachable" else "lost"
            raise self._trouble(lost, failed.strerror or str(failed) or type(failed).__name__) from None
        except (ValueError, LookupError, TypeError, AttributeError) as failed:  # an answer that nobody can read
            raise self._trouble(why, type(failed).__name__) from None

    def _trouble(self, why: str, said: str) -> MailboxTrouble:
        if _TOO_MANY.search(said):
            why = "busy"
        return MailboxTrouble(why=why, says=self._login.masked(one_line(said))[:_LONGEST_SAID])
