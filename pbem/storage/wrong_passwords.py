"""Wrong passwords, and where right ones came from, in the database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import CompoundSelect, Connection, bindparam, delete, func, insert, null, select, text, union_all

from pbem.errors import Conflict
from pbem.ids import PlayerId
from pbem.storage.models import FamiliarSourceRow, WrongPasswordRow
from pbem.storage.repository import Repository

_NOBODY = 0
"""No player has this id."""
_LATELY: CompoundSelect[*tuple[Any, ...]] = union_all(
    select(WrongPasswordRow.at, WrongPasswordRow.userid, WrongPasswordRow.source)
    .where(
        WrongPasswordRow.userid.in_(bindparam("userids", expanding=True))
        | WrongPasswordRow.source.in_(bindparam("sources", expanding=True))
    )
    .where(WrongPasswordRow.at > bindparam("since")),
    select(FamiliarSourceRow.used_at, null(), FamiliarSourceRow.source)
    .where(FamiliarSourceRow.player_id == bindparam("player"))
    .where(FamiliarSourceRow.source.in_(bindparam("sources", expanding=True))),
).order_by("at")
"""One question, since every letter with a password asks it."""


@dataclass(frozen=True, slots=True)
class WrongAttempt:
    """That a password was wrong: when, and by fingerprints for which userid and from which source."""

    at: datetime
    userid: str
    """Of one that came from a familiar source: the userid and the source together."""
    source: str


class TriedLately(NamedTuple):
    """What is known of passwords like the one at hand."""

    wrong: Sequence[WrongAttempt]
    """Those that were wrong, oldest first."""
    right_at: datetime | None
    """When a right one last came from the same source, to a few days; None: never."""


class MostWrong(NamedTuple):
    """How many wrong passwords there may be before one that is looked at."""

    of_userid: int | None
    of_source: int | None
    """None: they do not count."""


class WrongPasswordRepository(Repository[int, WrongAttempt]):
    """Wrong passwords; letters handled at once do not see each other's, but what is reserved sees all."""

    _notes = ("saved", "_reserved", "_right", "_familiar")

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._reserved: tuple[tuple[WrongAttempt, datetime, MostWrong], ...] = ()
        self._right: tuple[WrongAttempt, ...] = ()
        self._familiar: dict[tuple[PlayerId, str], datetime] = {}

    def lately(
        self, userids: Collection[str], sources: Collection[str], player: PlayerId | None, since: datetime
    ) -> TriedLately:
        """Those since a moment, and when a right password of the player last came from one of the sources."""
        values = {
            "userids": list(userids),
            "sources": list(sources),
            "player": _NOBODY if player is None else player,
            "since": since,
        }
        found = self._connect().execute(_LATELY, values).all()
        stored = [WrongAttempt(row.at, row.userid, row.source) for row in found if row.userid is not None]
        mine = [each for each in self.saved.values() if each.userid in userids or each.source in sources]
        used = [row.at for row in found if row.userid is None]
        used += [at for (known, source), at in self._familiar.items() if known == player and source in sources]
        return TriedLately([*stored, *mine], max(used, default=None))

    def add(self, attempt: WrongAttempt) -> None:
        """Note one; it counts even if all else that the letter wanted is refused."""
        self.saved[len(self.saved)] = attempt

    def reserve(self, attempt: WrongAttempt, since: datetime, most: MostWrong) -> None:
        """Note one before it is known whether it is wrong; decided anew if others have taken the last place."""
        self.add(attempt)
        self._reserved = (*self._reserved, (attempt, since, most))

    def take_back(self, attempt: WrongAttempt) -> None:
        """Forget one that was right after all."""
        self._right = (*self._right, attempt)

    def make_familiar(self, player: PlayerId, source: str, now: datetime) -> None:
        """Note that a right password of a player came from a source."""
        self._familiar[player, source] = now

    def write(self, connection: Connection) -> None:
        """Write what was noted.

        Raises:
            Conflict: others have taken the places of what was reserved.
        """
        if self._reserved and connection.dialect.name != "sqlite":  # there only one writes at a time
            connection.execute(text("LOCK TABLE wrong_passwords IN SHARE ROW EXCLUSIVE MODE"))
        for attempt, since, most in self._reserved:
            _check_room(connection, attempt, since, most)
        for attempt in self._right:
            _forget(connection, attempt)
        rows = [{"at": each.at, "userid": each.userid, "source": each.source} for each in self.saved.values()]
        if rows:
            connection.execute(insert(WrongPasswordRow), rows)
        for (player, source), used_at in self._familiar.items():
            row = FamiliarSourceRow
            connection.execute(delete(row).where(row.player_id == player, row.source == source))
            connection.execute(insert(row).values(player_id=player, source=source, used_at=used_at))


def _check_room(connection: Connection, attempt: WrongAttempt, since: datetime, most: MostWrong) -> None:
    row = WrongPasswordRow
    limits = ((row.userid == attempt.userid, most.of_userid), (row.source == attempt.source, most.of_source))
    for same, limit in limits:
        query = select(func.count()).select_from(row).where(same, row.at > since)
        if limit is not None and (connection.scalar(query) or 0) >= limit:
            raise Conflict(wrong_passwords=limit)


def _forget(connection: Connection, attempt: WrongAttempt) -> None:
    row = WrongPasswordRow
    this = (row.at == attempt.at) & (row.userid == attempt.userid) & (row.source == attempt.source)
    first = select(func.min(row.id)).where(this).scalar_subquery()
    connection.execute(delete(row).where(row.id == first))
