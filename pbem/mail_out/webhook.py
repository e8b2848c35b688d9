"""Alarms as messages to a chat or a phone: ntfy, Slack (also Mattermost and others that read its format), Matrix."""

from __future__ import annotations

import json
from email import message_from_bytes, policy
from http.client import HTTPException
from urllib.parse import quote, unquote, urlsplit
from urllib.request import Request, urlopen

import structlog

from pbem.config import Webhook
from pbem.mail_out.relay import Deferred, Refused, Relay, RelayDown

log = structlog.get_logger()

_PATIENCE = 10
"""Seconds for which the service is waited for."""
_LONGEST = 3000
"""Characters; ntfy makes a file of more than 4096 bytes."""


class AlarmRelay:
    """Takes mails to the relay, and what they say to a webhook: it is enough if one of the two takes it.

    Args:
        relay: takes the mails; None: there is nobody whom they could be mailed to.
        webhook: takes the messages.
    """

    def __init__(self, relay: Relay | None, webhook: Webhook) -> None:
        self._relay = relay
        self._webhook = webhook

    def send(self, sender: str, recipient: str, raw: bytes, name: str) -> None:
        """Hand one mail over to both.

        Raises:
            Deferred, Refused, RelayDown: the relay has not taken it, nor has the webhook.
        """
        is_posted = self._post(raw, name)
        if self._relay is None:
            if not is_posted:
                raise RelayDown("the webhook cannot be reached")
            return
        try:
            self._relay.send(sender, recipient, raw, name)
        except (Deferred, Refused, RelayDown) as failed:
            if not is_posted:
                raise
            log.warning("alarm sent by webhook alone", reason=str(failed.facts["reason"]))

    def close(self) -> None:
        """Let go of the relay."""
        if self._relay is not None:
            self._relay.close()

    def _post(self, raw: bytes, name: str) -> bool:
        """Return True if the webhook has taken what a mail says."""
        subject, text = _words(raw)
        try:
            with urlopen(_request(self._webhook, subject, text, name), timeout=_PATIENCE):  # noqa: S310 - as below
                return True
        except (OSError, ValueError, HTTPException) as failed:  # not said in full: the URL may hold a secret
            log.warning("webhook not reached", error=type(failed).__name__, status=getattr(failed, "code", None))
            return False


def _words(raw: bytes) -> tuple[str, str]:
    """The Subject and the text of a mail."""
    mail = message_from_bytes(raw, policy=policy.default)
    body = mail.get_body(("plain",))
    return str(mail["Subject"]), ("" if body is None else str(body.get_content()))[:_LONGEST].strip()


def _request(webhook: Webhook, subject: str, text: str, name: str) -> Request:
    """The request by which a service takes a message; ``name`` is the same if it is tried again."""
    method, url, headers = "POST", webhook.url, {"Content-Type": "application/json"}
    match webhook.kind:
        case "ntfy":
            body = text
            headers = {"Title": subject.encode("ascii", "replace").decode(), "Priority": "high"}
        case "matrix":
            parts = urlsplit(webhook.url)
            room = quote(unquote(parts.path.removeprefix("/")), safe="")
            path = f"_matrix/client/v3/rooms/{room}/send/m.room.message/{quote(name)}"
            method, url = "PUT", f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/{path}"
            headers["Authorization"] = f"Bearer {unquote(parts.username or '')}"
            body = json.dumps({"msgtype": "m.text", "body": f"{subject}\n\n{text}"})
        case _:
            body = json.dumps({"text": f"*{subject}*\n{text}"})
    return Request(url, body.encode(), headers, method=method)  # noqa: S310 - the settings take HTTP alone
