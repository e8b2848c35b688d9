"""Private notes in the database."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Engine

from pbem.domain.studies import BoardNote
from pbem.errors import Conflict
from pbem.storage.models import NoteRow
from tests.storage.stock import ALICE, AT, BOB, MINUTE, board, rows, stocked, work

BOARD = board(101, ALICE, BOB)
HERS = BoardNote(ALICE.id, BOARD.number, "Gr\u00fc\u00dfe\nan mich", AT)


def kept(engine: Engine, *notes: BoardNote) -> None:
    stocked(engine, BOARD)
    for each in notes:
        with work(engine) as uow:
            uow.notes.save(each)
            uow.commit()


def found(engine: Engine) -> BoardNote | None:
    with work(engine) as uow:
        return uow.notes.find(ALICE.id, BOARD.number)


def test_a_note_is_read_as_it_was_written_and_is_its_owners_alone(engine: Engine) -> None:
    kept(engine, HERS)
    assert found(engine) == replace(HERS, revision=1)
    with work(engine) as uow:
        assert uow.notes.find(BOB.id, BOARD.number) is None
        assert (uow.notes.count(ALICE.id), uow.notes.count(BOB.id)) == (1, 0)
        assert [each["text"] for each in uow.traces.of(ALICE)["notes"]] == [HERS.text]
        assert uow.traces.of(BOB)["notes"] == []


def test_an_empty_note_is_deleted(engine: Engine) -> None:
    kept(engine, HERS, replace(HERS, text="", revision=1))
    assert found(engine) is None
    assert rows(engine, NoteRow) == 0


@pytest.mark.parametrize("text", ["changed", ""])
def test_a_note_that_was_changed_meanwhile_is_not_overwritten(engine: Engine, text: str) -> None:
    kept(engine, HERS, replace(HERS, text="quicker", changed_at=AT + MINUTE, revision=1))
    with work(engine) as uow:
        uow.notes.save(replace(HERS, text=text, revision=1))
        with pytest.raises(Conflict):
            uow.commit()
    assert found(engine) == replace(HERS, text="quicker", changed_at=AT + MINUTE, revision=2)


def test_two_first_notes_at_once_are_a_conflict(engine: Engine) -> None:
    kept(engine, HERS)
    with work(engine) as uow:
        uow.notes.save(replace(HERS, text="at the same time"))
        with pytest.raises(Conflict):
            uow.commit()


def test_who_leaves_leaves_no_note(engine: Engine) -> None:
    kept(engine, HERS)
    with work(engine) as uow:
        known = uow.players.get(ALICE.id)
        uow.players.save(replace(known, addresses=()))
        uow.traces.forget(known)
        uow.commit()
    assert rows(engine, NoteRow) == 0
