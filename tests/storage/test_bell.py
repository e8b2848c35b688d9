from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, make_url, text
from sqlalchemy.exc import OperationalError

from pbem.storage.copying import LIVING
from pbem.storage.engine import make_engine, writing
from pbem.storage.process_notifier import HOLDERS, ProcessNotifier, Topic, WrongListenUrl
from tests.support.databases import engine_at
from tests.support.pgbouncer import PgBouncer


class Process:
    """A process that has a bell and does nothing else."""

    def __init__(self, url: str, name: str, listen_url: str | None = None) -> None:
        self.engine = make_engine(url, prepares=listen_url is None)
        self.heard: list[Topic] = []
        listens = None if listen_url is None else make_engine(listen_url)
        self.notifier = ProcessNotifier(self.engine, name, self.heard.append, listens)
        try:
            self.notifier.open()
        except BaseException:
            self.ends()
            raise

    def rings(self, *topics: Topic) -> None:
        for topic in topics:
            self.notifier.ring(topic)
        self.notifier.step()

    def listens(self) -> list[Topic]:
        """Wait for topics and return them."""
        self.heard.clear()
        while not self.heard:
            self.notifier.step()
        return sorted(self.heard)

    def ends(self) -> None:
        self.notifier.close()
        self.engine.dispose()


@pytest.fixture(params=["alone", "behind PgBouncer"])
def processes(request: pytest.FixtureRequest, postgresql_url: str) -> Iterator[tuple[Process, Process]]:
    urls: tuple[str, str | None] = postgresql_url, None
    if request.param != "alone":
        urls = request.getfixturevalue("pgbouncer").url, postgresql_url
    one, other = (Process(urls[0], name, urls[1]) for name in ("one", "other"))
    both = one, other
    yield both
    for each in both:
        each.ends()


def cut(engine: Engine) -> None:
    """Cut the lines of both processes."""
    with writing(engine) as connection:
        end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
        assert connection.execute(text(end)).all() == [(True,), (True,)]


def test_who_rings_is_heard_by_others_and_not_by_himself(processes: tuple[Process, Process]) -> None:
    one, other = processes
    one.rings(Topic.LETTERS, Topic.BOARDS, Topic.LETTERS)
    assert other.listens() == [Topic.BOARDS, Topic.LETTERS]
    other.rings(Topic.MAILS)
    assert one.listens() == [Topic.MAILS]


def test_what_other_versions_ring_for_is_not_minded(processes: tuple[Process, Process]) -> None:
    one, other = processes
    with writing(one.engine) as connection:
        connection.execute(text("SELECT pg_notify('pbem', 'dinner')"))
    one.rings(Topic.MAILS)
    assert other.listens() == [Topic.MAILS]


def test_a_bell_that_was_cut_off_is_hung_up_anew_and_rings_for_all_that_it_may_have_missed(
    processes: tuple[Process, Process],
) -> None:
    one, other = processes
    cut(other.engine)
    for each in processes:
        with pytest.raises(OperationalError):
            each.rings(Topic.LETTERS)
    assert one.listens() == other.listens() == sorted(Topic)
    one.rings(Topic.MAILS)
    assert other.listens() == [Topic.MAILS]


def test_who_finds_his_line_cut_while_he_listens_is_told_of_trouble_with_the_database(
    processes: tuple[Process, Process],
) -> None:
    cut(processes[1].engine)
    for each in processes:
        with pytest.raises(OperationalError):
            each.listens()


def test_a_line_that_the_database_has_not_missed_yet_keeps_nobody_from_connecting_anew(postgresql_url: str) -> None:
    impatient = make_url(postgresql_url).update_query_dict({"options": "-c lock_timeout=5s"})
    old, new = (Process(impatient.render_as_string(hide_password=False), "one") for _ in range(2))
    with writing(old.engine) as connection:
        assert connection.scalar(LIVING, {"holders": HOLDERS}) is True
    old.ends()
    with writing(new.engine) as connection:
        assert connection.scalar(LIVING, {"holders": HOLDERS}) is True
    new.ends()


def test_who_shares_a_session_with_others_is_refused_and_changes_nothing_in_it(pgbouncer: PgBouncer) -> None:
    with pytest.raises(WrongListenUrl, match="around the pooler"):
        Process(pgbouncer.url, "one")
    with engine_at(pgbouncer.url) as engine, writing(engine) as connection:
        assert connection.scalar(LIVING, {"holders": HOLDERS}) is False
        assert connection.scalar(text("SHOW synchronous_commit")) == "on"


def test_who_would_listen_at_another_database_is_refused(postgresql_url: str, empty_postgresql_url: str) -> None:
    with pytest.raises(WrongListenUrl, match="the same database"):
        Process(postgresql_url, "one", empty_postgresql_url)


def test_on_sqlite_the_bell_is_silent(sqlite_url: str) -> None:
    engine = make_engine(sqlite_url)
    notifier = ProcessNotifier(engine, "one", lambda _: None)
    notifier.open()
    assert notifier.is_silent
    for _ in range(100_000):  # a pipe that nobody reads would be full
        notifier.ring(Topic.LETTERS)
    notifier.close()
    engine.dispose()
