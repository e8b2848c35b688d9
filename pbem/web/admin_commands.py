"""The commands of ``pbem admin`` as forms below /admin: each is run as it is typed, by the same program."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class FieldKind(StrEnum):
    """The kinds of values that a command takes."""

    WORD = "word"
    WORDS = "words"
    """Any number of them, with blanks between."""
    TEXT = "text"
    """It is read from the standard input."""
    FLAG = "flag"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class CommandField:
    """A value that a command takes."""

    name: str
    """An argument as in ``USERID``, or an option as in ``--reason``."""
    help: str
    kind: FieldKind
    is_required: bool = False
    choices: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class AdminCommand:
    """A command of ``pbem admin``."""

    words: tuple[str, ...]
    help: str
    fields: Sequence[CommandField]
    changes: bool
    """True if it does more than to show something: then the page asks before it is run."""

    @property
    def name(self) -> str:
        """It as it is typed, without its values."""
        return " ".join(self.words)

    @property
    def summary(self) -> str:
        """The first sentence of its help."""
        return self.help.partition("\n")[0].strip()

    def arguments(self, form: Mapping[str, str]) -> Sequence[str]:
        """The arguments of ``pbem admin``; no value is taken for an option, whatever it begins with."""
        options, values = [], []
        for each in self.fields:
            said = form.get(each.name, "").strip()
            if not said:
                continue
            if each.kind is FieldKind.FLAG:
                options.append(each.name)
            elif each.name.startswith("--"):
                options.append(f"{each.name}={said}")
            else:
                values += {FieldKind.TEXT: ["-"], FieldKind.WORDS: said.split()}.get(each.kind, [said])
        return [*self.words, *options, "--", *values] if values else [*self.words, *options]

    def standard_input(self, form: Mapping[str, str]) -> str:
        """The text that it reads."""
        return "".join(form.get(each.name, "") for each in self.fields if each.kind is FieldKind.TEXT)

    def typed(self, form: Mapping[str, str]) -> str:
        """It as an operator would type it on the machine."""
        return shlex.join(["pbem", "admin", *self.arguments(form)])


class CommandResult(NamedTuple):
    """The end of a command, and what it has printed."""

    is_done: bool
    printed: str


@dataclass(frozen=True)
class AdminCommands:
    """The commands that operators who have signed in may run."""

    by_path: Mapping[str, AdminCommand]
    """By their words with slashes between: ``players/ban``."""
    run: Callable[[Sequence[str], str, str], CommandResult]
    """Runs one: takes its arguments, its standard input, and the operator, who is recorded."""
