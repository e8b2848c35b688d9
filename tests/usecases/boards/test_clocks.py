"""Reminders and forfeits when clocks are due, with a real database and made-up time."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from pbem import folder
from pbem.bootstrap import find_games
from pbem.commands.accounts import EndVacation, SetPreferences, TakeVacation
from pbem.domain.clocks import ClockRules
from pbem.domain.events import EventKind, OfferKind
from pbem.domain.game_state import BoardEnding
from pbem.domain.mails import Notice
from pbem.domain.vacations import VACATION
from pbem.usecases.preferences import NotOnVacation
from pbem.wording.templates import Wording
from tests.support.handlers import HandlerFixture, told

WORDING = Wording(folder("templates"), {"server_address": "pbem@localhost"}, find_games())
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
OPENING = ("move f3-f5", "move d9-c8", "move d3-c2", "move d7-b7", "lay f5>f6")
"""After this the second of two has to decide something."""


def fact(notices: list[Notice], name: str) -> object:
    (notice,) = notices
    return notice.facts[name]


def strike_daily(handlers: HandlerFixture, days: int) -> list[list[Notice]]:
    """The notices of so many days, looking every hour."""
    found = []
    for _ in range(24 * days):
        handlers.waits(HOUR)
        if notices := handlers.strikes():
            found.append(notices)
    return found


def test_who_does_not_move_is_nagged_after_a_week_and_daily_and_loses_at_the_moment_that_was_named(
    handlers: HandlerFixture,
) -> None:
    handlers.challenges("ann", "ben")
    for userid, line in zip(("ann", "ben", "ann"), OPENING, strict=False):
        handlers.moves(userid, line)
    since = handlers.now
    *nags, over = strike_daily(handlers, 22)
    assert [told(each) for each in nags] == [{"ben": "nag"}] * 14
    assert {fact(each, "ends_at") for each in nags} == {since + 21 * DAY}
    assert told(over) == {"ann": "board", "ben": "board"}
    assert handlers.course.result is not None
    assert (handlers.course.result.ending, handlers.course.result.by) == (BoardEnding.FORFEITED, 1)
    assert handlers.course.result.by_clock
    assert handlers.course.result.winners == (0,)
    assert abs(handlers.board.last_at - since - 21 * DAY) <= HOUR
    assert strike_daily(handlers, 40) == []


def test_a_move_begins_a_new_wait(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    assert len(strike_daily(handlers, 10)) == 4
    handlers.moves("ann", OPENING[0])
    assert strike_daily(handlers, 6) == []
    assert told(strike_daily(handlers, 1)[0]) == {"ben": "nag"}
    handlers.moves("ben", OPENING[1])
    assert strike_daily(handlers, 6) == []


def test_who_is_asked_to_decide_is_the_one_whose_clock_runs(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    for number, line in enumerate(OPENING):
        handlers.moves(("ann", "ben")[number % 2], line)
    assert handlers.to_act == "ben"
    assert handlers.position.decision is not None
    *nags, over = strike_daily(handlers, 22)
    assert [told(each) for each in nags] == [{"ben": "nag"}] * 14
    assert told(over) == {"ann": "board", "ben": "board"}
    assert handlers.course.result is not None
    assert handlers.course.result.winners == (0,)


def test_where_three_play_the_others_go_on_and_the_next_has_his_full_time(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat")
    for userid, line in zip(("ann", "ben", "cat"), ("move c4-e4", "move d8-c9", "move i6-i5"), strict=True):
        handlers.moves(userid, line)
    *_, over = strike_daily(handlers, 21)
    assert set(told(over)) == {"ann", "ben", "cat"}
    assert handlers.course.result is None
    assert handlers.to_act == "ben"
    assert strike_daily(handlers, 6) == []
    assert told(strike_daily(handlers, 1)[0]) == {"ben": "nag"}


def test_a_resignation_that_waits_is_carried_out_when_a_forfeit_makes_it_the_turn(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat")
    for userid, line in zip(("ann", "ben", "cat"), ("move c4-e4", "move d8-c9", "move i6-i5"), strict=True):
        handlers.moves(userid, line)
    handlers.resigns("ben")
    strike_daily(handlers, 22)
    assert handlers.course.result is not None
    assert handlers.course.result.winners == (2,)


def test_who_never_came_counts_as_having_declined(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    strike_daily(handlers, 22)
    assert handlers.course.result is not None
    assert handlers.course.result.ending is BoardEnding.DECLINED


def test_who_has_moved_before_loses_a_game_that_counts(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    handlers.moves("ann", OPENING[0])
    handlers.moves("ben", OPENING[1])
    strike_daily(handlers, 22)
    assert handlers.course.result is not None
    assert handlers.board.may_count


def test_after_a_long_sleep_nobody_loses_before_he_is_told(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    handlers.waits(60 * DAY)
    nag = handlers.strikes()
    assert told(nag) == {"ann": "nag"}
    assert fact(nag, "ends_at") == handlers.now + DAY
    assert strike_daily(handlers, 1)[-1][0].name == "declined"


def test_a_moment_that_was_slept_over_is_named_anew(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    strike_daily(handlers, 20)
    handlers.waits(5 * DAY)
    assert fact(handlers.strikes(), "ends_at") == handlers.now + DAY
    handlers.moves("ann", OPENING[0])
    assert handlers.course.result is None


def test_a_clock_that_was_ahead_makes_nobody_lose_unannounced(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    since = handlers.now
    handlers.waits(30 * DAY)
    assert fact(handlers.strikes(), "ends_at") == since + 31 * DAY
    handlers.waits(-30 * DAY)
    handlers.looks_again()
    assert handlers.strikes() == []
    assert handlers.board.nagged_at is None
    nags = strike_daily(handlers, 8)
    assert {fact(each, "ends_at") for each in nags} == {since + 21 * DAY}
    assert handlers.course.result is None


def test_on_vacation_nobody_is_nagged_and_the_rest_of_the_time_is_there_afterwards(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    strike_daily(handlers, 8)
    handlers.asks("ann", TakeVacation((handlers.now + 20 * DAY).date()))
    (pause,) = handlers.board.pauses
    assert pause.why == VACATION
    assert strike_daily(handlers, 20) == []
    back = strike_daily(handlers, 2)
    assert told(back[0]) == {"ann": "nag"}
    assert pause.ended_at is not None
    assert fact(back[0], "ends_at") == handlers.board.begun_at + 21 * DAY + (pause.ended_at - pause.began_at)


def test_the_vacation_of_an_opponent_stands_for_nobody_else(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    handlers.asks("ben", TakeVacation((handlers.now + 20 * DAY).date()))
    assert len(strike_daily(handlers, 8)) == 2


def test_who_is_back_early_is_told_at_once_what_is_left(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    strike_daily(handlers, 8)
    handlers.asks("ann", TakeVacation((handlers.now + 20 * DAY).date()))
    assert strike_daily(handlers, 5) == []
    handlers.asks("ann", EndVacation())
    left = handlers.board.begun_at + 26 * DAY
    assert abs(fact(handlers.strikes(), "ends_at") - left) < HOUR  # type: ignore[operator]
    with pytest.raises(NotOnVacation):
        handlers.asks("ann", EndVacation())


def test_a_board_that_begins_on_a_vacation_knows_of_it_and_so_does_one_that_was_longer_on(
    handlers: HandlerFixture,
) -> None:
    handlers.asks("ben", TakeVacation((handlers.now + 5 * DAY).date()))
    handlers.challenges("ann", "ben")
    assert [(each.player, each.why) for each in handlers.board.away_at(handlers.now)] == [(2, VACATION)]
    handlers.asks("ben", TakeVacation((handlers.now + 9 * DAY).date()))
    (pause,) = handlers.board.pauses
    assert pause.ended_at is not None
    assert pause.ended_at.date() == (handlers.now + 10 * DAY).date()
    handlers.moves("ann", OPENING[0])
    assert strike_daily(handlers, 16) == []
    assert told(strike_daily(handlers, 1)[0]) == {"ben": "nag"}


def test_a_vacation_is_told_with_what_is_left(handlers: HandlerFixture) -> None:
    notices = handlers.asks("ann", TakeVacation(date(2026, 3, 10)))
    assert told(notices) == {"ann": "vacation"}
    assert fact(notices, "left") == 30
    assert fact(notices, "last_day") == date(2026, 3, 10)


def test_total_time_is_told_before_it_is_used_up_and_then_the_game_is_lost(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    handlers.has_clock(ClockRules(total=10 * DAY, is_own=True))
    handlers.waits(6 * DAY)
    handlers.moves("ann", OPENING[0])
    handlers.waits(2 * DAY)
    handlers.moves("ben", OPENING[1])
    since = handlers.now
    *nags, over = strike_daily(handlers, 5)
    used = timedelta(days=6, minutes=2)  # from the challenge on
    assert [told(each) for each in nags] == [{"ann": "nag"}]
    assert abs(fact(nags[0], "ends_at") - (since + 10 * DAY - used)) < HOUR  # type: ignore[operator]
    assert told(over) == {"ann": "board", "ben": "board"}
    assert handlers.course.result is not None
    assert handlers.course.result.winners == (1,)


def offered(handlers: HandlerFixture, kind: OfferKind) -> None:
    """Let Ann offer something where it is for Ben to act."""
    handlers.challenges("ann", "ben")
    for userid, line in zip(("ann", "ben", "ann"), OPENING, strict=False):
        handlers.moves(userid, line)
    record = {"of": kind.value} | ({"back_to": 2} if kind is OfferKind.UNDO else {})
    handlers.happens(EventKind.OFFER, 0, record)


def test_a_draw_that_nobody_refuses_is_agreed_upon_after_the_forfeit_time(handlers: HandlerFixture) -> None:
    offered(handlers, OfferKind.DRAW)
    since = handlers.now
    *nags, over = strike_daily(handlers, 22)
    assert [told(each) for each in nags] == [{"ben": "nag"}] * 14
    assert {fact(each, "ends_at") for each in nags} == {since + 21 * DAY}
    assert told(over) == {"ann": "board", "ben": "board"}
    assert handlers.course.result is not None
    assert (handlers.course.result.ending, handlers.course.result.by_clock) == (BoardEnding.DRAWN, True)


def test_a_request_to_take_back_lapses_and_then_the_clock_of_the_turn_goes_on(handlers: HandlerFixture) -> None:
    offered(handlers, OfferKind.UNDO)
    since = handlers.now
    *nags, lapsed = strike_daily(handlers, 21)
    assert [told(each) for each in nags] == [{"ben": "nag"}] * 14
    assert told(lapsed) == {"ann": "board", "ben": "board"}
    assert handlers.course.offer is None
    assert handlers.course.result is None
    assert not handlers.board.stands
    ended = handlers.now
    nags = strike_daily(handlers, 8)
    assert fact(nags[0], "ends_at") == handlers.board.events[2].at + 21 * DAY + (ended - since)


def test_an_offer_lets_the_clock_of_the_turn_stand_and_a_refusal_run_on(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    handlers.moves("ann", OPENING[0])
    assert len(strike_daily(handlers, 9)) == 3
    handlers.happens(EventKind.OFFER, 0, {"of": "draw"})
    assert strike_daily(handlers, 6) == []
    handlers.happens(EventKind.REFUSAL, 1)
    told_anew = handlers.strikes()
    assert told(told_anew) == {"ben": "nag"}
    assert fact(told_anew, "ends_at") == handlers.board.events[0].at + 27 * DAY


def test_an_offer_that_is_taken_back_gives_nobody_more_time_than_it_took(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    for userid, line in zip(("ann", "ben", "ann"), OPENING, strict=False):
        handlers.moves(userid, line)
    since = handlers.board.last_at
    strike_daily(handlers, 20)
    handlers.waits(23 * HOUR)
    for kind in ("draw", "undo"):
        handlers.happens(EventKind.OFFER, 0, {"of": kind} | ({"back_to": 2} if kind == "undo" else {}))
        handlers.waits(HOUR / 10)
        handlers.happens(EventKind.REFUSAL, 0)
    stood = sum(((each.ended_at or each.began_at) - each.began_at for each in handlers.board.pauses), timedelta(0))
    assert fact(handlers.strikes(), "ends_at") == since + 21 * DAY + stood
    assert stood < HOUR
    assert told(strike_daily(handlers, 1)[-1]) == {"ann": "board", "ben": "board"}
    assert handlers.board.last_at - since < 21 * DAY + 3 * HOUR


def test_reminders_of_an_offer_leave_alone_what_was_announced_to_who_is_to_act(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    handlers.moves("ann", OPENING[0])
    since = handlers.board.last_at
    strike_daily(handlers, 20)
    handlers.happens(EventKind.OFFER, 0, {"of": "draw"})
    offered = handlers.board.last_at
    assert len(strike_daily(handlers, 10)) == 4
    handlers.happens(EventKind.REFUSAL, 1)
    assert fact(handlers.strikes(), "ends_at") == since + 21 * DAY + (handlers.board.last_at - offered)


def test_who_has_to_answer_and_is_on_vacation_is_not_nagged_and_nothing_is_taken_for_granted(
    handlers: HandlerFixture,
) -> None:
    offered(handlers, OfferKind.DRAW)
    handlers.asks("ben", TakeVacation((handlers.now + 29 * DAY).date()))
    assert strike_daily(handlers, 29) == []
    assert handlers.course.offer is not None


@pytest.mark.parametrize(("total", "heard"), [(20 * DAY, {"ann": "board"}), (HOUR, {"ann": "board", "ben": "board"})])
def test_who_wants_one_mail_a_day_is_told_at_once_when_that_may_be_too_late(
    handlers: HandlerFixture, total: timedelta, heard: dict[str, str]
) -> None:
    handlers.challenges("ann", "ben")
    handlers.moves("ann", OPENING[0])
    handlers.waits(5 * HOUR / 6)
    handlers.moves("ben", OPENING[1])
    handlers.asks("ben", SetPreferences((("digest", "daily"),)))
    handlers.has_clock(ClockRules(total=total, is_own=True))
    assert told(handlers.moves("ann", OPENING[2])) == heard


def test_a_challenge_that_is_not_answered_lapses_unrated_after_the_time_of_the_server(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", options="inorder forfeittime=10m")
    handlers.moves("ann", OPENING[0])
    since = handlers.now
    *nags, over = strike_daily(handlers, 22)
    assert [told(each) for each in nags] == [{"ben": "nag"}] * 14
    assert {fact(each, "ends_at") for each in nags} == {since + 21 * DAY}
    assert told(over) == {"ann": "declined", "ben": "declined"}
    assert handlers.course.result is not None
    assert (handlers.course.result.ending, handlers.course.result.by_clock) == (BoardEnding.DECLINED, True)
    with handlers.work() as uow:
        assert [uow.ratings.of(each, "mamba").games for each in handlers.board.players] == [0, 0]
        assert not uow.boards.of_players(handlers.board.players, "inactive", None, 9)


def test_after_the_first_move_a_short_clock_is_as_short_as_it_was_agreed_upon(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", options="inorder forfeittime=10m")
    for days, userid, line in ((5, "ann", OPENING[0]), (6, "ben", OPENING[1])):
        handlers.waits(days * DAY)
        handlers.moves(userid, line)
    handlers.waits(timedelta(minutes=6))
    assert told(handlers.strikes()) == {"ann": "nag"}
    handlers.waits(timedelta(minutes=6))
    assert told(handlers.strikes()) == {"ann": "board", "ben": "board"}
    assert handlers.course.result is not None
    assert (handlers.course.result.ending, handlers.course.result.winners) == (BoardEnding.FORFEITED, (1,))


def test_a_draw_offered_to_somebody_who_has_not_moved_is_not_agreed_upon_by_silence(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", options="inorder forfeittime=10m")
    handlers.moves("ann", OPENING[0])
    handlers.happens(EventKind.OFFER, 0, {"of": "draw"})
    *nags, over = strike_daily(handlers, 22)
    assert [told(each) for each in nags] == [{"ben": "nag"}] * 14
    assert told(over) == {"ann": "declined", "ben": "declined"}


def test_where_three_play_the_others_go_on_without_one_who_never_moves_and_no_forfeit_is_counted(
    handlers: HandlerFixture,
) -> None:
    handlers.challenges("ann", "ben", "cat", options="inorder forfeittime=10m")
    handlers.moves("ann", "c4-e4")
    *_, gone = strike_daily(handlers, 22)
    assert told(gone) == {"ann": "board", "ben": "board", "cat": "board"}
    assert handlers.course.result is None
    assert handlers.to_act == "cat"
    *_, over = strike_daily(handlers, 22)
    assert told(over) == {"ann": "board", "ben": "board", "cat": "board"}
    assert handlers.course.result is not None
    assert handlers.course.result.winners == (0,)
    assert not handlers.board.may_count
    with handlers.work() as uow:
        assert [uow.rankings.reliability(each).forfeits for each in handlers.board.players] == [0, 0, 0]


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ("ben", "Whoever takes more than 21 days for it declines the challenge."),
        ("ben cat", "If somebody takes more than 21 days for it, the others go on without them."),
    ],
)
def test_who_is_challenged_reads_when_a_short_clock_starts_and_what_silence_comes_to(
    handlers: HandlerFixture, others: str, said: str
) -> None:
    notices = handlers.challenges("ann", *others.split(), options="inorder forfeittime=10m")
    until = "It starts for each player with their first move."
    for notice in notices:
        assert f"{until} {said}" in " ".join(WORDING.render(notice).body.split())
