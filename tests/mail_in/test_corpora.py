"""Letters that others have gathered, through the reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.mail_in.machines import failures_in
from pbem.mail_in.mime import read_letter_bytes
from pbem.mail_in.parts import UnreadableLetter, parse
from tests.support.corpora import expected_failures, letters_of, require_corpus
from tests.support.readers import OURS, shared_reader

CORPORA = ("cpython", "flufl.bounce")


@pytest.mark.parametrize("corpus", CORPORA)
def test_every_letter_that_others_have_gathered_is_read_or_given_up(corpus: str) -> None:
    for letter in require_corpus(corpus):
        raw = letter.read_bytes()
        for each in (raw, raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")):
            assert _fate(each) in ("read", "given up"), letter.name


def _fate(raw: bytes) -> str:
    try:
        shared_reader().read(raw, may_be_bounce=True)
    except UnreadableLetter as unreadable:
        return "given up" if unreadable.is_final else str(unreadable)
    return "read"


@pytest.mark.parametrize("corpus", CORPORA)
def test_nearly_all_of_them_are_read(corpus: str) -> None:
    letters = require_corpus(corpus)
    unread = [letter.name for letter in letters if not _can_be_read(letter)]
    assert len(unread) <= len(letters) // 20, unread


def _can_be_read(letter: Path) -> bool:
    try:
        read_letter_bytes(letter.read_bytes(), OURS)
    except UnreadableLetter:
        return False
    return True


def test_the_addresses_that_are_in_gathered_bounces_are_found() -> None:
    folder = require_corpus("flufl.bounce")[0].parent
    lacking = {
        (name, address)
        for name, addresses, is_temporary in expected_failures()
        for address in addresses - _failed(folder / name, is_temporary=is_temporary)
    }
    assert not lacking


def _failed(letter: Path, *, is_temporary: bool) -> set[str]:
    failures = failures_in(parse(letter.read_bytes()))
    return set(failures.temporary if is_temporary else failures.permanent)


def test_reports_of_the_standard_kind_say_why_and_of_which_mail() -> None:
    require_corpus("flufl.bounce")
    reports = [failures_in(parse(each.read_bytes())) for each in letters_of("flufl.bounce") if "dsn" in each.name]
    assert sum(bool(each.status) for each in reports) >= len(reports) // 2
    assert sum(bool(each.diagnosis) for each in reports) >= len(reports) // 3
    assert sum(bool(each.message_ids) for each in reports) >= len(reports) // 2
