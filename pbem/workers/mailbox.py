"""Fetches letters from a mailbox, and hands them on like those that came to a door."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Event
from time import monotonic
from typing import NamedTuple

import structlog

from pbem.domain.correspondents import AnswerVerdict
from pbem.domain.letters import Envelope, InboxFull
from pbem.domain.mails import Notice
from pbem.executor import CommandExecutor
from pbem.ids import LetterId
from pbem.mail_in.acceptance import Accept
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.envelopes import envelope_in_mailbox
from pbem.mail_in.machines import machine_in, why_machine_made
from pbem.mail_in.mailbox import NEARLY_FULL, Mailbox, MailboxLetter, MailboxTrouble, OpenedFolder
from pbem.mail_in.parts import LIMITS, UnreadableLetter, check_shape
from pbem.meters import MailboxMeters
from pbem.storage.engine import is_out_of_order
from pbem.storage.mailboxes import MailboxMark, MailboxMarks
from pbem.usecases.context import Context
from pbem.usecases.correspondents import told_of_unhandled
from pbem.workers.faults import where_it_failed

log = structlog.get_logger()

_AT_ONCE = 50
"""Letters that are fetched before those are put aside."""
_ROUNDS = 10
"""So many times of these in one step, after which the lease is renewed."""
_ROOM_SECONDS = 6 * 3600.0
_WAIT_SECONDS = 20.0
"""A connection that was cut without a word is noticed within this and the patience for an answer."""
_FIRST_REST, _LONGEST_REST = timedelta(seconds=2), timedelta(minutes=5)
_LONG_RESTS = {"login": timedelta(minutes=1), "busy": timedelta(seconds=30), "certificate": timedelta(seconds=30)}
"""The first rests after what a provider may take for an attack, or what does not go by soon."""
_MOST_ATTEMPTS = 3
"""At storing a letter, while others can be stored."""
_OUT_OF_ORDER_BY = timedelta(days=2)
"""Letters may appear in a mailbox so much later than they came; looked at again where numbers mean nothing any more."""


class _Handed(NamedTuple):
    """A letter that is about to be stored."""

    uid: int
    octets: int
    stored: Future[LetterId | None]


class MailboxLimits(NamedTuple):
    """The letters that are taken from a mailbox: those to us, within limits."""

    ours: OwnAddress
    most_bytes: int
    most_recipients: int


class RefusalNotifier:
    """Tells the writers of letters that were put aside unread: at a door their own mail system would.

    Args:
        executor: writes the mails.
        ours: our addresses.
    """

    def __init__(self, executor: CommandExecutor, ours: OwnAddress) -> None:
        self._executor = executor
        self._ours = ours

    def tell(self, envelope: Envelope, head: bytes, key: str, unread: str, limit: int) -> None:
        """Tell the writer of a letter, unless that is a machine, or has been told enough lately.

        Args:
            envelope: of the letter.
            head: its header fields.
            key: names it; of two mails about the same letter one is stored.
            unread: why nobody can read it; empty if it is too large.
            limit: the limit that it is over.
        """
        if why_machine_made(machine_in(head), envelope, self._ours) is not None:
            return
        happened = {"unread": unread, "limit": limit}

        def told(context: Context) -> dict[str, list[Notice]]:
            if told_of_unhandled(envelope.sender, context) is AnswerVerdict.SILENCE:
                return {}
            return {key: [Notice("not_taken", envelope.sender, happened, from_nobody=True)]}

        try:
            self._executor.carry_out(told, datetime.now(UTC), what="letter refused")
        except Exception as failed:  # noqa: BLE001 - the letter is put aside all the same
            log.error("refusal not told", **where_it_failed(failed))  # noqa: TRY400 - no trace


class MailboxWorker:
    """Fetches letters: each is stored before the mailbox is told anything, and recognised if it is fetched again.

    Args:
        mailbox: where the letters lie; it is nobody else's.
        marks: the place up to which it was looked at.
        accept: stores a letter.
        taken: which letters are.
        refused: tells the writers of others.
        meters: what is counted here.
    """

    def __init__(
        self,
        mailbox: Mailbox,
        marks: MailboxMarks,
        accept: Accept,
        taken: MailboxLimits,
        refused: RefusalNotifier,
        meters: MailboxMeters,
    ) -> None:
        self._mailbox = mailbox
        self._marks = marks
        self._accept = accept
        self._taken = taken
        self._refused = refused
        self._meters = meters
        self._mark: MailboxMark | None = None
        self._attempts = Counter[int]()
        self.troubles = marks.troubles
        self._trouble: str | None = None
        self._is_known_well = False
        """It was read since this process began, and since the last trouble."""
        self._rest = _FIRST_REST
        self._room_at = 0.0
        self._ending = Event()

    def step(self) -> bool:
        """Fetch what is there, then wait for more; True: there is always another step.

        Raises:
            Exception: the database is in trouble.
        """
        if not self._marks.hold(datetime.now(UTC)):
            self._mailbox.hang_up()
            self._ending.wait(_WAIT_SECONDS)
            return True
        try:
            if not self._mailbox.is_open:
                self._resume(self._mailbox.open())
            has_more = self._fetch_new()
            self._was_read()
            self._look_at_room()
            if not has_more and not self._ending.is_set():
                self._mailbox.wait(_WAIT_SECONDS)
                self._is_well()  # and not before: some providers cut every wait short
        except _NotAllStored as not_all:
            self._give_up_for_now(not_all.trouble)
        except MailboxTrouble as trouble:
            self._give_up_for_now(trouble)
        except Exception:
            self._mailbox.hang_up()  # so that the next step finds out again where to go on
            raise
        return True

    def _give_up_for_now(self, trouble: MailboxTrouble) -> None:
        self._mailbox.hang_up()
        self._note(trouble)
        self._marks.hold(datetime.now(UTC), self._rest)  # or another process would try in the meantime
        self._ending.wait(self._rest.total_seconds())

    def end_soon(self) -> None:
        """Cut the step under way short; may be called by any thread."""
        self._ending.set()
        self._mailbox.wake()

    def end(self) -> None:
        """Let another process fetch."""
        self._mailbox.close()
        self._marks.let_go()

    def _resume(self, folder: OpenedFolder) -> None:
        """Find out where to go on in a folder that has just been opened."""
        try:
            self._mailbox.prepare_folder()
        except MailboxTrouble as trouble:
            if trouble.facts["why"] != "folder":
                raise
            log.warning("letters not moved", mailbox=self._mailbox.name, says=trouble.facts["says"])
        mark = self._marks.mark()
        if mark is None:
            newest = folder.newest_at
            mark = MailboxMark(folder.uid_validity, folder.uid_next, newest, newest)
            log.info("mailbox begun", mailbox=self._mailbox.name, left_alone=folder.letters)
        elif (mark.uid_validity, max(mark.uid_next, folder.uid_next)) != (folder.uid_validity, folder.uid_next):
            log.warning("mailbox renumbered", mailbox=self._mailbox.name)
            mark = self._recover(mark, folder)
        self._mark = mark
        self._marks.keep(mark)

    def _recover(self, mark: MailboxMark, folder: OpenedFolder) -> MailboxMark:
        """Take the letters of a folder whose numbers mean nothing any more, as far as they came lately.

        If this breaks off, it is done again from the beginning.
        """
        newest, since = mark.newest_at, None
        if newest is not None:
            since = newest - _OUT_OF_ORDER_BY
        uids = [uid for uid in self._mailbox.arrived_since(since) if uid < folder.uid_next]
        for start in range(0, len(uids), _AT_ONCE):
            letters = [
                letter
                for letter in self._mailbox.look(uids[start : start + _AT_ONCE])
                if not letter.is_taken and (mark.began_at is None or letter.arrived_at > mark.began_at)
            ]
            self._take(letters)
            newest = _newest(newest, letters)
        return MailboxMark(folder.uid_validity, folder.uid_next, mark.began_at, newest)

    def _look_at_room(self) -> None:
        """Warn now and then of a mailbox that is nearly full."""
        if monotonic() >= self._room_at:
            self._room_at = monotonic() + _ROOM_SECONDS
            if (fullness := self._mailbox.fullness()) >= NEARLY_FULL:
                log.warning("mailbox nearly full", mailbox=self._mailbox.name, percent=round(100 * fullness))

    def _fetch_new(self) -> bool:
        """Take the letters that have come since, a few at a time; True if there may be more."""
        assert self._mark is not None  # noqa: S101 - for the types
        for _ in range(_ROUNDS):
            if self._ending.is_set() or not (uids := self._mailbox.since(self._mark.uid_next)):
                return False
            few = uids[:_AT_ONCE]
            letters = self._mailbox.look(few)
            try:
                self._take(letters)
            except _NotAllStored as not_all:
                if not_all.uid > self._mark.uid_next:
                    self._go_to(replace(self._mark, uid_next=not_all.uid))
                raise
            self._go_to(replace(self._mark, uid_next=few[-1] + 1, newest_at=_newest(self._mark.newest_at, letters)))
        return True

    def _go_to(self, mark: MailboxMark) -> None:
        self._marks.keep(mark)
        self._mark = mark

    def _take(self, letters: Sequence[MailboxLetter]) -> None:
        """Store those of some letters that are for us, and put them aside.

        Raises:
            _NotAllStored: some could not be stored; they are to be taken again.
            MailboxTrouble: the mailbox is in trouble.
        """
        handed: list[_Handed] = []
        aside: list[int] = []
        for letter in letters:
            envelope = envelope_in_mailbox(letter.head, self._taken.ours, self._taken.most_recipients)
            if envelope is None:
                self._meters.refused("not_ours")
            elif letter.octets > self._taken.most_bytes:
                self._refuse(letter, envelope)
                aside.append(letter.uid)
            elif (raw := self._mailbox.fetch(letter.uid)) is not None:
                if (stored := self._hand_on(letter, envelope, raw)) is None:
                    aside.append(letter.uid)
                else:
                    handed.append(_Handed(letter.uid, len(raw), stored))
        failed = [each for each in handed if not self._is_stored(each)]
        left = {each.uid for each in failed}
        self._put_aside([*aside, *(each.uid for each in handed if each.uid not in left)])
        self._raise_for(failed)

    def _hand_on(self, letter: MailboxLetter, envelope: Envelope, raw: bytes) -> Future[LetterId | None] | None:
        """Have a letter stored; None if nobody can read it."""
        try:
            check_shape(raw)
        except UnreadableLetter as unreadable:
            self._refuse(letter, envelope, str(unreadable.facts["error"]))
            return None
        named = f"{letter.arrived_at:%Y%m%d%H%M%S}-{letter.octets}"
        return self._accept(replace(envelope, fetched=named), raw, datetime.now(UTC))

    def _refuse(self, letter: MailboxLetter, envelope: Envelope, unread: str = "") -> None:
        """Count a letter that is not taken, and tell its writer; ``unread`` says why nobody can read it."""
        because = unread or "too large"
        log.warning("letter refused", because=because, mailbox=self._mailbox.name, bytes=letter.octets)
        self._meters.refused("unreadable" if unread else "too_large")
        limit = LIMITS.get(unread, 0) if unread else self._taken.most_bytes // 1000
        named = hashlib.sha256(self._mailbox.name.encode()).hexdigest()[:8]
        key = f"untaken-{named}-{letter.arrived_at:%Y%m%d%H%M%S}-{letter.uid}"
        self._refused.tell(envelope, letter.head, key, unread, limit)

    def _is_stored(self, handed: _Handed) -> bool:
        """Wait until a letter is stored; False if it could not be."""
        failed = handed.stored.exception()
        if failed is not None:
            log.error("letter not stored", error=type(failed).__name__)
            self._meters.refused("full" if isinstance(failed, InboxFull) else "trouble")
            return False
        number = handed.stored.result()
        if number is None:
            log.info("letter seen before", bytes=handed.octets)
            self._meters.repeated.inc()
        else:
            log.info("letter accepted", letter=number, bytes=handed.octets)
            self._meters.accepted.inc()
        self._attempts.pop(handed.uid, None)
        return True

    def _raise_for(self, failed: Sequence[_Handed]) -> None:
        """Have letters taken again that could not be stored; one to blame itself is left where it is in the end."""
        for each in failed:
            error = each.stored.exception()
            if isinstance(error, Exception) and not isinstance(error, InboxFull) and not is_out_of_order(error):
                self._attempts[each.uid] += 1
                if self._attempts[each.uid] >= _MOST_ATTEMPTS:
                    log.error("letter left in the mailbox", mailbox=self._mailbox.name, uid=each.uid)
                    continue
            says = "too many letters are waiting" if isinstance(error, InboxFull) else type(error).__name__
            raise _NotAllStored(each.uid, MailboxTrouble(why="not_stored", says=says))

    def _put_aside(self, uids: Sequence[int]) -> None:
        """Put letters aside; if the mailbox only refuses that they stay where they are, and are not taken again."""
        try:
            self._mailbox.put_aside(uids)
        except MailboxTrouble as trouble:
            if trouble.facts["why"] not in ("refused", "busy"):
                raise
            log.warning("letters not moved", mailbox=self._mailbox.name, says=trouble.facts["says"])

    def _note(self, trouble: MailboxTrouble) -> None:
        """Log a trouble once, and rest longer each time."""
        why, says = str(trouble.facts["why"]), trouble.facts["says"]
        self._meters.failed(why)
        self._is_known_well = False
        if why != "not_stored":  # that is the trouble of the database
            self.troubles.note(f"{why}: {says}", datetime.now(UTC))
        if self._trouble == why:
            self._rest = min(2 * self._rest, _LONGEST_REST)
            return
        self._trouble, self._rest = why, _LONG_RESTS.get(why, _FIRST_REST)
        log.warning("mailbox trouble", mailbox=self._mailbox.name, why=why, says=says)

    def _was_read(self) -> None:
        """Let other processes know that letters can be fetched; one that was at it before may have had trouble."""
        if not self._is_known_well:
            self.troubles.over(datetime.now(UTC))
            self._is_known_well = True

    def _is_well(self) -> None:
        if self._trouble is not None:
            log.info("mailbox is well again", mailbox=self._mailbox.name)
        self._trouble = None


class _NotAllStored(Exception):
    """Letters could not be stored, of which this is the first."""

    def __init__(self, uid: int, trouble: MailboxTrouble) -> None:
        super().__init__()
        self.uid = uid
        self.trouble = trouble


def _newest(known: datetime | None, letters: Sequence[MailboxLetter]) -> datetime | None:
    """The time of the newest letter; no provider's clock is believed to be ahead of ours."""
    now = datetime.now(UTC)
    return max([min(each.arrived_at, now) for each in letters] + ([] if known is None else [known]), default=None)
