"""Boards on which recorded games stand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from pbem.bootstrap import find_games
from pbem.domain.boards import SeatHolder
from pbem.domain.records import replay
from pbem.games.records import read_record
from pbem.ids import BoardNumber
from tests.storage.stock import AT
from tests.support.web_site import WebSite

GAMES = Path(__file__).parents[1] / "games"
USERIDS = ("alice", "bob", "carol", "dan")


def records() -> list[dict[str, Any]]:
    """Of each game the longest that was recorded."""
    files = sorted(each for each in GAMES.glob("*/playthroughs/*.jsonl") if not each.stem.startswith("rules-"))
    games = [[json.loads(line)["record"] for line in file.read_text().splitlines()] for file in files]
    return [max(recorded, key=lambda record: len(record["turns"])) for recorded in games]


def stands(site: WebSite, record: dict[str, Any], turns: int) -> int:
    """Put a recorded game on a board, as it stood after so many turns."""
    stood = replay(read_record(record | {"turns": record["turns"][:turns]}), find_games()[record["game"]], AT)
    assert stood.error is None
    number = BoardNumber(500 + turns)
    with site.server.unit_of_work() as uow:
        players = [uow.players.by_userid(userid) for userid in USERIDS[: len(stood.board.seats)]]
        seats = tuple(SeatHolder(each.id, each.userid) for each in players if each is not None)
        uow.boards.save(replace(stood.board, number=number, seats=seats))
        uow.commit()
    return int(number)
