"""Pages that come from a replica of the database: a real one, whose replay is held up."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import Connection

from pbem.ids import BoardNumber
from pbem.storage.replica import ReplicaUnusable
from tests.support.databases import model_on
from tests.support.mail import PATIENCE
from tests.support.postgresql import Cluster
from tests.support.web_site import WebClient, WebSite
from tests.web.api.requests import make, post
from tests.web.visiting import fills, newest_link, sends, with_robots

HOURS = "3600"


class Replicated:
    """A site with a replica, a database of its own, and a board of alice and bob."""

    def __init__(self, site: WebSite, replica: Cluster, database: str) -> None:
        self.site = site
        self.replica = replica
        self._database = database

    def does(self, what: str) -> object:
        """Have the replica do something; return what comes of it."""
        with psycopg.connect(self.replica.server.url(self._database).replace("+psycopg", ""), autocommit=True) as there:
            row = there.execute(sql.SQL(f"SELECT {what}")).fetchone()
        return row and row[0]

    def pauses(self) -> None:
        """Have the replica replay no further, once it is known to be up to date."""
        self.catches_up()
        assert moves_shown(self.site.guest()) == 0
        self.does("pg_wal_replay_pause()")
        wait_for(lambda: self.does("pg_get_wal_replay_pause_state()") == "paused")

    def catches_up(self) -> None:
        """Wait until the replica has replayed everything."""
        with self.site.server.engine.connect() as connection:
            written = connection.exec_driver_sql("SELECT pg_current_wal_lsn()").scalar()
        wait_for(lambda: self._has_replayed(str(written)))

    def _has_replayed(self, position: str) -> bool:
        try:
            with psycopg.connect(self.replica.server.url(self._database).replace("+psycopg", "")) as there:
                row = there.execute("SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", [position]).fetchone()
        except psycopg.OperationalError:  # it has not made the database yet
            return False
        return row == (True,)

    def looks(self) -> dict[str, float]:
        """The number of looks for which a replica would do, by who has answered."""
        samples = (each for metric in self.site.server.meters.replica_looks.collect() for each in metric.samples)
        return {each.labels["by"]: each.value for each in samples if each.name.endswith("_total")}


def wait_for(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it never was so"
        time.sleep(0.02)


def moves_shown(client: WebClient, number: int = 101, **headers: str) -> int:
    """The number of moves on the page of a board."""
    answer = client.asks(
        f"/boards/{number}.json", headers={name.replace("_", "-"): text for name, text in headers.items()}
    )
    assert answer.status_code == 200
    return int(answer.json()["moves"])


@pytest.fixture
def replicated(clusters: tuple[Cluster, Cluster], tmp_path: Path) -> Iterator[Replicated]:
    with with_lag(HOURS, clusters, tmp_path) as made:
        yield made


@contextmanager
def with_lag(seconds: str, clusters: tuple[Cluster, Cluster], folder: Path) -> Iterator[Replicated]:
    """A site whose replica may be behind by so much."""
    primary, replica = clusters
    name = primary.server.create_next(model_on(primary.server))
    settings = {"database_read_url": replica.server.url(name), "max_replica_lag_seconds": seconds}
    with WebSite(primary.server.url(name), folder, **settings) as site:
        made = Replicated(site, replica, name)
        site.joins("alice", "bob")
        site.begins("superbo", "alice", "bob")
        made.catches_up()
        try:
            yield made
        finally:
            made.does("pg_wal_replay_resume()")
    primary.server.drop(name)


def test_strangers_are_shown_what_the_replica_has_and_players_what_is_so(replicated: Replicated) -> None:
    site = replicated.site
    stranger, alice = site.guest(), site.browser("alice")
    replicated.pauses()
    site.moves(101, "a1")
    assert (moves_shown(stranger), moves_shown(alice)) == (0, 1)
    for browser, event in ((stranger, "0"), (alice, "1")):
        assert browser.opens("/boards/101").all("//@data-event") == [event]
    assert set(replicated.looks()) == {"replica"}


def test_whoever_asks_for_news_gets_them(replicated: Replicated) -> None:
    site = replicated.site
    replicated.pauses()
    site.moves(101, "a1")
    stranger = site.guest()
    assert moves_shown(stranger) == 0
    assert moves_shown(stranger, cache_control="no-cache") == 1, "the script of the page of a board does"
    assert moves_shown(stranger, authorization="Bearer of-a-program") == 1
    assert moves_shown(stranger) == 0


def test_a_program_that_has_moved_sees_its_move_even_if_it_does_not_show_its_token_again(
    replicated: Replicated,
) -> None:
    site = replicated.site
    secret, tool, stranger = make(site.browser("alice")), site.guest("192.0.2.1"), site.guest("192.0.2.2")
    replicated.catches_up()
    replicated.pauses()
    assert moves_shown(tool) == 0
    to_act = site.board(101).seats[0].userid
    assert to_act == "alice"
    assert post(tool, secret, "move 101 a1").status_code == 200
    assert (moves_shown(tool), moves_shown(stranger)) == (1, 0)


def test_guests_see_their_own_moves(replicated: Replicated) -> None:
    site = replicated.site
    with_robots(site)
    replicated.catches_up()
    replicated.pauses()
    guest = site.guest()
    token = guest.opens("/sign-up").all('//input[@name="token"]/@value')[0]
    board = sends(guest, "/play", {"token": token, "game": "superbo"}).headers["location"].partition("?")[0]
    page = guest.opens(board)
    assert ("You play as a guest" in page.text, page.all("//@data-event")) == (True, ["0"])
    token = page.all('//input[@name="token"]/@value')[0]
    assert sends(guest, f"{board}/move", {"token": token, "event": "0", "turn": "a1"}).status_code == 303
    assert guest.opens(board).all("//@data-event") == ["1"]


def test_what_the_replica_does_not_have_yet_is_looked_for_in_the_database(replicated: Replicated) -> None:
    site = replicated.site
    replicated.pauses()
    site.joins("carol")
    site.begins("superbo", "carol", "bob")
    for address in ("/boards/102", "/boards/102.json", "/players/carol"):
        assert site.guest().asks(address).status_code == 200, "a mail may lead there at once"
    assert site.guest().asks("/boards/103").status_code == 404
    assert "carol" not in site.guest().opens("/players").text
    assert replicated.looks()["database"] >= 4


def link_to_sign_in(site: WebSite) -> str:
    assert fills(site.guest("192.0.2.1"), "/sign-in", "/sign-in", who="alice@example.org").status_code == 200
    return newest_link(site, "alice@example.org")


def test_a_link_out_of_a_mail_works_at_once(replicated: Replicated) -> None:
    replicated.pauses()
    link = link_to_sign_in(replicated.site)
    assert "alice" in replicated.site.guest("192.0.2.2").opens(link).text


def test_a_link_out_of_a_mail_works_only_once(replicated: Replicated) -> None:
    site = replicated.site
    link = link_to_sign_in(site)
    replicated.pauses()
    assert fills(site.guest("192.0.2.2"), link, link).status_code == 303
    assert site.guest("192.0.2.3").asks(link).status_code == 403


def test_followers_of_a_board_are_not_shown_less_than_they_were_told_of(replicated: Replicated) -> None:
    site = replicated.site
    replicated.pauses()
    site.moves(101, "a1")
    site.server._followers._seen[BoardNumber(101)] = 1
    assert site.guest().opens("/boards/101").all("//@data-event") == ["1"]


def test_a_page_is_not_kept_that_is_older_than_what_it_is_kept_for(
    replicated: Replicated, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first look of a request comes from the database, and the replica can be used again just then."""
    site = replicated.site
    replicated.pauses()
    site.moves(101, "a1")
    replica = site.server._replica
    assert replica is not None
    connect = replica.reader
    failures = iter([ReplicaUnusable("it rests")])

    def reader() -> Connection:
        for failure in failures:
            raise failure
        return connect()

    monkeypatch.setattr(replica, "reader", reader)
    assert site.guest().opens("/boards/101").all("//@data-event") == ["1"]
    assert site.guest().opens("/boards/101").all("//@data-event") == ["0"], "of another event"


