"""Personal data beside a player's account: shown to the player, and deleted when they leave."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import JSON, Column, Engine, insert, text

from pbem.domain.administration import AuditEntry
from pbem.domain.credentials import Confirmation, ConfirmationKind
from pbem.domain.letters import Envelope, OutgoingMail
from pbem.domain.players import Address, Standing
from pbem.domain.ratings import Rating, RatingChange, Score
from pbem.ids import BoardNumber, ConfirmationId, PlayerId
from pbem.storage.arrivals import Arrival
from pbem.storage.counters import drop_mails
from pbem.storage.engine import reading, writing
from pbem.storage.inbox import Inbox
from pbem.storage.models import Base, BounceRow, CorrespondentRow, UtcDateTime
from pbem.storage.operators import note_deed
from pbem.storage.outbox import Outbox
from tests.storage.stock import AT, MINUTE, board, player, work

ALICE = player(1, "alice", "alice@example.org", "Shared@example.org")
CAROL = replace(player(3, "carol"), addresses=(Address("carol@example.org", AT), Address("stranger@example.org")))
BOB = player(2, "bob", "shared@example.org")
QUESTION = Confirmation(
    ConfirmationId(1),
    7,
    ConfirmationKind.COMMAND,
    ALICE.id,
    "alice@example.org",
    AT,
    AT,
    line="resign 101",
    comment="Hi!",
)


def mail(key: str, recipient: str, player: PlayerId | None) -> OutgoingMail:
    return OutgoingMail(key, f"<{key}@localhost>", "", recipient, b"words", player, subject=f"Mail {key}")


class Place:
    """A database in which something is known of alice and bob."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.outbox, self.inbox = Outbox(engine, MINUTE), Inbox(engine, "one", MINUTE)
        with work(engine) as uow:
            uow.players.save(ALICE)
            uow.players.save(BOB)
            uow.confirmations.save(QUESTION)
            uow.commit()
        with writing(engine) as connection:
            sent = [mail("asked", "alice@example.org", None), mail("sent", "alice@example.org", ALICE.id)]
            self.outbox.add(connection, [*sent, mail("bobs", "shared@example.org", BOB.id)], AT)
            values = {
                "at": AT,
                "address_key": "alice@example.org",
                "permanent": True,
                "status": "5.1.1",
                "diagnosis": "",
            }
            connection.execute(insert(BounceRow).values(player_id=ALICE.id, **values))
            for key in ("alice@example.org", "shared@example.org"):
                counts = {"answers": 1, "lately": 1, "unread": 0, "questions": 0}
                connection.execute(insert(CorrespondentRow).values(address_key=key, day=AT, hour=AT, **counts))
        self.outbox.sent(self.outbox.lease(AT, 10), AT)
        for sender in ("Alice@example.org", "shared@example.org"):
            self.inbox.accept([Arrival(Envelope(sender, ("pbem+token@localhost",)), b"raw", (sender,), True, AT)])
            self.handle()

    def handle(self) -> None:
        (leased,) = self.inbox.lease(AT)
        with writing(self.engine) as connection:
            self.inbox.finish(connection, leased, AT)

    def leave(self, standing: Standing = Standing.GONE) -> None:
        with work(self.engine) as uow:
            known = uow.players.get(ALICE.id)
            uow.players.save(replace(known, addresses=(), standing=standing))
            uow.traces.forget(known)
            goodbye = mail("goodbye", "alice@example.org", ALICE.id)
            uow.commit(lambda connection: self.outbox.add(connection, [goodbye], AT))

    def all(self, query: str) -> list[tuple[Any, ...]]:
        with reading(self.engine) as connection:
            return [tuple(row) for row in connection.execute(text(query))]


def test_a_player_is_shown_his_own_mails_letters_questions_and_bounces(engine: Engine) -> None:
    place = Place(engine)
    with work(place.engine) as uow:
        found = uow.traces.of(ALICE)
    assert [each["subject"] for each in found["mails"]] == ["Mail asked", "Mail sent"]
    assert [each["sender"] for each in found["letters"]] == ["Alice@example.org", "shared@example.org"]
    assert [(each["line"], each["comment"]) for each in found["questions"]] == [("resign 101", "Hi!")]
    assert [each["status"] for each in found["bounces"]] == ["5.1.1"]
    assert found["reports"] == []


def test_a_player_is_shown_his_ratings_and_what_has_changed_them(engine: Engine) -> None:
    place = Place(engine)
    with work(place.engine) as uow:
        uow.boards.save(board(101, ALICE, BOB))
        uow.ratings.save(ALICE.id, "superbo", Rating(1800, won=1, last_at=AT))
        change = RatingChange(ALICE.id, "alice", 1600, 1800, 0, Score.WIN, AT)
        uow.ratings.note(BoardNumber(101), "superbo", [change])
        uow.commit()
    with work(place.engine) as uow:
        mine, theirs = uow.traces.of(ALICE), uow.traces.of(BOB)
    assert [(each["game"], each["rating"], each["won"]) for each in mine["ratings"]] == [("superbo", 1800, 1)]
    assert [(each["board_number"], each["after"], each["outcome"]) for each in mine["rating_changes"]] == [
        (101, 1800, 1)
    ]
    assert theirs["ratings"] == theirs["rating_changes"] == []


