"""Addresses, the mails they got, and those that came back, in the database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    exists,
    func,
    insert,
    literal,
    null,
    select,
    update,
)

from pbem.domain.correspondents import Bounce, Correspondent
from pbem.domain.mails import MailState, StoredMail
from pbem.domain.players import address_key
from pbem.errors import Conflict
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.counters import DELAYED
from pbem.storage.models import BounceRow, CorrespondentRow, MailRow
from pbem.storage.prepared import Prepared
from pbem.storage.repository import Noting, Repository

_LONGEST_STATUS, _LONGEST_DIAGNOSIS = 16, 255


class BounceRepository(Noting):
    """Mails that came back, by player and address."""

    _notes = ("_added", "_forgotten")

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._added: list[Bounce] = []
        self._forgotten: set[tuple[PlayerId, str]] = set()

    def of(self, player: PlayerId, address_key: str, since: datetime) -> Sequence[Bounce]:
        """The mails to an address of a player that have come back since a moment, oldest first."""
        mine = [each for each in self._added if (each.player, each.address_key) == (player, address_key)]
        if (player, address_key) in self._forgotten:
            return mine
        query = select(*BounceRow.__table__.c).where(_of(player, address_key), BounceRow.at >= since)
        stored = [
            Bounce(player, row.address_key, row.at, row.permanent, row.status, row.diagnosis, row.mail_id)
            for row in self._connect().execute(query.order_by(BounceRow.id))
        ]
        return [*stored, *mine]

    def add(self, bounce: Bounce) -> None:
        """Note that a mail has come back."""
        self._added.append(bounce)

    def forget(self, player: PlayerId, address_key: str) -> None:
        """Hold nothing against an address any more: mail arrives there again."""
        self._added = [each for each in self._added if (each.player, each.address_key) != (player, address_key)]
        self._forgotten.add((player, address_key))

    def write(self, connection: Connection) -> None:
        """Write what was added and forgotten."""
        for player, key in self._forgotten:
            connection.execute(update(BounceRow).where(_of(player, key)).values(address_key=""))
        rows = [
            {
                "at": each.at,
                "player_id": each.player,
                "address_key": each.address_key,
                "permanent": each.permanent,
                "status": each.status[:_LONGEST_STATUS],
                "diagnosis": each.diagnosis[:_LONGEST_DIAGNOSIS],
                "mail_id": each.mail,
            }
            for each in self._added
        ]
        if rows:
            connection.execute(insert(BounceRow), rows)


def _of(player: PlayerId, address_key: str) -> ColumnElement[bool]:
    return and_(BounceRow.player_id == player, BounceRow.address_key == address_key)


_LONGEST = 320
"""Characters of an address that are kept."""
_MINE = CorrespondentRow.address_key == bindparam("which")
_READ = Prepared(select(*CorrespondentRow.__table__.c).where(_MINE))
_WRITE = update(CorrespondentRow).where(_MINE)
_WRITE_AS_READ = _WRITE.where(
    CorrespondentRow.day == bindparam("day_read"),
    CorrespondentRow.answers == bindparam("answers_read"),
    CorrespondentRow.questions == bindparam("questions_read"),
)
_ADD = insert(CorrespondentRow)


class CorrespondentRepository(Repository[str, Correspondent]):
    """The recent answers to each address. Counts of letters handled at once may be lost; nothing else is."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._read: dict[str, tuple[datetime, int, int]] = {}
        """The day of each that is in the database, and the numbers of answers and questions."""
        self._strict: set[str] = set()

    @property
    def counts_strictly(self) -> bool:
        """Something is counted that whoever counts next must have read."""
        return bool(self._strict)

    def of(self, address: str, now: datetime) -> Correspondent:
        """The counts of an address as they stand now."""
        key = address_key(address)[:_LONGEST]
        if key in self.saved:
            return self.saved[key]
        found = _READ.rows(self._connect(), {"which": key})
        if not found:
            return Correspondent.new(key, now)
        (row,) = found
        self._read[key] = row.day, row.answers, row.questions
        known = Correspondent(
            row.address_key, row.day, row.hour, row.answers, row.lately, row.unread, row.questions, row.octets, row.said
        )
        return known.at(now)

    def save(self, correspondent: Correspondent, *, counts_strictly: bool = False) -> None:
        """Keep the counts of an address; strictly: decided anew if somebody else has counted meanwhile."""
        self.saved[correspondent.address] = correspondent
        if counts_strictly:
            self._strict.add(correspondent.address)

    def write(self, connection: Connection) -> None:
        """Write what was saved; who writes last is right, but for what is counted strictly.

        Raises:
            Conflict: somebody else has counted meanwhile.
        """
        for each in self.saved.values():
            values = {
                "day": each.day,
                "hour": each.hour,
                "answers": each.answers,
                "lately": each.lately,
                "unread": each.unread,
                "questions": each.questions,
                "octets": each.octets,
                "said": each.said,
            }
            mine, new = {**values, "which": each.address}, {**values, "address_key": each.address}
            if each.address in self._strict and each.address in self._read:
                day, answers, questions = self._read[each.address]
                as_read = {**mine, "day_read": day, "answers_read": answers, "questions_read": questions}
                if connection.execute(_WRITE_AS_READ, as_read).rowcount == 0:
                    raise Conflict(counted=each.address)
            elif each.address in self._strict or connection.execute(_WRITE, mine).rowcount == 0:
                connection.execute(_ADD, new)


