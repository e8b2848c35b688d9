"""The metrics that Prometheus reads of a server, with real mails on both databases."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.support.databases import KEY
from tests.support.mail import PATIENCE
from tests.support.server import RunningServer, running_server

Labels = frozenset[tuple[str, str]]


def read(server: RunningServer) -> tuple[dict[tuple[str, Labels], float], str]:
    """All values by name and labels, as the client of Prometheus reads them, and the page itself."""
    (monitor,) = [line.split()[-1] for line in server.lines if line.startswith("pbem: monitor ")]
    page = httpx.get(f"{monitor}/metrics", timeout=60).text
    families = text_string_to_metric_families(page)
    samples = [sample for family in families for sample in family.samples]
    return {(each.name, frozenset(each.labels.items())): each.value for each in samples}, page


def wait_for(holds: Callable[[], bool]) -> None:
    """Ask until it is so."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it never was so"


def test_the_counters_move_as_the_traffic_does_and_tell_nothing_of_players(tmp_path: Path, database_url: str) -> None:
    more = {"database_url": database_url, "secret_key": KEY, "monitor_listen": "127.0.0.1:0"}
    with running_server(tmp_path, web_listen="127.0.0.1:0", **more) as server:
        zoe, quagmire = server.player("zoekling"), server.person("quagmire")
        before, _ = read(server)
        server.postbox.at_rcpt[quagmire.address] = "550 5.1.1 No such user"
        quagmire.says("signup quagmires")
        zoe.says("chess move 1 a1")
        zoe.says("help", "move 1 a1")
        httpx.get(f"{server.web}/players/zoekling", timeout=60)
        zoe.hears(), zoe.hears()

        def grew(name: str, **labels: str) -> float:
            key = (name, frozenset(labels.items()))
            return read(server)[0].get(key, 0) - before.get(key, 0)

        # what is counted of the last letter may be so a moment after its mail has come
        wait_for(lambda: grew("pbem_mails_sent_total") == 2)
        wait_for(lambda: grew("pbem_letters_handled_total", outcome="answered") == 3)
        after, page = read(server)
    assert "zoekling" not in page
    assert "quagmire" not in page
    assert "example.org" not in page
    counted = {key[0]: value - before.get(key, 0) for key, value in after.items() if not dict(key[1]).get("outcome")}
    assert counted["pbem_letters_accepted_total"] == 3
    assert counted["pbem_letter_seconds_count"] == 3
    assert counted["pbem_handling_seconds_count"] == 3
    assert counted["pbem_mails_stored_total"] == 3
    assert counted["pbem_mails_failed_total"] == 1
    assert counted["pbem_mail_seconds_count"] == 2
    assert after["pbem_refusals_total", frozenset({("error", "UnknownGame")})] == 1
    assert after["pbem_http_responses_total", frozenset({("route", "/players/{userid}"), ("status", "2xx")})] == 1
    assert after["pbem_inbox_waiting", frozenset()] == 0
    assert after["pbem_database_up", frozenset()] == 1
    assert after["process_resident_memory_bytes", frozenset()] > 0
