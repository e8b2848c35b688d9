"""Boards: games between players, who hold its seats; append-only lists of numbered events.

The position is what the rules make of the events. It is never stored as the only
copy; `pbem.domain.game_state.follow` makes it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import blake2s
from typing import Any

from pbem.domain.clocks import ClockRules
from pbem.domain.events import LEAVING, TALK, Event, EventKind
from pbem.domain.players import Vacation
from pbem.domain.vacations import OFFER, ROBOT, VACATION, Pause
from pbem.games.game import Seat, TurnRecord
from pbem.games.plans import Branch, has_conditions, one_line, tree
from pbem.ids import BoardNumber, PlayerId, TournamentId


@dataclass(frozen=True, slots=True)
class Plan:
    """Moves that are made by themselves when their player's turn comes: a queued one is a plan of one branch."""

    branches: tuple[Branch, ...]
    moveno: int | None = None
    """The move that the reply is meant to be; None: that of any turn."""
    event: int = 0
    """The number of the board's last event when it was made: conditions begin with what came then."""

    @property
    def queued(self) -> str:
        """The move that is made whatever is played; empty if it is a plan, even one for any move."""
        first, *others = self.branches
        return "" if first.condition or first.branches or others else first.reply

    @property
    def stamp(self) -> str:
        """A short text that another plan hardly ever has."""
        return blake2s(f"{self.moveno} {one_line(self.branches)}".encode(), digest_size=8).hexdigest()

    @property
    def lines(self) -> Sequence[str]:
        """The plan as it is drawn."""
        return (self.queued,) if self.queued else tuple(tree(self.branches))


@dataclass(frozen=True, slots=True)
class SubmittedMove:
    """A move that waits for its player to confirm it."""

    text: str = field(repr=False)
    event: int
    """The number of the board's last event when it was submitted: in a newer position it is none."""

    def fits(self, board: Board) -> bool:
        """Return True if it can still be confirmed: the game has not changed, whatever was said meanwhile."""
        return self.event >= board.changed_by


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """The holder of a seat."""

    player: PlayerId
    userid: str
    resigning: bool = False
    """Has announced, out of turn, to resign when the turn comes."""
    quiet: bool = False
    """Wants mail of this board only when they have to act, and at the end."""
    plan: Plan | None = None
    """Nobody else ever sees it."""
    submitted: SubmittedMove | None = None
    """Likewise."""
    dropped: Sequence[str] = field(default=(), repr=False)
    """The lines of a plan that fitted no longer, until its player moves or plans anew; likewise."""

    def with_plan(self, plan: Plan | None) -> SeatHolder:
        """The same with another plan, or with none because its player wants none or has followed it."""
        return replace(self, plan=plan, dropped=())

    def with_plan_dropped(self) -> SeatHolder:
        """The same with no move that is yet to be made, since nothing planned fits the game as it is now."""
        return replace(self, plan=None, submitted=None, dropped=self.dropped if self.plan is None else self.plan.lines)

    def without_plans(self) -> SeatHolder:
        """The same with no move that is yet to be made."""
        return replace(self, plan=None, submitted=None, dropped=())

    def at_the_end(self) -> SeatHolder:
        """The same when the game is over: a plan with conditions is kept, and can be shown to the others."""
        plan = self.plan if self.plan is not None and has_conditions(self.plan.branches) else None
        return replace(self.without_plans(), plan=plan)


@dataclass(frozen=True, slots=True)
class TournamentPlace:
    """The place of a board within a tournament."""

    tournament: TournamentId
    name: str
    """Of the tournament."""
    round: int
    label: str
    """``A1``: the pool, and a number within it."""


