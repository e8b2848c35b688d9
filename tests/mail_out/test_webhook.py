"""Alarms by webhook, to a real HTTP server."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from structlog.testing import capture_logs

from pbem.config import Webhook
from pbem.config.values import webhook
from pbem.mail_out.relay import RelayDown, make_relay
from pbem.mail_out.webhook import AlarmRelay
from tests.support.webhooks import WebhookService, running_service

MAIL = (
    b"From: pbem@localhost\r\nTo: admin@example.org\r\nSubject: Letters cannot be stored\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\n\r\nThe disk is full \xc3\xa0 look at it.\r\n"
)


@pytest.fixture
def service() -> Iterator[WebhookService]:
    with running_service() as service:
        yield service


def sends(hook: Webhook, folder: Path) -> None:
    relay = AlarmRelay(make_relay(f"maildir:{folder}"), hook)
    relay.send("", "admin@example.org", MAIL, "1.alarm")
    relay.close()


def test_ntfy_gets_the_subject_as_title_and_the_text(service: WebhookService, tmp_path: Path) -> None:
    sends(Webhook("ntfy", f"{service.url}/club"), tmp_path)
    ((method, path, headers, body),) = service.came
    assert (method, path, headers["Title"]) == ("POST", "/club", "Letters cannot be stored")
    assert body.decode() == "The disk is full à look at it."
    assert len(list((tmp_path / "new").iterdir())) == 1, "the mail goes out, too"


def test_slack_gets_json(service: WebhookService, tmp_path: Path) -> None:
    sends(Webhook("slack", f"{service.url}/services/T/B"), tmp_path)
    ((method, path, headers, body),) = service.came
    assert (method, path, headers["Content-Type"]) == ("POST", "/services/T/B", "application/json")
    assert json.loads(body) == {"text": "*Letters cannot be stored*\nThe disk is full à look at it."}


def test_matrix_gets_a_message_that_comes_once_however_often_it_is_sent(
    service: WebhookService, tmp_path: Path
) -> None:
    hook = webhook(f"matrix:{service.url.replace('//', '//syt_secret@')}/!room:example.org")
    assert hook is not None
    sends(hook, tmp_path)
    ((method, path, headers, body),) = service.came
    assert method == "PUT"
    assert path == "/_matrix/client/v3/rooms/%21room%3Aexample.org/send/m.room.message/1.alarm"
    assert headers["Authorization"] == "Bearer syt_secret"
    said = {"msgtype": "m.text", "body": "Letters cannot be stored\n\nThe disk is full à look at it."}
    assert json.loads(body) == said


def test_one_of_the_two_is_enough(service: WebhookService, tmp_path: Path) -> None:
    hook = Webhook("ntfy", f"{service.url}/secret-topic")
    down = AlarmRelay(make_relay("smtp://127.0.0.1:1"), hook)
    down.send("", "admin@example.org", MAIL, "1.alarm")
    service.status = 500
    with capture_logs() as logs:
        with pytest.raises(RelayDown):
            down.send("", "admin@example.org", MAIL, "1.alarm")
        sends(hook, tmp_path)
    assert [(each["event"], each["status"]) for each in logs] == [("webhook not reached", 500)] * 2
    assert "secret" not in str(logs)


def test_without_an_operator_the_webhook_alone_is_told(service: WebhookService) -> None:
    alone = AlarmRelay(None, Webhook("ntfy", f"{service.url}/club"))
    alone.send("", "club@example.org", MAIL, "1.alarm")
    assert len(service.came) == 1
    service.status = 500
    with pytest.raises(RelayDown):
        alone.send("", "club@example.org", MAIL, "1.alarm")
    alone.close()


def test_a_service_that_speaks_no_http_keeps_no_mail_back(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65_536)
                connection.sendall(b"hello\r\n\r\n")

        thread = Thread(target=answer)
        thread.start()
        sends(Webhook("ntfy", f"http://127.0.0.1:{listening.getsockname()[1]}/club"), tmp_path)
        thread.join()
    assert len(list((tmp_path / "new").iterdir())) == 1
