"""A service that takes messages by HTTP, as chats do."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class WebhookService(ThreadingHTTPServer):
    """Takes messages."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Request)
        self.status = 200
        self.ahead = 0.0
        """Seconds by which its clock is."""
        self.came: list[tuple[str, str, dict[str, str], bytes]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Request(BaseHTTPRequestHandler):
    server: WebhookService

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.came.append((self.command, self.path, dict(self.headers), body))
        self.send_response(self.server.status)
        self.send_header("content-length", "0")
        self.end_headers()

    do_PUT = do_POST  # noqa: N815 - the same

    def date_time_string(self, timestamp: float | None = None) -> str:
        """The time that it tells."""
        return super().date_time_string((time.time() if timestamp is None else timestamp) + self.server.ahead)

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@contextmanager
def running_service() -> Iterator[WebhookService]:
    """The service, on an ephemeral port."""
    with WebhookService() as service:
        thread = Thread(target=service.serve_forever, args=(0.01,))
        thread.start()
        yield service
        service.shutdown()
        thread.join()
