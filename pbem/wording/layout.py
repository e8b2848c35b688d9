"""Layout of mails: wrapped text, tables, and the forms of commands."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache
from itertools import groupby

from jinja2 import Environment, pass_context
from jinja2.runtime import Context

from pbem.commands.verbs import GROUPS

WIDTH = 78
"""Columns of a mail; only boards may be wider."""

_MISTAKEN = re.compile(r"^(?=From |--$)", re.MULTILINE)
"""The beginnings of lines that mail programs would take for something else."""
_UNITS = ("day", "hour", "minute", "second")
_QUARTERS = ("", "¼", "½", "¾")
_GAP = re.compile(r"\n{3,}")
_KEPT = "\u00a0"
"""A blank at which no line is broken."""
_BOUND = re.compile(r" (?=[:;!?»](?:\s|$))|(?<=«) ")
"""Blanks beside French punctuation, which belongs to the word before it, or behind it."""
_COMMAND = re.compile(r"(?<=:)(\s+)(\S[^.:]{0,39})$")
"""The command to type, at the end of a paragraph: ``To see where they go, mail me: help resign``."""


def fill(text: str) -> str:
    """Fill paragraphs to the width; a line that begins with a blank stays as it is."""
    filled: list[str] = []
    for indented, lines in groupby(text.strip("\n").split("\n"), key=lambda line: line[:1] == " " or not line):
        if indented:
            filled.extend(lines)
        else:
            filled.extend(_wrapped(" ".join(lines)))
    return "\n".join(filled)


def wrap_long(text: str) -> str:
    """Break the lines that are too long, but for indented ones: those are boards, commands and tables."""
    if len(text) <= WIDTH:
        return text
    lines = text.split("\n")
    return "\n".join(
        "\n".join(_wrapped(line, break_words="://" not in line)) if len(line) > WIDTH and line[0] != " " else line
        for line in lines
    )


def wrap(text: str, *, width: int = WIDTH, break_words: bool = True) -> str:
    """Break lines that are too long, and leave the others as their writer broke them.

    ``break_words`` is for text; in HTML a line break within a word would become a blank.
    """
    lines = text.split("\n")
    return "\n".join("\n".join(_wrapped(line, width, break_words)) if len(line) > width else line for line in lines)


def _wrapped(line: str, width: int = WIDTH, break_words: bool = True) -> list[str]:
    lines = textwrap.wrap(_bound(line), width, break_long_words=break_words, break_on_hyphens=False)
    return [each.replace(_KEPT, " ") for each in lines] or [""]


def _bound(line: str) -> str:
    """A paragraph whose commands and punctuation are not torn apart, until the blanks in it are blanks again."""
    line = _BOUND.sub(_KEPT, line)
    return _COMMAND.sub(lambda found: found[1] + found[2].replace(" ", _KEPT), line)


def flow(things: Iterable[object], label: str) -> str:
    """Things one behind the other, none of them broken, behind a label; further lines are two blanks in."""
    kept = "   ".join(str(thing).replace(" ", _KEPT) for thing in things)
    lines = textwrap.wrap(f"{label}  {kept}", WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines).replace(_KEPT, " ")


def entry(text: str) -> str:
    """An entry of a list: two blanks in, and four where it goes on."""
    filled = textwrap.fill(_bound(text), WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
    return filled.replace(_KEPT, " ")


def tidy(text: str) -> str:
    """Take out what mail programs would take for something else.

    No line ends in a blank, is a signature mark, or begins with ``From ``; no two
    empty lines in a row; one line end at the end.
    """
    tidied = "\n".join(["", *(line.rstrip() for line in text.strip("\n").split("\n")), ""])
    if "\n--\n" in tidied or "\nFrom " in tidied:
        tidied = _MISTAKEN.sub(" ", tidied)
    if "\n\n\n" in tidied:
        tidied = _GAP.sub("\n\n", tidied)
    return tidied.strip("\n") + "\n"


@lru_cache(maxsize=4096)
def ranges(numbers: tuple[int, ...]) -> str:
    """``1 3 7-9`` for 1, 3, 7, 8, 9."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return " ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(map(str, run)) for run in runs)


def columns(things: Iterable[object], indent: int = 2) -> str:
    """Things in as many even columns as fit, read from left to right."""
    cells = [str(thing) for thing in things]
    if not cells:
        return ""
    width = max(map(len, cells)) + 3
    in_row = max(1, (WIDTH - indent + 3) // width)
    rows = [cells[i : i + in_row] for i in range(0, len(cells), in_row)]
    return "\n".join((" " * indent + "".join(cell.ljust(width) for cell in row)).rstrip() for row in rows)


def listed(words: Sequence[object], last: str) -> str:
    """``a, b and c``; ``last`` is the word between the last two."""
    texts = [str(word) for word in words]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} {last} {texts[-1]}" if texts else ""


