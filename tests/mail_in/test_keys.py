"""The key that recognises a letter when it is transmitted again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.letters import Envelope
from pbem.mail_in.addresses import claimed_senders, key_until_0003, letter_key, split_letter

LETTER = b"""Received: from a by b; Fri, 1 May 2026 12:00:00 +0000
From: alice@example.org
To: pbem@localhost
Subject: superbo move 101
 a1,j12
Message-ID: <1@example.org>
Date: Fri, 1 May 2026 12:00:00 +0000
Content-Type: text/plain

Good luck!
"""
WITHOUT_ID = LETTER.replace(b"Message-ID: <1@example.org>\n", b"")


def envelope(*recipients: str, sender: str = "alice@example.org") -> Envelope:
    return Envelope(sender, recipients or ("pbem@localhost",))


def key(raw: bytes, *recipients: str, sender: str = "alice@example.org") -> str:
    return letter_key(raw, envelope(*recipients, sender=sender))[0]


@pytest.mark.parametrize(
    "again",
    [
        LETTER.replace(b"\n", b"\r\n"),
        b"Received: from c by d; Fri, 1 May 2026 12:30:00 +0000\n" + LETTER,
        LETTER.replace(b"from a by b", b"from c\n\tby d"),
        b"Return-Path: <alice@example.org>\nX-Spam: no\n" + LETTER,
        LETTER.replace(b"101\n a1", b"101 a1"),
        LETTER.replace(b"Subject:", b"SUBJECT :"),
        LETTER + b"\n\n",
    ],
)
def test_the_way_that_a_letter_took_does_not_change_its_key(again: bytes) -> None:
    assert key(again) == key(LETTER)


@pytest.mark.parametrize(
    "other",
    [
        LETTER.replace(b"a1,j12", b"a1,j11"),
        LETTER.replace(b"<1@", b"<2@"),
        LETTER.replace(b"12:00:00 +0000\nContent", b"12:00:01 +0000\nContent"),
        LETTER.replace(b"From: alice", b"From: bob"),
        LETTER.replace(b"To: pbem", b"To: other"),
        LETTER.replace(b"luck", b"Luck"),
        LETTER.replace(b"Message-ID", b"In-Reply-To: <g@h>\nMessage-ID"),
        LETTER.replace(b"Message-ID", b"References: <g@h>\nMessage-ID"),
        LETTER.replace(b"text/plain", b"text/html"),
        LETTER.replace(b"Content-Type", b"Content-Transfer-Encoding: base64\nContent-Type"),
        LETTER.replace(b"To: pbem@localhost", b"To: pbem@localhost\nTo: pbem@localhost"),
    ],
)
def test_another_letter_has_another_key(other: bytes) -> None:
    assert key(other) != key(LETTER)


def test_one_letter_with_a_message_id_has_one_key_whoever_it_is_brought_for() -> None:
    assert key(LETTER, "pbem+a@localhost") == key(LETTER, "pbem+b@localhost") == key(LETTER, "pbem@localhost")
    assert key(LETTER, sender="alice@example.org") == key(LETTER, sender="alice+srs@example.com")


@pytest.mark.parametrize(
    ("raw", "sender"), [(WITHOUT_ID, "alice@example.org"), (LETTER, ""), (LETTER, "<>")], ids=["no id", "null", "<>"]
)
def test_the_recipients_count_without_a_message_id_and_for_reports_in_any_order(raw: bytes, sender: str) -> None:
    both = key(raw, "pbem@localhost", "PBEM+a@localhost", sender=sender)
    assert both == key(raw, "pbem+A@localhost", "pbem@localhost", sender=sender)
    assert both != key(raw, "pbem@localhost", sender=sender)
    assert key(raw, "pbem+a@localhost", sender=sender) != key(raw, "pbem+b@localhost", sender=sender)


def test_a_letter_without_a_message_id_is_known_as_such() -> None:
    assert letter_key(LETTER, envelope())[1]
    assert not letter_key(LETTER.replace(b"Message-ID: <1@example.org>", b"X: y"), envelope())[1]
    assert not letter_key(LETTER.replace(b"<1@example.org>", b" "), envelope())[1]
    assert not letter_key(WITHOUT_ID + b"Message-ID: <in the body>", envelope())[1]


def test_without_a_message_id_the_sender_counts() -> None:
    assert key(WITHOUT_ID, sender="alice@example.org") == key(WITHOUT_ID, sender="Alice@Example.ORG")
    assert key(WITHOUT_ID, sender="alice@example.org") != key(WITHOUT_ID, sender="bob@example.org")


@pytest.mark.parametrize(
    ("raw", "recipients", "known_as"),
    [
        (LETTER, ["pbem@localhost"], "348d9d7765db4939af73def5bfd35a3e009a57347e967972504343503498f32a"),
        (
            LETTER,
            ["PBEM+b@localhost", "pbem+a@localhost"],
            "c36945ce3e1fc8834c09577a49a0595cc8e954baa30d0726ae8fbe0d3b2d51aa",
        ),
        (WITHOUT_ID, ["pbem@localhost"], "b1c27c918db97375539bb13e93dfc73bdf060c83da1d2254199ebea4b78d2d3c"),
        (
            b"resign 101 alice secret\r\n",
            ["pbem@localhost"],
            "783eecb7fea69ccb5edcb6560fad2f2a268dd485baec79f029055192150b626a",
        ),
    ],
    ids=["one", "two", "no id", "words"],
)
def test_letters_of_the_time_before_0004_are_known_again(raw: bytes, recipients: list[str], known_as: str) -> None:
    assert key_until_0003(raw, envelope(*recipients)) == known_as


def test_words_without_any_header_count() -> None:
    assert key(b"resign 101 alice secret\r\n") != key(b"resign 102 alice secret\r\n")


def test_a_folded_header_is_one_field() -> None:
    fields, body = split_letter(b"A: 1\r\n 2\r\n\t3\r\nB: 4\r\n\r\nbody\r\n\r\nmore")
    assert fields == [b"A: 1\n 2\n\t3", b"B: 4"]
    assert body == b"body\n\nmore"


@given(st.binary(max_size=200), st.lists(st.text(max_size=10), max_size=3))
def test_any_bytes_have_a_key(raw: bytes, recipients: list[str]) -> None:
    found, _ = letter_key(raw, envelope(*(each.encode("utf-8", "replace").decode() for each in recipients)))
    assert len(found) == 64


@pytest.mark.timeout(20)
@pytest.mark.parametrize("raw", [b"A: 1\n" + b" \n" * 1_000_000, b"\n" * 2_000_000, b":" * 2_000_000])
def test_a_letter_made_to_be_dear_costs_no_more_than_its_size(raw: bytes) -> None:
    assert len(letter_key(raw, envelope())[0]) == 64


@pytest.mark.parametrize(
    ("sender", "head", "claimed"),
    [
        ("a@b.org", b"From: Alice <alice@example.org>\n", ("a@b.org", "alice@example.org")),
        ("a@b.org", b"FROM: alice@example.org\r\n", ("a@b.org", "alice@example.org")),
        ("a@b.org", b"From: =?utf-8?q?A=C3=A4?=\n <alice@example.org>\n", ("a@b.org", "alice@example.org")),
        ("<>", b"From: alice@example.org\n", ("alice@example.org",)),
        ("", b"Subject: x\n", ()),
        ("a@b.org", b"From: a@b.org\n", ("a@b.org",)),
        ("a@b.org", b"From: alice@example.org\nFrom: bob@example.org\n", ("a@b.org", "alice@example.org")),
        ("a@b.org", b"From: " + b"x" * 100_000 + b" <alice@example.org>\n", ("a@b.org", "alice@example.org")),
        ("a@b.org", b"From: " + b"<" * 100_000 + b"\n", ("a@b.org",)),
        ("a@b.org", b"Subject: x\n\nFrom: alice@example.org\n", ("a@b.org",)),
    ],
    ids=range(10),
)
def test_who_a_letter_says_it_is_from_is_seen_without_parsing(
    sender: str, head: bytes, claimed: tuple[str, ...]
) -> None:
    assert claimed_senders(head + b"\nhelp\n", envelope(sender=sender)) == claimed


def test_a_letter_in_a_mailbox_is_known_for_good_without_a_message_id() -> None:
    raw = b"From: ann@example.org\r\nSubject: resign 101\r\n\r\n"
    lying = Envelope("ann@example.org", ("pbem@localhost",), fetched="20260501120000-48")
    later = replace(lying, fetched="20260501123000-48")
    assert letter_key(raw, lying) == letter_key(raw, lying)
    assert letter_key(raw, lying)[1]
    assert letter_key(raw, later)[0] != letter_key(raw, lying)[0], "somebody has written it again"
    assert not letter_key(raw, replace(lying, fetched=""))[1]
