"""The commands of ``pbem admin`` on the operator's page, each run as a program on the same database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from sqlalchemy import text

from pbem.cli.admin import admin, on_web
from pbem.cli.admin.on_web import admin_commands
from pbem.storage.engine import reading
from pbem.web.admin_commands import AdminCommand, CommandField, FieldKind
from tests.support.web_site import WebClient, WebPage, WebSite
from tests.web.markup import faults_of
from tests.web.visiting import fills, sends

SignsIn = Callable[[WebSite], WebClient]

BAN = "/admin/commands/players/ban"


@pytest.fixture
def office(sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WebSite]:
    """A site where operators may run commands, which find its settings in the environment."""
    monkeypatch.setenv("PBEM_DATABASE_URL", sqlite_url)
    monkeypatch.setenv("PBEM_SECRET_KEY", "a key for the tests of pages")
    monkeypatch.setenv("PBEM_RELAY_URL", f"maildir:{tmp_path / 'mail'}")
    with WebSite(sqlite_url, tmp_path, admin_commands="true") as site:
        yield site


def standing(site: WebSite, userid: str) -> str:
    with reading(site.server.engine) as connection:
        found: str = connection.execute(
            text("SELECT standing FROM players WHERE userid = :u"), {"u": userid}
        ).scalar_one()
    return found


def test_a_player_is_banned_after_a_question_and_the_operator_is_recorded(office: WebSite, signs_in: SignsIn) -> None:
    office.joins("mallory")
    browser = signs_in(office)
    asked = WebPage(fills(browser, BAN, BAN, USERID="mallory", **{"--reason": "--winner; rm -rf /"}))
    assert "pbem admin players ban '--reason=--winner; rm -rf /' -- mallory" in asked.text
    assert standing(office, "mallory") == "active"
    hidden = {each.get("name"): each.get("value") for each in asked.find('//main//form//input[@type="hidden"]')}
    done = WebPage(sends(browser, BAN, {**hidden}))
    assert "mallory is banned; 1 mail is on the way" in done.text
    assert standing(office, "mallory") == "banned"
    deeds = WebPage(fills(browser, "/admin/commands/deeds", "/admin/commands/deeds"))
    assert "root (boss), on the web" in deeds.text
    assert "--winner; rm -rf /" in deeds.text


def test_what_only_shows_is_run_at_once_and_what_fails_says_why(office: WebSite, signs_in: SignsIn) -> None:
    office.joins("alice", "bob")
    browser = signs_in(office)
    shown = WebPage(fills(browser, "/admin/commands/players/list", "/admin/commands/players/list", TEXT="ali"))
    assert "alice" in shown.text
    assert "bob" not in shown.text
    assert faults_of(shown) == []
    missing = WebPage(fills(browser, "/admin/commands/players/show", "/admin/commands/players/show", USERID="nobody"))
    assert "This did not work." in missing.text
    assert '"nobody"' in missing.text


def test_a_text_is_read_from_the_standard_input(office: WebSite, signs_in: SignsIn) -> None:
    office.joins("alice")
    browser, path = signs_in(office), "/admin/commands/broadcast"
    words = {"FILE": "The server moves on Sunday.", "--subject": "Sunday"}
    asked = WebPage(fills(browser, path, path, **words))
    hidden = {each.get("name"): each.get("value") for each in asked.find('//main//form//input[@type="hidden"]')}
    done = WebPage(sends(browser, path, hidden))
    assert "1 mail" in done.text


def test_what_takes_too_long_is_stopped_and_says_so(
    office: WebSite, signs_in: SignsIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_web, "_LONGEST_SECONDS", 0.01)
    path = "/admin/commands/players/list"
    stopped = WebPage(fills(signs_in(office), path, path))
    assert "This did not work." in stopped.text
    assert "run it on the server machine instead" in stopped.text


def test_nobody_else_can_run_anything(office: WebSite, signs_in: SignsIn) -> None:
    office.joins("mallory")
    everywhere = ("/admin/commands", BAN, "/admin/commands/players/list")
    for browser in (office.guest(), office.browser("mallory")):
        assert [browser.asks(each).status_code for each in everywhere] == [403] * 3
        assert sends(browser, BAN, {"USERID": "mallory", "sure": "yes"}).status_code == 403
    operator = signs_in(office)
    assert sends(operator, BAN, {"USERID": "mallory", "sure": "yes"}).status_code == 403  # no token of the session
    assert standing(office, "mallory") == "active"


def test_they_are_off_unless_they_are_switched_on(site: WebSite, signs_in: SignsIn) -> None:
    browser = signs_in(site)
    assert browser.asks(BAN).status_code == 404
    assert "/admin/commands" not in browser.asks("/admin").text


def test_every_command_is_there_but_the_one_that_signs_in() -> None:
    def leaves(group: click.Group) -> int:
        return sum(leaves(each) if isinstance(each, click.Group) else 1 for each in group.commands.values())

    known = admin_commands().by_path
    assert len(known) == leaves(admin) - 1
    assert {name for name, each in known.items() if not each.changes} == {
        *("boards/list", "boards/show", "deeds", "letters", "maintenance/list", "outbox/list", "players/list"),
        *("players/show", "reports/list", "reports/show", "robots/list", "shunted/list", "shunted/show"),
        *("suppressed/list", "tournaments/list"),
    }


def test_no_value_is_taken_for_an_option() -> None:
    fields = (
        CommandField("--reason", "", FieldKind.WORD),
        CommandField("--draw", "", FieldKind.FLAG),
        CommandField("MAIL", "", FieldKind.WORDS, is_required=True),
    )
    command = AdminCommand(("outbox", "drop"), "", fields, changes=True)
    said = {"--reason": "--json", "--draw": "yes", "MAIL": "--all 3"}
    assert command.arguments(said) == ["outbox", "drop", "--reason=--json", "--draw", "--", "--all", "3"]
