from __future__ import annotations

import asyncio

import httpx

from pbem.web.monitor import make_monitor


class HealthState:
    """The health that a process reports."""

    def __init__(self, stuck: str = "", closed: str = "", out_of_order: str = "") -> None:
        self._stuck, self._closed, self._out_of_order = stuck, closed, out_of_order
        self.asked = 0

    def stuck(self) -> list[str]:
        return [self._stuck] if self._stuck else []

    def closed(self) -> list[str]:
        return [self._closed] if self._closed else []

    def out_of_order(self) -> list[str]:
        self.asked += 1
        return [self._out_of_order] if self._out_of_order else []


def told(state: HealthState, path: str) -> tuple[int, object]:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(make_monitor(state.stuck, state.closed, state.out_of_order))
        async with httpx.AsyncClient(transport=transport, base_url="http://monitor") as client:
            return await client.get(path)

    answer = asyncio.run(ask())
    return answer.status_code, answer.json()


def test_a_process_that_is_well_lives_and_is_ready() -> None:
    assert told(HealthState(), "/live") == (200, {"status": "live"})
    assert told(HealthState(), "/ready") == (200, {"status": "ready"})


def test_one_that_is_stuck_does_not_live_and_may_be_ready() -> None:
    stuck = HealthState(stuck="the loop worker is stuck")
    assert told(stuck, "/live") == (503, {"status": "not live", "because": ["the loop worker is stuck"]})
    assert told(stuck, "/ready")[0] == 200


def test_one_that_takes_no_work_lives_and_its_database_is_not_asked() -> None:
    ending = HealthState(closed="it is ending")
    assert told(ending, "/ready") == (503, {"status": "not ready", "because": ["it is ending"]})
    assert told(ending, "/live")[0] == 200
    assert ending.asked == 0


def test_one_whose_database_is_away_lives_and_is_not_ready() -> None:
    lost = HealthState(out_of_order="the database does not answer")
    assert told(lost, "/ready") == (503, {"status": "not ready", "because": ["the database does not answer"]})
    assert told(lost, "/live")[0] == 200
