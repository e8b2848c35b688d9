"""Rows ↔ domain objects, one repository per aggregate.

A repository reads at once and remembers what is to be written; `unit_of_work` has
all of it written in one transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update

from pbem.domain.boards import Board, Event, EventKind, SeatHolder
from pbem.domain.confirmations import Confirmation, ConfirmationKind
from pbem.domain.players import Address, Player, address_key, userid_key
from pbem.ids import BoardNumber, ConfirmationId, PlayerId
from pbem.storage.models import AddressRow, BoardRow, ConfirmationRow, EventRow, PlayerRow, SeatRow
from pbem.usecases.ports import Conflict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from pbem.commands.model import Which
    from pbem.domain.boards import Course

FIRST_BOARD = 101

KeyT = TypeVar("KeyT")
ThingT = TypeVar("ThingT")


class Repository(Generic[KeyT, ThingT]):
    """What is common to all: the things read or saved in this unit of work, by their key."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self.saved: dict[KeyT, ThingT] = {}

    def remember(self) -> Callable[[], None]:
        """Return what takes back everything that is saved from now on."""
        saved = dict(self.saved)

        def restore() -> None:
            self.saved = saved

        return restore

    def _next(self, column: Any, first: int, taken: Iterable[int]) -> int:
        """One more than the highest number in use; the key's uniqueness settles who gets it."""
        highest = self._connect().scalar(select(func.max(column))) or first - 1
        return max([highest, *taken]) + 1


class PlayerRepository(Repository[PlayerId, Player]):
    """Players with their addresses."""

    def next_id(self) -> PlayerId:
        """An id for a new player."""
        return PlayerId(self._next(PlayerRow.id, 1, self.saved))

    def get(self, player: PlayerId) -> Player:
        """The player with this id; there is one."""
        if player in self.saved:
            return self.saved[player]
        (found,) = self._read(PlayerRow.id == player)
        return found

    def by_userid(self, userid: str) -> Player | None:
        """The player with this userid, however it is spelled."""
        key = userid_key(userid)
        for player in self.saved.values():
            if userid_key(player.userid) == key:
                return player
        return next(iter(self._read(PlayerRow.userid_key == key)), None)

    def by_confirmed_address(self, address: str) -> Sequence[Player]:
        """The players who have confirmed this address, in the order of their ids."""
        key = address_key(address)
        mine = select(AddressRow.player_id).where(AddressRow.address_key == key, AddressRow.confirmed_at.is_not(None))
        stored = {player.id: player for player in self._read(PlayerRow.id.in_(mine))}
        for player in self.saved.values():
            stored.pop(player.id, None)
            if any(address_key(each) == key for each in player.confirmed):
                stored[player.id] = player
        return [stored[player] for player in sorted(stored)]

    def save(self, player: Player) -> None:
        """Add the player, or replace what is known of him."""
        self.saved[player.id] = player

    def _read(self, which: ColumnElement[bool]) -> list[Player]:
        rows = self._connect().execute(select(*PlayerRow.__table__.c).where(which)).all()
        if not rows:
            return []
        addresses: dict[int, list[Address]] = {row.id: [] for row in rows}
        found = select(*AddressRow.__table__.c).where(AddressRow.player_id.in_(addresses)).order_by(AddressRow.position)
        for row in self._connect().execute(found):
            addresses[row.player_id].append(Address(row.address, row.confirmed_at))
        return [_player(row, addresses[row.id]) for row in rows]

    def write(self, connection: Connection) -> None:
        """Write what was saved.

        Raises:
            Conflict: a player was changed since he was read.
        """
        for player in self.saved.values():
            values = {
                "userid": player.userid,
                "userid_key": userid_key(player.userid),
                "password_hash": player.password_hash,
                "created_at": player.created_at,
                "revision": player.revision + 1,
            }
            if player.revision == 0:
                connection.execute(insert(PlayerRow).values(id=player.id, **values))
            else:
                mine = (PlayerRow.id == player.id) & (PlayerRow.revision == player.revision)
                if connection.execute(update(PlayerRow).where(mine).values(values)).rowcount == 0:
                    raise Conflict(player=player.id)
                connection.execute(delete(AddressRow).where(AddressRow.player_id == player.id))
            if player.addresses:
                rows = [_address_values(player, position) for position in range(len(player.addresses))]
                connection.execute(insert(AddressRow), rows)


def _player(row: Row[Any], addresses: Sequence[Address]) -> Player:
    return Player(
        id=PlayerId(row.id),
        userid=row.userid,
        addresses=tuple(addresses),
        created_at=row.created_at,
        password_hash=row.password_hash,
        revision=row.revision,
    )


