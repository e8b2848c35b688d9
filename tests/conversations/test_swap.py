"""Swapping sides: the second player takes the first one's in place of a first turn."""

from __future__ import annotations

from itertools import count

import pytest

from tests.conversations.playing import MailBoard, begin, form, played
from tests.support.mail import attached
from tests.support.server import GameServer


def challenged(server: GameServer, one: str, other: str, game: str = "mambo") -> MailBoard:
    """A board where sides may be swapped, its first turn made."""
    people = server.player(one), server.player(other)
    people[0].says(f"{game} challenge -swap {other}")
    mails = people[0].hears(), people[1].hears()
    table = MailBoard(mails[0].subject.split()[3], *people, *mails)
    table.play("a1")
    return table


def sides(text: str) -> list[list[str]]:
    """The sides in the order of the players, and whose they are."""
    (line,) = (line for line in text.splitlines() if line.startswith("Players:"))
    holders = [holder.split() for holder in line.removeprefix("Players:").split(",")]
    return [[side for _, side in holders], [userid for userid, _ in holders]]


@pytest.mark.parametrize(
    "line",
    ["swap {}", "mambo swap {} {} secret", "move {} swap", "mambo move {} {} secret swap#2", "swap {} {} secret #2"],
)
def test_sides_are_exchanged_and_the_first_player_goes_on(shared: GameServer, line: str) -> None:
    userids = _fresh()
    table = challenged(shared, *userids)
    assert sides(table.one_mail.text) == [["O", "X"], list(userids)]
    if "secret" in line:
        table.other.says(line.format(table.number, userids[1]))
    else:
        table.other.answers(table.other_mail, line.format(table.number))
    table.hear()
    assert table.one_mail.subject == f"mambo Board {table.number} {userids[0]}"
    for mail in (table.one_mail, table.other_mail):
        assert sides(mail.text) == [["X", "O"], list(userids)]
        assert "2. swap" in mail.text
    table.play("b1")
    assert table.one_mail.subject.endswith(userids[1])


def test_the_word_alone_is_enough_in_an_answer_and_stands_in_the_record(shared: GameServer) -> None:
    table = challenged(shared, *_fresh())
    table.play("Swap.")
    table.one.says(f"export {table.number}")
    _, _, record = attached(table.one.hears())
    assert record["options"] == {"swap": True}
    assert record["turns"] == [[{"q": 0, "r": 0, "state": 1}], {"seat": 1, "event": "swap"}]


def test_sides_that_cannot_be_swapped_stay_as_they_are(shared: GameServer) -> None:
    table = begin(shared, *_fresh())
    table.play("b3")
    before = played(shared)
    table.other.answers(table.other_mail, "swap")
    assert "You cannot swap sides in this game" in table.other.hears().words
    assert played(shared) == before


def test_the_first_player_cannot_swap_and_nobody_can_later(shared: GameServer) -> None:
    table = challenged(shared, *_fresh())
    table.one.answers(table.one_mail, "swap")
    assert ", not yours." in table.one.hears().words
    table.play("b1")
    table.one.answers(table.one_mail, "swap")
    assert "in place of their first turn" in table.one.hears().words


def test_words_behind_a_swap_are_too_many(shared: GameServer) -> None:
    table = challenged(shared, *(userids := _fresh()))
    table.other.says(f"swap {table.number} {userids[1]} secret now")
    answer = table.other.hears()
    assert "before word 5" in answer.words
    assert form("swap") in answer.text
    assert "secret" not in answer.text


_NUMBERS = count(1)


def _fresh() -> tuple[str, str]:
    number = next(_NUMBERS)
    return f"swapper-{number}", f"other-{number}"
