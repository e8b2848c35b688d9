"""Boards, finished games and standings as lists."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.domain.ratings import Rating
from tests.storage.stock import WON
from tests.support.web_site import WebPage, WebSite
from tests.web.visiting import score


@pytest.fixture
def played(site: WebSite) -> WebSite:
    """Superbo 101 is over; 102 (Superbo) and 103 (Mamba) are in play."""
    site.joins("ann", "ben", "cat")
    site.moves(site.begins("superbo", "ann", "ben"), *WON)
    site.moves(site.begins("superbo", "ben", "cat"), "B3")
    site.begins("mambo", "ann", "cat")
    return site


def numbers(page: WebPage) -> list[str]:
    """The boards of a list: of a table, or of cards."""
    return page.all("//tbody/tr/th") or [each.rpartition("/")[2] for each in page.all("//li//a[@class='over']/@href")]


def card(page: WebPage) -> list[str]:
    """The lines of the only card."""
    (found,) = page.find("//li[contains(@class, 'card')]")
    return [" ".join(each.text_content().split()) for each in found.xpath(".//h3 | .//p")]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", ["102", "103"]),
        ("?game=superbo", ["102"]),
        ("?player=ANN", ["103"]),
        ("?game=&player=&which=all", ["101", "102", "103"]),
        ("?player=ann&which=inactive", ["101"]),
        ("?player=cat&which=next", ["102"]),
        ("?which=next", ["102", "103"]),
        ("?which=nonsense", ["102", "103"]),
        ("?which=tournament", []),
    ],
)
def test_boards_are_chosen_by_game_and_player(played: WebSite, asked: str, found: list[str]) -> None:
    assert numbers(played.guest().opens(f"/boards{asked}")) == found


def test_a_card_of_a_board_has_its_players_moves_and_whose_turn_it_is(played: WebSite) -> None:
    page = played.guest().opens("/boards?game=superbo")
    assert page.all("//h2") == ["Boards of Superbo: in play"]
    assert card(page) == ["Superbo board 102", "ben · cat", "cat to move", "1 move · 1 minute ago"]
    (picture,) = page.all("//li//img/@data-src")
    assert played.guest().asks(picture).status_code == 200


def test_a_board_that_waits_for_the_reader_has_a_mark(played: WebSite) -> None:
    waits = "//li[@class='card waits']"
    assert len(played.browser("cat").opens("/boards?game=superbo").find(waits)) == 1
    assert played.browser("ben").opens("/boards?game=superbo").find(waits) == []


def test_a_board_that_is_over_says_who_has_won(played: WebSite) -> None:
    assert "won by ann" in card(played.guest().opens("/boards?which=inactive"))


def test_where_nothing_is_in_play_the_page_leads_on(site: WebSite) -> None:
    site.joins("ann")
    page = site.guest().opens("/boards")
    assert "No game is being played at the moment." in page.text
    assert page.all("//p[@class='buttons']/a/@href") == ["/games", "/boards?which=inactive"]
    page = site.browser("ann").opens("/boards?game=mambo&player=ann")
    assert page.all("//h2") == ["Boards of Mambo with ann: in play"]
    onwards = ["/challenge", "/boards?game=mambo&player=ann&which=inactive"]
    assert page.all("//p[@class='buttons']/a/@href") == onwards
    assert site.guest().opens(onwards[1]).all("//p[@class='buttons']/a/@href") == ["/games"]


def test_times_are_those_of_the_reader(played: WebSite) -> None:
    played.says("cat", "set timezone=Asia/Tokyo")
    page = played.browser("cat").opens("/boards?game=superbo")
    assert page.all("//li//time/@title") == ["Sun 1 Mar 2026, 21:08 JST"]


@pytest.mark.parametrize("asked", ["game=chess", "player=nobody"])
def test_what_is_unknown_is_not_found_but_can_be_asked_anew(played: WebSite, asked: str) -> None:
    page = played.guest().opens(f"/boards?{asked}", status=404)
    assert len(page.find("//div[@role='alert']")) == 1
    assert len(page.find("//form//select[@name='which']")) == 1


def test_history_has_what_is_over_of_all_of_a_game_and_of_a_player(played: WebSite) -> None:
    guest = played.guest()
    row = ["101", "Superbo", "1 Mar 2026", "ann beat ben", "ann +200, ben \N{MINUS SIGN}200"]
    assert guest.opens("/history").table("Finished games, most recent first") == [row]
    without_game = [row[0], *row[2:]]
    assert guest.opens("/history/superbo").table("Finished games of Superbo, most recent first") == [without_game]
    assert "There are no finished games like these." in guest.opens("/history/mamba").text
    own = guest.opens("/history?player=ben").table("Finished games with ben, most recent first")
    assert own == [["101", "Superbo", "1 Mar 2026", "lost to ann", "1400"]]


def test_history_keeps_what_has_left_the_lists(played: WebSite) -> None:
    played.waits(timedelta(days=30))
    assert numbers(played.guest().opens("/boards?which=inactive")) == []
    assert numbers(played.guest().opens("/history")) == ["101"]


def test_standings_show_all_kinds_of_players(played: WebSite) -> None:
    page = played.guest().opens("/standings/superbo")
    assert page.table("Provisional ratings") == [
        ["1", "ann", "1800", score(1, 0, 0), "0"],
        ["2", "ben", "1400", score(0, 1, 0), "1"],
    ]
    played.waits(timedelta(days=100))
    page = played.guest().opens("/standings/superbo")
    assert [row[1] for row in page.table("Inactive (no board in the last 90 days)")] == ["ann"]


def test_standings_of_all_games_leave_out_those_without_ratings(played: WebSite) -> None:
    page = played.guest().opens("/standings")
    assert page.all("//h2") == ["Superbo"]
    assert "Nobody has a rating in Mamba yet." in played.guest().opens("/standings/mamba").text


def test_standings_without_ratings_explain_no_columns(site: WebSite) -> None:
    for path, said in (("/standings", "No rated game has been finished here"), ("/standings/mamba", "Nobody has a")):
        page = site.guest().opens(path)
        assert said in page.text
        assert "Seeks" not in page.text
        assert "How ratings work" in page.text


@pytest.mark.parametrize("address", ["/standings/mambu", "/history/mambu", "/tournaments/mambu"])
def test_a_game_that_is_none_of_ours_has_no_lists(site: WebSite, address: str) -> None:
    assert "Did you mean mambo or mamba?" in site.guest().opens(address, status=404).text


@pytest.fixture
def long(chosen_url: str, tmp_path: Path) -> Iterator[WebSite]:
    """Boards 101 to 123, all in play; ten of them fit in a list."""
    with WebSite(chosen_url, tmp_path, max_boards_shown="1") as site:
        site.joins("ann", "ben")
        for _ in range(23):
            site.begins("superbo", "ann", "ben")
        yield site


def leafed(site: WebSite, address: str, rel: str = "next") -> list[list[str]]:
    """The contents of the pages of a list, from one page on as far as its links lead."""
    found = []
    while True:
        page = site.guest().opens(address)
        found.append(numbers(page))
        links = page.all(f"//nav[@aria-label='Pages']/a[@rel='{rel}']/@href")
        if not links:
            return found
        (address,) = links


def called(first: int, last: int) -> list[str]:
    step = 1 if first <= last else -1
    return [str(number) for number in range(first, last + step, step)]


def test_boards_are_leafed_through_there_and_back(long: WebSite) -> None:
    there = [called(101, 110), called(111, 120), called(121, 123)]
    assert leafed(long, "/boards?game=superbo") == there
    assert leafed(long, "/boards?game=superbo&page=3", "prev") == there[::-1]
    page = long.guest().opens("/boards?game=superbo&page=2")
    assert page.all("//nav[@aria-label='Pages']/span") == ["Page 2"]
    assert page.all("//a[@rel='prev']/@href") == ["/boards?game=superbo"]


def test_history_is_leafed_through_the_newest_first(long: WebSite) -> None:
    for number in range(101, 124):
        long.moves(number, *WON[:2])
        long.says(long.board(number).seats[0].userid, f"resign {number}")
    there = [called(123, 114), called(113, 104), called(103, 101)]
    assert leafed(long, "/history") == there
    assert leafed(long, "/history/superbo?player=ben&page=3", "prev") == there[::-1]


def test_a_page_begins_behind_the_board_that_its_link_names(long: WebSite) -> None:
    (link,) = long.guest().opens("/boards").all("//a[@rel='next']/@href")
    assert link == "/boards?page=2&behind=110"
    long.says("ann", "resign 101")
    assert numbers(long.guest().opens(link)) == called(111, 120)
    assert numbers(long.guest().opens("/boards?page=400&behind=120")) == called(121, 123)
    assert long.guest().opens("/boards?page=400&behind=120").all("//a[@rel='prev']/@href") == ["/boards"]


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("4", "has no page 4"),
        ("99999999", "has no page 99999999"),
        ("0", "page=0 is not possible"),
        ("-1", "page=-1 is not possible"),
        ("two", "page=two is not possible"),
        ("%00", None),
        ("9" * 40, "is not possible"),
        ("2&behind=x", "behind=x is not possible"),
    ],
)
def test_pages_that_are_none_are_refused_kindly(long: WebSite, page: str, words: str | None) -> None:
    for address in ("/boards", "/history", "/players", "/standings/superbo", "/tournaments/superbo"):
        shown = long.guest().opens(f"{address}?page={page}", 200 if words is None else 404)
        assert words is None or words in shown.text


def test_players_standings_and_tournaments_are_leafed_through(site: WebSite) -> None:
    userids = [f"p{number:03}" for number in range(130)]
    site.joins(*userids)
    with site.server.unit_of_work() as uow:
        for userid in userids:
            player = uow.players.by_userid(userid)
            assert player is not None
            uow.players.seen(player, site.now.date())
            uow.ratings.save(player.id, "superbo", Rating(2000 - int(userid[1:]), won=3, last_at=site.now))
        uow.commit()
    for address in ("/players", "/standings/superbo"):
        assert leafed(site, address) == [userids[:100], userids[100:]]
    last = site.guest().opens("/standings/superbo?page=2").table("Provisional ratings")
    assert (last[0][:2], last[-1][:2]) == (["101", "p100"], ["130", "p129"])
    assert site.guest().opens("/standings").all("//a[text()='… and more']/@href") == ["/standings/superbo"]
    for number in range(33):
        site.says(userids[number // 3], f"mambo tournament create Cup{number:02}")
    newest_first = [f"Cup{number:02}" for number in range(32, -1, -1)]
    assert leafed(site, "/tournaments/mambo") == [newest_first[:30], newest_first[30:]]
    assert "/tournaments/mambo" in site.guest().opens("/tournaments").all("//p/a/@href")
