"""Power cuts in a game whose turns come in parts: no part and no answer is lost, none is played twice."""

from __future__ import annotations

import random
from pathlib import Path

from pbem.games.mamba.game import MAMBA
from tests.conversations.mamba import WHOLE, begin, check, next_line
from tests.conversations.playing import played
from tests.support.server import running_server


def test_a_game_with_a_power_cut_behind_every_letter_comes_to_its_end(tmp_path: Path) -> None:
    options, players, seed, seats, winners = WHOLE["two"]
    chance = random.Random(seed)
    position, letters, decisions = MAMBA.begin(options, players), 0, 0
    with running_server(tmp_path) as server:
        table = begin(server, "alice", "bob")
        while position.to_act is not None:
            line = next_line(position, seats, chance)
            table.answer(position.to_act, line.text)
            server.kill()
            server.start()
            table.hear()
            position, letters = line.after, letters + 1
            decisions += position.decision is not None and position.decision.owner != position.on_turn
            assert len(played(server)["events"]) == letters
            for mail in table.mails:
                check(mail, position, table)
        assert decisions
        for userid, mail in zip(table.userids, table.mails, strict=True):
            assert ("\nYou won! " if userid == winners else f"\n{winners} won. ") in mail.text
