"""A crowd of strangers that nobody can tell apart: it is answered slowly, and shuts nobody out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.bootstrap.status import condition
from pbem.domain.correspondents import STRANGERS_WAIT
from pbem.storage.engine import reading
from pbem.storage.models import MailRow
from pbem.usecases.attention import judge
from tests.support.stepped_server import SteppedServer

HOUR = timedelta(hours=1)
MOST = 100
OF_A_KIND = MOST // 4


@dataclass(frozen=True)
class Planned:
    """A mail in the outbox, and when it may leave."""

    recipient: str
    name: str
    leaves_at: datetime


@pytest.fixture
def asking(sqlite_url: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[SteppedServer]:
    """A server that asks before it makes an account."""
    settings = {"PBEM_CONFIRM_SIGNUP": "true", "PBEM_MAX_STRANGER_MAILS_PER_HOUR": str(getattr(request, "param", MOST))}
    stepped = SteppedServer(sqlite_url, tmp_path, **settings)
    yield stepped
    stepped.server.close()


def planned(stepped: SteppedServer) -> list[Planned]:
    with reading(stepped.server.engine) as connection:
        rows = connection.execute(select(MailRow.recipient, MailRow.name, MailRow.next_attempt_at)).all()
    return [Planned(row.recipient, str(row.name), row.next_attempt_at) for row in rows]


def crowd(stepped: SteppedServer, letters: range) -> None:
    for number in letters:
        stepped.gets("list", sender=f"x{number}@example.org")
    stepped.works()


@pytest.mark.parametrize(
    ("asking", "size"), [(MOST, 500), pytest.param(4 * MOST, 2000, marks=pytest.mark.slow)], indirect=["asking"]
)
def test_a_newcomer_in_a_crowd_is_asked_within_the_hour_and_the_crowd_is_answered_slowly(
    asking: SteppedServer, size: int
) -> None:
    began, most = datetime.now(UTC), asking.server.settings.max_stranger_mails_per_hour
    crowd(asking, range(size // 2))
    asking.gets("signup newbie secret", sender="newbie@example.org")
    crowd(asking, range(size // 2, size))
    mails = planned(asking)
    (question,) = [each for each in mails if each.recipient == "newbie@example.org"]
    assert question.leaves_at < began + HOUR
    times = sorted(each.leaves_at for each in mails)
    assert len(times) == size + 1, "all are answered, if not at once"
    assert max(sum(at <= each < at + HOUR for each in times) for at in times) <= most
    assert times[-1] < began + STRANGERS_WAIT


def test_a_crowd_that_signs_up_waits_too(asking: SteppedServer) -> None:
    for number in range(OF_A_KIND + 5):
        asking.gets(f"signup user{number} secret", sender=f"x{number}@example.org")
    asking.works()
    now = datetime.now(UTC)
    assert sum(each.leaves_at > now for each in planned(asking)) >= 5


def test_beyond_what_a_day_can_take_strangers_are_not_answered(sqlite_url: str, tmp_path: Path) -> None:
    stepped = SteppedServer(sqlite_url, tmp_path, PBEM_MAX_STRANGER_MAILS_PER_HOUR="12")
    most = 3 * (STRANGERS_WAIT // HOUR)
    crowd(stepped, range(most + 5))
    assert len(planned(stepped)) in (most, most + 3), "three more if an hour has begun meanwhile"
    stepped.server.close()


def test_the_operator_sees_how_many_wait_and_is_told_of_no_failing_relay(asking: SteppedServer) -> None:
    crowd(asking, range(8 * OF_A_KIND))
    found = condition(asking.server.engine, asking.server.settings, datetime.now(UTC))
    (attention,) = [each for each in judge(found) if each.what == "strangers_wait"]
    assert 0 < attention.count <= 7 * OF_A_KIND
    assert found.depths.mails_resting == 0
