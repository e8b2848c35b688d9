"""Wrong passwords: counted by userid and by domain, those of the letter at hand included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.usecases.ports import WrongAttempt
from tests.storage.stock import AT, MINUTE, work

if TYPE_CHECKING:
    from sqlalchemy import Engine


def test_those_of_the_same_userid_or_domain_are_found_oldest_first(engine: Engine) -> None:
    with work(engine) as uow:
        for minute, userid, domain in ((1, "u1", "d2"), (0, "u2", "d1"), (2, "u2", "d2"), (-9, "u1", "d1")):
            uow.wrong_passwords.add(WrongAttempt(AT + minute * MINUTE, userid, domain))
        uow.commit()
    with work(engine) as uow:
        this = WrongAttempt(AT + 3 * MINUTE, "u1", "d1")
        uow.wrong_passwords.add(this)
        uow.wrong_passwords.add(WrongAttempt(AT + 3 * MINUTE, "u3", "d3"))
        found = uow.wrong_passwords.like(this, AT - MINUTE)
    assert [(each.at - AT, each.userid, each.domain) for each in found] == [
        (0 * MINUTE, "u2", "d1"),
        (1 * MINUTE, "u1", "d2"),
        (3 * MINUTE, "u1", "d1"),
    ]
