"""The mails about a board, and my last mail once more."""

from __future__ import annotations

import re

import pytest

from pbem.domain.mails import PictureSource
from pbem.ids import BoardNumber
from tests.conversations import mamba
from tests.conversations.playing import begin, userid
from tests.support import reports
from tests.support.mail import Mail
from tests.support.server import GameServer


def body(mail: Mail) -> bytes:
    return mail.raw.partition(b"\r\n\r\n")[2]


def test_the_players_see_what_was_mailed_to_whom_and_its_fate_but_no_address(shared: GameServer) -> None:
    table = begin(shared, "ann-table", "bob-table")
    table.other.mails(reports.by_postfix(table.other_mail), table.other_mail.envelope_sender, sender="")
    table.one.hears()
    table.one.answers(table.one_mail, "b3")
    table.one.hears()
    table.one.says(f"mailed {table.number} ann-table secret")
    told = table.one.hears()
    assert told.subject == f"What was mailed about superbo Board {table.number}"
    rows = [" ".join(row.split()) for row in told.text.split("\n  20")[1:]]
    assert [row.split()[2] for row in rows] == ["ann-table", "bob-table", "ann-table", "bob-table"]
    assert f"New superbo Board {table.number} ann-table handed over" in rows[0]
    assert rows[1].endswith("came back for good")
    assert "not sent: no mail reached this player then" in rows[3]
    assert "example.org" not in told.text
    table.other.says("set bob-table secret legend=off")
    assert "reach bob-table again" in table.one.hears().words
    table.one.says(f"mailed {table.number}")
    assert "came back for good" in table.one.hears().words
    assert max(map(len, told.text.split("\n"))) <= 78


def test_a_mail_that_is_delayed_has_not_come_back(shared: GameServer) -> None:
    table = begin(shared, "ann-late", "bob-late")
    report = reports.by_postfix(table.other_mail, delayed=True)
    table.other.mails(report, table.other_mail.envelope_sender, sender="")
    shared.postbox.settle(shared.port)  # of two senders any may be heard first
    table.one.says(f"mailed {table.number}")
    told = table.one.hears().words
    assert "handed over to the mail system; delayed" in told
    assert "came back" not in told
    table.other.mails(reports.by_postfix(table.other_mail), table.other_mail.envelope_sender, sender="")
    assert "come back" in table.one.hears().words
    table.one.says(f"mailed {table.number}")
    assert "came back for good" in table.one.hears().words


def test_what_others_were_answered_in_their_own_affairs_is_not_told(shared: GameServer) -> None:
    table = begin(shared, "ann-own", "bob-own")
    table.play("b3", "c4,k5")
    table.other.says(f"resign {table.number} bob-own secret")
    assert "You will resign as soon as it's your turn" in table.other.hears().words
    table.one.says(f"mailed {table.number}")
    others = table.one.hears().text
    table.other.answers(table.other_mail, "mailed")
    own = table.other.hears().text
    assert others.count("bob-own\n") + 1 == own.count("bob-own\n")


def test_that_somebody_had_queued_a_move_is_not_told_by_a_mail_that_he_alone_got(shared: GameServer) -> None:
    table = mamba.begin(shared, "ann-plan", "ben-plan", "cat-plan")
    ann, ben, cat = table.people
    for person, line in ((cat, "unsubscribe {n} cat-plan secret"), (cat, "queue {n} cat-plan secret pass#9")):
        person.says(line.format(n=table.number))
        person.hears()
    table.answer(0, "pass")
    for person in (ann, ben):
        person.hears()
    ann.says(f"undo {table.number} ann-plan secret")
    for person in (ann, ben, cat):
        person.hears()
    cat.says(f"accept {table.number} cat-plan secret")
    for person in (ann, ben, cat):
        person.hears()
    ben.says(f"accept {table.number} ben-plan secret")
    for person in (ann, ben):
        person.hears()
    told = cat.hears()
    assert "your queued move has been dropped" in told.words
    rows = []
    for person, name in ((ben, "ben-plan"), (cat, "cat-plan")):
        person.says(f"mailed {table.number} {name} secret")
        rows.append(person.hears().text.count("  cat-plan\n"))
    assert rows == [3, 6]  # new board, request, consent; for cat also: quiet, queued, dropped
    cat.says(f"resend {table.number} cat-plan secret")
    assert "your queued move has been dropped" in cat.hears().words


def test_mails_from_before_they_had_names_are_told_as_far_as_they_went_to_all(shared: GameServer) -> None:
    table = begin(shared, "ann-old", "bob-old")
    table.play("b3", "c4,k5")
    table.other.says(f"resign {table.number} bob-old secret")
    assert "You will resign as soon as it's your turn" in table.other.hears().words
    shared.database.change("UPDATE outbox SET name = NULL WHERE board_number = :board", board=int(table.number))
    table.one.says(f"mailed {table.number}")
    told = table.one.hears().text
    assert (told.count("  ann-old\n"), told.count("  bob-old\n")) == (3, 3)
    table.other.says(f"mailed {table.number}")
    told = table.other.hears().text
    assert (told.count("  ann-old\n"), told.count("  bob-old\n")) == (3, 4)


