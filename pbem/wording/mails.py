"""A mail while its template is filled in: its words, and the parts that look different in HTML.

A template says every sentence once. Where it calls ``part('moves')`` two things happen: in the text
stands what ``parts/moves.txt`` says, and in the HTML what ``parts/moves.html`` says, both with the facts of
the moment. The HTML of all other words is made of the text (see `pbem.wording.blocks`).
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from urllib.parse import quote

from jinja2 import Environment
from jinja2.runtime import Context

from pbem.domain.letters import CUT
from pbem.domain.mails import PictureSource
from pbem.wording.blocks import Block, read_blocks
from pbem.wording.layout import tidy, wrap_long

MOST_PICTURES = 5
"""In one mail; the boards that follow are drawn with letters alone."""

DRAWING = "drawing"
"""The part that is a board."""
_END = "\x03"
"""Of the place for a part."""
_STYLE = re.compile(' style="[^"]*"')
_RANK = re.compile("(</?)h[12]\\b")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that the HTML of a mail shows."""

    cid: str
    """The name by which the HTML knows it (RFC 2392): it begins with a hash of its bytes and, if it shows a stored
    position, says which."""
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class RenderedMail:
    """A notice in words."""

    subject: str
    body: str
    """The text."""
    html: str | None = None
    """The same in HTML, where that shows more than the text."""
    pictures: tuple[Picture, ...] = ()
    html_alone: bool = False
    """The reader wants no text beside it."""


class MailRenderer:
    """One mail in the making. Templates know it as ``script``."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._parts: list[tuple[str, Mapping[str, object]]] = []
        self._pictures: dict[str, Picture] = {}
        self._said: set[tuple[object, ...]] = set()
        self.is_page = False
        """It is shown on a page, where links that open a mail have no place."""
        self._mark = f"\x02{secrets.token_hex(8)}-"

    def once(self, *what: object) -> bool:
        """Return True the first time that a mail says something; it need not say it twice."""
        is_new = what not in self._said
        self._said.add(what)
        return is_new

    def part(self, name: str, facts: Mapping[str, object]) -> str:
        """A place for a part, marked by a random sign that no player can guess."""
        self._parts.append((name, facts))
        return f"{self._mark}{len(self._parts) - 1}{_END}"

    def has(self, name: str) -> bool:
        """Return True if there is a part of this name anywhere."""
        return any(name == each for each, _ in self._parts)

    def cid(self, content: bytes, source: PictureSource | None = None) -> str | None:
        """Add a picture, perhaps of a stored position; None if there are enough of them already."""
        digest = hashlib.sha256(content).hexdigest()[:24]
        if digest not in self._pictures:
            if len(self._pictures) == MOST_PICTURES:
                return None
            name = digest if source is None else source.named(digest)
            self._pictures[digest] = Picture(f"{name}@picture", content)
        return self._pictures[digest].cid

    def whole(self, comment: str) -> tuple[str, bool]:
        """A player's words, and whether they were too many to be read to their end."""
        words, mark, _ = comment.partition(CUT)
        return words.rstrip(), bool(mark)

    def text(self, written: str) -> str:
        """The text of a filled template; lines that are too long are broken, but not those of a board."""
        pieces = self._split(written)
        return tidy("".join(self._part_text(int(each)) if n % 2 else wrap_long(each) for n, each in enumerate(pieces)))

    def _split(self, written: str) -> list[str]:
        """The text between the places for parts and, in every second place, the number of a part."""
        first, *others = written.split(self._mark)
        return [first, *chain.from_iterable(each.split(_END, 1) for each in others)]

    def words(self, subject: str, written: str, *, html_alone: bool) -> RenderedMail:
        """Subject, text and HTML of what a filled template says."""
        text = self.text(written)
        html = self._environment.get_template("html/page.html").render(
            subject=subject, pieces=self._pieces(subject, written)
        )
        return RenderedMail(subject, text, _safe(html), tuple(self._pictures.values()), html_alone)

    def _pieces(self, subject: str, written: str) -> Iterator[tuple[str, object]]:
        """The blocks that the HTML shows one below the other, each with its kind."""
        for number, piece in enumerate(self._split(written)):
            if number % 2:
                yield "part", self._part_html(int(piece), subject)
            else:
                yield from blocks_of(tidy(piece))

    def on_page(self, subject: str, written: str) -> Iterator[tuple[str, object]]:
        """The blocks that a page shows, each with its kind; parts are as in HTML, without styles of their own.

        The page has a heading of its own, so that those of the parts are of a lower rank.
        """
        self.is_page = True
        for kind, piece in self._pieces(subject, written):
            is_part = kind == "part" and isinstance(piece, str)
            yield kind, _RANK.sub(r"\1h3", _STYLE.sub("", str(piece))) if is_part else piece

    def _part_text(self, number: int) -> str:
        name, facts = self._parts[number]
        text = part_text(self._environment, name, facts)
        return text if name == DRAWING else wrap_long(text)

    def _part_html(self, number: int, subject: str) -> str:
        name, facts = self._parts[number]
        return self._environment.get_template(f"parts/{name}.html").render(facts, subject=subject)


def blocks_of(text: str) -> Iterator[tuple[str, Block]]:
    """The blocks of a text, each with its kind."""
    for block in read_blocks(text.strip("\n")):
        yield type(block).__name__.lower(), block


def part_text(environment: Environment, name: str, facts: Mapping[str, object] | Context) -> str:
    """A part as text alone."""
    return environment.get_template(f"parts/{name}.txt").render(facts).strip("\n")


def mailto(address: str, subject: str) -> str:
    """A link that opens a letter (RFC 6068), up to where its body goes.

    Programs that take ``+`` for a blank find none in it.
    """
    return f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}&body="


def _safe(html: str) -> str:
    """HTML in ASCII, with no line that a mail must not have."""
    return tidy(html.encode("ascii", "xmlcharrefreplace").decode())
