"""Commands about tournaments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from pbem.commands.command import Command, Credentials, SpokenCommand, option_words
from pbem.commands.line import Line, split_options
from pbem.commands.refusals import MissingWord, NameOfSeveralWords, UnknownDeed
from pbem.commands.verb import Care, Group, Verb


@dataclass(frozen=True, slots=True)
class CreateTournament(SpokenCommand):
    """``superbo tournament create fsmith secret spring -swiss -rounds=3``."""

    form: ClassVar[str] = "tournament"
    game: str
    name: str
    options: tuple[str, ...] = ()

    def arguments(self) -> Iterable[object]:
        """``create spring -swiss``."""
        return ("create", self.name, *option_words(self.options))


@dataclass(frozen=True, slots=True)
class TournamentCommand(SpokenCommand):
    """Root of the commands about one tournament; ``word`` says which."""

    word: ClassVar[str]
    game: str
    name: str

    def arguments(self) -> Iterable[object]:
        """``join spring``."""
        return (self.word, self.name)


@dataclass(frozen=True, slots=True)
class JoinTournament(TournamentCommand):
    """``superbo tournament join fsmith secret spring``."""

    form: ClassVar[str] = "tournament"
    word: ClassVar[str] = "join"


@dataclass(frozen=True, slots=True)
class WithdrawFromTournament(TournamentCommand):
    """``superbo tournament withdraw fsmith secret spring``."""

    form: ClassVar[str] = "tournament"
    word: ClassVar[str] = "withdraw"


@dataclass(frozen=True, slots=True)
class StartTournament(TournamentCommand):
    """``superbo tournament start fsmith secret spring``."""

    form: ClassVar[str] = "tournament"
    word: ClassVar[str] = "start"


@dataclass(frozen=True, slots=True)
class ShowTournament(Command):
    """``superbo tournament show spring``: its standings; without a name the tournaments of the game."""

    form: ClassVar[str] = "tournament"
    game: str
    name: str | None = None


_BY_WORD: Mapping[str, type[TournamentCommand]] = {
    each.word: each for each in (JoinTournament, WithdrawFromTournament, StartTournament)
}


@Verb("tournament", Group.TOURNAMENTS, care=Care.HARMLESS, translations={"de": ("turnier",), "fr": ("tournoi",)})
def read_tournament(line: Line) -> Command:
    """``<game> tournament create|join|withdraw|start [<userid> <password>] <name>``, or ``show [<name>]``."""
    game = line.needed_game()
    what = line.words[0].lower() if line.words else "show"
    if what == "show":
        line.nothing_left(line.words[2:])
        return ShowTournament(game, line.words[1] if line.words[1:] else None)
    if what != "create" and what not in _BY_WORD:
        raise UnknownDeed("tournament", ("create", *_BY_WORD, "show"))
    speaker, words = _entrant(line)
    options, words = split_options(words)
    if what == "create" and len(split_options(line.words[1:])[1]) > 1 and len(words) != 1:
        raise NameOfSeveralWords("tournament")
    if not words:
        raise MissingWord("tournament", "name")
    line.nothing_left(words[1:])
    if what == "create":
        return CreateTournament(game, words[0], options, speaker=speaker)
    return _BY_WORD[what](game, words[0], speaker=speaker)


def _entrant(line: Line) -> tuple[Credentials | None, tuple[str, ...]]:
    """Perhaps credentials, and the words behind them.

    One word alone is the name of the tournament. A word behind the first that looks like an option may be a password if
    a name follows it.
    """
    words = line.words[1:]
    plain = split_options(words)[1]
    if len(plain) < 2:
        return None, words
    leading = words[: words.index(plain[0])]
    speaker, rest = line.credentials(words[len(leading) :])
    return speaker, (*leading, *rest)
