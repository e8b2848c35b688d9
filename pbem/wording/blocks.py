"""A page of plain text taken apart into headings, paragraphs, lists and boards, and made into HTML.

The text is the mail as it is sent; a few habits of writing say what is what:

- a line in capitals above its text is a heading;
- lines at the margin are a paragraph;
- a line two blanks in begins an entry: ``- text`` of a list, or a term, two blanks or more and its meaning;
  lines farther in go on with the entry;
- lines four blanks in, when no entry is under way, stay as they are: boards, commands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

ENTRY, VERBATIM = 2, 4
"""Blanks before an entry, and before lines that stay as they are."""

_GAP = re.compile(r" {2,}")
_BULLET = "- "


@dataclass(frozen=True, slots=True)
class Heading:
    """A line in capitals."""

    text: str
    level: int
    """1 at the top of the page, 2 below."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Text that may be broken anew."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms with their meanings, which may be empty: options, commands."""

    entries: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines that stay as they are, their indentation taken off."""

    text: str


Block: TypeAlias = Heading | Paragraph | Items | Terms | Verbatim


def read_blocks(text: str) -> tuple[Block, ...]:
    """The blocks of a page in their order."""
    blocks: list[Block] = []
    for filled, lines in groupby(text.split("\n"), key=bool):
        for block in _of_chunk(list(lines), first=not blocks) if filled else ():
            before = blocks[-1] if blocks else None
            if isinstance(block, Verbatim) and isinstance(before, Verbatim):
                blocks[-1] = Verbatim(f"{before.text}\n\n{block.text}")  # rows of one drawing
            else:
                blocks.append(block)
    return tuple(blocks)


def to_html(blocks: Iterable[Block], mark_up: Callable[[str], Markup] = escape) -> Markup:
    """A fragment of HTML; ``mark_up`` makes the words of a text into HTML."""
    return Markup("\n").join(_html(block, mark_up) for block in blocks)


def _of_chunk(lines: list[str], *, first: bool) -> Iterator[Block]:
    """The blocks of lines that no empty line sets apart."""
    if _is_heading(lines[0]):
        yield Heading(lines.pop(0), 1 if first else 2)
    while lines:
        kind = _kind(lines[0])
        end = next((n for n, line in enumerate(lines) if not _goes_on(kind, line)), len(lines))
        part, lines = lines[:end], lines[end:]
        yield _block(kind, part)


def _is_heading(line: str) -> bool:
    return line[0] != " " and line.isupper()


def _kind(line: str) -> int:
    indent = len(line) - len(line.lstrip())
    return VERBATIM if indent >= VERBATIM else ENTRY if indent >= ENTRY else 0


def _goes_on(kind: int, line: str) -> bool:
    """Whether a line belongs to a block of this kind, once that has begun."""
    return _kind(line) == kind or (kind == ENTRY and _kind(line) > ENTRY)


def _block(kind: int, lines: list[str]) -> Block:
    if kind == VERBATIM:
        margin = min(len(line) - len(line.lstrip()) for line in lines)
        return Verbatim("\n".join(line[min(margin, VERBATIM) :] for line in lines))
    if kind == ENTRY:
        return _entries(lines)
    return Paragraph(" ".join(line.strip() for line in lines))


def _entries(lines: list[str]) -> Items | Terms:
    entries: list[str] = []
    for line in lines:
        if _kind(line) == ENTRY:
            entries.append(line.strip())
        else:
            # a term that fills its line has its meaning below
            blanks = " " if _GAP.search(entries[-1]) or entries[-1].startswith(_BULLET) else "  "
            entries[-1] += blanks + line.strip()
    if entries[0].startswith(_BULLET):
        return Items(tuple(entry.removeprefix(_BULLET) for entry in entries))
    return Terms(tuple(_term(entry) for entry in entries))


def _term(entry: str) -> tuple[str, str]:
    term, *meaning = _GAP.split(entry, maxsplit=1)
    return term, " ".join(meaning)


def _html(block: Block, mark_up: Callable[[str], Markup]) -> Markup:
    match block:
        case Heading(text, level):
            return Markup("<h{0}>{1}</h{0}>").format(level, mark_up(text.capitalize()))
        case Paragraph(text):
            return Markup("<p>{}</p>").format(mark_up(text))
        case Items(texts):
            items = Markup("").join(Markup("<li>{}</li>").format(mark_up(text)) for text in texts)
            return Markup("<ul>{}</ul>").format(items)
        case Terms(entries):
            rows = (
                Markup("<dt>{}</dt><dd>{}</dd>").format(mark_up(term), mark_up(meaning)) for term, meaning in entries
            )
            return Markup("<dl>{}</dl>").format(Markup("").join(rows))
        case Verbatim(text):
            return Markup("<pre>{}</pre>").format(mark_up(text))
