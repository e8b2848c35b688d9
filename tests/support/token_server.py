"""A provider's server for access tokens (OAuth 2): for those who need one, and for those who are shown one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

CLIENT = "pbem"
BEGINNING = "a" * 40
"""Of all access tokens."""


class TokenServer:
    """Gives an access token for the refresh tokens "first" and "second", and with it the latter.

    Args:
        user: has the account that the tokens are for.
    """

    def __init__(self, user: str) -> None:
        self.user = user
        self.url = ""
        self.given: list[str] = []
        """The access tokens, the newest last: it alone is good."""
        self.revoked: set[str] = set()

    def give(self, refresh_token: str, client: str) -> dict[str, object] | None:
        """The answer to whoever asks for an access token; None: there is none for them."""
        if refresh_token not in ("first", "second") or client != CLIENT:
            return None
        self.given.append(f"{BEGINNING}{len(self.given)}")
        return {"access_token": self.given[-1], "expires_in": 3600, "refresh_token": "second"}

    def is_good(self, token: str) -> bool:
        """Return True if somebody shows a token that is in force."""
        return token in self.given[-1:] and token not in self.revoked


@contextmanager
def running_token_server(user: str) -> Iterator[TokenServer]:
    """Run one on this machine."""
    tokens = TokenServer(user)

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
            answer = tokens.give(form["refresh_token"][0], form["client_id"][0])
            self.say(400 if answer is None else 200, answer or {"error": "invalid_grant"})

        def do_GET(self) -> None:
            (shown,) = parse_qs(urlsplit(self.path).query).get("access_token", [""])
            is_good = tokens.is_good(shown)
            self.say(200 if is_good else 401, {"email": tokens.user} if is_good else {})

        def say(self, status: int, answer: object) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        tokens.url = f"http://127.0.0.1:{server.server_address[1]}"
        serving = Thread(target=server.serve_forever)
        serving.start()
        try:
            yield tokens
        finally:
            server.shutdown()
            serving.join()
