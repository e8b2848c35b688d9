"""Times as the reader's clock shows them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.domain.mails import Notice
from pbem.domain.players import Player
from pbem.domain.preferences import Preferences
from pbem.ids import PlayerId
from pbem.wording.templates import Wording

BOB = Player(PlayerId(1), "bob", (), datetime(2026, 5, 1, tzinfo=UTC))


@pytest.fixture
def wording(tmp_path: Path) -> Wording:
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "when.txt").write_text("Subject: when\n{{ at|moment }}; {{ (at|local).hour }}\n")
    return Wording(tmp_path, {})


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        ("UTC", "Tue 24 Nov 2026, 17:30 UTC; 17"),
        ("Europe/Paris", "Tue 24 Nov 2026, 18:30 CET; 18"),
        ("America/New_York", "Tue 24 Nov 2026, 12:30 EST; 12"),
        ("Asia/Kathmandu", "Tue 24 Nov 2026, 23:15 UTC+0545; 23"),
        ("Pacific/Auckland", "Wed 25 Nov 2026, 06:30 NZDT; 6"),
    ],
)
def test_a_time_is_that_of_the_reader(wording: Wording, zone: str, said: str) -> None:
    reader = replace(BOB, preferences=Preferences(timezone=zone))
    at = datetime(2026, 11, 24, 17, 30, 59, tzinfo=UTC)
    assert wording.render(Notice("when", reader, {"at": at})).body == f"{said}\n"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Thu 17 Sep 2026, 17:30 UTC; 17 Sep, 17:30; 17 Sep 2026"),
        ("de", "Do., 17. Sept. 2026, 17:30 UTC; 17. Sept., 17:30; 17. Sept. 2026"),
        ("fr", "jeudi 17 sept. 2026, 17:30 UTC; 17 sept., 17:30; 17 sept. 2026"),
    ],
)
def test_a_time_is_written_as_the_language_writes_it(tmp_path: Path, language: str, said: str) -> None:
    (tmp_path / "mail").mkdir()
    short = "{{ at|short_moment(false) }}; {{ at|short_moment(true) }}"
    (tmp_path / "mail" / "when.txt").write_text(f"Subject: when\n{{{{ at|moment }}}}; {short}\n")
    reader = replace(BOB, preferences=Preferences(language=language))
    at = datetime(2026, 9, 17, 17, 30, 59, tzinfo=UTC)
    assert Wording(tmp_path, {}).render(Notice("when", reader, {"at": at})).body == f"{said}\n"


def test_somebody_unknown_reads_the_times_of_greenwich(wording: Wording) -> None:
    at = datetime(2026, 3, 1, 7, 5, tzinfo=UTC)
    assert wording.render(Notice("when", "a@example.org", {"at": at})).body == "Sun 1 Mar 2026, 07:05 UTC; 7\n"
