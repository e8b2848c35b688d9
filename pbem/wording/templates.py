"""Fills templates in: subject and body of a notice, the sentence of a refusal, the pages of the help."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from pbem.wording.boards import Drawer, example_turn, move_list
from pbem.wording.figures import Figures
from pbem.wording.help import Help
from pbem.wording.layout import columns, duration, fill, listed, tidy, wrap

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

    from pbem.domain.boards import Board
    from pbem.domain.notices import Notice
    from pbem.errors import PlayerError
    from pbem.games.game import Game


@dataclass(frozen=True, slots=True)
class Words:
    """A notice in words."""

    subject: str
    body: str


def template_name(leaf: type) -> str:
    """The template of a class: ``CornerMismatch`` → ``corner_mismatch``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", leaf.__name__).lower()


def _seat_name(seat: int, board: Board) -> str:
    return board.seats[seat].userid


class Wording:
    """The templates of one folder.

    Args:
        folder: holds a folder for each language.
        server: facts that every template may use, the server's address among them.
        games: that the help pages show boards of, by name.
        language: the folder within the folder.
    """

    def __init__(
        self,
        folder: Path,
        server: Mapping[str, object],
        games: Mapping[str, Game[Any, Any]] | None = None,
        language: str = "en",
    ) -> None:
        self._env = Environment(
            loader=FileSystemLoader([folder / language, folder]),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            autoescape=select_autoescape(["html"]),
        )
        self.help = Help(self._env)
        self._env.globals.update(
            server,
            reason=self.reason,
            said=self._said,
            drawn=Drawer(),
            move_list=move_list,
            example_turn=example_turn,
            help=self.help,
            **Figures(games or {}).functions,
        )
        self._env.filters.update(fill=fill, wrap=wrap, columns=columns, listed=listed, duration=duration)
        self._env.filters.update(seat_name=_seat_name, zip=zip)

    def render(self, notice: Notice) -> Words:
        """Subject and body of a notice."""
        text = self._env.get_template(f"{notice.name}.txt").render(notice.facts)
        head, _, body = text.partition("\n")
        subject = " ".join(head.removeprefix("Subject:").split())
        return Words(subject, tidy(body))

    def page(self, name: str, facts: Mapping[str, object]) -> str:
        """A page for the web."""
        return self._env.get_template(f"web/{name}.html").render(facts)

    def reason(self, error: PlayerError) -> str:
        """What stands in the way, in a sentence or two."""
        text = self._env.get_template(f"errors/{template_name(type(error))}.txt").render(error.facts)
        return fill(text)

    def _said(self, notice: Notice) -> str:
        return self.render(notice).body.strip("\n")
