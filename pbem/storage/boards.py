"""Boards with their seats and events, in the database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select, update

from pbem.commands.command import Which
from pbem.domain.boards import Board
from pbem.domain.game_state import GameStates
from pbem.domain.players import Lookalikes, fingerprint
from pbem.domain.watches import FIRST, ListPart
from pbem.errors import Conflict
from pbem.ids import BoardNumber, PlayerId, TournamentId
from pbem.storage.board_rows import (
    OF_TOURNAMENTS,
    KeptEvents,
    StoredBoard,
    Wanted,
    begun_values,
    derived_values,
    event_values,
    listed_numbers,
    read_boards,
    seat_values,
    write_changed_seats,
    write_pauses,
)
from pbem.storage.counters import counted, note
from pbem.storage.models import BoardRow, EventRow, SeatRow, TallyRow, aliased
from pbem.storage.players import alike
from pbem.storage.prepared import Prepared
from pbem.storage.repository import Repository, each_readable, numbered, one_of

FIRST_BOARD = 101
"""The number of the first board on a server."""

_AT_ONCE = 100
"""Boards read with one query, where all are wanted."""

_AS_READ = (BoardRow.number == bindparam("which")) & (BoardRow.revision == bindparam("read"))
_WRITE = Prepared(update(BoardRow).where(_AS_READ))
_HAPPENED = Prepared(insert(EventRow))
_SUMS = select(func.sum(TallyRow.active), func.sum(TallyRow.finished), func.sum(TallyRow.players)).where(
    TallyRow.game == bindparam("game")
)
_ACTIVE_OF = Prepared(
    select(BoardRow.number)
    .join_from(SeatRow, BoardRow, BoardRow.number == SeatRow.board_number)
    .where(
        SeatRow.player_id == bindparam("player"), SeatRow.active, BoardRow.active, BoardRow.game == bindparam("game")
    )
)
"""From the seats of a player to boards: SQLite looks at all boards of a game if it may begin with them."""


@cache
def _one_played_before(games: int) -> Prepared:
    """The query for an earlier board of one of so many games at which a player has a seat."""
    seats = select(SeatRow.board_number).join(BoardRow, BoardRow.number == SeatRow.board_number)
    earlier = seats.where(SeatRow.player_id == bindparam("player"), BoardRow.number < bindparam("before"))
    return Prepared(earlier.where(one_of(BoardRow.game, "game", games)).limit(1))


class BoardRepository(Repository[BoardNumber, Board]):
    """Boards with their seats and events."""

    _notes = ("saved", "_fingerprints")

    def __init__(self, connect: Callable[[], Connection], courses: GameStates, kept: KeptEvents | None = None) -> None:
        super().__init__(connect)
        self._courses = courses
        self._course = courses.of
        self._fingerprints: dict[BoardNumber, str | None] = {}
        """Of the boards that were saved; made then, since writing holds up all others."""
        self._kept = kept
        self._as_read: dict[BoardNumber, StoredBoard] = {}
        self._known: dict[BoardNumber, Board] = {}
        """Those that were read, as they were at that moment, of which all that is read is."""

    def read_anew(self) -> None:
        """Read whatever is asked for from now on, even if it was read before: another moment is looked at."""
        self._known = {}

    @property
    def seen(self) -> Collection[BoardNumber]:
        """The boards that were read."""
        return self._as_read.keys()

    @property
    def players_seen(self) -> frozenset[PlayerId]:
        """The players of the boards that were read."""
        return frozenset(seat.player for each in self._as_read.values() for seat in each.board.seats)

    @property
    def is_outdated(self) -> bool:
        """A board has changed since it was read."""
        return self.last_events(self.seen) != {number: each.row.event_number for number, each in self._as_read.items()}

    def next_number(self) -> BoardNumber:
        """A number for a new board; taken by somebody else meanwhile, the commit is a `Conflict`."""
        return BoardNumber(self._next(BoardRow.number, FIRST_BOARD, self.saved))

    def find(self, number: BoardNumber) -> Board | None:
        """The board with this number."""
        if number in self.saved:
            return self.saved[number]
        if number not in self._known:
            self._read([number])
        return self._known.get(number)

    def find_listed(self, number: BoardNumber) -> Board | None:
        """The same for a list: None, too, if what is stored of it cannot be read or followed, which is logged."""
        return self.saved.get(number) or next(iter(self._listed([number])), None)

    def find_all(self, numbers: Collection[BoardNumber]) -> Mapping[BoardNumber, Board]:
        """The boards with these numbers, without those that cannot be read, which is logged."""
        unread = [number for number in numbers if number not in self.saved and number not in self._known]
        each_readable(self._read, unread, "board")
        return {number: board for number in numbers if (board := self.saved.get(number) or self._known.get(number))}

    def last_events(self, numbers: Collection[BoardNumber]) -> Mapping[BoardNumber, int]:
        """The number of the last event of each of these boards that is stored."""
        query = select(BoardRow.number, BoardRow.event_number).where(BoardRow.number.in_(numbers))
        return {BoardNumber(row.number): row.event_number for row in self._connect().execute(query)}

    def of_players(
        self,
        players: Iterable[PlayerId] | None,
        which: Which,
        game: str | None,
        most: int,
        *,
        ended_since: datetime | None = None,
        part: ListPart = FIRST,
        with_guests: bool = False,
    ) -> Sequence[Board]:
        """The boards of these players (None: of all), at most ``most`` and one more.

        The lowest number comes first, among ``inactive`` ones the board that ended last. Boards that were declined or
        annulled are off the lists, and so are those that ended before a moment; `find` still finds them. Boards of
        guests are only on a list ``with_guests``.
        """
        chosen = None if players is None else tuple(players)
        query = listed_numbers(
            Wanted(chosen, which, game, ended_since, with_guests), most + 1, part.skipped(most), part.behind
        )
        numbers = [number for number in self._connect().scalars(query) if number not in self.saved]
        listed = (board for board in self.saved.values() if with_guests or not board.of_guest)
        mine = [board for board in listed if self._matches(board, chosen, which, game)]
        found = [*self._listed(numbers), *mine]
        if which == "inactive":
            return sorted(found, key=lambda board: (board.last_at, board.number), reverse=True)[: most + 1]
        return sorted(found, key=lambda board: board.number)[: most + 1]

    def _matches(self, board: Board, players: Sequence[PlayerId] | None, which: Which, game: str | None) -> bool:
        course = self._course(board)
        if course.result is not None and not course.result.was_played:
            return False
        if game not in (None, board.game) or (which != "all" and (course.result is None) != (which != "inactive")):
            return False
        if which in OF_TOURNAMENTS and (board.tournament is not None) != OF_TOURNAMENTS[which]:
            return False
        if players is None:
            return True
        if which == "next":
            return course.to_act is not None and board.seats[course.to_act].player in players
        return any(player in board.players for player in players)

    def of_tournament(self, tournament: TournamentId) -> Sequence[Board]:
        """The boards of a tournament, lowest number first, declined and annulled ones too."""
        return self._of_tournament(tournament, self._read)[0]

    def listed_of_tournament(self, tournament: TournamentId) -> tuple[Sequence[Board], Sequence[BoardNumber]]:
        """The same to be shown, and the numbers of those that cannot be read or followed, which are left out."""
        return self._of_tournament(tournament, self._listed)

    def _of_tournament(
        self, tournament: TournamentId, read: Callable[[Sequence[int]], list[Board]]
    ) -> tuple[list[Board], list[BoardNumber]]:
        query = select(BoardRow.number).where(BoardRow.tournament_id == tournament).order_by(BoardRow.number)
        numbers = [number for number in self._connect().scalars(query) if number not in self.saved]
        mine = [each for each in self.saved.values() if each.tournament and each.tournament.tournament == tournament]
        found = {each.number: each for each in read(numbers)}
        boards = sorted([*found.values(), *mine], key=lambda board: board.number)
        return boards, [BoardNumber(number) for number in numbers if number not in found]

    def labelled(self, label: str, game: str | None, most: int) -> Sequence[Board]:
        """At most so many boards that have this label in tournaments: those that are on first, the newest first."""
        query = select(BoardRow.number).where(BoardRow.tournament_label == label)
        if game is not None:
            query = query.where(BoardRow.game == game)
        query = query.order_by(BoardRow.active.desc(), BoardRow.number.desc()).limit(most + len(self.saved))
        numbers = [number for number in self._connect().scalars(query) if number not in self.saved]
        mine = [each for each in self.saved.values() if each.tournament and each.tournament.label == label]
        found = [*self._listed(numbers), *(each for each in mine if game in (None, each.game))]
        return sorted(found, key=lambda each: (self._course(each).result is not None, -each.number))[:most]

    def each(self, game: str | None = None, *, followed: bool = False) -> Iterator[Board]:
        """Every stored board, or every one of a game, declined ones too, lowest number first; read as it is asked.

        What cannot be read, or ``followed``, is logged and left out.
        """
        last = 0
        while True:
            query = select(BoardRow.number).where(BoardRow.number > last).order_by(BoardRow.number).limit(_AT_ONCE)
            if game is not None:
                query = query.where(BoardRow.game == game)
            numbers = list(self._connect().scalars(query))
            if not numbers:
                return
            yield from each_readable(self._followed if followed else self._read, numbers, "board")
            last = numbers[-1]

    def alike(self, lookalikes: Lookalikes) -> Iterator[Board]:
        """The active boards that may stand as a game stood once, lowest number first; read as they are asked."""
        stored = [number for number in alike(self._connect(), lookalikes) if number not in self.saved]
        for start in range(0, len(stored), _AT_ONCE):
            yield from self._listed(stored[start : start + _AT_ONCE])
        yield from (
            each for each in self.saved.values() if each.game == lookalikes.game and self._course(each).result is None
        )

    def have_begun(self, one: PlayerId, other: PlayerId, game: str, since: datetime) -> bool:
        """Return True if two players have begun a board of a game since a moment, declined and new ones included."""
        mine, theirs = SeatRow, aliased(SeatRow)
        both = (
            select(BoardRow.number)
            .join(mine, mine.board_number == BoardRow.number)
            .join(theirs, theirs.board_number == BoardRow.number)
            .where(mine.player_id == one, theirs.player_id == other)
            .where(BoardRow.game == game, BoardRow.begun_at >= since)
            .limit(1)
        )
        if self._connect().scalar(both) is not None:
            return True
        new = (each for each in self.saved.values() if each.game == game and each.begun_at >= since)
        return any({one, other} <= set(each.players) for each in new)

    def has_played(self, player: PlayerId, games: Collection[str], before: BoardNumber) -> bool:
        """Return True if a player has a seat at an earlier board of one of these games."""
        values = {"player": player, "before": before, **numbered("game", games)}
        return bool(_one_played_before(len(games)).rows(self._connect(), values))

    def active_of(self, player: PlayerId, game: str) -> int:
        """The number of a player's active boards of a game, those of this unit of work included."""
        rows = _ACTIVE_OF.rows(self._connect(), {"player": player, "game": game})
        stored = {row.number for row in rows if row.number not in self.saved}
        saved = (each for each in self.saved.values() if player in each.players and each.game == game)
        return len(stored) + sum(self._course(each).result is None for each in saved)

    def as_read(self, number: BoardNumber) -> Board | None:
        """A board as it was read; None if it was not."""
        read = self._as_read.get(number)
        return None if read is None else read.board

    def waiting_for(self, player: PlayerId) -> int:
        """The number of stored boards where a player is to act."""
        theirs = select(func.count()).join(BoardRow, BoardRow.number == SeatRow.board_number)
        mine = (SeatRow.player_id == player) & SeatRow.active & (SeatRow.seat == BoardRow.to_act)
        return self._connect().scalar(theirs.select_from(SeatRow).where(mine)) or 0

    def active_between(self, one: PlayerId, other: PlayerId) -> Sequence[BoardNumber]:
        """The active boards at which two players sit, lowest number first; of a pair the first that is on."""
        mine, theirs = SeatRow, aliased(SeatRow)
        both = (
            select(BoardRow.number, BoardRow.pair)
            .join(mine, mine.board_number == BoardRow.number)
            .join(theirs, theirs.board_number == BoardRow.number)
            .where(mine.player_id == one, mine.active, theirs.player_id == other, BoardRow.active)
        )
        there = {row.number: row.pair for row in self._connect().execute(both) if row.number not in self.saved}
        for board in self.saved.values():
            if {one, other} <= set(board.players) and self._course(board).result is None:
                there[board.number] = board.pair
        found = dict[int, int]()
        for number, pair in sorted(there.items()):
            found.setdefault(min(number, pair or number), number)
        return [BoardNumber(number) for number in sorted(found.values())]

    def begun_since(self, player: PlayerId, moment: datetime) -> int:
        """The number of a player's boards begun since a moment, those of this unit of work included."""
        seats = select(SeatRow.board_number).where(SeatRow.player_id == player)
        begun = select(BoardRow.number).where(BoardRow.begun_at >= moment, BoardRow.number.in_(seats))
        mine = {each.number for each in self.saved.values() if player in each.players and each.begun_at >= moment}
        return len(mine.union(self._connect().scalars(begun)))

    def count(self, game: str) -> tuple[int, int, int]:
        """The numbers of a game's active boards, finished boards and players; declined challenges do not count."""
        active, finished, players = self._connect().execute(_SUMS, {"game": game}).one()
        return int(active or 0), int(finished or 0), int(players or 0)

    def save(self, board: Board) -> None:
        """Add the board, or append what is new of it."""
        self.saved[board.number] = board
        course, game = self._course(board), self._courses.games[board.game]
        self._fingerprints[board.number] = None if course.result else fingerprint(game, course.position)

    def _listed(self, numbers: Sequence[int]) -> list[Board]:
        """The boards with these numbers that can be read and followed."""
        return each_readable(self._followed, numbers, "board")

    def _followed(self, numbers: Sequence[int]) -> list[Board]:
        boards = self._read(numbers)
        for each in boards:
            self._course(each)
        return boards

    def _read(self, numbers: Sequence[int]) -> list[Board]:
        found = {each.board.number: each for each in read_boards(self._connect(), numbers, self._kept)}
        self._as_read.update(found)
        self._known.update((number, each.board) for number, each in found.items())
        return [each.board for each in found.values()]

    def write(self, connection: Connection) -> None:
        """Write what was saved.

        Raises:
            Conflict: a board was changed since it was read.
        """
        changes = []
        for board in self.saved.values():
            values = derived_values(board, self._course(board), self._fingerprints[board.number])
            known, counted_before = 0, None
            if board.revision == 0:
                connection.execute(insert(BoardRow).values(number=board.number, **begun_values(board), **values))
                connection.execute(insert(SeatRow), seat_values(board, values["finished_at"]))
                write_pauses(connection, board)
            else:
                before = self._advance(connection, board, values)
                known, counted_before = before.board.event_number, before.counted
            if board.events[known:]:
                _HAPPENED.run_late(connection, *(event_values(board, each) for each in board.events[known:]))
            changes.append((counted_before, counted(board, values["ending"], values["finished_at"])))
        note(connection, [(before, after) for before, after in changes if before != after])

    def _advance(self, connection: Connection, board: Board, values: dict[str, Any]) -> StoredBoard:
        """Bring a stored board up to date, its events excepted; return it as it was stored before."""
        this = {"which": board.number, "read": board.revision}
        before = self._before(connection, board)
        put_off = {"clock_at": values["clock_at"]}  # maybe since it was read, and that is no new revision
        changed = {**before.changes(values), **put_off, **this}
        _WRITE.run_late(connection, changed, missed=Conflict(board=board.number))
        write_changed_seats(connection, before, board, values["finished_at"])
        return before

    def _before(self, connection: Connection, board: Board) -> StoredBoard:
        """A board that is saved as it was read."""
        before = self._as_read.get(board.number)
        if before is None or before.board.revision != board.revision:
            before = next(iter(read_boards(connection, [board.number])), None)
        if before is None or before.board.revision != board.revision:
            raise Conflict(board=board.number)
        return before
