"""The forms of the commands, read from the templates that refusals show them by."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from jinja2 import Environment

from pbem.commands.verbs import GROUPS

_LINE = re.compile(r"    (?P<form>\S+(?: \S+)*)(?:  +(?P<meaning>\S.*))?")
_IN_ANSWER = "in an answer"
"""Begins what is said of a form that an answer to a board's mail may have."""


@dataclass(frozen=True, slots=True)
class Form:
    """What a verb can be told to do, and how that is said: ``move <board> <move>`` makes a move."""

    meaning: str
    says: tuple[str, ...]
    """Shortest first, as a rule: without userid and password, with them, and otherwise."""
    in_answer: str | None = None
    """How an answer to a board's mail may say it."""


class Forms:
    """The forms of every verb.

    Args:
        environment: loads the templates.
    """

    def __init__(self, environment: Environment) -> None:
        self._environment = environment

    def __call__(self, verb: str) -> tuple[Form, ...]:
        """All forms of a verb; ``<game>`` stands for the name of one."""
        template = self._environment.get_template(f"forms/{verb}.txt")
        return tuple(_forms(template.render(game_name="<game>").split("\n")))

    @property
    def groups(self) -> Mapping[str, Mapping[str, Sequence[Form]]]:
        """The forms of all verbs, by group and verb."""
        return {group: {verb: self(verb) for verb in verbs} for group, verbs in GROUPS.items()}


def _forms(lines: Sequence[str]) -> Iterator[Form]:
    """A line that means something of its own begins a form; the others say the same in another way."""
    meaning, in_answer = "", None
    says: list[str] = []
    for match in filter(None, map(_LINE.fullmatch, lines)):
        said = match["meaning"] or ""
        if said.startswith(_IN_ANSWER):
            in_answer = match["form"]
            continue
        if said and says:
            yield Form(meaning, tuple(says), in_answer)
            says, in_answer = [], None
        meaning = said or meaning
        says.append(match["form"])
    yield Form(meaning, tuple(says), in_answer)
