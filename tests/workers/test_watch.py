"""Watching if the database can be written."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo
from typing import Self

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from pbem.workers.alarms import ALARM, Alarms, DatabaseWatch, OperatorMails
from tests.workers.alarms import Listening, Noted


class Shelf:
    """Something that can be written, or not, and the seconds that have passed."""

    def __init__(self) -> None:
        self.passed = 1000.0
        self.trouble: Exception | None = None
        self.tried = 0

    def try_writing(self, _now: datetime) -> None:
        self.tried += 1
        if self.trouble is not None:
            raise self.trouble


def database_trouble() -> OperationalError:
    with create_engine("sqlite://").connect() as connection, pytest.raises(OperationalError) as failed:
        connection.execute(text("SELECT * FROM nowhere"))
    return failed.value


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def told() -> list[tuple[str, int]]:
    return []


@pytest.fixture
def watch(shelf: Shelf, told: list[tuple[str, int]]) -> DatabaseWatch:
    class Listed(Alarms):
        def raise_(self, name: str, why: str, began: datetime, letters: int = 0, *, is_shared: bool = False) -> None:
            told.append((why, letters))
            super().raise_(name, why, began, letters, is_shared=is_shared)

    mails = OperatorMails(None, None)  # type: ignore[arg-type]  # none is made
    alarms = Listed(Listening(), mails, timedelta(), Noted())  # type: ignore[arg-type]
    return DatabaseWatch(alarms, shelf.try_writing, lambda: shelf.passed)


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        (lambda watch: watch.letters_failed(database_trouble(), 3), [("no such table: nowhere", 3)]),
        (lambda watch: watch.letters_failed(ValueError("a letter's words"), 1), [("ValueError", 1)]),
        (lambda watch: watch.step_failed(database_trouble()), [("no such table: nowhere", 0)]),
        (lambda watch: watch.step_failed(ValueError("our bug")), []),
    ],
)
def test_what_could_not_be_written_is_told_without_words_of_letters(
    watch: DatabaseWatch, told: list[tuple[str, int]], note: Callable[[DatabaseWatch], None], expected: list[object]
) -> None:
    note(watch)
    assert told == expected
    assert watch.is_well is not bool(expected)


def test_it_is_well_again_once_something_was_written_and_nothing_failed_for_a_while(
    watch: DatabaseWatch, shelf: Shelf
) -> None:
    watch.letters_failed(database_trouble(), 1)
    watch.step()
    assert (watch.is_well, shelf.tried) == (False, 0)
    shelf.passed += 6
    shelf.trouble = database_trouble()
    watch.step()
    assert (watch.is_well, shelf.tried) == (False, 1)
    shelf.passed += 4
    shelf.trouble = None
    watch.step()
    assert (watch.is_well, shelf.tried) == (False, 1)
    shelf.passed += 2
    watch.step()
    assert (watch.is_well, shelf.tried) == (True, 2)


def test_trouble_is_found_before_a_letter_comes(watch: DatabaseWatch, shelf: Shelf) -> None:
    shelf.trouble = database_trouble()
    shelf.passed += 30
    watch.step()
    assert watch.is_well
    shelf.passed += 31
    watch.step()
    assert not watch.is_well
    assert ALARM == "letters_not_stored"


def test_it_is_well_again_as_soon_when_the_clock_was_set_back_meanwhile(
    watch: DatabaseWatch, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    class SetBack(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return super().now(tz) - timedelta(days=1)

    watch.letters_failed(database_trouble(), 1)
    monkeypatch.setattr("pbem.workers.alarms.datetime", SetBack)
    shelf.passed += 6
    watch.step()
    assert (watch.is_well, shelf.tried) == (True, 1)
