"""A row that was damaged behind the server's back: no list of pages, mails or data for programs is lost by it."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.commands.grammar import parse
from pbem.domain.mails import Notice
from pbem.usecases.dispatcher import dispatch
from tests.storage.stock import WON
from tests.support.databases import put_sqlite
from tests.support.web_site import WebSite

PLAYERS = ("ann", "ben", "cat", "dan", "eve")
UNHARMED = {"ann", "ben", "101", "103", "105", "here"}
"""Words of lists that stand in no damaged row."""
PAGES = (
    *("/", "/games/superbo", "/boards", "/boards?which=inactive", "/boards?which=all", "/boards/103", "/players"),
    *("/standings", "/standings/superbo", "/history", "/history/superbo", "/history?player=ben", "/players/ben"),
    *("/tournaments", "/tournaments/superbo", "/tournaments/superbo/Autumn", "/settings", "/challenge"),
    *("/boards.json", "/boards.json?which=inactive", "/standings.json", "/standings/superbo.json", "/history.json"),
    *("/tournaments/superbo.json", "/tournaments/superbo/Autumn.json", "/players/ben.json"),
)
LINES = (
    *("who", "standings superbo", "history", "history superbo", "history ben", "list superbo", "games", "seek"),
    *("superbo tournament show", "superbo tournament show Autumn", "show", "show ben", "superbo limit", "mailed 103"),
    *("subscribe ann", "block cat", "unblock cat", "chat 103", "message ann", "superbo seek 1"),
)
DAMAGES = (
    "UPDATE players SET preferences = '{' WHERE userid IN ('dan', 'eve')",
    "UPDATE players SET vacations = '[[1]]' WHERE userid = 'eve'",
    "UPDATE players SET standing = '?' WHERE userid = 'eve'",
    "UPDATE players SET seen_on = 'noon' WHERE userid = 'eve'",
    "UPDATE players SET pace_seconds = 'slow' WHERE userid = 'eve'",
    "UPDATE addresses SET confirmed_at = 'noon' WHERE address LIKE 'eve%'",
    "UPDATE boards SET options = '{' WHERE number IN (102, 104, 106, 108)",
    "UPDATE boards SET clock = '{}' WHERE number IN (102, 104, 106, 108)",
    "UPDATE boards SET winners = '{' WHERE number IN (102, 104, 106, 108)",
    "UPDATE boards SET finished_at = 'noon' WHERE number IN (102, 104, 106, 108)",
    "UPDATE boards SET tournament_round = 'x' WHERE number IN (106, 108)",
    "UPDATE events SET record = '{' WHERE board_number IN (102, 104)",
    "UPDATE events SET kind = '?' WHERE board_number IN (102, 104)",
    "UPDATE seats SET queued = '{' WHERE board_number IN (104, 106)",
    "DELETE FROM seats WHERE board_number IN (102, 104, 106, 108)",
    "UPDATE ratings SET rating = 'x' WHERE player_id = 5",
    "UPDATE rating_changes SET after = 'x' WHERE player_id = 5",
    "UPDATE rating_changes SET at = 'noon' WHERE player_id = 5",
    "UPDATE seeks SET options = '{' WHERE id = 1",
    "UPDATE tournaments SET state = '?' WHERE name = 'Winter'",
    "UPDATE tournament_entries SET joined_at = 'noon' WHERE tournament_id = 2",
    "UPDATE watches SET what = '?' WHERE player_id = 5",
    "UPDATE remarks SET at = 'noon' WHERE text LIKE '%Lost%'",
    "UPDATE bulletins SET posted_at = 'noon' WHERE id = 1",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebSite]:
    """Boards 101 to 104 in pairs, over and in play; two tournaments, and seeks, watches, remarks and bulletins."""
    folder = tmp_path_factory.mktemp("site")
    with WebSite(put_sqlite(folder / "pbem.db"), folder) as site:
        site.joins(*PLAYERS)
        for turns in (WON, ("B3",)):
            for one, other in (("ann", "ben"), ("cat", "eve")):
                site.moves(site.begins("superbo", one, other), *turns)
        for name in ("Autumn", "Winter"):
            site.says("ann", f"superbo tournament create {name}")
            for userid in PLAYERS[:4]:
                site.says(userid, f"superbo tournament join {name}")
            site.says("ann", f"superbo tournament start {name}")
        for userid, game in (("dan", "mambo"), ("eve", "lambo"), ("ann", "mamba")):
            site.says(userid, f"{game} seek")
        for userid in ("eve", "dan"):
            site.says("ben", f"block {userid}")
        site.says("ben", "subscribe eve")
        site.says("eve", "subscribe 103")
        site.says("dan", "subscribe ben")
        says(site, "chat 103", "It is Lost")
        for words in ("It is lost", "It is still here"):
            site.bulletin(words)
        yield site


@pytest.fixture
def stored(site: WebSite) -> Iterator[Path]:
    """The file of the database, which is put back to what it was."""
    file = site.server.engine.url.database
    assert file is not None
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    copy = shutil.copy(file, f"{file}.copy")
    yield Path(file)
    with sqlite3.connect(copy) as before, sqlite3.connect(file) as database:
        before.backup(database)


def says(site: WebSite, line: str, words: str = "Hello") -> list[Notice]:
    """Have ben say something, with words for others below it."""
    return site.does("ben", lambda context: dispatch(parse(line, context.games), replace(context, comment=words)))


def words_of(site: WebSite) -> dict[str, set[str]]:
    """The unharmed words that are shown, by page and by the line of a letter."""
    browser, shown = site.browser("ben"), dict[str, set[str]]()
    for page in PAGES:
        answer = browser.asks(page)
        assert answer.status_code == 200, (page, answer.text)
        shown[page] = {*re.findall(r"\w+", answer.text)} & UNHARMED
    for line in LINES:
        told = says(site, line)
        mails = site.server.parts.composer.compose(told, "x", site.now)
        shown[line] = {*re.findall(r"\w+", " ".join(each.raw.decode() for each in mails if each.answers))} & UNHARMED
    return shown


@pytest.fixture(scope="module")
def whole(site: WebSite) -> dict[str, set[str]]:
    return words_of(site)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_row_hides_no_other(stored: Path, site: WebSite, whole: dict[str, set[str]], damage: str) -> None:
    with sqlite3.connect(stored) as database:
        assert database.execute(damage).rowcount
    shown = words_of(site)
    assert {each: sorted(words - shown[each]) for each, words in whole.items() if words - shown[each]} == {}


def test_a_tournament_names_the_boards_that_it_cannot_count(stored: Path, site: WebSite) -> None:
    with sqlite3.connect(stored) as database:
        database.execute("UPDATE boards SET clock = '{}' WHERE number = 106")
    (mail,) = site.server.parts.composer.compose(site.says("ben", "superbo tournament show Autumn"), "x", site.now)
    page = site.guest().opens("/tournaments/superbo/Autumn")
    for text in (mail.raw.decode(), page.text):
        assert "Board 106 is left out, because what is stored there can no longer be read." in " ".join(text.split())
