"""Hints: asked for at boards in play, where nobody else could be wronged by them, and mailed when they are done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, wait
from email import message_from_string, policy
from pathlib import Path

import pytest

from pbem.workers.search_processes import SearchProcess
from tests.support.stepped_robots import SteppedRobots
from tests.support.stepped_server import SteppedServer

SUPERBO_TURNS = ("A1", "D3,C2", "R9,V7", "H2,Q1")
MIRRORED = ("D1", "H3,G2", "R9,V7", "B2,Q1")
SWAPPED = (SUPERBO_TURNS[0], "swap", *SUPERBO_TURNS[1:])
MAMBO_TURNS = ("A1", "B1", "C1", "D1")


@pytest.fixture
def robots(chosen_url: str, tmp_path: Path, mind: SearchProcess) -> Iterator[SteppedRobots]:
    """Alice and bob; at board 101 alice plays herself."""
    stepped = SteppedServer(chosen_url, tmp_path, PBEM_MAX_PLAYOUTS="20", PBEM_TRUST_FROM="true")
    robots = SteppedRobots(stepped, mind)
    stepped.gets("signup bob secret", sender="bob@example.org")
    robots.says("lambo challenge -unrated -size=8 alice alice", "move 101 alice secret a1")
    yield robots
    stepped.server.close()


def said(robots: SteppedRobots) -> str:
    return " ".join(robots.last().split())


def read(robots: SteppedRobots) -> str:
    """The text of the last mail, as its reader sees it."""
    text = message_from_string(robots.last(), policy=policy.default).get_body()
    assert text is not None
    return " ".join(text.get_content().split())


def test_what_the_strongest_would_play_is_mailed_with_the_board(robots: SteppedRobots) -> None:
    assert robots.says("hint 101") == ["lambo Board 101 Hint"]
    assert "I'll mail you what the strongest computer opponent would play" in said(robots)
    assert robots.says("hint 101") == ["lambo Board 101 Error"]
    assert "You are already waiting for an analysis or a hint at this board." in said(robots)
    assert robots.thinks() == ["lambo Board 101 Hint"]
    assert "The strongest computer opponent would play" in said(robots)
    assert "The best moves, with the chances after each" in said(robots)
    assert robots.tasks() == 0


def test_a_lower_percentage_above_a_higher_one_is_explained(robots: SteppedRobots) -> None:
    robots.says("hint 101")
    robots.thinks()
    words = read(robots)
    chances = [int(each) for each in re.findall(r"(\d+) % ", words.partition("chances after each")[2])]
    assert chances != sorted(chances, reverse=True), "this search is one of those"
    assert "less often is less certain, and may stand below one with a lower percentage" in words


def test_who_has_moved_meanwhile_gets_none(robots: SteppedRobots) -> None:
    robots.says("hint 101", "move 101 alice secret b1,c1")
    assert "lambo Board 101 Hint" in robots.thinks()
    assert "The board has changed since you asked for a hint" in said(robots)
    assert robots.says("hint 101") == ["lambo Board 101 Hint"]


def test_a_hint_that_can_no_longer_come_holds_no_place(robots: SteppedRobots) -> None:
    robots.says("lambo challenge -unrated -size=8 alice alice", "hint 101", "move 101 alice secret b1,c1")
    for letter in ("hint 101", "move 101 alice secret d1,e1", "hint 102"):
        assert not robots.says(letter)[0].endswith(" Error")
    assert robots.tasks() == 1
    assert robots.thinks() == ["lambo Board 102 Hint"]
    assert "The strongest computer opponent would play" in said(robots)
    assert robots.tasks() == 0


def test_a_hint_under_way_that_was_asked_for_anew_is_not_told_of(robots: SteppedRobots) -> None:
    robots.says("hint 101")
    robots.thinkers.step()
    assert robots.slot.task is not None
    robots.says("move 101 alice secret b1,c1", "hint 101")
    assert robots.thinks() == ["lambo Board 101 Hint"]
    assert "The strongest computer opponent would play" in said(robots)
    assert robots.tasks() == 0


def test_a_search_for_a_hint_that_a_move_has_overtaken_is_broken_off(
    chosen_url: str, tmp_path: Path, mind: SearchProcess
) -> None:
    stepped = SteppedServer(chosen_url, tmp_path, PBEM_TRUST_FROM="true")
    robots = SteppedRobots(stepped, mind)
    robots.says("lambo challenge -unrated -size=96 alice alice", "move 101 alice secret a1", "hint 101")
    attentive = robots.another([robots.slot], check=0)
    attentive.step()
    overtaken = robots.slot.thought
    assert overtaken is not None
    attentive.step()
    assert not robots.slot.is_overtaken
    robots.says("move 101 alice secret b1,c1")
    attentive.step()
    wait([overtaken], 60)
    assert isinstance(overtaken.exception(), BrokenExecutor)
    attentive.step()
    assert robots.hears() == ["lambo Board 101 Hint"]
    assert "The board has changed since you asked for a hint" in said(robots)
    assert robots.tasks() == 0
    robots.says("hint 101")
    attentive.step()
    assert robots.slot.task is not None
    attentive.end()
    stepped.server.close()


def test_nobody_is_helped_against_people_in_rated_games_or_at_boards_of_others(robots: SteppedRobots) -> None:
    robots.says(
        "lambo challenge -unrated alice bob", "lambo challenge alice bob", "lambo challenge -rated alice robot1"
    )
    for letter, why in (
        ("hint 102", "Other people play on board 102"),
        ("hint 103", "Other people play on board 103"),
        ("hint 104", "Board 104 is rated"),
        ("hint 101 bob secret", "do not play"),
        ("palago hint 101", "lambo"),
    ):
        assert robots.says(letter)[0].endswith(" Error")
        assert why in said(robots), letter
    robots.says("resign 101 alice secret")
    assert robots.says("hint 101")[0].endswith(" Error")


@pytest.mark.parametrize("moves", [1, 2, 3])
def test_no_copy_of_a_board_that_people_play_gets_a_hint(robots: SteppedRobots, moves: int) -> None:
    robots.says("lambo challenge -unrated alice bob", "lambo challenge -unrated alice alice")
    for index, turn in enumerate(("a1", "b1,c1", "d1,e1")[:moves]):
        robots.says(f"move 102 {('alice', 'bob')[index % 2]} secret {turn}", f"move 103 alice secret {turn}")
    assert robots.says("hint 103") == ["lambo Board 103 Error"]
    assert "Board 102 is still in play, and has a position that board 103 once had" in said(robots)


@pytest.mark.parametrize(
    ("between", "own", "turns", "copied"),
    [
        ("superbo challenge -rated -swap", "superbo challenge", SUPERBO_TURNS, SUPERBO_TURNS),
        ("superbo challenge", "superbo challenge -swap", SUPERBO_TURNS, SUPERBO_TURNS),
        ("superbo challenge", "superbo challenge", SUPERBO_TURNS, MIRRORED),
        ("superbo challenge -swap", "superbo challenge", SWAPPED, SUPERBO_TURNS),
        ("mambo challenge -loops=2", "mambo challenge -mamboa", MAMBO_TURNS, MAMBO_TURNS),
    ],
    ids=["swap that is past", "swap at the copy", "mirrored", "swapped", "a variant that is spelled out"],
)
def test_no_copy_gets_a_hint_that_only_seems_to_be_another_game(
    robots: SteppedRobots, between: str, own: str, turns: Sequence[str], copied: Sequence[str]
) -> None:
    robots.says(f"{between} alice bob", f"{own} alice alice")
    for index, turn in enumerate(turns):
        robots.says(f"move 102 {('alice', 'bob')[index % 2]} secret {turn}")
    robots.says(*(f"move 103 alice secret {turn}" for turn in copied))
    assert robots.says("hint 103") == [f"{own.split()[0]} Board 103 Error"]
    assert "Board 102 is still in play, and has a position that board 103 once had, perhaps turned" in said(robots)


@pytest.mark.parametrize("options", ["-largest_loses", "-num_tiles=31", "-any_colour"])
def test_a_copy_under_other_rules_gets_no_hint(robots: SteppedRobots, options: str) -> None:
    robots.says(f"superbo challenge {options} alice bob", "superbo challenge alice alice")
    for index, turn in enumerate(SUPERBO_TURNS):
        robots.says(f"move 102 {('alice', 'bob')[index % 2]} secret {turn}", f"move 103 alice secret {turn}")
    assert robots.says("hint 103") == ["superbo Board 103 Error"]


@pytest.mark.parametrize(
    ("language", "queued", "told", "overtaken", "refused"),
    [
        (
            "de",
            "Ich schicke dir, was der stärkste Computergegner",
            "Der stärkste Computergegner würde",
            "Das Brett hat sich geändert, seit du um einen Tipp",
            "alle entscheiden selbst über ihre Züge",
        ),
        (
            "fr",
            "Je vous enverrai ce que l'adversaire ordinateur le plus fort",
            "L'adversaire ordinateur le plus fort jouerait",
            "La partie a changé depuis que vous avez demandé un indice",
            "chacun décide de ses propres coups",
        ),
    ],
)
def test_hints_come_in_the_language_of_their_reader(
    robots: SteppedRobots, language: str, queued: str, told: str, overtaken: str, refused: str
) -> None:
    robots.says(f"set alice secret language={language}", "hint 101")
    assert queued in read(robots)
    robots.thinks()
    assert told in read(robots)
    robots.says("hint 101", "move 101 alice secret b1,c1")
    robots.thinks()
    assert overtaken in read(robots)
    robots.says("lambo challenge -unrated alice bob", "hint 102")
    assert refused in read(robots)
