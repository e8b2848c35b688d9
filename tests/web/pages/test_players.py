"""Facts about players that pages tell, and those that they do not."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from pbem.domain.players import Standing
from tests.storage.stock import WON
from tests.support.web_site import WebSite
from tests.web.visiting import score

RATINGS = "Ratings of ann by game"


def plays(site: WebSite) -> None:
    site.joins("ann", "ben")
    for winner, loser in (("ann", "ben"), ("ann", "ben"), ("ben", "ann")):
        site.moves(site.begins("superbo", winner, loser), *WON)
        site.waits(timedelta(days=1))


def test_a_player_has_ratings_places_and_the_way_there(site: WebSite) -> None:
    plays(site)
    page = site.guest().opens("/players/ann")
    (row,) = page.table(RATINGS)
    assert row[:4] == ["Superbo", "1666", "1 (provisional)", score(2, 1, 0)]
    assert row[5:] == ["0"]
    (so_far,) = page.all("//figure[@class='chances']/small")
    assert so_far == "1800 on 1 Mar 2026, 1666 on 3 Mar 2026; between 1666 and 1800"
    assert page.all("//svg[@class='line']/@aria-label") == ["From 1800 to 1666, between 1666 and 1800"]


def test_a_rating_that_has_never_changed_has_no_line(site: WebSite) -> None:
    site.joins("ann", "ben")
    site.moves(site.begins("superbo", "ann", "ben"), *WON)
    assert site.guest().opens("/players/ann").find("//svg[@class='line']") == []


def test_the_line_of_a_rating_is_without_a_board_that_was_annulled(site: WebSite) -> None:
    plays(site)
    site.annuls(102)
    page = site.guest().opens("/players/ben")
    current = page.table("Ratings of ben by game")[0][1].split()[0]
    (label,) = page.all("//svg[@class='line']/@aria-label")
    assert len(page.all("//svg[@class='line']/polyline/@points")[0].split()) == 2
    assert f" to {current}, " in label


def test_a_player_has_boards_in_play_and_finished_ones(site: WebSite) -> None:
    plays(site)
    number = site.begins("mamba", "ben", "ann")
    page = site.guest().opens("/players/ann")
    assert [row[:3] for row in page.table("Boards of ann in play")] == [[str(number), "Mamba", "ben \N{EN DASH} ann"]]
    finished = page.table("Finished boards of ann, most recent first")
    assert [(row[1], row[4]) for row in finished] == [
        ("103", "lost to ben"),
        ("102", "won against ben"),
        ("101", "won against ben"),
    ]
    assert "Finished games 3, none of them forfeited" in " ".join(page.all("//dl/dt | //dl/dd"))


def test_finished_boards_have_their_final_positions(site: WebSite) -> None:
    plays(site)
    page = site.guest().opens("/players/ann")
    pictures = page.all("//img[@loading='lazy']/@src")
    assert pictures == [f"/boards/{number}/picture.svg" for number in (103, 102, 101)]
    assert "<svg" in site.guest().opens(pictures[0]).source
    assert len(page.source) < 60_000


def test_a_player_is_compared_with_the_opponents_met_most_and_the_visitor_first(site: WebSite) -> None:
    plays(site)
    site.joins("cat")
    site.moves(site.begins("superbo", "cat", "ann"), *WON)
    met = "Rated games of ann against the opponents met most"
    assert site.guest().opens("/players/ann").table(met) == [["ben", score(2, 1, 0)], ["cat", score(0, 1, 0)]]
    seen_by_cat = site.browser("cat").opens("/players/ann").table(met)
    assert seen_by_cat == [["cat (you)", score(0, 1, 0)], ["ben", score(2, 1, 0)]]
    site.annuls(104)
    assert site.browser("cat").opens("/players/ann").table(met) == [["ben", score(2, 1, 0)]]


def test_a_variant_has_a_rating_a_line_and_standings_of_its_own(site: WebSite) -> None:
    site.joins("ann", "ben")
    for options in ("", "-mambogo", "-mambogo -size=40"):
        site.says("ben", f"mambo challenge {options} ben ann")
        site.moves(number := site.numbers[-1], "A1", "B1")
        site.says("ben", f"resign {number}")
        site.waits(timedelta(days=1))
    page = site.guest().opens("/players/ann")
    rows = page.table(RATINGS)
    assert [row[:4] for row in rows] == [
        ["Mambo", "1800", "1 (provisional)", score(1, 0, 0)],
        ["Mambo mambogo", "1800", "1 (provisional)", score(2, 0, 0)],
    ]
    assert [row[5] for row in rows] == ["0", ""]
    assert len(page.find("//svg[@class='line']")) == 1
    standings = site.guest().opens("/standings/mambo?variant=mambogo")
    assert standings.all("//nav//a[@aria-current='page'][contains(@href, 'variant')]") == ["Mambogo"]
    assert [row[1:4] for row in standings.table("Mambo, Mambogo: Provisional ratings")] == [
        ["ann", "1800", score(2, 0, 0)],
        ["ben", "1400", score(0, 2, 0)],
    ]
    assert [row[2] for row in site.guest().opens("/standings/mambo").table("Provisional ratings")] == ["1800", "1400"]
    assert "Mambo, Mambogo" in site.guest().opens("/standings").all("//h2")
    assert "Its variants are mamba, mamboa and mambogo." in site.guest().opens("/standings/mambo?variant=go", 404).text


def test_a_player_is_found_in_either_case_and_no_address_is_told(site: WebSite) -> None:
    site.joins("ann")
    page = site.guest().opens("/players/ANN")
    assert page.all("//h1") == ["ann"]
    assert "ann@" not in page.source


def test_a_vacation_is_told_in_the_time_of_the_reader(site: WebSite) -> None:
    site.joins("ann", "ben")
    site.says("ann", "vacation 2026-03-05")
    site.says("ben", "set timezone=Asia/Tokyo")
    assert "On vacation until Fri 6 Mar 2026, 00:00 UTC." in site.guest().opens("/players/ann").text
    assert "On vacation until Fri 6 Mar 2026, 09:00 JST." in site.browser("ben").opens("/players/ann").text


def test_who_has_left_is_said_to_have_left_and_no_more(site: WebSite) -> None:
    plays(site)
    with site.server.unit_of_work() as uow:
        ann = uow.players.by_userid("ann")
        assert ann is not None
        uow.players.save(replace(ann, standing=Standing.GONE))
        uow.commit()
    page = site.guest().opens("/players/ann")
    assert "Has left this server." in page.text
    assert "Here since" not in page.text


def test_nobody_is_not_found(site: WebSite) -> None:
    assert 'Nobody here is called "nobody".' in site.guest().opens("/players/nobody", status=404).text


def test_who_was_here_lately_is_listed(site: WebSite) -> None:
    site.joins("ann", "ben")
    site.browser("ben")
    assert "Nobody was here in the last 30 days." not in site.guest().opens("/players").text
    site.waits(timedelta(days=40))
    site.browser("ann")
    rows = site.guest().opens("/players").table("Players seen in the last 30 days")
    assert rows == [["ann", "10 Apr 2026", "0", "0", "\N{EN DASH}"]]
    site.waits(timedelta(days=40))
    assert "Nobody was here in the last 30 days." in site.guest().opens("/players").text
