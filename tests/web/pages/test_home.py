"""The front page, and the pages about games."""

from __future__ import annotations

from pbem.games.hextile.lambo import PALAGO
from tests.storage.stock import WON
from tests.support.web_site import WebPage, WebSite
from tests.web.visiting import fills, score, with_robots


def cards(page: WebPage, section: str) -> list[str]:
    """The headings of the cards in a section of the front page."""
    of = f"@aria-labelledby='{section}' or @aria-label='{section}'"
    return [" ".join(each.split()) for each in page.all(f"//section[{of}]//li//h3")]


def test_the_front_page_begins_with_one_button_and_needs_no_account(site: WebSite) -> None:
    page = site.guest().opens("/")
    assert page.all("//h1") == ["Board games at the pace of letters."]
    first = page.find("//main//form[@method='post']")[0]
    assert (first.get("action"), first.text_content().split("\n")[1]) == ("/play", "Play the computer now")
    assert "No account needed." in page.text
    assert "/sign-up" in page.links
    assert page.find("//pre") == []


def test_the_front_page_has_a_card_for_each_game_with_a_replay_and_the_rules(site: WebSite) -> None:
    page = site.guest().opens("/")
    assert cards(page, "Games") == ["Superbo", "Lambo", "Mambo", "Palago", "Mamba"]
    headings = page.all("//section[@aria-label='Games']//h2")
    assert headings == ["Hexagonal tiles", "Square boards"]
    assert {f"/games/{name}" for name in ("lambo", "mamba", "mambo", "palago", "superbo")} <= set(page.links)
    pictures = page.all("//section[@aria-label='Games']//img/@data-src")
    assert pictures == [f"/games/replays.svg#{name}" for name in ("superbo", "lambo", "mambo", "palago", "mamba")]
    assert "Close a group of your colour around an eye." in page.text


def test_a_server_with_thirty_games_has_the_first_of_each_family_and_links_to_the_others(site: WebSite) -> None:
    for number in range(25):
        own = {"name": f"game{number:02}", "family": ("tiles", "cards", "")[number % 3]}
        site.server.parts.games[own["name"]] = type("Another", (type(PALAGO),), own)()
    page = site.guest().opens("/")
    headings = page.all("//section[@aria-label='Games']//h2")
    assert headings == ["Hexagonal tiles", "Square boards", "Cards", "Other games"]
    assert len(cards(page, "Games")) == 8 + 1 + 8 + 8
    assert page.all("//section[@aria-label='Games']//a[starts-with(@href, '/games#')]") == ["All 13 games"]
    assert len(site.guest().opens("/games").find("//li//h3")) == 5 + 25


def test_the_front_page_shows_the_boards_in_play_and_a_puzzle(site: WebSite) -> None:
    site.joins("ann", "ben")
    site.moves(site.begins("superbo", "ann", "ben"), *WON)
    number = site.begins("superbo", "ben", "ann")
    page = site.guest().opens("/")
    assert cards(page, "boards") == [f"Superbo board {number}"]
    assert "ben to move" in page.text
    (puzzle,) = page.all("//section[@aria-labelledby='puzzle']//h3/a/@href")
    assert site.guest().asks(f"{puzzle}/picture.svg").status_code == 200


def test_the_front_page_shows_players_the_boards_that_wait_for_them_first(site: WebSite) -> None:
    site.joins("ann", "ben", "cat")
    waits_for_ben = site.begins("superbo", "ben", "ann")
    waits_for_ann = site.begins("superbo", "ann", "ben")
    of_others = site.begins("superbo", "ben", "cat")
    page = site.browser("ann").opens("/")
    assert cards(page, "mine") == [f"Superbo board {waits_for_ann}"]
    assert cards(page, "others") == [f"Superbo board {waits_for_ben}"]
    assert cards(page, "boards") == [f"Superbo board {of_others}"]
    assert {"/challenge", "/challenge?to=anyone"} <= set(page.links)


def test_what_the_operator_tells_stands_on_the_front_page_as_text(site: WebSite) -> None:
    site.bulletin("Closed on <b>Monday</b>")
    page = site.guest().opens("/")
    assert page.all("//p[@class='bulletin']") == ["Closed on <b>Monday</b>"]


