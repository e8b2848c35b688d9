"""Letters by HTTP: ``POST /inbound``."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from datetime import datetime
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from pbem.domain.letters import Envelope, InboxFull
from pbem.ids import LetterId
from pbem.mail_in.acceptance import Acceptance
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.connection_limits import DoorLimits
from pbem.meters import Meters
from pbem.web.inbound import inbound_route
from tests.support.doors import LETTER, LIMITS, MOST, OURS

SECRET, NEXT = "a secret of the operator", "the one that follows it"
SENDER = "ann@example.org"


class Inbound:
    """The address, with nothing behind it but what a test says."""

    def __init__(self, limits: DoorLimits = LIMITS) -> None:
        self.letters: list[tuple[Envelope, bytes]] = []
        self.answer: Callable[[Future[LetterId | None]], None] = lambda future: future.set_result(LetterId(1))
        self.meters = Meters()
        acceptance = Acceptance(self._accept, OwnAddress(OURS), limits, self.meters.door("inbound"))
        self._app = Starlette(routes=[inbound_route(acceptance, (SECRET, NEXT), limits.letter_bytes)])

    def _accept(self, envelope: Envelope, raw: bytes, _at: datetime) -> Future[LetterId | None]:
        self.letters.append((envelope, raw))
        future: Future[LetterId | None] = Future()
        self.answer(future)
        return future

    def asks(self, method: str, letter: bytes, headers: dict[str, str]) -> httpx.Response:
        """The answer to a request; headers are sent in Latin-1."""

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self._app)
            async with httpx.AsyncClient(transport=transport, base_url="http://pbem.example") as client:
                encoded = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
                return await client.request(method, "/inbound", content=letter, headers=encoded)

        return asyncio.run(ask())

    def takes(self, letter: bytes = LETTER, secret: str = SECRET, **headers: str) -> httpx.Response:
        given = {"authorization": f"Bearer {secret}", "envelope-from": SENDER, "envelope-to": OURS}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.asks("POST", letter, given)

    def counted(self) -> dict[str, float]:
        """The samples of letters that are not 0, by the last word of their names and why."""
        samples = [each for family in self.meters.registry.collect() for each in family.samples]
        found = [each for each in samples if each.value and each.name.startswith("pbem_letters")]
        return {
            f"{each.name.split('_')[2]} {each.labels.get('why', '')}".strip(): each.value
            for each in found
            if each.name.endswith("_total")
        }


@pytest.fixture
def inbound() -> Inbound:
    return Inbound()


def test_a_letter_is_stored_with_its_envelope_and_its_very_bytes(inbound: Inbound) -> None:
    letter = LETTER + bytes(range(1, 256))
    answer = inbound.takes(letter, envelope_from="<Ann@example.org>", envelope_client="192.0.2.7")
    assert (answer.status_code, answer.json()) == (200, {"reply": "250 2.0.0 Accepted"})
    assert inbound.letters == [(Envelope("Ann@example.org", (OURS,), "192.0.2.7"), letter)]
    assert inbound.counted() == {"accepted": 1}


@pytest.mark.parametrize("null", ["", "<>", "MAILER-DAEMON"])
def test_a_bounce_has_no_sender(inbound: Inbound, null: str) -> None:
    assert inbound.takes(envelope_from=null).status_code == 200
    assert inbound.letters[0][0].sender == ""


def test_the_client_is_unknown_unless_it_is_named_and_is_none_of_ours(inbound: Inbound) -> None:
    inbound.takes()
    inbound.takes(envelope_client="127.0.0.1")
    inbound.takes(envelope_client="2001:db8::1")
    assert [envelope.client for envelope, _ in inbound.letters] == [None, None, "2001:db8::1"]


def test_of_several_recipients_those_are_taken_that_are_ours(inbound: Inbound) -> None:
    assert inbound.takes(envelope_to="bob@example.org, pbem+abc@localhost,pbem@localhost").status_code == 200
    assert inbound.letters[0][0].recipients == ("pbem+abc@localhost", "pbem@localhost")


def test_a_new_secret_is_known_beside_the_old_one(inbound: Inbound) -> None:
    assert inbound.takes(secret=NEXT).status_code == 200


@pytest.mark.parametrize(
    "said",
    ["", "Bearer", f"Bearer {SECRET}x", f"Basic {SECRET}", SECRET, "Bearer \xe9", f"Bearer {SECRET[:-1]}"],
)
def test_whoever_does_not_know_the_secret_learns_nothing_else(inbound: Inbound, said: str) -> None:
    answer = inbound.asks("POST", LETTER, {"authorization": said})
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert inbound.letters == []


@pytest.mark.parametrize(
    ("given", "status", "reply"),
    [
        ({"envelope_to": ""}, 400, "501 5.5.4"),
        ({"envelope_to": " , "}, 400, "501 5.5.4"),
        ({"envelope_client": "here"}, 400, "501 5.5.4"),
        ({"envelope_from": "nobody"}, 422, "553 5.1.7"),
        ({"envelope_from": "a@b\x7f"}, 422, "553 5.1.7"),
        ({"envelope_from": f"{'a' * 300}@example.org"}, 422, "553 5.1.7"),
        ({"envelope_to": "bob@example.org"}, 422, "550 5.1.1"),
        ({"envelope_to": "no address"}, 422, "550 5.1.1"),
        ({"letter": b""}, 422, "554 5.6.0"),
        ({"letter": b" \r\n"}, 422, "554 5.6.0"),
        ({"letter": b"X: y\r\n" * 300 + b"\r\n"}, 422, "554 5.6.0"),
        ({"letter": b"x" * (MOST + 1)}, 413, "552 5.3.4"),
    ],
)
def test_what_is_wrong_is_said_as_to_an_smtp_client(
    inbound: Inbound, given: dict[str, Any], status: int, reply: str
) -> None:
    answer = inbound.takes(**given)
    assert (answer.status_code, answer.json()["reply"][:9]) == (status, reply)
    assert inbound.letters == []


def test_a_missing_header_is_named(inbound: Inbound) -> None:
    headers = {"authorization": f"Bearer {SECRET}", "envelope-to": OURS}
    answer = inbound.asks("POST", LETTER, headers)
    assert (answer.status_code, "Envelope-From" in answer.json()["reply"]) == (400, True)


@pytest.mark.parametrize(
    ("answer", "counted"),
    [
        (lambda future: future.set_exception(InboxFull()), {"refused full": 1}),
        (lambda future: future.set_exception(ValueError("secret words")), {"refused trouble": 1}),
    ],
)
def test_what_passes_is_tried_again(
    inbound: Inbound, answer: Callable[[Future[LetterId | None]], None], counted: dict[str, float]
) -> None:
    inbound.answer = answer
    answered = inbound.takes()
    assert (answered.status_code, answered.headers["retry-after"]) == (503, "60")
    assert answered.json()["reply"].startswith("451")
    assert inbound.counted() == counted


def test_a_letter_that_has_come_before_is_fine(inbound: Inbound) -> None:
    inbound.answer = lambda future: future.set_result(None)
    assert inbound.takes().status_code == 200
    assert inbound.counted() == {"repeated": 1}


def test_too_much_from_one_client_waits() -> None:
    limited = Inbound(replace(LIMITS, letters_per_hour=2))
    answers = [limited.takes(envelope_client="192.0.2.7", envelope_from=f"a{n}@example.org") for n in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert limited.takes(envelope_client="198.51.100.7").status_code == 200
    assert re.match("450 4.7.1", answers[3].json()["reply"])


def test_nothing_is_shown_to_a_browser(inbound: Inbound) -> None:
    assert inbound.asks("GET", b"", {}).status_code == 405
