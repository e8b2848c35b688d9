"""Settings: every form is a command, and the page tells what a mail would."""

from __future__ import annotations

import pytest

from pbem.domain.players import Player
from pbem.domain.preferences import Preferences
from pbem.web.pages.settings import MOST_SESSIONS, PARTS
from tests.support.web_site import WebClient, WebPage, WebSite
from tests.web.visiting import answers, mails, rows, sends, shown, token

ALICE = "alice@example.org"


@pytest.fixture
def alice(site: WebSite) -> WebClient:
    site.joins("alice", "bob", "carol")
    return site.browser("alice")


def sets(browser: WebClient, status: int = 200, /, **fields: str) -> WebPage:
    return shown(sends(browser, "/settings", {"token": token(browser), **fields}), status)


def told(page: WebPage) -> str:
    (words,) = page.all('//*[@role="status" or @role="alert"]')
    return words


def test_only_who_has_signed_in_has_settings(site: WebSite) -> None:
    assert site.guest().asks("/settings").headers["location"] == "/sign-in?then=/settings"
    assert sends(site.guest(), "/settings", {"deed": "data"}).headers["location"] == "/sign-in?then=/settings"


def test_every_preference_has_a_field_with_all_its_values(alice: WebClient) -> None:
    page = alice.opens("/settings")
    for name in Preferences.names():
        if name == "timezone":
            assert page.all('//input[@name="timezone"]/@value') == ["UTC"]
            continue
        assert page.all(f'//input[@name="{name}"]/@value') == list(Preferences.values(name))
        (about,) = page.all(f"//small[@id='about-{name}']")
        assert 3 < len(about.split()) < 20, "one sentence says it"
        assert page.all(f"//fieldset[@aria-describedby='about-{name}']//label")
    assert len(page.find("//label")) >= len(page.find('//input[not(@type="hidden")] | //select | //textarea'))


def test_preferences_are_kept_all_at_once(site: WebSite, alice: WebClient) -> None:
    page = sets(alice, deed="preferences", mail="text", legend="off", timezone="europe/paris", language="en")
    assert page.all("//*[@role='status']") == ["Saved."]
    assert page.all('//input[@name="mail"][@checked]/@value') == ["text"]
    assert page.all('//input[@name="timezone"]/@value') == ["Europe/Paris"]
    (notice,) = site.says("alice", "set")
    assert isinstance(notice.to, Player)
    assert notice.to.preferences.chosen() == {"mail": "text", "legend": "off", "timezone": "Europe/Paris"}


def test_a_preference_that_cannot_be_is_refused_and_none_of_the_others_is_kept(alice: WebClient) -> None:
    page = sets(alice, 409, deed="preferences", mail="text", timezone="Atlantis")
    assert "Atlantis" in told(page)
    assert page.all('//input[@name="mail"][@checked]/@value') == ["both"]


def test_a_vacation_is_taken_and_ended(alice: WebClient) -> None:
    page = sets(alice, deed="vacation", until="2026-03-10")
    assert "Have a good time" in told(page)
    assert "You are away until" in page.text
    assert "Welcome back" in told(sets(alice, deed="back"))
    assert told(sets(alice, 409, deed="vacation", until="yesterday"))


def test_players_are_blocked_and_unblocked(site: WebSite, alice: WebClient) -> None:
    assert "bob can no longer challenge you" in told(sets(alice, deed="block", userid="bob"))
    assert "Unblock bob" in alice.opens("/settings/games").text
    assert rows(site, "SELECT count(*) FROM blocks") == [(1,)]
    assert "bob can challenge you again" in told(sets(alice, deed="unblock", userid="bob"))
    assert rows(site, "SELECT count(*) FROM blocks") == [(0,)]
    assert "nobody" in told(sets(alice, 409, deed="block", userid="nobody"))