def test_the_list_of_games_counts_boards_and_seeks(site: WebSite) -> None:
    site.joins("ann", "ben", "cat")
    site.moves(site.begins("superbo", "ann", "ben"), *WON)
    site.begins("superbo", "ann", "cat")
    site.says("cat", "mambo seek 2")
    page = site.guest().opens("/games")
    assert page.all("//main//table") == []
    links = dict(zip(page.all("//main//a/@href"), page.all("//main//a"), strict=True))
    assert links["/boards?game=superbo"] == "1 board in play"
    assert links["/games/mambo#seeks"] == "2 players wanted"
    assert "/boards?game=mambo" not in links


def test_the_page_of_a_game_begins_as_its_help_does_and_links_to_it(site: WebSite) -> None:
    page = site.guest().opens("/games/superbo")
    assert "by Cameron Browne (2008), for two players, O and X" in page.all("//p")
    assert "O begins with one tile" not in page.text
    assert {"/help/superbo", "/help/superbo/options", "/help/superbo/tactics"} <= set(page.links)


def test_boards_on_the_page_of_a_game_do_not_each_name_it(site: WebSite) -> None:
    site.joins("ann", "ben")
    site.says("ann", "superbo challenge ben")
    [row] = site.guest().opens("/games/superbo").table("Boards of Superbo in play")
    assert "Superbo" not in row
    assert "Superbo" in site.guest().opens("/players/ann").table("Boards of ann in play")[0]


def test_games_come_in_one_order_everywhere(site: WebSite) -> None:
    site.joins("ann")
    browser, order = site.browser("ann"), ["Superbo", "Lambo", "Mamba", "Mambo", "Palago"]
    for path, chips in (
        ("/challenge", "//b[@class='says']"),
        ("/standings", "//a[@class='chip']"),
        ("/history", "//a[@class='chip']"),
    ):
        assert [each for each in browser.opens(path).all(f"//main{chips}") if each in order] == order, path


def test_what_the_header_has_no_room_for_on_phones_is_in_its_menu(site: WebSite) -> None:
    site.joins("ann")
    for browser in (site.guest(), site.browser("ann")):
        links = browser.opens("/help").all("//header//details//a[ancestor-or-self::*[contains(@class, 'more')]]/@href")
        assert links == ["/games", "/boards", "/help"]


def test_the_page_of_a_game_is_found_in_either_case(site: WebSite) -> None:
    assert site.guest().opens("/games/SUPERBO").all("//h1") == ["Superbo"]


def test_the_page_of_a_game_says_who_looks_for_others_and_for_what(site: WebSite) -> None:
    site.joins("ann", "ben")
    site.says("ann", "superbo seek 2 -adjacent_pair")
    site.says("ben", "superbo seek")
    page = site.guest().opens("/games/superbo")
    seeks = page.all("//section[@aria-labelledby='seeks']//li")
    assert seeks == ["ann, 2 boards, Adjacent tiles", "ben, 1 board"]
    own = site.browser("ann").opens("/games/superbo")
    assert own.all("//section[@aria-labelledby='seeks']//li") == ["ben, 1 board Play this"]
    assert "You are looking for one yourself: your seeks." in own.text
    assert "yourself" not in page.text


def test_who_looks_for_others_does_not_see_whom_he_has_blocked(site: WebSite) -> None:
    site.joins("ann", "ben")
    site.says("ben", "superbo seek")
    site.says("ann", "block ben")
    assert "Nobody at the moment." in site.browser("ann").opens("/games/superbo").text


def test_the_page_of_a_game_has_its_boards_and_its_best_players(site: WebSite) -> None:
    site.joins("ann", "ben")
    site.moves(site.begins("superbo", "ann", "ben"), *WON)
    number = site.begins("superbo", "ann", "ben")
    site.begins("mamba", "ann", "ben")
    page = site.guest().opens("/games/superbo")
    assert [row[0] for row in page.table("Boards of Superbo in play")] == [str(number)]
    assert [row[1:] for row in page.table("Provisional ratings")] == [
        ["ann", "1800", score(1, 0, 0), "1"],
        ["ben", "1400", score(0, 1, 0), "1"],
    ]


