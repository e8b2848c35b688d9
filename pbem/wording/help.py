"""Help pages: what there is, which page a word means, and the page as text and for the web."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import pairwise, takewhile
from typing import Any

from jinja2 import Environment, Template
from markupsafe import Markup, escape

from pbem.commands.verbs import translation_of, verb_of
from pbem.domain.preferences import ENGLISH
from pbem.wording.blocks import Block, Heading, Meanings, Verbatim, entries_in, read_blocks, sentence, to_html
from pbem.wording.drawings import Drawing, Drawings
from pbem.wording.layout import tidy

WEB = "/help/"
"""The beginning of the address of every page on the web."""

_LINK = re.compile(r"\bhelp((?: [a-z]+)+)")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a page, for the web."""

    html: Markup
    drawings: tuple[Drawing, ...]
    """The board in letters that it shows, if any."""
    entries: tuple[tuple[Markup, Markup], ...] = ()
    """The things to type that it lists, if any, each with its effect."""
    heading: str = ""
    """The words of an inner heading, if it is one."""

    @property
    def anchor(self) -> str:
        """The name of a heading within its page, in addresses."""
        return "-".join(re.findall(r"\w+", self.heading.lower()))


@dataclass(frozen=True, slots=True)
class HelpPage:
    """One page."""

    subject: str
    """Its words in lower case: ``mambo tactics``; of a translation the language, too: ``mamba fr``."""
    text: str
    """As it is mailed, with one line end at the end."""
    html: str
    """The same for the web, a fragment of a page; other pages of the help are linked."""
    language: str
    """The language of the page."""
    pieces: tuple[Piece, ...] = ()
    """The same for the web, piece by piece."""

    @property
    def title(self) -> str:
        """Its title; empty if it has none."""
        first = read_blocks(self.text)[0]
        return first.text.capitalize() if isinstance(first, Heading) else ""

    @property
    def body(self) -> Sequence[Piece]:
        """The text without its title, for the web."""
        return [piece for piece in self.pieces if not piece.html.startswith("<h1>")]

    @property
    def opening(self) -> Sequence[Piece]:
        """The text between its title and its first inner heading, for the web."""
        return list(takewhile(lambda piece: not piece.heading, self.body))

    @property
    def headings(self) -> Sequence[Piece]:
        """The inner headings, for the contents."""
        return [piece for piece in self.pieces if piece.heading]


class PageMaker:
    """Makes pages of the help.

    Args:
        subjects: what there are pages about, to be linked.
        drawings: what the boards of the pages show.
        title_of: the title of the page about a subject, for links on the web.
    """

    def __init__(self, subjects: Collection[str], drawings: Drawings, title_of: Callable[[str], str]) -> None:
        self._subjects = subjects
        self._drawings = drawings
        self._title_of = title_of

    def make(self, subject: str, language: str, template: Template) -> HelpPage:
        """The page about a subject."""
        text = tidy(template.render())
        pieces = tuple(piece for block in read_blocks(text) for piece in self._pieces_of(block))
        return HelpPage(subject, text, "\n".join(str(each.html) for each in pieces), language, pieces)

    def _pieces_of(self, block: Block) -> Iterator[Piece]:
        parts = self._drawings.split(block.text) if isinstance(block, Verbatim) else [("", ())]
        for text, drawn in parts:
            part = Verbatim(text) if isinstance(block, Verbatim) else block
            entries = entries_in(part) if isinstance(part, Verbatim) else ()
            said = tuple((self._linked(term), self._linked(meaning)) for term, meaning in entries)
            heading = sentence(part.text) if isinstance(part, Heading) and part.level > 1 else ""
            yield Piece(to_html([part], self._linked, self._named), tuple(drawn), said, heading)

    def _named(self, text: str) -> Markup:
        """The name of a subject with a link to its page; anything else as it is."""
        return _link(text, self._title_of(text)) if text in self._subjects else escape(text)

    def _linked(self, text: str) -> Markup:
        """The words of a page as HTML, with a link wherever they say ``help`` and a subject."""
        made, done = Markup(""), 0
        for match in _LINK.finditer(text):
            words = match[1].split()
            subject = next((" ".join(words[:n]) for n in range(len(words), 0, -1) if self._is_linked(words[:n])), None)
            if subject is not None:
                end = match.start() + len(f"help {subject}")
                link = _link(subject, self._title_of(subject))
                made, done = made + escape(text[done : match.start()]) + link, end
        return made + escape(text[done:])

    def _is_linked(self, words: Sequence[str]) -> bool:
        return " ".join(words) in self._subjects


def _link(subject: str, text: str) -> Markup:
    return Markup('<a href="{}">{}</a>').format(WEB + subject.replace(" ", "/"), text)


