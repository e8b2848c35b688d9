"""The promises of the pages for newcomers and for old hands are kept."""

from __future__ import annotations

import re

import pytest

from pbem.bootstrap import find_games
from pbem.bootstrap.wording import make_wording
from pbem.commands.grammar import parse
from pbem.config import Settings
from tests.support.mail import Mail
from tests.support.server import GameServer

HELP = make_wording(Settings()).help


def page(subject: str) -> str:
    found = HELP.page(subject)
    assert found is not None
    return found.text


TUTORIAL = " ".join(page("tutorial").split())


def board_of(mail: Mail) -> str:
    """The board that the mail shows, without the lists below it."""
    drawn = re.search(r"\n\n( +[A-Z].*?)\n\n(?:Answer this mail|For a rematch|-{9})", mail.text, re.DOTALL)
    assert drawn is not None
    return drawn[1].strip("\n")


def test_the_game_of_the_tutorial_goes_as_it_says(server: GameServer) -> None:
    alice = server.person("alice")
    alice.says("signup alice secret")
    question = alice.hears()
    alice.answers(question, "yes")
    welcome = alice.hears()
    bob = server.player("bob")
    alice.says("superbo challenge bob")
    mails = [alice.hears()]
    asked = bob.hears()
    for person, answered, turn in ((alice, "alice", "D5"), (bob, "bob", "C9,K4\nHello!"), (alice, "alice", "A9,P5")):
        person.answers(asked if answered == "bob" else mails[-1], turn)
        mails.append(alice.hears())
        asked = bob.hears()
    assert question.subject in TUTORIAL
    assert welcome.subject == "Welcome to pbem, alice"
    assert [mail.subject for mail in mails] == [
        "New superbo Board 101 alice",
        "superbo Board 101 bob",
        "superbo Board 101 alice **",
        "superbo Board 101",
    ]
    for subject in (mail.subject.removesuffix(" **") for mail in mails):
        assert f'"{subject}"' in TUTORIAL
    assert " ".join(re.findall(r"^  A  1.*$", mails[0].text, re.MULTILINE)[0].split()) in TUTORIAL
    for mail in mails:
        lines = board_of(mail).split("\n")
        shown = lines[next(number for number, line in enumerate(lines) if ".--" in line) :]
        assert all(line.strip() in page("tutorial") for line in shown)
    for line in mails[-1].text.split("\n\n")[1].split("\n"):
        assert line in page("tutorial")


@pytest.mark.parametrize("line", re.findall(r"^    (\S.*)$", page("oldhands").split("\nNEW\n")[0], re.MULTILINE))
def test_what_an_old_hand_types_is_read(line: str) -> None:
    assert parse(line, find_games())
