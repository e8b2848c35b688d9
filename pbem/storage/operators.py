"""Operators: what they did, and the lists they look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    ScalarSelect,
    String,
    bindparam,
    delete,
    distinct,
    exists,
    func,
    insert,
    or_,
    select,
    type_coerce,
)

from pbem.domain.administration import AuditEntry
from pbem.domain.boards import Board
from pbem.domain.credentials import OPERATOR_LINK_FOR, OPERATOR_SESSION_FOR
from pbem.domain.players import Player, Standing, address_key
from pbem.ids import PlayerId
from pbem.storage.board_rows import read_boards
from pbem.storage.counters import COUNTED
from pbem.storage.engine import reading, writing
from pbem.storage.models import (
    AddressRow,
    BoardRow,
    DeedRow,
    EventRow,
    LetterRow,
    MailRow,
    OperatorKeyRow,
    PlayedRow,
    PlayerRow,
    RatingChangeRow,
    SeatRow,
    TallyRow,
)
from pbem.storage.players import IS_HERE

_LINK, _SESSION = "link", "session"


def add_link(connection: Connection, secret_hash: str, operator: str, now: datetime) -> None:
    """Let a link with a secret of this hash open the page once; ``operator`` is the account that asked for it."""
    connection.execute(delete(OperatorKeyRow).where(OperatorKeyRow.expires_at <= now))
    _add(connection, secret_hash, _LINK, operator, now, OPERATOR_LINK_FOR)


class OperatorKeys:
    """Links and sessions.

    Args:
        engine: of the database.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def is_link(self, secret_hash: str, now: datetime) -> bool:
        """Return True if a link would still open the page."""
        return self._who(_good(secret_hash, _LINK, now)) is not None

    def who(self, secret_hash: str, now: datetime) -> str | None:
        """The account whose session it is; None: there is no such session, or no more."""
        return self._who(_good(secret_hash, _SESSION, now))

    def begin(self, link: str, session: str, now: datetime) -> bool:
        """Turn a link into a session; False if it is not good, or somebody else has just used it."""
        with writing(self._engine) as connection:
            taken = connection.execute(
                delete(OperatorKeyRow).where(_good(link, _LINK, now)).returning(OperatorKeyRow.operator)
            )
            operator = taken.scalar_one_or_none()
            if operator is not None:
                _add(connection, session, _SESSION, operator, now, OPERATOR_SESSION_FOR)
        return operator is not None

    def end(self, session: str) -> None:
        """End a session."""
        with writing(self._engine) as connection:
            ended = (OperatorKeyRow.secret_hash == session) & (OperatorKeyRow.kind == _SESSION)
            connection.execute(delete(OperatorKeyRow).where(ended))

    def _who(self, which: ColumnElement[bool]) -> str | None:
        with reading(self._engine) as connection:
            return connection.scalar(select(OperatorKeyRow.operator).where(which))


def _good(secret_hash: str, kind: str, now: datetime) -> ColumnElement[bool]:
    key = OperatorKeyRow
    return (key.secret_hash == secret_hash) & (key.kind == kind) & (key.expires_at > now)


def _add(connection: Connection, secret_hash: str, kind: str, operator: str, now: datetime, lasts: timedelta) -> None:
    values = {"kind": kind, "operator": operator, "began_at": now, "expires_at": now + lasts}
    connection.execute(insert(OperatorKeyRow).values(secret_hash=secret_hash, **values))


def note_deed(connection: Connection, deed: AuditEntry) -> None:
    """Note a deed, within the transaction that carries it out."""
    connection.execute(
        insert(DeedRow).values(
            at=deed.at, operator=deed.operator, deed=deed.deed, subject=deed.subject, reason=deed.reason
        )
    )


def last_deeds(connection: Connection, most: int) -> Sequence[AuditEntry]:
    """The last entries, newest first."""
    rows = connection.execute(select(*DeedRow.__table__.c).order_by(DeedRow.id.desc()).limit(most))
    return [AuditEntry(row.at, row.operator, row.deed, row.subject, row.reason) for row in rows]


