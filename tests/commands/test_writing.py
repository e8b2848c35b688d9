"""A command that is kept as text is read back as the same command."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.commands.challenges import Challenge, Seek
from pbem.commands.command import BoardCommand, Command, Need, SpokenCommand, short_form
from pbem.commands.grammar import parse
from pbem.commands.verbs import COMMANDS, VERBS
from pbem.errors import Unreadable
from tests.commands.examples import ANSWERED, GAMES, READ, WORDS

MAY_BE_ASKED_FOR = {Challenge, Seek, *(each for each in COMMANDS if each.needs is Need.PROOF)}
"""Commands that are kept as a line until their sender is proven."""

KEPT = {line: command for line, command in READ.items() if type(command) in MAY_BE_ASKED_FOR}

LINES = st.tuples(
    st.sampled_from(["", "superbo", "mamba"]),
    st.sampled_from([*VERBS]),
    st.lists(WORDS | st.text("abc1#,-=@>/", min_size=1, max_size=6), max_size=5).map(" ".join),
).map(" ".join)


def said_shortly(command: Command) -> Command:
    """The command without userid and password, and without the game where its board tells it."""
    if isinstance(command, SpokenCommand):
        command = replace(command, speaker=None)
    return replace(command, game=None) if isinstance(command, BoardCommand) else command


@pytest.mark.parametrize("line", KEPT)
def test_a_command_that_may_be_asked_for_is_read_back_from_its_short_form(line: str) -> None:
    command = said_shortly(KEPT[line])
    assert parse(short_form(command), GAMES) == command


def test_every_command_that_may_be_asked_for_is_among_them() -> None:
    assert {type(command) for command in KEPT.values()} == MAY_BE_ASKED_FOR


@given(LINES, st.booleans())
def test_any_line_that_is_such_a_command_is_read_back(line: str, in_answer: bool) -> None:
    """A command with a password is never kept, since its sender is not asked."""
    try:
        command = parse(line, GAMES, ANSWERED if in_answer else None)
    except Unreadable:
        return
    if type(command) in MAY_BE_ASKED_FOR and getattr(command, "speaker", None) is None:
        assert parse(short_form(command), GAMES) == said_shortly(command)


@pytest.mark.parametrize("line", KEPT)
def test_a_short_form_holds_no_password(line: str) -> None:
    assert "secret" not in short_form(KEPT[line]).split()
