"""A move among other words: ``Hi Erin, I play b2 & c3``.

Only letters that cannot be read strictly come here. The reader knows no game: it finds placements, the ways to ask a
game if they are a move, and tells if everything beside them is small talk. Nothing is guessed: an unknown word above
the move or on its line, or a doubtful one anywhere, leaves a move that is only offered.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbem.commands import small_talk
from pbem.commands.doubts import CELL_SIGN, clauses, folded, takes_back
from pbem.commands.playing import ANSWERS_ALONE
from pbem.commands.steps import are_steps

_MOST_CHARACTERS = 4000
_MOST_RUNS = 6
_LONGEST_PHRASE = 6
_TOKEN = re.compile(
    r"(?P<smile>[:;=]['o^]?-?(?:[)(\]\[|/*]+|[dpo](?![^\W_]))|<3|\^\^|\\o/)"
    r"|#(?P<moveno>[0-9]{1,6})(?![^\W_])"
    r"|(?P<cells>(?:[a-z]{1,2}[0-9]{1,2})+|[a-z]-[0-9]{1,2}(?![-.]?[0-9]))(?![^\W_])"
    r"|(?P<number>[0-9]{1,9})(?![^\W_])"
    r"|(?P<word>[^\W\d_]+(?:['-][^\W\d_]+)*(?:\.(?=[^\W\d_]\b))?)(?![^\W_])"
    r"|(?P<odd>[^\W_]+)"
    r"|(?P<joint>[-\u2010-\u2015\u2212>\u2192\u21d2\u27a1\ufe0f]+|=+>)"
    r"|(?P<line>\n)|(?P<blank>\s)|(?P<end>[.!:;]+|\u2026)|(?P<asks>\?)"
    r"|(?P<mark>[,+&/()\[\]\"'`*_|~\u2018-\u201f\u00ab\u00bb\u2022\u00b7]|.)",
    re.IGNORECASE,
)
_CELL = re.compile(r"[a-z]{1,2}[0-9]{1,2}")
_MARKS = frozenset(",+&/()[]\"'`*_|\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2022\u00b7")
_HYPHENS = frozenset("-\u2010\u2011\u2012\u2013\u2014\u2015\u2212")
_STEP_WORDS = frozenset(("lay", "move", "turn", "cut"))
_SELF = ("i", "ich", "je")
_SALUTATION = re.compile(r"\W*(?P<greeting>.+?)\s+(?P<names>[^\W\d_][\w.'-]*(?:\s+[^\W\d_][\w.'-]*)?)\s*[,!.:-]*\s*")
_LONGEST_SALUTATION = 100
_KNOWN = (
    small_talk.GREETINGS
    | small_talk.THANKS
    | small_talk.OPENERS
    | small_talk.FILLERS
    | small_talk.WISHES
    | small_talk.ASKED_KINDLY
    | small_talk.BEHIND_ALONE
    | small_talk.PRAISE
    | small_talk.APOLOGIES
)


_KIND_PHRASES = (
    small_talk.GIVING_UP
    | small_talk.GREETINGS
    | small_talk.THANKS
    | small_talk.FILLERS
    | small_talk.WISHES
    | small_talk.ASKED_KINDLY
    | small_talk.BEHIND_ALONE
    | small_talk.PRAISE
    | small_talk.ASSURANCES
    | {("sent", "from", "my", "phone")}
) - {(word,) for word in ("haha", "hahaha", "hehe", "lol", "ha", "move")}


@dataclass(frozen=True, slots=True)
class FoundMove:
    """Placements of a letter that may be one move."""

    as_steps: tuple[str, ...]
    """The readings for a game whose moves lead from one cell to another; the first that it can read is meant."""
    cells: tuple[str, ...]
    """The reading for any other game: one after the other; empty if they are used as something else."""
    moveno: int | None
    is_certain: bool
    """True if everything else in the letter is small talk, or a comment below without a doubt in it."""
    comment: tuple[str, ...]
    """The lines below."""
    otherwise: tuple[str, ...] = ()
    """Other readings of steps that are not legal as written: only to be offered."""
    parts: tuple[FoundMove, ...] = ()
    """The moves on each line, if there are several lines: meant only if no game could read the whole."""
    is_denied: bool = False
    """True if the sentence around it says that it is not to be played."""
    is_typed: bool = False
    """True if it is written as only a move is: ``Q5,R7`` or ``f3-f5``, rather than ``a 5`` or ``room C4``."""


class _Token(NamedTuple):
    kind: str
    text: str
    line: int
    """From 0; that of the Subject is -1."""
    start: int
    end: int
    """Its place in the text, up to before the end."""


class _Run(NamedTuple):
    """Tokens from ``start`` to before ``end``: placements, and the words and signs that join them."""

    start: int
    end: int


def moves_in(
    heading: str, lines: Sequence[str], names: Collection[str], numbers: Collection[int]
) -> tuple[FoundMove, ...]:
    """Find possible moves in a letter that answers a board.

    Args:
        heading: the Subject, if the letter's writer has chosen it.
        lines: the sender's own lines.
        names: of the players at the board.
        numbers: that mean nothing here but the board, or the move that is to be made next.
    """
    text = "\n".join(lines)
    if len(text) + len(heading) > _MOST_CHARACTERS:
        return ()
    tokens = [*_tokens(heading, -1), _Token("line", "\n", -1, 0, 0), *_tokens(text, 0)]
    every = _runs(tokens)
    runs = [run for run in every if len(every) == 1 or not _is_dropped(tokens, run)]
    if not runs or len(runs) > _MOST_RUNS or any(token.text == "#" for token in tokens):
        return ()
    letter = _Letter(tokens, runs, {name.casefold() for name in names}, numbers, _salutations(lines))
    return tuple(found for run in runs if (found := letter.found(run, lines, is_alone=len(every) == 1)) is not None)


def names_cells(text: str) -> bool:
    """Return True if a text contains anything that may be meant for a placement, right or wrong."""
    kinds = (token.kind for token in _tokens(text[:_MOST_CHARACTERS], 0))
    return any(kind in ("cells", "odd", "moveno") for kind in kinds)


def is_small_talk(text: str, names: Collection[str] = ()) -> bool:
    """Return True if a text without a move says nothing that anybody has to know."""
    tokens = _tokens(text, 0)
    letter = _Letter(tokens, (), {name.casefold() for name in names}, (), _salutations(text.split("\n")))
    return letter.is_small_talk(_Run(len(tokens), len(tokens)))


def is_goodbye(text: str, names: Collection[str] = (), word: str = "") -> bool:
    """Return True if a text below a word that cannot be taken back has only kind words, names and closings.

    Args:
        text: the words below.
        names: of the players at the board.
        word: ``undo`` and ``propose`` may have a reason, too.
    """
    also = small_talk.SAID_WITH.get(word, frozenset())
    said = [line.strip() for line in text.split("\n") if line.strip()]
    is_signed = len(said) > 1 and _SIGNATURE.fullmatch(said[-1]) is not None
    if is_signed and not {word.lower() for word in said[-1].split()} & (small_talk.DOUBTS | small_talk.DENIED):
        said.pop()
    names = {name.casefold() for name in names}
    sentences = [each for line in said for each in _SENTENCE.findall(line)]
    others = "\n".join(each for each in sentences if not _says_only(each, (), small_talk.ASSURANCES))
    return (bool(also) or not takes_back(others)) and all(_is_kind(each, names, also) for each in sentences)


_SIGNATURE = re.compile(r"[-\u2013\u2014~ ]*[A-ZÀ-ÖØ-Þ][\w.'-]{0,20}(?:\s+[A-ZÀ-ÖØ-Þ][\w.'-]{0,20}){0,2}")
_SENTENCE = re.compile(r"[^.!?]*(?:[.!]+|\?+|$)(?!\w)")


def _is_kind(sentence: str, names: Collection[str], also: frozenset[str]) -> bool:
    """Return True if a sentence is small talk as a whole, or thanks, praises or excuses, or has words of ``also``."""
    if _says_only(sentence, names, _KIND_PHRASES | {(name,) for name in names}):
        return True
    tokens = _tokens(f"\n{sentence}", 0)
    words = {token.text for token in tokens if token.kind == "word"} - set(names)
    is_plain = all(token.kind not in ("odd", "number", "cells", "moveno") for token in tokens)
    is_asked = any(token.kind == "asks" for token in tokens)
    needed = also if is_asked else small_talk.KIND | also
    return is_plain and bool(words & needed) and words <= small_talk.KIND | small_talk.AROUND_KIND | also


def _says_only(sentence: str, names: Collection[str], known: Collection[tuple[str, ...]]) -> bool:
    """Return True if a sentence below a word has nothing but known phrases, and perhaps names."""
    tokens = _tokens(f"\n{sentence}", 0)
    return _Letter(tokens, (), names, (), _salutations(("", sentence)), known).is_small_talk(_Run(0, 0))


def _tokens(text: str, line: int) -> list[_Token]:
    """The pieces of a text; a letter and a number behind it, apart, are those of a placement: ``B 2``."""
    found: list[_Token] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "mark"
        said = match[kind].lower()
        if kind == "cells":
            said = said.replace("-", "")
        if kind == "number" and len(said) <= 2 and len(found) > 1 and found[-1].kind == "blank":
            before = found[-2]
            if before.kind == "word" and len(before.text) == 1 and before.text.isascii():
                found[-2:] = [_Token("cells", before.text + said, line, before.start, match.end())]
                continue
        found.append(_Token(kind, said, line, match.start(), match.end()))
        line += kind == "line"
    return found


def _runs(tokens: Sequence[_Token]) -> list[_Run]:
    """The longest stretches of placements with nothing between them but words and signs that may join them."""
    runs: list[_Run] = []
    for place, token in enumerate(tokens):
        if token.kind != "cells":
            continue
        is_same_text = bool(runs) and (tokens[runs[-1].start].line < 0) == (token.line < 0)
        if is_same_text and all(map(_joins, tokens[runs[-1].end : place])):
            runs[-1] = _Run(runs[-1].start, place + 1)
        else:
            runs.append(_Run(place, place + 1))
    return runs


def _joins(token: _Token) -> bool:
    match token.kind:
        case "blank" | "line" | "end" | "joint":
            return True
        case "mark":
            return token.text in _MARKS
        case "word":
            known = small_talk.JOINING | small_talk.TO | small_talk.GOING | small_talk.COUNTING | _STEP_WORDS
            return token.text in known or token.text in small_talk.STEPS or token.text in ("to", "from", "pass", *_SELF)
    return False


def _is_dropped(tokens: Sequence[_Token], run: _Run) -> bool:
    """Return True if a word right in front of a run says that another is meant: ``not C4``, ``instead of C4``."""
    before = next((token for token in tokens[: run.start][::-1] if token.kind not in ("blank", "mark")), None)
    return before is not None and before.kind == "word" and before.text in small_talk.DROPPING


def _by_line(tokens: Sequence[_Token], run: _Run) -> Iterator[_Run]:
    """The parts of a run on each line, if there are several."""
    places = [place for place in range(run.start, run.end) if tokens[place].kind == "cells"]
    lines = sorted({tokens[place].line for place in places})
    if len(lines) > 1:
        for line in lines:
            here = [place for place in places if tokens[place].line == line]
            yield _Run(here[0], here[-1] + 1)


def _salutations(lines: Sequence[str]) -> frozenset[int]:
    """The lines that are only a greeting and one or two capitalised names: ``Hi Dave,``."""
    found = set()
    for number, line in enumerate(lines):
        match = _SALUTATION.fullmatch(line) if len(line) <= _LONGEST_SALUTATION else None
        if match is None or tuple(match["greeting"].lower().split()) not in small_talk.GREETINGS | small_talk.THANKS:
            continue
        names = match["names"].split()
        if all(name[0].isupper() and name.lower() not in small_talk.DOUBTS for name in names):
            found.add(number)
    return frozenset(found)


@dataclass(frozen=True)
class _Letter:
    tokens: Sequence[_Token]
    runs: Sequence[_Run]
    names: Collection[str]
    numbers: Collection[int]
    salutations: Collection[int]
    known: Collection[tuple[str, ...]] = _KNOWN

    def found(self, run: _Run, lines: Sequence[str], *, is_alone: bool) -> FoundMove | None:
        """The move that a run may be; None if it must never be read leniently."""
        last = self.tokens[run.end - 1].line
        beside = [token for token in self.tokens if token.line <= last and not (token.line < 0 <= last)]
        inside = {token.text for token in self.tokens[run.start : run.end]}
        if any(self._asks_for_another(token, run) for token in beside if token.text not in inside):
            return None
        movenos = {int(token.text) for token in self.tokens if token.kind == "moveno"} - set(self.numbers)
        below = "\n".join(lines[last + 1 :])
        certain = is_alone and len(movenos) <= 1 and self.is_small_talk(run) and not takes_back(below)
        text, lead = self._text(run), self._lead(run)
        parts = (self.found(part, lines, is_alone=False) for part in _by_line(self.tokens, run))
        return FoundMove(
            self._steps(text, lead, run),
            self._cells(run, lead),
            next(iter(movenos), None),
            certain,
            (*self._beside(run, lines), *lines[last + 1 :]),
            self._otherwise(text, run) if not lead else (),
            tuple(each for each in parts if each is not None),
            self._is_denied(run, lines),
            self._is_typed(run),
        )

    def _asks_for_another(self, token: _Token, run: _Run) -> bool:
        """Return True for a word that must be alone, and is no part of an apology or of the words behind a move."""
        if token.kind != "word" or token.text not in ANSWERS_ALONE:
            return False
        place = self.tokens.index(token)
        between = self.tokens[run.end : place]
        is_behind = token.text in ("swap", "pass") and any(each.kind in ("end", "line", "joint") for each in between)
        return not is_behind and not any(words in small_talk.APOLOGIES for _, words in self._stretches(place))

    def _is_typed(self, run: _Run) -> bool:
        tokens = self.tokens[run.start : run.end]
        cells = [token for token in tokens if token.kind == "cells"]
        return len(self._all_cells(run)) > 1 and all(token.end - token.start == len(token.text) for token in cells)

    def _beside(self, run: _Run, lines: Sequence[str]) -> Iterator[str]:
        """The texts above a run and on its lines that say more than a greeting, or that this is one's move."""
        first, last = self.tokens[run.start], self.tokens[run.end - 1]
        if last.line < 0:
            return
        begins = [sum(len(line) + 1 for line in lines[:number]) for number in (first.line, last.line)]
        before = lines[first.line][: first.start - begins[0]]
        behind = re.sub(r"^[\s.,;!)\]\"'*_`\u2018-\u201f\u00bb]+", "", lines[last.line][last.end - begins[1] :])
        beside = (each for text in (before, behind) for each in re.split(r"(?<=[.!?:])\s+", text))
        for text in (*lines[: first.line], *beside):
            if self._is_for_others(text):
                yield text.strip(" ,;:-\u2013\u2014")

    def _is_for_others(self, text: str) -> bool:
        """Return True if a wish or a kind word is among the small talk of a line."""
        letter = _Letter(_tokens(text, 0), (), self.names, (), ())
        told = small_talk.WISHES | small_talk.PRAISE | small_talk.ASKED_KINDLY
        told |= small_talk.CHEERS if text.rstrip().endswith("!") else frozenset()
        return any(words in told for start in range(len(letter.tokens)) for _, words in letter._stretches(start))

    def _is_denied(self, run: _Run, lines: Sequence[str]) -> bool:
        first, last = self.tokens[run.start], self.tokens[run.end - 1]
        if first.line < 0 or last.line < 0:
            return False
        text = "\n".join(lines)
        said = folded(f"{text[: first.start]} {CELL_SIGN} {text[last.end :]}")
        return any(CELL_SIGN in each and small_talk.DENYING.fullmatch(each) for each in clauses(said))

    def _text(self, run: _Run) -> str:
        """A run as a game would read it."""
        return " ".join("".join(map(self._said, self.tokens[run.start : run.end])).split())

    def _lead(self, run: _Run) -> Sequence[int]:
        """The places of the words of a step right in front of a run: ``move from``."""
        places: list[int] = []
        for place in range(run.start - 1, -1, -1):
            token = self.tokens[place]
            is_step = token.text in _STEP_WORDS or token.text in small_talk.STEPS
            if token.kind == "word" and (is_step or (token.text in small_talk.FROM and not places)):
                places.insert(0, place)
                if token.text not in small_talk.FROM:
                    break
            elif token.kind not in ("blank", "mark", "joint", "line") and token.text != ":":
                break
        return places

    @staticmethod
    def _said(token: _Token) -> str:
        match token.kind:
            case "word" if token.text in small_talk.TO:
                return "to"
            case "word" if token.text in small_talk.GOING or token.text in _SELF:
                return " "
            case "word":
                return small_talk.STEPS.get(token.text, token.text)
            case "cells" | "joint":
                return token.text
            case "mark" if token.text != ",":
                return " "
            case "mark" | "end":
                return ", "
        return " "

    def _steps(self, text: str, lead: Sequence[int], run: _Run) -> tuple[str, ...]:
        """The readings of a run as steps from cell to cell."""
        cells = self._all_cells(run)
        between = self.tokens[run.start + 1 : run.end - 1]
        bare = len(cells) == 2 and bool(between) and all(each.kind == "blank" or each.text == "," for each in between)
        text = re.sub(rf"(?:\s(?:{'|'.join(small_talk.JOINING)})(?=\s))+", "", text)
        text = re.sub(rf"({_CELL.pattern}) to (?={_CELL.pattern})", r"\1-", text)
        said = (self._said(self.tokens[place]) for place in lead)
        words = " ".join(each for each in said if each in _STEP_WORDS)
        led = f"{words} {text}" if words else ""
        tried = (text, led, f"move {cells[0]} {cells[1]}" if bare else "")
        if are_steps(led) and words != "move":
            tried = (led, "", "")  # without its word it might be another step
        return tuple(dict.fromkeys(each for each in tried if are_steps(each)))

    def _otherwise(self, text: str, run: _Run) -> tuple[str, ...]:
        """The move that two cells with an arrow between may be, if it lays nothing."""
        cells = self._all_cells(run)
        return (f"move {cells[0]}-{cells[1]}",) if len(cells) == 2 and are_steps(text) and ">" in text else ()

    def _all_cells(self, run: _Run) -> tuple[str, ...]:
        tokens = self.tokens[run.start : run.end]
        return tuple(cell for token in tokens if token.kind == "cells" for cell in _CELL.findall(token.text))

    def _cells(self, run: _Run, lead: Sequence[int]) -> tuple[str, ...]:
        """The placements of a run, if the words between them only say that they belong together."""
        between = self.tokens[run.start : run.end]
        words = {token.text for token in between if token.kind == "word"}
        words |= {self.tokens[place].text for place in lead} & {"cut", *small_talk.FROM}
        joints = {letter for token in between if token.kind == "joint" for letter in token.text}
        if not words <= small_talk.JOINING | small_talk.COUNTING or not joints <= _HYPHENS:
            return ()
        return tuple(cell.upper() for cell in self._all_cells(run))

    def is_small_talk(self, run: _Run) -> bool:
        """Return True if nothing beside a run raises a doubt about it."""
        last = self.tokens[run.end - 1].line if self.tokens else 0
        place, tokens = 0, self.tokens
        while place < len(tokens):
            token = tokens[place]
            if run.start <= place < run.end:
                place = run.end
                continue
            is_below = token.line > last or token.line < 0 <= last
            taken = self._phrase(place, run)
            if taken:
                place = taken
            elif self._is_doubtful(token) if is_below else not self._says_nothing(place, run):
                return False
            else:
                place += 1
        return True

    def _phrase(self, start: int, run: _Run) -> int:
        """The end of the phrase of small talk that begins here, with the name behind a greeting; 0: there is none."""
        for end, words in self._stretches(start):
            if words in self.known and self._may_stand(words, start, end, run):
                return self._behind(words, end)
        return 0

    def _stretches(self, start: int) -> list[tuple[int, tuple[str, ...]]]:
        """The words from here on, with blanks between, longest stretch first."""
        found: list[tuple[int, tuple[str, ...]]] = []
        words: list[str] = []
        for place in range(start, min(start + 2 * _LONGEST_PHRASE, len(self.tokens))):
            token = self.tokens[place]
            if token.kind == "word":
                words.append(token.text)
                found.append((place + 1, tuple(words)))
            elif token.kind != "blank" or not words:
                break
        return found[::-1]

    def _may_stand(self, words: tuple[str, ...], start: int, end: int, run: _Run) -> bool:
        if words in small_talk.BEHIND_ALONE:
            return start >= run.end
        if words in small_talk.PRAISE:
            between = self.tokens[end : run.start] if end <= run.start else self.tokens[run.end : start]
            return any(
                token.kind in ("line", "smile") or (token.kind == "end" and token.text != ":") for token in between
            )
        return True

    def _behind(self, words: tuple[str, ...], end: int) -> int:
        """The end of the phrase with the tokens that belong to it."""
        rest = self.tokens[end:]
        if words in small_talk.ASKED_KINDLY:
            asks = next((place for place, token in enumerate(rest[:2], end) if token.kind == "asks"), None)
            return end if asks is None else asks + 1
        if words not in small_talk.GREETINGS | small_talk.THANKS | small_talk.WISHES:
            return end
        for place, token in enumerate(rest, start=end):
            if token.kind in ("word", "odd") and (token.text in self.names or token.line in self.salutations):
                end = place + 1
            elif not (token.kind == "blank" or token.text == "," or token.text in small_talk.JOINING):
                break
        return end

    def _says_nothing(self, place: int, run: _Run) -> bool:
        """Return True if a token above a run, or on its line, is no word, or one that is meant for the server."""
        token = self.tokens[place]
        match token.kind:
            case "mark":
                return token.text in _MARKS or token.text in small_talk.CHEERFUL
            case "number" | "moveno":
                return token.kind == "moveno" or int(token.text) in self.numbers
            case "word":
                return place in self._lead(run) or (place >= run.end and self._addresses(place))
            case "odd" | "asks" | "cells":
                return False
        return True

    def _addresses(self, place: int) -> bool:
        """Return True if a word is the name of a player to whom the words before it are said, as behind a comma."""
        around = [token for token in self.tokens[place - 2 : place] if token.kind != "blank"]
        after = next((token for token in self.tokens[place + 1 :] if token.kind != "blank"), None)
        is_alone = after is None or after.kind in ("line", "end", "smile") or after.text == ","
        return self.tokens[place].text in self.names and bool(around) and around[-1].text == "," and is_alone

    def _is_doubtful(self, token: _Token) -> bool:
        if token.kind == "word":
            parts = {token.text, *token.text.split("-")}
            return (
                not parts.isdisjoint(small_talk.DOUBTS)
                or token.text.endswith(small_talk.DOUBTFUL_ENDS)
                or token.text.startswith(small_talk.DOUBTFUL_BEGINNINGS)
            )
        return token.kind in ("asks", "cells", "moveno")
