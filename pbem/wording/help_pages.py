"""Pages of the help, made of their templates: as text, and as HTML with links from page to page."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from jinja2 import Template
from markupsafe import Markup, escape

from pbem.wording.blocks import Block, Heading, Verbatim, entries_in, read_blocks, to_html
from pbem.wording.drawings import Drawing, Drawings
from pbem.wording.layout import tidy

WEB = "/help/"
"""What the address of every page on the web begins with."""

_LINK = re.compile(r"\bhelp((?: [a-z]+)+)")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a page, for the web."""

    html: Markup
    drawings: tuple[Drawing, ...]
    """What it shows, if it is a board in letters."""
    entries: tuple[tuple[Markup, Markup], ...] = ()
    """What can be typed, each with what it does, if that is what it lists."""


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
    """What it is written in."""
    pieces: tuple[Piece, ...] = ()
    """The same for the web, piece by piece."""

    @property
    def title(self) -> str:
        """What stands above it; empty if nothing does."""
        first = read_blocks(self.text)[0]
        return first.text.capitalize() if isinstance(first, Heading) else ""

    @property
    def opening(self) -> Sequence[Piece]:
        """What it says between its title and its first heading within, for the web."""
        within = takewhile(lambda piece: not piece.html.startswith("<h2>"), self.pieces)
        return [piece for piece in within if not piece.html.startswith("<h1>")]


class PageMaker:
    """Makes pages of the help.

    Args:
        subjects: what there are pages about, to be linked.
        drawings: what the boards of the pages show.
    """

    def __init__(self, subjects: Collection[str], drawings: Drawings) -> None:
        self._subjects = subjects
        self._drawings = drawings

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
            yield Piece(to_html([part], self._linked, self._named), tuple(drawn), said)

    def _named(self, text: str) -> Markup:
        """The name of a subject with a link to its page; anything else as it is."""
        return _link(text, text) if text in self._subjects else escape(text)

    def _linked(self, text: str) -> Markup:
        """The words of a page as HTML, with a link wherever they say ``help`` and a subject."""
        made, done = Markup(""), 0
        for match in _LINK.finditer(text):
            words = match[1].split()
            subject = next((" ".join(words[:n]) for n in range(len(words), 0, -1) if self._is_linked(words[:n])), None)
            if subject is not None:
                end = match.start() + len(f"help {subject}")
                link = _link(subject, text[match.start() : end])
                made, done = made + escape(text[done : match.start()]) + link, end
        return made + escape(text[done:])

    def _is_linked(self, words: Sequence[str]) -> bool:
        return " ".join(words) in self._subjects


def _link(subject: str, text: str) -> Markup:
    return Markup('<a href="{}">{}</a>').format(WEB + subject.replace(" ", "/"), text)
