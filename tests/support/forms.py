"""Forms of commands, as docs/commands.md has them: what fits to one, and what somebody may type for it.

In a form ``<userid>`` stands for a word of the sender's own, a part in ``[]`` may be left out, ``...`` repeats what is
before it, and ``|`` stands between choices. What else the page says at its top is in `variants`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import TypeAlias

from pbem.commands.line import DASHES
from pbem.commands.userids import COMMAND_WORDS
from pbem.commands.verb import Scope
from pbem.commands.verbs import VERBS, verb_of

_GAME = "(?:lambo|mamba|mambo|palago|superbo)"
_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_CELLS = "[a-z]{1,2}[0-9]{1,2}(?:[-\u2013>\u2192]+[a-z]{1,2}[0-9]{1,2})*"
_NO_USERID = rf"(?:[0-9]+|{_GAME}|{_DATE}|{_CELLS}|{'|'.join(COMMAND_WORDS)}|n|ne|se|s|sw|nw)[.!]?(?![^ ])"
_USERID = rf"(?!{_NO_USERID}|-)[^ =#,;+>@/:\u2192]+"
_CLASSIC = r"(?:[a-z]|o-o(?:-o)?|[kqrbn]?[a-i1-9]*x?[a-i]?[1-9][a-i]?(?:=?[qrbnk]|[s-z])?)[+#]?"
"""Moves of classic games that have the shape of a userid: they are moves when nothing is beside them."""
_OPTION = "[a-z_]+(?:=[a-z0-9]+)?"
_KINDS = {
    **dict.fromkeys(("userid", "userid1", "userid2", "userid3", "userid4", "other", "to"), _USERID),
    **dict.fromkeys(("password", "old", "new", "subject", "name", "key", "value", "turn", "variant"), "[^ ]+"),
    **dict.fromkeys(("moveno", "n", "players"), "[0-9]{1,6}"),
    "board": "[1-9][0-9]{0,8}",
    "address": "[^ ]+@[^ ]+",
    "days": "[0-9]+[mhd]?",
    "game": _GAME,
    "move": rf"(?!{_USERID}(?![^ ]))[^ #]+(?: [^ #]+)*|{_CLASSIC}(?= #|$)",
    "title": "[^ ]+(?: [^ ]+)*",
    "link": r"(?:https?://[^ ]+/studies/)?[0-9a-f]{32}",
    "words": r"(?!delete$)[^ ]+ [^ ]+ .+",
    "plan": r"if .+ then .+|else .+",
    "option": _OPTION,
    "YYYY-MM-DD": _DATE,
}
"""Patterns for the words that are the sender's own."""

_OWN = re.compile("<([^>]+)>")
_ROW = re.compile(r"\| (?:\*\*(?P<verb>[a-z]+)\*\*)? ?\| (?P<forms>`.*`.*?) \| [^|]+ \|")
_CODE = re.compile(r"`([^`]+)`(?P<answer> \(in an answer\))?")


@dataclass(frozen=True)
class Documented:
    """A form that the page has for a verb."""

    verb: str
    form: str
    is_answer: bool = False
    """True if it is for answers to the mail of a board."""


def documented(page: Path) -> list[Documented]:
    """The forms of all verbs on the page; its other tables have no verb in bold."""
    found: list[Documented] = []
    verb = ""
    for line in page.read_text().split("\n## Options\n")[0].split("\n"):
        row = _ROW.fullmatch(line)
        if row:
            verb = row["verb"] or verb
            codes = _CODE.finditer(row["forms"].replace("\\|", "|"))
            found.extend(Documented(verb, code[1], code["answer"] is not None) for code in codes)
    return found


@dataclass(frozen=True)
class _Chunk:
    """A part of a form between two blanks: words to choose from, and optional ones in brackets."""

    pieces: tuple[tuple[str, ...] | _Optional, ...]
    repeated: bool


@dataclass(frozen=True)
class _Optional:
    parts: _Form


_Form: TypeAlias = "tuple[_Chunk, ...]"


def _read(text: str) -> _Form:
    """The chunks of a form."""
    chunks: list[_Chunk] = []
    while text:
        pieces: list[tuple[str, ...] | _Optional] = []
        while text and text[0] != " ":
            end = _closing(text) if text[0] == "[" else len(re.split(r"[ \[]", text)[0])
            pieces.append(_Optional(_read(text[1 : end - 1])) if text[0] == "[" else tuple(text[:end].split("|")))
            text = text[end:]
        chunks.append(_Chunk(tuple(pieces), text.startswith(" ...")))
        text = text.removeprefix(" ...").removeprefix(" ")
    return tuple(chunks)