def test_a_game_that_is_none_of_ours_is_not_found_and_the_nearest_is_named(site: WebSite) -> None:
    page = site.guest().opens("/games/superbow", status=404)
    assert 'I do not play a game called "superbow". Did you mean superbo?' in page.text


def test_who_has_signed_in_takes_up_a_seek_by_a_button(site: WebSite) -> None:
    site.joins("ann", "ben")
    site.says("ann", "superbo seek -adjacent_pair")
    assert fills(site.browser("ben"), "/games/superbo", "/command").status_code == 200
    assert sorted(each.userid for each in site.board(101).seats) == ["ann", "ben"]


def test_a_guest_is_offered_no_buttons_that_need_a_player(site: WebSite) -> None:
    site.joins("ann")
    site.says("ann", "superbo seek")
    site.says("ann", "superbo tournament create spring")
    for address in ("/games/superbo", "/players/ann", "/tournaments/superbo/spring"):
        page = site.guest().opens(address)
        assert (
            page.find("//main//form[@method='post' and @action!='/play'] | //main//a[starts-with(@href, '/challenge')]")
            == []
        )


def test_who_has_signed_in_is_led_to_the_form_of_a_challenge(site: WebSite) -> None:
    site.joins("ann", "ben")
    ann = site.browser("ann")
    assert "/challenge?game=superbo" in ann.opens("/games/superbo").links
    assert "/challenge?to=ben" in ann.opens("/players/ben").links
    assert "/challenge?to=ann" not in ann.opens("/players/ann").links


def test_the_links_at_the_top_say_what_page_it_is_and_what_it_is_part_of(site: WebSite) -> None:
    site.joins("ann", "ben", "cat")
    number, ann = site.begins("superbo", "ann", "ben"), site.browser("ann")
    of_others = site.begins("superbo", "ben", "cat")

    def current(address: str) -> dict[str, str]:
        links = ann.opens(address).find("//header//a[@aria-current]")
        return {link.text.strip(): link.get("aria-current") for link in links}

    assert current("/games") == {"Games": "page"}
    assert current("/games/superbo") == current("/games/superbo/variant") == {"Games": "true"}
    assert current(f"/boards/{number}") == {"My games": "true"}
    assert current(f"/boards/{of_others}") == {"Watch": "true"}
    assert current("/players/ann") == {"Profile": "page"}
    assert current("/settings/tokens") == {"Settings": "true"}
    assert current("/") == {"My games": "page"}
    assert current("/looks") == {}


def test_the_components_are_shown_to_those_who_work_on_the_pages_alone(site: WebSite) -> None:
    assert site.guest().opens("/design").all("//h1") == ["Design"]


def test_the_page_of_a_game_is_one_click_from_playing(site: WebSite) -> None:
    (form,) = site.guest().opens("/games/mambo").find("//form[@action='/play']")
    assert form.xpath(".//input[@name='game']/@value") == ["mambo"]
    pictures = site.guest().opens("/games/mambo").all("//main//picture//img/@src")
    assert pictures == ["/games/replays.svg#mambo"]


def test_a_player_opens_a_board_against_the_computer_with_one_click_in_their_last_game(site: WebSite) -> None:
    with_robots(site)
    site.joins("ann", "ben")
    ann = site.browser("ann")
    assert ann.opens("/").all("//div[@class='row']//form[@action='/play']//input[@name='game']/@value") == ["superbo"]
    site.begins("mambo", "ann", "ben")
    answer = fills(ann, "/", "/play")
    board = site.board(102)
    assert answer.headers["location"] == "/boards/102"
    assert (board.game, [seat.userid for seat in board.seats]) == ("mambo", ["ann", "robot1"])


def test_without_computer_opponents_no_button_offers_one(site: WebSite) -> None:
    site.joins("ann")
    assert "Play the computer" not in site.browser("ann").opens("/").text


def test_a_card_of_a_game_opens_a_board_or_leads_to_a_challenge(site: WebSite) -> None:
    site.joins("ann")
    page = site.browser("ann").opens("/")
    assert "lambo" in page.all("//li//form[@action='/play']/input[@name='game']/@value")
    assert "/challenge?game=lambo" in page.links
