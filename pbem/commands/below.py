"""Finds the lines below a command that are for nobody else: the branches of a plan, a note or a study."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import islice

from pbem.commands.answers import words_of
from pbem.commands.lenient import is_small_talk
from pbem.commands.line import whole_number
from pbem.commands.normal import is_move
from pbem.commands.planning import is_more_of_plan, take_branches
from pbem.commands.steps import is_classic_move
from pbem.commands.studying import deed_meant
from pbem.commands.verbs import VERBS, translation_of, verb_of
from pbem.games.plans import ANY, ELSE, IF, THEN, with_bare_moves

_BRANCH = re.compile(
    rf"(?:{'|'.join(IF)})\s+(\S.*?)\s+(?:{'|'.join(map(re.escape, THEN))}):?(?!\S)([^;()]*)", re.IGNORECASE
)
_SAID_TO_OTHERS = re.compile(rf"(?:{'|'.join(IF)})\s+(?:you|du|ihr|(?-i:Sie)|tu|vous)\b", re.IGNORECASE)
"""The beginning of a sentence that the opponent may be meant to read: ``if you play b1 then I'll play c2``."""
_NEXT = re.compile(rf"[\s,.](?:{'|'.join((*IF, *ELSE))})\b.*", re.IGNORECASE)
"""Another branch behind a reply: ``if d2 then e1, else f2``."""
_SHORT_MOVES = frozenset(("pass", "swap"))
_ELSE = re.compile(
    rf"(?:{'|'.join(ELSE)})(?:\s*:|(?=\s))\s*(?:(?:{'|'.join(map(re.escape, THEN))}):?\s)?\s*", re.IGNORECASE
)
_PLAN_HEAD = re.compile(r"(?P<above>[a-z' ]{1,30} )?(?:plan|queue|qmove|moveq)\b[\s:]*(?P<rest>.*)", re.IGNORECASE)
_BEGINNING = re.compile(rf"(?<!\S)\(?(?:{'|'.join((*IF, *ELSE))})(?![^\s:])", re.IGNORECASE)
_BEGINNINGS = rf"(?:(?:{'|'.join((*IF, *ELSE))})[\s:]|s['\u2019]ils?\s)"
_BEHIND_WORDS = re.compile(rf"(?<=[,;.:!])\s+(?=\(?{_BEGINNINGS})", re.IGNORECASE)
"""Between words, or a move, and a branch on the same line: ``b1, if d2 then e1``."""
_BESIDE_MOVE = re.compile(rf"(?<=[0-9])\s+(?={_BEGINNINGS})", re.IGNORECASE)
"""Between a move and a branch on the same line, without a sign: ``b1 if d2 then e1``."""
_ENDING = re.compile(r"(?<=[^\s.!,])(?:\s?!+|[.!]+|,)\s+(?=[^\W\d_])")
"""Behind a sentence or clause, where others may follow."""
_MOST_ENDINGS = 12
"""The first clauses of a line, behind which kind words are looked for."""
_WORD_OF_PLAN = re.compile(rf"(?<!\S)(?:{'|'.join(map(re.escape, (*IF, *ELSE, *THEN)))})(?![^\s:,])", re.IGNORECASE)
_CELL = r"\b[a-z]{1,2}[0-9]{1,2}(?![0-9])"
_AS_IN_PLAN = re.compile(
    rf"(?:(?:and|und|et|or|oder|ou)\s+)?{_BEGINNINGS}.*{_CELL}"
    rf"|(?:{'|'.join(ELSE)})(?:\s|:).{{0,10}}\b(?:resign|give up|wait|aufgeben|gebe ich auf|warten?|abandonner?"
    r"|attends)\b"
    rf"|(?:[^\s\d]+\s+)?{_CELL}\S*\s*(?:\b(?:{'|'.join(THEN[:4])})\b|:|[-=]>).*(?:{_CELL}|\b(?:pass|resign|swap)\b)",
    re.IGNORECASE,
)
"""A line that may be another branch, or be meant for one, where there is a plan above."""
_ANNOUNCING = frozenset(("my", "the", "here is my", "mein", "hier ist mein", "mon", "voici mon"))
"""Words in front of ``plan`` that announce one, if moves follow."""
_MOST_NAMED = 5
"""Words between ``plan`` and its first branch: the board, who speaks, a number, and ``add``."""
_POSTSCRIPTS = ("ps:", "p.s.:", "p.s.")
_LONGEST_LINE = 1000
_LOOKED_AT = 5
"""Lines below the beginning of a plan among which its next one is looked for."""
_BULLET = re.compile(r"[-*+;\u2022\u2013\u2014\s]*(?:[0-9]{1,3}[.)]\s+)?")
_QUEUED = re.compile(r"(?:please |bitte )?(?:queue|qmove|moveq)[\s:]+(\S.*?)\s*(#[0-9]{1,6})?", re.IGNORECASE)
_BESIDE_NOTE = frozenset(("my", "private", "please", "meine", "bitte", "ma"))


