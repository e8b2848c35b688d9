"""Players in the database, with their blocks, limits and solved puzzles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any, TypeAlias

from sqlalchemy import (
    Connection,
    Row,
    Select,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    union,
    update,
)

from pbem.commands.userids import skeleton
from pbem.domain.events import EventKind
from pbem.domain.players import HERE, Address, Lookalikes, Player, Standing, Vacation, address_key, userid_key
from pbem.domain.preferences import Preferences
from pbem.errors import Conflict
from pbem.ids import PlayerId
from pbem.storage.models import (
    AddressRow,
    BlockRow,
    BoardRow,
    EventRow,
    PlayerRow,
    RatingRow,
    ReadinessRow,
    SeatRow,
    SolvedPuzzleRow,
)
from pbem.storage.prepared import Prepared
from pbem.storage.repository import Repository, each_readable

_ALL = (
    select(*PlayerRow.__table__.c, *(each for each in AddressRow.__table__.c if each.name != "player_id"))
    .join_from(PlayerRow, AddressRow, AddressRow.player_id == PlayerRow.id, isouter=True)
    .order_by(PlayerRow.id, AddressRow.position)
)
"""A row for each address of a player, and one for who has none."""
_BY_ID = Prepared(_ALL.where(PlayerRow.id == bindparam("which")))
_BY_IDS = _ALL.where(PlayerRow.id.in_(bindparam("which", expanding=True)))
_USERID = select(PlayerRow.userid).where(PlayerRow.id == bindparam("which"))
_BY_USERID = Prepared(_ALL.where(PlayerRow.userid_key == bindparam("which")))
_ALIKE = _ALL.where(PlayerRow.skeleton == bindparam("which"))
_BY_CONFIRMED_ADDRESS = Prepared(
    _ALL.where(
        PlayerRow.id.in_(
            select(AddressRow.player_id).where(
                AddressRow.address_key == bindparam("which"), AddressRow.confirmed_at.is_not(None)
            )
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

    _notes = ("saved", "_held", "_paces")  # a player who was seen was seen, even if refused

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._known: dict[PlayerId, Player] = {}
        """Those that were read, as they were at that moment, of which all that is read is."""
        self._held: dict[PlayerId, int] = {}
        self._seen: dict[PlayerId, date] = {}
        self._paces: dict[PlayerId, timedelta | None] = {}

    @property
    def has_changes(self) -> bool:
        """A player is to be written, or was held."""
        return bool(self.saved or self._held)

    def read_anew(self) -> None:
        """Read players again from now on, even those read before, because another moment is looked at."""
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

    def find(self, player: PlayerId) -> Player | None:
        """The player with this id, if there still is one."""
        if player not in self.saved and player not in self._known:
            self._read(_BY_ID, player)
        return self.saved.get(player) or self._known.get(player)

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

    def beginning(self, begin: str, most: int) -> Sequence[Player]:
        """Stored players who are here and whose userids begin so, in alphabetical order."""
        query = select(PlayerRow.id).where(PlayerRow.userid_key.startswith(begin.casefold(), autoescape=True), IS_HERE)
        found = self._connect().scalars(query.order_by(PlayerRow.userid_key).limit(most))
        return self.listed(map(PlayerId, found))

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
        """Add the player, or replace the stored one."""
        self.saved[player.id] = player

    def hold(self, player: Player) -> None:
        """Decide based on a player as read, without changing them.

        If someone else has changed the player meanwhile the commit is a `Conflict`; and so is the commit of anyone who
        has read the player before this one, and writes after it.
        """
        self._held[player.id] = player.revision

    def seen(self, player: Player, day: date) -> None:
        """Note that a player was active on a day; that does not change their revision. Guests are on no list."""
        if player.is_guest:
            return
        if player.seen_on is None or player.seen_on < day:
            self._seen[player.id] = day

    def moves_at(self, player: PlayerId, pace: timedelta | None) -> None:
        """Note the median time per move of a player; that does not change their revision."""
        self._paces[player] = pace

    def _read(self, query: Select[*tuple[Any, ...]] | Prepared, which: int | str | Sequence[int]) -> list[Player]:
        rows: dict[int, list[Row[Any]]] = {}
        values = {"which": which}
        connection = self._connect()
        for row in query.rows(connection, values) if isinstance(query, Prepared) else connection.execute(query, values):
            rows.setdefault(row.id, []).append(row)
        found = [_player(each) for each in rows.values()]
        self._known.update((player.id, player) for player in found)
        return found

    def write(self, connection: Connection) -> None:
        """Write what was saved.

        Raises:
            Conflict: a player was changed since being read.
        """
        self._write_held(connection)
        for player in self.saved.values():
            _write_player(connection, player)
        self._write_notes(connection)

    def _write_held(self, connection: Connection) -> None:
        for held in sorted(self._held.keys() - self.saved.keys()):
            # not only looked at: a unit of work that is deciding based on the player must notice
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
        "guest_until": player.guest_until,
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
        guest_until=row.guest_until,
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


def alike(connection: Connection, lookalikes: Lookalikes) -> list[int]:
    """The numbers of the active boards that are looked for, lowest first."""
    on = select(BoardRow.number).where(BoardRow.active, BoardRow.game == lookalikes.game)
    own_boards = select(SeatRow.board_number).where(SeatRow.player_id == lookalikes.player, SeatRow.active)
    found = union(
        on.where(BoardRow.fingerprint.in_(lookalikes.anybodys)),
        on.where(BoardRow.fingerprint.in_(lookalikes.players), BoardRow.number.in_(own_boards)),
    )
    return sorted({*connection.scalars(found), *_without_fingerprint(connection, lookalikes, own_boards)})


def _without_fingerprint(connection: Connection, lookalikes: Lookalikes, own: Any) -> list[int]:
    """Boards that nobody has moved at for long: the player's own, and others whose last move stands in the game.

    Also those whose last move was taken back. A position of others that is alike by a symmetry alone is not found
    there until the next move: all such boards would have to be replayed.
    """
    old = select(BoardRow.number).where(
        BoardRow.game == lookalikes.game, BoardRow.active, BoardRow.fingerprint.is_(None)
    )
    # mostly there is none, which PostgreSQL would not guess: the order leads it to the index
    if connection.scalar(old.order_by(BoardRow.fingerprint).limit(1)) is None:
        return []
    turns = select(EventRow.board_number, func.max(EventRow.number).label("number"))
    turns = turns.where(EventRow.board_number.in_(old))
    turns = turns.where(EventRow.kind.in_((EventKind.MOVE, EventKind.UNDO))).group_by(EventRow.board_number)
    last = turns.subquery()
    is_last = (EventRow.board_number == last.c.board_number) & (EventRow.number == last.c.number)
    found = connection.execute(select(EventRow.board_number, EventRow.kind, EventRow.record).join(last, is_last))
    others = [row.board_number for row in found if row.kind == EventKind.UNDO or row.record in lookalikes.records]
    return [*others, *connection.scalars(old.where(BoardRow.number.in_(own)))]


_Solved: TypeAlias = "tuple[PlayerId, int]"


class SolvedPuzzleRepository(Repository[_Solved, "datetime"]):
    """Which puzzles players have solved."""

    def solved_by(self, player: PlayerId) -> frozenset[int]:
        """The numbers of the puzzles that a player has solved."""
        query = select(SolvedPuzzleRow.puzzle).where(SolvedPuzzleRow.player_id == player)
        new = {puzzle for one, puzzle in self.saved if one == player}
        return frozenset(new.union(self._connect().scalars(query)))

    def solved(self, player: PlayerId, puzzle: int, at: datetime) -> None:
        """Keep that a player has solved a puzzle, unless it was solved before."""
        self.saved.setdefault((player, puzzle), at)

    def write(self, connection: Connection) -> None:
        """Write what was saved."""
        for (player, puzzle), at in self.saved.items():
            row = (SolvedPuzzleRow.player_id == player) & (SolvedPuzzleRow.puzzle == puzzle)
            if connection.scalar(select(SolvedPuzzleRow.puzzle).where(row)) is None:
                connection.execute(insert(SolvedPuzzleRow).values(player_id=player, puzzle=puzzle, solved_at=at))


_PlayerInGame: TypeAlias = "tuple[PlayerId, str]"


class ReadinessRepository(Repository[_PlayerInGame, "int | None"]):
    """To how many boards of a game players may be challenged."""

    def most(self, player: PlayerId, game: str) -> int | None:
        """The most active boards that a player wants, 0 if they take no challenges; None if any number will do."""
        if (player, game) in self.saved:
            return self.saved[player, game]
        mine = (ReadinessRow.player_id == player) & (ReadinessRow.game == game)
        return self._connect().scalar(select(ReadinessRow.most).where(mine))

    def save(self, player: PlayerId, game: str, most: int | None) -> None:
        """Keep how many boards a player wants."""
        self.saved[player, game] = most

    def write(self, connection: Connection) -> None:
        """Write what was saved; who wants any number has no row."""
        for (player, game), most in self.saved.items():
            mine = (ReadinessRow.player_id == player) & (ReadinessRow.game == game)
            connection.execute(delete(ReadinessRow).where(mine))
            if most is not None:
                connection.execute(insert(ReadinessRow).values(player_id=player, game=game, most=most))


_Pair: TypeAlias = "tuple[PlayerId, PlayerId]"
_PAIRS = select(BlockRow.player_id, BlockRow.other_id)
_BLOCKED = Prepared(_PAIRS.where(BlockRow.player_id == bindparam("which")))
_BLOCKERS = Prepared(_PAIRS.where(BlockRow.other_id == bindparam("which")))


class BlockRepository(Repository[_Pair, bool]):
    """The blocks between players."""

    def blocked_by(self, player: PlayerId) -> frozenset[PlayerId]:
        """The players that this one has blocked."""
        return frozenset(other for one, other in self._pairs(_BLOCKED, player) if one == player)

    def blockers_of(self, player: PlayerId) -> frozenset[PlayerId]:
        """The players that have blocked this one."""
        return frozenset(one for one, other in self._pairs(_BLOCKERS, player) if other == player)

    def apart_from(self, player: PlayerId) -> frozenset[PlayerId]:
        """The players that this one has blocked, or that have blocked this one."""
        return self.blocked_by(player) | self.blockers_of(player)

    def _pairs(self, query: Prepared, which: PlayerId) -> set[_Pair]:
        """The blocks as stored, with later changes."""
        stored = {(PlayerId(one), PlayerId(other)) for one, other in query.rows(self._connect(), {"which": which})}
        lifted = {pair for pair, blocked in self.saved.items() if not blocked}
        return (stored | {pair for pair, blocked in self.saved.items() if blocked}) - lifted

    def block(self, player: PlayerId, other: PlayerId) -> None:
        """Keep that a player wants nothing from another."""
        self.saved[player, other] = True

    def unblock(self, player: PlayerId, other: PlayerId) -> None:
        """Keep that one player may hear from another again."""
        self.saved[player, other] = False

    def write(self, connection: Connection) -> None:
        """Write what was saved."""
        for (player, other), blocked in self.saved.items():
            pair = (BlockRow.player_id == player) & (BlockRow.other_id == other)
            connection.execute(delete(BlockRow).where(pair))
            if blocked:
                connection.execute(insert(BlockRow).values(player_id=player, other_id=other))
