"""Every command of the language: it is read, carried out, refused, and told of in every place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.bootstrap import find_games
from pbem.bootstrap.wording import make_wording
from pbem.commands.command import Command
from pbem.commands.grammar import parse
from pbem.commands.studying import ReadStudy
from pbem.commands.verbs import VERBS
from pbem.config import Settings
from pbem.usecases.dispatcher import HANDLERS
from tests.conversations.command_table import TABLE, Row, every_row
from tests.support.mail import Mail, Person
from tests.support.server import GameServer

DOCS = Path(__file__).parents[2] / "docs" / "commands.md"
WORDING = make_wording(Settings())


class CommandConversation:
    """A server with alice, bob, carol and dave, who have no board yet."""

    def __init__(self, server: GameServer) -> None:
        self.server = server
        self.people = {name: replace(server.player(name), vouched=True) for name in ("alice", "bob", "carol", "dave")}

    def says(self, letter: str, body: str, words: str) -> Mail:
        """Let somebody mail a letter, and find the answer that has these words among the mails that come back."""
        name, _, line = letter.rpartition(": ")
        person = self._person(name or "alice")
        self._forget()
        person.says(line, body)
        while True:
            mail = person.hears()
            if words in f"{mail.subject}\n{mail.words}":
                return mail

    def _person(self, name: str) -> Person:
        return self.people.setdefault(name, replace(self.server.person(name), vouched=True))

    def _forget(self) -> None:
        for person in self.people.values():
            while self.server.postbox.unread_for(person.address):
                person.hears()

    def board(self, challenge: str) -> str:
        """The number of a new board of alice and bob."""
        return self.says(challenge, "", "New ").subject.split()[3]


@pytest.fixture(scope="module")
def conversation(shared: GameServer) -> CommandConversation:
    return CommandConversation(shared)


def command_of(row: Row) -> Command:
    line = row.works.format(n=101).rpartition(": ")[2]
    return parse(line, find_games())


@pytest.mark.parametrize(("verb", "row"), every_row(), ids=[row.works for _, row in every_row()])
def test_a_command_is_answered_and_a_wrong_one_refused(conversation: CommandConversation, verb: str, row: Row) -> None:
    needs_board = "{n}" in row.works + row.refused
    number = conversation.board(row.challenge) if needs_board or verb in ("show", "games") else ""
    for letter in row.before:
        line, _, below = letter.format(n=number).partition("\n")
        conversation.says(line, below, "")
    answer = conversation.says(row.works.format(n=number), row.body, row.answer.format(n=number))
    refusal = conversation.says(row.refused.format(n=number), "My words.", row.why.format(n=number))
    assert "rror" not in answer.subject
    assert verb == "help" or "secret" not in f"{answer.text}{refusal.text}{refusal.subject}"


def test_who_answers_a_puzzle_with_what_cannot_be_played_sees_it_again(conversation: CommandConversation) -> None:
    shown, refused = (
        conversation.says(letter, "", "puzzle 1 (") for letter in ("puzzle show 1", "puzzle answer 1 zz99")
    )
    board = shown.text[shown.text.index("Puzzle 1: ") : shown.text.index("Which move is it?")]
    assert "to move and wins" in board
    assert board.strip() in refused.text
    for mail in (shown, refused):
        assert mail.text.index("Which move is it?") < mail.text.index("\nMoves:  1. ")


@pytest.mark.parametrize("row", [row for verb, row in every_row() if verb != "multiple"], ids=lambda row: row.works)
def test_a_command_has_a_parser_and_a_handler(row: Row) -> None:
    assert type(command_of(row)) in HANDLERS


def test_every_command_of_the_language_and_every_verb_stands_in_the_table() -> None:
    assert set(VERBS) == {command_of(rows[0]).form for verb, rows in TABLE.items() if verb != "multiple"} | {
        "pass",
        "swap",
    }
    by_link = {ReadStudy}  # its key is drawn at random: tests/conversations/test_studies.py
    assert {type(command_of(row)) for verb, row in every_row() if verb != "multiple"} | by_link == {
        each for each in HANDLERS if hasattr(each, "form")
    }


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_a_form_a_page_and_a_line_in_the_documentation(verb: str) -> None:
    assert WORDING.forms(verb)
    assert WORDING.help.page(verb) is not None
    assert f"\n| **{verb}** | `" in DOCS.read_text()
