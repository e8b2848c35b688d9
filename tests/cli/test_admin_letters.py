"""``pbem admin letters``, ``outbox`` and ``suppressed`` beside a running server."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.admin import admin, done, refused, told
from tests.conversations.playing import begin
from tests.support import reports
from tests.support.mail import Mail
from tests.support.server import GameServer


def rows(server: GameServer, *words: str) -> list[dict[str, Any]]:
    found = told(server.folder, "letters", *words)
    assert isinstance(found, list)
    return found


def test_what_came_and_went_is_listed_with_its_fate_and_without_tokens(shared: GameServer) -> None:
    table = begin(shared, "amy", "ben")
    table.play("B3")
    table.other.mails(reports.by_postfix(table.other_mail), table.other_mail.envelope_sender, sender="")
    assert "My mails to ben come back" in table.one.hears().words
    found = rows(shared, "--player", "ben")
    assert {row["way"] for row in found} == {"in", "out"}
    (last,) = [row for row in found if row["state"] == "bounced"]
    assert last["to"] == ["ben@example.org"]
    assert last["subject"] == f"superbo Board {table.number} ben"
    assert "550 5.1.1" in last["error"]
    of_board = rows(shared, "--board", table.number)
    assert {row["way"] for row in of_board} == {"out"}
    assert len(of_board) == 4
    assert {row["state"] for row in rows(shared, "--state", "bounced", "--player", "ben")} == {"bounced"}
    assert len(rows(shared, "--limit", "2")) == 2
    shown = done(shared.folder, "letters")
    assert "pbem+" not in shown + str(rows(shared))
    assert "ben@example.org" in shown
    assert "nosuchplayer" in refused(shared.folder, "letters", "--player", "nosuchplayer")


def test_a_mail_that_is_delayed_is_listed_as_such(shared: GameServer) -> None:
    table = begin(shared, "lena", "mark")
    report = reports.by_postfix(table.other_mail, delayed=True)
    table.other.mails(report, table.other_mail.envelope_sender, sender="")
    assert table.one.hears_nothing()
    (found,) = rows(shared, "--state", "delayed", "--player", "mark")
    assert (found["state"], found["subject"]) == ("delayed", table.other_mail.subject)
    assert found["error"]
    assert found["id"] in [row["id"] for row in rows(shared, "--state", "sent", "--player", "mark")]


def test_a_suppressed_address_is_listed_and_lifted_and_all_are_told(shared: GameServer) -> None:
    table = begin(shared, "cleo", "dora")
    table.other.mails(reports.by_postfix(table.other_mail), table.other_mail.envelope_sender, sender="")
    table.one.hears()
    (found,) = [row for row in told(shared.folder, "suppressed", "list") if row["userid"] == "dora"]
    assert (found["address"], found["why"]) == (table.other.address, "smtp; 550 5.1.1 User unknown")
    assert done(shared.folder, "suppressed", "lift", "Dora@example.org").endswith("again; 2 mails are on the way\n")
    assert "My mails reach dora again" in table.one.hears().words
    again = table.other.hears()
    assert again.subject == "My mails reach you again, dora"
    assert "It is not your turn on any board" in again.words
    assert "or it already gets mail" in refused(shared.folder, "suppressed", "lift", "dora@example.org")
    last = told(shared.folder, "deeds", "--limit", "1")[0]
    assert (last["deed"], last["subject"]) == ("suppressed lift", "dora")


def test_the_operator_can_suppress_an_address(shared: GameServer) -> None:
    table = begin(shared, "ella", "finn")
    out = done(shared.folder, "suppressed", "add", "finn@example.org", "--reason", "the mailbox is full")
    assert out == "no more mail goes to finn@example.org; 1 mail is on the way\n"
    mail = table.one.hears()
    assert "My mails to finn come back." in mail.words
    assert "mailbox is full" not in mail.text
    assert 'no player has the address "nobody@example.org", or it already gets no mail' in refused(
        shared.folder, "suppressed", "add", "nobody@example.org"
    )


def test_a_mail_that_was_given_up_is_handed_over_again_or_dropped(shared: GameServer) -> None:
    stranger = shared.person("stranger")

    def answer(mail: Mail) -> str:
        return "554 5.7.1 no" if mail.recipient == stranger.address else "250 OK"

    shared.postbox.answer = answer
    stranger.says("help")
    stranger.says("list")
    boss = shared.person("boss")
    assert {boss.hears().subject, boss.hears().subject} == {"pbem could not deliver a mail"}
    one, other = (row["id"] for row in rows(shared, "--state", "failed") if row["to"] == [stranger.address])
    unsent = told(shared.folder, "outbox", "list")
    assert [(each["id"], each["state"]) for each in unsent] == [(one, "failed"), (other, "failed")]
    assert {each["to"] for each in unsent} == {stranger.address}
    assert "554 5.7.1 no" in done(shared.folder, "outbox", "list")
    shared.postbox.answer = lambda _mail: "250 OK"
    assert done(shared.folder, "outbox", "drop", str(other)) == f"mail {other} dropped\n"
    assert done(shared.folder, "outbox", "retry", "--given-up") == f"mail {one} will be tried again\n"
    assert stranger.hears().subject == "pbem help"
    ended = admin(shared.folder, "outbox", "retry", str(other))
    assert (ended.exit_code, ended.stderr) == (1, f"pbem: nothing to retry: {other}\n")
    dropped = [row["id"] for row in rows(shared, "--state", "dropped")]
    assert dropped == [other]
    assert done(shared.folder, "outbox", "list") == "The relay has accepted every mail.\n"


def test_a_mail_that_came_back_is_made_again_as_it_was_then(shared: GameServer) -> None:
    table = begin(shared, "gail", "hugo")
    table.play("B3")
    was = table.other_mail
    table.other.mails(reports.by_postfix(was), was.envelope_sender, sender="")
    assert "My mails to hugo come back" in table.one.hears().words
    table.other.answers(was, "c4,k5")
    table.one.hears()
    (back,) = (row["id"] for row in rows(shared, "--state", "bounced") if row["to"] == [table.other.address])
    assert done(shared.folder, "outbox", "retry", str(back)) == f"mail {back} will be tried again\n"
    shared.postbox.settle(shared.port)
    again = shared.postbox.repeated.pop()
    assert (again.recipient, again.raw) == (was.recipient, was.raw)
    assert b"image/png" in was.raw
    ended = admin(shared.folder, "outbox", "retry", str(back))
    assert (ended.exit_code, ended.stderr) == (1, f"pbem: nothing to retry: {back}\n")


def test_a_mail_that_came_back_is_not_made_again_with_a_position_that_came_later(shared: GameServer) -> None:
    table = begin(shared, "iris", "jack")
    table.play("B3")
    was = table.other_mail
    table.other.mails(reports.by_postfix(was), was.envelope_sender, sender="")
    assert "My mails to jack come back" in table.one.hears().words
    (back,) = (row["id"] for row in rows(shared, "--state", "bounced") if row["to"] == [table.other.address])
    shared.database.change(
        "UPDATE outbox SET created_at = (SELECT begun_at FROM boards WHERE number = :board) WHERE id = :mail",
        board=int(table.number),
        mail=back,
    )
    ended = admin(shared.folder, "outbox", "retry", str(back))
    assert (ended.exit_code, ended.stderr) == (1, f"pbem: nothing to retry: {back}\n")


@pytest.mark.parametrize("words", [("outbox", "retry"), ("outbox", "drop", "x"), ("letters", "--state", "odd")])
def test_misuse_is_told(shared: GameServer, words: tuple[str, ...]) -> None:
    assert admin(shared.folder, *words).exit_code == 2
