"""Boards for those who do not see: played by Chromium's accessibility tree and the keyboard, and on small screens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.support.browser import Visitor, barriers
from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import seat, waits_until

AROUND = re.compile(r"(above|upper right|lower right|below|lower left|upper left): \S")
"""The beginning of a description: the neighbours of a tile or space."""

MOST_KEYS = 150
"""Presses of a key before a listener gives up."""

TURNS = ("F5", "D7,H10", "T3,G9", "Q2")
"""A whole game of Superbo; the second player wins by a closed group with an eye."""

ARROWS = ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft")


@dataclass(frozen=True)
class Heard:
    """An element as a screen reader says it."""

    role: str
    name: str
    description: str


@dataclass
class Listener:
    """A player who hears a page and has a keyboard: nothing here looks at the page but by its accessibility tree."""

    page: Page
    tree: CDPSession

    @classmethod
    def to(cls, visitor: Visitor) -> Listener:
        """Listen to the page of a visitor."""
        return cls(visitor.page, visitor.context.new_cdp_session(visitor.page))

    def nodes(self) -> list[dict[str, Any]]:
        """The whole tree, with parts that are only passed through."""
        nodes: list[dict[str, Any]] = self.tree.send("Accessibility.getFullAXTree")["nodes"]
        return nodes

    def all(self) -> Iterator[Heard]:
        """Everything on the page."""
        return (_heard(node) for node in self.nodes() if not node["ignored"])

    @property
    def focused(self) -> Heard:
        """The element that has the keyboard."""
        held = [node for node in self.nodes() if _is_focused(node)]
        return _heard(held[-1]) if held else Heard("", "", "")

    @property
    def announced(self) -> str:
        """The words of live regions."""
        return self._said_in("status", "alert")

    @property
    def said(self) -> str:
        """The whole page."""
        return self._said_in("RootWebArea")

    def _said_in(self, *roles: str) -> str:
        nodes = {node["nodeId"]: node for node in self.nodes()}
        told = [_text(node, nodes) for node in nodes.values() if node["role"]["value"] in roles]
        return " ".join(" ".join(told).split())

    def presses(self, key: str, until: Callable[[Heard], bool]) -> Heard:
        """Press a key until the keyboard has come to something."""
        for _ in range(MOST_KEYS):
            if until(held := self.focused):
                return held
            self.page.keyboard.press(key)
        raise AssertionError(f"{key} does not lead there, but to {self.focused}")

    def comes_to(self, role: str, name: str) -> Heard:
        """Press the tabulator until the keyboard has come to an element of this name."""
        return self.presses("Tab", lambda held: held.role == role and re.match(name, held.name) is not None)

    def enters_board(self) -> Heard:
        """Come to the one tile or space of the board that the tabulator stops at."""
        return self.presses("Tab", lambda held: AROUND.match(held.description) is not None)

    def walks(self, name: str) -> dict[str, dict[str, str]]:
        """Walk by arrow keys until something on the board has this name; return the ways that were tried.

        If nothing has, all ways are.
        """
        ways: dict[str, dict[str, str]] = {}
        here = self.enters_board().name
        while not re.match(name, here):
            ways.setdefault(here, {})
            keys = _to_untried(here, ways)
            if not keys:
                break
            for key in keys:
                self.page.keyboard.press(key)
                there = self.focused.name
                ways[here][key] = there
                here = there
                ways.setdefault(here, {})
        return ways

    def lays(self, placement: str) -> None:
        """Lay a tile: walk to its space, turn the tile until it is the right one, and lay it."""
        label = placement.rstrip("0123456789")
        self.walks(rf"Space {label}: \d+ states? can be laid")
        self.page.keyboard.press("Enter")
        self.waits(lambda: re.match(rf"{label}\d+: ", self.focused.name) is not None)
        held = self.presses("ArrowRight", lambda held: held.name.startswith(f"{placement}: "))
        assert re.search(r"(orange|blue) bridge from .+ to .+, (orange|blue) tip ", held.name)
        self.page.keyboard.press("Enter")
        self.waits(lambda: not self.focused.name.startswith(placement))

    def waits_for_words(self, words: str) -> None:
        """Wait until a live region says something."""
        self.waits(lambda: words in self.announced)

    def waits(self, is_so: Callable[[], bool]) -> None:
        """Wait until something is so."""
        waits_until(self.page, is_so)


def _to_untried(here: str, ways: dict[str, dict[str, str]]) -> list[str]:
    """The keys that lead over known ways to the nearest that has not been tried, and along that."""
    found: dict[str, list[str]] = {here: []}
    for name in (queue := [here]):
        untried = [key for key in ARROWS if key not in ways[name]]
        if untried:
            return [*found[name], untried[0]]
        for key, there in ways[name].items():
            if there not in found:
                found[there] = [*found[name], key]
                queue.append(there)
    return []


def _heard(node: dict[str, Any]) -> Heard:
    said = [str(node.get(key, {}).get("value", "")) for key in ("role", "name", "description")]
    return Heard(said[0], said[1], said[2])


def _is_focused(node: dict[str, Any]) -> bool:
    facts = {each["name"]: each["value"].get("value") for each in node.get("properties", ())}
    return bool(facts.get("focused")) and node["role"]["value"] != "RootWebArea"


def _text(node: dict[str, Any], nodes: dict[str, dict[str, Any]]) -> str:
    if node["role"]["value"] == "StaticText" and not node["ignored"]:
        return str(node["name"]["value"])
    return "".join(_text(nodes[each], nodes) for each in node.get("childIds", ()) if each in nodes)


def test_a_whole_game_is_played_by_what_a_screen_reader_says(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "ida", "ivo")
    players = [Listener.to(visitor) for visitor in table.visitors]
    for ply, turn in enumerate(TURNS):
        mover, other = players[ply % 2], players[1 - ply % 2]
        for placement in turn.split(","):
            mover.lays(placement)
            mover.waits_for_words(placement)
        mover.comes_to("button", f"Play {turn}$")
        mover.page.keyboard.press("Enter")
        if ply + 1 < len(TURNS):
            other.waits_for_words(f"Last: move {ply + 1} by {table.userids[ply % 2]}, {turn}")
    players[0].waits_for_words("You lost")
    players[1].waits(lambda: "won" in players[1].said)


def test_every_tile_and_space_has_a_name_and_is_reached_by_arrow_keys(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "lea", "lot")
    table.goes_on("B3", "C4,K5")
    visitor = table.visitors[0]
    listener = Listener.to(visitor)
    ways = listener.walks("nowhere")
    tiles = {name for name in ways if not name.startswith("Space ")}
    assert tiles == {
        "start tile: orange bridge from upper right to lower right, blue tip left",
        "B3: orange bridge from left to upper right, blue tip lower right",
        "C4: blue bridge from upper right to lower right, orange tip left; laid in the last turn",
        "K5: blue bridge from left to lower right, orange tip upper right; laid in the last turn",
    }
    assert set(ways) - tiles == {each.name for each in listener.all() if re.match(r"Space \S+:", each.name)}
    listener.walks("B3:")
    around = ("above: G", "upper right: H", "lower right: J", "below: C4", "lower left: start tile", "upper left: A")
    assert listener.focused.description == "; ".join(around)
    listener.lays("H3")
    assert "H3, then automatically J6" in listener.announced
    ways = listener.walks("nowhere")
    assert any(re.match(r"H3: .*; not sent yet$", name) for name in ways)
    assert any(re.match(r"J6: .*; laid automatically in that turn; not sent yet$", name) for name in ways)
    assert barriers(visitor) == []


IS_SEEN = """held => {
    const box = held.getBoundingClientRect(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return box.y >= 0 && box.bottom <= innerHeight + 1 && held.contains(document.elementFromPoint(x, y));
}"""
"""True if the whole height of an element is on the screen, and nothing covers its middle."""


@pytest.mark.parametrize("size", [(640, 400), (320, 200)], ids=["low", "low and twice as large"])
def test_states_and_the_button_to_send_are_reached_on_low_screens(
    server: RunningServer, come: Come, size: tuple[int, int]
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    table = seat(server, come, "superbo", "pam", "pat", viewport=viewport, device_scale_factor=2)
    listener = Listener.to(table.visitors[0])
    page = listener.page
    listener.enters_board()
    page.keyboard.press("Enter")
    listener.waits(lambda: re.match(r"[A-F]\d+: ", listener.focused.name) is not None)
    held = page.locator(":focus")
    choices = page.get_by_role("list").get_by_role("link", name=re.compile(r"^[A-F]\d+: "))
    assert choices.count() > 1
    for number in range(choices.count()):
        expect(choices.nth(number)).to_have_accessible_name(re.compile(r"^[A-F]\d+: .* bridge from "))
        listener.presses("Tab", lambda _: choices.nth(number).evaluate("each => each === document.activeElement"))  # noqa: B023
        assert held.evaluate(IS_SEEN), held.inner_text()
    for link in ("Play ", "Write something with it"):
        listener.comes_to("link", link)
        assert held.evaluate(IS_SEEN)
    page.keyboard.press("Enter")
    listener.waits(lambda: listener.focused.name.startswith("Play "))
    assert held.evaluate(IS_SEEN)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
