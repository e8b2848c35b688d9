from __future__ import annotations

import asyncio
from threading import Event

from pbem.web.connections import SharedQuestion

PATIENCE = 20


def test_a_database_that_says_nothing_is_asked_once_however_many_want_to_know() -> None:
    says, asked = Event(), list[str]()

    def ask() -> str:
        asked.append("once")
        assert says.wait(PATIENCE)
        return "well"

    async def answers() -> tuple[list[str], str]:
        database = SharedQuestion(ask, "silent", patience=0.01)
        silent = [await database.answer() for _ in range(3)]
        database._patience = PATIENCE
        says.set()
        return silent, await database.answer()

    assert asyncio.run(answers()) == (["silent"] * 3, "well")
    assert asked == ["once"]


def test_who_ends_does_not_wait_for_what_says_nothing() -> None:
    says, has_ended = Event(), Event()

    def ask() -> str:
        says.wait(PATIENCE)
        has_ended.set()
        return ""

    assert asyncio.run(SharedQuestion(ask, "silent", patience=0.01).answer()) == "silent"
    assert not has_ended.is_set()
    says.set()


def test_each_question_after_an_answer_is_asked_anew() -> None:
    answers = iter(["one", "two"])

    async def ask() -> list[str]:
        database = SharedQuestion(lambda: next(answers), "")
        return [await database.answer() for _ in range(2)]

    assert asyncio.run(ask()) == ["one", "two"]
