"""Questions that are asked again and again, or by any letter, are answered by an index: no table is walked for them.

SQLite sets about a question in the same way however much there is. PostgreSQL is asked whether it could.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event

from pbem.domain.ratings import Rating
from pbem.domain.watches import ListPart
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.engine import reading
from pbem.storage.inbox import Inbox
from pbem.storage.outbox import Outbox
from pbem.storage.overview import depths
from pbem.storage.unit_of_work import UnitOfWork
from tests.storage.boxes import LEASE, letter
from tests.storage.stock import ALICE, AT, BOB, board, played, stocked, work
from tests.support.databases import engine_at

_ON_SQLITE = re.compile(r"(?P<how>SCAN|SEARCH) (?P<row>[a-z_]+?)(?:_\d+)?(?: .*?(?P<index>[a-z]+_\w+|PRIMARY KEY).*)?$")
_ON_POSTGRESQL = re.compile(r"(?P<how>Seq Scan|Index \w*\s?Scan)\b.*?(?: using (?P<index>\w+))? on (?P<row>\w+)")
_MADE_UP = {"anon"}
"""Names of no table, but of something that the same question has made."""
_WAYS = "enable_seqscan", "enable_bitmapscan", "enable_sort"
"""Ways that PostgreSQL prefers with tables as small as these; it still takes them where it must."""
_LATELY = AT - timedelta(days=14)
_SINCE = AT - timedelta(days=90)
_FAR_DOWN = ListPart(number=3, behind=104)


class QueryPlans:
    """The questions put to a database, and its plans for them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._asked: list[tuple[str, Any]] = []
        event.listen(engine, "before_cursor_execute", self._note)

    def _note(self, _connection: Connection, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        if statement.startswith(("SELECT", "UPDATE", "DELETE")):
            self._asked.append((statement, values))

    def _lines(self) -> list[str]:
        """The database's own description of the plans."""
        asked, is_sqlite = list(self._asked), self._engine.dialect.name == "sqlite"
        explain = "EXPLAIN QUERY PLAN" if is_sqlite else "EXPLAIN"
        with reading(self._engine) as connection:
            for way in () if is_sqlite else _WAYS:
                connection.exec_driver_sql(f"SET {way} = off")
            plans = (connection.exec_driver_sql(f"{explain} {statement}", values) for statement, values in asked)
            return [line[-1] for plan in plans for line in plan.all()]

    def steps(self) -> list[tuple[str, str, str | None]]:
        """By each step: whether it walks or searches, which table, and by which index."""
        step = _ON_SQLITE if self._engine.dialect.name == "sqlite" else _ON_POSTGRESQL
        found = [each for each in map(step.search, self._lines()) if each]
        return [(each["how"], each["row"], each["index"]) for each in found if each["row"] not in _MADE_UP]

    def sorts(self) -> bool:
        """Return True if SQLite sorts anything, since no index has the order."""
        return any("TEMP B-TREE" in line for line in self._lines())

    def walked(self) -> set[str]:
        """The tables that are walked from one end to the other, and the indexes that are."""
        return {index or row for how, row, index in self.steps() if how in ("SCAN", "Seq Scan")}

    def used(self) -> set[str]:
        """The indexes that are used."""
        return {index for _, _, index in self.steps() if index}


@pytest.fixture
def stocked_engine(engine: Engine) -> Engine:
    stocked(engine, board(101, ALICE, BOB), played(board(102, ALICE, BOB), "C3"))
    return engine


@pytest.fixture
def on_sqlite(sqlite_url: str) -> Iterator[Engine]:
    with engine_at(sqlite_url) as engine:
        yield engine


ALL: dict[str, tuple[Callable[[UnitOfWork], object], str]] = {
    "clocks": (lambda uow: uow.clocks.due(AT, 20, [BoardNumber(101)]), "ix_boards_clock_at"),
    "tournaments": (lambda uow: uow.tournaments.due(), "tournaments"),
    "the games": (lambda uow: uow.boards.count("superbo"), "tallies"),
    "the boards of one game": (lambda uow: lists(uow, None, "superbo"), "ix_boards_active_game_number"),
    "the boards of a player": (lambda uow: lists(uow, ALICE.id, None), "ix_seats_player_active"),
    "those that are over": (
        lambda uow: uow.boards.of_players([ALICE.id], "inactive", None, 10, ended_since=_LATELY),
        "ix_seats_player_finished_at",
    ),
    "a label": (lambda uow: uow.boards.labelled("A1", "superbo", 5), "ix_boards_tournament_label"),
    "two players": (lambda uow: uow.boards.active_between(ALICE.id, BOB.id), "ix_seats_player_active"),
    "an earlier board": (lambda uow: uow.boards.have_begun(ALICE.id, BOB.id, "superbo", AT), "seats"),
    "standings": (lambda uow: uow.rankings.standings("superbo", _SINCE, 100), "ix_ratings_established"),
    "the average": (lambda uow: uow.ratings.established("superbo", _SINCE), "ix_ratings_established"),
    "userids that look alike": (lambda uow: uow.players.alike("a1ice"), "players"),
    "who was here": (lambda uow: uow.rankings.seen(AT.date(), 100), "ix_players_seen_on_userid_key"),
    "a player": (lambda uow: uow.rankings.reliability(ALICE.id), "played"),
    "a player's newest boards": (lambda uow: uow.rankings.newest_boards(ALICE.id, 20), "ix_seats_player_active"),
    "the history of a game": (lambda uow: histories(uow, None, "superbo"), "ix_boards_finished_game_at"),
    "the history of a player": (lambda uow: histories(uow, ALICE.id, "superbo"), "ix_seats_player_finished_at"),
    "seeks": (lambda uow: uow.seeks.count("superbo"), "seeks"),
}


def lists(uow: UnitOfWork, player: PlayerId | None, game: str | None) -> None:
    """Ask for every kind of list, at its beginning and farther down."""
    players = None if player is None else [player]
    for which in ("all", "active", "inactive", "next", "standard"):
        for part in (ListPart(), _FAR_DOWN):
            uow.boards.of_players(players, which, game, 10, ended_since=_LATELY, part=part)


def histories(uow: UnitOfWork, player: PlayerId | None, game: str | None) -> None:
    """Ask for a history, at its beginning and farther down."""
    for part in (ListPart(), _FAR_DOWN):
        uow.rankings.history(player, game, 10, part)


@pytest.mark.parametrize(("ask", "index"), ALL.values(), ids=list(ALL))
def test_an_index_leads_to_what_is_asked_for(
    stocked_engine: Engine, ask: Callable[[UnitOfWork], object], index: str
) -> None:
    asked = QueryPlans(stocked_engine)
    with work(stocked_engine) as uow:
        ask(uow)
    assert asked.walked() == set()
    assert any(index in used for used in asked.used()), "of a table, if it has but one, or one is as good as another"


def test_lists_of_everybody_are_read_in_the_order_of_an_index_until_they_are_long_enough(on_sqlite: Engine) -> None:
    asked = QueryPlans(on_sqlite)
    with work(on_sqlite) as uow:
        uow.boards.of_players(None, "active", None, 10)
        uow.boards.of_players(None, "standard", None, 10)
        uow.boards.of_players(None, "tournament", None, 10)
        uow.boards.of_players(None, "inactive", None, 10, ended_since=_LATELY)
        histories(uow, None, None)
    in_order = {"ix_boards_active_number", "ix_boards_active_in_tournaments", "ix_boards_finished_at"}
    assert asked.walked() <= in_order <= asked.used()


def test_boards_that_are_over_are_not_sorted_but_read_in_the_order_of_an_index(on_sqlite: Engine) -> None:
    asked = QueryPlans(on_sqlite)
    with work(on_sqlite) as uow:
        for players in (None, [ALICE.id]):
            for game in (None, "superbo"):
                uow.boards.of_players(players, "inactive", game, 10, ended_since=_LATELY)
                uow.boards.of_players(players, "inactive", game, 10, ended_since=_LATELY, part=_FAR_DOWN)
    assert not asked.sorts()


def test_queues_are_asked_by_indexes_of_what_waits(on_sqlite: Engine) -> None:
    inbox, outbox = Inbox(on_sqlite, "one", LEASE), Outbox(on_sqlite, LEASE)
    asked = QueryPlans(on_sqlite)
    inbox.accept([letter("a"), letter("b", "bob@example.org")], 1000)
    assert len(inbox.lease(AT, 8)) == 2
    inbox.unhandled_since()
    outbox.lease(AT, 10)
    for number in range(50):
        inbox.accept([letter(f"crowd{number}", "x@evil.example")], 1000)
    lanes = {"ix_inbox_waiting_turn", "ix_inbox_waiting_lane"}
    waiting = {"ix_inbox_waiting", "ix_inbox_waiting_sender", "ix_outbox_due"} | lanes
    assert asked.walked() <= waiting
    assert asked.used() >= waiting


def test_the_depths_of_the_queues_are_counted_by_indexes_of_what_waits(on_sqlite: Engine) -> None:
    asked = QueryPlans(on_sqlite)
    with reading(on_sqlite) as connection:
        depths(connection, AT)
    assert not asked.walked() & {"inbox", "outbox", "addresses", "tasks", "reports"}


def test_who_leaves_is_forgotten_without_a_look_at_everybody_else(on_sqlite: Engine) -> None:
    stocked(on_sqlite)
    asked = QueryPlans(on_sqlite)
    with work(on_sqlite) as uow:
        uow.traces.forget(ALICE)
        uow.commit()
    assert asked.used() >= {"ix_inbox_lower_sender", "sqlite_autoindex_correspondents_1"}
    assert not asked.walked() & {"inbox", "outbox", "correspondents", "addresses"}


def test_all_players_are_asked_for_their_average_once_however_many_boards_end(on_sqlite: Engine) -> None:
    stocked(on_sqlite)
    asked = QueryPlans(on_sqlite)
    with work(on_sqlite) as uow:
        for who in (ALICE, BOB):
            assert uow.ratings.established("superbo", _SINCE) == (0, 0)
            uow.ratings.save(who.id, "superbo", Rating(1500))
    assert [index for _, row, index in asked.steps() if row == "ratings"] == [
        "ix_ratings_established",
        "sqlite_autoindex_ratings_1",
    ]