FOLDER, SUFFIX = "help/", ".txt"
INDEX = "index"
"""The page for who asks for none."""

_FEW = 3
_LIKENESS = 0.5
"""The similarity of a word and a page of the game from which one counts as a slip for the other, from 0 to 1."""
_LIKENESS_ANYWHERE = 0.6
"""The same for any subject at all."""
_CLOSE = 0.75
"""The least similarity at which one of several words is taken for a slip."""
_LONGEST = 40
"""The most letters of a word that are compared."""
_FAR_BEHIND = 0.2
"""The most by which a subject may be less similar than the best one."""

_ABOUT = {
    "account": ("signup", "change", "signoff"),
    "address": ("add", "change"),
    "addresses": ("add", "change"),
    "all": ("commands", "subjects"),
    "clock": ("clocks",),
    "draw": ("propose",),
    "password": ("change", "forgot"),
    "passwords": ("change", "forgot"),
    "time": ("clocks",),
    "watch": ("subscribe",),
}
"""Words that people ask for that are no page's name, and the subjects that deal with them."""
_TOLD_IN = {
    **dict.fromkeys(
        ("digest", "preferences", "settings", "timezone", "language", "layout", "legend", "describe"), "set"
    ),
    **dict.fromkeys(
        ("nag", "nags", "forfeit", "nagtime", "forfeittime", "totaltime", "reminder", "deadline"), "clocks"
    ),
    **dict.fromkeys(("pace", "opponent", "opponents"), "seek"),
    **dict.fromkeys(("options", "option", "random", "pair", "unrated", "variants"), "challenge"),
    **dict.fromkeys(("rating", "ratings", "rank", "ranking", "elo"), "standings"),
    **dict.fromkeys(("eye", "eyes", "kill"), "superbo"),
    **dict.fromkeys(("loop", "loops", "territory", "auto"), "mambo options"),
    **dict.fromkeys(("tile", "state", "states", "space", "spaces"), "tiles"),
    **dict.fromkeys(("robots", "computer", "bot", "bots"), "robot"),
    **dict.fromkeys(("holiday", "holidays"), "vacation"),
    "quiet": "unsubscribe",
    "puzzles": "puzzle",
    **dict.fromkeys(("tournaments", "swiss", "roundrobin"), "tournament"),
    **dict.fromkeys(("syntax", "moves"), "notation"),
}
"""Words that people ask for that are no page's name, and the one page that deals with them."""
_RULES = ("rule", "rules", "game")
"""Words for what the page of each game tells."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """The result of looking up a word in the help."""

    subject: str
    """As it was typed."""
    page: HelpPage | None
    near: tuple[str, ...] = field(default=())
    """The subjects that come closest if there is no page."""
    is_told_there: bool = False
    """Those have other names and tell about it; if False, it may be a slip for one of them."""
    is_missing: bool = False
    """No page has just this name; ``page`` may be the one that was meant."""
    lacks: str = ""
    """The language that was asked for and that there is no translation to; ``page`` is then in English."""
    is_in_front: bool = False
    """It is a game in front of a verb, as in commands; it is enough to name the verb's page."""
    is_absent: bool = False
    """It is a game that could be played here and is not installed."""