def test_a_replica_that_stands_still_is_used_no_longer_than_it_may(
    clusters: tuple[Cluster, Cluster], tmp_path: Path
) -> None:
    with with_lag("1", clusters, tmp_path) as replicated:
        site, stranger = replicated.site, replicated.site.guest()
        wait_for(lambda: moves_shown(stranger) == 0 and "replica" in replicated.looks())
        replicated.pauses()
        site.moves(101, "a1")
        wait_for(lambda: moves_shown(stranger) == 1)
        before = replicated.looks()["replica"]
        for _ in range(5):
            assert moves_shown(stranger) == 1
        assert replicated.looks()["replica"] == before
        replicated.does("pg_wal_replay_resume()")
        wait_for(lambda: moves_shown(stranger) == 1 and replicated.looks()["replica"] > before)


def test_while_the_replica_is_away_the_database_answers(replicated: Replicated) -> None:
    site, stranger = replicated.site, replicated.site.guest()
    assert moves_shown(stranger) == 0
    replicated.replica.stop()
    try:
        site.moves(101, "a1")
        assert moves_shown(stranger) == 1
        assert replicated.looks()["database"] > 0
    finally:
        replicated.replica.start()
    before = replicated.looks()["replica"]
    wait_for(lambda: moves_shown(stranger) == 1 and replicated.looks()["replica"] > before)


def test_nothing_is_written_after_what_was_read_from_a_replica(replicated: Replicated) -> None:
    server = replicated.site.server
    assert server._replica is not None
    with (
        server.unit_of_work().reading_from(server._replica) as uow,
        pytest.raises(AssertionError, match="from a replica"),
    ):
        uow.commit()
