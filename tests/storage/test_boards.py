from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import Engine, text, update
from structlog.testing import capture_logs

from pbem.commands.command import Which
from pbem.domain.boards import Board
from pbem.domain.events import EventKind
from pbem.domain.players import Lookalikes, Player, fingerprint
from pbem.domain.watches import FIRST, ListPart
from pbem.errors import Conflict
from pbem.games.hextile.superbo import SUPERBO
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.engine import writing
from pbem.storage.models import BoardRow
from pbem.storage.unit_of_work import UnitOfWork
from tests.games.mamba.playing import playthroughs
from tests.storage.stock import ALICE, AT, BOB, CAROL, MINUTE, OPENING, WON, board, played, stocked
from tests.storage.stock import work as unit_of_work
from tests.support.databases import engine_at

STARTED = board(101, ALICE, BOB)
IN_PLAY = played(board(102, ALICE, BOB), *OPENING[:1])
OVER = played(board(103, BOB, ALICE), *WON)
OF_OTHERS = board(104, CAROL, BOB)
ALONE = board(105, ALICE, ALICE)
ALL = (STARTED, IN_PLAY, OVER, OF_OTHERS, ALONE)


def stored_boards(engine: Engine) -> dict[int, Board]:
    with unit_of_work(engine) as uow:
        return {each.number: each for each in uow.boards.of_players(None, "all", None, 100)}


@pytest.mark.parametrize("written", ALL, ids=lambda written: str(written.number))
def test_a_board_comes_back_as_it_was_saved(engine: Engine, written: Board) -> None:
    stocked(engine, written)
    with unit_of_work(engine) as uow:
        found = uow.boards.find(written.number)
    assert found == replace(written, revision=1)


def test_events_are_added_to_a_board_and_none_is_written_twice(engine: Engine) -> None:
    stocked(engine, STARTED)
    whole = played(STARTED, *OPENING)
    for number in range(1, len(whole.events) + 1):
        with unit_of_work(engine) as uow:
            found = uow.boards.find(STARTED.number)
            assert found is not None
            assert found.events == whole.events[: number - 1]
            uow.boards.save(replace(found, events=whole.events[:number]))
            uow.commit()
    assert stored_boards(engine)[101] == replace(whole, revision=1 + len(whole.events))


def test_several_events_in_one_unit_of_work_are_all_written(engine: Engine) -> None:
    stocked(engine, STARTED)
    whole = played(STARTED, *OPENING)
    with unit_of_work(engine) as uow:
        found = uow.boards.find(STARTED.number)
        assert found is not None
        uow.boards.save(replace(found, events=whole.events[:1]))
        between = uow.boards.find(STARTED.number)
        assert between is not None
        assert between.event_number == 1
        uow.boards.save(replace(between, events=whole.events))
        uow.commit()
    assert stored_boards(engine)[101].events == whole.events


def test_an_announced_resignation_is_written_and_taken_back(engine: Engine) -> None:
    stocked(engine, IN_PLAY)
    for resigning in (True, False):
        with unit_of_work(engine) as uow:
            found = uow.boards.find(IN_PLAY.number)
            assert found is not None
            uow.boards.save(found.with_resigning(0, resigning))
            uow.commit()
        assert [holder.resigning for holder in stored_boards(engine)[102].seats] == [resigning, False]


def test_players_of_a_board_are_known_by_the_userids_they_have(engine: Engine) -> None:
    stocked(engine, STARTED)
    assert [holder.userid for holder in stored_boards(engine)[101].seats] == ["Alice", "bob"]


def test_a_board_that_nobody_began_is_not_found(engine: Engine) -> None:
    with unit_of_work(engine) as uow:
        assert uow.boards.find(BoardNumber(101)) is None


def test_boards_are_numbered_from_101_in_the_order_they_are_begun(engine: Engine) -> None:
    stocked(engine)
    with unit_of_work(engine) as uow:
        for number in (101, 102):
            assert uow.boards.next_number() == number
            uow.boards.save(board(uow.boards.next_number(), ALICE, BOB))
        uow.commit()
    with unit_of_work(engine) as uow:
        assert uow.boards.next_number() == 103


def _all_stored(_engine: Engine, uow: UnitOfWork) -> UnitOfWork:
    return uow