def _closing(text: str) -> int:
    """The place where the bracket that a text begins with is closed again."""
    depth = 0
    for place, letter in enumerate(text, start=1):
        depth += {"[": 1, "]": -1}.get(letter, 0)
        if not depth:
            return place
    raise ValueError(f"a bracket is left open: {text}")


def _pattern(form: _Form, *, joined: bool = True) -> str:
    """The pattern of a form; ``joined``: no blank comes before it."""
    found = ""
    for place, chunk in enumerate(form):
        blank = "" if joined and not place else " "
        if len(chunk.pieces) == 1 and isinstance(chunk.pieces[0], _Optional):
            body = f"(?:{_pattern(chunk.pieces[0].parts, joined=not blank)})?"
        else:
            body = blank + "".join(map(_pattern_of_piece, chunk.pieces))
        found += f"(?:{body})+" if chunk.repeated else body
    return found


def _pattern_of_piece(piece: tuple[str, ...] | _Optional) -> str:
    if isinstance(piece, _Optional):
        return f"(?:{_pattern(piece.parts)})?"
    return f"(?:{'|'.join(map(_pattern_of_word, piece))})"


def _pattern_of_word(word: str) -> str:
    parts = _OWN.split(word)  # by turns what is typed as it stands, and the kind of an own word
    return "".join(f"(?:{_KINDS[part]})" if place % 2 else re.escape(part) for place, part in enumerate(parts))


@cache
def variants(each: Documented, *, answering: bool = False) -> tuple[str, ...]:
    """A form, and what follows from it by what the page says of all forms.

    ``answering``: of answers to the mail of a board.
    """
    if each.is_answer and not answering:
        return ()
    forms = [each.form, each.form.replace("<move>#", "<move> #")]
    if each.form.endswith("#<moveno>") and "<board>" in each.form:
        forms.append(re.sub(" ?#<moveno>$", "", each.form).replace("<board>", "<board>#<moveno>", 1))
    if answering:
        forms += [re.sub(r" <board>(?= (?!\.\.\.)|$)|(?<= )<board>(?=#)", "", form, count=1) for form in forms]
    begun = [form for form in forms if form.startswith(each.verb)]
    if VERBS[each.verb].scope is not Scope.SERVER:
        forms += [f"<game> {form}" for form in begun]
    if VERBS[each.verb].scope is Scope.GAMES:
        forms += [f"all {form}" for form in begun]
    return tuple(dict.fromkeys(forms))


def fits(each: Documented, line: str, *, answering: bool = False) -> bool:
    """Return True if a line is of this form."""
    words = line.split()
    for place, word in enumerate(words[:2]):
        if verb_of(word) == each.verb:
            words[place] = each.verb
            break
    return any(_fits(form, words) or _fits_without_options(form, words) for form in variants(each, answering=answering))


def _fits(form: str, words: list[str]) -> bool:
    return _compiled(form).fullmatch(" ".join(words)) is not None


@cache
def _compiled(form: str) -> re.Pattern[str]:
    return re.compile(_pattern(_read(form)), re.IGNORECASE)


def _fits_without_options(form: str, words: list[str]) -> bool:
    """Return True if a line fits whose options may come anywhere, with one dash or two."""
    options = [word for word in words if word[0] in DASHES]
    are_read = all(re.fullmatch(f"[{DASHES}]{{1,2}}{_OPTION}", word, re.IGNORECASE) for word in options)
    rest = form.replace(" [-<option> ...]", "") if not options else re.sub(r" \[?-<option> \.\.\.]?", "", form)
    return are_read and rest != form and _fits(rest, [word for word in words if word[0] not in DASHES])


def lines(form: str, own: Mapping[str, str]) -> Iterator[str]:
    """Everything that somebody may type for a form, with words of their own; what is repeated comes once or twice."""
    for parts in _filled(_read(form), joined=True):
        yield _OWN.sub(lambda match: own[match[1]], parts)


def _filled(form: _Form, *, joined: bool) -> Iterator[str]:
    made: list[list[str]] = []
    for place, chunk in enumerate(form):
        blank = "" if joined and not place else " "
        if len(chunk.pieces) == 1 and isinstance(chunk.pieces[0], _Optional):
            bodies = ["", *_filled(chunk.pieces[0].parts, joined=not blank)]
        else:
            bodies = [blank + "".join(pieces) for pieces in product(*map(_filled_piece, chunk.pieces))]
        made.append([*bodies, *(body * 2 for body in bodies)] if chunk.repeated else bodies)
    yield from map("".join, product(*made))


def _filled_piece(piece: tuple[str, ...] | _Optional) -> list[str]:
    return ["", *_filled(piece.parts, joined=True)] if isinstance(piece, _Optional) else list(piece)