@dataclass(frozen=True, slots=True)
class Board:
    """One game between players, by number."""

    number: BoardNumber
    game: str
    options: Mapping[str, Any]
    rules: int
    first: Seat
    seats: tuple[SeatHolder, ...]
    begun_at: datetime
    events: tuple[Event, ...] = ()
    rated: bool = True
    """Its result could count; that of an imported game does not. See `may_count`."""
    pauses: tuple[Pause, ...] = ()
    """The times in which its clocks stood."""
    clock: ClockRules = ClockRules()
    nagged_at: datetime | None = None
    """The last reminder to the player to act; None since the turn has changed."""
    forfeit_at: datetime | None = None
    """The moment named in that reminder: before it, nobody forfeits."""
    answer_nagged_at: datetime | None = None
    """The last reminder to answer the open offer; meanwhile the clock of the turn stands."""
    answer_by: datetime | None = None
    """The moment named in that reminder."""
    pair: BoardNumber | None = None
    """The board that the same players play with the sides swapped."""
    tournament: TournamentPlace | None = None
    of_guest: bool = False
    """A guest plays there: it is on no list, counts for nobody, and goes with the guest."""
    revision: int = 0
    """The number of times that the board was written; storage refuses a write that is based on an older one."""

    def seats_of(self, player: PlayerId) -> tuple[Seat, ...]:
        """The seats that a player holds; two in a game against oneself."""
        return tuple(seat for seat, holder in enumerate(self.seats) if holder.player == player)

    def with_event(self, kind: EventKind, seat: Seat, at: datetime, record: TurnRecord | None = None) -> Board:
        """The board after one more event; its clocks no longer wait for a player who has left.

        While an offer is open they stand.
        """
        event = Event(len(self.events) + 1, kind, seat, at, record)
        after = replace(self, events=(*self.events, event))
        player = self.seats[seat].player
        is_gone = kind in LEAVING and all(each in after.left for each in after.seats_of(player))
        after = after.with_pauses_ended(player, at) if is_gone else after
        if kind is EventKind.OFFER:
            return after.with_pause(player, OFFER, at)
        if kind is EventKind.CONSENT:
            return after
        return replace(after.with_pauses_ended(None, at, OFFER), answer_nagged_at=None, answer_by=None)

    def without_nags_after(self, now: datetime) -> Board:
        """The board without the nags that are from the future: the clock was ahead when they were sent."""
        board = self
        if board.nagged_at is not None and board.nagged_at > now:
            board = replace(board, nagged_at=None, forfeit_at=None)
        if board.answer_nagged_at is not None and board.answer_nagged_at > now:
            board = replace(board, answer_nagged_at=None, answer_by=None)
        return board

    def with_decline(self, player: PlayerId, at: datetime, *, restarts: bool, by: TurnRecord | None = None) -> Board:
        """The board after a player has left it; if it ``restarts``, those who stay have closed ranks.

        The first player is not drawn again: the same one begins, or else the next player clockwise. ``by`` is
        `BY_OPERATOR` or `BY_CLOCK`, if it was not the player's own decision.
        """
        record = dict(by) if isinstance(by, dict) else {}
        declined = self.with_event(EventKind.DECLINE, self.seats_of(player)[0], at, record or None)
        declined = declined.with_pauses_ended(player, at)
        if not restarts:
            return declined
        staying = self.staying_without(player)
        first = min(staying, key=lambda seat: (seat - self.first) % len(self.seats))
        seats = tuple(replace(self.seats[seat].with_plan_dropped(), resigning=False) for seat in staying)
        restart = replace(declined.events[-1], record={"players": [holder.userid for holder in seats], **record})
        return replace(declined, events=(*self.events, restart), seats=seats, first=staying.index(first))

    def staying_without(self, player: PlayerId) -> tuple[Seat, ...]:
        """The seats of those who would go on without a player; players who have left the game do not come back."""
        staying = (seat for seat, holder in enumerate(self.seats) if holder.player != player)
        left = self.left
        return tuple(seat for seat in staying if seat not in left)

    def with_handover(self, seat: Seat, taker: SeatHolder, at: datetime) -> Board:
        """The board after a seat has got another holder; the position stays as it is."""
        record = {"from": self.seats[seat].userid, "to": taker.userid}
        seats = (*self.seats[:seat], taker, *self.seats[seat + 1 :])
        return replace(self.with_event(EventKind.HANDOVER, seat, at, record), seats=seats)

    def with_pause(self, player: PlayerId, why: str, at: datetime, most: timedelta | None = None) -> Board:
        """The board with its clocks stopped because of a player; the same if they already are for this reason.

        Args:
            player: the player on whose account they stop.
            why: see `Pause`.
            at: the beginning.
            most: the limit for this player and reason at this board, all times together; None: no limit.
        """
        earlier = [each for each in self.pauses if (each.player, each.why) == (player, why)]
        if any(each.ended_at is None for each in earlier):
            return self
        if most is None:
            return replace(self, pauses=(*self.pauses, Pause(player, at, why)))
        left = most - sum((each.ended_at - each.began_at for each in earlier if each.ended_at), timedelta(0))
        if left <= timedelta(0):
            return self
        return replace(self, pauses=(*self.pauses, Pause(player, at, why, ends_by=at + left)))

    def overdue_pauses(self, now: datetime) -> tuple[Pause, ...]:
        """The pauses that last although their time is up."""
        return tuple(each for each in self.stands if each.ends_by is not None and each.ends_by <= now)

    def with_overdue_pauses_ended(self, now: datetime) -> Board:
        """The board with its clocks running again where they have stood for as long as they may."""
        overdue = self.overdue_pauses(now)
        pauses = tuple(replace(each, ended_at=each.ends_by) if each in overdue else each for each in self.pauses)
        return replace(self, pauses=pauses) if overdue else self

    def with_pauses_ended(self, player: PlayerId | None, at: datetime, why: str | None = None) -> Board:
        """The board with its clocks no longer stopped because of a player (None: anyone), for this reason or any."""
        pauses = tuple(
            replace(each, ended_at=at)
            if each.ended_at is None and player in (None, each.player) and why in (None, each.why)
            else each
            for each in self.pauses
        )
        return self if pauses == self.pauses else replace(self, pauses=pauses)

    def with_vacation(self, player: PlayerId, vacation: Vacation) -> Board:
        """The board with a vacation of a player: one that begins, or ends at another moment than it was to."""
        pause = Pause(player, vacation.began_at, VACATION, vacation.ends_at)
        if pause in self.pauses:
            return self
        key = (player, vacation.began_at, VACATION)
        others = tuple(each for each in self.pauses if (each.player, each.began_at, each.why) != key)
        return replace(self, pauses=(*others, pause))

    def away_at(self, moment: datetime) -> tuple[Pause, ...]:
        """The vacations of its players that are under way."""
        own = (each for each in self.pauses if each.why == VACATION and each.player in self.players)
        return tuple(each for each in own if each.ended_at and each.began_at <= moment < each.ended_at)

    @property
    def has_special_clock(self) -> bool:
        """Its clock is not the usual one, but its own or that of tournaments."""
        return self.clock.is_own or self.tournament is not None

    @property
    def stands(self) -> tuple[Pause, ...]:
        """Why its clocks stand now; empty while they run."""
        return tuple(each for each in self.pauses if each.ended_at is None and each.why != ROBOT)

    def with_resigning(self, seat: Seat, resigning: bool) -> Board:
        """The board with a seat's announced resignation set or taken back."""
        return self.with_holder(seat, replace(self.seats[seat], resigning=resigning))

    def with_holder(self, seat: Seat, holder: SeatHolder) -> Board:
        """The board with something else noted at a seat."""
        return replace(self, seats=(*self.seats[:seat], holder, *self.seats[seat + 1 :]))

    def with_plans_dropped(self) -> Board:
        """The board with no moves that are yet to be made, since the game has changed."""
        return replace(self, seats=tuple(holder.with_plan_dropped() for holder in self.seats))

    def without_plans(self) -> Board:
        """The board with no moves that are yet to be made."""
        return replace(self, seats=tuple(holder.without_plans() for holder in self.seats))

    def at_the_end(self) -> Board:
        """The board, which is over, with nothing at its seats that waits for a turn."""
        return replace(self, seats=tuple(holder.at_the_end() for holder in self.seats))

    def with_quiet(self, player: PlayerId, quiet: bool) -> Board:
        """The board with less mail for a player, or all of it again."""
        seats = (replace(each, quiet=quiet) if each.player == player else each for each in self.seats)
        return replace(self, seats=tuple(seats))

    @property
    def event_number(self) -> int:
        """The number of the last event; 0 at the start. Replies to an older one are overtaken."""
        return len(self.events)

    @property
    def changed_by(self) -> int:
        """The number of the last event that changed how the game stands, 0 if none has: more than talk."""
        return max((each.number for each in self.events if each.kind not in TALK), default=0)

    @property
    def last_at(self) -> datetime:
        """When the last thing happened here."""
        return self.events[-1].at if self.events else self.begun_at

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Everybody who holds a seat, each once, in the order of seats."""
        return tuple(dict.fromkeys(holder.player for holder in self.seats))

    @property
    def restarted(self) -> int:
        """The number of the event after which the game began anew with the players of now; 0 if it never did."""
        return max((each.number for each in self.events if each.begins_anew), default=0)

    @property
    def game_begun_at(self) -> datetime:
        """When the game under way began."""
        return self.events[self.restarted - 1].at if self.restarted else self.begun_at

    @property
    def played(self) -> tuple[Event, ...]:
        """The events of the game under way, of which the seats are those of now."""
        return self.events[self.restarted :]

    @property
    def in_force(self) -> tuple[Event, ...]:
        """The events of the game under way without those that were taken back; a seat stays handed over."""
        found = []
        number = len(self.events)
        for event in reversed(self.played):
            is_undo = event.kind is EventKind.UNDO and event.number == number
            if event.number == number or event.kind is EventKind.HANDOVER:
                found.append(event)
            number = event.back_to if is_undo else min(number, event.number - 1)
        return tuple(each for each in reversed(found) if each.kind is not EventKind.UNDO)

    @property
    def left(self) -> Mapping[Seat, EventKind]:
        """The seats whose players have left the game under way, and how."""
        return {event.seat: event.kind for event in self.played if event.kind in LEAVING}

    @property
    def may_count(self) -> bool:
        """Its result may be rated.

        Not if the players agreed otherwise, the game was imported, a player plays against themself, or a seat has
        changed hands; nor, outside of tournaments, if a player has forfeited without ever having made a move.
        """
        if not self.rated or len(self.players) < len(self.seats):
            return False
        if any(event.kind is EventKind.HANDOVER for event in self.played):
            return False
        forfeits = (seat for seat, how in self.left.items() if how is EventKind.FORFEIT)
        return self.tournament is not None or all(self.has_moved(seat) for seat in forfeits)

    def has_answered(self, player: PlayerId) -> bool:
        """Return True if a player has made a move in the current game, taken back or not; then its clock is theirs."""
        seats = self.seats_of(player)
        mine = [
            each for each in self.played if each.seat in seats and each.kind in (EventKind.MOVE, EventKind.HANDOVER)
        ]
        taken_over = {each.seat: each.number for each in mine if each.kind is EventKind.HANDOVER}
        return any(each.kind is EventKind.MOVE and each.number > taken_over.get(each.seat, 0) for each in mine)

    def clock_of(self, players: Collection[PlayerId]) -> ClockRules:
        """The clock while these players are waited for."""
        if self.clock.opening is None or self.tournament is not None or all(map(self.has_answered, players)):
            return self.clock
        return self.clock.opening

    def has_moved(self, seat: Seat) -> bool:
        """Return True if the holder of a seat has made a move there that has not been taken back.

        Moves from before a handover are not the new holder's.
        """
        mine = (event.kind for event in reversed(self.in_force) if event.seat == seat)
        return next((kind is EventKind.MOVE for kind in mine if kind in (EventKind.MOVE, EventKind.HANDOVER)), False)
