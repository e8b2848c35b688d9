"""The evidence of its sender in a letter."""

from __future__ import annotations

from datetime import UTC, date, datetime

from pbem.domain.letters import Envelope, Evidence
from pbem.domain.replies import BoardMail, BoardReply, ConfirmReply, MessageIds, Signer
from pbem.ids import BoardNumber, ConfirmationId, PlayerId
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.authentication import evidence_of
from pbem.mail_in.mime import read_letter_bytes

OURS = OwnAddress("pbem@localhost")
SIGNER = Signer(["a key of sixteen letters"])
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
REPLY = BoardReply(PlayerId(7), BoardNumber(101), 23, date(2026, 7, 30))
OTHER = BoardReply(PlayerId(8), BoardNumber(101), 23, date(2026, 7, 30))
QUESTION = ConfirmReply(ConfirmationId(5), 7, date(2026, 5, 8))
PLAIN = "pbem@localhost"


def to(reply: BoardReply | ConfirmReply, signer: Signer = SIGNER) -> str:
    return f"pbem+{signer.sign(reply)}@localhost"


def evidence(*recipients: str, head: str = "From: alice@example.org", sender: str = "env@example.org") -> Evidence:
    read = read_letter_bytes(f"{head}\n\nhelp".encode(), OURS)
    return evidence_of(read, Envelope(sender, recipients), OURS, SIGNER, NOW, "mx.example.org")


def test_the_from_address_is_who_is_answered() -> None:
    assert evidence(PLAIN) == Evidence("alice@example.org", "alice@example.org")


def test_without_a_from_address_the_envelope_is_answered() -> None:
    assert evidence(PLAIN, head="Subject: x") == Evidence("env@example.org")
    assert evidence(PLAIN, head="From: a@b, c@d") == Evidence("env@example.org")


def test_the_address_that_a_letter_came_to_proves_what_was_signed() -> None:
    assert evidence(to(REPLY)).reply == REPLY
    assert evidence(to(QUESTION).upper()).reply == QUESTION
    assert evidence(PLAIN, to(REPLY), to(REPLY).upper()).reply == REPLY


def test_two_reply_addresses_that_differ_prove_nothing() -> None:
    assert evidence(to(REPLY), to(OTHER)).reply is None
    assert evidence(to(REPLY), to(QUESTION)).reply is None


def test_a_token_that_does_not_verify_is_stale() -> None:
    expired = BoardReply(PlayerId(7), BoardNumber(101), 23, date(2026, 4, 30))
    forged = to(REPLY, Signer(["another key of the server"]))
    for address in (to(expired), forged, "pbem+x@localhost"):
        assert evidence(address) == Evidence("alice@example.org", "alice@example.org", None, stale_reply=True)
    assert not evidence(PLAIN).stale_reply


def test_only_the_envelope_counts_not_the_to_header() -> None:
    assert evidence(PLAIN, head=f"From: alice@example.org\nTo: {to(REPLY)}").reply is None


OF_BOARD = MessageIds(SIGNER, "localhost").of_event(101, 23, "7-1", "alice@example.org", date(2026, 7, 30))
ANSWERED = BoardMail(BoardNumber(101), 23, date(2026, 7, 30))


def test_the_mail_that_a_letter_answers_counts_for_its_reader_at_our_plain_address() -> None:
    answering = f"From: Alice <ALICE@example.org>\nIn-Reply-To: {OF_BOARD}"
    assert evidence(PLAIN, head=answering).answered_mail == ANSWERED
    assert evidence(PLAIN, head=answering.replace("ALICE", "bob")).answered_mail is None
    assert evidence(PLAIN, head=f"{answering}\nFrom: bob@example.org").answered_mail is None
    assert evidence(PLAIN, head=f"{answering}\nIn-Reply-To: {OF_BOARD}").answered_mail is None
    assert evidence(PLAIN, head=answering.replace("In-Reply-To", "References")).answered_mail is None


def test_a_reply_address_goes_before_the_mail_answered_and_a_bad_one_is_not_healed() -> None:
    answering = f"From: alice@example.org\nIn-Reply-To: {OF_BOARD}"
    for address in (to(OTHER), to(QUESTION), "pbem+x@localhost", to(REPLY)[:-12] + "@localhost"):
        assert evidence(address, head=answering).answered_mail is None


def test_what_our_own_mta_says_counts_for_the_single_from() -> None:
    passed = "Authentication-Results: mx.example.org;\n\tdmarc=pass (p=none)\n header.from=example.org\n"
    assert evidence(PLAIN, head=f"{passed}From: alice@example.org").authenticated
    assert not evidence(PLAIN, head=f"{passed}From: alice@example.net").authenticated
    assert not evidence(PLAIN, head=f"{passed}From: alice@example.org, bob@example.org").authenticated
    assert not evidence(PLAIN, head=f"{passed}From: alice@example.org\nSubject: a\nSubject: b").authenticated
    assert not evidence(PLAIN, head="From: alice@example.org").authenticated


def test_the_sending_domain_is_that_of_the_from_address_or_else_of_the_envelope() -> None:
    assert evidence(PLAIN, head="From: alice@Example.NET").domain == "example.net"
    assert evidence(PLAIN, head="Subject: x").domain == "example.org"
    assert Evidence("").domain == ""


def test_double_headers_are_no_evidence_at_all() -> None:
    double = "From: alice@example.org\nFrom: mallory@example.org"
    assert evidence(to(REPLY), head=double) == Evidence("env@example.org")


def test_the_host_that_a_letter_came_from_is_known_whatever_its_headers_say() -> None:
    for head in ("From: alice@example.org", "From: a@b\nFrom: c@d"):
        read = read_letter_bytes(f"{head}\n\nhelp".encode(), OURS)
        envelope = Envelope("env@example.org", (PLAIN,), "192.0.2.1")
        assert evidence_of(read, envelope, OURS, SIGNER, NOW).client == "192.0.2.1"
