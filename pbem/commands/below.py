"""Finds the lines below a command that are for nobody else: the branches of a plan, a note or a study."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pbem.commands.answers import words_of
from pbem.commands.normal import is_move
from pbem.commands.planning import is_more_of_plan, take_branches
from pbem.commands.steps import is_classic_move
from pbem.commands.verbs import VERBS, translation_of, verb_of
from pbem.games.plans import ANY, ELSE, IF, THEN

_BRANCH = re.compile(
    rf"(?:{'|'.join(IF)})\s+(\S.*?)\s+(?:{'|'.join(map(re.escape, THEN))}):?(?!\S)([^;()]*)", re.IGNORECASE
)
_NEXT = re.compile(rf"[\s,.](?:{'|'.join((*IF, *ELSE))})\b.*", re.IGNORECASE)
"""Another branch behind a reply: ``if d2 then e1, else f2``."""
_SHORT_MOVES = frozenset(("pass", "swap"))
_ELSE = re.compile(
    rf"(?:{'|'.join(ELSE)})(?:\s*:|(?=\s))\s*(?:(?:{'|'.join(map(re.escape, THEN))}):?\s)?\s*", re.IGNORECASE
)
_PLAN_HEAD = re.compile(r"(?P<above>[a-z' ]{1,30} )?(?:plan|queue|qmove|moveq)\b[\s:]*(?P<rest>.*)", re.IGNORECASE)
_BEGINNING = re.compile(rf"(?<!\S)\(?(?:{'|'.join((*IF, *ELSE))})(?![^\s:])", re.IGNORECASE)
_MOST_NAMED = 5
"""Words between ``plan`` and its first branch: the board, who speaks, a number, and ``add``."""
_BULLET = re.compile(r"[-*+;\u2022\u2013\u2014\s]*(?:[0-9]{1,3}[.)]\s+)?")
_QUEUED = re.compile(r"(?:queue|qmove|moveq)[\s:]+(\S.*?)\s*(#[0-9]{1,6})?", re.IGNORECASE)
_BESIDE_NOTE = frozenset(("my", "private", "please", "meine", "bitte", "ma"))


def plan_below(below: Sequence[str], boards: Collection[str]) -> tuple[str, Sequence[str]]:
    """The branches of all plans below a move, and the other lines there; a word above them may say what they are.

    Args:
        below: the lines below the move.
        boards: words of which one is the number of the board.
    """
    bare = without_bullets([" ".join(each.split()) for each in below])
    for place, line in enumerate(bare):
        queued = _QUEUED.fullmatch(line)
        if queued is not None and is_move(queued[1].split()):
            return " ".join(("else", *filter(None, queued.groups()))), [*below[:place], *below[place + 1 :]]
        text, named, is_said = _after_head(line)
        first = place
        if not text:
            first = next((at for at in range(place + 1, len(bare)) if bare[at]), place)
            text = bare[first] if first > place else ""
        if text.startswith("(") and text.endswith(")"):
            text = text[1:-1]
        if text and _begins_plan(text, bare[first + 1 :], is_said=is_said):
            plan, behind = take_branches(text, bare[first + 1 :])
            board = next(filter(str.isdecimal, named), None)
            is_here = board is None or board in boards
            above = below[:place] if is_here else below[: place + 1]  # its first line is told, as another command
            plan = " ".join((*[each for each in named if each.startswith("#")], plan)) if is_here else ""
            more, others = plan_below(below[len(below) - len(behind) :], boards)
            return "; ".join(filter(None, (plan, more))), [*above, *others]
    return "", below


def _after_head(line: str) -> tuple[str, Sequence[str], bool]:
    """The part of a line that may begin a plan, the words in front of it, and True if they surely announce one."""
    head = _PLAN_HEAD.fullmatch(line)
    if head is None:
        return line, (), False
    rest = head["rest"]
    begins = _BEGINNING.search(rest)
    end = begins.start() if begins else 0 if _begins_with_move(rest) else len(rest)
    named = [each.rstrip(":") for each in rest[:end].split()]
    if len(named) > _MOST_NAMED:
        return line, (), False
    is_bare = all(each.isdecimal() or each.startswith("#") or each.lower() == "add" for each in named)
    return rest[end:], named, not head["above"] and (is_bare or bool(rest[end:]))


def _begins_plan(text: str, below: Sequence[str], *, is_said: bool) -> bool:
    """Return True if a text below a move begins a plan, which a mail program may have broken before its reply.

    Args:
        text: what is left of its first line.
        below: the lines below that.
        is_said: the word ``plan`` stands before it, so that it need not look like moves.
    """
    text = text.lstrip("(")
    branch = " ".join((text, *[each for each in below if each][:1])) if _BRANCH.match(text) is None else text
    if is_said and (is_more_of_plan(branch.split()) or _begins_with_move(text)):
        return True
    return begins_branch(branch) or _is_else(text)


def without_bullets(lines: Sequence[str]) -> list[str]:
    """Lines without the marks or numbers of a list in front of them."""
    return [_BULLET.sub("", each, count=1) for each in lines]


def begins_branch(line: str) -> bool:
    """Return True if a line of an answer begins like a branch of a plan, with moves rather than a sentence."""
    found = _BRANCH.match(" ".join(line.split()))
    if found is None:
        return False
    named = found[1].replace(ANY, " ").replace("/", " ").replace(",", " ").split()
    words = [each for each in named if each.lower() not in _SHORT_MOVES]
    if not words:
        return _begins_with_move(found[2])
    reply = [each.strip(",.!") for each in _NEXT.sub("", found[2]).split()]
    others = [each for each in reply if not (is_move([each]) or is_classic_move([each]))]
    is_sentence = len(words) == 1 and re.search("[,>-]", found[1]) is None and len(others) > 1
    return not is_sentence and (is_move(words) or is_classic_move(words))


def _begins_with_move(text: str) -> bool:
    words = re.split("[;()]", text, maxsplit=1)[0].split()
    return is_move(words) or is_classic_move(words) or (len(words) == 1 and words[0].lower() in _SHORT_MOVES)


def _is_else(line: str) -> bool:
    """Return True if a line below a move is the last branch of a plan, with a move rather than a sentence."""
    found = _ELSE.match(line)
    rest = "" if found is None else line[found.end() :]
    return begins_branch(rest) or _begins_with_move(rest) or verb_of(rest.strip()) is not None


def without_own(below: Sequence[str], boards: Collection[str]) -> tuple[Sequence[str], str | None]:
    """The lines below a command that are for others, and the verb of a note or study that begins the rest."""
    for place, line in enumerate(below):
        if kept := _verb_for_oneself(line, boards):
            return below[:place], kept
    return below, None


def _verb_for_oneself(line: str, boards: Collection[str]) -> str | None:
    """The verb of a line below a command that begins a note or a study: it and those below are for nobody else."""
    verb, *words = [each for each in words_of(line) if each not in _BESIDE_NOTE] or [""]
    meant = verb_of(verb) or translation_of(verb)
    is_alone = not words or words[0] in boards or len(words) == 2  # the two may be a userid and a password
    return meant if meant is not None and VERBS[meant].keeps_lines and is_alone else None