def _address_values(player: Player, position: int) -> dict[str, Any]:
    each = player.addresses[position]
    return {
        "player_id": player.id,
        "position": position,
        "address": each.address,
        "address_key": address_key(each.address),
        "confirmed_at": each.confirmed_at,
    }


class BoardRepository(Repository[BoardNumber, Board]):
    """Boards with their seats and events."""

    def __init__(self, connect: Callable[[], Connection], course: Callable[[Board], Course]) -> None:
        super().__init__(connect)
        self._course = course

    def next_number(self) -> BoardNumber:
        """A number for a new board."""
        return BoardNumber(self._next(BoardRow.number, FIRST_BOARD, self.saved))

    def find(self, number: BoardNumber) -> Board | None:
        """The board with this number."""
        if number in self.saved:
            return self.saved[number]
        return next(iter(self._read([number])), None)

    def of_players(
        self, players: Iterable[PlayerId] | None, which: Which, game: str | None, most: int
    ) -> Sequence[Board]:
        """The boards of these players (None: of all), lowest number first, at most ``most`` and one more."""
        chosen = None if players is None else tuple(players)
        query = select(BoardRow.number).order_by(BoardRow.number).limit(most + 1)
        if chosen is not None:
            seats = select(SeatRow.board_number).where(SeatRow.player_id.in_(chosen))
            if which == "next":
                seats = seats.where(SeatRow.seat == BoardRow.to_act).correlate(BoardRow)
            if which != "all":
                seats = seats.where(SeatRow.active == (which != "inactive"))
            query = query.where(BoardRow.number.in_(seats))
        if which != "all":
            query = query.where(BoardRow.active == (which != "inactive"))
        if game is not None:
            query = query.where(BoardRow.game == game)
        numbers = [number for (number,) in self._connect().execute(query) if number not in self.saved]
        mine = [board for board in self.saved.values() if self._matches(board, chosen, which, game)]
        return sorted([*self._read(numbers), *mine], key=lambda board: board.number)[: most + 1]

    def _matches(self, board: Board, players: Sequence[PlayerId] | None, which: Which, game: str | None) -> bool:
        course = self._course(board)
        if game not in (None, board.game) or (which != "all" and (course.result is None) != (which != "inactive")):
            return False
        if players is None:
            return True
        if which == "next":
            return course.to_act is not None and board.seats[course.to_act].player in players
        return any(player in board.players for player in players)

    def count(self, game: str) -> tuple[int, int, int]:
        """How many active boards, finished boards and players a game has."""
        counts = select(BoardRow.active, func.count()).where(BoardRow.game == game).group_by(BoardRow.active)
        boards = dict(self._connect().execute(counts).all())
        players = (
            select(func.count(SeatRow.player_id.distinct()))
            .join(BoardRow, BoardRow.number == SeatRow.board_number)
            .where(BoardRow.game == game)
        )
        return boards.get(True, 0), boards.get(False, 0), self._connect().scalar(players) or 0

    def save(self, board: Board) -> None:
        """Add the board, or append what is new of it."""
        self.saved[board.number] = board

    def _read(self, numbers: Sequence[int]) -> list[Board]:
        if not numbers:
            return []
        connection = self._connect()
        boards = select(*BoardRow.__table__.c).where(BoardRow.number.in_(numbers)).order_by(BoardRow.number)
        seats = (
            select(SeatRow.board_number, SeatRow.player_id, PlayerRow.userid, SeatRow.resigning)
            .join(PlayerRow, PlayerRow.id == SeatRow.player_id)
            .where(SeatRow.board_number.in_(numbers))
            .order_by(SeatRow.board_number, SeatRow.seat)
        )
        events = (
            select(*EventRow.__table__.c)
            .where(EventRow.board_number.in_(numbers))
            .order_by(EventRow.board_number, EventRow.number)
        )
        found = connection.execute(boards).all()
        held = _grouped(connection.execute(seats).all())
        happened = _grouped(connection.execute(events).all())
        return [_board(row, held[row.number], happened.get(row.number, ())) for row in found]

    def write(self, connection: Connection) -> None:
        """Write what was saved.

        Raises:
            Conflict: a board was changed since it was read.
        """
        for board in self.saved.values():
            values = self._derived(board)
            known = 0
            if board.revision == 0:
                connection.execute(insert(BoardRow).values(number=board.number, **_begun(board), **values))
                connection.execute(insert(SeatRow), _seat_values(board, values["active"]))
            else:
                known = self._advance(connection, board, values)
            if board.events[known:]:
                connection.execute(insert(EventRow), [_event_values(board, each) for each in board.events[known:]])

    def _advance(self, connection: Connection, board: Board, values: dict[str, Any]) -> int:
        """Bring a stored board up to date, its events excepted; return the number of the last one stored."""
        mine = (BoardRow.number == board.number) & (BoardRow.revision == board.revision)
        stored = connection.scalar(select(BoardRow.event_number).where(mine).with_for_update())
        if stored is None:
            raise Conflict(board=board.number)
        connection.execute(update(BoardRow).where(mine).values(values))
        for seat in _seat_values(board, values["active"]):
            this = (SeatRow.board_number == board.number) & (SeatRow.seat == seat["seat"])
            connection.execute(update(SeatRow).where(this).values(resigning=seat["resigning"], active=seat["active"]))
        return stored

    def _derived(self, board: Board) -> dict[str, Any]:
        """What is kept beside the events only to be searched."""
        course = self._course(board)
        return {
            "revision": board.revision + 1,
            "event_number": board.event_number,
            "to_act": course.to_act,
            "active": course.result is None,
            "ending": course.result and course.result.ending.value,
            "winners": course.result and list(course.result.winners),
            "finished_at": None if course.result is None else board.last_at,
        }


