"""``pbem diagram``: a drawing of hexagonal tiles in words, as JSON, or drawn again."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import BinaryIO

import click

from pbem.bootstrap import find_games
from pbem.bootstrap.wording import make_wording
from pbem.cli.arguments import known_game
from pbem.cli.output import end
from pbem.config import Settings
from pbem.diagrams.hextile import Picture, letters, parse, png, svg
from pbem.diagrams.hextile.parse import Drawing
from pbem.errors import NotAllowed, PlayerError
from pbem.games.hextile import HexTileGame, facts
from pbem.games.hextile.grid import Cell, Colour
from pbem.games.hextile.layout import Layout, survey
from pbem.games.hextile.ruleset import Ruleset
from pbem.wording.layout import ranges

MOST_BYTES = 4 * parse.MOST_CHARACTERS
"""UTF-8 has at most four bytes for a character."""
_OUT = click.Path(dir_okay=False, allow_dash=True)


@click.command()
@click.argument("game", callback=known_game)
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: tiles, spaces, null_points, groups.")
@click.option("--render", is_flag=True, help="Print the drawing again, cropped.")
@click.option("--svg", type=_OUT, metavar="OUT", help="Write a picture as SVG; - means standard output.")
@click.option("--png", type=_OUT, metavar="OUT", help="Write a picture as PNG; - means standard output.")
def diagram(game: str, file: BinaryIO, svg: str | None, png: str | None, *, as_json: bool, render: bool) -> None:
    """Explain a drawing of a position in GAME.

    GAME is a game of hexagonal tiles. Reads the drawing from FILE, or from standard input if there is none: text as in
    the mails, with or without labels, at any position on the lines. Prints its tiles, groups and spaces as text, unless
    you choose another output.
    """
    if as_json + render + (svg == "-") + (png == "-") > 1:
        raise click.UsageError("Only one of --json, --render, --svg - and --png - can be printed at a time.")
    if png == "-" and sys.stdout.isatty():
        raise click.UsageError("A PNG cannot be shown on a terminal: name a file, or pipe it into another program.")
    try:
        shown = Diagram(game, file)
    except PlayerError as wrong:
        end(make_wording(Settings()).reason_line(wrong))
    _write(svg, shown.svg)
    _write(png, shown.png)
    if as_json:
        click.echo(shown.json(), nl=False)
    elif render:
        click.echo(shown.render(), nl=False)
    elif svg is None and png is None:
        click.echo(shown.words(), nl=False)


def _write(out: str | None, make: Callable[[], bytes]) -> None:
    """Write the result into a file, if one is named."""
    if out is None:
        return
    try:
        with click.open_file(out, "wb") as file:
            file.write(make())
    except OSError as failed:
        end(f"{out} cannot be written: {failed.strerror}")


class NotOfTiles(NotAllowed):
    """The game is not played with hexagonal tiles; ``games`` are those that are."""

    title: str
    games: Sequence[str]


class Diagram:
    """A drawing that was read, with its translations into other forms.

    Args:
        name: of one of the games of this server.
        source: contains the drawing, in UTF-8.

    Raises:
        PlayerError: the game has no such drawings, or this is none.
    """

    def __init__(self, name: str, source: BinaryIO) -> None:
        self._game = _game(name)
        self._rules = self._game.ruleset({})
        text = source.read(MOST_BYTES + 1).decode(errors="replace")
        self._drawing = parse.read_drawing(text, self._rules.states)
        self._layout = _layout(self._drawing, self._rules)
        self._wording = make_wording(Settings())

    def json(self) -> str:
        """Tiles, spaces, null points and groups on one line."""
        layout = self._layout
        shown = {
            "tiles": facts.tiles_json(layout.tiles),
            "spaces": facts.spaces_json(layout),
            "null_points": facts.null_points_json(layout),
            "groups": facts.groups_json(facts.group_facts(layout)),
        }
        return json.dumps(shown) + "\n"

    def words(self) -> str:
        """The same facts as text."""
        layout, names = self._layout, self._names()
        groups = facts.group_facts(layout)
        told = {
            "board": letters.draw(layout.tiles, names | dict.fromkeys(layout.null_points, letters.NULL_POINT)),
            "named_afresh": names != self._named_in_drawing(),
            "groups": groups,
            "ways_out": [[names[cell] for cell in group.liberties] for group in groups],
        }
        return self._wording.tool("diagram", self._counted() | told)

    def render(self) -> str:
        """The drawing again: text in its spaces remains, blanks around it go."""
        return f"{self._drawing}\n"

    def svg(self) -> bytes:
        """A picture for the web."""
        return svg.draw(self._picture()).encode()

    def png(self) -> bytes:
        """A picture for mails."""
        return png.draw(self._picture())

    def _counted(self) -> dict[str, object]:
        """The facts for the title."""
        layout, fitting = self._layout, self._layout.states.fitting
        names = self._names()
        return {
            "title": self._game.title,
            "tiles": [f"{_at(cell)} state {state.number}" for cell, state in layout.tiles.items()],
            "spaces": [
                f"{name} at {_at(cell)}: {ranges(tuple(state.number for state in fitting(space.decided)))}"
                for cell, name in names.items()
                for space in (layout.spaces[cell],)
            ],
            "null_points": [_at(cell) for cell in layout.null_points],
        }

    def _names(self) -> dict[Cell, str]:
        """The names of the playable spaces: those in the drawing, if it labels each one differently; else new ones."""
        blocked, drawn = set(self._layout.null_points), self._named_in_drawing()
        fresh = {cell: label for cell, label in self._layout.labels.items() if cell not in blocked}
        names = [label.upper() for label in drawn.values()]
        return drawn if drawn.keys() == fresh.keys() and len(set(names)) == len(names) else fresh

    def _named_in_drawing(self) -> dict[Cell, str]:
        """The labels of the drawing except null points, in their order."""
        blocked = set(self._layout.null_points)
        named = [(cell, label) for cell, label in self._drawing.labels.items() if cell not in blocked]
        return dict(sorted(named, key=lambda each: (len(each[1]), each[1].upper())))

    def _picture(self) -> Picture:
        title = self._wording.tool("diagram_title", self._counted()).strip()
        return Picture(
            self._layout.tiles,
            self._named_in_drawing(),
            null_points=self._layout.null_points,
            dark=Colour.WHITE in self._rules.colours,
            title=title,
        )


def _game(name: str) -> HexTileGame:
    games = find_games()
    game = games[name]
    if not isinstance(game, HexTileGame):
        raise NotOfTiles(game.title, sorted(each for each in games if isinstance(games[each], HexTileGame)))
    return game


def _layout(drawing: Drawing, rules: Ruleset) -> Layout:
    """The drawn position; a game with a first tile on the board from the start has no empty one."""
    if drawing.tiles:
        return survey(drawing.tiles, rules.states)
    if rules.start is not None:
        raise parse.NothingDrawn
    return Layout(rules.states).open_at(Cell(0, 0))


def _at(cell: Cell) -> str:
    return f"{cell.q},{cell.r}"
