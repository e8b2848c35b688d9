"""Studies in games of the hall, whose moves are written in many ways."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from pbem.domain.records import studied_game
from pbem.games.game import BETWEEN_TURNS
from pbem.hall.game import HallGame
from tests.conversations.playing import ask, imported
from tests.hall.openspiel import each_game
from tests.support.mail import attached
from tests.support.server import GameServer
from tests.support.studied import game_at_random, input_at_random, line_at_random
from tests.support.web_site import WebSite


@each_game
def test_a_study_of_any_game_is_mailed_and_read_again(shared: GameServer, game: HallGame) -> None:
    lot = random.Random(11)
    told = game_at_random(game, 2, 6, lot)
    name = f"ann{game.name}"
    ann = shared.player(name)
    record = {
        "format": "pbem-game/1",
        "game": game.name,
        "options": {},
        "players": [name, f"bob{game.name}"],
        "turns": list(told.record.turns),
    }
    number = imported(shared, record).splitlines()[0].split()[-1]
    before = studied_game(told, game).before
    line = line_at_random(game, before[2], lot, depth=1)
    mail = ask(ann, f"study {number} {name} secret title Mine", f"#3 {line}")
    study = attached(mail)[2]["study"]
    assert mail.text.startswith("Mine\n"), mail.text
    again = ask(ann, f"study {number} {name} secret", f"#3 {line}")
    assert attached(again)[2]["study"] == study


def line_of(game: HallGame, position: Any, lot: random.Random) -> list[str]:
    """Some turns as the list of moves has them."""
    turns = list[str]()
    for _ in range(5):
        steps, position = input_at_random(game, position, lot)
        turns.append(game.input_text(position, steps).move)
    return turns


@each_game
def test_every_move_of_a_study_leads_to_its_board(chosen_url: str, tmp_path: Path, game: HallGame) -> None:
    lot = random.Random(5)
    with WebSite(chosen_url, tmp_path) as site:
        site.joins("alice", "bob")
        number = site.begins(game.name, "alice", "bob")
        one, two, *line = line_of(game, game.begin({}, 2), lot)
        site.moves(number, one.replace(" ", ","), two.replace(" ", ","))  # "f c" would be a userid and a password
        site.says("alice", f"resign {number}")
        site.says("alice", f"study {number}", f"#3 {BETWEEN_TURNS.join(line)}")
        browser = site.browser("alice")
        links = browser.opens(f"/boards/{number}/study").all("//section[@class='table']//li//a/@href")
        assert len(links) == len(line)
        for count, link in enumerate(links, start=1):
            page = browser.opens(link)
            (told,) = map(json.loads, page.all("//@data-line"))
            assert (told["move"], [text for _, text in told["turns"]]) == (2, line[:count])
            as_typed = {"move": 2, "turn": BETWEEN_TURNS.join(turn for turn, _ in told["turns"])}
            again = browser.opens(f"/boards/{number}?{urlencode(as_typed)}")
            assert again.all("//@data-line") == page.all("//@data-line")


@each_game
def test_turns_are_tried_by_mail(shared: GameServer, game: HallGame) -> None:
    ann = shared.player(f"ann{game.name}tries")
    line = line_of(game, game.begin({}, 2), random.Random(7))
    for count in range(1, len(line) + 1):
        turns = f"{BETWEEN_TURNS.join(line[:count])} /"
        shown = ask(ann, f"{game.name} preview new {turns}").text
        assert "how the board would look after" in shown
        assert all(turn in shown for turn in line[:count])
        assert ask(ann, f"explore {game.name} {turns}").text.startswith("Openings of")


def test_a_line_of_hive_goes_on_behind_a_stroke(chosen_url: str, tmp_path: Path) -> None:
    with WebSite(chosen_url, tmp_path) as site:
        site.joins("alice", "bob")
        browser = site.browser("bob")
        path = f"/boards/{site.begins('hive', 'alice', 'bob')}"
        links = browser.opens(f"{path}?{urlencode({'turn': 'wS1 / bS1 wS1/'})}").all("//a/@href")
        before, further = (f"{path}?{urlencode({'turn': turns})}" for turns in ("wS1 / ", "wS1 / bS1 wS1/ / "))
        assert {before, further} <= {*links}
        picks = [parse_qs(urlsplit(each).query)["turn"] for each in browser.opens(further).all("//svg//a/@href")]
        assert ["wS1 / bS1 wS1/ / "] in picks
