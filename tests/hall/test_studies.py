"""Studies in games of the hall, whose moves are written in many ways."""

from __future__ import annotations

import random

from pbem.domain.records import studied_game
from pbem.hall.game import HallGame
from tests.conversations.playing import ask, imported
from tests.hall.openspiel import each_game
from tests.support.mail import attached
from tests.support.server import GameServer
from tests.support.studied import game_at_random, line_at_random


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
