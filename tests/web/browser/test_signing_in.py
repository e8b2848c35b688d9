"""From nobody to a player, in a browser and through the mails."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.browser import NO_SCRIPT, link_in
from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import fresh


def test_one_signs_up_answers_the_mail_and_signs_in_by_a_link(server: RunningServer, come: Come) -> None:
    (userid,) = fresh("newcomer")
    visitor, person = come(), server.person(userid)
    visitor.goes("/")
    visitor.follows("Sign up")
    visitor.writes(userid=userid, address=person.address)
    visitor.presses("Sign up")
    visitor.sees(f"A mail to {person.address} asks")
    person.answers(person.hears(), "yes")
    assert person.hears().subject == f"Welcome to pbem, {userid}"
    visitor.signs_in_by_mail(person, userid)
    visitor.goes("/")
    expect(visitor.page.get_by_role("navigation", name="You")).to_contain_text(userid)
    visitor.presses("Sign out")
    expect(visitor.page.get_by_role("navigation", name="You")).to_contain_text("Sign in")


def test_a_link_signs_in_once_and_without_a_script(server: RunningServer, come: Come) -> None:
    (userid,) = fresh("once")
    person = server.player(userid, None)
    first, second = come(**NO_SCRIPT), come(**NO_SCRIPT)
    first.goes("/sign-in")
    first.writes(who=userid)
    first.presses("Mail me a link")
    link = link_in(person.hears(), "/sign-in/")
    for visitor in (second, first):
        visitor.goes(link)
    first.presses(f"Sign in as {userid}")
    expect(first.page.locator("header")).to_contain_text(userid)
    second.expected.append("403")
    second.page.locator("main").get_by_role("button", name=f"Sign in as {userid}").click()
    second.sees("This link no longer works")
    expect(second.page.locator("header")).not_to_contain_text(userid)
