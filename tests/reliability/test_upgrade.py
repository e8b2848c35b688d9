"""An upgrade process by process: the version that was released last runs beside this one on one database."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random

import httpx
import pytest

from pbem.storage import schema
from tests.reliability.posts import PASSWORD, PlayingPair
from tests.reliability.street import Street, Trouble, play, street
from tests.support.databases import engine_at
from tests.support.mail import PATIENCE
from tests.support.previous_version import UpgradableServer, previous_sources
from tests.support.server import RunningServer

SIX_MOVES = partial(PlayingPair.letters, moves=6)


class Upgrade:
    """The steps of an upgrade, each of them a trouble for those who play meanwhile."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._cookies = httpx.Cookies()

    def sign_in(self, processes: Street, _random: Random) -> None:
        """Have a browser sign in at the previous version."""
        web = processes.houses["clock,web"][0].web
        form = {"userid": PlayingPair("p0", 101).players[0], "password": PASSWORD}
        answer = httpx.post(f"{web}/sign-in/password", data=form, headers={"Origin": web}, timeout=PATIENCE)
        assert answer.status_code == 303, answer.text
        self._cookies.update(answer.cookies)

    def check_session(self, processes: Street) -> None:
        """See that the browser is signed in, wherever it asks."""
        for each in processes.houses["clock,web"]:
            page = httpx.get(f"{each.web}/settings", cookies=self._cookies, timeout=PATIENCE)
            assert page.status_code == 200, page.text

    def of(self, roles: str, place: int) -> Trouble:
        """The upgrade of one process."""

        def trouble(processes: Street, _random: Random) -> None:
            self.upgrade(processes, processes.houses[roles][place])
            with engine_at(self._url) as engine:
                assert schema.revisions(engine) == (schema.newest(),) * 2

        return trouble

    def upgrade(self, processes: Street, behind: RunningServer) -> None:
        assert isinstance(behind, UpgradableServer)
        behind.upgrade()
        self.check_session(processes)


def test_letters_and_sessions_survive_an_upgrade_process_by_process(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, empty_postgresql_url: str
) -> None:
    sources = previous_sources(tmp_path_factory.mktemp("previous"))
    upgrade = Upgrade(empty_postgresql_url)
    steps = [
        upgrade.sign_in,
        *(upgrade.of(roles, place) for roles, place in (("smtp", 0), ("smtp", 1), ("worker", 0))),
        *(upgrade.of("delivery", place) for place in (0, 1)),
    ]
    with street(tmp_path, partial(UpgradableServer, sources), database_url=empty_postgresql_url) as processes:
        assert play(processes, 5, 4, SIX_MOVES, steps) == 0
        newer, older = processes.houses["worker"]
        somebody = processes.houses["smtp"][0].person("somebody")
        for resting, words in ((newer, "help"), (older, "games")):  # so that the other version answers alone
            assert resting.stop() == 0
            somebody.says(words)
            assert somebody.hears().text
            upgrade.upgrade(processes, resting)
        for each in processes.houses["clock,web"]:
            upgrade.upgrade(processes, each)
        failed = [
            line for each in processes.all for line in each.lines if "step failed" in line or "not handled" in line
        ]
        assert not failed