def plan_below(below: Sequence[str], boards: Collection[str]) -> tuple[str, Sequence[str]]:
    """The branches of all plans below a move, and the other lines there; a word above them may say what they are.

    Where there is a plan, lines that may be meant for more of it are none of the others.

    Args:
        below: the lines below the move.
        boards: words of which one is the number of the board.
    """
    below = [part for line in below for part in _parted(line)]
    bare = without_bullets([" ".join(each.split()) for each in below])
    for place in range(len(below)):
        plan, named, end = _plan_at(place, bare)
        if not plan:
            continue
        board = next(filter(str.isdecimal, named), None)
        more = [at for at in range(len(below)) if at < place and _AS_IN_PLAN.match(bare[at])]
        more += [at for at in range(end, len(below)) if _may_be_more(bare[at])]
        of_plan = {*range(place, end), *more}
        others = [each for at, each in enumerate(below) if at not in of_plan]
        if board is not None and board not in boards:
            return "", [*others, below[place]]  # it is told, as another command
        parts = [plan, *(bare[at] for at in more)]
        return "; ".join(parts), others
    return "", below


def _plan_at(place: int, lines: Sequence[str]) -> tuple[str, Sequence[str], int]:
    """The plan that begins on a line, the words in front of it, and the line behind it; an empty one if none does."""
    line = lines[place]
    if not line:
        return "", (), place
    queued = _QUEUED.fullmatch(line)
    if queued is not None and is_move(queued[1].split()):
        return " ".join(("else", *filter(None, queued.groups()))), (), place + 1
    text, named, is_said = _after_head(line)
    first = place
    if not text:
        first = next((at for at in range(place + 1, len(lines)) if lines[at]), place)
        text = lines[first] if first > place else ""
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    following = next(filter(None, lines[first + 1 : first + _LOOKED_AT]), "")
    if not text or not _begins_plan(text, following, is_said=is_said):
        return "", (), place
    plan, behind = take_branches(text, lines[first + 1 :])
    return " ".join((*(each for each in named if each.startswith("#")), plan)), named, len(lines) - len(behind)


def _may_be_more(line: str) -> bool:
    """Return True if a line below a plan may be meant for more of it."""
    text, _, is_said = _after_head(line)
    return bool(_AS_IN_PLAN.match(line) or _QUEUED.match(line) or (is_said and text) or _begins_with_move(line))


def with_kind_words_apart(line: str, below: Sequence[str]) -> Sequence[str]:
    """The lines of a plan, with kind words behind its last branch on a line of their own."""
    lines = (line, *below)
    for place, each in enumerate(lines):
        plan, words = _before_kind_words(each)
        if words and not any(map(_may_be_more, without_bullets(lines[place + 1 :]))):
            return (*lines[:place], plan, words, *lines[place + 1 :])
    return lines