_FOR_GOOD = exists().where(BounceRow.mail_id == MailRow.id, BounceRow.permanent).label("for_good")
_SEEN: tuple[Any, ...] = (
    MailRow.id,
    MailRow.message_id,
    MailRow.name,
    MailRow.subject,
    MailRow.recipient,
    MailRow.player_id,
    MailRow.board_number,
    MailRow.created_at,
    MailRow.state,
    MailRow.attempts,
    MailRow.last_error,
)
_BYTES: tuple[Any, ...] = (MailRow.raw, MailRow.packed)


class MailRepository(Noting):
    """Mails of ours, whatever has become of them. The outbox itself is for those who send them."""

    _notes = ("_came_back", "_delayed")

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._came_back: dict[int, tuple[str, datetime]] = {}
        self._delayed: dict[int, str] = {}

    def find(self, mail: int) -> StoredMail | None:
        """The mail with this number."""
        return self._first(_mails(MailRow.id == mail))

    def by_message_id(self, message_id: str) -> StoredMail | None:
        """The mail with this Message-ID, which only its reader has seen."""
        return self._first(_mails(MailRow.message_id == message_id))

    def latest_to(self, player: PlayerId, key: str) -> StoredMail | None:
        """The last mail to an address of a player that was handed over, as far as is known."""
        handed_over = MailRow.state.in_([MailState.SENT.value, MailState.BOUNCED.value])
        mine = and_(MailRow.player_id == player, func.lower(MailRow.recipient) == key, handed_over)
        return self._first(_mails(mine))

    def about_board(self, board: BoardNumber, most: int) -> Sequence[StoredMail]:
        """The last mails about a board, oldest first, ``most`` and one more at the most."""
        found = self._connect().execute(_mails(MailRow.board_number == board).limit(most + 1)).all()
        return [_mail(row) for row in reversed(found)]

    def last_kept(self, player: PlayerId, board: BoardNumber, names: Collection[str]) -> Sequence[StoredMail]:
        """For each address of a player the last mail about a board that says one of these notices, and its bytes."""
        latest = (
            select(func.max(MailRow.id))
            .where(
                MailRow.player_id == player,
                MailRow.board_number == board,
                MailRow.name.in_(names),
                MailRow.state != MailState.WITHHELD.value,
            )
            .group_by(func.lower(MailRow.recipient))
        )
        query = select(*_SEEN, _FOR_GOOD, *_BYTES).where(MailRow.id.in_(latest)).order_by(MailRow.id)
        return [_mail(row) for row in self._connect().execute(query)]

    def returned(self, mails: Collection[int]) -> Sequence[StoredMail]:
        """Those of some mails that were sent and came back, with what is kept of their bytes."""
        came_back = and_(MailRow.state == MailState.BOUNCED.value, MailRow.packed.is_not(None))
        query = select(*_SEEN, _FOR_GOOD, *_BYTES).where(came_back, MailRow.id.in_(mails)).order_by(MailRow.id)
        return [_mail(row) for row in self._connect().execute(query)]

    def has_been_told(self, player: PlayerId, name: str, since: datetime) -> bool:
        """Return True if a mail to a player with a given notice was written since a moment."""
        told = and_(MailRow.player_id == player, MailRow.name == name, MailRow.created_at > since)
        return self._first(_mails(told)) is not None

    def came_back(self, mail: StoredMail, why: str, now: datetime) -> None:
        """Note that a mail has come back."""
        self._came_back[mail.id] = (why, now)

    def is_delayed(self, mail: StoredMail, why: str) -> None:
        """Note that a mail has not arrived yet, and that delivery is still tried."""
        self._delayed[mail.id] = why

    def write(self, connection: Connection) -> None:
        """Write what was noted."""
        for mail, why in self._delayed.items():
            handed_over = and_(MailRow.id == mail, MailRow.state == MailState.SENT.value)
            connection.execute(update(MailRow).where(handed_over).values(last_error=why or DELAYED))
        for mail, (why, at) in self._came_back.items():
            noted = {"state": MailState.BOUNCED.value, "last_error": why or None, "lease_until": None}
            finished = {"finished_at": func.coalesce(MailRow.finished_at, literal(at, MailRow.finished_at.type))}
            connection.execute(update(MailRow).where(MailRow.id == mail).values(noted | finished))

    def _first(self, query: Select[*tuple[Any, ...]]) -> StoredMail | None:
        row = self._connect().execute(query.limit(1)).first()
        return None if row is None else _mail(row)


def _mails(which: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """Mails without their bytes, newest first."""
    return (
        select(*_SEEN, _FOR_GOOD, null().label("raw"), null().label("packed")).where(which).order_by(MailRow.id.desc())
    )


def _mail(row: Row[*tuple[Any, ...]]) -> StoredMail:
    return StoredMail(
        id=row.id,
        message_id=row.message_id,
        recipient=row.recipient,
        created_at=row.created_at,
        state=MailState(row.state),
        name=row.name,
        subject=row.subject,
        player=None if row.player_id is None else PlayerId(row.player_id),
        board=None if row.board_number is None else BoardNumber(row.board_number),
        attempts=row.attempts,
        error=row.last_error,
        is_delayed=row.state == MailState.SENT and row.last_error is not None,
        came_back_for_good=bool(row.for_good),
        raw=row.raw,
        packed=row.packed,
    )
