"""Data kept from mail to mail does not show: each is the same in whatever order they are written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem import folder
from pbem.domain.mails import Notice
from pbem.domain.players import Address, Player
from pbem.domain.preferences import Preferences
from pbem.ids import PlayerId
from pbem.wording.templates import Wording
from tests.wording.sample_mails import ALICE, AT, GAMES, REPLY_TO, SERVER, facts, played

BOB = Player(PlayerId(2), "bob", (Address("bob@example.org", AT),), AT)
WISHES: tuple[dict[str, str], ...] = (
    {},
    {"board": "ascii"},
    {"mail": "text"},
    {"mail": "html", "legend": "off"},
    {"describe": "on"},
)


def notices(game: str) -> list[Notice]:
    """Mails of two boards to both players, with different wishes; two follow each other for each position."""
    boards = [played(game, turns) for turns in (3, 6)]
    return [
        Notice("board", reader, facts(board, reader))
        for number, wishes in enumerate(WISHES)
        for board in boards
        for reader in (
            replace(ALICE, preferences=Preferences(**wishes)),
            replace(BOB, preferences=Preferences(**WISHES[number - 1])),
        )
    ]


@pytest.mark.parametrize("game", ["superbo", "mamba"])
def test_no_mail_depends_on_those_before_it(game: str) -> None:
    mails, warm = notices(game), Wording(folder("templates"), SERVER, GAMES)
    for mail in mails:
        warm.render(mail, f"other+{REPLY_TO}")
    written = [warm.render(mail, REPLY_TO) for mail in reversed(mails)][::-1]
    for mail, words in zip(mails, written, strict=True):
        assert words == Wording(folder("templates"), SERVER, GAMES).render(mail, REPLY_TO)
    assert len({(words.body, words.html) for words in written}) > len(mails) * 3 // 4
