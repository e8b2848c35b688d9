"""Commands about what players write down for themselves at a board."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from pbem.commands.command import BoardCommand, Credentials
from pbem.commands.line import Line, about
from pbem.commands.refusals import PasswordMissing
from pbem.commands.verb import Group, Place, Verb

FEWEST_WORDS = 3
"""Words behind the number of a board that are a note: two may be userid and password, and one of them may be missing.
"""
_DELETE = "delete"


@dataclass(frozen=True, slots=True)
class KeepNote(BoardCommand):
    """``note 101 watch the corner``: adds to the speaker's note, or shows it if there are no words, here or below."""

    form: ClassVar[str] = "note"
    text: str = ""

    @property
    def deletes(self) -> bool:
        """The word alone deletes the note."""
        return self.text.lower().rstrip(".!") == _DELETE

    def with_credentials(self) -> KeepNote:
        """The same, its first two words being userid and password."""
        userid, password, *words = self.text.split()
        return replace(self, speaker=Credentials(userid, password), text=" ".join(words))

    def arguments(self) -> Iterable[object]:
        """``101 watch the corner``."""
        return (self.board, *([self.text] if self.text else []))


@Verb(
    "note",
    Group.BOARDS,
    board=Place.FIRST,
    takes_text=True,
    keeps_lines=True,
    translations={"de": ("notiz",)},
)
def read_note(line: Line) -> KeepNote:
    """``note <board> [<userid> <password>] [delete]`` or ``note <board> <words>``."""
    board, words = line.board_and_rest()
    with about(board):
        note = KeepNote(board, " ".join(words), game=line.game)
        is_short = len(words) < FEWEST_WORDS + (_DELETE in map(str.lower, words))
        if not words or note.deletes or not is_short or not line.could_be_userid(words[0]):
            return note
        if len(words) == 1:
            raise PasswordMissing(line.verb, words[0])
        return note.with_credentials()