def test_limits_of_all_games_are_set_at_once(alice: WebClient) -> None:
    page = sets(alice, 200, **{"deed": "limits", "most.mamba": "3", "most.superbo": "0", "most.mambo": ""})
    assert told(page) == "Saved."
    kept = dict(zip(page.all("//td/input/@name"), page.all("//td/input/@value"), strict=True))
    assert (kept["most.mamba"], kept["most.superbo"], kept["most.mambo"]) == ("3", "0", "")
    sets(alice, 200, **{"deed": "limits", "most.mamba": " "})
    assert alice.opens("/settings/games").all("//input[@name='most.mamba']/@value") == [""]


@pytest.mark.parametrize(
    ("most", "says"), [("many", "many"), ("-1", "-1"), ("1000", "999"), ("bob secret 5", "bob secret 5")]
)
def test_of_limits_one_of_which_is_wrong_none_is_kept(alice: WebClient, most: str, says: str) -> None:
    page = sets(alice, 409, **{"deed": "limits", "most.lambo": "7", "most.mamba": most})
    assert says in told(page)
    assert page.all("//input[@name='most.mamba']/@value") == [most]
    assert alice.opens("/settings/games").all("//input[@name='most.lambo']/@value") == [""]


def test_seeks_are_shown_for_each_game_and_end(site: WebSite, alice: WebClient) -> None:
    site.says("alice", "superbo seek 2 -single -num_tiles=20")
    page = alice.opens("/settings/games")
    sought = " ".join(page.all("//tr[th='Superbo']/td")[-1].split())
    assert sought.startswith("2 boards Tiles of each colour: 20, One tile a turn")
    sets(alice, deed="seek", game="superbo", wanted="0")
    assert "2 boards" not in alice.opens("/settings/games").text


def test_every_part_of_the_settings_leads_to_the_others_and_has_one_main_button_at_most(alice: WebClient) -> None:
    for part, deeds in PARTS.items():
        page = alice.opens("/settings" + ("" if part == "mails" else f"/{part}"))
        links = page.all("//nav[@aria-label='Settings']//a/@href")
        assert links[:3] == ["/settings", "/settings/games", "/settings/account"]
        assert len(page.find("//nav[@aria-label='Settings']//a[@aria-current='page']")) == 1
        assert set(page.all("//input[@name='deed']/@value")) <= set(deeds)
        assert len(page.find("//button[contains(@class, 'main')]")) <= 1
        assert not page.find("//main//code"), "commands are told in the help"


def test_one_browser_is_signed_out_and_this_one_stays(site: WebSite, alice: WebClient) -> None:
    other = site.browser("alice")
    (began,) = alice.opens("/settings/account").all("//input[@name='began']/@value")
    assert told(sets(alice, deed="session", began=began)) == "Saved."
    assert other.asks("/settings").status_code == 303
    assert not alice.opens("/settings/account").find("//input[@name='began']")


def test_of_many_browsers_the_newest_are_listed(site: WebSite, alice: WebClient) -> None:
    for _ in range(MOST_SESSIONS + 2):
        site.browser("alice")
    page = alice.opens("/settings/account")
    assert len(page.find("//input[@name='began']")) == MOST_SESSIONS
    assert "and 3 others" in page.text


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"deed": "addresses", "addresses": "bad address"}, '"bad" is not an address'),
        ({"deed": "addresses", "addresses": "foo"}, '"foo" is not an address'),
        ({"deed": "addresses", "addresses": " , "}, "an address"),
        ({"deed": "add", "addresses": "foo"}, '"foo" is not an address'),
        ({"deed": "block", "userid": "bob carol"}, 'Nobody here is called "bob carol"'),
        ({"deed": "block", "userid": ""}, "a userid"),
        ({"deed": "preferences", "timezone": "Atlantis"}, '"Atlantis"'),
    ],
)
def test_what_was_typed_wrongly_is_named_and_stays_in_its_field(
    alice: WebClient, fields: dict[str, str], says: str
) -> None:
    page = sets(alice, 409, **fields)
    assert says in told(page)
    (name, typed) = next(item for item in fields.items() if item[0] != "deed")
    form = f"//form[input[@name='deed' and @value='{fields['deed']}']]"
    assert page.all(f"{form}//input[@name='{name}' and not(@type='hidden')]/@value") == [" ".join(typed.split())]