def player_rows(connection: Connection, text: str, standing: Standing | None, most: int) -> list[dict[str, Any]]:
    """Players whose userid or address holds a text, by userid: how they stand, and how many boards they have."""
    query = (
        select(
            PlayerRow.userid,
            PlayerRow.standing,
            PlayerRow.mail_stopped,
            PlayerRow.created_at,
            _confirmed_addresses().label("confirmed"),
            _active_boards().label("boards"),
        )
        .order_by(PlayerRow.userid_key)
        .limit(most)
    )
    if standing is not None:
        query = query.where(PlayerRow.standing == standing.value)
    if text:
        theirs = select(AddressRow.player_id).where(AddressRow.address_key.contains(address_key(text), autoescape=True))
        query = query.where(PlayerRow.userid_key.contains(text.casefold(), autoescape=True) | PlayerRow.id.in_(theirs))
    return [dict(row._mapping) for row in connection.execute(query)]  # noqa: SLF001 - SQLAlchemy's public name for it


def _confirmed_addresses() -> ScalarSelect[int]:
    mine = (AddressRow.player_id == PlayerRow.id) & AddressRow.confirmed_at.is_not(None)
    return select(func.count()).select_from(AddressRow).where(mine).correlate(PlayerRow).scalar_subquery()


def _active_boards() -> ScalarSelect[int]:
    mine = (SeatRow.player_id == PlayerRow.id) & SeatRow.active
    return select(func.count(SeatRow.board_number.distinct())).where(mine).correlate(PlayerRow).scalar_subquery()


class WantedBoards(NamedTuple):
    """Which boards an operator asks for."""

    game: str | None = None
    player: PlayerId | None = None
    idle_since: datetime | None = None
    """Those where anything has happened from then on are left out."""
    also_finished: bool = False


def listed_boards(connection: Connection, wanted: WantedBoards, most: int) -> list[dict[str, Any]]:
    """Boards, those first where nothing has happened for longest.

    No position is made and no moment is read by the database's driver, so a board that is damaged hides no other.
    """
    last_at = func.coalesce(EventRow.at, BoardRow.begun_at)
    is_last = (EventRow.board_number == BoardRow.number) & (EventRow.number == BoardRow.event_number)
    boards = select(
        BoardRow.number.label("board"),
        BoardRow.game,
        BoardRow.to_act,
        BoardRow.active,
        BoardRow.ending,
        last_at.label("last_at"),
        ((BoardRow.event_number > 0) & EventRow.number.is_(None)).label("lacks_event"),
    ).join(EventRow, is_last, isouter=True)
    if wanted.game is not None:
        boards = boards.where(BoardRow.game == wanted.game)
    if wanted.player is not None:
        theirs = select(SeatRow.board_number).where(SeatRow.player_id == wanted.player)
        boards = boards.where(BoardRow.number.in_(theirs))
    if wanted.idle_since is not None:
        boards = boards.where(last_at < wanted.idle_since)
    if not wanted.also_finished:
        boards = boards.where(BoardRow.active)
    few = boards.order_by(last_at, BoardRow.number).limit(most).subquery()
    columns = [each for each in few.c if each.name != "last_at"]
    seats = (
        select(*columns, type_coerce(few.c.last_at, String).label("last_at"), SeatRow.seat, PlayerRow.userid)
        .join(SeatRow, SeatRow.board_number == few.c.board, isouter=True)
        .join(PlayerRow, PlayerRow.id == SeatRow.player_id, isouter=True)
        .order_by(few.c.last_at, few.c.board, SeatRow.seat)
    )
    return [_listed(list(rows)) for _, rows in groupby(connection.execute(seats), lambda row: row.board)]


