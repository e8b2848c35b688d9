"""A provider's relay that takes so many mails, and says when it has had too many."""

from __future__ import annotations

import smtplib
from datetime import UTC, datetime, timedelta

import pytest
from structlog.testing import capture_logs

from pbem.mail_out.relay import RelayBusy, RelayDown, SmtpRelay
from pbem.storage.engine import reading
from pbem.storage.outbox import Outbox, OutboxRests
from pbem.storage.relay_limit import full_until
from pbem.workers import outbox as worker
from pbem.workers.outbox import DeliveryWorker, Retries
from tests.support.mail import Mail
from tests.workers.outboxes import DAY, DELAYS, OutboxFixture, answer_with

NOW = datetime(2026, 3, 1, 12, 0, 30, tzinfo=UTC)
PER_HOUR = 25
TOO_MUCH = "450 4.7.1 You send too much"


def limited(post: OutboxFixture, owner: str = "") -> Outbox:
    return Outbox(post.engine, timedelta(minutes=5), owner, PER_HOUR)


def test_all_processes_together_take_no_more_mails_within_an_hour_than_allowed(post: OutboxFixture) -> None:
    post.posts(*(f"m{number}" for number in range(60)), at=NOW)
    one, other = limited(post, "one"), limited(post, "other")
    taken = [len(each.lease(NOW + timedelta(minutes=at), 10)) for at, each in enumerate((one, other, one))]
    assert taken == [10, 10, 5]
    with pytest.raises(OutboxRests) as rests:
        other.lease(NOW + timedelta(minutes=3), 10)
    until = NOW.replace(second=0) + timedelta(minutes=61)
    assert rests.value.facts == {"until": until, "per_hour": PER_HOUR}
    with reading(post.engine) as connection:
        assert full_until(connection, until - timedelta(seconds=1), PER_HOUR) == until
        assert full_until(connection, until, PER_HOUR) is None
    assert len(other.lease(until, 20)) == 10, "those of the first minute are more than an hour ago"


def test_a_clock_that_was_ahead_keeps_no_mails_back(post: OutboxFixture) -> None:
    post.posts(*(f"m{number}" for number in range(2 * PER_HOUR)), at=NOW)
    assert len(limited(post).lease(NOW + timedelta(hours=5), PER_HOUR)) == PER_HOUR
    assert len(limited(post).lease(NOW, PER_HOUR)) == PER_HOUR


def test_nothing_is_counted_while_nothing_is_due(post: OutboxFixture) -> None:
    for _ in range(PER_HOUR + 1):
        assert limited(post).lease(NOW, 10) == []
    post.posts("a", at=NOW)
    assert len(limited(post).lease(NOW, 10)) == 1


def test_mails_over_the_limit_wait_and_the_log_says_so_once(post: OutboxFixture) -> None:
    post.worker = DeliveryWorker(limited(post), post.relay, Retries(DELAYS, DAY))
    names = [f"m{number:02}" for number in range(PER_HOUR + 3)]
    post.posts(*names)
    with capture_logs() as logs:
        assert post.works() == 3
        assert not post.worker.step()
    assert post.arrived() == names[:PER_HOUR]
    assert [each["per_hour"] for each in logs if each["event"] == "relay limit reached"] == [PER_HOUR]
    assert post.row(names[-1]).attempts == 0


def test_so_many_mails_go_by_one_connection(post: OutboxFixture) -> None:
    opened = []

    def connect() -> smtplib.SMTP:
        opened.append(1)
        return smtplib.SMTP("127.0.0.1", post.postbox.port)

    relay = SmtpRelay(connect, per_connection=2)
    post.worker = post.worker_with(relay)
    post.posts("a", "b", "c", "d", "e")
    post.works()
    assert (post.arrived(), len(opened)) == (["a", "b", "c", "d", "e"], 3)
    relay.close()