def _changed_in_this_unit_of_work(engine: Engine, uow: UnitOfWork) -> UnitOfWork:
    """The same boards as in the other case, one of them changed from another state and one new."""
    del engine
    found = uow.boards.find(OVER.number)
    assert found is not None
    uow.boards.save(replace(found, events=OVER.events))
    uow.boards.save(OF_OTHERS)
    return uow


@pytest.fixture(params=["stored", "unsaved changes"])
def looking(engine: Engine, request: pytest.FixtureRequest) -> Callable[[], UnitOfWork]:
    """A unit of work that sees the boards of `ALL`: all of them stored, or some of them not yet."""
    if request.param == "stored":
        stocked(engine, *ALL)
        return lambda: _all_stored(engine, unit_of_work(engine))
    stocked(engine, STARTED, IN_PLAY, replace(OVER, events=OVER.events[:-1]), ALONE)
    return lambda: _changed_in_this_unit_of_work(engine, unit_of_work(engine))


@pytest.mark.parametrize(
    ("whose", "which", "numbers"),
    [
        ([ALICE], "all", [101, 102, 103, 105]),
        ([ALICE], "active", [101, 102, 105]),
        ([ALICE], "inactive", [103]),
        ([ALICE], "next", [101, 105]),
        ([BOB], "all", [101, 102, 103, 104]),
        ([BOB], "active", [101, 102, 104]),
        ([BOB], "next", [102]),
        ([CAROL], "inactive", []),
        ([CAROL], "next", [104]),
        ([CAROL, ALICE], "next", [101, 104, 105]),
        ([], "all", []),
        (None, "all", [101, 102, 103, 104, 105]),
        (None, "active", [101, 102, 104, 105]),
        (None, "inactive", [103]),
        (None, "next", [101, 102, 104, 105]),
    ],
)
def test_boards_of_players_are_those_asked_for_unsaved_changes_included(
    looking: Callable[[], UnitOfWork], whose: list[Player] | None, which: Which, numbers: list[int]
) -> None:
    with looking() as uow:
        ids = None if whose is None else [each.id for each in whose]
        assert [each.number for each in uow.boards.of_players(ids, which, None, 100)] == numbers
        assert [each.number for each in uow.boards.of_players(ids, which, "superbo", 100)] == numbers
        assert not uow.boards.of_players(ids, which, "mambo", 100)


@pytest.mark.parametrize(("most", "numbers"), [(0, [101]), (2, [101, 102, 103]), (4, [101, 102, 103, 104, 105])])
def test_of_too_many_boards_one_more_than_wanted_comes(
    looking: Callable[[], UnitOfWork], most: int, numbers: list[int]
) -> None:
    with looking() as uow:
        assert [each.number for each in uow.boards.of_players(None, "all", None, most)] == numbers


def _ended(number: int, minutes: int) -> Board:
    """A board with the number, Alice's against Bob, that ended so long before `AT`."""
    return played(replace(board(number, ALICE, BOB), begun_at=AT - (minutes + len(WON)) * MINUTE), *WON)


@pytest.mark.parametrize("whose", [None, [ALICE.id], [ALICE.id, BOB.id]], ids=["everybody", "Alice", "Alice and Bob"])
def test_of_boards_that_are_over_the_last_to_end_comes_first_however_far_down(
    engine: Engine, whose: list[PlayerId] | None
) -> None:
    stocked(engine, _ended(101, 1), _ended(102, 9), _ended(103, 5), _ended(104, 5), ALONE)
    with unit_of_work(engine) as uow:
        for part, numbers in ((FIRST, [101, 104]), (ListPart(2, behind=104), [103, 102]), (ListPart(2), [103, 102])):
            found = uow.boards.of_players(whose, "inactive", "superbo", 2, ended_since=AT - 9 * MINUTE, part=part)
            assert [each.number for each in found][:2] == numbers
        assert [each.number for each in uow.boards.of_players(whose, "inactive", None, 9, ended_since=AT)] == []


def test_a_game_counts_its_boards_and_players(engine: Engine) -> None:
    with unit_of_work(engine) as uow:
        assert uow.boards.count("superbo") == (0, 0, 0)
    stocked(engine, *ALL)
    with unit_of_work(engine) as uow:
        assert uow.boards.count("superbo") == (4, 1, 3)
        assert uow.boards.count("mambo") == (0, 0, 0)