def test_a_letter_that_is_handled_shows_no_token_any_more(engine: Engine) -> None:
    recipients = str(Place(engine).all("SELECT recipients FROM inbox"))
    assert "pbem@localhost" in recipients
    assert "token" not in recipients


def test_who_leaves_is_forgotten_but_for_what_is_on_its_way(engine: Engine) -> None:
    place = Place(engine)
    place.leave()
    mails = "SELECT key, recipient, subject, raw IS NULL AND packed IS NULL FROM outbox ORDER BY id"
    assert [tuple(row) for row in place.all(mails)] == [
        ("asked", "", None, True),
        ("sent", "", None, True),
        ("bobs", "shared@example.org", "Mail bobs", False),
        ("goodbye", "alice@example.org", "Mail goodbye", False),
    ]
    assert place.all("SELECT address, line, comment FROM confirmations") == [(None, None, "")]
    assert place.all("SELECT count(*) FROM confirmations WHERE answered_at IS NULL") == [(0,)]
    assert place.all("SELECT count(*) FROM bounces") == [(0,)]
    assert place.all("SELECT sender FROM inbox ORDER BY id") == [("",), ("shared@example.org",)]
    assert place.all("SELECT address_key FROM correspondents") == [("shared@example.org",)]
    assert place.all("SELECT userid, standing FROM players WHERE id = 1") == [("alice", "gone")]


def test_the_last_mail_is_delivered_and_then_forgotten_too(engine: Engine) -> None:
    place = Place(engine)
    place.leave()
    (goodbye,) = place.outbox.lease(AT, 10)
    assert (goodbye.recipient, goodbye.raw) == ("alice@example.org", b"words")
    place.outbox.retry(goodbye, "later", AT)
    assert len(place.outbox.lease(AT, 10)) == 1
    place.outbox.sent([goodbye], AT)
    left = "SELECT recipient, subject, state, raw, packed FROM outbox WHERE key = 'goodbye'"
    assert place.all(left) == [("", None, "sent", None, None)]
    assert place.all("SELECT recipient FROM outbox WHERE key = 'bobs'") == [("shared@example.org",)]


def changed_address(place: Place) -> None:
    """Alice gives up an address, from which she has asked for something and to which she was written."""
    with work(place.engine) as uow:
        uow.players.save(replace(uow.players.get(ALICE.id), addresses=(Address("new@example.org", AT),)))
        uow.commit()


def test_addresses_that_a_player_had_before_are_known_and_forgotten_too(engine: Engine) -> None:
    place = Place(engine)
    changed_address(place)
    with work(engine) as uow:
        found = uow.traces.of(uow.players.get(ALICE.id))
    assert [each["sender"] for each in found["letters"]] == ["Alice@example.org"]
    assert [each["address"] for each in found["answers_counted"]] == ["alice@example.org"]
    place.leave()
    assert place.all("SELECT sender FROM inbox ORDER BY id") == [("",), ("shared@example.org",)]
    assert place.all("SELECT address_key FROM correspondents") == [("shared@example.org",)]


def test_an_address_that_never_answered_is_not_taken_for_the_players(engine: Engine) -> None:
    place = Place(engine)
    with work(engine) as uow:
        uow.players.save(CAROL)
        uow.commit()
    place.inbox.accept([Arrival(Envelope("stranger@example.org", ("pbem@localhost",)), b"raw", ("s",), True, AT)])
    place.handle()
    with writing(engine) as connection:
        place.outbox.add(connection, [mail("help", "stranger@example.org", None)], AT)
    with work(engine) as uow:
        found = uow.traces.of(CAROL)
    assert (found["letters"], found["mails"]) == ([], [])
    with work(engine) as uow:
        known = uow.players.get(CAROL.id)
        uow.players.save(replace(known, addresses=(), standing=Standing.GONE))
        uow.traces.forget(known)
        uow.commit()
    assert place.all("SELECT sender FROM inbox WHERE id = 3") == [("stranger@example.org",)]


@pytest.mark.parametrize("standing", [Standing.GONE, Standing.BANNED])
def test_mails_on_their_way_are_forgotten_whatever_becomes_of_them(engine: Engine, standing: Standing) -> None:
    place = Place(engine)
    with writing(engine) as connection:
        place.outbox.add(connection, [mail("asked-late", "alice@example.org", None)], AT)
    place.leave(standing)
    waiting = [number for (number,) in place.all("SELECT id FROM outbox WHERE state = 'waiting' ORDER BY id")]
    with writing(engine) as connection:
        assert drop_mails(connection, waiting, AT) == waiting
    assert place.all("SELECT recipient, subject FROM outbox WHERE state = 'dropped'") == [("", None)] * 2


