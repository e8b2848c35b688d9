"""The tasks that robots are given to think about."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.bots.thinking import PLAYOUTS_FOR_DRAW, seed_of
from pbem.domain.robots import RobotTask, TaskKind
from pbem.ids import BoardNumber
from pbem.usecases.context import Context
from pbem.usecases.searches import PositionInquiry, inquiry_for
from pbem.workers.search_processes import SearchProcess
from tests.support.stepped_robots import SteppedRobots
from tests.support.stepped_server import SteppedServer


def inquiry_for_robot1(stepped: SteppedServer, event: int, kind: TaskKind) -> PositionInquiry:
    """The position that robot1 has to think about at the first board, after this event."""

    def ask(context: Context) -> PositionInquiry | None:
        robot = context.uow.players.by_userid("robot1")
        assert robot is not None
        return inquiry_for(RobotTask(BoardNumber(101), event, robot.id, robot.userid, kind), context)

    asked = stepped.server.executor.look(ask, datetime.now(UTC))
    assert isinstance(asked, PositionInquiry)
    return asked


def test_what_a_robot_will_play_follows_from_the_board_and_the_secret_key_alone(
    chosen_url: str, tmp_path: Path, mind: SearchProcess
) -> None:
    seeds: list[int] = []
    for key in ("a key for tests alone", "a key for tests alone", "another key for tests"):
        stepped = SteppedServer(chosen_url, tmp_path, PBEM_SECRET_KEY=key, PBEM_TRUST_FROM="true")
        if not seeds:
            SteppedRobots(stepped, mind).says("palago challenge robot1 alice")
        seeds.append(inquiry_for_robot1(stepped, 0, TaskKind.ACT).seed)
        stepped.server.close()
    assert seeds[0] == seeds[1] != seeds[2]
    assert seed_of(101, 0, "robot1") not in seeds


@pytest.mark.parametrize(("most", "playouts"), [({}, PLAYOUTS_FOR_DRAW), ({"PBEM_MAX_PLAYOUTS": "5"}, 5)])
def test_the_weakest_judges_a_draw_with_care_unless_the_machine_is_too_slow(
    robots: SteppedRobots, chosen_url: str, tmp_path: Path, most: dict[str, str], playouts: int
) -> None:
    robots.says("palago challenge alice robot1", "move 101 a1")
    robots.thinks()
    robots.says("propose 101")
    robots.stepped.server.close()
    stepped = SteppedServer(chosen_url, tmp_path, **most)
    assert inquiry_for_robot1(stepped, 3, TaskKind.DRAW).playouts == playouts
    stepped.server.close()
