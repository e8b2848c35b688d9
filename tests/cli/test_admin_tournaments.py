"""``pbem admin tournaments``."""

from __future__ import annotations

from tests.cli.admin import done, refused, told
from tests.support.server import GameServer


def test_the_operator_starts_a_tournament_and_calls_one_off(shared: GameServer) -> None:
    folder = shared.folder
    ann, bob = shared.player("ann-cup"), shared.player("bob-cup")
    for name in ("spring", "autumn"):
        ann.says(f"superbo tournament create ann-cup secret {name}")
        bob.says(f"superbo tournament join bob-cup secret {name}")
        for player in (ann, bob):
            player.hears()
    assert "Only one" in refused(folder, "tournaments", "start", "superbo", "spring")
    ann.says("superbo tournament join ann-cup secret spring")
    ann.hears()
    assert "has begun; 4 mails are on the way" in done(folder, "tournaments", "start", "superbo", "spring")
    for player in (ann, bob):
        assert "round 1" in player.hears().subject
        player.hears()
    assert "2 mails are" in done(folder, "tournaments", "call-off", "superbo", "Autumn", "--reason", "Too few of you.")
    for player in (ann, bob):
        mail = player.hears()
        assert mail.subject == "superbo Tournament autumn is called off"
        assert "Too few of you." in mail.text
    assert "already begun" in refused(folder, "tournaments", "call-off", "superbo", "spring")
    listed = told(folder, "tournaments", "list")
    assert [(each["tournament"], each["state"], each["entrants"]) for each in listed] == [
        ("autumn", "over", 0),
        ("spring", "running", 2),
    ]
