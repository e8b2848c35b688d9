"""What pages tell about players, and what they do not."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from pbem.domain.players import Standing
from tests.storage.stock import WON
from tests.web.club import Club

RATINGS = "Ratings of ann by game"


def plays(club: Club) -> None:
    club.joins("ann", "ben")
    for winner, loser in (("ann", "ben"), ("ann", "ben"), ("ben", "ann")):
        club.moves(club.begins("superbo", winner, loser), *WON)
        club.waits(timedelta(days=1))


def test_a_player_has_ratings_places_and_the_way_there(club: Club) -> None:
    plays(club)
    page = club.guest().opens("/players/ann")
    (row,) = page.table(RATINGS)
    assert row[:8] == ["superbo", "1666 (provisional)", "1 of the provisional", "2", "1", "0", "0/-", ""]
    assert row[8] == "1800 on 2026-03-01, 1666 on 2026-03-03; between 1666 and 1800"
    assert page.all("//svg/@aria-label") == ["From 1800 to 1666, between 1666 and 1800"]


def test_a_rating_that_has_never_changed_has_no_line(club: Club) -> None:
    club.joins("ann", "ben")
    club.moves(club.begins("superbo", "ann", "ben"), *WON)
    assert club.guest().opens("/players/ann").find("//svg") == []


def test_the_line_of_a_rating_is_without_a_board_that_was_annulled(club: Club) -> None:
    plays(club)
    club.annuls(102)
    page = club.guest().opens("/players/ben")
    current = page.table("Ratings of ben by game")[0][1].split()[0]
    (label,) = page.all("//svg/@aria-label")
    assert len(page.all("//svg/polyline/@points")[0].split()) == 2
    assert f" to {current}, " in label


def test_a_player_has_boards_in_play_and_finished_ones(club: Club) -> None:
    plays(club)
    number = club.begins("mamba", "ben", "ann")
    page = club.guest().opens("/players/ann")
    assert [row[:3] for row in page.table("Boards of ann in play")] == [[str(number), "Mamba", "ben - ann"]]
    finished = page.table("Finished boards of ann, the last first")
    assert [(row[0], row[3]) for row in finished] == [
        ("103", "lost to ben"),
        ("102", "won against ben"),
        ("101", "won against ben"),
    ]
    assert "Finished games 3, of which none were forfeited" in " ".join(page.all("//dl/dt | //dl/dd"))


def test_a_player_is_found_in_either_case_and_no_address_is_told(club: Club) -> None:
    club.joins("ann")
    page = club.guest().opens("/players/ANN")
    assert page.all("//h1") == ["ann"]
    assert "ann@" not in page.source


def test_a_vacation_is_told_in_the_time_of_the_reader(club: Club) -> None:
    club.joins("ann", "ben")
    club.says("ann", "vacation 2026-03-05")
    club.says("ben", "set timezone=Asia/Tokyo")
    assert "On vacation until Fri 6 Mar 2026, 00:00 UTC." in club.guest().opens("/players/ann").text
    assert "On vacation until Fri 6 Mar 2026, 09:00 JST." in club.browser("ben").opens("/players/ann").text


def test_who_has_left_is_said_to_have_left_and_no_more(club: Club) -> None:
    plays(club)
    with club.server.unit_of_work() as uow:
        ann = uow.players.by_userid("ann")
        assert ann is not None
        uow.players.save(replace(ann, standing=Standing.GONE))
        uow.commit()
    page = club.guest().opens("/players/ann")
    assert "Has left this server." in page.text
    assert "Here since" not in page.text


def test_nobody_is_not_found(club: Club) -> None:
    assert 'Nobody here is called "nobody".' in club.guest().opens("/players/nobody", status=404).text


def test_who_was_here_lately_is_listed(club: Club) -> None:
    club.joins("ann", "ben")
    club.browser("ben")
    assert "Nobody was here in the last 30 days." not in club.guest().opens("/players").text
    club.waits(timedelta(days=40))
    club.browser("ann")
    rows = club.guest().opens("/players").table("Who was here in the last 30 days")
    assert rows == [["ann", "2026-04-10", "0", "0", "", ""]]
    club.waits(timedelta(days=40))
    assert "Nobody was here in the last 30 days." in club.guest().opens("/players").text
