"""Why a line is no command: one class a reason, with the facts that its template words.

``form`` names the command that was meant, for the template with its right form.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import Unreadable


class UnknownCommand(Unreadable):
    """The line begins with no verb and no game; ``verbs`` and ``games`` may have been meant."""

    def __init__(self, word: str, verbs: Sequence[str], games: Sequence[str]) -> None:
        super().__init__(word=word[:40], verbs=tuple(verbs), games=tuple(games))
        self.verbs = tuple(verbs)


class MoveWithoutBoard(Unreadable):
    """The line is a move, or begins with one, and answers no mail of a board: nobody knows where it is to be played."""

    def __init__(self, move: str) -> None:
        super().__init__(form="move", move=move if len(move) <= 40 else f"{move[:40]} ...")


class UnknownGame(Unreadable):
    """A verb of boards stands behind a word that is none of our games; ``said``: the words behind it."""

    def __init__(self, word: str, games: Sequence[str], said: str = "") -> None:
        super().__init__(word=word[:40], games=tuple(games), said=said[:200])


class UnknownVerb(Unreadable):
    """The word behind the game is none of the verbs that may stand there."""

    def __init__(self, word: str, game: str, verbs: Sequence[str]) -> None:
        super().__init__(word=word[:40], game=game, verbs=tuple(verbs))
        self.verbs = tuple(verbs)


class NoVerb(Unreadable):
    """The line is the name of a game and nothing else."""

    def __init__(self, game: str) -> None:
        super().__init__(game=game)


class GameNeeded(Unreadable):
    """The verb cannot do without a game in front."""

    def __init__(self, form: str, games: Sequence[str]) -> None:
        super().__init__(form=form, games=tuple(games))


class NotOfOneGame(Unreadable):
    """The verb belongs to the whole server; a game in front says nothing."""

    def __init__(self, form: str, game: str) -> None:
        super().__init__(form=form, game=game)


class MissingWord(Unreadable):
    """The command ends too early; ``what`` names what is missing: board, move, userid."""

    def __init__(self, form: str, what: str) -> None:
        super().__init__(form=form, what=what)


class PasswordMissing(Unreadable):
    """A word was taken for a userid, since it stands where one may stand, and nothing follows it."""

    def __init__(self, form: str, userid: str) -> None:
        super().__init__(form=form, userid=userid)
        self.userid = userid


class NotABoard(Unreadable):
    """A word that stands where a board's number belongs is none."""

    def __init__(self, form: str, word: str) -> None:
        super().__init__(form=form, word=word[:40])


class NotAMoveNumber(Unreadable):
    """What stands behind ``#`` is no number of a move."""

    def __init__(self, form: str, word: str) -> None:
        super().__init__(form=form, word=word[:40])


class NoMoveButCommand(Unreadable):
    """A command of its own stands where only a move can: nobody can queue to resign, or submit an undo."""

    def __init__(self, form: str, verb: str, board: int) -> None:
        super().__init__(form=form, verb=verb, board=board)


class NotANumber(Unreadable):
    """A word that stands where a number belongs is none, or one that makes no sense there."""

    def __init__(self, form: str, word: str) -> None:
        super().__init__(form=form, word=word[:40])


class NotADate(Unreadable):
    """A word that stands where a date belongs is none."""

    def __init__(self, form: str, word: str) -> None:
        super().__init__(form=form, word=word[:40])


class UnknownDeed(Unreadable):
    """The word that says what is to be done is none of ``deeds``; it may be a password, and is not repeated."""

    def __init__(self, form: str, deeds: Sequence[str]) -> None:
        super().__init__(form=form, deeds=tuple(deeds))


class NotASetting(Unreadable):
    """A word that stands where a preference is set has not the form ``key=value``."""

    def __init__(self, form: str, word: str) -> None:
        super().__init__(form=form, word=word[:40])


class LeftOver(Unreadable):
    """The command is complete before the line is; ``place`` is that of the first word too many, from 1."""

    def __init__(self, form: str, place: int) -> None:
        super().__init__(form=form, place=place)


class NameOfSeveralWords(Unreadable):
    """The name of a tournament is one word; several stand there, of which two may be userid and password."""

    def __init__(self, form: str) -> None:
        super().__init__(form=form)


class ReadsAsSentence(Unreadable):
    """The line begins with a verb that sentences begin with, too, and goes on like one of them."""

    def __init__(self, form: str) -> None:
        super().__init__(form=form)


class TooManyWords(Unreadable):
    """The line is far longer than any command."""

    def __init__(self, most: int) -> None:
        super().__init__(most=most)