def duration(time: timedelta, language: str) -> str:
    """``2 days 3 hours``: the two largest units."""
    seconds = max(0, int(time.total_seconds()))  # a clock may have been set back
    counts = [seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60, seconds % 60]
    last = len(_UNITS) - 1
    first = next((i for i, count in enumerate(counts) if count), last)
    two = list(zip(counts, _UNITS, strict=True))[first : first + 2]
    return " ".join(_counted(count, unit, language) for count, unit in two if count or first == last)


def ago(time: timedelta, language: str) -> str:
    """``2 days ago``: the largest unit alone; empty below a minute."""
    from babel.dates import format_timedelta  # 1 MB that a server at rest does not need

    if time < timedelta(minutes=1):
        return ""
    return format_timedelta(-time, granularity="minute", threshold=1, add_direction=True, locale=language)


def pace(time: timedelta, language: str) -> str:
    """A duration in weeks if it is so many whole ones: ``3 weeks``, ``10 days``."""
    weeks = time / timedelta(weeks=1)
    return _counted(int(weeks), "week", language) if weeks >= 1 and weeks.is_integer() else duration(time, language)


@lru_cache(maxsize=1024)
def _counted(count: int, unit: str, language: str) -> str:
    from babel.units import format_unit  # loaded when the first duration is written

    return format_unit(count, f"duration-{unit}", "long", locale=language)


def halves(count: int) -> str:
    """So many halves: ``2½``."""
    return quarters(2 * count)


def quarters(count: int) -> str:
    """So many quarters: ``3¼``."""
    whole, rest = divmod(count, len(_QUARTERS))
    return f"{whole}{_QUARTERS[rest]}" if whole or not rest else _QUARTERS[rest]


_LINE = re.compile(r"    (?P<form>\S+(?: \S+)*)(?:  +(?P<meaning>\S.*))?")
_IN_ANSWER = ("in an answer", "als Antwort", "en réponse")
"""Begins, in each language, what is said of a form that an answer to a board's mail may have."""


@dataclass(frozen=True, slots=True)
class Form:
    """One use of a verb, and the way to write it: ``move <board> <move>`` makes a move."""

    meaning: str
    says: tuple[str, ...]
    """Shortest first, as a rule: without userid and password, with them, and otherwise."""
    in_answer: str | None = None
    """The way to write it in an answer to a board's mail."""


def forms_text(environment: Environment, verb: str, facts: Mapping[str, object]) -> str:
    """The forms of a verb, as they stand at the top of its help page; ``error`` among the facts shortens some."""
    template = environment.get_template(f"help/{verb}.txt")
    return "".join(template.blocks["forms"](template.new_context(dict(facts))))


@pass_context
def right_form(context: Context, verb: str) -> str:
    """The forms of a verb, with the facts of the refusal that shows them."""
    return forms_text(context.environment, verb, context.get_all()).removesuffix("\n")


@pass_context
def short_forms(context: Context, verb: str) -> tuple[Form, ...]:
    """The same taken apart."""
    return tuple(_forms(right_form(context, verb).split("\n")))


class Forms:
    """The forms of every verb.

    Args:
        environment: loads the templates.
    """

    def __init__(self, environment: Environment) -> None:
        self._environment = environment

    def __call__(self, verb: str) -> tuple[Form, ...]:
        """All forms of a verb; ``<game>`` means the name of a game."""
        text = forms_text(self._environment, verb, {"game_name": "<game>"})
        return tuple(_forms(text.split("\n")))

    @property
    def groups(self) -> Mapping[str, Mapping[str, Sequence[Form]]]:
        """The forms of all verbs, by group and verb."""
        return {group: {verb: self(verb) for verb in verbs} for group, verbs in GROUPS.items()}


def _forms(lines: Sequence[str]) -> Iterable[Form]:
    """A line that means something of its own begins a form; the others say the same in another way.

    One with userid and password says the same as that without them, if there is one, and else as the form before it.
    """
    forms: list[Form] = []
    for match in filter(None, map(_LINE.fullmatch, lines)):
        form, said = match["form"], match["meaning"] or ""
        if said.startswith(_IN_ANSWER):
            place = _place_of(form, forms, _BOARD)
            forms[place] = replace(forms[place], in_answer=form)
        elif said or not forms:
            forms.append(Form(said, (form,)))
        else:
            place = _place_of(form, forms, _CREDENTIALS)
            forms[place] = replace(forms[place], says=(*forms[place].says, form))
    return forms


_BOARD = re.compile(r" <board>(?:\[#<moveno>\])?(?: \.\.\.)?")
_CREDENTIALS = re.compile(" <userid> <password>|")
"""The words that a form may lack, or nothing: the other may lack them."""


def _place_of(form: str, forms: Sequence[Form], words: re.Pattern[str]) -> int:
    """The place of the form that one says in another way but for some words; the last if there is none."""
    bare = words.sub("", form).partition("|")[0]
    same = (
        place
        for place, each in enumerate(forms)
        if bare in [words.sub("", said) for said in each.says if words.search(said)]
    )
    return next(same, len(forms) - 1)
