"""Players with their addresses, in the database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, delete, insert, or_, select, update

from pbem.commands.userids import skeleton
from pbem.domain.players import HERE, Address, Player, Standing, Vacation, address_key, userid_key
from pbem.domain.preferences import Preferences
from pbem.errors import Conflict
from pbem.ids import PlayerId
from pbem.storage.models import AddressRow, PlayerRow, RatingRow
from pbem.storage.repository import Repository, each_readable

_ALL = (
    select(*PlayerRow.__table__.c, *(each for each in AddressRow.__table__.c if each.name != "player_id"))
    .join_from(PlayerRow, AddressRow, AddressRow.player_id == PlayerRow.id, isouter=True)
    .order_by(PlayerRow.id, AddressRow.position)
)
"""A row for each address of a player, and one for who has none."""
_BY_ID = _ALL.where(PlayerRow.id == bindparam("which"))
_BY_IDS = _ALL.where(PlayerRow.id.in_(bindparam("which", expanding=True)))
_USERID = select(PlayerRow.userid).where(PlayerRow.id == bindparam("which"))
_BY_USERID = _ALL.where(PlayerRow.userid_key == bindparam("which"))
_ALIKE = _ALL.where(PlayerRow.skeleton == bindparam("which"))
_BY_CONFIRMED_ADDRESS = _ALL.where(
    PlayerRow.id.in_(
        select(AddressRow.player_id).where(
            AddressRow.address_key == bindparam("which"), AddressRow.confirmed_at.is_not(None)
        )
    )
)
_MINE = PlayerRow.id == bindparam("which")
_AS_READ = _MINE & (PlayerRow.revision == bindparam("read"))
_WRITE = update(PlayerRow).where(_AS_READ)
_HOLD = update(PlayerRow).where(_AS_READ).values(revision=PlayerRow.revision + 1)
_SEEN = update(PlayerRow).where(_MINE & (PlayerRow.seen_on.is_(None) | (PlayerRow.seen_on < bindparam("day"))))
_NOTE = update(PlayerRow).where(_MINE)
_RATED = update(RatingRow).where(RatingRow.player_id == bindparam("which"), RatingRow.here != bindparam("is_here"))
IS_HERE = or_(*(PlayerRow.standing == each.value for each in HERE))
"""Players who have not left the server, and were not banned."""


class PlayerRepository(Repository[PlayerId, Player]):
    """Players with their addresses."""

    _notes = ("saved", "_held", "_paces")  # who was seen was seen, whatever he is refused

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._known: dict[PlayerId, Player] = {}
        """Those that were read, as they were at that moment, of which all that is read is."""
        self._held: dict[PlayerId, int] = {}
        self._seen: dict[PlayerId, date] = {}
        self._paces: dict[PlayerId, timedelta | None] = {}

    @property
    def has_changes(self) -> bool:
        """Whether a player is to be written, or decided upon."""
        return bool(self.saved or self._held)

    def read_anew(self) -> None:
        """Read whoever is asked for from now on, even if he was read before: another moment is looked at."""
        self._known = {}

    def next_id(self) -> PlayerId:
        """An id for a new player; taken by somebody else meanwhile, the commit is a `Conflict`."""
        return PlayerId(self._next(PlayerRow.id, 1, self.saved))

    def get(self, player: PlayerId) -> Player:
        """The player with this id; there is one."""
        if player in self.saved:
            return self.saved[player]
        if player not in self._known:
            self._read(_BY_ID, player)
        return self._known[player]

    def get_all(self, players: Iterable[PlayerId]) -> list[Player]:
        """The players with these ids, in this order, asked for at once; there are such."""
        wanted = list(players)
        unread = [each for each in dict.fromkeys(wanted) if each not in self.saved and each not in self._known]
        if len(unread) > 1:
            self._read(_BY_IDS, unread)
        return [self.get(each) for each in wanted]

    def listed(self, players: Iterable[PlayerId]) -> list[Player]:
        """The same for a list or for mails to many: who cannot be read is logged and left out."""
        return each_readable(lambda some: self.get_all(map(PlayerId, some)), list(players), "player")

    def userid_of(self, player: PlayerId) -> str:
        """The userid of the player with this id, even if nothing else that is stored of them can be read."""
        known = self.saved.get(player) or self._known.get(player)
        return self._connect().execute(_USERID, {"which": player}).scalar_one() if known is None else known.userid

    def by_userid(self, userid: str) -> Player | None:
        """The player with this userid, however it is spelled."""
        key = userid_key(userid)
        for player in self.saved.values():
            if userid_key(player.userid) == key:
                return player
        for player in self._known.values():
            if userid_key(player.userid) == key:
                return player
        return next(iter(self._read(_BY_USERID, key)), None)

    def alike(self, userid: str) -> Sequence[Player]:
        """The players whose userids are easily taken for this one, in the order of their ids."""
        looks = skeleton(userid)
        found = {player.id: player for player in self._read(_ALIKE, looks)}
        found.update((player.id, player) for player in self.saved.values())
        return [found[player] for player in sorted(found) if skeleton(found[player].userid) == looks]

    def by_confirmed_address(self, address: str) -> Sequence[Player]:
        """The players who have confirmed this address, in the order of their ids."""
        key = address_key(address)
        stored = {player.id: player for player in self._read(_BY_CONFIRMED_ADDRESS, key)}
        for player in self.saved.values():
            stored.pop(player.id, None)
            if any(address_key(each) == key for each in player.confirmed):
                stored[player.id] = player
        return [stored[player] for player in sorted(stored)]

    def save(self, player: Player) -> None:
        """Add the player, or replace what is known of him."""
        self.saved[player.id] = player

    def hold(self, player: Player) -> None:
        """Decide upon a player as he has been read, without a change to him.

        If somebody else has changed him meanwhile the commit is a `Conflict`; and so is that of whoever has read him
        before this one, and changes him after it.
        """
        self._held[player.id] = player.revision

    def seen(self, player: Player, day: date) -> None:
        """Note that a player was heard of on a day; that is no change of him."""
        if player.seen_on is None or player.seen_on < day:
            self._seen[player.id] = day

    def moves_at(self, player: PlayerId, pace: timedelta | None) -> None:
        """Note the median time per move of a player; that is no change of him."""
        self._paces[player] = pace

    def _read(self, query: Select[*tuple[Any, ...]], which: int | str | Sequence[int]) -> list[Player]:
        rows: dict[int, list[Row[Any]]] = {}
        for row in self._connect().execute(query, {"which": which}):
            rows.setdefault(row.id, []).append(row)
        found = [_player(each) for each in rows.values()]
        self._known.update((player.id, player) for player in found)
        return found

    def write(self, connection: Connection) -> None:
        """Write what was saved.

        Raises:
            Conflict: a player was changed since he was read.
        """
        self._write_held(connection)
        for player in self.saved.values():
            _write_player(connection, player)
        self._write_notes(connection)

    def _write_held(self, connection: Connection) -> None:
        for held in sorted(self._held.keys() - self.saved.keys()):
            # not only looked at: who is deciding upon him at this moment must come to know of it
            if connection.execute(_HOLD, {"which": held, "read": self._held[held]}).rowcount == 0:
                raise Conflict(player=held)

    def _write_notes(self, connection: Connection) -> None:
        """Write what is no change of a player."""
        for player, day in self._seen.items():
            connection.execute(_SEEN, {"which": player, "day": day, "seen_on": day})
        for player, pace in sorted(self._paces.items()):
            seconds = None if pace is None else int(pace.total_seconds())
            connection.execute(_NOTE, {"which": player, "pace_seconds": seconds})


def _write_player(connection: Connection, player: Player) -> None:
    values = _values(player)
    if player.revision == 0:
        connection.execute(insert(PlayerRow).values(id=player.id, **values))
    else:
        mine = {"which": player.id, "read": player.revision}
        if connection.execute(_WRITE, {**values, **mine}).rowcount == 0:
            raise Conflict(player=player.id)
        connection.execute(delete(AddressRow).where(AddressRow.player_id == player.id))
        is_here = player.is_here
        connection.execute(_RATED, {"which": player.id, "is_here": is_here, "here": is_here})
    rows = [_address_values(player, position) for position in range(len(player.addresses))]
    if rows:
        connection.execute(insert(AddressRow), rows)


def _values(player: Player) -> dict[str, Any]:
    vacations = [[each.began_at.isoformat(), each.ends_at.isoformat()] for each in player.vacations]
    return {
        "userid": player.userid,
        "userid_key": userid_key(player.userid),
        "skeleton": skeleton(player.userid),
        "password_hash": player.password_hash,
        "created_at": player.created_at,
        "preferences": player.preferences.chosen() or None,
        "standing": player.standing.value,
        "mail_stopped": player.mail_stopped,
        "vacations": vacations or None,
        "revision": player.revision + 1,
    }


def _player(rows: Sequence[Row[Any]]) -> Player:
    row = rows[0]
    return Player(
        id=PlayerId(row.id),
        userid=row.userid,
        addresses=tuple(_address(each) for each in rows if each.position is not None),
        created_at=row.created_at,
        password_hash=row.password_hash,
        preferences=Preferences.stored(row.preferences or {}),
        standing=Standing(row.standing),
        mail_stopped=row.mail_stopped,
        vacations=tuple(Vacation(*map(datetime.fromisoformat, each)) for each in row.vacations or ()),
        seen_on=row.seen_on,
        pace=None if row.pace_seconds is None else timedelta(seconds=row.pace_seconds),
        revision=row.revision,
    )


def _address(row: Row[Any]) -> Address:
    return Address(row.address, row.confirmed_at, row.suppressed_at, row.suppressed_why)


def _address_values(player: Player, position: int) -> dict[str, Any]:
    each = player.addresses[position]
    return {
        "player_id": player.id,
        "position": position,
        "address": each.address,
        "address_key": address_key(each.address),
        "confirmed_at": each.confirmed_at,
        "suppressed_at": each.suppressed_at,
        "suppressed_why": each.suppressed_why,
    }