def test_moves_of_a_board_are_kept_with_their_moments_and_records(engine: Engine) -> None:
    stocked(engine, OVER)
    events = stored_boards(engine)[103].events
    assert [event.number for event in events] == [1, 2, 3, 4, 5]
    assert {event.kind for event in events} == {EventKind.MOVE}
    assert [event.at for event in events] == [AT + number * MINUTE for number in range(1, 6)]
    assert [event.record for event in events] == [event.record for event in OVER.events]


MAMBA_BOARD = replace(board(101, ALICE, BOB, CAROL), game="mamba", options={"inorder": True}, first=1)


def test_a_board_that_begins_anew_for_fewer_has_its_seats_and_first_player_replaced(engine: Engine) -> None:
    stocked(engine, MAMBA_BOARD)
    with unit_of_work(engine) as uow:
        found = uow.boards.find(MAMBA_BOARD.number)
        assert found is not None
        played = found.with_event(EventKind.MOVE, 1, AT, {"input": "pass"}).with_resigning(1, resigning=True)
        after = played.with_decline(BOB.id, AT + MINUTE, restarts=True)
        uow.boards.save(after)
        uow.commit()
    assert stored_boards(engine)[101] == replace(after, revision=2)
    assert [holder.userid for holder in after.seats] == ["Alice", "carol"]
    with unit_of_work(engine) as uow:
        asked = {each: uow.boards.of_players([each.id], "next", None, 9) for each in (ALICE, BOB, CAROL)}
        assert [userid for userid, boards in asked.items() if boards] == [CAROL]
        assert not uow.boards.of_players([BOB.id], "all", None, 9)
        assert uow.boards.count("mamba") == (1, 0, 2)


def test_who_must_decide_something_is_next_though_it_is_not_his_turn(engine: Engine) -> None:
    (game,) = (each["record"] for each in playthroughs() if len(each["record"]["turns"]) == 71)
    pending = replace(MAMBA_BOARD, first=0)
    for turn in game["turns"][:55]:
        pending = pending.with_event(EventKind.MOVE, turn["seat"], AT, {"input": turn["input"]})
    assert pending.events[-1].seat == 1
    stocked(engine, pending)
    with unit_of_work(engine) as uow:
        assert [bool(uow.boards.of_players([each.id], "next", None, 9)) for each in (ALICE, BOB)] == [True, False]


def test_a_board_can_begin_anew_and_go_on_in_one_unit_of_work_but_not_upon_an_older_one(engine: Engine) -> None:
    stocked(engine, MAMBA_BOARD)
    with unit_of_work(engine) as uow, unit_of_work(engine) as rival:
        found, late = (each.boards.find(MAMBA_BOARD.number) for each in (uow, rival))
        assert found is not None
        assert late is not None
        after = found.with_decline(ALICE.id, AT, restarts=True).with_event(EventKind.MOVE, 0, AT, {"input": "pass"})
        uow.boards.save(after)
        uow.commit()
        rival.boards.save(late.with_decline(BOB.id, AT, restarts=True))
        with pytest.raises(Conflict):
            rival.commit()
    assert stored_boards(engine)[101] == replace(after, revision=2)


def test_boards_without_fingerprints_are_found_by_their_last_move_or_since_one_was_taken_back(engine: Engine) -> None:
    longer = played(board(106, ALICE, BOB), *OPENING[:2])
    undone = longer.with_event(EventKind.UNDO, 0, longer.last_at + MINUTE, {"back_to": 0})
    stocked(engine, *ALL, longer, replace(undone, number=BoardNumber(107)))
    with unit_of_work(engine) as uow:
        records = [event.record for event in IN_PLAY.events]
        sought = Lookalikes("superbo", (), (), PlayerId(999), records)
        assert list(uow.boards.alike(sought)) == []
        with writing(engine) as connection:
            connection.execute(update(BoardRow).values(fingerprint=None))
        uow.release()
        assert [each.number for each in uow.boards.alike(sought)] == [102, 107]
        own = uow.boards.alike(replace(sought, player=ALICE.id))
        assert [each.number for each in own] == [101, 102, 105, 106, 107], "all of the player's own are looked through"
        assert not list(uow.boards.alike(replace(sought, game="mamba")))
        uow.boards.save(replace(longer, revision=1))
        assert [each.number for each in uow.boards.alike(sought)] == [102, 107, 106]


