"""Commands about private notes on boards, and studies of finished games."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from pbem.commands.command import BoardCommand, Command, Need, SpokenCommand, moveno_words
from pbem.commands.line import Line, about, whole_number
from pbem.commands.playing import board_with_moveno
from pbem.commands.refusals import MissingWord
from pbem.commands.verb import Care, Group, Place, Scope, Verb

_DELETE = "delete"
_DEEDS = ("title", "share", "unshare", _DELETE)
_DELETING = """
    remove drop erase lösche löschen loesche loeschen entferne entfernen
    efface effacer effacez supprime supprimer supprimez
"""
_DEED_MEANT: Mapping[str, str] = {
    **{deed: deed for deed in _DEEDS},
    **dict.fromkeys(("titel", "titre"), "title"),
    **dict.fromkeys(["publish", "public", "teile", "teilen", "partage", "partager", "partagez", "publier"], "share"),
    **dict.fromkeys(["unpublish", "private", "privat", "privé"], "unshare"),
    **dict.fromkeys(_DELETING.split(), _DELETE),
}
"""Words that say what is to be done with a study or a note, in several languages."""


def deed_meant(word: str) -> str:
    """The English word for what a word tells to do with a study or a note: ``delete`` for ``löschen``; or nothing."""
    return _DEED_MEANT.get(unicodedata.normalize("NFC", word.lower().rstrip(".!:")), "")


@dataclass(frozen=True, slots=True)
class KeepNote(BoardCommand):
    """``note 101``: adds the lines below it to the speaker's note, or shows it; ``delete`` deletes it."""

    form: ClassVar[str] = "note"
    deletes: bool = False

    def arguments(self) -> Iterable[object]:
        """``101 delete``."""
        return (self.board, *([_DELETE] if self.deletes else []))


@Verb(
    "note",
    Group.BOARDS,
    board=Place.FIRST,
    keeps_lines=True,
    translations={"de": ("notiz",)},
)
def read_note(line: Line) -> KeepNote:
    """``note <board> [<userid> <password>] [delete]``."""
    board, words = line.board_and_rest()
    with about(board):
        deletes = _deed(words[-1:]) == _DELETE and (words[-1].lower().startswith(_DELETE) or len(words) % 2 == 1)
        speaker, words = line.credentials(words[:-1] if deletes else words)
        line.nothing_left(words)
    return KeepNote(board, bool(deletes), game=line.game, speaker=speaker)


_LINK = re.compile(r"(?:<?https?://\S*/)?([0-9a-f]{32})(?:\.json)?[/.,;:!?>)]*")
"""The link of a study, or its key alone, as they are copied out of a sentence."""


@dataclass(frozen=True, slots=True)
class StudyGame(BoardCommand):
    """``study 101``: mails the speaker's study of a game, with what the lines below add; ``title`` names it."""

    form: ClassVar[str] = "study"
    title: str = ""

    def arguments(self) -> Iterable[object]:
        """``101 title The missed corner``."""
        return (self.board, *(["title", self.title] if self.title else []))


@dataclass(frozen=True, slots=True)
class ShareStudy(BoardCommand):
    """``study 101 share``: makes a link to it; ``unshare`` ends that."""

    form: ClassVar[str] = "study"
    ends: bool = False

    def arguments(self) -> Iterable[object]:
        """``101 share``."""
        return (self.board, "unshare" if self.ends else "share")


@dataclass(frozen=True, slots=True)
class DeleteStudy(BoardCommand):
    """``study 101 delete #12``: deletes it, or its words and variations for one move."""

    form: ClassVar[str] = "study"
    moveno: int | None = None

    def arguments(self) -> Iterable[object]:
        """``101 delete #12``."""
        return (self.board, "delete", *moveno_words(self.moveno))


@dataclass(frozen=True, slots=True)
class ReadStudy(Command):
    """``study 0123456789abcdef0123456789abcdef``: mails a study that somebody shares, by the key in its link."""

    form: ClassVar[str] = "study"
    key: str = field(repr=False)

    def arguments(self) -> Iterable[object]:
        """The key."""
        return (self.key,)


@Verb(
    "study",
    Group.BOARDS,
    board=Place.FIRST,
    keeps_lines=True,
    translations={"de": ("studie",), "fr": ("étude",)},
)
def read_study(line: Line) -> Command:
    """``study <board> [<userid> <password>] [title <words>|share|unshare|delete [#<moveno>]]``, ``study <key>``."""
    link = _LINK.fullmatch(line.words[0].lower()) if line.words else None
    if link is not None:
        line.nothing_left(line.words[1:])
        return ReadStudy(link[1])
    board, words = board_with_moveno(line)
    with about(board):
        speaker, words = (None, words) if _deed(words) else line.credentials(words)
        deed, words = _deed(words), words[1:] if _deed(words) else words
        if deed == "title":
            if not words:
                raise MissingWord(line.verb, "title")
            return StudyGame(board, " ".join(words), game=line.game, speaker=speaker)
        moveno = None
        if deed == _DELETE:
            words, moveno = line.split_moveno(_with_sign(words))
        line.nothing_left(words)
        if deed == _DELETE:
            return DeleteStudy(board, moveno, game=line.game, speaker=speaker)
        if deed:
            return ShareStudy(board, deed == "unshare", game=line.game, speaker=speaker)
        return StudyGame(board, game=line.game, speaker=speaker)


def _with_sign(words: tuple[str, ...]) -> tuple[str, ...]:
    """The number of a move with the sign that may be left out where nothing else can stand."""
    return (f"#{words[0]}",) if len(words) == 1 and words[0][0].isdigit() else words


def _deed(words: Sequence[str]) -> str:
    """The word that says what is to be done with a study, if it comes next and can be no userid before a password."""
    meant = deed_meant(words[0]) if words else ""
    is_whole = len(words) == 1 or (meant == _DELETE and re.fullmatch(r"#?[0-9]+", words[1]) is not None)
    is_english = bool(meant) and words[0].lower().startswith(meant)
    return meant if is_whole or is_english or meant == "title" else ""


@dataclass(frozen=True, slots=True)
class ListStudies(SpokenCommand):
    """``studies``: the speaker's studies, a few lines each; ``superbo studies``: those of one game."""

    form: ClassVar[str] = "studies"
    needs: ClassVar[Need] = Need.KNOWN
    only_shows: ClassVar[bool] = True
    page: int = 1
    """The part of a long list that is meant."""
    game: str | None = None

    def arguments(self) -> Iterable[object]:
        """``2``."""
        return (self.page,) if self.page > 1 else ()


@Verb(
    "studies",
    Group.BOARDS,
    Scope.GAMES,
    care=Care.HARMLESS,
    translations={"de": ("studien",), "fr": ("études",)},
)
def read_studies(line: Line) -> Command:
    """``studies [<userid> <password>] [<page>]``."""
    speaker, words = line.credentials(line.words)
    page = whole_number(words[0]) if words else None
    line.nothing_left(words if page is None else words[1:])
    return ListStudies(page or 1, line.game, speaker=speaker)
