"""One line of text → one command."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.commands import refusals
from pbem.commands.accounts import Block, ReportPlayer, Unblock
from pbem.commands.command import Command, Credentials, TurnCommand
from pbem.commands.grammar import begins_command, parse
from pbem.commands.line import BoardAnswered
from pbem.commands.playing import IN_PLACE_OF_A_MOVE, MakeMove
from pbem.commands.server import SendMessage
from pbem.commands.verbs import COMMANDS, VERBS, verb_of
from pbem.commands.watching import SubscribeTo, UnsubscribeFrom, Watched
from pbem.errors import PlayerError, Unreadable
from pbem.ids import BoardNumber
from tests.commands.examples import ANSWERED, ANSWERS, B101, FSMITH, GAMES, READ, REFUSED, WORDS
from tests.conversations.command_table import every_row

TO_BEHIND_CREDENTIALS: dict[str, Command] = {
    "block fsmith secret to bob": Block("bob", speaker=FSMITH),
    "unblock fsmith to to bob": Unblock("bob", speaker=Credentials("fsmith", "to")),
    "message fsmith secret to bob": SendMessage(("bob",), speaker=FSMITH),
    "report fsmith secret to bob 101": ReportPlayer("bob", B101, speaker=FSMITH),
    "subscribe fsmith secret to bob carol": SubscribeTo(Watched(userids=("bob", "carol")), speaker=FSMITH),
    "unsubscribe fsmith secret To bob": UnsubscribeFrom(Watched(userids=("bob",)), speaker=FSMITH),
}
"""Understood, but no form of the language."""


@pytest.mark.parametrize(("line", "command"), TO_BEHIND_CREDENTIALS.items())
def test_to_says_nothing_behind_userid_and_password(line: str, command: Command) -> None:
    assert parse(line, GAMES) == command


@pytest.mark.parametrize(("line", "command"), READ.items())
def test_a_line_is_read_as_this_command(line: str, command: Command) -> None:
    assert parse(line, GAMES) == command


CARRIED_OUT = [
    parse(row.works.rpartition(": ")[2].format(n=101), GAMES) for verb, row in every_row() if verb != "multiple"
]
"""The commands of the table of letters."""


def test_every_verb_stands_in_an_example_above() -> None:
    assert {verb_of(word) for line in READ for word in line.split()[:2]} - {None} | {
        command.form for command in CARRIED_OUT
    } == set(VERBS)


def test_every_command_stands_in_an_example_above() -> None:
    """A command that no line leads to could never be given."""
    assert set(COMMANDS) == {type(command) for command in (*READ.values(), *CARRIED_OUT)}


@pytest.mark.parametrize(("line", "leaf", "facts"), REFUSED)
def test_what_cannot_be_read_is_refused_with_its_reason(line: str, leaf: str, facts: dict[str, object]) -> None:
    with pytest.raises(Unreadable) as refused:
        parse(line, GAMES)
    assert (type(refused.value).__name__, refused.value.facts) == (leaf, facts)


def test_every_refusal_of_the_grammar_stands_in_an_example_above() -> None:
    leaves = {
        name
        for name, each in vars(refusals).items()
        if isinstance(each, type) and issubclass(each, Unreadable) and each.__module__ == refusals.__name__
    }
    assert leaves == {leaf for _, leaf, _ in REFUSED}


@pytest.mark.parametrize(("line", "command"), ANSWERS)
def test_an_answer_to_a_board_may_leave_the_board_and_the_verb_out(line: str, command: Command) -> None:
    assert parse(line, GAMES, ANSWERED) == command


@pytest.mark.parametrize("cells", ["e5-e7", "e5->e7", "e5>e7", "e5 > e7", "E5\u2013E7", "e5-e7 cut e3", "e5 - e7"])
def test_the_verb_of_an_answer_is_that_of_its_first_step_where_two_joined_cells_follow(cells: str) -> None:
    """``e5>e7`` alone would be a laying."""
    assert parse(f"move {cells}", GAMES, ANSWERED) == MakeMove(B101, f"move {cells}")
    assert parse(f"Move {cells}.#7", GAMES, ANSWERED) == MakeMove(B101, f"move {cells}", 7)
    assert parse(f"move 101 {cells}", GAMES, ANSWERED) == MakeMove(B101, cells)
    assert parse(f"move fsmith secret {cells}", GAMES, ANSWERED) == MakeMove(B101, cells, speaker=FSMITH)


@pytest.mark.parametrize("line", ["#3", "a1#x"])
def test_an_answer_without_a_move_or_with_a_wrong_number_is_refused_for_its_board(line: str) -> None:
    with pytest.raises(Unreadable) as refused:
        parse(line, GAMES, ANSWERED)
    assert refused.value.facts["board"] == 101


@pytest.mark.parametrize("first", ["a1", "pass", "lay", "7", "x@example.org", "mail=text", "2026-01-01", "n"])
def test_a_word_that_cannot_be_a_userid_makes_it_the_short_form(first: str) -> None:
    command = parse(f"move 101 {first} b2 c3", GAMES)
    assert command == MakeMove(B101, f"{first} b2 c3")


@pytest.mark.parametrize("userid", ["e3x", "b2b4", "gxh4", "d"])
def test_a_userid_that_looks_like_a_move_is_one_where_a_password_follows(userid: str) -> None:
    assert parse(f"move 101 {userid} secret a1", GAMES) == MakeMove(B101, "a1", speaker=Credentials(userid, "secret"))


def test_no_password_stands_in_the_representation_of_a_command() -> None:
    for line in (
        "move 101 fsmith hunter2! a1",
        "resign 101 fsmith hunter2!",
        "signup fsmith hunter2!",
        "set fsmith hunter2!",
        "change password hunter2!",
        "change password fsmith old hunter2!",
        "change address fsmith hunter2!",
        "signoff fsmith hunter2!",
    ):
        assert "hunter2" not in repr(parse(line, GAMES))


def test_a_line_begins_like_a_command_by_its_first_word_alone() -> None:
    assert begins_command("SUPERBO nonsense", GAMES)
    assert begins_command("Move 101", GAMES)
    assert not begins_command("Move it", GAMES)
    assert begins_command("chall bob", GAMES)
    assert not begins_command("please move 101 a1", GAMES)
    assert not begins_command("", GAMES)


@given(st.text(max_size=80) | st.lists(WORDS | st.text(max_size=8), max_size=8).map(" ".join), st.booleans())
def test_any_text_gives_a_command_or_a_refusal(line: str, in_answer: bool) -> None:
    facts: dict[str, object] = {}
    try:
        parse(line, GAMES, ANSWERED if in_answer else None)
    except PlayerError as refused:
        facts = refused.facts
    longer = {"said": 200, "branch": 120}
    for name, fact in facts.items():
        assert not isinstance(fact, str) or len(fact) <= longer.get(name, len("...") + 1 + 40)


@pytest.mark.parametrize("line", ["a" * 200_000, "a " * 100_000, "#" * 200_000, "superbo challenge bob " + "x " * 200])
def test_an_endless_line_is_refused(line: str) -> None:
    with pytest.raises(PlayerError):
        parse(line, GAMES)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_takes_words_without_end_or_refuses_them(verb: str) -> None:
    for words in ("101 " * 198, "a1 " * 198, "-x " * 198, "bob " * 198, f"{'x' * 100_000} {'y' * 100_000} 101"):
        try:
            command: object = parse(f"superbo {verb} {words}", GAMES)
        except Unreadable as refused:
            command = refused.facts
        assert command


def test_a_word_in_place_of_a_move_is_never_for_the_game_to_read() -> None:
    for word, command in IN_PLACE_OF_A_MOVE.items():
        assert issubclass(command, TurnCommand)
        for line in (f"move 101 {word}", f"superbo move 101 fsmith secret {word.upper()}", f"{word} 101"):
            assert isinstance(parse(line, GAMES), command)


@pytest.mark.parametrize(
    "line",
    [
        *(
            "Resign w\u00e4re feige, ich mache weiter mit P1",
            "Pass auf, jetzt wird es spannend!",
            "pass the salt, B2 then",
        ),
        *("reject kommt nicht in Frage", "Swap oder nicht, ich nehme A1"),
        *("propose mal was anderes, z.B. E5", "Signoff will I not do", "accept defeat I shall never"),
    ],
)
def test_nobody_is_told_to_leave_out_words_so_that_a_verb_is_left_that_gives_something_up(line: str) -> None:
    for answered in (None, BoardAnswered(BoardNumber(101))):
        with pytest.raises(Unreadable) as refused:
            parse(line, GAMES, answered)
        assert type(refused.value).__name__ != "LeftOver"


@pytest.mark.parametrize(
    ("line", "verb"),
    [("resign, sorry", "resign"), ("accept danke", "accept"), ("Reject, thanks", "reject"), ("undo wrong", "undo")],
)
def test_a_word_behind_a_grave_one_is_no_userid_in_an_answer(line: str, verb: str) -> None:
    with pytest.raises(Unreadable) as refused:
        parse(line, GAMES, BoardAnswered(BoardNumber(101)))
    assert (type(refused.value).__name__, refused.value.facts["form"]) == ("ReadsAsSentence", verb)
