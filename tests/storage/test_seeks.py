"""Seeks, limits and blocks at a real database."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Engine, text

from pbem.domain.clocks import ClockRules
from pbem.domain.players import Player, Standing
from pbem.domain.seeks import Seek, Sought
from pbem.errors import Conflict
from pbem.ids import SeekId
from pbem.storage.engine import writing
from pbem.storage.models import BlockRow, ReadinessRow, SeekRow
from tests.storage.stock import ALICE, AT, BOB, CAROL, MINUTE, WON, board, played, rows, stocked
from tests.storage.stock import work as unit_of_work

OWN = ClockRules(timedelta(hours=36), timedelta(days=5), timedelta(days=20), is_own=True)
SOUGHT = Sought("superbo", {"single": True, "size": 40}, 2, OWN, rated=False)


def seek(number: int, who: Player, sought: Sought = SOUGHT, wanted: int = 1) -> Seek:
    return Seek(SeekId(number), who.id, who.userid, sought, wanted, AT + number * MINUTE, timedelta(hours=50))


def keep(engine: Engine, *seeks: Seek) -> None:
    with unit_of_work(engine) as uow:
        for each in seeks:
            uow.seeks.save(each)
        uow.commit()


def of_superbo(engine: Engine) -> list[tuple[int, int]]:
    """Ids, and how many are wanted."""
    with unit_of_work(engine) as uow:
        return [(each.id, each.wanted) for each in uow.seeks.of_game("superbo")]


def test_a_seek_comes_back_as_it_was_saved(engine: Engine) -> None:
    stocked(engine)
    plain = Seek(SeekId(2), BOB.id, "bob", Sought("superbo", {}, 2), 3, AT)
    keep(engine, seek(1, ALICE), plain, seek(3, CAROL, replace(SOUGHT, game="mambo")))
    with unit_of_work(engine) as uow:
        assert uow.seeks.of_game("superbo") == [replace(plain, revision=1), replace(seek(1, ALICE), revision=1)]
        assert [uow.seeks.count(game) for game in ("superbo", "mambo", "mamba")] == [4, 1, 0]
        assert uow.seeks.next_id() == 4


def test_seeks_of_this_unit_of_work_are_seen_and_what_is_refused_is_not(engine: Engine) -> None:
    stocked(engine)
    keep(engine, seek(1, ALICE, wanted=2))
    with unit_of_work(engine) as uow:
        (stored,) = uow.seeks.of_game("superbo")
        with uow.rehearsal():
            uow.seeks.save(stored.ended)
            uow.seeks.save(seek(2, BOB))
            assert [each.id for each in uow.seeks.of_game("superbo")] == [2]
            assert uow.seeks.next_id() == 3
        assert [each.id for each in uow.seeks.of_game("superbo")] == [1]
        uow.seeks.save(stored.fewer)
        uow.commit()
    assert of_superbo(engine) == [(1, 1)]


def test_a_seek_that_wants_nobody_any_more_is_forgotten(engine: Engine) -> None:
    stocked(engine)
    keep(engine, seek(1, ALICE))
    with unit_of_work(engine) as uow:
        (stored,) = uow.seeks.of_game("superbo")
    keep(engine, stored.fewer, seek(2, BOB, wanted=0))
    assert rows(engine, SeekRow) == 0


def test_of_two_who_use_the_same_seek_one_has_to_begin_again(engine: Engine) -> None:
    stocked(engine)
    for wanted in (1, 2):
        keep(engine, seek(1, ALICE, wanted=wanted))
        with unit_of_work(engine) as first, unit_of_work(engine) as second:
            for uow in (first, second):
                (stored,) = uow.seeks.of_game("superbo")
                uow.seeks.save(stored.fewer)
            first.commit()
            with pytest.raises(Conflict):
                second.commit()
        assert of_superbo(engine) == [(1, 1)] * (wanted - 1)


def test_of_two_new_seeks_at_the_same_time_one_has_to_begin_again(engine: Engine) -> None:
    stocked(engine)
    with unit_of_work(engine) as first, unit_of_work(engine) as second:
        for uow, who in ((first, ALICE), (second, BOB)):
            uow.seeks.save(seek(uow.seeks.next_id(), who))
        first.commit()
        with pytest.raises(Conflict):
            second.commit()


def test_an_id_given_anew_is_not_taken_for_the_seek_that_had_it(engine: Engine) -> None:
    stocked(engine)
    keep(engine, seek(1, ALICE))
    with unit_of_work(engine) as late:
        (stale,) = late.seeks.of_game("superbo")
        keep(engine, stale.ended)
        keep(engine, replace(seek(1, BOB), created_at=AT))
        late.seeks.save(stale.fewer)
        with pytest.raises(Conflict):
            late.commit()
    assert of_superbo(engine) == [(1, 1)]


def test_one_that_cannot_be_read_hides_no_other(engine: Engine) -> None:
    stocked(engine)
    keep(engine, seek(1, ALICE), seek(2, BOB), seek(3, CAROL))
    with writing(engine) as connection:
        connection.execute(text("""UPDATE seeks SET clock = '{"x": 1}' WHERE id = 2"""))
    with unit_of_work(engine) as uow:
        assert [each.id for each in uow.seeks.of_game("superbo")] == [1, 3]


@pytest.mark.parametrize(
    ("standing", "seen"), [(Standing.FROZEN, True), (Standing.BANNED, False), (Standing.GONE, False)]
)
def test_who_has_left_looks_for_nobody(engine: Engine, standing: Standing, seen: bool) -> None:
    stocked(engine)
    keep(engine, seek(1, ALICE))
    with unit_of_work(engine) as uow:
        uow.players.save(replace(uow.players.get(ALICE.id), standing=standing))
        uow.commit()
    assert bool(of_superbo(engine)) is seen
    with unit_of_work(engine) as uow:
        assert uow.seeks.count("superbo") == int(seen)


def test_limits_are_kept_for_each_game(engine: Engine) -> None:
    stocked(engine)
    with unit_of_work(engine) as uow:
        assert uow.readiness.most(ALICE.id, "superbo") is None
        uow.readiness.save(ALICE.id, "superbo", 3)
        uow.readiness.save(BOB.id, "superbo", 0)
        assert uow.readiness.most(ALICE.id, "superbo") == 3
        uow.commit()
    with unit_of_work(engine) as uow:
        whose = ((ALICE, "superbo"), (BOB, "superbo"), (ALICE, "mamba"), (CAROL, "superbo"))
        assert [uow.readiness.most(who.id, game) for who, game in whose] == [3, 0, None, None]
        uow.readiness.save(ALICE.id, "superbo", 5)
        uow.readiness.save(BOB.id, "superbo", None)
        uow.commit()
    with unit_of_work(engine) as uow:
        assert [uow.readiness.most(who.id, "superbo") for who in (ALICE, BOB)] == [5, None]
    assert rows(engine, ReadinessRow) == 1


def test_a_player_may_be_blocked_by_several_and_block_several(engine: Engine) -> None:
    stocked(engine)
    with unit_of_work(engine) as uow:
        uow.blocks.block(ALICE.id, BOB.id)
        uow.blocks.block(CAROL.id, BOB.id)
        uow.blocks.block(BOB.id, ALICE.id)
        uow.commit()
    with unit_of_work(engine) as uow:
        assert uow.blocks.blocked_by(ALICE.id) == {BOB.id}
        assert uow.blocks.blockers_of(BOB.id) == {ALICE.id, CAROL.id}
        assert uow.blocks.apart_from(BOB.id) == {ALICE.id, CAROL.id}
        assert uow.blocks.apart_from(CAROL.id) == {BOB.id}
        assert CAROL.id in uow.blocks.apart_from(BOB.id)
        assert CAROL.id not in uow.blocks.apart_from(ALICE.id)
        uow.blocks.unblock(ALICE.id, BOB.id)
        uow.blocks.unblock(ALICE.id, CAROL.id)
        uow.blocks.block(CAROL.id, BOB.id)
        assert uow.blocks.blocked_by(ALICE.id) == set()
        assert uow.blocks.blockers_of(BOB.id) == {CAROL.id}
        uow.commit()
    assert rows(engine, BlockRow) == 2


def test_what_is_tried_and_refused_blocks_nobody(engine: Engine) -> None:
    stocked(engine)
    with unit_of_work(engine) as uow:
        with uow.rehearsal():
            uow.blocks.block(ALICE.id, BOB.id)
            uow.readiness.save(ALICE.id, "superbo", 3)
        assert BOB.id not in uow.blocks.apart_from(ALICE.id)
        assert uow.readiness.most(ALICE.id, "superbo") is None


def test_active_boards_are_counted_by_game_those_of_this_unit_of_work_included(engine: Engine) -> None:
    on, over = board(101, ALICE, BOB), played(board(102, ALICE, BOB), *WON)
    stocked(engine, on, over, board(103, BOB, CAROL))
    with unit_of_work(engine) as uow:
        assert [uow.boards.active_of(who.id, "superbo") for who in (ALICE, BOB, CAROL)] == [1, 2, 1]
        assert uow.boards.active_of(ALICE.id, "mamba") == 0
        uow.boards.save(played(replace(on, revision=1), *WON))
        uow.boards.save(board(104, ALICE, ALICE))
        assert [uow.boards.active_of(who.id, "superbo") for who in (ALICE, BOB, CAROL)] == [1, 1, 1]