def _grouped(rows: Sequence[Any]) -> dict[int, list[Row[Any]]]:
    grouped: dict[int, list[Row[Any]]] = {}
    for row in rows:
        grouped.setdefault(row.board_number, []).append(row)
    return grouped


def _board(row: Row[Any], seats: Sequence[Row[Any]], events: Sequence[Row[Any]]) -> Board:
    options: Mapping[str, Any] = row.options
    return Board(
        number=BoardNumber(row.number),
        game=row.game,
        options=options,
        rules=row.rules,
        first=row.first,
        seats=tuple(SeatHolder(PlayerId(each.player_id), each.userid, each.resigning) for each in seats),
        begun_at=row.begun_at,
        events=tuple(Event(each.number, EventKind(each.kind), each.seat, each.at, each.record) for each in events),
        revision=row.revision,
    )


def _begun(board: Board) -> dict[str, Any]:
    return {
        "game": board.game,
        "options": dict(board.options),
        "rules": board.rules,
        "first": board.first,
        "begun_at": board.begun_at,
    }


def _seat_values(board: Board, active: bool) -> list[dict[str, Any]]:
    return [
        {
            "board_number": board.number,
            "seat": seat,
            "player_id": holder.player,
            "resigning": holder.resigning,
            "active": active,
        }
        for seat, holder in enumerate(board.seats)
    ]


def _event_values(board: Board, event: Event) -> dict[str, Any]:
    return {
        "board_number": board.number,
        "number": event.number,
        "kind": event.kind.value,
        "seat": event.seat,
        "at": event.at,
        "record": event.record,
    }


class ConfirmationRepository(Repository[ConfirmationId, Confirmation]):
    """Questions that one reply answers."""

    def next_id(self) -> ConfirmationId:
        """An id for a new question."""
        return ConfirmationId(self._next(ConfirmationRow.id, 1, self.saved))

    def find(self, confirmation: ConfirmationId) -> Confirmation | None:
        """The question with this id."""
        if confirmation in self.saved:
            return self.saved[confirmation]
        query = select(*ConfirmationRow.__table__.c).where(ConfirmationRow.id == confirmation)
        row = self._connect().execute(query).one_or_none()
        if row is None:
            return None
        return Confirmation(
            id=ConfirmationId(row.id),
            kind=ConfirmationKind(row.kind),
            player=PlayerId(row.player_id),
            address=row.address,
            expires_at=row.expires_at,
            line=row.line,
            comment=row.comment,
            board=row.board,
            event=row.event,
            answered_at=row.answered_at,
        )

    def save(self, confirmation: Confirmation) -> None:
        """Add the question, or mark it answered."""
        self.saved[confirmation.id] = confirmation

    def write(self, connection: Connection) -> None:
        """Write what was saved.

        Raises:
            Conflict: a question has been answered meanwhile.
        """
        for each in self.saved.values():
            if each.answered_at is not None:
                self._mark_answered(connection, each.id, each.answered_at)
                continue
            values = {
                "kind": each.kind.value,
                "player_id": each.player,
                "address": each.address,
                "expires_at": each.expires_at,
                "line": each.line,
                "comment": each.comment,
                "board": each.board,
                "event": each.event,
            }
            connection.execute(insert(ConfirmationRow).values(id=each.id, **values))

    def _mark_answered(self, connection: Connection, confirmation: ConfirmationId, at: datetime) -> None:
        open_one = (ConfirmationRow.id == confirmation) & ConfirmationRow.answered_at.is_(None)
        if connection.execute(update(ConfirmationRow).where(open_one).values(answered_at=at)).rowcount == 0:
            raise Conflict(confirmation=confirmation)
