"""Wrong passwords: counted by userid and by source, those of the letter at hand included."""

from __future__ import annotations

from sqlalchemy import Engine

from pbem.storage.passwords import WrongAttempt
from tests.storage.stock import ALICE, AT, BOB, MINUTE, stocked, work


def test_those_of_the_same_userid_or_source_are_found_oldest_first(engine: Engine) -> None:
    with work(engine) as uow:
        for minute, userid, domain in ((1, "u1", "d2"), (0, "u2", "d1"), (2, "u2", "d2"), (-9, "u1", "d1")):
            uow.wrong_passwords.add(WrongAttempt(AT + minute * MINUTE, userid, domain))
        uow.commit()
    with work(engine) as uow:
        this = WrongAttempt(AT + 3 * MINUTE, "u1", "d1")
        uow.wrong_passwords.add(this)
        uow.wrong_passwords.add(WrongAttempt(AT + 3 * MINUTE, "u3", "d3"))
        found = uow.wrong_passwords.lately(["u1"], ["d1"], None, AT - MINUTE)
    assert found.right_at is None
    assert [(each.at - AT, each.userid, each.source) for each in found.wrong] == [
        (0 * MINUTE, "u2", "d1"),
        (1 * MINUTE, "u1", "d2"),
        (3 * MINUTE, "u1", "d1"),
    ]


def test_where_right_ones_came_from_is_known_of_each_player(engine: Engine) -> None:
    stocked(engine)
    for minute, source in enumerate(("s1", "s2", "s1")):
        with work(engine) as uow:
            uow.wrong_passwords.make_familiar(ALICE.id, source, AT + minute * MINUTE)
            assert uow.wrong_passwords.lately(["u"], [source], ALICE.id, AT).right_at == AT + minute * MINUTE
            uow.commit()
    with work(engine) as uow:
        known = {
            (player, source): uow.wrong_passwords.lately(["u"], [source], player, AT).right_at
            for player in (ALICE.id, BOB.id, None)
            for source in ("s1", "s2", "s3")
        }
    assert {key: at for key, at in known.items() if at} == {
        (ALICE.id, "s1"): AT + 2 * MINUTE,
        (ALICE.id, "s2"): AT + MINUTE,
    }
