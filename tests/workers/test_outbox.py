from __future__ import annotations

import socket
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import DBAPIError
from structlog.testing import capture_logs

from pbem.domain.letters import OutgoingMail
from pbem.mail_out.relay import RelayDown, make_relay
from pbem.meters import Meters, summary
from pbem.storage.engine import writing
from pbem.storage.models import MailRow
from pbem.storage.outbox import DueMail
from pbem.workers.outbox import DeliveryWorker, Retries, file_name
from tests.support.mail import Mail, Postbox
from tests.workers.outboxes import DAY, DELAYS, OutboxFixture, answer_with


def busy(*names: str) -> dict[str, str]:
    return {f"{name}@example.org": "451 4.3.0 busy" for name in names}


def test_what_is_due_arrives_as_it_was_written_and_is_not_sent_again(post: OutboxFixture) -> None:
    post.posts("a", "b")
    assert post.works() == 1
    assert post.arrived() == ["a", "b"]
    assert post.postbox.mails[0] == Mail("<>", "a@example.org", b"Subject: a\r\n\r\nFrom me\r\n")
    assert post.outbox.count() == {"sent": 2}
    post.time_passes()
    assert post.works() == 0


def test_what_becomes_of_mails_is_counted(post: OutboxFixture) -> None:
    meters = Meters()
    post.worker = DeliveryWorker(post.outbox, post.relay, Retries(DELAYS, DAY), meters=meters)
    post.postbox.at_rcpt = busy("b") | {"c@example.org": "550 5.1.1 no such user"}
    post.posts("a", "b", "c")
    post.works()
    post.worker = DeliveryWorker(post.outbox, make_relay("smtp://127.0.0.1:1"), Retries(DELAYS, DAY), meters=meters)
    post.posts("d")
    post.works()
    told = summary(meters.registry)
    assert [told[name] for name in ("mails_sent", "mails_deferred", "mails_failed", "bounces")] == [1, 2, 1, 0]
    assert meters.registry.get_sample_value("pbem_relay_down_total") == 1
    assert meters.registry.get_sample_value("pbem_relay_seconds_count") == 4


def test_many_mails_go_in_several_steps(post: OutboxFixture) -> None:
    names = [f"m{number:02}" for number in range(25)]
    post.posts(*names)
    assert post.works() == 3
    assert post.arrived() == names


def test_an_empty_outbox_asks_for_no_relay(post: OutboxFixture) -> None:
    assert not post.worker_with(make_relay("smtp://127.0.0.1:1")).step()


def test_a_deferred_mail_comes_later_and_holds_back_no_other(post: OutboxFixture) -> None:
    post.posts("a", "b", "c")
    answer_with(post, busy("b"))
    with capture_logs() as logged:
        post.works()
    assert post.arrived() == ["a", "c"]
    assert post.outbox.count() == {"sent": 2, "waiting": 1}
    assert post.row("b").last_error == "451 4.3.0 busy"
    assert [(entry["event"], entry["mail"]) for entry in logged] == [
        ("mail sent", "a"),
        ("mail deferred", "b"),
        ("mail sent", "c"),
    ]
    answer_with(post, {})
    assert post.works() == 0
    post.time_passes()
    assert post.works() == 1
    assert post.arrived() == ["a", "c", "b"]
    assert post.outbox.count() == {"sent": 3}


def test_each_failure_waits_as_long_as_the_settings_say_the_last_for_all_that_follow(post: OutboxFixture) -> None:
    post.posts("a")
    answer_with(post, busy("a"))
    for attempt, delay in enumerate((60, 300, 300, 300), 1):
        before = datetime.now(UTC)
        assert post.works() == 1
        after = datetime.now(UTC)
        row = post.row("a")
        assert row.attempts == attempt
        assert before <= row.next_attempt_at - timedelta(seconds=delay) <= after
        post.time_passes()


def test_a_mail_that_is_too_old_is_given_up_after_one_more_try(post: OutboxFixture) -> None:
    post.posts("old", "new", at=None)
    post.posts("older", at=datetime.now(UTC) - DAY)
    answer_with(post, busy("old", "older"))
    with capture_logs() as logged:
        post.works()
    assert post.outbox.count() == {"sent": 1, "failed": 1, "waiting": 1}
    assert (post.row("older").state, post.row("older").last_error) == ("failed", "451 4.3.0 busy")
    assert {"mail given up"} <= {entry["event"] for entry in logged}
    post.time_passes()
    answer_with(post, {})
    post.works()
    assert post.arrived() == ["new", "old"]


def test_a_mail_refused_for_good_is_not_tried_again(post: OutboxFixture) -> None:
    post.posts("a", "b")
    answer_with(post, {"a@example.org": "550 5.1.1 no such user"})
    post.works()
    assert post.arrived() == ["b"]
    assert (post.row("a").state, post.row("a").last_error) == ("failed", "550 5.1.1 no such user")
    post.time_passes()
    assert post.works() == 0


