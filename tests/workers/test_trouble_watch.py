"""Alarms about a relay or a mailbox that has been out of order for an hour: a real relay, a real webhook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from pbem import folder
from pbem.bootstrap import find_games
from pbem.config import Webhook
from pbem.mail_out.headers import Headers
from pbem.mail_out.message import Composer
from pbem.mail_out.relay import make_relay
from pbem.mail_out.webhook import AlarmRelay
from pbem.storage.engine import writing
from pbem.storage.models import TroubleRow
from pbem.storage.overview import AlarmTimes
from pbem.wording.templates import Wording
from pbem.workers.alarms import MAILBOX_ALARM, RELAY_ALARM, Alarms, OperatorMails, TroubleWatch
from tests.support.ports import free_port
from tests.support.webhooks import WebhookService, running_service
from tests.workers.alarms import FACTS, OPERATOR, SIGNER
from tests.workers.outboxes import OutboxFixture

HOUR = timedelta(hours=1)
CANNOT, CAN = "pbem cannot send mails", "pbem sends mails again"


@pytest.fixture
def chat() -> Iterator[WebhookService]:
    with running_service() as chat:
        yield chat


class WatchingProcess:
    """A process that delivers mails, watches over the relay, and tells of it by webhook and by mail.

    Args:
        post: the outbox, which all share.
        chat: takes the messages.
        relay: the URL of the one that takes the mails.
    """

    def __init__(self, post: OutboxFixture, chat: WebhookService | None, relay: str) -> None:
        wording = Wording(folder("templates"), FACTS, find_games())
        mails = OperatorMails(Composer(wording, Headers("pbem@localhost", SIGNER)), OPERATOR)
        self.relay = make_relay(relay)
        by = self.relay if chat is None else AlarmRelay(self.relay, Webhook("ntfy", f"{chat.url}/club"))
        self.passed = 0.0
        self.alarms = Alarms(by, mails, timedelta(minutes=1), AlarmTimes(post.engine), seconds=lambda: self.passed)
        self.watch = TroubleWatch(RELAY_ALARM, post.outbox.troubles, self.alarms)
        self.delivery = post.worker_with(make_relay(relay))

    def looks(self) -> None:
        """Do what the loops do now and then, a minute after the last time."""
        self.passed += 61
        self.watch.step()
        self.alarms.step()

    def ends(self) -> None:
        self.delivery.end()
        self.relay.close()


@pytest.fixture
def start(post: OutboxFixture) -> Iterator[Callable[..., WatchingProcess]]:
    """Start a process with this service and relay."""
    processes: list[WatchingProcess] = []

    def start(chat: WebhookService | None, port: int) -> WatchingProcess:
        processes.append(WatchingProcess(post, chat, f"smtp://127.0.0.1:{port}"))
        return processes[-1]

    yield start
    for each in processes:
        each.ends()


def titles(chat: WebhookService) -> list[str]:
    return [headers["Title"] for _, _, headers, _ in chat.came]


def an_hour_passes(post: OutboxFixture) -> None:
    """The trouble began an hour earlier than it did."""
    since = datetime.now(UTC) - HOUR
    with writing(post.engine) as connection:
        connection.execute(update(TroubleRow).values(since=since))


def rest_is_over(post: OutboxFixture) -> None:
    with writing(post.engine) as connection:
        connection.execute(update(TroubleRow).values(until=datetime.now(UTC)))
    post.time_passes()


def test_a_relay_out_of_order_for_an_hour_is_told_once_by_webhook_and_so_is_its_end(
    start: Callable[..., WatchingProcess], post: OutboxFixture, chat: WebhookService
) -> None:
    nowhere = free_port()
    first, second = (start(chat, nowhere) for _ in range(2))
    post.posts("a", "b")
    first.delivery.step()
    first.looks()
    assert titles(chat) == [], "such a trouble mostly passes"
    an_hour_passes(post)
    for _ in range(3):
        first.looks()
        second.looks()
    assert titles(chat) == [CANNOT]
    assert "Connection refused" in chat.came[0][3].decode()
    rest_is_over(post)
    there = start(chat, post.postbox.port)
    while there.delivery.step():
        pass
    for _ in range(3):
        for each in (second, first, there):
            each.looks()
    assert titles(chat) == [CANNOT, CAN]
    assert sorted(post.arrived()) == ["a", "b"], "the alarms could not be mailed, and need not be any more"


def test_the_end_is_told_by_another_process_if_the_first_has_ended(
    start: Callable[..., WatchingProcess], post: OutboxFixture, chat: WebhookService
) -> None:
    before = start(chat, free_port())
    post.posts("a")
    before.delivery.step()
    an_hour_passes(post)
    before.looks()
    rest_is_over(post)
    after = start(chat, post.postbox.port)
    while after.delivery.step():
        pass
    for _ in range(3):
        after.looks()
    assert titles(chat) == [CANNOT, CAN]
    assert [each.subject for each in post.postbox.mails if each.recipient == OPERATOR] == [CAN]


def test_without_a_webhook_the_operator_is_mailed_once_it_is_over(
    start: Callable[..., WatchingProcess], post: OutboxFixture
) -> None:
    process = start(None, free_port())
    post.posts("a")
    process.delivery.step()
    an_hour_passes(post)
    process.looks()
    rest_is_over(post)
    after = start(None, post.postbox.port)
    while after.delivery.step():
        pass
    for _ in range(3):
        after.looks()
    assert [each.subject for each in post.postbox.mails if each.recipient == OPERATOR] == [CAN]


def test_a_trouble_that_passes_within_the_hour_is_told_to_nobody(
    start: Callable[..., WatchingProcess], post: OutboxFixture, chat: WebhookService
) -> None:
    process = start(chat, post.postbox.port)
    now = datetime.now(UTC)
    post.outbox.troubles.note("refused", now - timedelta(minutes=59))
    post.outbox.troubles.over(now)
    process.looks()
    assert titles(chat) == []


def test_a_trouble_of_long_ago_is_told_to_nobody(
    start: Callable[..., WatchingProcess], post: OutboxFixture, chat: WebhookService
) -> None:
    process = start(chat, post.postbox.port)
    now = datetime.now(UTC)
    post.outbox.troubles.note("refused", now - timedelta(days=3))
    post.outbox.troubles.over(now - timedelta(days=2))
    process.looks()
    assert titles(chat) == []


def test_a_mailbox_out_of_order_is_told_in_its_own_words(
    start: Callable[..., WatchingProcess], post: OutboxFixture, chat: WebhookService
) -> None:
    process = start(chat, post.postbox.port)
    troubles, now = post.outbox.troubles, datetime.now(UTC)
    watch = TroubleWatch(MAILBOX_ALARM, troubles, process.alarms)
    troubles.note("login: AUTHENTICATIONFAILED", now - 2 * HOUR)
    watch.step()
    process.alarms.step()
    troubles.over(now)
    watch.step()
    process.alarms.step()
    assert titles(chat) == ["pbem cannot fetch letters", "pbem fetches letters again"]
    assert "login: AUTHENTICATIONFAILED" in chat.came[0][3].decode()
