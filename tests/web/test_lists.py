"""Boards, finished games and standings as lists."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.storage.stock import WON
from tests.web.club import Club

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.club import Page


@pytest.fixture
def played(club: Club) -> Club:
    """Superbo 101 is over; 102 (Superbo) and 103 (Mamba) are in play."""
    club.joins("ann", "ben", "cat")
    club.moves(club.begins("superbo", "ann", "ben"), *WON)
    club.moves(club.begins("superbo", "ben", "cat"), "B3")
    club.begins("mambo", "ann", "cat")
    return club


def numbers(page: Page) -> list[str]:
    return page.all("//tbody/tr/th")


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
def test_boards_are_chosen_by_game_and_player(played: Club, asked: str, found: list[str]) -> None:
    assert numbers(played.guest().opens(f"/boards{asked}")) == found


def test_a_line_of_a_board_has_its_players_moves_and_whose_turn_it_is(played: Club) -> None:
    (row,) = played.guest().opens("/boards?game=superbo").table("Boards of superbo in play")
    assert row == ["102", "Superbo", "ben - cat", "1", "cat", "Sun 1 Mar 2026, 12:08 UTC"]


def test_a_board_that_is_over_says_who_has_won(played: Club) -> None:
    (row,) = played.guest().opens("/boards?which=inactive").table("Boards over lately")
    assert row[4] == "won by ann"


def test_times_are_those_of_the_reader(played: Club) -> None:
    played.says("cat", "set timezone=Asia/Tokyo")
    (row,) = played.browser("cat").opens("/boards?game=superbo").table("Boards of superbo in play")
    assert row[5] == "Sun 1 Mar 2026, 21:08 JST"


@pytest.mark.parametrize("asked", ["game=chess", "player=nobody"])
def test_what_is_unknown_is_not_found_but_can_be_asked_anew(played: Club, asked: str) -> None:
    page = played.guest().opens(f"/boards?{asked}", status=404)
    assert len(page.find("//div[@role='alert']")) == 1
    assert len(page.find("//form//select[@name='which']")) == 1


def test_lists_that_grow_too_long_are_cut_and_say_so(sqlite_url: str, tmp_path: Path) -> None:
    with Club(sqlite_url, tmp_path, max_boards_shown="1") as club:
        club.joins("ann", "ben")
        for _ in range(11):
            club.begins("superbo", "ann", "ben")
        page = club.guest().opens("/boards")
    assert len(numbers(page)) == 10
    assert "… and more than fit here." in page.text


def test_history_has_what_is_over_of_all_of_a_game_and_of_a_player(played: Club) -> None:
    guest = played.guest()
    row = ["101", "superbo", "2026-03-01", "ann - ben: won by ann", "ann +200, ben -200"]
    assert guest.opens("/history").table("Finished games, the last first") == [row]
    assert guest.opens("/history/superbo").table("Finished games of superbo, the last first") == [row]
    assert "There are none." in guest.opens("/history/mamba").text
    own = guest.opens("/history?player=ben").table("Finished games with ben, the last first")
    assert own == [["101", "superbo", "2026-03-01", "lost to ann", "1400"]]


def test_history_keeps_what_has_left_the_lists(played: Club) -> None:
    played.waits(timedelta(days=30))
    assert numbers(played.guest().opens("/boards?which=inactive")) == []
    assert numbers(played.guest().opens("/history")) == ["101"]


def test_standings_show_all_kinds_of_players(played: Club) -> None:
    page = played.guest().opens("/standings/superbo")
    assert page.table("Provisional ratings") == [
        ["1", "ann", "1800", "1", "0", "0", "0/-", ""],
        ["2", "ben", "1400", "0", "1", "0", "1/-", ""],
    ]
    played.waits(timedelta(days=100))
    page = played.guest().opens("/standings/superbo")
    assert [row[1] for row in page.table("Inactive (no board in the last 90 days)")] == ["ann"]


def test_standings_of_all_games_leave_out_those_without_ratings(played: Club) -> None:
    page = played.guest().opens("/standings")
    assert page.all("//h2") == ["Superbo"]
    assert "Nobody has a rating in Mamba yet." in played.guest().opens("/standings/mamba").text


@pytest.mark.parametrize("address", ["/standings/mambu", "/history/mambu", "/tournaments/mambu"])
def test_a_game_that_is_none_of_ours_has_no_lists(club: Club, address: str) -> None:
    assert "Did you mean mambo or mamba?" in club.guest().opens(address, status=404).text
