from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest
from sqlalchemy import Engine

from pbem.domain.players import Address, Standing
from pbem.domain.preferences import Preferences
from pbem.domain.ratings import Seen
from pbem.errors import Conflict
from pbem.ids import PlayerId
from pbem.storage.unit_of_work import UnitOfWork
from tests.storage.stock import ALICE, AT, BOB, CAROL, WON, board, played, player, stocked
from tests.storage.stock import work as unit_of_work


def test_a_player_comes_back_as_he_was_saved(engine: Engine) -> None:
    written = replace(player(7, "Zoë", "z@example.org", "a@example.org", confirmed=False), password_hash="hash")
    written = written.confirm("A@example.org", AT)
    with unit_of_work(engine) as uow:
        uow.players.save(written)
        uow.commit()
    with unit_of_work(engine) as uow:
        assert uow.players.get(PlayerId(7)) == replace(written, revision=1)


@pytest.mark.parametrize("chosen", [Preferences(), Preferences(mail="text", describe="on")], ids=str)
def test_what_a_player_has_chosen_comes_back(engine: Engine, chosen: Preferences) -> None:
    stocked(engine)
    with unit_of_work(engine) as uow:
        uow.players.save(replace(uow.players.get(BOB.id), preferences=chosen))
        uow.commit()
    with unit_of_work(engine) as uow:
        assert uow.players.get(BOB.id).preferences == chosen


def test_the_addresses_of_a_player_are_replaced(engine: Engine) -> None:
    stocked(engine)
    kept, new = Address("bob@work.example", AT), Address("new@example.org")
    with unit_of_work(engine) as uow:
        uow.players.save(replace(uow.players.get(BOB.id), addresses=(new, kept)))
        uow.commit()
    with unit_of_work(engine) as uow:
        assert uow.players.get(BOB.id) == replace(BOB, addresses=(new, kept), revision=2)
        assert not uow.players.by_confirmed_address("bob@example.org")


@pytest.mark.parametrize("spelling", ["Alice", "alice", "ALICE"])
def test_a_player_is_found_by_his_userid_however_it_is_spelled(engine: Engine, spelling: str) -> None:
    with unit_of_work(engine) as uow:
        assert uow.players.by_userid(spelling) is None
        uow.players.save(ALICE)
        unsaved = uow.players.by_userid(spelling)
        uow.commit()
    with unit_of_work(engine) as uow:
        stored = uow.players.by_userid(spelling)
    assert unsaved == ALICE
    assert stored == replace(ALICE, revision=1)


def test_an_address_finds_all_players_who_have_confirmed_it(engine: Engine) -> None:
    stocked(engine)
    shared = player(9, "shared", "BOB@example.org")
    unconfirmed = player(8, "thief", "bob@example.org", confirmed=False)

    def userids(uow: UnitOfWork) -> Sequence[str]:
        return [each.userid for each in uow.players.by_confirmed_address("bOb@example.org")]

    with unit_of_work(engine) as uow:
        assert userids(uow) == ["bob"]
        uow.players.save(shared)
        uow.players.save(unconfirmed)
        assert userids(uow) == ["bob", "shared"]
        uow.commit()
    with unit_of_work(engine) as uow:
        assert userids(uow) == ["bob", "shared"]
        uow.players.save(replace(uow.players.get(BOB.id), addresses=(Address("other@example.org", AT),)))
        assert userids(uow) == ["shared"]


def frozen(uow: UnitOfWork) -> None:
    uow.players.save(replace(uow.players.get(BOB.id), standing=Standing.FROZEN))


def held(uow: UnitOfWork) -> None:
    uow.players.hold(uow.players.get(BOB.id))


@pytest.mark.parametrize(("first", "second"), [(frozen, held), (held, frozen), (held, held)])
def test_who_is_held_does_not_change_unseen(
    engine: Engine, first: Callable[[UnitOfWork], None], second: Callable[[UnitOfWork], None]
) -> None:
    stocked(engine)
    with unit_of_work(engine) as slow, unit_of_work(engine) as quick:
        second(slow)
        first(quick)
        quick.commit()
        with pytest.raises(Conflict):
            slow.commit()
    with unit_of_work(engine) as uow:
        assert uow.players.get(BOB.id).revision == 2
        held(uow)
        frozen(uow)
        uow.commit()
    with unit_of_work(engine) as uow:
        assert uow.players.get(BOB.id).revision == 3


def test_what_was_only_tried_holds_nobody(engine: Engine) -> None:
    stocked(engine)
    with unit_of_work(engine) as uow:
        with uow.rehearsal():
            held(uow)
        uow.commit()
    with unit_of_work(engine) as uow:
        assert uow.players.get(BOB.id).revision == 1


def test_several_are_read_in_the_order_in_which_they_are_asked_for(engine: Engine) -> None:
    stocked(engine)
    with unit_of_work(engine) as uow:
        assert uow.players.get_all([]) == []
        uow.players.save(replace(uow.players.get(CAROL.id), mail_stopped=True))
        found = uow.players.get_all(each.id for each in (CAROL, BOB, ALICE, BOB))
        assert [each.userid for each in found] == ["carol", "bob", "Alice", "bob"]
        assert found[0].mail_stopped
        assert all(uow.players.get(each.id) is each for each in found)


def test_a_pace_is_noted_without_a_change_of_the_player(engine: Engine) -> None:
    stocked(engine)
    with unit_of_work(engine) as uow, unit_of_work(engine) as other:
        other.players.save(replace(other.players.get(ALICE.id), mail_stopped=True))
        with uow.rehearsal():
            uow.players.moves_at(BOB.id, timedelta(days=1))
        uow.players.moves_at(ALICE.id, timedelta(days=1))
        other.commit()
        uow.commit()
    with unit_of_work(engine) as uow:
        assert uow.players.get(ALICE.id) == replace(ALICE, pace=timedelta(days=1), mail_stopped=True, revision=2)
        assert uow.players.get(BOB.id).pace is None


def test_a_day_is_noted_on_which_a_player_was_heard_of(engine: Engine) -> None:
    stocked(engine, played(board(101, ALICE, BOB), *WON), board(102, ALICE, ALICE))
    days = [date(2026, 3, 2), date(2026, 3, 1), date(2026, 3, 3)]
    for day in days:
        with unit_of_work(engine) as uow:
            alice = uow.players.get(ALICE.id)
            uow.players.seen(alice, day)
            uow.commit()
    with unit_of_work(engine) as uow:
        assert uow.players.get(ALICE.id) == replace(ALICE, seen_on=days[2], revision=1)
        assert uow.rankings.seen(days[1], 5) == [Seen("Alice", days[2], 1, 1)]
        assert uow.rankings.seen(date(2026, 3, 4), 5) == []


def test_who_is_seen_may_be_changed_by_somebody_else_at_the_same_time(engine: Engine) -> None:
    stocked(engine)
    with unit_of_work(engine) as first, unit_of_work(engine) as second:
        first.players.seen(first.players.get(ALICE.id), AT.date())
        second.players.save(replace(second.players.get(ALICE.id), mail_stopped=True))
        second.commit()
        first.commit()
    with unit_of_work(engine) as uow:
        assert uow.players.get(ALICE.id) == replace(ALICE, seen_on=AT.date(), mail_stopped=True, revision=2)
