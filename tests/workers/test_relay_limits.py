"""A provider's relay that takes so many mails, and says when it has had too many."""

from __future__ import annotations

import smtplib
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update
from structlog.testing import capture_logs

from pbem.mail_out.relay import RelayBusy, RelayDown, SmtpRelay, make_relay
from pbem.storage.engine import reading, writing
from pbem.storage.models import TroubleRow
from pbem.storage.outbox import Outbox, OutboxRests
from pbem.storage.relay_limit import full_until
from pbem.storage.troubles import Troubles
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


def second_worker(post: OutboxFixture) -> DeliveryWorker:
    """A worker of another process."""
    outbox = Outbox(post.engine, timedelta(minutes=5), "second")
    return DeliveryWorker(outbox, make_relay(f"smtp://127.0.0.1:{post.postbox.port}"), Retries(DELAYS, DAY))


def rest_ends(post: OutboxFixture) -> None:
    """The last rest is just over, and mails that were tried are due."""
    with writing(post.engine) as connection:
        connection.execute(update(TroubleRow).values(until=datetime.now(UTC) - timedelta(seconds=1)))
    post.time_passes()


def test_a_rest_that_one_process_begins_holds_for_all(post: OutboxFixture) -> None:
    tried: list[str] = []

    def refuses(mail: Mail) -> str:
        tried.append(mail.recipient)
        return TOO_MUCH

    second = second_worker(post)
    post.posts(*"abcdefgh")
    post.postbox.answer = refuses
    post.works()
    assert len(tried) == 3
    for _ in range(5):
        assert not second.step()
    assert len(tried) == 3, "the second process rests, too"
    rest_ends(post)
    second.step()
    assert len(tried) == 4, "still too much: one mail is enough to see that"
    trouble = post.outbox.troubles.current()
    assert trouble is not None
    assert (trouble.is_busy, trouble.rest, trouble.why) == (True, timedelta(minutes=2), TOO_MUCH)
    post.postbox.answer = lambda _mail: "250 OK"
    rest_ends(post)
    third = second_worker(post)
    while third.step():
        pass
    assert sorted(post.arrived()) == [*"abcdefgh"]
    assert post.outbox.troubles.current() is None
    for each in (second, third):
        each.end()


def test_a_relay_that_one_process_cannot_reach_is_left_alone_by_all(post: OutboxFixture) -> None:
    relay = DownRelay("Connection refused")
    first, second = post.worker_with(relay), second_worker(post)
    post.posts(*(f"m{number:02}" for number in range(40)))
    for _ in range(2):
        first._rests_until = 0.0
        first.step()
    assert relay.tried == 2
    assert not second.step()
    assert post.arrived() == []
    rest_ends(post)
    while second.step():
        pass
    assert len(post.arrived()) == 40
    assert post.outbox.troubles.current() is None
    second.end()


def test_a_process_that_starts_during_a_rest_keeps_it(post: OutboxFixture) -> None:
    post.posts(*"abcd")
    post.postbox.answer = lambda _mail: TOO_MUCH
    post.works()
    post.postbox.answer = lambda _mail: "250 OK"
    post.time_passes()
    after = second_worker(post)
    assert not after.step()
    assert post.arrived() == []
    after.end()


def test_a_rest_noted_by_a_clock_that_was_ahead_holds_for_nobody(post: OutboxFixture) -> None:
    troubles, now = post.outbox.troubles, datetime.now(UTC)
    troubles.note(TOO_MUCH, now + timedelta(hours=5), timedelta(minutes=1), is_busy=True)
    post.posts("a")
    post.works()
    assert post.arrived() == ["a"]
    assert troubles.current() is None


def test_the_trouble_of_one_relay_is_not_that_of_another(post: OutboxFixture) -> None:
    now = datetime.now(UTC)
    Troubles(post.engine, "smtp://other.example.org").note(TOO_MUCH, now, timedelta(hours=1), is_busy=True)
    post.posts("a")
    post.works()
    assert post.arrived() == ["a"]


def test_a_trouble_lasts_from_its_first_attempt_to_a_success(post: OutboxFixture) -> None:
    troubles = post.outbox.troubles
    assert troubles.last() is None
    troubles.over(NOW)
    assert troubles.last() is None
    for minute, why in enumerate(("refused", "timed out")):
        troubles.note(why, NOW + timedelta(minutes=minute))
    for minute in (5, 6):
        troubles.over(NOW + timedelta(minutes=minute))
    last = troubles.last()
    assert last is not None
    assert (last.since, last.why, last.over_at) == (NOW, "timed out", NOW + timedelta(minutes=5))
    troubles.note("refused", NOW + timedelta(minutes=7))
    again = troubles.current()
    assert again is not None
    assert again.since == NOW + timedelta(minutes=7)