class Help:
    """The pages in all languages.

    Args:
        environments: for each language what loads its templates, and the English ones in place of those it lacks.
        drawings: what the boards of the pages show.
        absent: the games whose pages are left out, since they cannot be played here, and other words for them.
    """

    def __init__(
        self,
        environments: Mapping[str, Environment],
        drawings: Drawings | None = None,
        absent: Collection[str] = (),
    ) -> None:
        self._environments = environments
        self._absent = absent
        self._drawings = drawings or Drawings()
        self._pages: dict[str, HelpPage] = {}

    @cached_property
    def subjects(self) -> tuple[str, ...]:
        """The subjects of all pages, in alphabetical order."""
        return tuple(sorted(subject for language in self._environments for subject in self._subjects_in(language)))

    def _subjects_in(self, language: str) -> Iterator[str]:
        folder = FOLDER if language == ENGLISH else f"{language}/{FOLDER}"
        for name in self._environments[language].list_templates():
            subject = name.removeprefix(folder).removesuffix(SUFFIX).replace("/", " ")
            if name.startswith(folder) and subject not in self._absent:
                yield _in_language(subject, language)

    def page(self, subject: str, language: str = ENGLISH) -> HelpPage | None:
        """The page about a subject, which is typed in either case; None if there is none.

        A language that is the last word of the subject is meant; if there is none, ``language`` is what the reader
        wants, where there is a translation. A verb is found under all its names, also those of other languages.
        """
        words = subject.lower().split()
        said = words.pop() if len(words) > 1 and self._is_language(words[-1]) else None
        wanted = (said,) if said else (language, ENGLISH)
        spelled = [" ".join(words), *filter(None, map(_verb_meant, words if len(words) == 1 else ()))]
        spelled += filter(None, [_TOLD_IN.get(spelled[0])])
        names = (_in_language(each, tongue) for each in spelled for tongue in wanted)
        name = next((each for each in names if each in self.subjects), None)
        if name is not None and name not in self._pages:
            self._pages[name] = self._make(name)
        return None if name is None else self._pages[name]

    def find(self, words: Sequence[str], language: str = ENGLISH) -> tuple[Lookup, ...]:
        """The pages that some words ask for, each once; the index if there are no words.

        As many words as possible are taken together: ``mambo tactics lambo`` are two subjects. A language holds for
        the subject before it, or within which it stands; in front of all it says what the reader wants. A game in front
        of a verb comes last.
        """
        words = [getattr(each, "typed", each) for each in words]
        if words and self._is_language(words[0]):
            language, words = words[0].lower(), words[1:]
        found: dict[str, Lookup] = {}
        for asked in self._split(self._languages_last(words) or (INDEX,), language):
            found.setdefault(asked.page.subject if asked.page else asked.subject.lower(), asked)
        every = [*found.values()]
        behind = [each for each, other in pairwise(every) if self._is_game(each.page) and _is_verb(other.page)]
        return (
            *(each for each in every if each not in behind),
            *(replace(each, is_in_front=True) for each in behind),
        )

    @staticmethod
    def suggestions(missing: Sequence[Lookup]) -> tuple[str, ...]:
        """The subjects that words without a page may be slips for: all those of one word, of several the best few.

        Of several each has its best one, if that is close, and the closest are first: most words of spam are slips
        for nothing.
        """
        unknown = [each for each in missing if each.near and not each.is_told_there]
        if len(unknown) == 1:
            return unknown[0].near if len(missing) == 1 else unknown[0].near[:_FEW]
        best = (max((_likeness(asked.subject.lower(), each), each) for each in asked.near) for asked in unknown)
        close = sorted((each for each in best if each[0] >= _CLOSE), reverse=True)
        return tuple(dict.fromkeys(subject for _, subject in close))[:_FEW]

    def _is_game(self, page: HelpPage | None) -> bool:
        """Return True if a page is the first of a game, in any language."""
        return page is not None and page.subject.removesuffix(f" {page.language}") in self._games

    def _split(self, words: Sequence[str], language: str) -> Iterator[Lookup]:
        before = ""
        while words:
            meant, taken = self._meant_first(words)
            said = [word.lower() for word in words[taken : taken + 1] if self._is_language(word)]
            page = self.page(meant, *(said or [language]))
            is_absent = page is None and words[0].lower() in self._absent
            near = () if page or is_absent else self._closest(words[0], before)
            is_told_there = bool(near) and near == tuple(self._about(words[0].lower()))
            is_missing = page is None or meant != " ".join(words[:taken]).lower()
            lacks = said[0] if said and not is_missing else ""
            asked, words = words[: taken + len(said)], words[taken + len(said) :]
            subject = " ".join(asked[:taken] if lacks else asked)
            yield Lookup(subject, page, near, is_told_there, is_missing, lacks, is_absent=is_absent)
            before = page.subject.split()[0] if page else before

    def _languages_last(self, words: Sequence[str]) -> tuple[str, ...]:
        """The words, each language behind the subject within which it stands: ``mamba options fr``."""
        ordered = list(words)
        for place in range(1, len(ordered) - 1):
            before, word, behind = ordered[place - 1 : place + 2]
            if self._is_language(word) and self._meant_first((before, behind))[1] == 2:
                ordered[place : place + 2] = behind, word
        return tuple(ordered)

    def _meant_first(self, words: Sequence[str]) -> tuple[str, int]:
        """The subject that comes first, without a slip, and how many words it takes."""
        taken = next((n for n in range(len(words), 0, -1) if self.page(" ".join(words[:n]))), 0)
        meant = self._meant(words[:2]) if taken < 2 else None
        return (meant, 2) if meant else (" ".join(words[: taken or 1]).lower(), taken or 1)

    def _meant(self, words: Sequence[str]) -> str | None:
        """The one page of a game whose name comes close to the second word."""
        game, word = words[0].lower(), words[-1].lower()
        if len(words) < 2 or self._is_language(word) or self.page(word):
            return None
        pages = [subject.removeprefix(f"{game} ") for subject in self.english if subject.startswith(f"{game} ")]
        begun = [each for each in pages if each.startswith(word)]
        near = begun or difflib.get_close_matches(word, pages, _FEW, _LIKENESS)
        return f"{game} {near[0]}" if len(near) == 1 else None

    def _closest(self, word: str, before: str) -> tuple[str, ...]:
        """The subjects that a word may have been meant for; ``before``: the game that was asked for before it."""
        word = word.lower()
        subjects = [subject for subject in self.english if subject != INDEX]
        pages_of_game = {subject.removeprefix(before + " "): subject for subject in subjects if " " in subject}
        alike = [pages_of_game[each] for each in difflib.get_close_matches(word, pages_of_game, _FEW, _LIKENESS)]
        containing = [subject for subject in subjects if word in subject.split()]
        others = _alike(word, [each for each in subjects if " " not in each])
        begun = [subject for subject in subjects if subject.startswith(word[:3])]
        about_game = [subject for subject in self.english if before and subject.split()[:-1] == [before]]
        return tuple((before and alike) or self._about(word) or containing or others or begun or about_game)

    def _about(self, word: str) -> Sequence[str]:
        """The subjects that tell about something which no page is called."""
        return self._games if word in _RULES else _ABOUT.get(word, ())

    @property
    def _games(self) -> list[str]:
        """The games, each of which has a page about its tactics."""
        return list(dict.fromkeys(subject.split()[0] for subject in self.english if subject.endswith(" tactics")))

    @property
    def english(self) -> list[str]:
        """The subjects of the English pages, each of which may have translations."""
        return [subject for subject in self.subjects if not self._is_language(subject.split()[-1])]

    def is_game(self, subject: str) -> bool:
        """Return True if the page about a subject tells the rules of a game."""
        return subject in self._games

    def _is_language(self, word: str) -> bool:
        return word.lower() in self._environments

    def language_of(self, subject: str) -> str:
        """The language of the page of this very subject."""
        *words, last = subject.split()
        return last if words and self._is_language(last) else ENGLISH

    def _make(self, subject: str) -> HelpPage:
        language = self.language_of(subject)
        name = FOLDER + subject.removesuffix(f" {language}").replace(" ", "/") + SUFFIX
        template = self._environments[language].get_template(name)
        return PageMaker(self.subjects, self._drawings, partial(self.title, language=language)).make(
            subject, language, template
        )

    def title(self, subject: str, language: str = ENGLISH) -> str:
        """The title of the page about a subject, in a language: of a command its name."""
        return str(self._titles(language).title_of(subject))

    def kind(self, subject: str, language: str = ENGLISH) -> str:
        """The kind of a page about a game, in a word: options."""
        return str(self._titles(language).kind_of(subject.split()[-1])).capitalize()

    def _titles(self, language: str) -> Any:
        return self._environments[language].get_template("macros/help_titles.txt").module


