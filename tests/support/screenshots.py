"""Pictures of all pages of a made-up server on which much is played: ``make screenshots``.

The boards are played by chance that can be repeated, over the mail. What is taken goes into a folder that is not kept;
the few that documents show are made small and go to docs/screenshots.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page

from tests.support.browser import DARK, PHONE, Visitor, running_chromium
from tests.support.mail import Mail, Person
from tests.support.operators import link_to_admin
from tests.support.ports import free_port
from tests.support.server import RunningServer, running_server

DOCS = Path(__file__).parents[2] / "docs" / "screenshots"
MOST_COLOURS = 64
SIZES: dict[str, dict[str, Any]] = {
    "wide": {"viewport": {"width": 1200, "height": 800}},
    "phone": PHONE,
    "zoomed": {"viewport": {"width": 600, "height": 400}, "device_scale_factor": 2},
}
"""The last is a screen of 1200 to 800 at 200 %."""
SHOW_PICTURES = """async () => {
  const pictures = [...document.querySelectorAll("img.later")].filter((each) => each.checkVisibility());
  for (const each of pictures) {
    each.scrollIntoView();
    while (!each.src) await new Promise(requestAnimationFrame);
    await each.decode();
  }
  scrollTo(0, 0);
}"""
"""Those below the fold load only when they are seen; setting them here would have the page load them once more."""
COLOURS: dict[str, dict[str, Any]] = {"light": {}, "dark": DARK, "forced": {"forced_colors": "active"}}
TURNS = ["B3", "C4,K5", "G2,H7", "D8,R10"]
PAGES = {
    "home": "/",
    "design": "/design",
    "games": "/games",
    "game": "/games/superbo",
    "variant": "/games/mambo/variant",
    "boards": "/boards",
    "superbo": "/boards/101",
    "superbo-move": "/boards/101?pick=A",
    "superbo-past": "/boards/101?move=2",
    "superbo-over": "/boards/102",
    "mamba": "/boards/103",
    "mamba-move": "/boards/103?pick=a4",
    "palago": "/boards/104",
    "puzzles": "/puzzles",
    "puzzle": "/puzzles/1",
    "players": "/players",
    "player": "/players/alice",
    "standings": "/standings/superbo",
    "history": "/history/superbo",
    "tournaments": "/tournaments",
    "tournament": "/tournaments/superbo/spring",
    "help": "/help",
    "help-superbo": "/help/superbo",
    "help-mamba": "/help/mamba",
    "challenge": "/challenge",
    "settings": "/settings",
    "settings-games": "/settings/games",
    "settings-account": "/settings/account",
    "tokens": "/settings/tokens",
    "command": "/command",
    "looks": "/looks",
    "sign-in": "/sign-in",
    "sign-up": "/sign-up",
    "nothing": "/boards/999",
    "admin": "/admin",
}
KEPT = {
    "board": ("/boards/101?pick=A", {**SIZES["wide"], "viewport": {"width": 1100, "height": 850}}),
    "board-dark": ("/boards/103?pick=a4", {**SIZES["wide"], **DARK, "viewport": {"width": 1100, "height": 800}}),
    "phone": ("/boards/101", {**PHONE, "device_scale_factor": 1}),
}
"""The pictures in documents."""


def main(folder: Path) -> None:
    """Take all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    with running_chromium() as chromium, made_up() as server:
        for size, profile in SIZES.items():
            for colours, more in COLOURS.items():
                with visiting(chromium, server, **profile, **more) as visitor:
                    for name, path in PAGES.items():
                        visitor.goes(path)
                        visitor.page.evaluate(SHOW_PICTURES)
                        (folder / f"{name}-{size}-{colours}.png").write_bytes(whole(visitor.page))
        DOCS.mkdir(exist_ok=True)
        for name, (path, profile) in KEPT.items():
            with visiting(chromium, server, **profile) as visitor:
                visitor.goes(path)
                small(visitor.page.screenshot()).save(DOCS / f"{name}.png", optimize=True)


def whole(page: Page) -> bytes:
    """The whole page; where fingers scroll it, in steps, since Chromium takes it for that of a mouse otherwise."""
    if not page.evaluate("navigator.maxTouchPoints"):
        return page.screenshot(full_page=True)
    height, step, wide = page.evaluate("[document.documentElement.scrollHeight, innerHeight, innerWidth]")
    for top in range(0, height, step):
        page.evaluate("top => scrollTo(0, top)", top)
        with Image.open(BytesIO(page.screenshot())) as seen:
            if top == 0:
                scale = seen.width / wide
                picture = Image.new("RGB", (seen.width, round(height * scale)))
            picture.paste(seen, (0, round(page.evaluate("scrollY") * scale)))
    file = BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def small(picture: bytes) -> Image.Image:
    """With few colours: drawings need no more."""
    return Image.open(BytesIO(picture)).convert("RGB").quantize(MOST_COLOURS, dither=Image.Dither.NONE)


@contextmanager
def visiting(chromium: Browser, server: RunningServer, **profile: Any) -> Iterator[Visitor]:
    """Alice at a browser, who is the operator, too."""
    visitor = Visitor.come(chromium, server.web, **profile)
    visitor.expected.append("404")
    visitor.signs_in("alice")
    visitor.goes(f"/admin/sign-in/{link_to_admin(server)}")
    visitor.presses("Sign in")
    yield visitor
    visitor.leave()


@contextmanager
def made_up() -> Iterator[RunningServer]:
    """A server on which much has been played."""
    with TemporaryDirectory() as folder, running_server(Path(folder), web_listen=f"127.0.0.1:{free_port()}") as server:
        alice, bob, carol = (server.player(userid) for userid in ("alice", "bob", "carol"))
        play(begin("superbo challenge alice bob", alice, bob), TURNS)
        play(begin("superbo challenge carol alice", carol, alice), [*TURNS, "A7,V6"])
        begin("mamba challenge -inorder alice bob carol", alice, bob, carol)
        play(begin("palago challenge carol bob", carol, bob), [])
        alice.says("mambo seek -swap")
        alice.hears()
        tournament("spring", alice, bob, carol)
        yield server


def tournament(name: str, *people: Person) -> None:
    """Begin a tournament in which these play."""
    one, *_ = userids = [person.address.partition("@")[0] for person in people]
    deeds = [(one, "create"), *((userid, "join") for userid in userids), (one, "start")]
    for userid, deed in deeds:
        people[userids.index(userid)].says(f"superbo tournament {deed} {userid} secret {name}")
        people[userids.index(userid)].hears()


def begin(command: str, *people: Person) -> list[tuple[Person, Mail]]:
    """Begin a board; the players there, each with their mail of it."""
    people[0].says(command)
    return [(person, person.hears()) for person in people]


def play(players: list[tuple[Person, Mail]], turns: list[str]) -> None:
    """Make turns by replies."""
    for ply, turn in enumerate(turns):
        person, mail = players[ply % len(players)]
        person.answers(mail, turn)
        players = [(each, each.hears()) for each, _ in players]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
