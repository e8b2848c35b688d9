"""A language of nonsense in place of German: each sentence of a catalogue in Cyrillic letters, so that others show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from babel.dates import get_day_names, get_month_names
from babel.messages.catalog import Catalog
from jinja2 import Environment, nodes
from lxml import html

from pbem import folder
from pbem.bootstrap import find_games
from pbem.commands.verbs import VERBS
from pbem.wording import messages

LANGUAGE = "de"
_ENV = Environment(extensions=["jinja2.ext.i18n", "jinja2.ext.do"])  # noqa: S701 - it only parses
_LETTERS = str.maketrans(
    dict(zip(ascii_uppercase, map(chr, range(0x410, 0x42A)), strict=True))
    | dict(zip(ascii_lowercase, map(chr, range(0x430, 0x44A)), strict=True))
)
_KEPT = re.compile(r"(%\(\w+\)s|%%\w?|\\n|</?[a-z][^<>]*>|&#?\w+;)")
"""Places for facts, tags and entities."""


def nonsense(text: str, *, has_tags: bool = True) -> str:
    """A text whose words are not English any more."""
    parts = _KEPT.split(text)
    return "".join(
        part if n % 2 and (has_tags or part[0] != "<") else part.translate(_LETTERS) for n, part in enumerate(parts)
    )


def write_templates(place: Path) -> None:
    """Fill a folder with our templates and, as the only translation, nonsense."""
    templates = folder("templates")
    for each in templates.iterdir():
        if each.name not in {"locale", LANGUAGE}:
            (place / each.name).symlink_to(each)
    _write_help(templates / "en" / "help", place / LANGUAGE / "help")
    catalogue = Catalog(LANGUAGE, project="pbem", charset="utf-8")
    for message in messages.extract(templates):
        if message.id:
            has_tags = any(file.endswith(".html") for file, _ in message.locations)
            ids = (message.id,) if isinstance(message.id, str) else tuple(message.id)
            said = tuple(nonsense(each, has_tags=has_tags) for each in ids)
            catalogue.add(message.id, said if len(said) > 1 else said[0], context=message.context)
    messages.write(place, LANGUAGE, catalogue)


def _write_help(pages: Path, place: Path) -> None:
    """The help pages, which are files of each language: forms of commands are shown in refusals and elsewhere."""
    for page in pages.rglob("*.txt"):
        target = place / page.relative_to(pages)
        target.parent.mkdir(parents=True, exist_ok=True)
        tokens = _ENV.lex(page.read_text())
        target.write_text("".join(text.translate(_LETTERS) if kind == "data" else text for _, kind, text in tokens))


_DATA = re.compile(
    r"https?://\S+|/[\w/.{}-]+|\b[\w-]+\.jsonl?\b|\S+@\S+|\b[A-Z]\w+/[A-Z]\w+|\b[\w-]+=[\w/|.-]*"
    r"|-[a-z_]+\b|(?:Summary of )?\w+ Board \d+"
    r"|\"[^\"]*\"|A new \w+ board \(\d+\) has been started|<[\w ]+>|\bhelp [\w ]+|\bpbem admin [\w -]+"
)
"""Addresses, timezones, settings, options, words that somebody has written, what programs read, and commands."""
_WORD = re.compile(r"(?<![\w'])(?![oxOX]+\b)[A-Za-z]{3,}(?!\w)")
"""Of English, but no part of a drawing."""
_SAID = ("aria-label", "aria-description", "aria-roledescription", "title", "alt", "placeholder", "data-done")
_TYPED = {"script", "style", "code", "pre", "kbd", "samp"}
"""Elements whose words are the same in every language."""
_DATES = {
    word
    for names in (get_month_names, get_day_names)
    for width in ("wide", "abbreviated")
    for word in names(width, locale=LANGUAGE).values()
}
_UNITS = {
    "Tag",
    "Tage",
    "Stunde",
    "Stunden",
    "Minute",
    "Minuten",
    "Sekunde",
    "Sekunden",
    "Woche",
    "Wochen",
    "Tagen",
    "vor",
}
GAMES = find_games()
_PARTS = {
    *(word for game in GAMES.values() for word in (game.name, game.title)),
    *("Light", "Dark", "none", "limited", "SVG"),
}
_KNOWN = {"pbem", "Deutsch", "English", "UTC", *_PARTS, *VERBS, *_DATES, *_UNITS}
"""Names, what Babel says, and words of commands."""


def words_left(text: str, *data: str) -> list[str]:
    """The words of English in a text, but for names, dates, commands and ``data``."""
    known = _KNOWN.union(data)
    return [word for word in _WORD.findall(_DATA.sub(" ", text)) if word not in known and word.lower() not in known]


def mail_left(body: str, *data: str) -> list[str]:
    """The lines of a mail with words of English; those that are indented by four are commands or boards."""
    return [line for line in body.split("\n") if not line.startswith("    ") and words_left(line, *data)]


def page_left(source: str, *data: str) -> list[str]:
    """The texts of a page with words of English, those that are read to people or shown at the pointer among them."""
    return [each for each in _texts(html.document_fromstring(source)) if words_left(each, *data)]


def _texts(element: Any) -> Iterator[str]:
    """All texts of an element and those below it, but for what is typed."""
    if not isinstance(element.tag, str):
        return
    yield from (element.get(name) for name in _SAID if element.get(name))
    if element.tag not in _TYPED:
        yield element.text or ""
    for child in element:
        yield from _texts(child) if element.tag not in _TYPED else ()
        yield child.tail or "" if element.tag not in _TYPED else ""


def unmarked_in(template: Path) -> list[str]:
    """The words of a template, or of the constants that it shows, that are not marked for translation."""
    tree = _ENV.parse(template.read_text())
    shown = "".join(_said_by(each) for out in tree.find_all(nodes.Output) for each in out.nodes)
    if template.suffix == ".html":
        shown = "\n".join(_texts(html.document_fromstring(f"<html><body>{shown}</body></html>")))
    return mail_left(re.sub(r"(?m)^Subject: .*", "", shown))


def _said_by(node: nodes.Expr) -> str:
    """The text that an expression shows, whatever the facts are; a blank in place of the facts."""
    match node:
        case nodes.TemplateData():
            return node.data
        case nodes.Const(value=str(text)):
            return text
        case nodes.CondExpr():
            return f"{_said_by(node.expr1)} {_said_by(node.expr2) if node.expr2 else ''}"
        case nodes.Concat():
            return "".join(map(_said_by, node.nodes))
        case nodes.BinExpr():
            return f"{_said_by(node.left)} {_said_by(node.right)}"
        case nodes.Filter() if node.node:
            return _said_by(node.node)
    return " "