def test_boards_in_play_are_found_that_stand_alike_and_of_one_player_those_that_many_do(engine: Engine) -> None:
    begun = [board(number, *players) for number, players in ((106, (BOB, CAROL)), (107, (ALICE, BOB)))]
    stocked(engine, OVER, *(played(each, *OPENING[:2]) for each in begun), board(108, ALICE, BOB))
    stood = SUPERBO.begin({}, players=2)
    for turn in OPENING[:2]:
        stood = SUPERBO.read_input(stood, turn).position
    mark = {fingerprint(SUPERBO, stood)}
    with unit_of_work(engine) as uow:
        for anybodys, players, found in ((mark, (), [106, 107]), ((), mark, [107]), (mark, mark, [106, 107])):
            sought = Lookalikes("superbo", anybodys, players, ALICE.id, ())
            assert [each.number for each in uow.boards.alike(sought)] == found


DAMAGE = {
    "an unknown kind of event": "UPDATE events SET kind = 'nonsense' WHERE board_number = 102",
    "a move that is none": """UPDATE events SET record = '{"x": 1}' WHERE board_number = 102""",
    "a move without words": "UPDATE events SET record = NULL WHERE board_number = 102",
    "unknown options": """UPDATE boards SET options = '{"no_such_option": true}' WHERE number = 102""",
    "options that are none": "UPDATE boards SET options = '[1]' WHERE number = 102",
    "an unknown game": "UPDATE boards SET game = 'chess' WHERE number = 102",
    "a clock that is none": """UPDATE boards SET clock = '{"x": 1}' WHERE number = 102""",
    "no seats": "DELETE FROM seats WHERE board_number = 102",
    "a plan that is none": """UPDATE seats SET queued = '{"x": 1}' WHERE board_number = 102""",
    "a submission that is none": """UPDATE seats SET submitted = '[]' WHERE board_number = 102""",
}
ON_SQLITE_ALONE = {
    "a broken record": "UPDATE events SET record = '{' WHERE board_number = 102",
    "no moment": "UPDATE events SET at = 'yesterday' WHERE board_number = 102",
    "broken options": "UPDATE boards SET options = '' WHERE number = 102",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_board_that_cannot_be_read_hides_no_other_of_a_list(engine: Engine, damage: str) -> None:
    _hides_no_other(engine, DAMAGE[damage])


def test_a_plan_that_cannot_be_read_hides_no_board_and_is_told_to_nobody(engine: Engine) -> None:
    stocked(engine, *ALL)
    with writing(engine) as connection:
        connection.execute(text("""UPDATE seats SET plan = '{"branches": "else b3; else c4", "event": 1}'"""))
    with unit_of_work(engine) as uow, capture_logs() as logged:
        found = uow.boards.find(BoardNumber(102))
        assert found is not None
        assert {seat.plan for seat in found.seats} == {None}
    assert {each["event"] for each in logged} == {"plan left out"}
    assert "b3" not in str(logged)


@pytest.mark.parametrize("damage", ON_SQLITE_ALONE)
def test_nor_does_one_that_only_sqlite_can_keep(sqlite_url: str, damage: str) -> None:
    with engine_at(sqlite_url) as engine:
        _hides_no_other(engine, ON_SQLITE_ALONE[damage])


def _hides_no_other(engine: Engine, damage: str) -> None:
    stocked(engine, *ALL)
    with writing(engine) as connection:
        connection.execute(text(damage))
    with unit_of_work(engine) as uow, capture_logs() as logged:
        found = [each.number for each in uow.boards.of_players(None, "active", None, 10)]
        assert found == [101, 104, 105]
        assert uow.boards.find_listed(BoardNumber(101)) is not None
        assert uow.boards.find_listed(BoardNumber(999)) is None
        assert uow.boards.find_listed(BoardNumber(102)) is None
    assert {(each["event"], each["what"], each["number"]) for each in logged} == {("left out of a list", "board", 102)}
