"""Divides a page of plain text into headings, paragraphs, lists and boards, and makes HTML of it.

The text is the mail as it is sent; a few habits of writing say what is what:

- a line in capitals above its text is a heading;
- lines at the margin are a paragraph, but lines that each name something, with a colon and two blanks or
  more behind it, are terms with their meanings;
- a line two blanks in begins an entry: ``- text`` of a list, or a term, two blanks or more and its meaning;
  lines farther in go on with the entry;
- lines two blanks in, the first of which has three cells or more, three blanks or more apart, are columns;
- lines four blanks in, when no entry is under way, stay as they are: boards, commands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, groupby
from typing import TypeAlias

from markupsafe import Markup, escape

ENTRY, VERBATIM = 2, 4
"""Blanks before an entry, and before lines that stay as they are."""
_MARGIN, _LABELLED = 0, 1
"""The kinds of lines with fewer blanks before them."""

_LABEL = re.compile(r"\S[^:]*: {2,}\S")
_GAP = re.compile(r" {2,}")
_WIDE_GAP = re.compile(r" {3,}")
_FEWEST_COLUMNS = 3
_FEWEST_ENTRIES = 2
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
class Meanings:
    """Terms with their meanings, which may be empty: options, commands."""

    entries: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """Short things side by side."""

    cells: tuple[str, ...]
    """Read from left to right, then down."""


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines that stay as they are, their indentation taken off."""

    text: str


Block: TypeAlias = Heading | Paragraph | Items | Meanings | Columns | Verbatim


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


def to_html(
    blocks: Iterable[Block],
    mark_up: Callable[[str], Markup] = escape,
    mark_up_cell: Callable[[str], Markup] = escape,
) -> Markup:
    """A fragment of HTML; ``mark_up`` makes the words of a text into HTML, ``mark_up_cell`` those in columns."""
    return Markup("\n").join(_html(block, mark_up_cell if isinstance(block, Columns) else mark_up) for block in blocks)


def entries_in(block: Verbatim) -> tuple[tuple[str, str], ...]:
    """Terms with their meanings, if lines that stay as they are have those in two columns; nothing if they do not.

    A meaning may go on below itself, and a term may have none.
    """
    lines = block.text.split("\n")
    gaps = [gap.end() for line in lines if line[:1] != " " and (gap := _GAP.search(line))]
    if len(gaps) < _FEWEST_ENTRIES or len(set(gaps)) > 1:
        return ()
    entries: list[tuple[str, str]] = []
    for line in lines:
        term, meaning = line[: gaps[0]].strip(), line[gaps[0] :]
        if line and not _GAP.search(line):
            entries.append((line, ""))
        elif term and line[0] != " ":
            entries.append((term, meaning))
        elif entries and meaning and not term:
            entries[-1] = entries[-1][0], f"{entries[-1][1]} {meaning.strip()}"
        else:
            return ()
    return tuple(entries)


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
    if indent >= ENTRY:
        return VERBATIM if indent >= VERBATIM else ENTRY
    return _LABELLED if _LABEL.match(line) else _MARGIN


def _goes_on(kind: int, line: str) -> bool:
    """Return True if a line belongs to a block of this kind, once that has begun."""
    return _kind(line) == kind or (kind, _kind(line)) in ((ENTRY, VERBATIM), (_LABELLED, _MARGIN))


def _block(kind: int, lines: list[str]) -> Block:
    if kind == VERBATIM:
        margin = min(len(line) - len(line.lstrip()) for line in lines)
        return Verbatim("\n".join(line[min(margin, VERBATIM) :] for line in lines))
    if kind == ENTRY:
        cells = [_WIDE_GAP.split(line.strip()) for line in lines]
        return _entries(lines) if len(cells[0]) < _FEWEST_COLUMNS else Columns(tuple(chain.from_iterable(cells)))
    if kind == _LABELLED and sum(_kind(line) == _LABELLED for line in lines) > 1:
        return Meanings(tuple(_term(entry) for entry in _joined(lines, _LABELLED)))
    return Paragraph(" ".join(line.strip() for line in lines))


def _entries(lines: list[str]) -> Items | Meanings:
    entries = _joined(lines, ENTRY)
    if entries[0].startswith(_BULLET):
        return Items(tuple(entry.removeprefix(_BULLET) for entry in entries))
    return Meanings(tuple(_term(entry) for entry in entries))


def _joined(lines: Iterable[str], kind: int) -> list[str]:
    """The entries that lines of this kind begin and the others go on with, each on one line."""
    entries: list[str] = []
    for line in lines:
        if _kind(line) == kind:
            entries.append(line.strip())
        else:
            # a term that fills its line has its meaning below
            blanks = " " if _GAP.search(entries[-1]) or entries[-1].startswith(_BULLET) else "  "
            entries[-1] += blanks + line.strip()
    return entries


def _term(entry: str) -> tuple[str, str]:
    term, *meaning = _GAP.split(entry, maxsplit=1)
    return term, " ".join(meaning)


def sentence(capitals: str) -> str:
    """A heading in capitals as a sentence begins, behind its number if it has one."""
    return re.sub(r"^(\d+\. )?\w", lambda found: found[0].upper(), capitals.lower())


def _html(block: Block, mark_up: Callable[[str], Markup]) -> Markup:
    match block:
        case Heading(text, level):
            return Markup("<h{0}>{1}</h{0}>").format(level, mark_up(sentence(text)))
        case Paragraph(text):
            return Markup("<p>{}</p>").format(mark_up(text))
        case Items(texts):
            items = Markup("").join(Markup("<li>{}</li>").format(mark_up(text)) for text in texts)
            return Markup("<ul>{}</ul>").format(items)
        case Meanings(entries):
            rows = (
                Markup("<dt>{}</dt><dd>{}</dd>").format(mark_up(term), mark_up(meaning)) for term, meaning in entries
            )
            return Markup("<dl>{}</dl>").format(Markup("").join(rows))
        case Columns(cells):
            items = Markup("").join(Markup("<li>{}</li>").format(mark_up(cell)) for cell in cells)
            return Markup('<ul class="columns">{}</ul>').format(items)
        case Verbatim(text):
            return Markup('<pre tabindex="0">{}</pre>').format(mark_up(text))  # it scrolls, also by keys
