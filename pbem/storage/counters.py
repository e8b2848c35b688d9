"""Counters in the database: boards, players, letters and mails."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    case,
    exists,
    func,
    insert,
    literal_column,
    null,
    select,
    update,
)

from pbem.domain.boards import Board
from pbem.domain.events import BY_OPERATOR, EventKind
from pbem.domain.game_state import UNPLAYED
from pbem.domain.mails import MailState
from pbem.domain.players import Player, address_key
from pbem.ids import PlayerId
from pbem.storage.leases import change
from pbem.storage.models import (
    AddressRow,
    BoardRow,
    LetterRow,
    MailRow,
    PlayedRow,
    PlayerRow,
    RatingRow,
    SeatRow,
    TallyRow,
)
from pbem.storage.personal_data import forget_sent
from pbem.storage.players import IS_HERE

Pair: TypeAlias = "tuple[PlayerId, str]"
"""A player in a game."""


_UNPLAYED: list[ColumnElement[str]] = [literal_column(f"'{ending.value}'") for ending in UNPLAYED]
PLAYED = BoardRow.ending.is_(None) | BoardRow.ending.not_in(_UNPLAYED)
"""Boards that were not declined or annulled."""
FINISHED = ~BoardRow.active & BoardRow.ending.not_in(_UNPLAYED) & ~BoardRow.of_guest
"""Those of them that are over and on lists, in the words of the indexes."""
COUNTED = PLAYED & ~BoardRow.of_guest
"""Those of them that count for their games and players."""
_PARTS = 16
"""Rows over which the boards of a game are spread."""


def _more(column: Any) -> ColumnElement[int]:
    more: ColumnElement[int] = column + bindparam(f"more_{column.key}")
    return more


_MINE = (PlayedRow.player_id == bindparam("player")) & (PlayedRow.game == bindparam("of_game"))
_COUNT = (
    update(PlayedRow)
    .where(_MINE)
    .values({each: _more(each) for each in (PlayedRow.active, PlayedRow.finished, PlayedRow.forfeits)})
    .returning(PlayedRow.active + PlayedRow.finished)
)
_BEGIN_TO_COUNT = insert(PlayedRow)
_END = update(PlayedRow).where(_MINE, PlayedRow.ended_at.is_(None) | (PlayedRow.ended_at < bindparam("moment")))
_LAST = (
    select(func.max(BoardRow.finished_at))
    .join(SeatRow, SeatRow.board_number == BoardRow.number)
    .where(SeatRow.player_id == PlayedRow.player_id, BoardRow.game == PlayedRow.game, FINISHED)
    .correlate(PlayedRow)
)
_END_ANEW = update(PlayedRow).where(_MINE).values(ended_at=_LAST.scalar_subquery())
_ADD_UP = (
    update(TallyRow)
    .where(TallyRow.game == bindparam("of_game"), TallyRow.part == bindparam("of_part"))
    .values({each: _more(each) for each in (TallyRow.active, TallyRow.finished, TallyRow.players)})
)
_BEGIN_TO_ADD = insert(TallyRow)


def _of_rating(column: Any) -> Any:
    mine = (PlayedRow.player_id == RatingRow.player_id) & (PlayedRow.game == RatingRow.game)
    return select(column).where(mine).correlate(RatingRow).scalar_subquery()


_ENDED_AT = _of_rating(PlayedRow.ended_at)
_IDLE_SINCE = case(
    (_of_rating(PlayedRow.active) > 0, null()),
    (RatingRow.last_at < _ENDED_AT, _ENDED_AT),
    else_=RatingRow.last_at,
)
_SETTLE = (
    update(RatingRow)
    .where(RatingRow.player_id == bindparam("player"), RatingRow.game == bindparam("of_game"))
    .values(idle_since=_IDLE_SINCE, here=exists().where(PlayerRow.id == RatingRow.player_id, IS_HERE))
)


@dataclass(frozen=True, slots=True)
class Counted:
    """A board as it counts for its game and its players."""

    game: str
    part: int
    ended_at: datetime | None
    """None: it is on."""
    players: frozenset[PlayerId]
    forfeiting: frozenset[PlayerId]
    """Those of them who have forfeited it, as far as the operator has not decided on it and they had ever moved, or
    joined its tournament; while it is on nobody."""


def counted(board: Board, ending: str | None, ended_at: datetime | None) -> Counted | None:
    """The way in which a board counts; None: not at all, since it was declined or annulled, or is of a guest.

    Args:
        board: the board.
        ending: the stored reason why it is over; None: it is on.
        ended_at: the moment of its end.
    """
    if ending in UNPLAYED or board.of_guest:
        return None
    forfeits = (
        board.seats[each.seat].player
        for each in board.events
        if each.kind is EventKind.FORFEIT
        and each.record != BY_OPERATOR
        and each.seat < len(board.seats)
        and (board.tournament is not None or board.has_answered(board.seats[each.seat].player))
    )
    forfeiting = frozenset(forfeits if ending else ())
    return Counted(board.game, board.number % _PARTS, ended_at, frozenset(board.players), forfeiting)


def note(connection: Connection, changes: Iterable[tuple[Counted | None, Counted | None]]) -> None:
    """Note how boards have counted before and count from now on; their rows have been written."""
    sums = _Sums()
    for before, after in changes:
        if before is not None:
            sums.add(before, -1)
        if after is not None:
            sums.add(after, 1)
    sums.write(connection)


def settle(connection: Connection, pairs: Collection[Pair]) -> None:
    """Bring up to date since when players have had no board of a game, for those who have a rating in it."""
    if pairs:
        connection.execute(_SETTLE, [{"player": player, "of_game": game} for player, game in sorted(pairs)])


class _Sums:
    """The changes of several boards to the counts.

    Rows are written in the same order by everybody, so that on PostgreSQL there are no deadlocks.
    """

    def __init__(self) -> None:
        self._players: defaultdict[Pair, Counter[str]] = defaultdict(Counter)
        self._games: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
        self._ended: dict[Pair, datetime] = {}
        self._taken_back: set[Pair] = set()

    def add(self, each: Counted, more: int) -> None:
        """Count a board once more, or with -1 once less."""
        what = "active" if each.ended_at is None else "finished"
        self._games[each.game, each.part][what] += more
        for player in each.players:
            pair = player, each.game
            self._players[pair][what] += more
            self._players[pair]["forfeits"] += more * (player in each.forfeiting)
            if each.ended_at is not None and more < 0:
                self._taken_back.add(pair)
            elif each.ended_at is not None:
                self._ended[pair] = max(each.ended_at, self._ended.get(pair, each.ended_at))

    def write(self, connection: Connection) -> None:
        """Write it."""
        for pair in sorted(self._players):
            self._write_player(connection, pair)
        settle(connection, self._players)
        for game, part in sorted(self._games):
            more = _named(self._games[game, part], "active", "finished", "players")
            mine = {"of_game": game, "of_part": part}
            if connection.execute(_ADD_UP, {**_as_more(more), **mine}).rowcount == 0:
                connection.execute(_BEGIN_TO_ADD, {"game": game, "part": part, **more})

    def _write_player(self, connection: Connection, pair: Pair) -> None:
        player, game = pair
        more, mine = _named(self._players[pair], "active", "finished", "forfeits"), {"player": player, "of_game": game}
        boards = more["active"] + more["finished"]
        total = connection.execute(_COUNT, {**_as_more(more), **mine}).scalar_one_or_none()
        if total is None:
            total = boards
            connection.execute(_BEGIN_TO_COUNT, {"player_id": player, "game": game, **more})
        if pair in self._taken_back:
            connection.execute(_END_ANEW, mine)
        elif pair in self._ended:
            connection.execute(_END, {**mine, "ended_at": self._ended[pair], "moment": self._ended[pair]})
        any_part = next(key for key in self._games if key[0] == game)
        self._games[any_part]["players"] += (total > 0) - (total - boards > 0)


def _named(sums: Counter[str], *names: str) -> dict[str, int]:
    return {name: sums[name] for name in names}


def _as_more(sums: dict[str, int]) -> dict[str, int]:
    return {f"more_{name}": more for name, more in sums.items()}


_BYTES = ("raw", "packed")
"""Columns that no list shows."""
DELAYED = "delayed"
"""The state of a mail that was handed over and that some mail system still tries to deliver."""
_NOT_GONE = MailRow.state.in_([MailState.WAITING.value, MailState.FAILED.value])
_MAY_GO = (_NOT_GONE | (MailRow.state == MailState.BOUNCED.value)) & MailRow.raw.is_not(None)
"""Mails that can be handed over, for the first time or once more."""


def traffic(
    connection: Connection, player: Player | None, board: int | None, state: str | None, most: int
) -> list[dict[str, Any]]:
    """The last letters and mails, oldest first.

    Args:
        connection: to read with.
        player: only from and to this one.
        board: only about this one; letters are about none.
        state: only those in this state.
        most: how many.
    """
    letters = [] if board is not None else _letters(connection, player, state, most)
    rows = [*letters, *_mails(connection, player, board, state, most)]
    return sorted(rows, key=lambda row: (row["at"], row["way"], row["id"]))[-most:]


def _letters(connection: Connection, player: Player | None, state: str | None, most: int) -> list[dict[str, Any]]:
    query = select(*(each for each in LetterRow.__table__.c if each.name != "raw"))
    if player is not None:
        keys = [address_key(each.address) for each in player.addresses]
        query = query.where(func.lower(LetterRow.sender).in_(keys))
    if state is not None:
        query = query.where(LetterRow.state == state)
    found = connection.execute(query.order_by(LetterRow.id.desc()).limit(most))
    return [
        {
            "way": "in",
            "id": row.id,
            "at": row.received_at,
            "from": row.sender,
            "to": list(row.recipients),
            "subject": None,
            "board": None,
            "state": row.state,
            "attempts": row.attempts,
            "error": row.last_error,
        }
        for row in found
    ]


def _mails(
    connection: Connection, player: Player | None, board: int | None, state: str | None, most: int
) -> list[dict[str, Any]]:
    wanted = {MailRow.player_id: player and player.id, MailRow.board_number: board}
    query = select(*(each for each in MailRow.__table__.c if each.name not in _BYTES))
    if state is not None:
        query = query.where(_stands(state))
    for column, value in wanted.items():
        if value is not None:
            query = query.where(column == value)
    found = connection.execute(query.order_by(MailRow.id.desc()).limit(most))
    return [
        {
            "way": "out",
            "id": row.id,
            "at": row.created_at,
            "from": row.sender,
            "to": [row.recipient],
            "subject": row.subject,
            "board": row.board_number,
            "state": DELAYED if row.state == MailState.SENT and row.last_error is not None else row.state,
            "attempts": row.attempts,
            "error": row.last_error,
        }
        for row in found
    ]


def _stands(state: str) -> ColumnElement[bool]:
    if state == DELAYED:
        return and_(MailRow.state == MailState.SENT.value, MailRow.last_error.is_not(None))
    return MailRow.state == state


def unsent_mails(connection: Connection, most: int) -> list[dict[str, Any]]:
    """The mails that nobody has taken, longest ago first: those that wait, and those that were given up."""
    query = select(
        MailRow.id,
        MailRow.created_at.label("at"),
        MailRow.recipient.label("to"),
        MailRow.subject,
        MailRow.state,
        MailRow.attempts,
        MailRow.next_attempt_at,
        MailRow.last_error.label("error"),
    )
    meant = query.where(_NOT_GONE).order_by(MailRow.id).limit(most)
    return [dict(row._mapping) for row in connection.execute(meant)]  # noqa: SLF001 - as below


def given_up_mails(connection: Connection) -> Sequence[int]:
    """The numbers of the mails that were given up and can still be sent, oldest first."""
    query = select(MailRow.id).where(MailRow.state == MailState.FAILED.value, MailRow.raw.is_not(None))
    return connection.scalars(query.order_by(MailRow.id)).all()


def retry_mails(
    connection: Connection, mails: Sequence[int], now: datetime, made_again: Mapping[int, bytes] | None = None
) -> list[int]:
    """Have mails handed over at once, and once more if they are old; return those whose bytes were still there.

    Args:
        connection: to write with.
        mails: their numbers.
        now: the moment.
        made_again: the bytes of those that had been sent and came back.
    """
    came_back = and_(MailRow.state == MailState.BOUNCED.value, MailRow.packed.is_not(None))
    for mail, raw in (made_again or {}).items():
        connection.execute(update(MailRow).where(MailRow.id == mail, came_back).values(raw=raw, packed=None))
    anew = {
        "state": MailState.WAITING.value,
        "attempts": 0,
        "next_attempt_at": now,
        "finished_at": None,
        "last_error": None,
    }
    return change(connection, MailRow, _MAY_GO, mails, anew)


def drop_mails(connection: Connection, mails: Sequence[int], now: datetime) -> list[int]:
    """Forget mails that were not handed over; return those that were waiting, or given up."""
    values = {"state": MailState.DROPPED.value, "raw": None, "finished_at": now, "lease_until": None}
    dropped = change(connection, MailRow, _NOT_GONE, mails, values)
    forget_sent(connection, dropped)
    return dropped


def suppressed_addresses(connection: Connection, most: int) -> list[dict[str, Any]]:
    """The addresses that nothing is mailed to, longest ago first."""
    query = (
        select(
            AddressRow.address,
            PlayerRow.userid,
            AddressRow.suppressed_at.label("since"),
            AddressRow.suppressed_why.label("why"),
        )
        .join(PlayerRow, PlayerRow.id == AddressRow.player_id)
        .where(AddressRow.suppressed_at.is_not(None))
        .order_by(AddressRow.suppressed_at, AddressRow.address_key)
        .limit(most)
    )
    return [dict(row._mapping) for row in connection.execute(query)]  # noqa: SLF001 - SQLAlchemy's public name for it