def test_commas_may_stand_between_addresses(site: WebSite, alice: WebClient) -> None:
    sets(alice, deed="addresses", addresses="a@work.example, b@work.example")
    assert "change address a@work.example b@work.example" in mails(site, ALICE)[-1][1]


def test_the_name_of_a_token_that_is_refused_stays_in_its_field(alice: WebClient) -> None:
    answer = sends(alice, "/settings/tokens", {"token": token(alice), "name": "my " + "long " * 20})
    assert shown(answer, 409).all("//input[@name='name']/@value") == [" ".join(("my " + "long " * 20).split())]


def test_a_question_about_what_was_asked_for_on_the_web_speaks_of_no_letter(site: WebSite, alice: WebClient) -> None:
    sets(alice, deed="password", password="better")
    said = " ".join(mails(site, ALICE)[-1][1].split())
    assert "Somebody who is signed in as you on the web" in said
    assert "The new password was given there" in said
    assert "letter" not in said


def test_what_changes_the_account_is_asked_by_mail_first(site: WebSite, alice: WebClient) -> None:
    for fields, subject in (
        ({"deed": "password", "password": "better"}, "change password"),
        ({"deed": "add", "addresses": "alice@home.example"}, "add alice@home.example"),
        ({"deed": "addresses", "addresses": "alice@work.example"}, "change address alice@work.example"),
        ({"deed": "signoff"}, "signoff"),
    ):
        before = len(mails(site, ALICE))
        assert "I have sent a question to the addresses on record" in told(sets(alice, 200, **fields))
        asked = mails(site, ALICE)[before:]
        assert len(asked) == 1
        assert subject in asked[0][1]
        assert "better" not in asked[0][1]


def test_who_has_said_yes_to_signing_off_is_gone(site: WebSite, alice: WebClient) -> None:
    sets(alice, deed="signoff")
    answers(site, ALICE, "yes")
    assert alice.asks("/settings").status_code == 303
    assert rows(site, "SELECT standing FROM players WHERE userid = 'alice'") == [("gone",)]


def test_what_is_held_about_a_player_is_mailed_to_him_with_his_sessions(site: WebSite, alice: WebClient) -> None:
    assert "comes by mail" in told(sets(alice, deed="data"))
    (dossier,) = mails(site, ALICE)
    assert "alice" in dossier[0]
    (found,) = site.says("alice", "data")
    (file,) = found.attachments
    content = file.content.decode()
    assert '"sessions"' in content
    for (secret_hash,) in rows(site, "SELECT secret_hash FROM sessions"):
        assert secret_hash not in content


@pytest.mark.parametrize("deed", ["", "x", "{game.__class__}", "format"])
def test_a_deed_that_there_is_none_of_does_nothing(alice: WebClient, deed: str) -> None:
    assert told(sets(alice, 409, deed=deed))


def test_a_form_cannot_say_more_than_its_command(site: WebSite, alice: WebClient) -> None:
    """The text typed into a field is no other command, however many words it has."""
    sets(alice, 409, deed="block", userid="bob\nsignoff")
    sets(alice, 409, **{"deed": "limits", "most.mamba challenge": "bob"})
    sets(alice, 409, **{"deed": "limits", "most.mamba challenge bob": ""})
    sets(alice, 409, deed="seek", game="mamba challenge", wanted="bob")
    assert not mails(site, ALICE)
    assert rows(site, "SELECT count(*) FROM boards") == [(0,)]


def test_no_password_is_ever_shown(alice: WebClient) -> None:
    for password in ("better", 'bad"qzx'):
        answer = sends(alice, "/settings", {"token": token(alice), "deed": "password", "password": password})
        assert password not in answer.text
        assert "qzx" not in answer.text
