"""The meters of a door, on a real port."""

from __future__ import annotations

import smtplib
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

import pytest

from pbem.domain.letters import InboxFull
from pbem.ids import LetterId
from pbem.meters import Meters
from tests.support.doors import LETTER, LIMITS, OURS, OpenDoor, opened


def counted(meters: Meters) -> dict[str, float]:
    """The samples that are not 0, by name and the last label."""
    samples = [each for family in meters.registry.collect() for each in family.samples if each.name.endswith("_total")]
    return {
        f"{each.name} {each.labels.get('why', each.labels.get('door'))}": each.value for each in samples if each.value
    }


def sends(door: OpenDoor, letter: bytes = LETTER, to: str = OURS) -> None:
    with door.client() as client:
        client.sendmail("a@example.org", [to], letter)


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (lambda future: future.set_result(LetterId(7)), "pbem_letters_accepted_total smtp"),
        (lambda future: future.set_result(None), "pbem_letters_repeated_total smtp"),
        (lambda future: future.set_exception(InboxFull()), "pbem_letters_refused_total full"),
        (lambda future: future.set_exception(ValueError()), "pbem_letters_refused_total trouble"),
    ],
)
def test_what_becomes_of_a_letter_is_counted_once(answer: Callable[[Future[LetterId | None]], None], name: str) -> None:
    meters = Meters()
    with opened(meters=meters.door("smtp")) as door:
        door.answer = answer
        try:
            sends(door)
        except smtplib.SMTPDataError:
            assert "refused" in name
    assert counted(meters) == {name: 1}


def test_so_are_letters_that_are_too_large_or_for_nobody_here_and_clients_that_are_too_many() -> None:
    meters, limits = Meters(), replace(LIMITS, letter_bytes=1000, connections=1)
    with opened(limits=limits, meters=meters.door("smtp")) as door:
        with pytest.raises(smtplib.SMTPSenderRefused):
            sends(door, LETTER + b"x" * 2000)
        with door.client() as client:
            client.ehlo()
            client.mail("a@example.org")
            client.rcpt(OURS)
            assert client.data(LETTER + b"x" * 2000)[0] == 552
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            sends(door, to="other@localhost")
        with door.client() as client:
            client.ehlo()
            with pytest.raises(smtplib.SMTPConnectError):
                door.client()
    assert counted(meters) == {
        "pbem_letters_refused_total too_large": 2,
        "pbem_letters_refused_total not_ours": 1,
        "pbem_connections_refused_total smtp": 1,
    }
