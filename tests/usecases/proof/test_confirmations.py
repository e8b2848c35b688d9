"""Questions, and whether an answer says yes or no."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from types import SimpleNamespace
from typing import cast

import pytest

from pbem.domain.credentials import ConfirmationKind
from pbem.domain.replies import ConfirmReply
from pbem.ids import ConfirmationId
from pbem.usecases.confirmations import NotAsked, answer_of, find_question
from pbem.usecases.context import Context
from tests.storage.stock import AT, player, question
from tests.support.handlers import ANN, HandlerFixture

DAY = date(2026, 3, 8)


@pytest.mark.parametrize(
    ("answer", "command", "account", "address"),
    [
        ("yes", True, True, True),
        ("ok", True, True, True),
        ("Yes, that is me", True, None, True),
        ("ok, thanks for your mail! We have received it.", None, None, None),
        ("Sure, I will answer then.", None, None, None),
        ("What is this?", None, None, None),
        ("", None, None, None),
        ("no", False, False, False),
        ("No, yes", False, False, False),
    ],
)
def test_the_more_is_asked_the_clearer_the_yes_must_be(
    handlers: HandlerFixture, answer: str, command: bool | None, account: bool | None, address: bool | None
) -> None:
    with handlers.work() as uow:
        context = cast("Context", SimpleNamespace(uow=uow))
        agreed = {}
        for number, kind in enumerate(set(ConfirmationKind) - {ConfirmationKind.SIGN_IN}, start=1):
            asked = replace(question(number, ANN), kind=kind)
            uow.confirmations.save(asked)
            agreed[kind.value] = answer_of(ConfirmReply(asked.id, asked.nonce, DAY), answer.split("\n"), context)
    assert agreed == {"command": command, "account": account, "address": address, "reset": answer != "no"}


@pytest.mark.parametrize("words", ["yes", "no", "", "what?"])
def test_the_question_who_signs_in_is_answered_on_the_web_alone(handlers: HandlerFixture, words: str) -> None:
    with handlers.work() as uow:
        context = cast("Context", SimpleNamespace(uow=uow))
        asked = replace(question(1, ANN), kind=ConfirmationKind.SIGN_IN)
        uow.confirmations.save(asked)
        with pytest.raises(NotAsked, match="web"):
            answer_of(ConfirmReply(asked.id, asked.nonce, DAY), [words], context)
        assert uow.confirmations.find(asked.id) == asked


@pytest.mark.parametrize(("body", "agrees"), [([], True), ([" "], True), (["..."], None), (["Thanks"], None)])
def test_who_signs_up_may_answer_with_nothing(handlers: HandlerFixture, body: list[str], agrees: bool | None) -> None:
    with handlers.work() as uow:
        context = cast("Context", SimpleNamespace(uow=uow))
        eve = player(9, "eve", confirmed=False)
        uow.players.save(eve)
        asked = replace(question(1, eve), kind=ConfirmationKind.ADDRESS)
        uow.confirmations.save(asked)
        assert answer_of(ConfirmReply(asked.id, asked.nonce, DAY), body, context) is agrees
        uow.players.save(eve.confirm("eve@example.org", AT))
        assert answer_of(ConfirmReply(asked.id, asked.nonce, DAY), body, context) is None


def test_the_answer_to_a_question_is_none_to_another_with_its_number(handlers: HandlerFixture) -> None:
    """Numbers come again when a backup is put back, nonces do not."""
    with handlers.work() as uow:
        context = cast("Context", SimpleNamespace(uow=uow))
        asked = question(1, ANN)
        uow.confirmations.save(asked)
        assert find_question(asked.id, asked.nonce, context) == asked
        for nonce in (0, asked.nonce ^ 1, asked.nonce - 1):
            assert find_question(asked.id, nonce, context) is None
        assert find_question(ConfirmationId(2), asked.nonce, context) is None
        assert len({uow.confirmations.new_nonce() for _ in range(20)}) == 20
