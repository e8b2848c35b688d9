"""Waiting notifications → the push services of browsers (RFC 8030)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from enum import Enum, auto
from threading import Event

import structlog
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from http_ece import ECEException
from py_vapid import Vapid, VapidException
from py_vapid.utils import b64urlencode
from pywebpush import WebPusher
from requests import RequestException, Session

from pbem.domain.pushes import is_of_service
from pbem.storage.pushes import LASTS, DuePush, PushQueue
from pbem.workers.faults import where_it_failed

log = structlog.get_logger()

_AT_ONCE = 10
_PATIENCE = 10
"""Seconds for which a push service is waited for."""
_GONE = (404, 410)
"""The answers of a push service that no longer knows a browser (RFC 8030 s 7.3)."""
_BUSY = 429
_SERVER_ERROR = 500


class Fate(Enum):
    """The result of sending a notification."""

    SENT = auto()
    LATER = auto()
    REFUSED = auto()
    GONE = auto()
    """The browser is no longer there."""


class PushSender:
    """Encrypts notifications and hands them to push services; follows them nowhere else.

    Args:
        private_key: by which push services know the server (RFC 8292), in base64url.
        contact: an address of the operator for those who run the services.
        services: the hosts that may take notifications.

    Raises:
        ValueError: the key cannot be used.
    """

    def __init__(self, private_key: str, contact: str, services: Sequence[str]) -> None:
        try:
            self._vapid = Vapid.from_raw(private_key.encode())
        except VapidException as wrong:
            raise ValueError(str(wrong)) from None
        self._contact = contact
        self._services = services
        self._session = Session()
        self._session.max_redirects = 0

    @property
    def public_key(self) -> str:
        """The key for browsers, in base64url."""
        point = self._vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return str(b64urlencode(point))

    def send(self, push: DuePush) -> Fate:
        """Send a notification; what it says is only for the browser."""
        if not is_of_service(push.browser.endpoint, self._services):
            return Fate.GONE  # the list has changed since the browser subscribed
        keys = {"p256dh": push.browser.public_key, "auth": push.browser.auth}
        scheme, _, rest = push.browser.endpoint.partition("://")
        claims = {"sub": f"mailto:{self._contact}", "aud": f"{scheme}://{rest.partition('/')[0]}"}
        headers = {**self._vapid.sign(claims), "topic": f"board-{push.board}"}
        try:
            pusher = WebPusher({"endpoint": push.browser.endpoint, "keys": keys}, requests_session=self._session)
            answer = pusher.send(push.payload, headers, ttl=int(LASTS.total_seconds()), timeout=_PATIENCE)
        except RequestException as failed:
            log.info("push service not reached", push=push.id, error=type(failed).__name__)
            return Fate.LATER
        except (ECEException, ValueError):
            return Fate.GONE  # its keys are none
        return _fate(push, answer.status_code)

    def close(self) -> None:
        """Hang up."""
        self._session.close()


def _fate(push: DuePush, status: int) -> Fate:
    if status in _GONE:
        return Fate.GONE
    if status == _BUSY or status >= _SERVER_ERROR:
        log.info("push deferred", push=push.id, status=status)
        return Fate.LATER
    if status >= 300:
        log.warning("push refused", push=push.id, status=status)
        return Fate.REFUSED
    return Fate.SENT


class PushWorker:
    """Sends the notifications that are due; holds no transaction while it talks to a push service.

    Args:
        queue: holds them.
        sender: sends them.
    """

    def __init__(self, queue: PushQueue, sender: PushSender) -> None:
        self._queue = queue
        self._sender = sender
        self._ending = Event()

    def end_soon(self) -> None:
        """Begin no further notification; the others are tried again later."""
        self._ending.set()

    def step(self) -> bool:
        """Send some; False if none is due.

        Raises:
            SQLAlchemyError: the database is in trouble.
        """
        due = self._queue.take(datetime.now(UTC), _AT_ONCE)
        for push in due:
            if self._ending.is_set():
                break
            self._settle(push, self._try(push))
        return bool(due)

    def _try(self, push: DuePush) -> Fate:
        try:
            return self._sender.send(push)
        except Exception as failed:  # noqa: BLE001 - our bug; the notifications that follow must not wait for its end
            log.error("push not sent", push=push.id, **where_it_failed(failed))  # noqa: TRY400 - no trace
            return Fate.LATER

    def _settle(self, push: DuePush, fate: Fate) -> None:
        match fate:
            case Fate.SENT | Fate.REFUSED:
                self._queue.done(push)
            case Fate.GONE:
                log.info("browser no longer notified", push=push.id)
                self._queue.gone(push)
            case Fate.LATER:
                pass  # its next attempt was noted when it was taken

    def end(self) -> None:
        """Hang up."""
        self._sender.close()
