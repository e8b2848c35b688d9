"""Mails with the words of players: nothing is wider than a mail, however long names and words are."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from pbem.domain.game_state import follow
from pbem.domain.letters import CUT
from pbem.domain.mails import Notice
from pbem.domain.players import Player
from pbem.games.mamba.game import MAMBA
from pbem.ids import PlayerId
from pbem.wording.layout import WIDTH
from pbem.wording.mails import RenderedMail
from tests.wording.mamba import facts, seated
from tests.wording.sample_mails import WORDING

AT = datetime(2026, 5, 1, tzinfo=UTC)
LONG = Player(PlayerId(1), "w" * 32, (), AT)
LONGER = Player(PlayerId(2), "v" * 32, (), AT)
COMMENT = {"writer": LONG.userid, "text": f"one two three {'four ' * 40}\n\n{'x' * 200}\n-- \nFrom me"}


def told(name: str, **more: Any) -> RenderedMail:
    return WORDING.render(Notice(name, LONGER, {"comment": COMMENT, "player": LONGER, "writer": LONG} | more))


@pytest.mark.parametrize("name", ["message", "message_sent", "broadcast", "broadcast_taken"])
def test_words_are_wrapped_and_cannot_be_taken_for_anything_else(name: str) -> None:
    words = told(name, readers=[LONGER] * 3)
    lines = words.body.split("\n")
    assert max(map(len, lines)) <= WIDTH
    assert "--" not in lines
    assert not any(line.startswith("From ") for line in lines)
    assert words.html is None


def test_words_that_were_too_many_say_so() -> None:
    cut = {"writer": "ann", "text": f"one\n{CUT}"}
    assert (
        "(The letter was too long; the rest of it is left out.)" in told("message", comment=cut, readers=[LONGER]).body
    )


@pytest.mark.parametrize("reader", [LONG, LONGER])
def test_chat_names_its_writer_and_the_board(reader: Player) -> None:
    board = seated(3)
    shown = facts(board, follow(board, MAMBA), reader) | {"comment": COMMENT}
    words = WORDING.render(Notice("chat", reader, shown))
    assert words.subject == f"mamba chat {board.number} {LONG.userid}"
    assert max(map(len, words.body.split("\n"))) <= WIDTH