def test_while_the_relay_is_down_everything_waits_and_then_everything_arrives(post: OutboxFixture) -> None:
    post.posts("a", "b", "c")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    down = post.worker_with(make_relay(f"smtp://127.0.0.1:{port}"))
    with capture_logs() as logged:
        assert not down.step()
        assert not down.step()
    assert [entry["event"] for entry in logged] == ["mail deferred"] * 3
    assert post.outbox.count() == {"waiting": 3}
    assert [post.row(name).attempts for name in "abc"] == [1, 1, 1]
    post.time_passes()
    post.works()
    assert sorted(post.arrived()) == ["a", "b", "c"]


def test_what_a_relay_has_taken_before_it_went_down_is_noted_first(
    post: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[dict[str, int]] = []

    class GoesDown:
        def send(self, sender: str, recipient: str, raw: bytes, name: str) -> None:
            if recipient.startswith("c"):
                raise RelayDown(reason="gone")
            post.relay.send(sender, recipient, raw, name)

        def close(self) -> None:
            pass

    def put_off(mail: DueMail, reason: str, at: datetime) -> None:
        counts.append(post.outbox.count())
        put_it_off(mail, reason, at)

    put_it_off = post.outbox.retry
    monkeypatch.setattr(post.outbox, "retry", put_off)
    post.posts("a", "b", "c")
    assert not post.worker_with(GoesDown()).step()
    assert counts == [{"sent": 2, "waiting": 1}]


def test_a_relay_that_hangs_up_between_mails_is_called_again(post: OutboxFixture) -> None:
    post.posts("a")
    post.works()
    old = post.postbox
    with Postbox() as postbox:
        post.postbox = postbox
        relay = make_relay(f"smtp://127.0.0.1:{postbox.port}")
        worker = post.worker_with(relay)
        post.posts("b")
        assert worker.step()
        for session in [relay._connection]:  # type: ignore[attr-defined]  # the connection that is kept
            session.sock.shutdown(socket.SHUT_RDWR)
        post.posts("c")
        assert worker.step()
        assert post.arrived() == ["b", "c"]
        relay.close()
    post.postbox = old


def test_a_mail_that_makes_the_relay_stumble_holds_back_no_other(post: OutboxFixture) -> None:
    class Stumbles:
        def send(self, sender: str, recipient: str, raw: bytes, name: str) -> None:
            if recipient.startswith("b"):
                raise RuntimeError(f"about {raw.decode()}")
            post.relay.send(sender, recipient, raw, name)

        def close(self) -> None:
            pass

    post.posts("a", "b", "c")
    with capture_logs() as logged:
        assert post.worker_with(Stumbles()).step()
    assert post.arrived() == ["a", "c"]
    assert post.outbox.count() == {"sent": 2, "waiting": 1}
    assert "From me" not in f"{logged} {post.row('b').last_error}"
    post.time_passes()
    post.works()
    assert post.arrived() == ["a", "c", "b"]


def test_what_was_handed_over_before_the_worker_broke_off_is_not_sent_again(post: OutboxFixture) -> None:
    class PowerButton(BaseException):
        """Nothing that a worker could catch."""

    class Breaks:
        def send(self, sender: str, recipient: str, raw: bytes, name: str) -> None:
            if recipient.startswith("b"):
                raise PowerButton
            post.relay.send(sender, recipient, raw, name)

        def close(self) -> None:
            pass

    post.posts("a", "b", "c")
    with pytest.raises(PowerButton):
        post.worker_with(Breaks()).step()
    post.outbox.take_over()
    post.works()
    assert post.arrived() == ["a", "b", "c"]


class Unwatched:
    """A relay during whose work the database goes away; the third mail is put off."""

    def __init__(self, post: OutboxFixture) -> None:
        self._post = post
        answer_with(post, busy("c"))

    def send(self, sender: str, recipient: str, raw: bytes, name: str) -> None:
        if recipient.startswith("b"):
            self._post.database_goes()
        self._post.relay.send(sender, recipient, raw, name)

    def close(self) -> None:
        self._post.relay.close()


def test_what_could_not_be_noted_is_as_soon_as_the_database_is_there_again(post: OutboxFixture) -> None:
    post.posts(*"abcd")
    worker = post.worker_with(Unwatched(post))
    for _ in range(2):
        with pytest.raises(DBAPIError):
            worker.step()
    assert post.arrived() == ["a", "b"]
    post.database_comes()
    answer_with(post, {})
    assert worker.step()
    assert post.arrived() == ["a", "b", "c", "d"]
    assert post.outbox.count() == {"sent": 4}


def test_who_ends_notes_what_he_could_not_note_before(post: OutboxFixture) -> None:
    post.posts(*"abcd")
    worker = post.worker_with(Unwatched(post))
    with pytest.raises(DBAPIError):
        worker.step()
    with capture_logs() as logged:
        worker.end()
    assert [(entry["event"], entry["sent"]) for entry in logged] == [("mails not noted", ["a", "b"])]
    post.database_comes()
    worker.end()
    answer_with(post, {})
    post.works()
    assert post.arrived() == ["a", "b", "c", "d"]


def test_a_mail_has_one_name_in_a_maildir_however_often_it_is_tried(post: OutboxFixture, tmp_path: Path) -> None:
    worker = post.worker_with(make_relay(f"maildir:{tmp_path / 'mail'}"))
    post.posts("a", "b")
    with writing(post.engine) as connection:
        before = connection.execute(select(MailRow.id, MailRow.raw)).all()
    assert worker.step()
    with writing(post.engine) as connection:  # as if we had been killed before we could note it
        for mail, raw in before:
            untold = {"state": "waiting", "finished_at": None, "raw": raw, "packed": None}
            connection.execute(update(MailRow).where(MailRow.id == mail).values(untold))
    first = sorted((tmp_path / "mail/new").iterdir())
    assert worker.step()
    assert sorted((tmp_path / "mail/new").iterdir()) == first
    assert [file.read_bytes() for file in first] == [f"Subject: {name}\n\nFrom me\n".encode() for name in "ab"]


def test_mails_of_one_moment_have_different_names(post: OutboxFixture) -> None:
    post.posts("a", "b")
    names = [file_name(mail) for mail in post.outbox.lease(datetime.now(UTC), 10)]
    assert len(set(names)) == 2
    assert names == sorted(names)


def test_told_to_end_it_finishes_one_mail_and_puts_the_others_back(post: OutboxFixture) -> None:
    class Slow:
        """A relay at which a mail is under way when the server is told to end."""

        def send(self, sender: str, recipient: str, raw: bytes, name: str) -> None:
            post.relay.send(sender, recipient, raw, name)
            worker.end_soon()

        def close(self) -> None:
            pass

    worker = post.worker_with(Slow())
    post.posts("a", "b", "c")
    worker.step()
    assert post.arrived() == ["a"]
    assert post.row("b").attempts == 0
    post.works()
    assert post.arrived() == ["a", "b", "c"]


def test_the_operator_is_told_once_of_a_mail_that_was_given_up(post: OutboxFixture) -> None:
    def tell(mail: DueMail, reason: str, _now: datetime) -> list[OutgoingMail]:
        said = f"Subject: failed\r\n\r\n{mail.recipient}: {reason}\r\n".encode()
        return [OutgoingMail(f"failed-{mail.id}", "<f@localhost>", "", "operator@example.org", said)]

    worker = DeliveryWorker(post.outbox, post.relay, Retries(DELAYS, DAY), tell)
    post.posts("a", "b", "c")
    post.posts("old", at=datetime.now(UTC) - DAY)
    answer_with(post, {"a@example.org": "550 5.1.1 no such user"} | busy("b", "old"))
    for _ in range(3):
        while worker.step():
            pass
        post.time_passes()
    assert sorted(post.arrived()) == ["c", "operator", "operator"]
    about = b"".join(mail.raw for mail in post.postbox.mails)
    assert b"a@example.org: 550 5.1.1 no such user" in about
    assert b"old@example.org: 451 4.3.0 busy" in about
    assert post.outbox.count() == {"failed": 2, "sent": 3, "waiting": 1}


def test_what_a_slow_relay_has_taken_is_noted_before_the_batch_ends(
    post: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[dict[str, int]] = []
    clock = count(0, 0.6)

    class Slow:
        def send(self, sender: str, recipient: str, raw: bytes, name: str) -> None:
            counts.append(post.outbox.count())
            post.relay.send(sender, recipient, raw, name)

        def close(self) -> None:
            pass

    monkeypatch.setattr("pbem.workers.outbox.monotonic", lambda: next(clock))
    post.posts("a", "b", "c")
    post.worker_with(Slow()).step()
    assert counts == [{"waiting": 3}, {"waiting": 3}, {"sent": 2, "waiting": 1}]
    assert post.outbox.count() == {"sent": 3}


def test_what_a_very_slow_relay_leaves_no_time_for_is_put_back(
    post: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = count(0, post.outbox.lease_seconds / 3)
    monkeypatch.setattr("pbem.workers.outbox.monotonic", lambda: next(clock))
    post.posts("a", "b", "c")
    assert post.worker.step()
    assert post.arrived() == ["a", "b"]
    assert post.worker.step()
    assert post.arrived() == ["a", "b", "c"]
