"""Formats of game records that other programs know, such as PGN and SGF; a game names the one it is written in."""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any, ClassVar

LONGEST_GAME = 500_000
"""Bytes of a game in such a format, comments included."""

_LONGEST_NAME = 32


class FileFormat(ABC):
    """A format of game records, in which a file may have several games."""

    name: ClassVar[str]
    """In small letters, as files of it end: ``pgn``."""
    content_type: ClassVar[str]
    """Of a file in it, as mails tell it."""

    @abstractmethod
    def recognises(self, text: bytes) -> bool:
        """Return True if a text begins as a game in this format does; JSON never does."""

    @abstractmethod
    def split(self, lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
        """The games of a file, each with the number of the line where it begins.

        A game that is longer than `LONGEST_GAME` is cut off somewhere behind that.
        """

    @abstractmethod
    def read(self, text: str, games: Mapping[str, Any]) -> Mapping[str, Any]:
        """The record of one game in our own format, as JSON has it; its turns may be illegal.

        Args:
            text: as it is in the file.
            games: each `Game` that is known, by name.

        Raises:
            PlayerError: it cannot be read, or is of no game known here.
        """

    @abstractmethod
    def write(self, record: Mapping[str, Any], title: str, day: date) -> str:
        """A game in this format.

        Args:
            record: in our own format, as JSON has it; its game names this format as its own.
            title: of the event, or of the game.
            day: on which it began.
        """


def userid_of(name: str) -> str:
    """A player's name as a userid: ``Anderssen, Adolf`` is ``anderssen-adolf``; empty if nobody is named."""
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        return name
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:_LONGEST_NAME].rstrip("-")
