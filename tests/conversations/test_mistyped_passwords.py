"""A password that stands in the wrong place comes back in no mail, whatever the verb."""

from __future__ import annotations

import pytest

from pbem.commands.verbs import VERBS
from tests.support.mail import Person
from tests.support.server import GameServer

PASSWORD = "Hunter2x"
MISTAKES = (
    "{verb} alice {password}",
    "{verb} {password} alice",
    "{verb} {password} alice 101 b3",
    "{verb} 101 {password} alice b3",
    "{verb} 101 b3 alice {password}",
    "superbo {verb} alice {password} 7 x",
    "{verb} to alice {password}",
    "superbo {password} {verb} alice 101",
    "superbo {verb} all alice {password}",
    "{verb} 101 alice {password}#b3",
    "alice {password} {verb} 101",
    "{password} alice {verb} 101",
    "{verb}x 101 {password} alice",
    "{verb} alice {password}x 101",
    "superbo {verb} alice bob {password}",
)
ACCOUNTS_AT_STAKE = ("signup", "signoff")
"""Verbs that take a word for what nobody has said: signup opens an account with any name."""


@pytest.fixture(scope="module")
def alice(shared: GameServer) -> Person:
    alice, bob = shared.player("alice", PASSWORD), shared.player("bob")
    alice.says("superbo challenge bob")
    alice.hears()
    bob.hears()
    return alice


@pytest.mark.parametrize("verb", [each for each in VERBS if each not in ACCOUNTS_AT_STAKE])
def test_no_answer_repeats_a_password_that_stands_in_the_wrong_place(
    shared: GameServer, alice: Person, verb: str
) -> None:
    lines = [mistake.format(verb=verb, password=PASSWORD) for mistake in MISTAKES]
    alice.says("multiple", "\n".join(lines))
    answers = alice.hears()
    while not answers.subject.startswith("Answers to your"):
        answers = alice.hears()
    assert answers.text.count(" Command ") >= len(lines)
    for person in (alice, shared.person("bob")):
        unread = [answers, *(person.hears() for _ in shared.postbox.unread_for(person.address))]
        assert not any(PASSWORD.casefold() in mail.raw.decode().casefold() for mail in unread)


@pytest.mark.parametrize("line", [each.format(verb="mvve", password=PASSWORD) for each in MISTAKES])
def test_nor_does_the_answer_to_a_letter_with_one_of_them(alice: Person, line: str) -> None:
    for letter in ((line, ""), ("Hello", line)):
        alice.says(*letter)
        assert PASSWORD.casefold() not in alice.hears().raw.decode().casefold()
