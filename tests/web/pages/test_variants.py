from __future__ import annotations

import re
import sys
import types
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from pbem.games.game import Game
from pbem.web.pages.variants import vocabulary_of
from tests.support.web_site import WebClient, WebPage, WebSite

GUIDE = Path(__file__).parents[3] / "docs" / "adding-a-game.md"
GAMES = ("lambo", "mamba", "mambo", "palago", "superbo")


def design(browser: WebClient, game: str, **fields: str) -> WebPage:
    """Send the form, and follow where it leads."""
    query = "&".join(f"{name}={quote(value)}" for name, value in fields.items())
    answer = browser.asks(f"/games/{game}/variant?chosen=1&{query}")
    assert answer.status_code == 303
    where = answer.headers["location"]
    assert urlsplit(where).path == f"/games/{game}/variant"
    return browser.opens(where, 200 if browser.asks(where).status_code == 200 else 409)


@pytest.mark.parametrize("game", GAMES)
def test_every_option_of_a_game_is_in_its_form_with_its_meaning(site: WebSite, game: str) -> None:
    page = site.guest().opens(f"/games/{game}/variant")
    vocabulary = vocabulary_of(site.server.parts.games[game])
    assert vocabulary is not None
    names = {each.name for each in vocabulary.options}
    form = "//form[@class='variant']"
    single = "@name != 'chosen' and @type != 'radio'"
    fields = set(page.all(f"{form}//input[{single}]/@name") + page.all(f"{form}//select/@name"))
    radios = f"{form}//input[@type='radio' and @value != '']"
    one_of_some = page.all(f"{radios}[contains(@name, '.')]/@value")
    with_cards = set(page.all(f"{radios}[not(contains(@name, '.'))]/@name"))
    in_form = names - set(vocabulary.presets)
    assert sorted([*fields - {"players"}, *one_of_some, *with_cards]) == sorted(in_form)
    described = page.all(f"{form}//*[@aria-describedby]/@aria-describedby")
    values_of_cards = page.all(f"{radios}[not(contains(@name, '.'))]/@value")
    assert len(described) == len(in_form) - len(with_cards) + len(values_of_cards)
    assert all(page.all(f"//*[@id='{each}']")[0] for each in described)
    assert page.all("//h1") == [f"{site.server.parts.games[game].title}: rules of your own"]
    assert page.find("//figure//*[local-name()='svg']")


def test_what_is_chosen_is_shown_as_a_challenge_and_can_be_shared(site: WebSite) -> None:
    page = design(site.guest(), "lambo", eat_enemy="3", size="60", swap="1")
    assert "lambo challenge -eat_enemy=3 -size=60 -swap <userid>" in page.all("//input[@id='share-mail']/@value")
    (shared,) = page.all("//input[@id='share-rules']/@value")
    again = site.guest().opens(shared)
    assert again.all("//input[@name='eat_enemy']/@value") == ["3"]
    assert again.find("//input[@name='swap' and @checked]")
    assert not again.find("//input[@value='no_contain' and @checked]")


def test_of_options_that_exclude_each_other_one_is_chosen(site: WebSite) -> None:
    page = design(site.guest(), "mambo", **{"kill.no_kill": "no_kill", "loops": "2"})
    assert "mambo challenge -no_kill -loops=2 <userid>" in page.all("//input[@id='share-mail']/@value")
    field = "//input[@type='radio' and @name='kill.no_kill']"
    assert page.all(f"{field}/@value") == ["", "kill", "no_kill"]
    assert page.all(f"{field}[@checked]/@value") == ["no_kill"]
    assert not page.find("//input[@name='mamba.mamboa.mambogo']")


def test_variants_with_names_are_where_one_begins(site: WebSite) -> None:
    page = site.guest().opens("/games/mambo/variant")
    links = dict(
        zip(
            page.all("//nav[@aria-label='Start from']//a"),
            page.all("//nav[@aria-label='Start from']//a/@href"),
            strict=True,
        )
    )
    assert list(links) == ["Mambo", "Mamba", "Mamboa", "Mambogo"]
    mambogo = site.guest().opens(links["Mambogo"])
    assert "mambo challenge -mambogo <userid>" in mambogo.all("//input[@id='share-mail']/@value")
    assert mambogo.find("//nav//a[. = 'Mambogo' and @aria-current]")
    assert mambogo.all("//input[@name='mamba.mamboa.mambogo']/@value") == ["mambogo"]


def test_what_is_chosen_is_told_by_its_title_and_in_whole_sentences(site: WebSite) -> None:
    page = site.guest().opens("/games/mambo/variant?options=-no_kill+-auto%3Dnone+-loops%3D3")
    assert page.all("//*[@id='result']//dt") == [
        "Killing does not win",
        "Automatic tiles: None",
        "Loops that win: 3",
    ]
    for game in GAMES:
        hints = site.guest().opens(f"/games/{game}/variant").all("//main//small")
        assert [each for each in hints if not re.fullmatch(r"[A-Z0-9].*[.)]", each) or "help " in each] == [
            "The board at the start"
        ]


