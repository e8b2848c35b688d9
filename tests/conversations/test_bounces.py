"""Mails that come back: the opponent is told, the clock stands, and all goes on when they arrive again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from pbem.storage.models import BoardRow, PauseRow
from tests.conversations.playing import MailBoard, begin, played, seat
from tests.support import reports
from tests.support.mail import Mail
from tests.support.server import GameServer


def comes_back(table: MailBoard, mail: Mail, report: Callable[[Mail], bytes] = reports.by_postfix) -> None:
    """A mail to somebody at the table comes back to where it was mailed from."""
    table.other.mails(report(mail), mail.envelope_sender, sender="")


def suppressed(server: GameServer, userid: str) -> list[str]:
    """The addresses of a player that nothing is mailed to."""
    rows = server.database.rows(
        "SELECT address FROM addresses JOIN players ON players.id = player_id "
        "WHERE suppressed_at IS NOT NULL AND userid = :userid ORDER BY position",
        userid=userid,
    )
    return [address for (address,) in rows]


def open_pauses(server: GameServer, table: MailBoard) -> int:
    query = "SELECT count(*) FROM clock_pauses WHERE ended_at IS NULL AND board_number = :board"
    ((count,),) = server.database.rows(query, board=int(table.number))
    return int(count)


@pytest.mark.parametrize(
    ("name", "report"),
    [
        ("postfix", reports.by_postfix),
        ("exim", reports.by_exim),
        ("exchange", reports.by_exchange),
        ("qmail", reports.by_qmail),
    ],
)
def test_the_whole_story(shared: GameServer, name: str, report: Callable[[Mail], bytes]) -> None:
    table = begin(shared, f"alice-{name}", f"bob-{name}")
    alice, bob, number = table.one, table.other, table.number
    comes_back(table, table.other_mail, report)

    told = alice.hears()
    assert told.subject == f"Mails to bob-{name} do not arrive"
    assert f"My mails to bob-{name} come back. Until they arrive again, but no later than" in told.words
    assert (
        f"the clocks of this board are stopped: {number} superbo your turn After that date they run again."
        in told.words
    )
    assert len(told.text.splitlines()) < 12
    assert "bob-" + name + "@" not in told.raw.decode()
    assert (suppressed(shared, f"bob-{name}"), open_pauses(shared, table)) == ([bob.address], 1)

    alice.answers(table.one_mail, "b3")
    moved = alice.hears()
    assert f"Mail to bob-{name} does not arrive at present" in moved.words
    assert bob.hears_nothing()

    bob.says(f"show {number} ", headers={"In-Reply-To": "<x@y>"})  # it only seems to come from there
    shown = bob.hears()
    assert "My mails to you come back" in shown.words
    assert suppressed(shared, f"bob-{name}") == [bob.address]

    bob.says(f"superbo move {number} bob-{name} secret c4,k5")
    again, played_on = bob.hears(), bob.hears()
    assert again.subject == f"My mails reach you again, bob-{name}"
    assert f"{number}" in again.text
    assert "It is your turn here" in again.words
    assert "does not arrive" not in played_on.words
    runs, moved = alice.hears(), alice.hears()
    assert runs.subject == f"Mails to bob-{name} arrive again"
    assert f"The clocks of this board are running again: {number} superbo" in runs.words
    assert moved.subject == f"superbo Board {number} alice-{name}"
    assert (suppressed(shared, f"bob-{name}"), open_pauses(shared, table)) == ([], 0)


def test_the_time_that_nobody_could_be_reached_is_not_counted(shared: GameServer) -> None:
    table = begin(shared, "alice-time", "bob-time")
    comes_back(table, table.other_mail)
    table.one.hears()
    table.one.answers(table.one_mail, "b3")
    table.one.hears()
    days, board = timedelta(days=5), int(table.number)
    shared.database.set_back(PauseRow.began_at, days, PauseRow.board_number == board)
    shared.database.set_back(BoardRow.begun_at, days, BoardRow.number == board)
    table.other.says(f"resign {table.number} bob-time secret")
    runs, over = table.one.hears(), table.one.hears()
    assert runs.subject == "Mails to bob-time arrive again"
    assert "day" not in over.words
    assert "declined" in over.words or "Time used" in over.words


def test_three_failures_for_now_are_needed_and_a_mail_counts_once(shared: GameServer) -> None:
    table = begin(shared, "alice-slow", "bob-slow")
    for day in range(4):
        report = reports.by_postfix(table.other_mail, delayed=True).replace(b"Sat, 02", b"Sat, %02d" % (2 + day))
        table.other.mails(
            report.replace(b"@mx.example.net>", b"%d@mx.example.net>" % day),
            table.other_mail.envelope_sender,
            sender="",
        )
    assert table.one.hears_nothing()
    mails = [table.other_mail]
    for turn in ("b3", "c4,k5"):
        table.play(turn)
        mails.append(table.other_mail)
    for mail in mails[1:]:
        table.other.mails(reports.by_postfix(mail, delayed=True), mail.envelope_sender, sender="")
    assert "My mails to bob-slow come back." in table.one.hears().words


def test_who_has_another_address_is_told_there_and_the_game_goes_on(shared: GameServer) -> None:
    alice = shared.player("alice-two")
    bob, work = shared.person("bob-two"), shared.person("bob-at-work")
    bob.says(f"signup bob-two secret {bob.address} {work.address}")
    bob.answers(bob.hears(), "yes")
    bob.hears()
    work.answers(work.hears(), "yes")
    assert work.hears().subject == "Address confirmed for bob-two"
    alice.says("superbo challenge bob-two")
    number = alice.hears().subject.split()[3]
    mail = bob.hears()
    assert work.hears().subject == mail.subject
    bob.mails(reports.by_postfix(mail), mail.envelope_sender, sender="")
    told = work.hears()
    assert told.subject == "Mails to one of your addresses come back, bob-two"
    assert f"My mails to {bob.address} come back" in told.words
    assert "550 5.1.1 User unknown" in told.words
    assert alice.hears_nothing()
    assert bob.hears_nothing()
    work.says(f"show {number}")
    assert "does not arrive" not in work.hears().words
    bob.answers(mail, "resign")
    assert bob.hears().subject == work.hears().subject
    assert suppressed(shared, "bob-two") == []


def test_a_letter_that_only_seems_to_come_from_there_starts_no_clock_but_answering_the_question_does(
    shared: GameServer,
) -> None:
    table = begin(shared, "alice-claim", "bob-claim")
    comes_back(table, table.other_mail)
    table.one.hears()
    table.other.says(f"resign {table.number}")
    question = table.other.hears()
    assert question.subject == f"Please confirm, bob-claim: resign on board {table.number}"
    assert table.one.hears_nothing()
    assert suppressed(shared, "bob-claim") == [table.other.address]
    table.other.answers(question, "yes")
    assert table.one.hears().subject == "Mails to bob-claim arrive again"
    assert "bob-claim has declined to play." in table.one.hears().words
    assert suppressed(shared, "bob-claim") == []


def test_who_cannot_be_reached_can_challenge_again_by_what_the_refusal_says(shared: GameServer) -> None:
    table = begin(shared, "alice-anew", "bob-anew")
    comes_back(table, table.other_mail)
    table.other.says("superbo challenge bob-anew alice-anew")
    refusal = table.other.hears()
    assert refusal.subject == "Invalid challenge"
    assert 'write "set legend=on" from there, and answer the question' in refusal.words
    table.other.says("set legend=on")
    table.other.answers(table.other.hears(), "yes")
    assert {table.other.hears().subject, table.other.hears().subject} == {
        "My mails reach you again, bob-anew",
        "Preferences of bob-anew",
    }
    table.other.says("superbo challenge bob-anew alice-anew")
    assert table.other.hears().subject.startswith("New superbo Board")


def test_who_writes_from_an_unknown_address_with_the_password_is_answered_there_and_lifts_nothing(
    shared: GameServer,
) -> None:
    table = begin(shared, "alice-cafe", "bob-cafe")
    comes_back(table, table.other_mail)
    table.one.hears()
    table.one.answers(table.one_mail, "b3")
    table.one.hears()
    cafe = shared.person("internet-cafe")
    cafe.says(f"move {table.number} bob-cafe secret c4,k5")
    assert cafe.hears().subject == f"superbo Board {table.number} alice-cafe"
    assert "Mail to bob-cafe does not arrive" in table.one.hears().words
    assert suppressed(shared, "bob-cafe") == [table.other.address]


def test_who_cannot_be_reached_cannot_be_challenged(shared: GameServer) -> None:
    table = begin(shared, "alice-new", "bob-new")
    comes_back(table, table.other_mail)
    table.one.hears()
    table.one.says("superbo challenge bob-new")
    refused = table.one.hears()
    assert refused.subject == "Invalid challenge"
    assert "bob-new" in refused.words
    assert table.other.address not in refused.text


@pytest.mark.parametrize("harmless", [reports.vacation, reports.receipt, reports.delivered])
def test_what_is_no_failure_means_nothing(shared: GameServer, harmless: Callable[[Mail], bytes]) -> None:
    name = harmless.__name__
    table = begin(shared, f"alice-{name}", f"bob-{name}")
    before = played(shared)
    for sender in ("", table.other.address):
        table.other.mails(
            harmless(table.other_mail).replace(b"May 10th", sender.encode()),
            table.other_mail.envelope_sender,
            sender=sender,
        )
    assert table.one.hears_nothing()
    assert table.other.hears_nothing()
    assert played(shared) == before


def forged(mail: Mail) -> list[str]:
    local, _, domain = mail.envelope_sender.partition("@")
    name, _, token = local.partition("+")
    other = "a" if token[-8] != "a" else "b"
    return [
        f"{name}+{token[:-8]}{other}{token[-7:]}@{domain}",
        f"{name}+{token[:-1]}@{domain}",
        mail.reply_to,
    ]


def test_a_forged_report_and_one_to_an_address_of_another_purpose_do_nothing(shared: GameServer) -> None:
    table = begin(shared, "alice-forge", "bob-forge")
    before = played(shared)
    for address in forged(table.other_mail):
        table.other.mails(reports.by_postfix(table.other_mail), address, sender="")
    unknown = reports.by_postfix(table.other_mail).replace(b"Message-ID: <g", b"Message-ID: <h")
    table.other.mails(unknown, table.other.server, sender="")
    assert table.one.hears_nothing()
    assert played(shared) == before


def _of_other_mail(_mail: Mail, report: bytes) -> bytes:
    return report.replace(b"Message-ID: <g", b"Message-ID: <h")


def _of_no_mail(_mail: Mail, report: bytes) -> bytes:
    return b"\r\n".join(line for line in report.split(b"\r\n") if not line.startswith(b"Message-ID: <g"))


def _from_himself(mail: Mail, report: bytes) -> bytes:
    return report.replace(b"MAILER-DAEMON@mx.example.net (Mail Delivery System)", mail.recipient.upper().encode())


@pytest.mark.parametrize("changed", [_of_other_mail, _of_no_mail, _from_himself])
def test_a_report_that_does_not_fit_stops_no_clock(shared: GameServer, changed: Callable[[Mail, bytes], bytes]) -> None:
    table = begin(shared, f"ann{changed.__name__[4:9]}", f"ben{changed.__name__[4:9]}")
    mail = table.other_mail
    table.other.mails(changed(mail, reports.by_postfix(mail)), mail.envelope_sender, sender="")
    assert table.one.hears_nothing()
    assert (suppressed(shared, f"ben{changed.__name__[4:9]}"), open_pauses(shared, table)) == ([], 0)


def test_a_report_of_a_mail_to_somebody_else_stops_no_clock(shared: GameServer) -> None:
    table = begin(shared, "alice-mixed", "bob-mixed")
    table.other.mails(reports.by_postfix(table.one_mail), table.other_mail.envelope_sender, sender="")
    assert table.one.hears_nothing()
    assert open_pauses(shared, table) == 0


def test_a_report_to_our_plain_address_is_noted_with_its_mail_and_stops_no_clock(shared: GameServer) -> None:
    table = begin(shared, "alice-plain", "bob-plain")
    table.other.mails(reports.by_postfix(table.other_mail), table.other.server, sender="")
    shared.postbox.settle(shared.port)  # of two senders any may be heard first
    table.one.says(f"mailed {table.number}")
    assert "came back" in table.one.hears().words
    assert (suppressed(shared, "bob-plain"), open_pauses(shared, table)) == ([], 0)


def test_a_report_that_is_kept_and_sent_again_stops_no_clock_again(shared: GameServer) -> None:
    table = begin(shared, "alice-again", "bob-again")
    comes_back(table, table.other_mail)
    assert table.one.hears().subject == "Mails to bob-again do not arrive"
    table.other.says(f"show {table.number} bob-again secret")
    table.other.says("set bob-again secret legend=on")
    while table.other.hears().subject != "Preferences of bob-again":
        pass
    assert table.one.hears().subject == "Mails to bob-again arrive again"
    again = reports.by_postfix(table.other_mail).replace(b"Sat, 02", b"Sun, 03").replace(b"3F2A", b"4F2A")
    table.other.mails(again, table.other_mail.envelope_sender, sender="")
    assert table.one.hears_nothing()
    assert (suppressed(shared, "bob-again"), open_pauses(shared, table)) == ([], 0)


def test_opponents_hear_once_a_day_of_all_boards_in_one_short_mail(shared: GameServer) -> None:
    alice, bob = shared.player("alice-many"), shared.player("bob-many")
    mails, numbers = [], []
    for _ in range(5):
        alice.says("superbo challenge bob-many")
        mails.append(bob.hears())
        numbers.append(alice.hears().subject.split()[3])
    bob.mails(reports.by_postfix(mails[0]), mails[0].envelope_sender, sender="")
    told = alice.hears()
    assert told.subject == "Mails to bob-many do not arrive"
    assert all(f"{number} superbo your turn" in told.words for number in numbers)
    assert len(told.raw) < 2500
    bob.says("set bob-many secret legend=on")
    runs = alice.hears()
    assert runs.subject == "Mails to bob-many arrive again"
    assert all(f"{number} superbo" in runs.words for number in numbers)
    assert {bob.hears().subject, bob.hears().subject} == {
        "My mails reach you again, bob-many",
        "Preferences of bob-many",
    }
    for mail in mails[1:]:
        bob.mails(reports.by_postfix(mail).replace(b"mx.ex", b"my.ex"), mail.envelope_sender, sender="")
        bob.says("set bob-many secret legend=off")
        bob.hears()
        bob.hears()
    assert alice.hears_nothing()


def test_a_forwarded_address_may_fail_under_another_name(shared: GameServer) -> None:
    table = begin(shared, "alice-forward", "bob-forward")
    report = reports.by_postfix(table.other_mail, address="robert@elsewhere.example")
    table.other.mails(report, table.other_mail.envelope_sender, sender="")
    told = table.one.hears()
    assert "My mails to bob-forward come back." in told.words
    assert b"elsewhere.example" not in told.raw


def test_a_mail_refused_by_the_relay_for_its_recipient_counts_at_once(shared: GameServer) -> None:
    alice, bob = shared.player("alice-relay"), shared.player("bob-relay")
    shared.postbox.at_rcpt[bob.address] = "550 5.1.1 no such mailbox"
    alice.says("superbo challenge bob-relay")
    number = alice.hears().subject.split()[3]
    assert "My mails to bob-relay come back." in alice.hears().words
    assert suppressed(shared, "bob-relay") == [bob.address]
    alice.says(f"mailed {number}")
    assert "came back for good" in alice.hears().words


def test_two_players_at_one_address_are_held_apart(shared: GameServer) -> None:
    bob = shared.player("bob-share")
    bob.says("signup carol-share secret")
    bob.answers(bob.hears(), "yes")
    bob.hears()
    table = seat(shared, shared.player("alice-share"), bob)
    comes_back(table, table.other_mail)
    assert "My mails to bob-share come back." in table.one.hears().words
    assert (suppressed(shared, "bob-share"), suppressed(shared, "carol-share")) == ([bob.address], [])
    bob.says("set carol-share secret legend=off")
    assert bob.hears().subject == "Preferences of carol-share"
    assert suppressed(shared, "bob-share") == [bob.address]


def test_answers_with_the_null_sender_have_nowhere_to_come_back_to(shared: GameServer) -> None:
    stranger = shared.person("stranger-null")
    stranger.says("help")
    assert stranger.hears().envelope_sender in ("", "<>")
    player = shared.player("player-null")
    player.says("nonsense")
    assert player.hears().envelope_sender in ("", "<>")
    player.says("games player-null")
    assert player.hears().envelope_sender.startswith("pbem+")
