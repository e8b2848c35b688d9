"""Letters made to break the reader, through the reader."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.bootstrap import find_games
from pbem.commands.reading import read_letter
from pbem.config import Settings
from pbem.errors import PlayerError
from pbem.mail_in.parts import UnreadableLetter
from pbem.mail_in.reading import Reader
from tests.mail_in.nasty import ANSWERED, Nasty, all_nasty
from tests.support.readers import OURS

NASTY = all_nasty()
GAMES = tuple(find_games())


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    settings = Settings()
    reader = Reader(settings.read_seconds, settings.reader_memory_mib, OURS)
    yield reader
    reader.close()


def fate_of(raw: bytes, reader: Reader) -> str:
    try:
        read = reader.read(raw, may_be_bounce=True)
    except UnreadableLetter as unreadable:
        return f"shunted {unreadable.facts['error']}"
    if read.machine:
        return f"ignored {read.machine}"
    try:
        return f"reads {' / '.join(read_letter(read.subject, read.body, GAMES, most=20).lines)}"
    except PlayerError as refusal:
        return f"refused {type(refusal).__name__}"


@pytest.mark.parametrize("nasty", NASTY, ids=[each.name for each in NASTY])
def test_each_nasty_letter_meets_its_fate(nasty: Nasty, reader: Reader) -> None:
    fate = fate_of(nasty.raw, reader)
    if nasty.fate == ANSWERED:
        assert fate not in ("shunted TooSlow", "shunted ReaderDied")
    else:
        assert fate == nasty.fate


def test_there_are_many_and_no_two_are_alike() -> None:
    assert len({each.raw for each in NASTY}) == len(NASTY) >= 150
    assert len({each.name for each in NASTY}) == len(NASTY)
