"""Notifications for browsers, sent to a push service of the test, which can read none of them."""

from __future__ import annotations

import json
import ssl
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import http_ece
import pytest
import trustme
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from pbem.domain.pushes import PushSubscription
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.pushes import LASTS, DuePush, PushQueue
from pbem.usecases.signoff import take_off
from pbem.workers.push import Fate, PushSender, PushWorker
from tests.storage.stock import OPENING
from tests.support.web_site import WebClient, WebSite
from tests.web.visiting import mails, rows, sends, shown, token

KEY = urlsafe_b64encode(bytes(range(1, 33))).decode().rstrip("=")
SECRET = bytes(16)


def base64url(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


@dataclass
class PushService:
    """The push service of a browser, with the browser's own keys."""

    host: str = ""
    status: int = 201
    location: str = ""
    asked: list[tuple[str, Mapping[str, str], bytes]] = field(default_factory=list)
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def subscription(self, name: str = "browser") -> dict[str, str]:
        """The fields by which a browser subscribes."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": f"https://{self.host}/{name}", "p256dh": base64url(point), "auth": base64url(SECRET)}

    def read(self) -> object:
        """The last notification as the browser reads it."""
        return json.loads(http_ece.decrypt(self.asked[-1][2], private_key=self.key, auth_secret=SECRET))


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PushService]:
    found = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            found.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(found.status)
            if found.location:
                self.send_header("location", found.location)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / "authority.pem"))
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost").configure_cert(context)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        server.daemon_threads = True
        found.host = f"localhost:{server.server_address[1]}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield found
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def site(chosen_url: str, tmp_path: Path, service: PushService) -> Iterator[WebSite]:
    settings = {"push_private_key": KEY, "push_contact": "admin@example.org", "push_services": service.host}
    with WebSite(chosen_url, tmp_path, **settings) as site:
        site.now = datetime.now(UTC).replace(microsecond=0)
        site.joins("ann", "ben")
        yield site


Send = Callable[[], bool]


@pytest.fixture
def send(site: WebSite) -> Iterator[Send]:
    """Lets the server send what is due."""
    sender = site.server.parts.push_sender
    assert sender is not None
    worker = PushWorker(PushQueue(site.server.engine), sender)
    yield worker.step
    worker.end()


def subscribes(browser: WebClient, subscription: Mapping[str, str]) -> None:
    answer = sends(browser, "/push/subscribe", {"token": token(browser), **subscription})
    assert (answer.status_code, answer.headers["location"]) == (303, "/settings#notifications"), answer.text


def to_act(site: WebSite, number: int) -> str:
    board = site.board(number)
    seat: int = site.course(board).to_act
    return board.seats[seat].userid


def waiting(site: WebSite) -> int:
    return len(rows(site, "SELECT id FROM push_notices"))


def browsers(site: WebSite) -> int:
    return len(rows(site, "SELECT session FROM push_subscriptions"))


def board_of(site: WebSite) -> tuple[int, str, str]:
    """A board, who is to act there, and the other."""
    number = site.begins("superbo", "ann", "ben")
    first = to_act(site, number)
    return number, first, "ben" if first == "ann" else "ann"


def test_a_browser_is_told_of_the_turn_of_its_player_besides_the_mail(
    site: WebSite, service: PushService, send: Send
) -> None:
    number, _, other = board_of(site)
    subscribes(site.browser(other), service.subscription())
    assert not send()
    before = len(mails(site, f"{other}@example.org"))
    site.moves(number, OPENING[0])
    assert send()
    (path, headers, body) = service.asked[0]
    assert path == "/browser"
    assert headers["ttl"] == str(int(LASTS.total_seconds()))
    assert headers["authorization"].startswith("vapid t=")
    assert headers["content-encoding"] == "aes128gcm"
    assert headers["topic"] == f"board-{number}"
    assert b"superbo" not in body
    assert service.read() == {"game": "superbo", "board": number}
    claims = headers["authorization"].removeprefix("vapid t=").split(",")[0].split(".")[1]
    said = json.loads(urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
    assert (said["sub"], said["aud"]) == ("mailto:admin@example.org", f"https://{service.host}")
    assert not send()
    assert len(mails(site, f"{other}@example.org")) >= before


def test_the_mover_is_not_told(site: WebSite, service: PushService, send: Send) -> None:
    number, first, _ = board_of(site)
    subscribes(site.browser(first), service.subscription())
    site.moves(number, OPENING[0])
    assert not send()
    site.moves(number, OPENING[1])
    assert send()
    assert len(service.asked) == 1


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(site: WebSite, service: PushService, send: Send, status: int) -> None:
    number, _, other = board_of(site)
    subscribes(site.browser(other), service.subscription())
    service.status = status
    site.moves(number, OPENING[0])
    assert send()
    assert (browsers(site), waiting(site)) == (0, 0)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_service_is_asked_again_later(site: WebSite, service: PushService, send: Send, status: int) -> None:
    number, _, other = board_of(site)
    subscribes(site.browser(other), service.subscription())
    service.status = status
    site.moves(number, OPENING[0])
    assert send()
    assert not send()
    queue, now = PushQueue(site.server.engine), datetime.now(UTC)
    (again,) = queue.take(now + timedelta(minutes=2), 10)
    assert again.board == number
    assert queue.take(now + timedelta(minutes=3), 10) == []
    assert queue.take(now + LASTS + timedelta(hours=2), 10) == []
    assert (browsers(site), waiting(site)) == (1, 0)


def test_a_refused_notification_is_not_sent_again(site: WebSite, service: PushService, send: Send) -> None:
    number, _, other = board_of(site)
    subscribes(site.browser(other), service.subscription())
    service.status = 403
    site.moves(number, OPENING[0])
    assert send()
    assert (browsers(site), waiting(site)) == (1, 0)


def test_no_redirect_is_followed(site: WebSite, service: PushService, send: Send) -> None:
    number, _, other = board_of(site)
    subscribes(site.browser(other), service.subscription())
    service.status, service.location = 307, f"https://{service.host}/elsewhere"
    site.moves(number, OPENING[0])
    assert send()
    assert [path for path, _, _ in service.asked] == ["/browser"]


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://{host}/browser",
        "https://push.example.com/browser",
        "https://{host}@example.com/browser",
        "https://{host}.example.com/browser",
        "https://localhost/browser",
        "https://127.0.0.1/",
        "https://{host}/" + "x" * 2000,
        "file:///etc/passwd",
        "",
    ],
)
def test_only_known_services_are_spoken_to(site: WebSite, service: PushService, endpoint: str) -> None:
    ann = site.browser("ann")
    fields = {**service.subscription(), "endpoint": endpoint.format(host=service.host)}
    answer = sends(ann, "/push/subscribe", {"token": token(ann), **fields})
    assert "cannot notify your browser" in shown(answer, 403).text
    assert browsers(site) == 0


def test_keys_that_are_none_are_refused(site: WebSite, service: PushService) -> None:
    ann = site.browser("ann")
    for wrong in ({"p256dh": "x"}, {"auth": ""}, {"p256dh": base64url(bytes(65))}, {"auth": "\xe9" * 22}):
        answer = sends(ann, "/push/subscribe", {"token": token(ann), **service.subscription(), **wrong})
        assert answer.status_code == 403
    assert browsers(site) == 0


def test_a_key_that_is_no_point_of_the_curve_ends_the_subscription(
    site: WebSite, service: PushService, send: Send
) -> None:
    number, _, other = board_of(site)
    subscribes(site.browser(other), {**service.subscription(), "p256dh": base64url(b"\4" + bytes(63) + b"\1")})
    site.moves(number, OPENING[0])
    assert send()
    assert (browsers(site), service.asked) == (0, [])


def test_forms_of_others_switch_nothing_on(site: WebSite, service: PushService) -> None:
    ann = site.browser("ann")
    assert sends(ann, "/push/subscribe", service.subscription()).status_code == 403
    assert sends(site.guest(), "/push/subscribe", service.subscription()).status_code == 303
    assert browsers(site) == 0


def test_it_ends_when_the_player_says_so_signs_out_or_leaves(site: WebSite, service: PushService) -> None:
    for way in ("/push/unsubscribe", "/sign-out"):
        ann = site.browser("ann")
        subscribes(ann, service.subscription())
        assert browsers(site) == 1
        sends(ann, way, {"token": token(ann)})
        assert browsers(site) == 0
    subscribes(site.browser("ann"), service.subscription())
    site.does("ann", lambda context: take_off(context.speaker.known, context))
    assert browsers(site) == 0


def test_a_browser_is_told_as_one_player_at_a_time(site: WebSite, service: PushService) -> None:
    for userid in ("ann", "ben"):
        subscribes(site.browser(userid), service.subscription())
    found = rows(site, "SELECT userid FROM players JOIN push_subscriptions ON player_id = players.id")
    assert found == [("ben",)]


def test_players_see_it_in_their_settings_and_in_their_data(site: WebSite, service: PushService) -> None:
    ann = site.browser("ann")
    assert ann.opens("/settings").all("//form[@action='/push/subscribe']/@data-key")
    subscribes(ann, service.subscription())
    page = ann.opens("/settings")
    assert page.find("//form[@action='/push/unsubscribe']")
    assert not site.browser("ann").opens("/settings").find("//form[@action='/push/unsubscribe']")
    with site.server.unit_of_work() as uow:
        player = uow.players.by_userid("ann")
        assert player is not None
        (told,) = uow.traces.of(player)["notified_browsers"]
    assert told["endpoint"] == service.subscription()["endpoint"]
    assert set(told) == {"made_at", "endpoint"}


def test_without_a_key_there_are_none(chosen_url: str, tmp_path: Path, service: PushService) -> None:
    with WebSite(chosen_url, tmp_path) as site:
        site.joins("ann")
        ann = site.browser("ann")
        assert not ann.opens("/settings").find("//*[@id='notifications']")
        assert sends(ann, "/push/subscribe", {"token": token(ann), **service.subscription()}).status_code == 403


def test_a_service_that_is_no_longer_listed_gets_nothing(service: PushService) -> None:
    sender = PushSender(KEY, "admin@example.org", ["*.example.org"])
    fields = service.subscription()
    now = datetime.now(UTC)
    browser = PushSubscription("", PlayerId(1), fields["endpoint"], fields["p256dh"], fields["auth"], now)
    due = DuePush(1, browser, "superbo", BoardNumber(101))
    assert sender.send(due) is Fate.GONE
    assert service.asked == []
    sender.close()