def _likeness(word: str, subject: str) -> float:
    """The similarity of a word and a subject or its last word, from 0 to 1, which a beginning has."""
    if subject.startswith(word):
        return 1
    return max(difflib.SequenceMatcher(None, each, word[:_LONGEST]).ratio() for each in (subject, subject.split()[-1]))


def _alike(word: str, subjects: Sequence[str]) -> list[str]:
    """The subjects that a word may be a slip for; those that are far less like it than the best are left out."""
    near = difflib.get_close_matches(word, subjects, _FEW, _LIKENESS_ANYWHERE)
    likeness = [difflib.SequenceMatcher(None, each, word).ratio() for each in near]
    return [each for each, how_much in zip(near, likeness, strict=True) if how_much > max(likeness) - _FAR_BEHIND]


def _verb_meant(word: str) -> str | None:
    return verb_of(word) or translation_of(word)


def _is_verb(page: HelpPage | None) -> bool:
    return page is not None and verb_of(page.subject.removesuffix(f" {page.language}")) is not None


def _in_language(subject: str, language: str) -> str:
    """The name of the page about a subject in a language."""
    return subject if language == ENGLISH else f"{subject} {language}"


@dataclass(frozen=True, slots=True)
class Explained:
    """A word that a player types, and what it says."""

    word: str
    """As the page has it: ``-size=n``, ``mail=text``; or the sign for leaving words out."""
    meaning: str
    about: str
    """The heading that it stands under, in small letters; empty if that is the title of the page."""

    @property
    def name(self) -> str:
        """The word without dash and value: ``size``."""
        return self.word.lstrip("-").partition("=")[0]


def explained(page: HelpPage | None) -> tuple[Explained, ...]:
    """The options and the settings that a page explains, in its order; none if there is no page."""
    if page is None:
        return ()
    found: list[Explained] = []
    about = ""
    for block in read_blocks(page.text):
        if isinstance(block, Heading):
            about = "" if block.level == 1 else block.text.lower()
        if isinstance(block, Meanings) and any(term.startswith("-") or "=" in term for term, _ in block.entries):
            found.extend(Explained(term, meaning, about) for term, meaning in block.entries)
    return tuple(found)
