"""Retention: deleting what is old, settling mails that came back, and replaying every stored board as a check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import Any

import structlog
from sqlalchemy import Connection, Engine

from pbem.commands.internal import GiveMailUp
from pbem.domain.boards import Board
from pbem.domain.events import EventKind
from pbem.domain.game_state import GameState, begin, follow
from pbem.domain.letters import OutgoingMail
from pbem.domain.mails import Notice
from pbem.executor import CommandExecutor
from pbem.games.game import Game
from pbem.storage.board_rows import seat_values
from pbem.storage.guests import GUESTS_AT_ONCE, forget_guests
from pbem.storage.operators import Kept, Summary, UnreadableBoard, count_boards, each_board
from pbem.storage.outbox import DueMail, Outbox
from pbem.storage.upkeep import AT_ONCE, forget, forgettable
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import dispatch

log = structlog.get_logger()


class Retention:
    """Forgets what has been kept for long enough, a few rows at a time, so that no letter waits for it.

    Args:
        engine: the database.
        keep_mail: how long the bytes of mails are kept.
        keep_traces: how long it is kept that letters came and mails went.
        tell: stores mails that tell the operator which letters were forgotten that nobody has looked after.
        clock: tells the time.
    """

    def __init__(
        self,
        engine: Engine,
        keep_mail: timedelta,
        keep_traces: timedelta,
        tell: Callable[[Connection, Sequence[int], datetime], None] = lambda _connection, _letters, _now: None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._engine = engine
        self._keep_mail = keep_mail
        self._keep_traces = keep_traces
        self._tell = tell
        self._clock = clock
        self._ending = Event()

    def end_soon(self) -> None:
        """Begin no further transaction."""
        self._ending.set()

    def step(self) -> bool:
        """Forget some of each kind; False if nothing more is to be forgotten now."""
        some = self._some()
        return some.pop("guests") >= GUESTS_AT_ONCE or any(count >= AT_ONCE for count in some.values())

    def tidy(self) -> dict[str, int]:
        """Forget all that is to be forgotten; return how much of each kind that was."""
        forgotten: Counter[str] = Counter()
        while True:
            some = self._some()
            forgotten.update(some)
            if not any(some.values()):
                return dict(forgotten)

    def _some(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for what in forgettable(self._clock(), self._keep_mail, self._keep_traces):
            tell = self._told if what.is_told else None
            counts[what.name] = 0 if self._ending.is_set() else forget(self._engine, what, tell=tell)
        counts["guests"] = 0 if self._ending.is_set() else forget_guests(self._engine, self._clock())
        gone = {name: count for name, count in counts.items() if count}
        if gone:
            log.info("forgotten", **gone)
        return counts

    def _told(self, connection: Connection, letters: list[int]) -> None:
        """Tell of letters that were set aside and are forgotten now."""
        log.warning("letters set aside were forgotten", letters=letters)
        self._tell(connection, letters, self._clock())


class Returns:
    """Notes the consequences for a player of a mail that was not taken, together with the mail.

    Args:
        executor: writes the results.
        outbox: where the mails are.
    """

    def __init__(self, executor: CommandExecutor, outbox: Outbox) -> None:
        self._executor = executor
        self._outbox = outbox

    def give_up(
        self, mail: DueMail, reason: str, now: datetime, told: Sequence[OutgoingMail], *, of_recipient: bool
    ) -> None:
        """Give a mail to a player up.

        Args:
            mail: the mail.
            reason: what the relay said.
            now: the moment.
            told: the mails that say so, if nobody can say that it is because of its recipient.
            of_recipient: whether the relay refused it because of whom it is for.

        Raises:
            TooManyConflicts: somebody else was always quicker.
        """
        command = GiveMailUp(mail.id, reason, of_recipient)

        def decide(context: Context) -> dict[str, list[Notice]]:
            return {f"returned-{mail.id}-{now:%Y%m%d%H%M%S}": dispatch(command, context)}

        notices = self._executor.retry_on_conflict(
            decide, lambda connection: self._outbox.give_up(connection, mail, reason, now, told), mail=mail.id
        )
        log.info("mail came back", mail=mail.key, number=mail.id, notices=[notice.name for notice in notices])


def differences(engine: Engine, games: Mapping[str, Game[Any, Any]], told: Callable[[int, int], None]) -> Iterator[str]:
    """The differences of boards from what their events say, a sentence for each faulty one.

    Args:
        engine: of the database; servers may go on writing to it.
        games: that are here.
        told: the number of boards checked, and of all.
    """
    total = count_boards(engine)
    for done, kept in enumerate(each_board(engine), start=1):
        if isinstance(kept, UnreadableBoard):
            yield f"board {kept.number}: cannot be read ({type(kept.why).__name__})"
        elif wrong := "; ".join(_faults(kept, games)):
            yield f"board {kept.board.number}: {wrong}"
        told(done, max(done, total))


def _faults(kept: Kept, games: Mapping[str, Game[Any, Any]]) -> Iterator[str]:
    board = kept.board
    yield from _misplaced(kept)
    numbers = [event.number for event in board.events]
    if numbers != list(range(1, len(numbers) + 1)):
        gap = next(place for place, number in enumerate(numbers, start=1) if number != place)
        yield f"event {gap} is missing"
    elif board.game not in games:
        yield f"there is no game {board.game} here"
    elif not 1 <= board.rules <= (newest := games[board.game].rules):
        yield f"rules is {board.rules}, known are those up to {newest}"
    else:
        yield from _played_through(kept, board, games[board.game])


def _misplaced(kept: Kept) -> Iterator[str]:
    """The faults in a board's place and in its counting."""
    place = kept.board.tournament
    if place is not None and not place.name:
        yield f"there is no tournament {place.tournament}"
    if not kept.board.rated and (place is not None or kept.has_changed_ratings):
        yield f"it is not rated, but {'of a tournament' if place else 'has changed ratings'}"


