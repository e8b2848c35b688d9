"""The operator's unit of work beside a running server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import select

from pbem.bootstrap.upkeep import open_desk
from pbem.commands.internal import BanPlayer, FreezePlayer, UnbanPlayer
from pbem.config import Settings
from pbem.domain.events import EventKind
from pbem.domain.mails import Notice
from pbem.errors import Conflict, PbemError
from pbem.executor import MOST_CONFLICTS, TooManyConflicts
from pbem.ids import BoardNumber
from pbem.storage.engine import make_engine
from pbem.storage.models import MailRow
from pbem.storage.operators import last_deeds
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import dispatch
from pbem.workers.admin_session import AdminSession
from tests.storage.stock import ALICE, AT, BOB, board, played, stocked

TABLE = played(board(101, ALICE, BOB), "C3", "H10,M1")


@pytest.fixture
def desk(database_url: str) -> Iterator[AdminSession]:
    own = {"PBEM_DATABASE_URL": database_url, "PBEM_SECRET_KEY": "a key for tests alone"}
    if database_url.startswith("sqlite"):
        engine = make_engine(database_url)
        engine.connect().close()
        engine.dispose()
    with closing(open_desk(Settings.read(own), "root")) as desk:
        stocked(desk.engine, TABLE)
        yield desk


def rivals_move(desk: AdminSession) -> None:
    """Let the server change the board meanwhile."""
    with desk.executor.unit_of_work() as uow:
        found = uow.boards.find(BoardNumber(101))
        assert found is not None
        uow.boards.save(found.with_event(EventKind.FORFEIT, 0, AT))
        uow.commit()


def mails(desk: AdminSession) -> list[str]:
    with desk.reading() as connection:
        return list(connection.scalars(select(MailRow.recipient).order_by(MailRow.id)))


def deeds(desk: AdminSession) -> list[str]:
    with desk.reading() as connection:
        return [each.deed for each in last_deeds(connection, 9)]


def test_a_deed_its_note_and_its_mails_are_one_transaction(desk: AdminSession) -> None:
    told = desk.do("player freeze", "bob", "Why", lambda context: dispatch(FreezePlayer("bob", "Why"), context))
    assert sorted(mails(desk)) == sorted(mail.recipient for mail in told)
    assert deeds(desk) == ["player freeze"]


def test_a_deed_is_decided_anew_when_the_server_was_quicker(desk: AdminSession) -> None:
    tries: list[int] = []

    def act(context: Context) -> list[Notice]:
        notices = dispatch(BanPlayer("bob"), context)
        if not tries:
            rivals_move(desk)
        tries.append(len(notices))
        return notices

    desk.do("player ban", "bob", act=act)
    assert tries == [3, 1]
    assert deeds(desk) == ["player ban"]
    assert set(mails(desk)) == {"bob@example.org", "Bob@Work.example"}


def test_a_deed_that_is_always_overtaken_is_given_up_and_leaves_nothing(desk: AdminSession) -> None:
    tries: list[int] = []

    def act(context: Context) -> list[Notice]:
        tries.append(1)
        raise Conflict

    with pytest.raises(TooManyConflicts):
        desk.do("player ban", "bob", act=act)
    assert len(tries) == MOST_CONFLICTS
    assert (deeds(desk), mails(desk)) == ([], [])


def test_a_deed_that_cannot_be_done_leaves_nothing(desk: AdminSession) -> None:
    with pytest.raises(PbemError):
        desk.do("player unban", "bob", act=lambda context: dispatch(UnbanPlayer("bob"), context))
    assert (deeds(desk), mails(desk)) == ([], [])


def test_what_is_noted_of_a_deed_fits_its_column(desk: AdminSession) -> None:
    desk.do("shunted drop", "1 " * 1000)
    assert deeds(desk) == ["shunted drop"]


def test_mails_of_one_deed_are_stored_once(desk: AdminSession) -> None:
    notice = Notice("operator_broadcast", BOB, {"player": BOB, "subject": "Hello", "text": "All"})
    assert desk.mail({"broadcast-1": [notice]}) == 2
    with pytest.raises(Conflict):
        desk.mail({"broadcast-1": [notice]})
