"""Mails about boards, and the HTML of mails taken apart."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pbem import folder
from pbem.bootstrap import find_games
from pbem.domain.boards import Board, SeatHolder
from pbem.domain.events import EventKind
from pbem.domain.game_state import GameState, follow
from pbem.domain.players import Address, Player
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.ratings import Rated
from pbem.wording.mails import RenderedMail
from pbem.wording.templates import Wording

GAMES = find_games()
SERVER: dict[str, object] = {"server_address": "pbem@localhost", "trust_from": False, "max_commands": 20}
WORDING = Wording(folder("templates"), SERVER, GAMES)
AT = datetime(2026, 5, 1, 12, tzinfo=UTC)
ALICE = Player(PlayerId(1), "alice", (Address("alice@example.org", AT),), AT, "hash")
REPLY_TO = "pbem+abc@localhost"
COMMENT = {"writer": "bob", "text": "Try <b>this</b> & that\n\n  THIS IS LOUD\n" + "word " * 40}
VOID = {"meta", "img", "br", "hr", "area"}


def played(game: str, turns: int, seed: int = 1) -> Board:
    """A board after some turns drawn by lot; of fewer if the game is over before."""
    lot, rules = random.Random(seed), GAMES[game]
    seats = (SeatHolder(PlayerId(1), "alice"), SeatHolder(PlayerId(2), "bob"))
    board, position = Board(BoardNumber(101), game, {}, 1, 0, seats, AT), rules.begin({}, 2)
    while position.ply < turns and position.outcome is None:
        steps, before = [], position
        while position.ply == before.ply:
            steps.append(lot.choice(position.legal()))
            position = position.play(steps[-1])
        board = board.with_event(EventKind.MOVE, before.to_act or 0, AT, rules.input_record(before, steps))
    return board


def facts(board: Board, reader: Player) -> dict[str, Any]:
    course: GameState = follow(board, GAMES[board.game])
    to_act = None if course.to_act is None else board.seats[course.to_act]
    return {
        "board": board,
        "course": course,
        "game": GAMES[board.game],
        "sides": GAMES[board.game].sides(course.position),
        "to_act": to_act,
        "reader": reader,
        "ratings": None if course.result is None else Rated(),
        "plays": reader is not None and reader.id in board.players,
        "readers_turn": to_act is not None and to_act.player == reader.id,
        "comment": COMMENT,
    }


def html_of(words: RenderedMail) -> str:
    assert words.html is not None
    return words.html


class MailHtml(HTMLParser):
    """Checks that every element is closed in turn, and collects links, pictures and the areas of their maps."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.pictures: list[dict[str, str | None]] = []
        self.areas: list[dict[str, str | None]] = []
        self.maps: list[str | None] = []
        self.unstyled: list[str] = []
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "a":
            self.links.append(given["href"] or "")
        if tag == "img":
            self.pictures.append(given)
        if tag == "area":
            self.areas.append(given)
        if tag == "map":
            self.maps.append(given["name"])
        if tag == "pre" and "font" not in properties(given) and not {"font-family", "color"} <= properties(given):
            self.unstyled.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def properties(attributes: dict[str, str | None]) -> set[str]:
    return {each.partition(":")[0] for each in (attributes.get("style") or "").split(";")}


def body_of(link: str) -> str:
    (body,) = parse_qs(urlsplit(link).query)["body"]
    return body
