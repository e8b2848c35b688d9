"""Makes the phrases of `pbem.storage.packed_mails` from mails of short games in every language.

``python -m tests.storage.mail_phrases > pbem/storage/mail_phrases/2.txt``; then `NEWEST` there is 2.
Nothing that belongs to one board or player gets in: only lines, and tags of HTML, that mails of several boards share.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pbem.cli.settings import configure_logs
from pbem.domain.preferences import LANGUAGES
from pbem.storage.packed_mails import without_pictures
from tests.support.databases import put_sqlite
from tests.support.played_mails import begin, play
from tests.support.stepped_server import SteppedServer

_GAMES = ("mamba", "mambo", "superbo")
_TURNS = 6
_MOST = 32_768 - 262
"""Bytes that compression looks back (RFC 1950), but for those that it cannot use."""
_SHORT = 6
"""Pieces that are shorter stand only where one before them stands."""
_DATE = re.compile(rb"20[0-9][0-9]")
_PIECE = re.compile(rb"[^>\n]*(?:>|\n)")


def main() -> None:
    """Print the phrases; those that most mails have stand last, where they are the cheapest to refer to."""
    configure_logs("critical")
    mails = [mail for language in (*sorted({*LANGUAGES} - {"en"}), "en") for mail in _mails(language)]
    boards: Counter[bytes] = Counter()
    for board in mails:
        boards.update({piece for mail in board for piece in _PIECE.findall(mail)})
    phrases, size = [], 0
    for mail in (mail for board in reversed(mails) for mail in board):
        text = b"".join(_new_of(mail, boards))
        if size + len(text) <= _MOST:
            phrases.append(text)
            size += len(text)
    sys.stdout.buffer.write(b"".join(reversed(phrases)))


def _new_of(mail: bytes, boards: Counter[bytes]) -> Iterator[bytes]:
    """The pieces of a mail that several boards share and that are not among the phrases yet."""
    goes_on = False
    for piece in _PIECE.findall(mail):
        is_short = len(piece) < _SHORT
        goes_on = goes_on if is_short else boards.pop(piece, 0) > 1 and not _DATE.search(piece)
        if goes_on:
            yield piece


def _mails(language: str) -> list[list[bytes]]:
    """The mails of some boards, without pictures."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        stepped = SteppedServer(put_sqlite(Path(folder) / "pbem.db"), Path(folder))
        for number, game in enumerate((*_GAMES, *_GAMES)):
            known = len(stepped.mails())
            users = f"{language}one{number}", f"{language}two{number}"
            play(stepped, begin(stepped, game, f"mail=both board=both language={language}", *users), _TURNS)
            found.append([without_pictures(mail.raw) for mail in stepped.mails(known) if b"List-Id:" in mail.raw])
    return found


if __name__ == "__main__":
    main()
