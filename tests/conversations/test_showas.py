"""Views of a player's boards that only the player may see."""

from __future__ import annotations

import pytest

from tests.conversations.playing import MailBoard, ask, begin, form, seat
from tests.support.mail import Person
from tests.support.server import GameServer

QUEUED, SUBMITTED = "ze11,zf12", "c4,k5"


def secretive(server: GameServer, name: str) -> tuple[MailBoard, Person]:
    """A board where it is bob's turn, who has submitted a move; ann has queued one; and somebody who watches."""
    table, eve = begin(server, f"ann-{name}", f"bob-{name}"), server.player(f"eve-{name}")
    ask(eve, f"subscribe {table.number} eve-{name} secret")
    table.play("b3")
    eve.hears()
    assert ask(table.one, f"queue {table.number} ann-{name} secret {QUEUED}#3").subject.startswith("superbo Board")
    assert ask(table.other, f"submit {table.number} bob-{name} secret {SUBMITTED}").subject.startswith("superbo Board")
    return table, eve


def test_only_their_owner_sees_queued_and_submitted_moves(shared: GameServer) -> None:
    table, eve = secretive(shared, "own")
    own = ask(table.one, "showas")
    assert f"Your queued move, as move 3:\n\n    {QUEUED}\n" in own.text
    assert f"queue {table.number} cancel" in own.text
    assert SUBMITTED not in own.text.lower()
    other = ask(table.other, f"superbo showas bob-own secret {table.number}")
    assert f"Your submitted move, which is made once you confirm it:\n\n    {SUBMITTED}\n" in other.text
    assert QUEUED not in other.text.lower()
    for person, line in (
        (eve, f"showas eve-own secret {table.number}"),
        (eve, f"show {table.number}"),
        (eve, "games ann-own"),
        (eve, f"export {table.number}"),
        (table.other, f"show {table.number}"),
        (table.other, f"mailed {table.number} bob-own secret"),
    ):
        seen = ask(person, line).raw.decode().lower()
        assert QUEUED not in seen
        assert "queued move" not in seen
        assert SUBMITTED not in seen.replace(form("move").lower(), "")
    assert eve.hears_nothing()
    table.other.says(f"confirm {table.number} bob-own secret")
    assert "2. C4,K5" in eve.hears().text
    assert not any(
        QUEUED in mail.raw.decode().lower() for mail in shared.postbox.mails if mail.recipient == eve.address
    )


def test_a_submitted_move_is_shown_as_long_as_it_can_be_confirmed(shared: GameServer) -> None:
    table = begin(shared, "ann-talk", "bob-talk")
    table.play("b3", "c4,k5")
    ask(table.one, f"submit {table.number} ann-talk secret g2,h7")
    for person, line in ((table.other, "propose"), (table.one, "reject")):
        person.says(f"{line} {table.number} {person.address.partition('@')[0]} secret")
        table.hear()
        shown = ask(table.one, f"showas ann-talk secret {table.number}").text
        assert "Your submitted move, which is made once you confirm it:\n\n    g2,h7\n" in shown
    table.one.says(f"confirm {table.number} ann-talk secret")
    table.hear()
    assert "submitted" not in ask(table.one, f"showas ann-talk secret {table.number}").text
    assert "challenge somebody" not in ask(table.one, "showas ann-talk secret next").words


def test_an_announced_resignation_is_shown_to_who_has_announced_it(shared: GameServer) -> None:
    table = begin(shared, "ann-plan", "bob-plan")
    table.play("b3", "c4,k5")
    ask(table.other, f"resign {table.number} bob-plan secret")
    assert "You have announced that you resign when it's your turn." in ask(table.other, "showas bob-plan secret").words
    assert "announced" not in ask(table.one, "showas ann-plan secret").words


def test_it_shows_several_boards_and_which_are_meant(shared: GameServer) -> None:
    table = begin(shared, "ann-which", "bob-which")
    second = seat(shared, table.other, table.one)
    third = seat(shared, table.one, table.other)
    third.play("b3", "c4,k5")
    third.one.answers(third.one_mail, "resign")
    third.hear()
    numbers = {each.number for each in (table, second, third)}
    for which, wanted in (
        ("", (table, second)),
        ("all", (table, second, third)),
        ("next", (table,)),
        ("inactive", (third,)),
        (f"{table.number} {second.number}#0", (table, second)),
    ):
        shown = ask(table.one, f"showas ann-which secret {which}").text
        found = {number for number in numbers if f"Summary of superbo Board {number}" in shown}
        assert found == {each.number for each in wanted}, which
    assert "There are no active tournament boards of ann-which." in ask(table.one, "showas tournament").text


def test_the_answer_goes_to_the_addresses_on_record_alone(shared: GameServer) -> None:
    table, _ = secretive(shared, "home")
    mallory = shared.person("mallory-home")
    mallory.says("showas ann-home secret", headers={"Reply-To": "mallory-home@example.org"})
    assert QUEUED in table.one.hears().text
    assert mallory.hears_nothing()
    forger = shared.person("ann-home")
    forger.says("showas", headers={"Reply-To": "mallory-home@example.org"})
    assert QUEUED in table.one.hears().text
    assert mallory.hears_nothing()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("showas no-as wrong", "do not match"),
        ("showas no-as secret 9999", "There is no board 9999."),
        ("showas no-as secret 101 word", ""),
        ("showas no-as secret next 101", ""),
    ],
)
def test_what_cannot_be_shown_is_explained(shared: GameServer, no_as: Person, line: str, reason: str) -> None:
    refused = ask(no_as, line)
    assert refused.subject.endswith("rror")
    assert reason in refused.words
    assert form("showas") in refused.text


@pytest.fixture(scope="module")
def no_as(shared: GameServer) -> Person:
    return shared.player("no-as")


def test_all_show_brings_the_boards_of_every_game(shared: GameServer) -> None:
    table = begin(shared, "ann-every", "bob-every")
    table.one.says("mambo challenge ann-every bob-every")
    other = table.one.hears().subject.split()[3]
    table.other.hears()
    for line in ("all show ann-every", "all show ann-every next", "show ann-every active"):
        shown = ask(shared.person("reader"), line).text
        assert f"Summary of superbo Board {table.number}\n" in shown
        assert f"Summary of mambo Board {other}\n" in shown
    assert f"mambo Board {other}" not in ask(shared.person("reader"), "superbo show ann-every").text
