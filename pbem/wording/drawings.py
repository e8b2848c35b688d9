"""What boards in letters show, as drawings: mails have the letters, pages the drawings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import dedent
from typing import Self

from markupsafe import Markup

_APART = "\n\n"


@dataclass(frozen=True)
class Drawing:
    """A board, or a tile, as SVG."""

    make: Callable[[], str]
    """Makes it; hardly any is ever looked at in letters alone."""
    caption: str = ""
    """What stands below it: the number of a tile's state."""

    @property
    def svg(self) -> Markup:
        """The drawing as markup."""
        return Markup(self.make())  # noqa: S704 - made by `pbem.diagrams`


class Letters(str):
    """A board in letters that knows its drawings."""

    drawings: Sequence[Drawing]

    @classmethod
    def drawn(cls, letters: str, drawings: Sequence[Drawing]) -> Self:
        """The letters, with what they show."""
        found = cls(letters)
        found.drawings = drawings
        return found


class Drawings:
    """The drawings of all boards in letters that templates have asked for, by their letters.

    Templates are text, so a board is known again by its letters alone when their text is made into a page.
    """

    def __init__(self) -> None:
        self._known: dict[str, Sequence[Drawing]] = {}

    def keep(self, letters: str, drawings: Sequence[Drawing]) -> Letters:
        """The letters, of which these are the drawings from now on."""
        self._known[_plain(letters)] = drawings
        return Letters.drawn(letters, drawings)

    def of(self, letters: str) -> Sequence[Drawing]:
        """The drawings of a board in letters, wherever it stands in its line; none if it is something else."""
        return self._known.get(_plain(letters), ())

    def split(self, text: str) -> Iterator[tuple[str, Sequence[Drawing]]]:
        """Lines that stay as they are, boards apart from what else stands there; each board with its drawings."""
        parts, other = text.split(_APART), list[str]()
        while parts:
            size = next((n for n in range(len(parts), 0, -1) if self.of(_APART.join(parts[:n]))), 0)
            if size and other:
                yield _APART.join(other), ()
                other = []
            if size:
                board = _APART.join(parts[:size])
                yield board, self.of(board)
            other, parts = [*other, *parts[:1]] if not size else [], parts[size or 1 :]
        if other:
            yield _APART.join(other), ()


def drawings_in(figures: Sequence[str]) -> Sequence[Drawing]:
    """The drawings of several boards, in their order."""
    return [each for figure in figures if isinstance(figure, Letters) for each in figure.drawings]


def _plain(letters: str) -> str:
    return dedent("\n".join(line.rstrip() for line in letters.strip("\n").split("\n")))
