from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.letters import Envelope
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.envelopes import envelope_in_mailbox

OURS = OwnAddress("Club@example.org")


def envelope(head: str) -> Envelope | None:
    return envelope_in_mailbox(head.replace("\n", "\r\n").encode(), OURS, 10)


@pytest.mark.parametrize(
    "field",
    [
        "To: club@example.org",
        "to: The Club <CLUB@Example.org>",
        'To: "Doe, Jane" <jane@example.org>, club@example.org',
        "Cc: jane@example.org,\n club+token@example.org",
        "To: friends: jane@example.org, <club@example.org>;",
        "Delivered-To: club@example.org",
        "X-Original-To: club+token@example.org",
        "Envelope-To: club@example.org",
        "To: club@example.org (the club)",
    ],
)
def test_a_letter_that_names_our_address_is_ours(field: str) -> None:
    found = envelope(f"Return-Path: <alice@example.org>\n{field}\nFrom: a@example.org\n\n")
    assert found is not None
    assert found.sender == "alice@example.org"
    assert len(found.recipients) == 1


@pytest.mark.parametrize(
    "field",
    [
        "To: other@example.org",
        "To: club@example.org.example.com",
        "To: theclub@example.org",
        'To: "club@example.org" <other@example.org>',
        "To: club@example.org <other@example.org>",
        "To: other@example.org (club@example.org)",
        "Subject: club@example.org",
        "X-To: club@example.org",
        'To: "club@example.org',
        "To: clubs+club@example.org",
    ],
)
def test_a_letter_that_does_not_is_not(field: str) -> None:
    assert envelope(f"{field}\nFrom: club@example.org\n\n") is None


def test_all_addresses_of_ours_are_recipients_each_once() -> None:
    found = envelope("Delivered-To: club@example.org\nTo: club+x@example.org, Club@Example.org\n\n")
    assert found is not None
    assert found.recipients == ("Club@Example.org", "club+x@example.org")
    many = envelope("To: " + ", ".join(f"club+{number}@example.org" for number in range(100)) + "\n\n")
    assert many is not None
    assert len(many.recipients) == 10


@pytest.mark.parametrize(
    ("fields", "sender"),
    [
        ("Return-Path: <>", ""),
        ("Return-Path:", ""),
        ("Return-Path: <bounces@example.com>\nReturn-Path: <>", "bounces@example.com"),
        ("Return-Path: <>\nReturn-Path: <forged@example.com>", ""),
        ("Return-Path: what is this\nFrom: Alice <alice@example.org>", "alice@example.org"),
        ("From: Alice <alice@example.org>", "alice@example.org"),
        ("From: nobody", ""),
    ],
)
def test_the_sender_is_the_topmost_return_path_or_else_from(fields: str, sender: str) -> None:
    found = envelope(f"{fields}\nTo: club@example.org\n\n")
    assert found is not None
    assert found.sender == sender


@given(st.binary(max_size=300))
def test_any_bytes_have_an_envelope_or_none(head: bytes) -> None:
    found = envelope_in_mailbox(b"To: club@example.org\n" + head, OURS, 10)
    assert found is None or all(OURS.token(each) is not None for each in found.recipients)


@pytest.mark.parametrize("evil", ['"', '\\"', "(", "<", ",", '"(', "(\\"])
def test_no_list_of_addresses_takes_long_to_read(evil: str) -> None:
    began = time.perf_counter()
    envelope(f"To: {evil * (60_000 // len(evil))}\n\n")
    assert time.perf_counter() - began < 1
