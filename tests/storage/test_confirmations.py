from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Engine

from pbem.ids import ConfirmationId
from tests.storage.stock import ALICE, AT, MINUTE, question, stocked
from tests.storage.stock import work as unit_of_work


def test_a_question_comes_back_as_it_was_asked_and_then_as_it_was_answered(engine: Engine) -> None:
    stocked(engine)
    asked = question(1, ALICE)
    answered = replace(asked, answered_at=AT + MINUTE)
    with unit_of_work(engine) as uow:
        assert uow.confirmations.find(ConfirmationId(1)) is None
        assert uow.confirmations.next_id() == 1
        uow.confirmations.save(asked)
        assert uow.confirmations.find(ConfirmationId(1)) == asked
        assert uow.confirmations.next_id() == 2
        uow.commit()
    with unit_of_work(engine) as uow:
        assert uow.confirmations.find(ConfirmationId(1)) == asked
        uow.confirmations.save(answered)
        uow.commit()
    with unit_of_work(engine) as uow:
        assert uow.confirmations.find(ConfirmationId(1)) == replace(answered, comment="")
