"""Records in and out of a database."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from pbem.bootstrap import find_games
from pbem.commands.userids import BadUserid
from pbem.domain.boards import Board
from pbem.domain.clocks import ClockRules
from pbem.domain.events import EventKind
from pbem.domain.game_state import follow
from pbem.domain.players import Standing
from pbem.domain.records import NotPlayed, record_of
from pbem.domain.vacations import Pause
from pbem.games.hextile.superbo import SUPERBO
from pbem.games.records import to_json
from pbem.ids import BoardNumber
from pbem.storage.models import BoardRow, MailRow, PlayerRow
from pbem.usecases.context import NoSuchGame, Policy
from pbem.usecases.imports import Imported, PlayersNotHere, SignupUnderWay, UnsoundRecord
from pbem.usecases.seats import CannotBeSeated
from pbem.usecases.understanding import NoSuchBoard, OtherGame
from pbem.workers.admin_session import Archive
from tests.games.hextile.playing import playthroughs
from tests.storage.stock import ALICE, AT, BOB, CAROL, MINUTE, OPENING, WON, board, played, player, rows, stocked, work
from tests.support.databases import engine_at, put_sqlite

LATER = AT + 600 * MINUTE
STARTED = board(101, ALICE, BOB)
IN_PLAY = played(board(102, CAROL, ALICE), *OPENING[:2])
OVER = played(board(103, BOB, ALICE), *WON)
RESIGNED = played(board(104, BOB, ALICE), *OPENING[:2]).with_event(EventKind.RESIGNATION, 0, AT)
DECLINED = board(105, CAROL, BOB).with_event(EventKind.DECLINE, 1, AT)
ALL = (STARTED, IN_PLAY, OVER, RESIGNED, DECLINED)
CLOCK = ClockRules(timedelta(days=3), timedelta(days=5))
POLICY = Policy("pbem@localhost", clock=CLOCK, unreachable_for=timedelta(days=3))


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    yield from _engine(database_url)


@pytest.fixture
def other_engine(tmp_path: Path) -> Iterator[Engine]:
    yield from _engine(put_sqlite(tmp_path / "other.db"))


@pytest.fixture
def small_engine(sqlite_url: str) -> Iterator[Engine]:
    """For what no database could do otherwise."""
    yield from _engine(sqlite_url)


def _engine(url: str) -> Iterator[Engine]:
    with engine_at(url) as engine:
        yield engine


def archive(engine: Engine) -> Archive:
    """The archive as a new process opens it."""
    return Archive(engine, find_games(), POLICY)


def records(engine: Engine) -> list[str]:
    return list(archive(engine).records())


def taken_in(engine: Engine, *lines: str) -> list[Imported]:
    """The results of records that one process imports."""
    one = archive(engine)
    return [one.take_in(line.encode(), LATER) for line in lines]


def line(stored: Board, *userids: str) -> str:
    """The record of a board, its players called otherwise."""
    holders = tuple(
        replace(holder, userid=userid) for holder, userid in zip(stored.seats, userids or ("Alice", "bob"), strict=True)
    )
    stored = replace(stored, seats=holders)
    return json.dumps(to_json(record_of(stored, follow(stored, SUPERBO))))


def test_what_was_exported_and_imported_is_exported_alike(engine: Engine, other_engine: Engine) -> None:
    stocked(engine, *ALL)
    exported = records(engine)
    assert len(exported) == len(ALL) - 1
    stocked(other_engine)
    imported = taken_in(other_engine, *exported)
    assert [each.board.number for each in imported] == [101, 102, 103, 104]
    assert all(each.is_new and not each.opened for each in imported)
    assert records(other_engine) == exported


def test_every_recorded_game_makes_its_way_through_an_empty_database(small_engine: Engine) -> None:
    given = [recorded["record"] for name in ("lambo", "mambo", "palago") for recorded in playthroughs(name)[:4]]
    taken_in(small_engine, *map(json.dumps, given))
    exported = [json.loads(each) for each in records(small_engine)]
    assert [without_result(each) for each in exported] == [{**each, "rules": 1, "first": 0} for each in given]


def without_result(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != "result"}


def test_an_imported_board_has_happened_now_and_is_not_rated(engine: Engine) -> None:
    stocked(engine, STARTED)
    (imported,) = taken_in(engine, line(OVER))
    with work(engine) as uow:
        found = uow.boards.find(BoardNumber(102))
        native = uow.boards.find(BoardNumber(101))
    assert found is not None
    assert native is not None
    assert found.events == imported.board.events
    assert {found.begun_at, *(event.at for event in found.events)} == {LATER}
    assert (found.rated, native.rated) == (False, True)
    assert rows(engine, MailRow) == 0


def test_a_game_that_is_on_goes_on_by_the_clock_of_this_server(engine: Engine) -> None:
    stocked(engine)
    (imported,) = taken_in(engine, line(IN_PLAY, "Alice", "bob"))
    with work(engine) as uow:
        found = uow.boards.find(imported.board.number)
    assert found is not None
    assert found.clock == CLOCK
    assert not found.has_special_clock


def test_an_import_can_be_repeated(engine: Engine) -> None:
    stocked(engine)
    lines = [line(OVER), line(RESIGNED), line(IN_PLAY)]
    taken_in(engine, lines[0])
    assert [each.is_new for each in taken_in(engine, *lines)] == [False, True, True]
    assert [each.is_new for each in taken_in(engine, *lines)] == [False, False, False]
    assert rows(engine, BoardRow) == 3


def test_two_equal_games_are_two_boards_however_often_they_are_imported(small_engine: Engine) -> None:
    stocked(small_engine, replace(IN_PLAY, number=BoardNumber(101), seats=STARTED.seats))
    twice = [line(IN_PLAY), line(IN_PLAY)]
    assert [each.is_new for each in taken_in(small_engine, *twice)] == [False, True]
    assert [each.is_new for each in taken_in(small_engine, *twice)] == [False, False]
    assert [each.board.number for each in taken_in(small_engine, *twice, twice[0])] == [101, 102, 103]


def test_a_game_without_a_turn_is_known_again_only_if_it_was_imported(small_engine: Engine) -> None:
    stocked(small_engine, STARTED)
    twice = [line(STARTED), line(STARTED)]
    assert [each.is_new for each in taken_in(small_engine, *twice)] == [True, True]
    assert [each.board.number for each in taken_in(small_engine, *twice, twice[0])] == [102, 103, 104]


def test_a_game_that_went_on_after_its_import_is_not_imported_again(small_engine: Engine) -> None:
    stocked(small_engine)
    begun = line(played(STARTED, *OPENING[:1]))
    (imported,) = taken_in(small_engine, begun)
    with work(small_engine) as uow:
        found = uow.boards.find(imported.board.number)
        assert found is not None
        uow.boards.save(replace(found, events=played(STARTED, *OPENING[:2]).events))
        uow.commit()
    again, other = taken_in(small_engine, begun, line(STARTED))
    assert (again.is_new, again.goes_on, again.board.number) == (False, True, imported.board.number)
    assert (other.is_new, other.goes_on) == (True, False)


@pytest.mark.parametrize("over", [OVER, RESIGNED])
def test_a_game_that_is_on_is_not_taken_for_one_that_is_over(small_engine: Engine, over: Board) -> None:
    stocked(small_engine)
    taken_in(small_engine, line(over))
    begun = [line(replace(over, events=over.events[:count])) for count in (0, 1, 2)]
    assert [each.is_new for each in taken_in(small_engine, *begun)] == [True, True, True]
    assert [(each.is_new, each.goes_on) for each in taken_in(small_engine, *begun)] == [(False, False)] * 3


def test_a_game_begun_here_is_not_taken_for_one_that_goes_otherwise(small_engine: Engine) -> None:
    stocked(small_engine, played(STARTED, *OPENING[:2]))
    others = [line(played(STARTED, *OPENING[:1])), line(played(STARTED, *WON[:2])), line(OVER, "bob", "Alice")]
    assert all(each.is_new for each in taken_in(small_engine, *others))


def test_declined_challenges_are_no_games_that_are_here(small_engine: Engine) -> None:
    stocked(small_engine, DECLINED)
    (imported,) = taken_in(small_engine, line(board(1, CAROL, BOB), "carol", "bob"))
    assert imported.is_new


def test_unknown_players_of_a_finished_game_get_accounts_that_nobody_can_use(engine: Engine) -> None:
    stocked(engine)
    imported = taken_in(engine, line(OVER, "Zoe", "bob"), line(RESIGNED, "zoe", "Yves"))
    assert [each.opened for each in imported] == [("Zoe",), ("Yves",)]
    with work(engine) as uow:
        zoe = uow.players.by_userid("zoe")
        assert zoe is not None
        assert zoe.is_placeholder
        assert (zoe.userid, zoe.password_hash, zoe.confirmed) == ("Zoe", None, ())
        assert [holder.userid for holder in imported[1].board.seats] == ["Zoe", "Yves"]
    assert rows(engine, PlayerRow) == 5


def test_both_seats_may_be_held_by_one_player(small_engine: Engine) -> None:
    (imported,) = taken_in(small_engine, line(OVER, "zoe", "Zoe"))
    assert imported.opened == ("zoe",)
    assert {holder.userid for holder in imported.board.seats} == {"zoe"}


@pytest.mark.parametrize("userids", [("Alice", "zoe"), ("zoe", "yves"), ("Alice", "dave")])
def test_a_game_that_is_on_needs_players_who_can_go_on(small_engine: Engine, userids: tuple[str, str]) -> None:
    stocked(small_engine)
    with work(small_engine) as uow:
        uow.players.save(player(4, "dave", confirmed=False))
        uow.commit()
    with pytest.raises(PlayersNotHere) as refused:
        taken_in(small_engine, line(IN_PLAY, *userids))
    assert refused.value.facts["userids"] == tuple(each for each in userids if each != "Alice")
    assert rows(small_engine, BoardRow) == 0
    assert rows(small_engine, PlayerRow) == 4


@pytest.mark.parametrize("standing", [Standing.FROZEN, Standing.BANNED])
def test_a_game_that_is_on_needs_players_whom_the_operator_lets_play(small_engine: Engine, standing: Standing) -> None:
    stocked(small_engine)
    with work(small_engine) as uow:
        uow.players.save(replace(uow.players.get(BOB.id), standing=standing))
        uow.commit()
    with pytest.raises(CannotBeSeated) as refused:
        taken_in(small_engine, line(IN_PLAY, "Alice", "bob"))
    assert refused.value.facts == {"userid": "bob", "bar": standing.value}
    assert rows(small_engine, BoardRow) == 0
    taken_in(small_engine, line(OVER, "Alice", "bob"))


def test_the_clocks_of_a_game_that_is_on_stand_from_the_first_for_whom_no_mail_reaches(small_engine: Engine) -> None:
    stocked(small_engine)
    with work(small_engine) as uow:
        uow.players.save(replace(uow.players.get(BOB.id), mail_stopped=True))
        uow.commit()
    running, over = taken_in(small_engine, line(IN_PLAY, "Alice", "bob"), line(OVER, "Alice", "bob"))
    with work(small_engine) as uow:
        stored = uow.boards.find(running.board.number)
    assert stored is not None
    assert stored.pauses == running.board.pauses == (Pause(BOB.id, LATER, "mail stopped"),)
    assert over.board.pauses == ()


def test_the_clocks_of_a_game_that_is_on_stand_for_as_long_as_the_operator_says_where_mails_come_back(
    small_engine: Engine,
) -> None:
    stocked(small_engine)
    with work(small_engine) as uow:
        bob = uow.players.get(BOB.id)
        for each in bob.addresses:
            bob = bob.suppress(each.address, AT, "no such mailbox")
        uow.players.save(bob)
        uow.commit()
    (running,) = taken_in(small_engine, line(IN_PLAY, "Alice", "bob"))
    assert running.board.pauses == (Pause(BOB.id, LATER, "unreachable", ends_by=LATER + POLICY.unreachable_for),)


def test_a_userid_whose_signup_is_under_way_is_nobodys_yet(small_engine: Engine) -> None:
    stocked(small_engine)
    with work(small_engine) as uow:
        uow.players.save(player(4, "dave", confirmed=False))
        uow.commit()
    with pytest.raises(SignupUnderWay):
        taken_in(small_engine, line(OVER, "zoe", "dave"))
    assert rows(small_engine, PlayerRow) == 4


@pytest.mark.parametrize("userid", ["operator", "swap", "17", "a b", "superbo", "\u00e4", "x" * 33, "a1"])
def test_a_word_that_is_no_userid_is_refused(small_engine: Engine, userid: str) -> None:
    with pytest.raises(BadUserid):
        taken_in(small_engine, line(OVER, "zoe", userid))
    assert rows(small_engine, PlayerRow) == 0


def test_an_unsound_record_is_refused_with_its_turn(small_engine: Engine) -> None:
    record = json.loads(line(OVER))
    record["turns"].append({"seat": 0, "event": "resign"})
    with pytest.raises(UnsoundRecord) as refused:
        taken_in(small_engine, json.dumps(record))
    assert refused.value.facts["turn"] == 6
    with pytest.raises(NoSuchGame):
        taken_in(small_engine, json.dumps(record | {"game": "chess"}))
    assert rows(small_engine, BoardRow) == 0


def test_a_record_that_is_refused_does_not_hold_up_the_next(small_engine: Engine) -> None:
    one = archive(small_engine)
    with pytest.raises(PlayersNotHere):
        one.take_in(line(IN_PLAY, "zoe", "yves").encode(), LATER)
    assert one.take_in(line(OVER, "zoe", "yves").encode(), LATER).opened == ("zoe", "yves")


def test_a_number_that_a_server_takes_meanwhile_is_not_used(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    stocked(engine)
    one = archive(engine)
    real = one._unit_of_work
    waiting = [STARTED]

    def rival() -> Any:
        uow = real()
        commit = uow.commit

        def later(*also: Any) -> None:
            if waiting:
                with work(engine) as other:
                    other.boards.save(waiting.pop())
                    other.commit()
            commit(*also)

        monkeypatch.setattr(uow, "commit", later)
        return uow

    monkeypatch.setattr(one, "_unit_of_work", rival)
    assert one.take_in(line(OVER).encode(), LATER).board.number == 102
    assert rows(engine, BoardRow) == 2


def test_one_board_is_exported_by_its_number(small_engine: Engine) -> None:
    stocked(small_engine, *ALL)
    one = archive(small_engine)
    assert one.record(OVER.number) == one.record(OVER.number, "superbo") == records(small_engine)[2]
    with pytest.raises(NoSuchBoard):
        one.record(BoardNumber(999))
    with pytest.raises(OtherGame):
        one.record(OVER.number, "mambo")
    with pytest.raises(NotPlayed):
        one.record(DECLINED.number)


def test_the_boards_of_one_game_are_exported_alone(small_engine: Engine) -> None:
    stocked(small_engine, *ALL)
    taken_in(small_engine, json.dumps(playthroughs("mambo")[0]["record"]))
    one = archive(small_engine)
    assert [json.loads(each)["game"] for each in one.records("mambo")] == ["mambo"]
    assert len(list(one.records("superbo"))) == 4
    assert list(one.records("palago")) == []


def test_more_boards_than_are_read_at_once_are_all_exported_in_order(small_engine: Engine) -> None:
    many = [replace(STARTED, number=BoardNumber(number)) for number in range(101, 331)]
    stocked(small_engine, *reversed(many))
    with work(small_engine) as uow:
        assert [each.number for each in uow.boards.each()] == list(range(101, 331))
    assert len(records(small_engine)) == len(many)


def test_a_challenge_that_is_not_rated_is_not_taken_for_an_imported_game(small_engine: Engine) -> None:
    unrated = replace(IN_PLAY, rated=False)
    stocked(small_engine, unrated)
    shorter = played(board(102, CAROL, ALICE), *OPENING[:1])
    (imported,) = taken_in(small_engine, line(shorter, "carol", "Alice"))
    assert imported.is_new
    (again,) = taken_in(small_engine, line(shorter, "carol", "Alice"))
    assert (again.is_new, again.board.number) == (False, imported.board.number)
