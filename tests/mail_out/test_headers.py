"""Message-IDs, threads and the signed Reply-To."""

from __future__ import annotations

import re

import pytest

from pbem.domain.replies import Signer
from pbem.mail_out.headers import Headers
from tests.mail_out.notices import BOARD_REPLY, HEADERS, NOW, SIGNER, board_notice, plain_notice

ALICE, BOB = "alice@example.org", "bob@example.org"


def test_all_mails_of_a_board_refer_to_the_root_of_the_readers_own_thread() -> None:
    root = HEADERS.message_id(board_notice(0, opens=True), ALICE, "1-1")
    assert HEADERS.references(board_notice(0, opens=True), ALICE, None) == []
    assert HEADERS.references(board_notice(1), ALICE, None) == [root]
    assert HEADERS.references(board_notice(9), "ALICE@example.org", None) == [root]
    assert HEADERS.references(board_notice(1), BOB, None) != [root]


def test_the_message_ids_of_one_event_differ_by_recipient_and_by_mail() -> None:
    notice = board_notice(2)
    ids = {HEADERS.message_id(notice, to, key) for to in (ALICE, BOB) for key in ("7-1", "7-2")}
    ids |= {HEADERS.message_id(board_notice(0, opens=True), to, "7-1") for to in (ALICE, BOB)}
    ids |= {HEADERS.message_id(plain_notice(), to, "7-1") for to in (ALICE, BOB)}
    assert len(ids) == 8
    assert all(re.fullmatch(r"<[a-z0-9.-]+@localhost>", each) for each in ids)


def test_a_message_id_is_the_same_whenever_it_is_made_and_other_under_another_key() -> None:
    notice = board_notice(2)
    assert HEADERS.message_id(notice, ALICE, "7-1") == HEADERS.message_id(notice, ALICE, "7-1")
    other = Headers("pbem@localhost", Signer(["another key of the server"]))
    assert other.message_id(notice, ALICE, "7-1") != HEADERS.message_id(notice, ALICE, "7-1")


def test_an_answer_also_refers_to_the_letter_that_it_answers() -> None:
    assert HEADERS.references(plain_notice(), BOB, "<1@example.org>") == ["<1@example.org>"]
    assert HEADERS.references(board_notice(answers=True), ALICE, "<1@example.org>")[1:] == ["<1@example.org>"]
    assert len(HEADERS.references(board_notice(), ALICE, "<1@example.org>")) == 1


@pytest.mark.parametrize("letter", [None, "<" + "a" * 300 + "@b>", "<=?utf-8?q?a=0D=0ABcc=3A_x?=@b>"])
def test_a_message_id_that_a_header_cannot_carry_is_left_out(letter: str | None) -> None:
    assert HEADERS.references(plain_notice(), BOB, letter) == []


def test_the_reply_address_proves_what_was_signed() -> None:
    local, _, domain = HEADERS.reply_to(BOARD_REPLY).partition("@")
    assert domain == "localhost"
    assert len(local) <= 64
    assert SIGNER.read(local.removeprefix("pbem+"), NOW) == BOARD_REPLY


def test_a_board_has_a_list_id() -> None:
    thread = board_notice().thread
    assert thread is not None
    assert HEADERS.list_id(thread) == "superbo board 101 <101.boards.localhost>"
