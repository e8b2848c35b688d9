"""Broadcasts, bulletins, daily mails and reports to the operator in the database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Engine,
    Row,
    and_,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError

from pbem.domain.administration import Broadcast, Bulletin, Report
from pbem.domain.mails import DigestEntry
from pbem.errors import Conflict
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.engine import reading, writing
from pbem.storage.models import BroadcastRow, BulletinRow, DigestEntryRow, ReportRow
from pbem.storage.operators import mailable_players
from pbem.storage.repository import Noting, Repository, readable_rows


class BroadcastRepository(Repository[int, Broadcast]):
    """Players' messages to everyone, and the progress of sending them."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._as_read: dict[int, Broadcast] = {}

    def next_id(self) -> int:
        """An id for a new one; taken by somebody else meanwhile, the commit is a `Conflict`."""
        return self._next(BroadcastRow.id, 1, self.saved)

    def count_since(self, player: PlayerId, moment: datetime) -> int:
        """The number that a player has sent since."""
        mine = select(func.count()).where(BroadcastRow.player_id == player, BroadcastRow.at >= moment)
        new = [each for each in self.saved.values() if each.player == player and each.at >= moment]
        return (self._connect().scalar(mine) or 0) + len(new)

    def unsent(self, besides: Collection[int] = ()) -> Broadcast | None:
        """The oldest that not everybody has been told, but for some."""
        return self._unsent(BroadcastRow.id.not_in(besides))

    def find_unsent(self, number: int) -> Broadcast | None:
        """The one with this id, unless everybody has been told."""
        return self._unsent(BroadcastRow.id == number)

    def _unsent(self, meant: ColumnElement[bool]) -> Broadcast | None:
        query = select(*BroadcastRow.__table__.c).where(BroadcastRow.done_at.is_(None), meant)
        row = self._connect().execute(query.order_by(BroadcastRow.id).limit(1)).first()
        if row is None:
            return None
        found = Broadcast(row.id, PlayerId(row.player_id), row.at, row.text, PlayerId(row.sent_to), row.done_at)
        return self._as_read.setdefault(found.id, found)

    def listeners(self, after: PlayerId, most: int) -> Sequence[PlayerId]:
        """The next players who read mail, in the order of their ids."""
        return mailable_players(self._connect(), after, most, playing=False)

    def save(self, broadcast: Broadcast) -> None:
        """Add one, or note how far it has come; brought further by somebody else, the commit is a `Conflict`."""
        self.saved[broadcast.id] = broadcast

    def write(self, connection: Connection) -> None:
        """Write what was saved.

        Raises:
            Conflict: somebody else has brought one further meanwhile.
        """
        for each in self.saved.values():
            before = self._as_read.get(each.id)
            values = {"sent_to": each.sent_to, "done_at": each.done_at}
            if before is None:
                whole = {"id": each.id, "player_id": each.player, "at": each.at, "text": each.text}
                connection.execute(insert(BroadcastRow).values(whole | values))
                continue
            as_read = and_(
                BroadcastRow.id == each.id, BroadcastRow.sent_to == before.sent_to, BroadcastRow.done_at.is_(None)
            )
            if connection.execute(update(BroadcastRow).where(as_read).values(values)).rowcount == 0:
                raise Conflict(broadcast=each.id)


_MOMENT: BindParameter[datetime] = bindparam("now", type_=BulletinRow.posted_at.type)


