"""The envelope of a letter on the standard input, by its headers and the environment."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.letters import Envelope
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.pipe import NeverTaken, envelope_and_letter, read_letter

OURS = OwnAddress("pbem@localhost")
LETTER = b"Subject: help\nFrom: Alice <alice@example.org>\n\nHello\n"


def envelope(raw: bytes = LETTER, *recipients: str, sender: str | None = "a@example.org", **environ: str) -> Envelope:
    return envelope_and_letter(raw, sender, recipients, environ, OURS)[0]


def sender_of(raw: bytes, sender: str | None = None, **environ: str) -> str:
    return envelope(raw, sender=sender, **environ).sender


def recipients_of(raw: bytes = LETTER, *recipients: str, **environ: str) -> tuple[str, ...]:
    return envelope(raw, *recipients, **environ).recipients


def test_what_the_command_line_says_goes_before_all_else() -> None:
    raw = b"From mbox@example.org Thu\nReturn-Path: <path@example.org>\nDelivered-To: pbem+x@localhost\n" + LETTER
    environ = {"SENDER": "environment@example.org", "RECIPIENT": "pbem+y@localhost"}
    found, letter = envelope_and_letter(raw, "said@example.org", ["PBEM+z@localhost"], environ, OURS)
    assert found == Envelope("said@example.org", ("PBEM+z@localhost",))
    assert letter == raw.partition(b"\n")[2]


@pytest.mark.parametrize("null", ["", "<>", " <> "])
def test_the_null_sender_can_be_said(null: str) -> None:
    assert sender_of(LETTER, null, SENDER="environment@example.org") == ""


@pytest.mark.parametrize("wrong", ["alice", "alice@example.org\nbob", "a b@example.org", "al\u00efce@example.org", "@"])
def test_a_sender_who_cannot_be_answered_is_refused(wrong: str) -> None:
    with pytest.raises(NeverTaken):
        sender_of(LETTER, wrong)


def test_else_the_sender_is_found_where_mtas_leave_it() -> None:
    mbox, path = b"From mbox@example.org Thu\n", b"Return-Path: <path@example.org>\n"
    assert sender_of(mbox + path + LETTER, SENDER="environment@example.org") == "environment@example.org"
    assert sender_of(mbox + path + LETTER) == "path@example.org"
    assert sender_of(mbox + LETTER) == "mbox@example.org"
    assert sender_of(LETTER) == "alice@example.org"
    assert sender_of(b"Subject: help\n\n") == ""


@pytest.mark.parametrize("null", ["", "<>", "MAILER-DAEMON"])
def test_the_null_sender_in_the_environment_or_the_header_is_no_reason_to_look_on(null: str) -> None:
    assert sender_of(LETTER, SENDER=null) == ""
    assert sender_of(b"Return-Path: %b\n" % (null.encode() or b"<>") + LETTER) == ""


@pytest.mark.parametrize("strange", ["From \n", "From\n", "From nobody Thu\n", "From \udcff@x Thu\n"])
def test_a_strange_line_before_the_letter_names_nobody(strange: str) -> None:
    assert sender_of(strange.encode("utf-8", "surrogateescape") + LETTER) in ("alice@example.org", "")


def test_of_the_recipients_said_those_that_are_not_ours_are_left_out() -> None:
    assert recipients_of(LETTER, "other@localhost", "pbem@localhost", "<pbem+x@localhost>") == (
        "pbem@localhost",
        "pbem+x@localhost",
    )


def test_without_a_recipient_of_ours_among_those_said_the_letter_is_refused() -> None:
    with pytest.raises(NeverTaken):
        recipients_of(LETTER, "other@localhost", RECIPIENT="pbem@localhost")


def test_else_the_recipient_is_found_where_mtas_leave_it() -> None:
    headers = b"Delivered-To: games@localhost\nDelivered-To: pbem+d@localhost\nX-Original-To: pbem+x@localhost\n"
    assert recipients_of(headers + LETTER, ORIGINAL_RECIPIENT="pbem+o@localhost", RECIPIENT="pbem+r@localhost") == (
        "pbem+o@localhost",
    )
    assert recipients_of(headers + LETTER, RECIPIENT="pbem+r@localhost") == ("pbem+r@localhost",)
    assert recipients_of(headers + LETTER, RECIPIENT="games@localhost") == ("pbem+x@localhost",)
    assert recipients_of(headers.partition(b"X-")[0] + LETTER) == ("pbem+d@localhost",)
    assert recipients_of(LETTER, RECIPIENT="games@localhost") == ("pbem@localhost",)


def test_a_letter_is_read_no_further_than_to_see_that_it_is_too_large() -> None:
    assert read_letter(io.BytesIO(b"x" * 100), 100) == b"x" * 100
    endless = io.BytesIO(b"x" * 1000)
    with pytest.raises(NeverTaken):
        read_letter(endless, 100)
    assert endless.tell() == 101


@given(st.binary(max_size=200), st.none() | st.text(max_size=20), st.dictionaries(st.just("SENDER"), st.text()))
def test_any_bytes_have_an_envelope_or_are_refused(raw: bytes, sender: str | None, environ: dict[str, str]) -> None:
    try:
        found, letter = envelope_and_letter(b"From " + raw, sender, [], environ, OURS)
    except NeverTaken:
        return
    assert found.recipients == ("pbem@localhost",)
    assert len(letter) <= len(raw) + 5
