"""The fetching of letters, from a mailbox that is made up; `tests/reliability/test_mailbox.py` has a real one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError
from imapclient.imapclient import Quota
from sqlalchemy import Engine, select
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from pbem.config import DELETE, FLAG, Folder, ImapUrl
from pbem.domain.letters import Envelope, InboxFull
from pbem.ids import LetterId
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.mailbox import TAKEN, Mailbox, MailboxTrouble, PasswordLogin
from pbem.meters import MailboxMeters, Meters
from pbem.storage.engine import reading
from pbem.storage.mailboxes import MailboxMarks
from pbem.storage.models import MailRow
from pbem.workers.mailbox import MailboxLimits, MailboxWorker, RefusalNotifier
from tests.storage.stock import AT, MINUTE
from tests.support.databases import engine_at
from tests.support.stepped_server import SteppedServer

OURS = OwnAddress("club@example.org")
TAKEN_LETTERS = MailboxLimits(OURS, 2000, 10)
URL = ImapUrl("imaps", "imap.example.org", 993, "club", None, "INBOX")
SECRET = "correct horse"
_FOLDER = Folder("pbem")


def raw(subject: str, to: str = "club@example.org", body: str = "") -> bytes:
    return f"Return-Path: <a@example.org>\r\nTo: {to}\r\nSubject: {subject}\r\n\r\n{body}\r\n".encode()


class MadeUpImap:
    """An IMAP server and its client in one, as far as a mailbox needs it."""

    def __init__(self, *abilities: str) -> None:
        self.abilities = {"IDLE", "MOVE", "UIDPLUS", *abilities}
        self.letters: dict[int, bytes] = {}
        self.flags: dict[int, tuple[bytes, ...]] = {}
        self.folders: dict[str, list[bytes]] = {}
        self.uid_validity, self.uid_next = 7, 1
        self.fails: dict[str, Exception] = {}
        self.prefix = ""
        self.commands: list[str] = []

    def __call__(self, *_where: object, **_how: object) -> MadeUpImap:
        self._do("connect")
        return self

    def _do(self, command: str) -> None:
        self.commands.append(command)
        if command in self.fails:
            raise self.fails[command]

    def add(self, letter: bytes) -> None:
        self.letters[self.uid_next] = letter
        self.flags[self.uid_next] = ()
        self.uid_next += 1

    def has_capability(self, name: str) -> bool:
        return name in self.abilities

    def login(self, _user: str, _password: str) -> None:
        self._do("login")

    def sasl_login(self, _mechanism: str, _answer: object) -> None:
        self._do("login")

    def select_folder(self, _name: str) -> dict[bytes, Any]:
        self._do("select")
        said: dict[bytes, Any] = {b"UIDVALIDITY": self.uid_validity, b"EXISTS": len(self.letters)}
        return said | {b"UIDNEXT": self.uid_next, b"PERMANENTFLAGS": (b"\\Seen", b"\\*")}

    def namespace(self) -> Any:
        class Personal:
            personal = ((self.prefix, "."),)

        return Personal

    def folder_exists(self, name: str) -> bool:
        return name in self.folders

    def create_folder(self, name: str) -> None:
        self._do("create")
        self.folders[name] = []

    def search(self, criteria: Sequence[Any] = ("ALL",)) -> list[int]:
        match criteria:
            case ["UID", "*"]:
                return [max(self.letters)]
            case ["UID", str(range_)]:
                first = int(range_.removesuffix(":*"))
                found = [each for each in self.letters if each >= first]
                return found or list(self.letters)[-1:]
        return list(self.letters)

    def fetch(self, uids: Sequence[int], what: Sequence[str]) -> dict[int, dict[bytes, Any]]:
        self._do("fetch")
        found = {}
        for uid in (each for each in uids if each in self.letters):
            letter = self.letters[uid]
            found[uid] = {
                b"INTERNALDATE": AT + timedelta(seconds=uid),
                b"RFC822.SIZE": len(letter),
                b"FLAGS": self.flags[uid],
                b"BODY[HEADER]<0>": letter.partition(b"\r\n\r\n")[0],
            }
            if "BODY.PEEK[]" in what:
                self.commands.append(f"whole {uid}")
                found[uid][b"BODY[]"] = letter
        return found

    def move(self, uids: Sequence[int], folder: str) -> None:
        self._do("move")
        self.copy(uids, folder)
        for uid in uids:
            self.letters.pop(uid, None)

    def copy(self, uids: Sequence[int], folder: str) -> None:
        self._do("copy")
        self.folders[folder] += [self.letters[uid] for uid in uids]

    def add_flags(self, uids: Sequence[int], flags: Sequence[bytes], *, silent: bool) -> None:
        assert silent
        for uid in uids:
            self.flags[uid] += tuple(flags)

    def uid_expunge(self, uids: Sequence[int]) -> None:
        for uid in uids:
            assert b"\\Deleted" in self.flags[uid]
            del self.letters[uid]

    def get_quota_root(self, _folder: str) -> tuple[object, list[Quota]]:
        return None, [Quota("", "STORAGE", b"95", b"100"), Quota("", "MESSAGE", b"1", b"0")]

    def noop(self) -> None:
        self._do("noop")

    def logout(self) -> None:
        self._do("logout")

    def shutdown(self) -> None:
        self._do("shutdown")


class Fetching:
    """A worker, its mailbox, and what it has stored."""

    def __init__(
        self,
        engine: Engine,
        imap: MadeUpImap,
        taken: Folder | str = _FOLDER,
        password: str = SECRET,
        owner: str = "one",
    ) -> None:
        self.stored: list[tuple[Envelope, bytes]] = []
        self.fails: list[Exception] = []
        self.imap = imap
        made: Any = imap
        refused: Any = self
        self.told: list[tuple[str, str, int]] = []
        self.mailbox = Mailbox(URL, PasswordLogin("club", password), taken, made)
        self.meters = Meters()
        self.marks = MailboxMarks(engine, self.mailbox.name, owner, MINUTE)
        self.worker = MailboxWorker(
            self.mailbox, self.marks, self._accept, TAKEN_LETTERS, refused, MailboxMeters(self.meters)
        )
        self.rests: list[float] = []
        self.worker._ending.wait = self._rest  # type: ignore[method-assign, assignment]
        self.mailbox.wait = lambda seconds: None  # type: ignore[method-assign]

    def _rest(self, seconds: float | None = None) -> bool:
        self.rests.append(seconds or 0)
        return False

    def tell(self, envelope: Envelope, _head: bytes, _key: str, unread: str, limit: int) -> None:
        self.told.append((envelope.sender, unread, limit))

    def _accept(self, envelope: Envelope, letter: bytes, _at: datetime) -> Future[LetterId | None]:
        future = Future[LetterId | None]()
        if self.fails:
            future.set_exception(self.fails.pop(0))
            return future
        is_known = any(letter == each for _, each in self.stored)
        if not is_known:
            self.stored.append((envelope, letter))
        future.set_result(None if is_known else LetterId(len(self.stored)))
        return future

    @property
    def subjects(self) -> list[str]:
        return [letter.decode().partition("Subject: ")[2].partition("\r\n")[0] for _, letter in self.stored]


@pytest.fixture
def imap() -> MadeUpImap:
    return MadeUpImap()


@pytest.fixture
def start(sqlite_url: str, imap: MadeUpImap) -> Iterator[Callable[..., Fetching]]:
    """Makes workers, and ends them after the test."""
    made: list[Fetching] = []
    with engine_at(sqlite_url) as engine:

        def make(**how: Any) -> Fetching:
            made.append(Fetching(engine, imap, **how))
            return made[-1]

        yield make
        for each in made:
            each.worker.end()


@pytest.fixture
def fetching(start: Callable[..., Fetching]) -> Fetching:
    return start()


def test_new_letters_to_us_are_stored_and_then_moved(fetching: Fetching, imap: MadeUpImap) -> None:
    imap.add(raw("old"))
    fetching.worker.step()
    imap.add(raw("one"))
    imap.add(raw("for another", "other@example.org"))
    imap.add(raw("two"))
    fetching.worker.step()
    assert fetching.subjects == ["one", "two"]
    assert fetching.stored[0][0] == Envelope("a@example.org", ("club@example.org",), fetched="20260301120002-70")
    assert sorted(imap.letters) == [1, 3]
    assert imap.folders == {"pbem": [raw("one"), raw("two")]}
    assert imap.flags[1] == imap.flags[3] == ()
    assert "whole 3" not in imap.commands
    fetching.worker.step()
    assert fetching.subjects == ["one", "two"]


@pytest.mark.parametrize(("taken", "flags"), [(FLAG, (b"\\Seen", TAKEN)), (DELETE, None)])
def test_they_are_flagged_or_deleted_instead(
    start: Callable[..., Fetching], imap: MadeUpImap, taken: str, flags: tuple[bytes, ...] | None
) -> None:
    fetching = start(taken=taken)
    fetching.worker.step()
    imap.add(raw("one"))
    fetching.worker.step()
    assert imap.flags[1] == flags if flags else imap.letters == {}
    assert imap.folders == {}


def test_without_move_they_are_copied_and_only_they_are_expunged(fetching: Fetching, imap: MadeUpImap) -> None:
    imap.abilities.remove("MOVE")
    imap.add(raw("old"))
    imap.flags[1] = (b"\\Deleted",)
    fetching.worker.step()
    imap.add(raw("one"))
    fetching.worker.step()
    assert imap.folders["pbem"] == [raw("one")]
    assert list(imap.letters) == [1]


def test_a_folder_is_made_where_the_server_keeps_all_folders(fetching: Fetching, imap: MadeUpImap) -> None:
    imap.abilities.add("NAMESPACE")
    imap.prefix = "INBOX."
    fetching.worker.step()
    assert list(imap.folders) == ["INBOX.pbem"]


@pytest.mark.parametrize("command", ["create", "move"])
def test_letters_that_cannot_be_moved_are_flagged_and_not_stored_again(
    fetching: Fetching, imap: MadeUpImap, command: str
) -> None:
    imap.fails[command] = IMAPClientError("[OVERQUOTA] Quota exceeded")
    with capture_logs() as logs:
        fetching.worker.step()
        imap.add(raw("one"))
        fetching.worker.step()
        fetching.worker.step()
    assert [each["says"] for each in logs if each["event"] == "letters not moved"] == ["[OVERQUOTA] Quota exceeded"]
    assert fetching.subjects == ["one"]
    assert imap.flags[1] == (b"\\Seen", TAKEN)


def test_a_letter_that_is_too_large_or_cannot_be_read_is_put_aside(fetching: Fetching, imap: MadeUpImap) -> None:
    fetching.worker.step()
    imap.add(raw("large", body="x" * 3000))
    imap.add(b"".join(b"X-%d: x\r\n" % number for number in range(100)) + raw("odd"))
    imap.letters[2] = b"".join(b"X: %d\r\n" % number for number in range(201)) + raw("odd")
    with capture_logs() as logs:
        fetching.worker.step()
    assert fetching.stored == []
    assert imap.letters == {}
    assert [each["because"] for each in logs if each["event"] == "letter refused"] == ["too large", "TooManyFields"]
    assert fetching.told == [("a@example.org", "", 2), ("a@example.org", "TooManyFields", 200)]
    assert "whole 1" not in imap.commands


def test_a_letter_that_is_not_stored_stays_and_is_taken_again_later(fetching: Fetching, imap: MadeUpImap) -> None:
    fetching.worker.step()
    for subject in ("one", "two", "three"):
        imap.add(raw(subject))
    fetching.fails = [InboxFull()]
    fetching.worker.step()
    assert fetching.subjects == ["two", "three"]
    assert list(imap.letters) == [1]
    assert fetching.rests == [2]
    fetching.worker.step()
    assert fetching.subjects == ["two", "three", "one"]
    assert imap.letters == {}


def test_a_letter_that_alone_can_never_be_stored_is_left_in_the_end(fetching: Fetching, imap: MadeUpImap) -> None:
    fetching.worker.step()
    imap.add(raw("poison"))
    for _ in range(3):
        fetching.fails = [ValueError("what the letter says")]
        with capture_logs() as logs:
            fetching.worker.step()
        assert "says" not in str([each for each in logs if each["event"] == "letter not stored"])
    imap.add(raw("one"))
    fetching.worker.step()
    assert fetching.subjects == ["one"]
    assert list(imap.letters) == [1]


def test_a_letter_that_was_stored_before_is_moved_all_the_same(fetching: Fetching, imap: MadeUpImap) -> None:
    fetching.worker.step()
    imap.add(raw("one"))
    fetching.stored.append((Envelope("a@example.org", ()), raw("one")))
    fetching.worker.step()
    assert len(fetching.stored) == 1
    assert imap.letters == {}


def test_a_mailbox_with_new_numbers_is_looked_through_for_what_came_lately(
    fetching: Fetching, imap: MadeUpImap
) -> None:
    imap.add(raw("old"))
    imap.add(raw("older"))
    fetching.worker.step()
    imap.add(raw("one"))
    fetching.worker.step()
    imap.add(raw("two"))
    imap.uid_validity += 1
    fetching.mailbox.hang_up()
    fetching.worker.step()
    assert fetching.subjects == ["one", "two"]
    assert list(imap.letters) == [1, 2]
    mark = fetching.marks.mark()
    assert mark is not None
    assert (mark.uid_validity, mark.uid_next) == (8, 5)


def test_flagged_letters_are_not_taken_again_when_numbers_change(
    start: Callable[..., Fetching], imap: MadeUpImap
) -> None:
    fetching = start(taken=FLAG)
    fetching.worker.step()
    imap.add(raw("one"))
    fetching.worker.step()
    imap.uid_validity += 1
    fetching.mailbox.hang_up()
    fetching.worker.step()
    assert imap.commands.count("whole 1") == 1


def test_a_mailbox_that_is_nearly_full_is_told_now_and_then(fetching: Fetching, imap: MadeUpImap) -> None:
    imap.abilities.add("QUOTA")
    with capture_logs() as logs:
        fetching.worker.step()
        fetching.worker.step()
    assert [each["percent"] for each in logs if each["event"] == "mailbox nearly full"] == [95]


def test_many_letters_are_taken_in_several_steps(fetching: Fetching, imap: MadeUpImap) -> None:
    fetching.worker.step()
    for number in range(620):
        imap.add(raw(str(number)))
    fetching.worker.step()
    assert len(fetching.stored) == 500
    fetching.worker.step()
    assert fetching.subjects == [str(number) for number in range(620)]
    assert imap.letters == {}


@pytest.mark.parametrize(
    ("command", "error", "why"),
    [
        ("connect", ConnectionRefusedError(111, "Connection refused"), "unreachable"),
        ("connect", IMAPClientError("BYE Maximum number of connections exceeded"), "busy"),
        ("login", LoginError(f"[AUTHENTICATIONFAILED] no: {SECRET}"), "login"),
        ("login", LoginError("[ALERT] Too many simultaneous connections."), "busy"),
        ("select", IMAPClientError("select failed: [NONEXISTENT] Mailbox doesn't exist"), "folder"),
        ("fetch", IMAPClientAbortError("socket error: EOF"), "lost"),
        ("fetch", TimeoutError("timed out"), "lost"),
        ("fetch", IMAPClientError("fetch failed"), "refused"),
        ("fetch", TypeError("not what was expected"), "refused"),
    ],
)
def test_trouble_is_told_once_and_rested_for_longer_each_time(
    fetching: Fetching, imap: MadeUpImap, command: str, error: Exception, why: str
) -> None:
    imap.add(raw("old"))
    imap.fails[command] = error
    with capture_logs() as logs:
        for _ in range(12):
            assert fetching.worker.step()
        assert [each["why"] for each in logs] == [why]
        assert SECRET not in str(logs)
        assert fetching.rests == sorted(fetching.rests)
        assert fetching.rests[0] >= 2
        assert fetching.rests[-1] == 300
        assert fetching.meters.mailbox_failures.labels(why)._value.get() == 12
        assert not fetching.mailbox.is_open
        imap.fails.clear()
        fetching.worker.step()
    assert [each["event"] for each in logs][-1] == "mailbox is well again"


def test_all_processes_know_since_when_letters_cannot_be_fetched(
    start: Callable[..., Fetching], fetching: Fetching, imap: MadeUpImap
) -> None:
    imap.fails = {"login": LoginError("no")}
    fetching.worker.step()
    began = fetching.worker.troubles.current()
    fetching.worker.step()
    trouble = fetching.worker.troubles.current()
    assert trouble is not None
    assert began is not None
    assert (trouble.why, trouble.since) == ("login: no", began.since)
    fetching.marks.let_go()
    imap.fails = {}
    after = start(owner="two")
    after.worker.step()
    assert fetching.worker.troubles.current() is None


def test_a_provider_that_cuts_every_wait_short_is_asked_less_and_less_often(
    fetching: Fetching, imap: MadeUpImap, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(_seconds: float) -> None:
        raise MailboxTrouble(why="lost", says="BYE")

    monkeypatch.setattr(fetching.mailbox, "wait", cut)
    with capture_logs() as logs:
        for number in range(12):
            imap.add(raw(str(number)))
            fetching.worker.step()
    assert fetching.subjects == [str(number) for number in range(1, 12)], "letters come all the same"
    assert fetching.rests == sorted(fetching.rests)
    assert fetching.rests[-1] == 300
    told = [each["event"] for each in logs if each["event"].startswith("mailbox")]
    assert told == ["mailbox begun", "mailbox trouble"]
    trouble = fetching.worker.troubles.current()
    assert trouble is not None
    assert (datetime.now(UTC) - trouble.since) < MINUTE, "each time that letters were fetched it was over"
    before = trouble.since
    fetching.worker.step()
    again = fetching.worker.troubles.current()
    assert again is not None
    assert again.since > before


def test_a_letter_that_cannot_be_stored_while_numbers_change_keeps_none_from_being_taken(
    fetching: Fetching, imap: MadeUpImap
) -> None:
    imap.add(raw("old"))
    fetching.worker.step()
    imap.uid_validity += 1
    imap.letters = {number: raw(str(number)) for number in range(1, 5)}
    imap.flags = dict.fromkeys(imap.letters, ())
    imap.uid_next = 5
    fetching.mailbox.hang_up()
    fetching.fails = [InboxFull()]
    for _ in range(3):
        fetching.worker.step()
    assert sorted(fetching.subjects) == ["2", "3", "4"], "those that came after the server had begun"
    assert fetching.rests


def test_a_database_that_fails_when_the_mailbox_is_opened_first_does_not_end_it(
    fetching: Fetching, imap: MadeUpImap, monkeypatch: pytest.MonkeyPatch
) -> None:
    imap.add(raw("old"))
    monkeypatch.setattr(fetching.marks, "mark", _Fails(fetching.marks.mark))
    with pytest.raises(OperationalError):
        fetching.worker.step()
    fetching.worker.step()
    imap.add(raw("one"))
    fetching.worker.step()
    assert fetching.subjects == ["one"]


class _Fails:
    """Something that can be done, but not the first time."""

    def __init__(self, does: Callable[[], Any]) -> None:
        self._does, self._failed = does, False

    def __call__(self) -> Any:
        if not self._failed:
            self._failed = True
            raise OperationalError("SELECT", {}, Exception("database is locked"))
        return self._does()


def test_only_one_process_fetches(fetching: Fetching, imap: MadeUpImap, start: Callable[..., Fetching]) -> None:
    fetching.worker.step()
    other = start(owner="other")
    imap.add(raw("one"))
    other.worker.step()
    assert (other.subjects, other.mailbox.is_open) == ([], False)
    fetching.worker.end()
    other.worker.step()
    assert other.subjects == ["one"]


def test_a_password_of_any_letters_is_only_said_to_servers_that_can_read_it(
    start: Callable[..., Fetching], imap: MadeUpImap
) -> None:
    fetching = start(password="pässword")
    with capture_logs() as logs:
        fetching.worker.step()
    assert [each["why"] for each in logs] == ["login"]
    assert "login" not in imap.commands
    imap.abilities.add("AUTH=PLAIN")
    fetching.worker.step()
    assert fetching.mailbox.is_open


def test_a_mailbox_is_named_without_its_password() -> None:
    url = URL._replace(password=SECRET)
    assert SECRET not in Mailbox(url, PasswordLogin("club", SECRET), FLAG).name
    assert "correct" not in str(url)


def test_the_writer_of_a_letter_that_is_not_taken_is_told_once_and_no_machine_is(stepped: SteppedServer) -> None:
    refused = RefusalNotifier(stepped.server.executor, OwnAddress("pbem@localhost"))
    alice = Envelope("alice@example.org", ("pbem@localhost",))
    head = b"From: alice@example.org\r\nSubject: help\r\n\r\n"
    with capture_logs() as logs:
        refused.tell(alice, head, "untaken-1", "", 262)
        refused.tell(alice, head, "untaken-1", "", 262)
        refused.tell(alice, b"Auto-Submitted: auto-replied\r\n" + head, "untaken-2", "", 262)
        refused.tell(Envelope("", alice.recipients), head, "untaken-3", "TooDeep", 10)
    assert [each for each in logs if each["event"] == "refusal not told"] == []
    told = rows_of(stepped.server.engine, MailRow.key, MailRow.recipient, MailRow.sender)
    assert told == [("untaken-1-1", "alice@example.org", "")]


def rows_of(engine: Engine, *columns: Any) -> list[tuple[Any, ...]]:
    with reading(engine) as connection:
        return [tuple(row) for row in connection.execute(select(*columns))]