def test_deeds_are_shown_to_those_they_were_done_to_however_they_were_noted(engine: Engine) -> None:
    Place(engine)
    with writing(engine) as connection:
        for subject in ("alice", "ALICE", "bob, alice", "malice", "ali", "101"):
            note_deed(connection, AuditEntry(AT, "root", "player freeze", subject, subject))
    with work(engine) as uow:
        deeds = uow.traces.of(ALICE)["deeds_of_the_operator"]
    assert [each["reason"] for each in deeds] == ["alice", "ALICE", "bob, alice"]


SHOWN = {
    "players": "account",
    "addresses": "account",
    "seats": "boards",
    "clock_pauses": "boards",
    "played": "boards",
    "blocks": "blocked",
    "bounces": "bounces",
    "broadcasts": "broadcasts",
    "confirmations": "questions",
    "digest_entries": "kept_for_the_daily_mail",
    "familiar_sources": "familiar_sources",
    "notes": "notes",
    "outbox": "mails",
    "rating_changes": "rating_changes",
    "ratings": "ratings",
    "tasks": "analyses",
    "readiness": "readiness",
    "remarks": "remarks",
    "reports": "reports",
    "seeks": "seeks",
    "sessions": "sessions",
    "push_subscriptions": "notified_browsers",
    "solved_puzzles": "solved_puzzles",
    "studies": "studies",
    "tokens": "tokens",
    "tournament_byes": "byes",
    "tournament_entries": "tournaments",
    "tournaments": "tournaments_created",
    "watches": "watches",
}
"""Each table that knows players, and where it is found in what a player is shown."""

BY_OTHERS = {"blocks": "other_id", "watches": "other_id", "reports": "about_id"}
"""Columns that name somebody in the data of another player, and that the one named is not shown."""

KEPT = {
    "players": "the userid, so that nobody else can have it",
    "seats": "finished games keep the userid",
    "clock_pauses": "a board cannot be followed without them",
    "played": "how many finished games there are; it follows from them",
    "confirmations": "emptied; their numbers must not be given out again",
    "outbox": "emptied; what became of mails is counted",
    "rating_changes": "results of finished games",
    "ratings": "likewise",
    "reports": "the operator may still have to act",
    "tournament_byes": "results of tournaments",
    "tournament_entries": "likewise",
    "tournaments": "likewise",
}
"""Tables that still know a player who has left, and why."""


def columns_of_players() -> set[tuple[str, str]]:
    """Every column that holds the number of a player."""
    found = {("players", "id")}
    for table in Base.metadata.tables.values():
        for column in table.columns:
            refers = any(key.column.table.name == "players" for key in column.foreign_keys)
            if refers or column.name in ("player_id", "other_id", "about_id", "creator_id"):
                found.add((table.name, column.name))
    return found


def made_up(column: Column[Any], about: PlayerId) -> object:
    """A value that may stand in a column."""
    if (column.table.name, column.name) in columns_of_players():
        other = BY_OTHERS.get(column.table.name)
        return BOB.id if column.name == other else about
    if isinstance(column.type, UtcDateTime):
        return AT
    if isinstance(column.type, JSON):
        return {}
    kinds: dict[type, object] = {int: 101, str: "x", bool: False}
    return kinds[column.type.python_type]


def filled(engine: Engine) -> Place:
    """A database in which every table knows something of alice."""
    place = Place(engine)
    with work(engine) as uow:
        uow.boards.save(board(101, ALICE, BOB))
        uow.commit()
    with writing(engine) as connection:
        for table in Base.metadata.sorted_tables:
            columns = [column for name, column in columns_of_players() if name == table.name]
            if not columns or table.name in ("players", "addresses", "seats"):
                continue
            values = {
                column.name: made_up(column, ALICE.id)
                for column in table.columns
                if not (column.nullable or column.server_default is not None) or column.name in columns
            }
            key = [column.name for column in table.primary_key.columns if column.name == "id"]
            connection.execute(insert(table).values({**values, **dict.fromkeys(key, 101)}))
    return place


def test_everything_that_knows_a_player_is_shown_to_him(engine: Engine) -> None:
    """A new table with players in it must find its place in what they are shown."""
    place = filled(engine)
    assert {table for table, _ in columns_of_players()} == set(SHOWN)
    with work(place.engine) as uow:
        found = uow.traces.of(ALICE)
    lists = {name: len(rows) for name, rows in found.items()}
    for table, name in SHOWN.items():
        if name not in ("account", "boards"):
            assert lists[name] > 0, table


def test_who_leaves_is_known_only_where_there_is_a_reason(engine: Engine) -> None:
    place = filled(engine)
    place.leave()
    for table, column in sorted(columns_of_players() - {("reports", "about_id")}):
        (count,) = place.all(f"SELECT count(*) FROM {table} WHERE {column} = {ALICE.id}")[0]  # noqa: S608 - ours
        assert (count > 0) == (table in KEPT), (table, column)
    assert place.all("SELECT vacations, seen_on, pace_seconds FROM players WHERE id = 1") == [(None, None, None)]
