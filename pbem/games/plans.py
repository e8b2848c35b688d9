"""Plans: a tree of replies that a player prepares to what others may play before their next turns.

As typed, one branch a line or behind a semicolon::

    if C4,K5 then G2,H7
    if D8,R10 then A7,V6 (if M3,* then W1,X2; else T4,U1)
    else K7,M2

The first branch that fits is taken. A condition names all that is played from the plan up to the player's turn, with
strokes between several inputs; ``*`` stands for any one part of an input, such as a tile, and alone for any input.
``else`` fits whatever leaves its reply legal.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from pbem.errors import NotAllowed, PlayerError, Quoted, Unreadable
from pbem.games.game import BETWEEN_TURNS, Game, Position, Seat, UnreadableMove

MOST_BRANCHES = 200
MOST_OF_PLAN = 16_000
"""Most characters of a plan, both as it is typed and as it is drawn."""
_DEEPEST = 30
"""Branches within each other."""
ANY = "*"
IF = ("if", "elif", "wenn", "falls", "si")
ELSE = ("else", "otherwise", "sonst", "ansonsten", "andernfalls", "sinon", "autrement")
THEN = ("then", "than", "dann", "alors", "->", "=>")
BEGINNINGS = frozenset((*IF, *ELSE))
"""Words with which a branch begins, in English, German and French."""
_WORDS = "|".join((*IF, *ELSE, *THEN[:4]))
_TOKEN = re.compile(rf"(?<![^\s;()])(?:{_WORDS})(?![^\s:;()])|(?<!\S)[-=]>(?!\S)|[;()]", re.IGNORECASE)


_BESIDE = re.compile(r"(?<=[^\s();])\(([^\s();]+)\)")
"""A word in parentheses that is joined to a move, and no branch: ``d1-d7(g7)``."""
_THEY = "(?:they|you|he|she|sie|er|du|ihr|ils?|elles?|on|tu|vous)"
_SAID_OF_OTHERS = re.compile(
    rf"(?<![^\s;()])(?:({'|'.join(IF)}):?\s+|(s)['\u2019](?=ils?\s)){_THEY}\s+(?:plays?|spielen|spielt|spielst|jou(?:e|es"
    rf"|ent|ez))\s+|(?<![^\s;()])(wenn|falls)\s+{_THEY}\s+(\S+)\s+(?:spielen|spielt|spielst)(?=[\s,])",
    re.IGNORECASE,
)
_SAID_OF_ONESELF = re.compile(
    rf"(?<![^\s;()])({'|'.join((*ELSE, *THEN))}):?\s+"
    r"(?:i(?:['\u2019]ll| will)?\s+play|ich\s+spiele|spiele\s+ich|je\s+joue)\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Branch:
    """A reply to something that may be played, and what is planned behind it."""

    condition: str = field(repr=False)
    """As typed; empty, or ``*`` alone: whatever leaves the reply legal."""
    reply: str = field(repr=False)
    branches: tuple[Branch, ...] = ()

    @property
    def text(self) -> str:
        """The branch as it is typed, without what comes behind it."""
        return f"if {self.condition} then {self.reply}" if self.condition else f"else {self.reply}"


class PlanUnreadable(Unreadable):
    """The text is no plan; ``expected``, a word of the form, is missing before ``word``, or at the end."""

    word: Quoted
    expected: str


class TooManyBranches(Unreadable):
    """The plan has more branches, more of them within each other, or more characters, than are kept."""

    most: int = MOST_BRANCHES
    characters: int = MOST_OF_PLAN
    deepest: int = _DEEPEST


class ElseNotLast(Unreadable):
    """A branch stands behind one that fits whatever is played."""

    branch: Annotated[str, 120]


class BranchImpossible(NotAllowed):
    """``said``, the condition or the reply of a branch, cannot be played there; ``reasons`` says why."""

    branch: Annotated[str, 120]
    said: Quoted
    reasons: Sequence[PlayerError]


class BranchPastEnd(NotAllowed):
    """The game would be over after ``said``, and nothing can be planned behind it."""

    branch: Annotated[str, 120]
    said: Quoted


class NotYetOnTurn(NotAllowed):
    """After the condition of a branch somebody else would be to act."""

    branch: Annotated[str, 120]
    said: Quoted


class TurnTooLong(UnreadableMove):
    """No input can have as many parts as the condition names there, stars included."""


def count(branches: Sequence[Branch]) -> int:
    """The number of branches, all levels together."""
    return sum(1 + count(each.branches) for each in branches)


def one_line(branches: Sequence[Branch]) -> str:
    """The branches on one line, as `read_branches` reads them."""
    return "; ".join(f"{each.text} ({one_line(each.branches)})" if each.branches else each.text for each in branches)


def with_added(branches: Sequence[Branch], added: Sequence[Branch]) -> tuple[Branch, ...]:
    """The branches and some more, each in front of those that would fit in its place.

    One takes the place of another with its condition.
    """
    found = list(branches)
    for each in added:
        place = next((at for at, one in enumerate(found) if _fits_same(one, each)), None)
        if place is None:
            found.insert(next((at for at, one in enumerate(found) if _is_wider(one, each)), len(found)), each)
        elif _means_same(found[place].reply, each.reply):
            found[place] = replace(each, branches=with_added(found[place].branches, each.branches))
        else:
            found[place] = each
    return tuple(found)


def _is_wider(one: Branch, other: Branch) -> bool:
    """Return True if a branch may fit where another was meant to, and not the other way round."""
    return not is_open(other) and (is_open(one) or (ANY in one.condition and ANY not in other.condition))


def behind(branches: Sequence[Branch], played: Sequence[str]) -> tuple[Branch, ...]:
    """Branches made for a position, as those of the position before some inputs."""
    before = BETWEEN_TURNS.join(played)
    return tuple(
        each if is_open(each) or not played else replace(each, condition=BETWEEN_TURNS.join((before, each.condition)))
        for each in branches
    )


def _fits_same(one: Branch, other: Branch) -> bool:
    return (is_open(one) and is_open(other)) or _means_same(one.condition, other.condition)


def _means_same(one: str, other: str) -> bool:
    return "".join(one.split()).casefold() == "".join(other.split()).casefold()


def tree(branches: Sequence[Branch], indent: str = "") -> Iterator[str]:
    """The branches drawn as a tree, a line each, as `read_branches` reads them."""
    for each in branches:
        behind = list(tree(each.branches, f"{indent} "))
        yield f"{indent}{each.text} (" if behind else f"{indent}{each.text}"
        yield from behind[:-1]
        yield from (f"{last})" for last in behind[-1:])


def read_branches(text: str) -> tuple[Branch, ...]:
    """The branches of a text.

    Raises:
        PlanUnreadable, TooManyBranches, ElseNotLast: it is no plan.
    """
    reader = _Reader(with_bare_moves(text))
    branches = reader.branches(0)
    if reader.peek():
        raise PlanUnreadable(reader.peek(), "if")
    if not branches:
        raise PlanUnreadable("", "if")
    if count(branches) > MOST_BRANCHES:
        raise TooManyBranches
    return branches


def with_bare_moves(text: str) -> str:
    """Branches without the words that say who plays: ``if they play d2 then I play e1``."""
    text = _SAID_OF_OTHERS.sub(lambda found: f"{found[1] or found[3] or 'si'} {found[4] or ''}", text)
    return _SAID_OF_ONESELF.sub(r"\1 ", text)


class _Reader:
    """Takes a text apart from left to right."""

    def __init__(self, text: str) -> None:
        self._tokens: list[str] = []
        text = _BESIDE.sub(r" \1", text)
        end = 0
        for found in _TOKEN.finditer(text):
            self._tokens += [text[end : found.start()].strip(" \t\n,.:"), found.group().lower()]
            end = found.end()
        self._tokens = [each for each in (*self._tokens, text[end:].strip(" \t\n,.:")) if each]
        self._at = 0

    def peek(self) -> str:
        """The next piece; empty at the end."""
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, *wanted: str) -> bool:
        taken = self.peek() in wanted
        self._at += taken
        return taken

    def _words(self, expected: str) -> str:
        word = self.peek()
        if not word or _TOKEN.fullmatch(word):
            raise PlanUnreadable(word, expected)
        self._at += 1
        return " ".join(word.split())

    def branches(self, depth: int) -> tuple[Branch, ...]:
        """Branches up to the end, or to the parenthesis behind them."""
        if depth > _DEEPEST:
            raise TooManyBranches
        found: list[Branch] = []
        typed = ""
        while True:
            while self._take(";"):
                pass
            is_else = self._take(*ELSE)
            if self._take(*IF):  # "else if" is an "if": it stands behind others
                condition = self._words("move")
                if not self._take(*THEN):
                    raise PlanUnreadable(self.peek(), "then")
            elif is_else:
                condition = ""
                self._take(*THEN)
            else:
                return tuple(found)
            if found and is_open(found[-1]):
                raise ElseNotLast(typed)
            reply = self._words("move")
            typed = Branch(condition, reply).text
            behind: tuple[Branch, ...] = ()
            if self._take("("):
                behind = self.branches(depth + 1)
                if not self._take(")"):
                    raise PlanUnreadable(self.peek(), ")")
            found.append(Branch("" if condition == ANY and found else condition, reply, behind))


def has_conditions(branches: Sequence[Branch]) -> bool:
    """Return True if anything depends on what others play."""
    return any(not is_open(each) or each.branches for each in branches)


def left_of_plan(branches: Sequence[Branch]) -> tuple[Branch, ...]:
    """The branches behind a reply; one alone for whatever is played stays a plan, and is no queued move."""
    first, *others = branches
    return (replace(first, condition=first.condition or ANY), *others) if not others else tuple(branches)


def is_open(branch: Branch) -> bool:
    """Return True if a branch fits whatever is played, as long as its reply is legal."""
    return branch.condition in ("", ANY)


def _after(game: Game[Any, Any], position: Position[Any], text: str) -> Position[Any]:
    """The position after one input.

    Raises:
        PlayerError: the text cannot be played, or only a part of it.
    """
    played = game.read_input(position, text)
    if played.left_over:
        raise UnreadableMove(why=played.left_over)
    after: Position[Any] = played.position
    return after


def _after_all(game: Game[Any, Any], position: Position[Any], condition: str) -> Position[Any]:
    for text in game.split_turns(condition):
        position = _after(game, position, text.strip())
    return position


def check(branches: Sequence[Branch], game: Game[Any, Any], position: Position[Any], seats: Collection[Seat]) -> None:
    """Accept branches that can be played from a position on, as far as that is known.

    Args:
        branches: the replies of the player who holds ``seats``.
        game: the game.
        position: before what the conditions name.
        seats: those of the player.

    Raises:
        BranchImpossible, BranchPastEnd, NotYetOnTurn: one cannot be played.
    """
    for branch in branches:
        after = _checked_condition(branch, game, position, seats)
        if after is None:
            _check_open(branch, game, position)
            continue
        replied = _replied(branch, game, after)
        if branch.branches and replied.outcome is not None:
            raise BranchPastEnd(branch.text, branch.reply)
        check(branch.branches, game, replied, seats)


def _checked_condition(
    branch: Branch, game: Game[Any, Any], position: Position[Any], seats: Collection[Seat]
) -> Position[Any] | None:
    """The position in which the reply is made; None if it is not known beforehand."""
    if is_open(branch):
        return None
    after: Position[Any] | None = position
    try:
        for text in game.split_turns(branch.condition):
            if after is None:
                _check_named(game, position, text)
            elif ANY in _parts(text):
                _check_part(game, after, text)
                after = None
            else:
                after = _after(game, after, text.strip())
    except PlayerError as wrong:
        raise BranchImpossible(branch.text, branch.condition, [wrong]) from wrong
    if after is None:
        return None
    if after.outcome is not None:
        raise BranchPastEnd(branch.text, branch.condition)
    if after.to_act not in seats:
        raise NotYetOnTurn(branch.text, branch.condition)
    return after


def _check_part(game: Game[Any, Any], position: Position[Any], text: str) -> None:
    """Accept an input of a condition with ``*``.

    Raises:
        PlayerError: nothing can be played that fits it.
    """
    parts, named = _parts(text), _named(text)
    if parts == [ANY]:
        return
    _check_length(game, position, text)
    begun = game.read_part(position, named).position if named else position
    if (named and not begun.mid_turn) or not _can_go_on(begun, parts.count(ANY), iter(range(_MOST_TRIED))):
        raise TurnTooLong


_MOST_TRIED = 150
"""Most steps that are tried to find a turn with as many parts as a condition with ``*``."""


def _can_go_on(position: Position[Any], steps: int, tries: Iterator[int]) -> bool:
    """Return True if a turn can have so many more steps, or if nobody knows after so many tries."""
    if steps == 1 or position.outcome is not None:
        return position.outcome is None
    for step in position.legal():
        if next(tries, None) is None:
            return True
        after = position.play(step)
        if after.ply == position.ply and _can_go_on(after, steps - 1, tries):
            return True
    return False


def _check_length(game: Game[Any, Any], position: Position[Any], text: str) -> None:
    """Accept an input of a condition that has no more parts than any in this position or a later one.

    Raises:
        TurnTooLong: it has more.
    """
    most = game.most_steps(position)
    if most is not None and len(_parts(text)) > most:
        raise TurnTooLong


def _replied(branch: Branch, game: Game[Any, Any], position: Position[Any]) -> Position[Any]:
    try:
        return _after(game, position, branch.reply)
    except PlayerError as wrong:
        raise BranchImpossible(branch.text, branch.reply, [wrong]) from wrong


def _check_open(branch: Branch, game: Game[Any, Any], position: Position[Any]) -> None:
    """Accept a branch of which the position is not known, if its moves could be some in any position.

    Raises:
        BranchImpossible: they could not.
    """
    said = branch.condition
    try:
        for text in game.split_turns(said) if said else ():
            _check_named(game, position, text)
        said = branch.reply
        check_readable(game, position, said)
    except Unreadable as wrong:
        raise BranchImpossible(branch.text, said, [wrong]) from wrong
    for each in branch.branches:
        _check_open(each, game, position)


def check_readable(game: Game[Any, Any], position: Position[Any], text: str) -> None:
    """Accept a move that could be one in some position.

    Raises:
        UnreadableMove: it could not.
    """
    try:
        game.read_input(position, text)
    except Unreadable:
        raise
    except PlayerError as wrong:
        reasons = wrong.facts.get("reasons", ())
        unreadable = [each for each in reasons if isinstance(each, Unreadable)] if isinstance(reasons, tuple) else []
        if unreadable:
            raise unreadable[0] from None


def _check_named(game: Game[Any, Any], position: Position[Any], condition: str) -> None:
    """Accept an input of a condition in a position that is not known, if what it names could be played in some.

    Raises:
        UnreadableMove: it could not.
    """
    if named := _named(condition):
        check_readable(game, position, named)
    _check_length(game, position, condition)


def _named(condition: str) -> str:
    """The parts of an input that a condition names."""
    return ",".join(each for each in _parts(condition) if each != ANY)


def _parts(condition: str) -> Sequence[str]:
    return [part for each in condition.split(",") if (part := each.strip())]


@dataclass(frozen=True, slots=True)
class Reply:
    """The move that a plan makes."""

    text: str = field(repr=False)
    """In words of the position as it is."""
    branches: tuple[Branch, ...] = ()
    """Planned behind it, likewise."""
    lost: tuple[Branch, ...] = ()
    """Branches behind it that cannot be played as it came."""


def reply_to(
    branches: Sequence[Branch],
    game: Game[Any, Any],
    base: Position[Any],
    inputs: Sequence[Sequence[Any]],
    now: Position[Any],
) -> Reply | None:
    """The reply of the first branch that fits.

    Args:
        branches: the plan.
        game: the game.
        base: the position for which the plan was made.
        inputs: the steps of each input since then.
        now: the position after them.

    Raises:
        PlayerError: it cannot be made.
    """
    for branch in branches:
        known = _known(branch, game, base, now)
        if known is not None or is_open(branch) or _fits(branch.condition, game, base, inputs):
            return _reply(branch, game, now if known is None else known, now)
    return None


def _known(branch: Branch, game: Game[Any, Any], base: Position[Any], now: Position[Any]) -> Position[Any] | None:
    """The position for which a branch was made, if it is the present one but for the names of its places."""
    if is_open(branch) or ANY in branch.condition:
        return None
    try:
        after = _after_all(game, base, branch.condition)
    except PlayerError:
        return None
    is_same = (after.ply, after.to_act, after.contents) == (now.ply, now.to_act, now.contents)
    return after if is_same else None


def _fits(condition: str, game: Game[Any, Any], base: Position[Any], inputs: Sequence[Sequence[Any]]) -> bool:
    """Return True if inputs are those that a condition with ``*`` describes."""
    texts, position = game.split_turns(condition), base
    if ANY not in condition or len(inputs) != len(texts):
        return False
    try:
        for text, steps in zip(texts, inputs, strict=True):
            if not _describes(text, game, position, steps):
                return False
            position = game.play_input(position, steps)
    except PlayerError:
        return False
    return True


def _describes(text: str, game: Game[Any, Any], position: Position[Any], played: Sequence[Any]) -> bool:
    """Return True if an input has all that a text names, and as many parts besides as it has ``*``.

    Raises:
        PlayerError: what it names cannot be played.
    """
    parts, named = _parts(text), _named(text)
    if parts == [ANY]:
        return True
    steps = game.read_part(position, named).steps if named else ()
    return len(played) == len(steps) + parts.count(ANY) and all(step in played for step in steps)


def _reply(branch: Branch, game: Game[Any, Any], known: Position[Any], now: Position[Any]) -> Reply:
    """The reply of a branch, in words of the present position.

    Raises:
        PlayerError: it cannot be played.
    """
    text, expected, replied = _translated(branch.reply, game, known, now)
    kept, lost = [], []
    for each in branch.branches:
        try:
            moved = _moved(each, game, expected, replied)
            check([moved], game, replied, _others(replied, now))
            kept.append(moved)
        except PlayerError:
            lost.append(each)
    return Reply(text, tuple(kept), tuple(lost))


def _others(replied: Position[Any], now: Position[Any]) -> Collection[Seat]:
    return () if now.to_act is None else (now.to_act,)


def _translated(
    text: str, game: Game[Any, Any], known: Position[Any], now: Position[Any]
) -> tuple[str, Position[Any], Position[Any]]:
    """A move in words of the present position, and the positions after it in words of both."""
    played = game.read_input(known, text)
    if known is now:
        return text, played.position, played.position
    after = game.play_input(now, played.steps)
    return game.input_text(after, played.steps).move, played.position, after


def _moved(branch: Branch, game: Game[Any, Any], known: Position[Any], now: Position[Any]) -> Branch:
    """A branch in words of the present position: tiles that were laid in another order name spaces otherwise.

    Raises:
        PlayerError: it cannot be said in them for certain.
    """
    if known is now:
        return branch
    if is_open(branch) or ANY in branch.condition:
        if _names_places_alike(game, known, now):
            return branch
        raise UnreadableMove(why=branch.text)
    said = []
    for each in game.split_turns(branch.condition):
        text, known, now = _translated(each.strip(), game, known, now)
        said.append(text)
    reply, known, now = _translated(branch.reply, game, known, now)
    behind = tuple(_moved(each, game, known, now) for each in branch.branches)
    return replace(branch, condition=BETWEEN_TURNS.join(said), reply=reply, branches=behind)


def _names_places_alike(game: Game[Any, Any], one: Position[Any], other: Position[Any]) -> bool:
    return all(game.step_text(one, step) == game.step_text(other, step) for step in other.legal())