def _played_through(kept: Kept, board: Board, game: Game[Any, Any]) -> Iterator[str]:
    try:
        course = follow(board, game)
    except Exception as failed:  # noqa: BLE001 - whatever the rules run into with events that they have never written
        yield f"event {_unplayable(board, game)} cannot be played ({type(failed).__name__})"
        return
    yield from _unseated(board, course)
    summary = _summary(board, course)
    for name, stored, found in zip(Summary._fields, kept.summary, summary, strict=True):
        if stored != found:
            yield f"{name} is {_said(stored)}, by its events {_said(found)}"
    seats = tuple((row["active"], row["finished_at"]) for row in seat_values(board, summary.finished_at))
    if kept.seats != seats:
        yield f"its seats are not {'active' if summary.active else f'over since {summary.finished_at}'}"


def _unseated(board: Board, course: GameState) -> Iterator[str]:
    """The first event by a seat that there is not, or by one that was not to move."""
    for event, to_act in zip(board.played, course.waited_for, strict=True):
        if not 0 <= event.seat < len(board.seats):
            yield f"event {event.number} is by seat {event.seat}, which nobody holds"
            return
        if event.kind is EventKind.MOVE and event.seat != to_act:
            yield f"event {event.number} is by seat {event.seat}, while {_said(to_act)} was to act"
            return


def _summary(board: Board, course: GameState) -> Summary:
    result = course.result
    if result is None:
        return Summary(board.event_number, course.to_act, True, None, None, None)
    winners = tuple(result.winners)
    return Summary(board.event_number, course.to_act, False, result.ending.value, winners, board.last_at)


def _unplayable(board: Board, game: Game[Any, Any]) -> int:
    """The number of the first event that cannot be played; 0: the game cannot even begin so."""
    try:
        begin(board, game)
    except Exception:  # noqa: BLE001 - as above
        return 0
    for number in range(board.restarted + 1, board.event_number + 1):
        try:
            follow(replace(board, events=board.events[:number]), game)
        except Exception:  # noqa: BLE001 - as above
            return number
    return board.event_number


def _said(value: object) -> str:
    return "none" if value is None else str(value)
