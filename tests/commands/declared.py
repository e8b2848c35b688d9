"""The tables of all verbs and commands, as they are declared: who may do what, at a glance.

python -m tests.commands.declared   # writes declarations.txt
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path

from pbem.commands.command import Command
from pbem.commands.verb import Place
from pbem.commands.verbs import COMMANDS, VERBS

TABLES = Path(__file__).with_name("declarations.txt")


def declarations() -> str:
    """Both tables."""
    return "\n".join((*table(verbs()), "", *table(commands()), ""))


def verbs() -> Iterable[Sequence[str]]:
    yield ("verb", "group", "in front", "board", "care", "password", "other names")
    for verb in VERBS.values():
        names = " ".join((*verb.other_names, *([f"{verb.beginning}..."] if verb.beginning else [])))
        board = "" if verb.board is Place.NOWHERE else verb.board.value
        front = "" if verb.scope.value == "server" else verb.scope.value
        password = "may stand" if verb.takes_password else ""
        yield (verb.word, verb.group.value, front, board, verb.care.name.lower(), password, names)


def commands() -> Iterable[Sequence[str]]:
    yield ("command", "verb", "needs", "account closed", "fields")
    for command in sorted(COMMANDS, key=lambda each: list(VERBS).index(each.form)):
        closed = "if frozen or banned" if command.only_shows else "if banned" if command.about_own_data else ""
        yield (command.__name__, command.form, command.needs.name.lower(), closed, ", ".join(fields_of(command)))


def fields_of(command: type[Command]) -> Iterable[str]:
    """Each field with its type; one with a password is marked."""
    return (f"{each.name}: {each.type}{'' if each.repr else ' (secret)'}" for each in fields(command))


def table(rows: Iterable[Sequence[str]]) -> Iterable[str]:
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


if __name__ == "__main__":
    TABLES.write_text(declarations())