def test_after_three_mails_put_off_for_their_number_all_wait_longer_and_longer(
    post: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    monkeypatch.setattr(worker, "monotonic", lambda: clock[0])
    post.posts(*"abcdefgh")
    post.postbox.answer = lambda _mail: TOO_MUCH
    with capture_logs() as logs:
        post.works()
        assert sorted(post.row(each).attempts for each in "abcdefgh") == [0] * 5 + [1] * 3
        clock[0] = 59.0
        assert not post.worker.step()
        clock[0] = 61.0
        post.works()
        assert sorted(post.row(each).attempts for each in "abcdefgh") == [0] * 4 + [1] * 4, (
            "still too much: one is tried"
        )
    rests = [each for each in logs if each["event"] == "relay wants a rest"]
    assert [each["reason"] for each in rests] == [TOO_MUCH] * 2
    post.postbox.answer = lambda _mail: "250 OK"
    clock[0] = 61.0 + 119.0
    assert not post.worker.step()
    clock[0] = 61.0 + 121.0
    post.time_passes()
    post.works()
    assert sorted(post.arrived()) == [*"abcdefgh"]


def test_one_mail_put_off_for_its_recipient_keeps_no_other(post: OutboxFixture) -> None:
    answer_with(post, {"a@example.org": TOO_MUCH, "c@example.org": TOO_MUCH, "e@example.org": TOO_MUCH})
    post.posts(*"abcdef")
    post.works()
    assert post.arrived() == [*"bdf"]


class DownRelay:
    """A relay that cannot be reached, or does not let us in."""

    def __init__(self, reason: str, *, is_busy: bool = False) -> None:
        self.down = RelayDown(reason, is_busy=is_busy)
        self.tried = 0

    def send(self, sender: str, recipient: str, raw: bytes, name: str) -> None:
        self.tried += 1
        raise self.down

    def close(self) -> None:
        """Nothing is open."""


def test_a_relay_that_is_down_is_tried_less_and_less_often(
    post: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    monkeypatch.setattr(worker, "monotonic", lambda: clock[0])
    relay = DownRelay("Connection refused")
    post.worker = post.worker_with(relay)
    post.posts(*(f"m{number:03}" for number in range(300)))
    tried_at = []
    for second in range(300):
        clock[0] = float(second)
        before = relay.tried
        post.worker.step()
        tried_at += [second] if relay.tried > before else []
    assert tried_at == [0, 1, 2, 4, 8, 16, 32, 64, 124, 184, 244]


def test_a_relay_that_lets_nobody_in_for_now_gets_a_rest(post: OutboxFixture) -> None:
    relay = DownRelay("454 4.7.0 Too many login attempts", is_busy=True)
    post.worker = post.worker_with(relay)
    post.posts(*(f"m{number:02}" for number in range(30)))
    with capture_logs() as logs:
        for _ in range(5):
            post.worker.step()
    assert relay.tried == 1
    rests = [each["reason"] for each in logs if each["event"] == "relay wants a rest"]
    assert rests == [relay.down.facts["reason"]]


@pytest.mark.parametrize(
    ("failed", "is_busy"),
    [
        (smtplib.SMTPConnectError(421, b"4.7.0 Too many connections"), True),
        (smtplib.SMTPAuthenticationError(454, b"4.7.0 Too many login attempts"), True),
        (smtplib.SMTPAuthenticationError(535, b"5.7.8 Bad credentials"), False),
        (ConnectionRefusedError(111, "Connection refused"), False),
    ],
)
def test_what_is_said_before_any_mail_is_about_the_relay(failed: OSError, is_busy: bool) -> None:
    def connect() -> smtplib.SMTP:
        raise failed

    with pytest.raises(RelayDown) as down:
        SmtpRelay(connect).send("a@example.org", "b@example.org", b"Subject: x\r\n\r\n", "x")
    assert down.value.facts["is_busy"] == is_busy


def test_mails_that_a_relay_was_never_asked_to_take_do_not_count(post: OutboxFixture) -> None:
    relay = DownRelay("Connection refused")
    post.worker = DeliveryWorker(limited(post), relay, Retries((0,), DAY))
    post.posts(*(f"m{number:02}" for number in range(3 * PER_HOUR)))
    for _ in range(5):
        post.worker._rests_until = 0.0
        post.worker.step()
    assert relay.tried == 5
    assert len(limited(post).lease(datetime.now(UTC), PER_HOUR)) == PER_HOUR


@pytest.mark.parametrize("answer", ["450 4.7.0 Try again later", "421 4.7.28 Rate limited"])
def test_the_reason_is_what_the_relay_says(post: OutboxFixture, answer: str) -> None:
    def says(_mail: Mail) -> str:
        return answer

    post.postbox.answer = says
    with pytest.raises(RelayBusy) as busy:
        post.relay.send("a@example.org", "b@example.org", b"Subject: x\r\n\r\n", "x")
    assert busy.value.facts["reason"] == answer