def take_plan(line: str, below: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The line of a plan joined with the branches below it, also behind kind words, and the other lines there.

    Lines that may be meant for more of it, though it is not clear, are joined with it as they are, and what stands
    before them: such a plan cannot be read, so nobody keeps half of it.
    """
    others: list[str] = []
    plan, behind = take_branches(line, below)
    while True:
        kind = next((at for at, each in enumerate(behind) if each.strip() and not is_small_talk(each)), len(behind))
        longer, rest = take_branches(plan, behind[kind:])
        if not (behind[kind:] and _is_branch(behind[kind]) and len(rest) < len(behind) - kind):
            break
        others += behind[:kind]
        plan, behind = longer, rest
    unclear = max((at for at, each in enumerate(behind, 1) if _is_branch(each) or _AS_IN_PLAN.match(each)), default=0)
    return " ".join((plan, *filter(None, behind[:unclear]))), [*others, *behind[unclear:]]


def _is_branch(line: str) -> bool:
    return begins_branch(line) or _is_else(line)


def _parted(line: str) -> Sequence[str]:
    """A line in its parts, if a branch stands behind other words in it, or kind words behind the last branch."""
    plan, words = _before_kind_words(line)
    return (*_without_words_above(plan), words) if words else _without_words_above(line)


def _before_kind_words(line: str) -> tuple[str, str]:
    """A line up to the last of its branches, and the kind words behind; empty if there are none."""
    for found in islice(_ENDING.finditer(line[:_LONGEST_LINE]), _MOST_ENDINGS):
        plan, words = line[: found.start()], line[found.end() :]
        text, *_ = _after_head(_BULLET.sub("", _without_words_above(plan)[-1], count=1))
        is_kind = _WORD_OF_PLAN.search(words) is None and is_small_talk(words)
        if is_kind and _is_branch(text):
            return plan, words
    return line, ""


def _without_words_above(line: str) -> Sequence[str]:
    """A line in two, if a branch stands behind other words in it; the first of all branches."""
    beside = _BESIDE_MOVE.search(line[:_LONGEST_LINE])
    if beside is not None and _begins_with_move(line[: beside.start()]) and begins_branch(line[beside.end() :]):
        return line[: beside.start()], line[beside.end() :]
    for found in _BEHIND_WORDS.finditer(line[:_LONGEST_LINE]):
        head, branch = line[: found.start()], line[found.end() :]
        is_apart = is_small_talk(head) or _begins_with_move(head.strip(" ,;.:!")) or head.lower() in _POSTSCRIPTS
        if is_apart and _is_branch(branch):
            return head, branch
    return (line,)


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
    is_announced = (head["above"] or "my").strip().lower() in _ANNOUNCING
    return rest[end:], named, is_announced and ((is_bare and not head["above"]) or bool(rest[end:]))


def _begins_plan(text: str, following: str, *, is_said: bool) -> bool:
    """Return True if a text below a move begins a plan, which a mail program may have broken before its reply.

    Args:
        text: what is left of its first line.
        following: the next line.
        is_said: the word ``plan`` stands before it, so that it need not look like moves.
    """
    text = text.lstrip("(")
    branch = text if _BRANCH.match(text) else f"{text} {following}".strip()
    if is_said and (is_more_of_plan(branch.split()) or _begins_with_move(text)):
        return True
    return begins_branch(branch) or _is_else(text)


def without_bullets(lines: Sequence[str]) -> list[str]:
    """Lines without the marks or numbers of a list in front of them."""
    return [_BULLET.sub("", each, count=1) for each in lines]


def begins_branch(line: str) -> bool:
    """Return True if a line of an answer begins like a branch of a plan, with moves rather than a sentence.

    Words may say who plays them: ``if they play b1 then I play c2``.
    """
    line = " ".join(line.split())
    found = _BRANCH.match(line if _SAID_TO_OTHERS.match(line) else with_bare_moves(line))
    if found is None:
        return False
    named = found[1].replace(ANY, " ").replace("/", " ").replace(",", " ").split()
    words = [each for each in named if each.lower() not in _SHORT_MOVES]
    if not words:
        return _begins_with_move(found[2])
    reply = [each.strip(",.!") for each in _NEXT.sub("", found[2]).split()]
    others = [each for each in reply if not (is_move([each]) or is_classic_move([each]))]
    is_sentence = len(words) == 1 and re.search("[,>-]", found[1].rstrip(",")) is None and len(others) > 1
    return not is_sentence and (is_move(words) or is_classic_move(words))


def _begins_with_move(text: str) -> bool:
    words = re.split("[;()]", text, maxsplit=1)[0].split()
    return is_move(words) or is_classic_move(words) or (len(words) == 1 and words[0].lower() in _SHORT_MOVES)


def _is_else(line: str) -> bool:
    """Return True if a line below a move is the last branch of a plan: a move or a command, and no sentence."""
    found = _ELSE.match(line)
    return begins_else(line) or (found is not None and verb_of(line[found.end() :].strip()) is not None)


def begins_else(line: str) -> bool:
    """Return True if a line begins like the last branch of a plan, with a move."""
    found = _ELSE.match(line)
    rest = "" if found is None else line[found.end() :]
    return begins_branch(rest) or _begins_with_move(rest)


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
    if len(words) > 1 and whole_number(words[0]) is not None and deed_meant(words[1]):
        words = words[:1]
    elif len(words) in (2, 3):  # the last two may be a userid and a password
        words = words[:-2]
    is_alone = not words or words[0] in boards or (len(words) == 1 and whole_number(words[0]) is not None)
    return meant if meant is not None and VERBS[meant].keeps_lines and is_alone else None