def is_up(now: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    """Return True if a bulletin has not been taken down."""
    return BulletinRow.ends_at.is_(None) | (BulletinRow.ends_at > now)


_BULLETINS_UP = select(*BulletinRow.__table__.c).where(is_up(_MOMENT)).order_by(BulletinRow.id)


def post_bulletin(connection: Connection, text: str, now: datetime, ends_at: datetime | None) -> None:
    """Put a bulletin up."""
    connection.execute(insert(BulletinRow).values(text=text, posted_at=now, ends_at=ends_at))


def end_bulletins(connection: Connection, ids: Sequence[int], now: datetime) -> int:
    """Take some bulletins down; return how many of them were up."""
    down = update(BulletinRow).where(BulletinRow.id.in_(ids), is_up(now)).values(ends_at=now)
    return connection.execute(down).rowcount


def bulletins_up(connection: Connection, now: datetime) -> list[Bulletin]:
    """The bulletins that are up, oldest first."""
    find = partial(connection.execute, _BULLETINS_UP, {"now": now})
    return readable_rows(find, lambda row: Bulletin(row.id, row.text, row.posted_at, row.ends_at), "bulletin")


_KEPT = timedelta(seconds=1)


class BulletinBoard:
    """The bulletins as every mail shows them.

    They are an ornament of other mails: while the database is in trouble there are none. What is read is kept for a
    moment, as every mail asks.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._read: list[Bulletin] = []
        self._read_at = datetime.min.replace(tzinfo=UTC)

    def texts(self, now: datetime) -> list[str]:
        """The texts that are up, or were a moment ago."""
        if not timedelta() <= now - self._read_at < _KEPT:
            try:
                with reading(self._engine) as connection:
                    self._read, self._read_at = bulletins_up(connection, now), now
            except SQLAlchemyError:
                return []
        return [each.text for each in self._read]


_LONGEST_WAIT = timedelta(hours=25)
"""From one daily mail to the next, on the day on which clocks are put back."""


def pull_in_digests(engine: Engine, now: datetime) -> int:
    """Let nothing wait for longer than a day: the clock was ahead when it was kept. Return how much there was."""
    latest = now + _LONGEST_WAIT
    late = update(DigestEntryRow).where(DigestEntryRow.due_at > latest)
    with writing(engine) as connection:
        return connection.execute(late.values(due_at=latest)).rowcount


class DigestRepository(Noting):
    """The entries for daily mails."""

    _notes = ("_new", "_told", "_due")

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._new: tuple[DigestEntry, ...] = ()
        self._told: tuple[int, ...] = ()
        self._due: dict[PlayerId, datetime] = {}

    def add(self, entry: DigestEntry) -> None:
        """Keep something for the next daily mail of its player."""
        self._new = (*self._new, entry)

    def of(self, player: PlayerId) -> Sequence[DigestEntry]:
        """The entries for a player, in the order in which they happened."""
        query = select(*DigestEntryRow.__table__.c).where(DigestEntryRow.player_id == player)
        return [
            DigestEntry(
                player=PlayerId(row.player_id),
                board=BoardNumber(row.board_number),
                at=row.at,
                due_at=row.due_at,
                writer=row.writer,
                comment=row.comment,
                id=row.id,
            )
            for row in self._connect().execute(query.order_by(DigestEntryRow.at, DigestEntryRow.id))
        ]

    def due(self, now: datetime, most: int) -> Sequence[PlayerId]:
        """The players whose mail is due, the one waiting longest first."""
        query = (
            select(DigestEntryRow.player_id)
            .where(DigestEntryRow.due_at <= now)
            .group_by(DigestEntryRow.player_id)
            .order_by(func.min(DigestEntryRow.due_at), DigestEntryRow.player_id)
            .limit(most)
        )
        return [PlayerId(each) for each in self._connect().scalars(query)]

    def told(self, entries: Sequence[DigestEntry]) -> None:
        """Keep these no longer; if somebody else has told them meanwhile, the commit is a `Conflict`."""
        self._told = (*self._told, *(each.id for each in entries))

    def put_off(self, player: PlayerId, until: datetime) -> None:
        """Have everything that is kept for a player told at this moment, be it sooner or later than it was."""
        self._new = tuple(replace(each, due_at=until) if each.player == player else each for each in self._new)
        self._due = {**self._due, player: until}

    def write(self, connection: Connection) -> None:
        """Write what was noted.

        Raises:
            Conflict: some of what is told has been told already.
        """
        if self._told:
            gone = connection.execute(delete(DigestEntryRow).where(DigestEntryRow.id.in_(self._told)))
            if gone.rowcount != len(self._told):
                raise Conflict(entries=len(self._told))
        for player, moment in self._due.items():
            mine = DigestEntryRow.player_id == player
            connection.execute(update(DigestEntryRow).where(mine).values(due_at=moment))
        rows = [
            {
                "player_id": each.player,
                "board_number": each.board,
                "at": each.at,
                "due_at": each.due_at,
                "writer": each.writer,
                "comment": each.comment,
            }
            for each in self._new
        ]
        if rows:
            connection.execute(insert(DigestEntryRow), rows)


class ReportRepository(Repository[int, Report]):
    """Players' reports to the operator."""

    def next_id(self) -> int:
        """An id for a new report; taken by somebody else meanwhile, the commit is a `Conflict`."""
        return self._next(ReportRow.id, 1, self.saved)

    def find(self, report: int) -> Report | None:
        """The report with this id."""
        if report in self.saved:
            return self.saved[report]
        row = self._connect().execute(select(*ReportRow.__table__.c).where(ReportRow.id == report)).one_or_none()
        return None if row is None else _report(row)

    def count_since(self, player: PlayerId, moment: datetime) -> int:
        """The number that a player has made since."""
        mine = select(func.count()).where(ReportRow.player_id == player, ReportRow.at >= moment)
        new = [each for each in self.saved.values() if each.player == player and each.at >= moment]
        return (self._connect().scalar(mine) or 0) + len(new)

    def newest(self, *, closed: bool, most: int) -> Sequence[Report]:
        """The open reports, or all of them, newest first."""
        query = select(*ReportRow.__table__.c).order_by(ReportRow.id.desc()).limit(most)
        meant = query if closed else query.where(ReportRow.closed_at.is_(None))
        return readable_rows(lambda: self._connect().execute(meant), _report, "report")

    def save(self, report: Report) -> None:
        """Add the report, or note that it is closed; closed twice, the commit is a `Conflict`."""
        self.saved[report.id] = report

    def write(self, connection: Connection) -> None:
        """Write what was saved.

        Raises:
            Conflict: somebody else has closed a report meanwhile.
        """
        for report in self.saved.values():
            if report.closed_at is None:
                connection.execute(insert(ReportRow).values(id=report.id, **_values(report)))
                continue
            still_open = (ReportRow.id == report.id) & ReportRow.closed_at.is_(None)
            if connection.execute(update(ReportRow).where(still_open).values(_values(report))).rowcount == 0:
                raise Conflict(report=report.id)


def _report(row: Row[Any]) -> Report:
    return Report(
        id=row.id,
        at=row.at,
        player=PlayerId(row.player_id),
        about=PlayerId(row.about_id),
        board=None if row.board_number is None else BoardNumber(row.board_number),
        text=row.text,
        closed_at=row.closed_at,
        note=row.note,
    )


def _values(report: Report) -> dict[str, Any]:
    return {
        "at": report.at,
        "player_id": report.player,
        "about_id": report.about,
        "board_number": report.board,
        "text": report.text,
        "closed_at": report.closed_at,
        "note": report.note,
    }
