"""Games that are over, looked back at over the real SMTP port."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.mail import Mail
from tests.support.server import running_server

pytestmark = pytest.mark.system

PATIENCE = 60.0
"""Seconds for a thought and its mail; nothing is concluded from how long they took."""


def pictures(mail: Mail) -> int:
    return sum(part.get_content_type() == "image/png" for part in mail.parsed.walk())


def test_players_and_others_are_mailed_what_was_better_in_words_and_drawn(tmp_path: Path) -> None:
    thinking = {"thinkers": "1", "max_playouts": "2", "confirm_signup": "false", "trust_from": "true"}
    with running_server(tmp_path, **thinking) as server:
        ann, bob, zoe = (server.person(name) for name in ("ann", "bob", "zoe"))
        for person, letter in (
            (ann, "signup ann secret"),
            (bob, "signup bob secret"),
            (ann, "lambo challenge -unrated -size=8 ann bob"),
            (ann, "move 101 ann secret a1"),
            (bob, "move 101 bob secret b1,c1"),
            (ann, "resign 101 ann secret"),
            (zoe, "signup zoe secret"),
        ):
            person.says(letter)
            person.hears()
        zoe.says("lambo analyse 101#2")
        assert "I'll mail you the analysis" in zoe.hears().words
        told = zoe.hears(PATIENCE)
        assert told.subject == "lambo Board 101 Analysis"
        assert "It was the turn of bob (Dark)." in told.text
        assert "bob (Dark) played B1,C1, which" in told.text
        assert "The best moves, with the chances after each" in told.html
        assert told.html.index("The best moves") < told.html.index("Moves:")
        assert told.text.index("The best moves") < told.text.index("Moves:")
        assert pictures(told) == 2
        zoe.answers(told, "analyse 101")
        assert "I'll mail you the analysis" in zoe.hears().words
        assert "All moves, with the chances" in zoe.hears(PATIENCE).text