def test_only_players_of_the_board_may_ask(shared: GameServer) -> None:
    table = begin(shared, "ann-only", "bob-only")
    eve, stranger = shared.player("eve-only"), shared.person("stranger-only")
    for verb in ("mailed", "resend"):
        eve.says(f"{verb} {table.number}")
        assert "You (eve-only) do not play on board" in eve.hears().words
        stranger.says(f"{verb} {table.number}")
        assert "I do not know the address" in stranger.hears().words


def test_my_last_mail_comes_again_as_it_was_and_answers_the_same(shared: GameServer) -> None:
    table = begin(shared, "ann-again", "bob-again")
    for _ in range(2):
        table.one.says(f"resend {table.number}")
        again = table.one.hears()
        assert body(again) == body(table.one_mail)
        assert again.subject == table.one_mail.subject
        assert again.parsed["Message-ID"] != table.one_mail.parsed["Message-ID"]
        assert again.parsed["References"] == table.one_mail.parsed["Message-ID"]
        assert again.reply_to == table.one_mail.reply_to
    assert table.other.hears_nothing()
    table.one.answers(again, "b3")
    table.hear()
    assert table.other_mail.subject == f"superbo Board {table.number} bob-again"


def test_a_mail_that_is_overtaken_or_not_kept_comes_as_the_board_stands(shared: GameServer) -> None:
    table = begin(shared, "ann-stand", "bob-stand")
    table.play("b3")
    gone = "UPDATE outbox SET raw = NULL, packed = NULL WHERE board_number = :board"
    shared.database.change(gone, board=int(table.number))
    table.other.says(f"resend {table.number} bob-stand secret")
    again = table.other.hears()
    assert body(again) != body(table.other_mail)
    assert again.subject == table.other_mail.subject
    table.other.answers(again, "c4,k5")
    table.hear()


def test_among_several_commands_it_is_a_mail_of_its_own(shared: GameServer) -> None:
    table = begin(shared, "ann-multi", "bob-multi")
    table.one.says("multiple", f"resend {table.number}\ngames ann-multi\nmailed {table.number}")
    first, second = table.one.hears(), table.one.hears()
    answers, again = (first, second) if first.subject.startswith("Answers") else (second, first)
    assert "The answer comes in a mail of its own." in answers.words
    assert "What was mailed" not in again.subject
    assert body(again) == body(table.one_mail)


@pytest.mark.parametrize("mail", ["text", "both", "html"])
@pytest.mark.parametrize("game", ["superbo", "mambo", "lambo", "palago", "mamba"])
def test_the_last_mail_of_any_game_is_made_again_from_what_is_kept_of_it(
    shared: GameServer, game: str, mail: str
) -> None:
    one, other = (shared.player(f"{name}-{game}-{mail}") for name in ("ann", "bob"))
    for person in (one, other):
        person.says(f"set {userid(person)} secret mail={mail}")
        person.hears()
    one.says(f"{game} challenge {userid(one)} {userid(other)}")
    first = [(person, person.hears()) for person in (one, other)]
    number = first[0][1].subject.split()[3]
    shared.postbox.settle(shared.port)
    kept = "SELECT count(*) FROM outbox WHERE board_number = :board AND raw IS NULL AND length(packed) < 3000"
    assert shared.database.rows(kept, board=int(number)) == [(2,)]
    for person, was in first:
        person.says(f"resend {number} {userid(person)} secret")
        again = person.hears()
        assert body(again) == body(was)
        assert (again.subject, again.reply_to) == (was.subject, was.reply_to)
        pictures = sum(part.get_content_type() == "image/png" for part in again.parsed.walk())
        assert pictures == (0 if mail == "text" else 1)


def sources(mail: Mail) -> list[PictureSource | None]:
    """The positions that the pictures of a mail show, as far as they are stored."""
    return [PictureSource.read(name) for name in re.findall("Content-ID: <(.+)@picture>", mail.raw.decode())]


def test_only_pictures_of_stored_positions_say_which_they_show(shared: GameServer) -> None:
    table = begin(shared, "ann-source", "bob-source")
    number = BoardNumber(int(table.number))
    assert sources(table.one_mail) == [PictureSource(number, 0, 0)]
    table.play("b3")
    assert [sources(mail) for mail in (table.one_mail, table.other_mail)] == [
        [PictureSource(number, 1, 0)],
        [PictureSource(number, 1, 1)],
    ]
    table.other.says(f"preview {number} c4,k5")
    assert sources(table.other.hears()) == [None]