def _listed(seats: Sequence[Row[*tuple[Any, ...]]]) -> dict[str, Any]:
    """One board of a list, of the rows of its seats."""
    board = seats[0]
    userids = {each.seat: each.userid for each in seats if each.userid is not None}
    trouble = [] if userids else ["it has no players"]
    if board.lacks_event:
        trouble.append("its last event is missing")
    try:
        last_at = _moment(board.last_at)
    except (TypeError, ValueError):
        last_at = None
        trouble.append("the time of its last event cannot be read")
    return {
        "board": board.board,
        "game": board.game,
        "players": list(userids.values()),
        "to_act": userids.get(board.to_act) if board.active else None,
        "last_at": last_at,
        "ending": None if board.active else board.ending,
        "trouble": "; ".join(trouble),
    }


def _moment(stored: str | datetime) -> datetime:
    """A moment as the database has it; SQLite has text."""
    moment = stored if isinstance(stored, datetime) else datetime.fromisoformat(stored)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def mailable_players(connection: Connection, after: PlayerId, most: int, *, playing: bool) -> list[PlayerId]:
    """The next players with a confirmed address, in the order of their ids: for mails to everybody, in batches.

    Args:
        connection: to read with.
        after: the last one of the batch before, or 0.
        most: how many.
        playing: only those with an active board.
    """
    confirmed = select(AddressRow.player_id).where(AddressRow.confirmed_at.is_not(None))
    query = select(PlayerRow.id).where(PlayerRow.id > after, PlayerRow.id.in_(confirmed), IS_HERE)
    if playing:
        query = query.where(PlayerRow.id.in_(select(SeatRow.player_id).where(SeatRow.active)))
    return [PlayerId(each) for each in connection.scalars(query.order_by(PlayerRow.id).limit(most))]


def mailed_keys(connection: Connection, keys: Sequence[str]) -> set[str]:
    """Which of these keys mails in the outbox have."""
    return set(connection.scalars(select(MailRow.key).where(MailRow.key.in_(keys))))


def last_letters(connection: Connection, player: Player, most: int) -> list[dict[str, Any]]:
    """The last letters from a player's addresses, newest first."""
    mine = func.lower(LetterRow.sender).in_([address_key(each.address) for each in player.addresses])
    query = (
        select(LetterRow.id, LetterRow.received_at, LetterRow.sender, LetterRow.state, LetterRow.last_error)
        .where(mine)
        .order_by(LetterRow.id.desc())
        .limit(most)
    )
    return [dict(row._mapping) for row in connection.execute(query)]  # noqa: SLF001


def last_mails(connection: Connection, player: PlayerId, most: int) -> list[dict[str, Any]]:
    """The last mails to a player, newest first."""
    query = (
        select(MailRow.id, MailRow.created_at, MailRow.recipient, MailRow.subject, MailRow.state, MailRow.last_error)
        .where(MailRow.player_id == player)
        .order_by(MailRow.id.desc())
        .limit(most)
    )
    return [dict(row._mapping) for row in connection.execute(query)]  # noqa: SLF001


_AT_ONCE = 100
"""Boards that are read at one moment."""
_NUMBERS = select(BoardRow.number).where(BoardRow.number > bindparam("last")).order_by(BoardRow.number).limit(_AT_ONCE)
_HAS_CHANGED_RATINGS = exists().where(
    RatingChangeRow.board_number == BoardRow.number, RatingChangeRow.undone_at.is_(None)
)
_KEPT = (
    select(
        BoardRow.event_number,
        BoardRow.to_act,
        BoardRow.active,
        BoardRow.ending,
        BoardRow.winners,
        BoardRow.finished_at,
        _HAS_CHANGED_RATINGS.label("has_changed_ratings"),
    )
    .where(BoardRow.number == bindparam("board"))
    .limit(1)
)
_OF_SEATS = (
    select(SeatRow.active, SeatRow.finished_at).where(SeatRow.board_number == bindparam("board")).order_by(SeatRow.seat)
)
_COUNT = func.count(distinct(BoardRow.number))
_BOARDS_OF = (
    select(SeatRow.player_id, BoardRow.game, BoardRow.active, _COUNT)
    .join(BoardRow, BoardRow.number == SeatRow.board_number)
    .where(COUNTED)
    .group_by(SeatRow.player_id, BoardRow.game, BoardRow.active)
)
_BOARDS_IN = select(BoardRow.game, BoardRow.active, _COUNT).where(COUNTED).group_by(BoardRow.game, BoardRow.active)
_COUNTED_OF = select(PlayedRow.player_id, PlayedRow.game, PlayedRow.active, PlayedRow.finished)
_COUNTED_IN = select(
    TallyRow.game, func.sum(TallyRow.active), func.sum(TallyRow.finished), func.sum(TallyRow.players)
).group_by(TallyRow.game)
_PLAYERS_IN = (
    select(PlayedRow.game, func.count())
    .where(or_(PlayedRow.active > 0, PlayedRow.finished > 0))
    .group_by(PlayedRow.game)
)


