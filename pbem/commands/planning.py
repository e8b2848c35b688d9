"""Commands about plans: replies that are made by themselves if others play what they name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbem.commands.command import BoardCommand, TurnCommand, moveno_words
from pbem.commands.line import Line, about
from pbem.commands.playing import board_with_moveno
from pbem.commands.refusals import MissingWord
from pbem.commands.steps import are_steps
from pbem.commands.verb import Care, Group, Place, Verb
from pbem.errors import Unreadable
from pbem.games.plans import BEGINNINGS, ELSE, IF, THEN, Branch, one_line, read_branches


@dataclass(frozen=True, slots=True)
class MakePlan(TurnCommand):
    """``plan 101 #12 if c4,k5 then g2,h7; else k7,m2``: moves that are made if others play certain ones."""

    form: ClassVar[str] = "plan"
    branches: tuple[Branch, ...] = ()
    adds: bool = False
    """They are added to those that are there."""
    edits: bool = False
    """They are those that are there, changed on a page: the plan stays made for its move."""

    def arguments(self) -> Iterable[object]:
        """``101 #12 if c4,k5 then g2,h7``."""
        return (self.board, *moveno_words(self.moveno), *(["add"] if self.adds else []), one_line(self.branches))


@dataclass(frozen=True, slots=True)
class ShowPlan(BoardCommand):
    """``plan 101``: shows the speaker's plan."""

    form: ClassVar[str] = "plan"
    only_shows: ClassVar[bool] = True
    for_guests: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class CancelPlan(BoardCommand):
    """``plan 101 cancel``: ends it."""

    form: ClassVar[str] = "plan"
    for_guests: ClassVar[bool] = True

    def arguments(self) -> Iterable[object]:
        """``101 cancel``."""
        return (self.board, "cancel")


@dataclass(frozen=True, slots=True)
class SharePlan(BoardCommand):
    """``plan 101 share``: shows what is left of it to all at the board, once the game is over."""

    form: ClassVar[str] = "plan"

    def arguments(self) -> Iterable[object]:
        """``101 share``."""
        return (self.board, "share")


_ADD = "add"
CANCELLING = """
    cancel cancle cancell clear delete drop end forget remove stop
    abbrechen entfernen entferne lösch lösche löschen loesche loeschen streich streiche streichen verwerfe verwerfen
    annule annuler annulez arrête arrêter efface effacer effacez enlever retirer supprime supprimer supprimez
"""
SHOWING = "show display see view zeig zeige zeigen affiche afficher affichez montre montrer montrez"
SHARING = "share teile teilen partage partager partagez"
_INSTEAD: Mapping[str, type[CancelPlan | SharePlan | ShowPlan]] = {
    **dict.fromkeys(CANCELLING.split(), CancelPlan),
    **dict.fromkeys(SHOWING.split(), ShowPlan),
    **dict.fromkeys(SHARING.split(), SharePlan),
}
"""The commands that single words make of a plan."""


@Verb(
    "plan",
    Group.BOARDS,
    board=Place.FIRST,
    care=Care.HARMLESS,
    takes_text=True,
)
def read_plan(line: Line) -> BoardCommand:
    """``plan <board> [<userid> <password>] [[#<moveno>] [add] <branch>+ | cancel | share]``."""
    if line.answered is None and _instead(line.words) is not None:
        raise MissingWord(line.verb, "board")
    board, words = board_with_moveno(line)
    with about(board):
        moved, words = (words[:1], words[1:]) if _is_moveno(words) else ((), words)
        speaker, words = (None, words) if _begins_plan(words) or _instead(words) else line.credentials(words)
        if not moved and _is_moveno(words[-1:]):
            moved, words = words[-1:], words[:-1]
        elif not moved and _is_moveno(words):
            moved, words = words[:1], words[1:]
        _, moveno = line.split_moveno(moved)
        if not words and moveno is None:
            return ShowPlan(board, game=line.game, speaker=speaker)
        instead = _instead(words)
        if instead is not None:
            return instead(board, game=line.game, speaker=speaker)
        adds = words[:1] != () and words[0].lower() == _ADD
        try:
            words = words[adds:]
            branches = read_branches(" ".join(words))
        except Unreadable as wrong:
            wrong.facts["form"] = "plan"
            raise
    return MakePlan(board, branches=branches, adds=adds, game=line.game, speaker=speaker, moveno=moveno)


def _instead(words: Sequence[str]) -> type[CancelPlan | SharePlan | ShowPlan] | None:
    """The command that a single word makes of a plan: alone, it is nobody's userid."""
    return _INSTEAD.get(words[0].lower().rstrip(".!")) if len(words) == 1 else None


def _is_moveno(words: Sequence[str]) -> bool:
    return bool(words) and words[0].startswith("#")


def _begins_plan(words: Sequence[str]) -> bool:
    return bool(words) and words[0].lower() in (*BEGINNINGS, _ADD, "cancel", "share")  # other words may be userids


def _is_move(word: str) -> bool:
    """Return True if a word may begin a move, is missing one, or is the command that people take for one."""
    return word.lower().rstrip(".!") in (*THEN, "pass", "swap", "resign") or re.search("[-0-9;()*]", word) is not None


def is_more_of_plan(words: Sequence[str]) -> bool:
    """Return True if a line is more of a plan, such as another move, and no sentence that begins like a branch."""
    first, rest = words[0].lower().lstrip("(;)"), words[2:] if words[1:2] == [":"] else words[1:]
    first = first.rstrip(":") if first.rstrip(":") in (*BEGINNINGS, *THEN) else first
    if first in ELSE and rest and rest[0].lower() in IF:
        first, rest = rest[0].lower(), rest[1:]
    elif first in ELSE and rest and rest[0].lower().rstrip(":") in THEN:
        rest = rest[1:]
    if first in IF:
        return not rest or _is_move(rest[0]) or any(each.lower().strip(":") in THEN for each in rest)
    if first in BEGINNINGS or first in THEN:
        return not rest or _is_move(rest[0]) or are_steps(re.split("[;()]", " ".join(rest), maxsplit=1)[0].strip())
    return first in ("", _ADD) or first.startswith("#") or are_steps(" ".join(words))


def _is_broken(line: str) -> bool:
    """Return True if a mail program has broken a line before a move."""
    last = line.split()[-1:]
    return bool(last) and (last[0].lower() in (*BEGINNINGS, *THEN) or last[0][-1] in ",/")


def _depth(line: str) -> int:
    """The parentheses that a line leaves open; fewer than 0 if it closes others."""
    return line.count("(") - line.count(")")


def take_branches(line: str, below: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The line of a plan joined with those below it that hold its branches, and the lines behind them."""
    taken, end, depth = [line], 0, _depth(line)
    for index, each in enumerate(below):
        words = each.split()
        if words and not (depth > 0 or _is_broken(taken[-1]) or is_more_of_plan(words)):
            break
        taken.append(" ".join(words))
        depth += _depth(each)
        end = index + 1 if words else end
    return " ".join(filter(None, taken)), below[end:]
