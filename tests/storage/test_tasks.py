"""Tasks of robots: they follow the boards, and go to one process at a time."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Engine

from pbem.bots.analysis import GameAnalysis, Look
from pbem.bots.thinking import PLAYOUTS_FOR_DRAW
from pbem.domain.boards import Board, SeatHolder
from pbem.domain.events import EventKind
from pbem.domain.players import Player, Standing
from pbem.domain.robots import Analysis, TaskKind
from pbem.errors import Conflict
from pbem.games.game import Candidate
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.engine import reading, writing
from pbem.storage.leases import Rests
from pbem.storage.models import BoardAnalysisRow, TaskRow
from pbem.storage.personal_data import belongings, forget_belongings
from pbem.storage.robot_tasks import Task, Tasks, queued_tasks, retry_tasks, shunted_tasks
from tests.storage.stock import ALICE, AT, BOB, MINUTE, board, played, rows, stocked, work

QUICK, SLOW = (Player(PlayerId(10 + n), f"robot{n}", (), AT) for n in (1, 5))
LATE = AT + 10 * MINUTE


def begun(engine: Engine, *boards: Board) -> None:
    uow = work(engine)
    for robot in (QUICK, SLOW):
        uow.players.save(robot)
    uow.commit()
    stocked(engine, *boards)


def saved(engine: Engine, number: int, *events: tuple[EventKind, int]) -> None:
    """Let something happen at a board."""
    uow = work(engine)
    found = next(each for each in uow.boards.each() if each.number == number)
    for kind, seat in events:
        found = found.with_event(kind, seat, found.last_at + MINUTE, {"of": "draw"})
    uow.boards.save(found)
    uow.commit()


def tasks(engine: Engine, owner: str = "one") -> Tasks:
    return Tasks(engine, owner, MINUTE)


def leased(engine: Engine, owner: str = "one", now: timedelta = timedelta(0), most: int | None = None) -> Task:
    found = tasks(engine, owner).lease(LATE + now, most)
    assert found is not None
    return found


def test_a_task_is_written_with_what_asks_for_it_and_forgotten_with_what_overtakes_it(engine: Engine) -> None:
    begun(engine, board(101, ALICE, QUICK), board(102, ALICE, BOB), played(board(103, ALICE, SLOW), "C3"))
    task = leased(engine)
    assert (task.board, task.work.event, task.userid, task.kind, task.budget) == (103, 1, "robot5", TaskKind.ACT, 16384)
    assert (task.asked_at, task.attempts) == (AT + MINUTE, 1)
    saved(engine, 103)
    assert tasks(engine, "other").lease(LATE) is None, "what is noted at a board overtakes nothing"
    saved(engine, 103, (EventKind.OFFER, 0))
    assert leased(engine, "other").kind is TaskKind.DRAW
    saved(engine, 103, (EventKind.RESIGNATION, 0))
    assert rows(engine, TaskRow) == 0


def test_a_task_takes_no_more_thought_than_the_operator_lets_it(engine: Engine) -> None:
    begun(engine, board(101, QUICK, ALICE), board(103, QUICK, ALICE))
    saved(engine, 103, (EventKind.OFFER, 1))
    with work(engine, most_playouts=500) as uow:
        uow.boards.save(board(102, SLOW, ALICE))
        uow.commit()
    with reading(engine) as connection:
        budgets = [(task.board, task.budget) for task, _ in queued_tasks(connection, 9)]
    assert budgets == [(101, 64), (102, 500), (103, PLAYOUTS_FOR_DRAW)]


def test_a_robot_that_has_given_its_seat_up_is_asked_no_more(engine: Engine) -> None:
    begun(engine, board(101, QUICK, ALICE))
    uow = work(engine)
    found = next(uow.boards.each())
    uow.boards.save(found.with_handover(0, SeatHolder(BOB.id, BOB.userid), LATE))
    uow.commit()
    assert rows(engine, TaskRow) == 0


def test_short_thoughts_go_first_and_no_long_one_waits_for_ever(engine: Engine) -> None:
    slow, quick = board(101, SLOW, ALICE), board(102, QUICK, ALICE)
    later = replace(quick, number=board(103, QUICK, ALICE).number, begun_at=AT + 4 * MINUTE)
    begun(engine, slow, quick, later)
    with reading(engine) as connection:
        assert [task.board for task, _ in queued_tasks(connection, 9)] == [102, 101, 103]
    with work(engine) as uow:
        assert uow.errands.before(later.number) == 2
    assert leased(engine).board == 102
    assert leased(engine, most=1000).board == 103, "a mind for short thoughts takes no long one"
    assert tasks(engine).lease(LATE, 1000) is None


def test_tasks_of_guests_come_after_all_others(engine: Engine) -> None:
    guests = replace(board(101, QUICK, ALICE), of_guest=True)
    later = replace(board(102, SLOW, ALICE), begun_at=AT + 4 * MINUTE)
    begun(engine, guests, later)
    with reading(engine) as connection:
        assert [task.board for task, _ in queued_tasks(connection, 9)] == [102, 101]
    with work(engine) as uow:
        assert [uow.errands.before(each.number) for each in (guests, later)] == [1, 0]
    assert leased(engine).board == 102


def test_a_task_is_taken_by_one_and_by_the_next_only_if_that_one_dies(engine: Engine) -> None:
    begun(engine, board(101, QUICK, ALICE))
    task, others = leased(engine), tasks(engine, "other")
    assert others.lease(LATE) is None
    tasks(engine).renew([task], LATE + MINUTE)
    assert others.lease(LATE + 2 * MINUTE) is None
    again = leased(engine, "other", 3 * MINUTE)
    assert again.attempts == 2
    tasks(engine).drop(task)
    tasks(engine).give_back([task], LATE)
    assert rows(engine, TaskRow) == 1, "who has lost it has no say"
    others.give_back([again], LATE + 5 * MINUTE)
    assert tasks(engine).lease(LATE + 4 * MINUTE) is None
    assert leased(engine, "one", 5 * MINUTE).attempts == 2
    assert tasks(engine).take_over({"other"}) == 0
    assert tasks(engine).take_over({"other", "one"}) == 1
    assert leased(engine, "other", 5 * MINUTE).attempts == 3
    assert tasks(engine).take_over() == 1
    assert leased(engine, "other", 5 * MINUTE).attempts == 4


def test_what_was_set_aside_waits_until_it_is_asked_for_again(engine: Engine) -> None:
    begun(engine, board(101, QUICK, ALICE))
    task = leased(engine)
    with writing(engine) as connection:
        tasks(engine).shunt(connection, task, "it died")
    assert tasks(engine).lease(LATE + 9 * MINUTE) is None
    with writing(engine) as connection:
        assert [(each.board, each.error) for each, game in shunted_tasks(connection, 9)] == [(101, "it died")]
        assert retry_tasks(connection, [101, 102], LATE) == [101]
    assert leased(engine).attempts == 1


def test_a_clock_that_was_ahead_holds_no_task_back(engine: Engine) -> None:
    begun(engine, board(101, QUICK, ALICE))
    tasks(engine).retry(leased(engine, now=timedelta(days=9)), "it died", LATE + timedelta(days=9))
    assert tasks(engine).lease(LATE) is None
    assert tasks(engine).pull_in(LATE, Rests(MINUTE, MINUTE)) == 1
    assert leased(engine, now=MINUTE).attempts == 2


def test_robots_that_the_operator_has_frozen_do_nothing(engine: Engine) -> None:
    begun(engine, board(101, QUICK, ALICE))
    for standing in (Standing.FROZEN, Standing.ACTIVE):
        uow = work(engine)
        uow.players.save(replace(uow.players.get(QUICK.id), standing=standing))
        uow.commit()
        assert (tasks(engine).lease(LATE) is None) is (standing is Standing.FROZEN)


def wants(engine: Engine, asker: PlayerId, moveno: int | None = None) -> None:
    uow = work(engine)
    uow.analyses.ask(Analysis(BoardNumber(101), 0, SLOW.id, asker, moveno, 300, AT))
    uow.commit()


def wanted(engine: Engine, asker: PlayerId) -> BoardNumber | None:
    """The board of which somebody waits for an analysis."""
    with work(engine) as uow:
        found = uow.analyses.find(asker)
        return None if found is None else found.board


def test_who_wants_an_analysis_waits_for_one_at_a_time_among_the_tasks_of_robots(engine: Engine) -> None:
    begun(engine, board(101, ALICE, BOB), board(102, QUICK, BOB))
    for asker in (ALICE.id, BOB.id):
        assert wanted(engine, asker) is None
        wants(engine, asker, moveno=7)
        assert wanted(engine, asker) == 101
        with pytest.raises(Conflict):
            wants(engine, asker)
    with work(engine) as uow:
        assert uow.analyses.before(AT + MINUTE) == uow.analyses.count() == 2
        assert uow.errands.before(BoardNumber(102)) == 0
    saved(engine, 101, (EventKind.RESIGNATION, 0))
    first, second, third = (leased(engine) for _ in range(3))
    assert (first.board, first.kind) == (102, TaskKind.ACT)
    assert second.work == Analysis(BoardNumber(101), 0, SLOW.id, ALICE.id, 7, 300, AT)
    assert third.work == replace(second.work, asker=BOB.id)
    with writing(engine) as connection:
        tasks(engine).end(connection, second)
    assert wanted(engine, ALICE.id) is None
    with pytest.raises(Conflict), writing(engine) as connection:
        tasks(engine, "other").end(connection, third)


def test_a_mind_that_takes_both_takes_no_analysis_while_a_move_waits(engine: Engine) -> None:
    late = replace(board(102, ALICE, SLOW), begun_at=AT + 5 * MINUTE)
    begun(engine, board(101, ALICE, BOB), played(late, "C3"))
    wants(engine, ALICE.id)
    with reading(engine) as connection:
        assert [task.kind for task, _ in queued_tasks(connection, 9)] == [TaskKind.ACT, TaskKind.ANALYSE]
    assert [leased(engine).kind for _ in range(2)] == [TaskKind.ACT, TaskKind.ANALYSE]


def test_who_leaves_waits_for_no_analysis(engine: Engine) -> None:
    begun(engine, board(101, ALICE, BOB))
    wants(engine, ALICE.id)
    with writing(engine) as connection:
        assert len(connection.execute(belongings(ALICE.id)["analyses"]).all()) == 1
        forget_belongings(connection, ALICE.id)
    assert wanted(engine, ALICE.id) is None


def test_the_analysis_of_a_game_is_kept_and_a_newer_one_takes_its_place(engine: Engine) -> None:
    begun(engine, board(101, ALICE, BOB))
    best = Candidate(("B3", "C4,K5"), 0.61, 12, proven=False)
    looks = (Look(0, 1, 0, "A1", (best,), 0.4, 0.61, is_best=False, is_turning_point=True),)
    for playouts in (20, 30):
        uow = work(engine)
        uow.game_analyses.save(BoardNumber(101), GameAnalysis(looks, playouts, AT))
        uow.commit()
    with work(engine) as uow:
        assert uow.game_analyses.find(BoardNumber(101)) == GameAnalysis(looks, 30, AT)
        assert uow.game_analyses.find(BoardNumber(102)) is None
    assert rows(engine, BoardAnalysisRow) == 1


def test_it_is_known_that_a_game_is_being_analysed_but_not_for_one_move_of_it(engine: Engine) -> None:
    begun(engine, board(101, ALICE, BOB), board(102, ALICE, BOB))
    uow = work(engine)
    uow.analyses.ask(Analysis(BoardNumber(101), 0, SLOW.id, ALICE.id, None, 10, AT))
    uow.analyses.ask(Analysis(BoardNumber(102), 0, SLOW.id, BOB.id, 3, 10, AT))
    uow.commit()
    with work(engine) as uow:
        assert [uow.analyses.is_wanted(BoardNumber(number)) for number in (101, 102)] == [True, False]