class Summary(NamedTuple):
    """The state of a board, as it is kept beside its events."""

    event_number: int
    to_act: int | None
    active: bool
    ending: str | None
    winners: tuple[int, ...] | None
    finished_at: datetime | None


class Kept(NamedTuple):
    """A board, and what is kept beside its events."""

    board: Board
    summary: Summary
    seats: tuple[tuple[bool, datetime | None], ...]
    """By seat: whether its board is on, and when it ended."""
    has_changed_ratings: bool
    """It has changed ratings, and that was not taken back."""


class UnreadableBoard(NamedTuple):
    """A board of which something is stored that nobody would have written."""

    number: int
    why: Exception


def count_boards(engine: Engine) -> int:
    """The number of boards."""
    with reading(engine) as connection:
        return connection.scalars(select(func.count()).select_from(BoardRow)).one()


def each_board(engine: Engine) -> Iterator[Kept | UnreadableBoard]:
    """Every board, lowest number first; some are read at a time, so that nobody has to wait."""
    last = 0
    while True:
        with reading(engine) as connection:
            numbers = connection.scalars(_NUMBERS, {"last": last}).all()
            kept = [_kept(connection, number) for number in numbers]
        yield from kept
        if not numbers:
            return
        last = numbers[-1]


def _kept(connection: Connection, number: int) -> Kept | UnreadableBoard:
    try:
        row = connection.execute(_KEPT, {"board": number}).one()
        seats = connection.execute(_OF_SEATS, {"board": number})
        (stored,) = read_boards(connection, [number])
        winners = None if row.winners is None else tuple(row.winners)
        summary = Summary(row.event_number, row.to_act, row.active, row.ending, winners, row.finished_at)
        ended = tuple((each.active, each.finished_at) for each in seats)
    except (AttributeError, LookupError, TypeError, ValueError) as failed:
        return UnreadableBoard(number, failed)
    return Kept(stored.board, summary, ended, row.has_changed_ratings)


def miscounted(engine: Engine) -> list[str]:
    """The games, and the players in games, whose boards are others than were counted as they began and ended."""
    with reading(engine) as connection:
        return sorted(_wrong(_games(connection)) | _wrong(_players(connection)))


def _wrong(counts: tuple[Counter[Any], Counter[Any]]) -> set[str]:
    counted, found = counts
    return {" ".join(map(str, key[:-1])) for key in counted.keys() | found.keys() if counted[key] != found[key]}


def _games(connection: Connection) -> tuple[Counter[Any], Counter[Any]]:
    counted, found = Counter[Any](), Counter[Any]()
    for game, active, finished, players in connection.execute(_COUNTED_IN):
        counted.update({(game, True): active, (game, False): finished, (game, "players"): players})
    for game, active, count in connection.execute(_BOARDS_IN):
        found[game, bool(active)] = count
    for game, count in connection.execute(_PLAYERS_IN):
        found[game, "players"] = count
    return counted, found


def _players(connection: Connection) -> tuple[Counter[Any], Counter[Any]]:
    counted, found = Counter[Any](), Counter[Any]()
    for player, game, active, finished in connection.execute(_COUNTED_OF):
        counted.update({("player", player, game, True): active, ("player", player, game, False): finished})
    for player, game, active, count in connection.execute(_BOARDS_OF):
        found["player", player, game, bool(active)] = count
    return counted, found