@pytest.mark.parametrize(
    ("game", "fields", "words"),
    [
        ("mambo", {"mamba": "1", "mambogo": "1"}, "-mamba"),
        ("mambo", {"no_kill": "1", "tied": "1"}, "nobody could ever win"),
        ("mambo", {"size": "3"}, "from 4 to 400"),
        ("mambo", {"tiebreak": "total"}, "-territory"),
        ("lambo", {"adjacent": "1", "anywhere": "1"}, "-anywhere"),
        ("mamba", {"teams": "1", "players": "3"}, "four"),
    ],
)
def test_what_cannot_be_is_refused_in_words(site: WebSite, game: str, fields: dict[str, str], words: str) -> None:
    page = design(site.guest(), game, **fields)
    (refusal,) = page.all("//div[@role='alert']")
    assert words in refusal
    assert not page.find("//figure")
    assert "challenge" not in " ".join(page.all("//input[@id='share-mail']/@value"))
    for name, value in fields.items():
        if value == "1":
            assert page.find(f"//input[(@name='{name}' or @value='{name}') and (@checked or @type='hidden')]")


def test_every_reason_is_told(site: WebSite) -> None:
    page = site.guest().opens("/games/mambo/variant?options=-nonsense+-size%3D9999+-mamba+-mamboa", 409)
    (refusal,) = page.all("//div[@role='alert']")
    for word in ("nonsense", "9999", "-mamboa"):
        assert word in refusal


@pytest.mark.parametrize(
    "options",
    [
        "<script>alert(1)</script>",
        "-size=<b>4",
        '"><img src=x onerror=alert(1)>',
        "-" * 5000,
        "-size=" + "9" * 5000,
        " ".join(["-swap"] * 1000),
        "\0\u202e\ud7ff",
        "=",
        "-=",
        "-size=\u0664\u0660",
        "{{ 7*7 }}",
        "-auto=%s%n",
    ],
)
@pytest.mark.parametrize("game", ["mambo", "mamba"])
def test_hostile_options_are_only_words(site: WebSite, game: str, options: str) -> None:
    for page in ("variant", "variant/try"):
        answer = site.guest().asks(f"/games/{game}/{page}?options={quote(options)}")
        assert answer.status_code in (200, 303, 409)
        assert "<script>alert" not in answer.text
        assert "<img src=x" not in answer.text
        assert "<b>4" not in answer.text


def test_hostile_fields_are_only_words(site: WebSite) -> None:
    page = design(site.guest(), "mambo", size='"><script>alert(1)</script>', auto="<i>", players="99999")
    assert "<script>alert" not in page.source
    assert page.find("//div[@role='alert']")


def test_a_game_of_nobody_is_not_found(site: WebSite) -> None:
    for page in ("variant", "variant/try"):
        assert site.guest().asks(f"/games/poker/{page}").status_code == 404


def test_who_has_signed_in_challenges_with_it(site: WebSite) -> None:
    site.joins("alice", "bob")
    browser = site.browser("alice")
    page = browser.opens("/games/mambo/variant?options=-mambogo+-size%3D40")
    form, seek = page.find("//form[@action='/challenge']")
    fields = {each.get("name"): each.get("value") for each in form.findall(".//input")}
    answer = browser.asks("/challenge", "POST", data={**fields, "to": "bob"})
    assert answer.headers["location"] == "/boards/101?begun=yes"
    assert site.board(101).options == {"mambogo": True, "size": 40}
    fields = {each.get("name"): each.get("value") for each in seek.findall(".//input")}
    assert browser.asks("/challenge", "POST", data=fields).status_code == 200
    assert "Mambogo, Number of tiles: 40" in site.guest().opens("/games/mambo").text


def test_who_has_not_is_led_back_after_signing_in(site: WebSite) -> None:
    page = site.guest().opens("/games/mambo/variant?options=-mambogo")
    (link,) = [each for each in page.all("//main//a/@href") if each.startswith("/sign-in")]
    assert parse_qs(urlsplit(link).query)["then"] == ["/games/mambo/variant?options=-mambogo"]
    assert not page.find("//form[@action='/challenge']")


@pytest.mark.parametrize("game", GAMES)
def test_a_variant_is_tried_out_by_clicks_alone(site: WebSite, game: str) -> None:
    browser = site.guest()
    page = browser.opens(f"/games/{game}/variant")
    (address,) = [each for each in page.all("//a/@href") if "/variant/try" in each]
    turns = 0
    for _ in range(20):
        page = browser.opens(address)
        turns = len(page.all("//ol[@class='tried']/li"))
        if turns == 4:
            break
        steps = page.all("//ul[starts-with(@class,'choices')]//a/@href") or page.all("//figure//a/@href")
        address = steps[0]
    assert turns == 4
    back = page.all("//p[@class='back']/a/@href")[0]
    assert len(browser.opens(back).all("//ol[@class='tried']/li")) == 3
    assert browser.asks("/boards.json").json()["boards"] == []


def test_a_trial_keeps_its_options_and_tells_what_cannot_be_played(site: WebSite) -> None:
    browser = site.guest()
    page = browser.opens("/games/mambo/variant/try?options=-size%3D10&turn=A1")
    assert "-size=10" in page.text
    assert "Tiles left: 9" in page.text
    assert all("size%3D10" in each for each in page.all("//figure//a/@href"))
    wrong = browser.opens("/games/mambo/variant/try?turn=Z9", 409)
    assert wrong.find("//div[@role='alert']")
    wrong = browser.opens(f"/games/mambo/variant/try?turn={'A1/' * 400}", 409)
    assert wrong.find("//div[@role='alert']")


def test_a_trial_ends_when_the_game_does(site: WebSite) -> None:
    page = site.guest().opens("/games/mambo/variant/try?turn=A3/E2/D1")
    assert "The game is over: the first player won" in page.text
    assert not page.find("//figure//a")


def test_a_variant_of_more_players_says_for_how_many(site: WebSite) -> None:
    page = design(site.guest(), "mamba", players="4", teams="1")
    assert "mamba challenge -teams <userid> <userid> <userid>" in page.all("//input[@id='share-mail']/@value")
    page = site.guest().opens("/games/mamba/variant/try?players=3")
    assert page.find("//figure//*[local-name()='svg']")


@pytest.fixture
def matches(site: WebSite, monkeypatch: pytest.MonkeyPatch) -> Game[Any, Any]:
    """The game of docs/adding-a-game.md on the server."""
    (code,) = re.findall(r"```python\n# pbem_matches.py\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    module = types.ModuleType("pbem_matches")
    monkeypatch.setitem(sys.modules, "pbem_matches", module)  # dataclasses look their module up
    exec(code, module.__dict__)  # noqa: S102 - our own page
    game: Game[Any, Any] = module.MATCHES
    site.server.parts.games["matches"] = game
    return game


@pytest.fixture
def undeclared(matches: Game[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads its options without declaring them."""
    monkeypatch.setattr(type(matches), "read_options", lambda _, words: sys.modules["pbem_matches"].OPTIONS.read(words))
    monkeypatch.setattr(type(matches), "vocabulary", None)


@pytest.mark.usefixtures("undeclared")
@pytest.mark.parametrize("options", ["-matches=5", "matches=5", "-matc=5"])
def test_options_of_a_game_without_a_vocabulary_are_typed(site: WebSite, options: str) -> None:
    browser = site.guest()
    page = browser.opens("/games/matches/variant")
    assert page.all("//form[@class='variant']//input[not(@type='hidden')]/@name") == ["options"]
    page = browser.opens(f"/games/matches/variant?chosen=1&options={quote(options)}")
    assert page.all("//input[@id='options']/@value") == ["-matches=5"]
    assert "matches challenge -matches=5 <userid>" in page.all("//input[@id='share-mail']/@value")
    (shared,) = page.all("//input[@id='share-rules']/@value")
    assert shared.endswith("variant?options=-matches%3D5")
    assert browser.opens(shared).all("//input[@id='options']/@value") == ["-matches=5"]
    (address,) = [each for each in page.all("//a/@href") if "/variant/try" in each]
    tried = browser.opens(f"{address}&turn=3")
    assert "(2 left)" in tried.text


@pytest.mark.usefixtures("undeclared")
def test_what_is_typed_there_and_cannot_be_stays_in_the_field(site: WebSite) -> None:
    page = site.guest().opens("/games/matches/variant?options=-matches%3D99+%3Cb%3E", 409)
    assert page.all("//input[@id='options']/@value") == ["-matches=99 -<b>"]
    assert page.find("//div[@role='alert']")
    assert not page.find("//main//b")


def test_with_a_vocabulary_it_has_a_form(site: WebSite, matches: Game[Any, Any]) -> None:
    page = site.guest().opens("/games/matches/variant")
    assert page.find("//form[@class='variant']//*[@name='matches']")
    assert not page.find("//input[@id='options']")


def test_what_a_game_always_refuses_is_not_offered(site: WebSite) -> None:
    values = {
        game: site.guest().opens(f"/games/{game}/variant").all("//input[@name='auto']/@value")
        for game in ("mambo", "superbo")
    }
    assert values == {"mambo": ["", "none", "limited", "full"], "superbo": ["", "none", "limited"]}
    assert "does not work" in site.guest().opens("/games/superbo/variant?options=-auto%3Dfull", 409).text
