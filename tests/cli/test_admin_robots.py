"""``pbem admin robots``: what computer opponents have to think about, and what was set aside."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.storage.engine import make_engine, writing
from pbem.storage.robot_tasks import Tasks
from tests.cli.admin import admin, done, refused, told
from tests.support.databases import database_of
from tests.support.server import GameServer


def shunt(folder: Path) -> None:
    """Set the task aside that is next in the queue."""
    engine = make_engine(database_of(folder).url)
    tasks = Tasks(engine, "somebody", timedelta(minutes=1))
    task = tasks.lease(datetime.now(UTC))
    assert task is not None
    with writing(engine) as connection:
        tasks.shunt(connection, task, "BrokenProcessPool")
    engine.dispose()


def test_the_queue_is_shown_and_what_was_set_aside_is_taken_up_again(shared: GameServer) -> None:
    folder = shared.folder
    assert done(folder, "robots", "list") == "No robot has a task.\n"
    ada = shared.player("ada")
    ada.says("palago challenge robot4 ada")
    ada.says("mamba challenge -inorder robot2 ada robot1")
    numbers = {ada.hears().subject.split()[1]: index for index in range(2)}
    assert numbers.keys() == {"palago", "mamba"}
    rows = told(folder, "robots", "list")
    assert [(row["board"], row["robot"], row["kind"], row["thinks"]) for row in rows] == [
        (102, "robot2", "act", None),
        (101, "robot4", "act", None),
    ]
    assert "robot4" in done(folder, "robots", "list")
    shunt(folder)
    counts = told(folder)
    assert (counts["robots_waiting"], counts["robots_stuck"], counts["players"]) == (1, 1, 1)
    (stuck,) = told(folder, "robots", "list", "--shunted")
    assert (stuck["board"], stuck["error"], stuck["attempts"]) == (102, "BrokenProcessPool", 1)
    assert refused(folder, "robots", "retry", "101") == "not set aside: 101"
    assert done(folder, "robots", "retry", "102") == "board 102: its robot is asked again\n"
    assert done(folder, "robots", "retry", "--all") == "No task is set aside.\n"
    assert admin(folder, "robots", "retry").exit_code == 2
    assert told(folder, "robots", "list")[0]["attempts"] == 0
    assert told(folder, "deeds")[0]["deed"] == "robots retry"


def test_robots_can_be_frozen_and_neither_removed_nor_mailed_to(shared: GameServer) -> None:
    assert "To keep it from playing, freeze it." in refused(
        shared.folder, "players", "remove", "robot5", typed="robot5\n"
    )
    assert "computer opponent" in refused(shared.folder, "players", "address", "robot5", "x@example.org")
    done(shared.folder, "players", "freeze", "robot5")
    bea = shared.player("bea")
    bea.says("palago challenge robot")
    assert "robot5 cannot play for the time being" in bea.hears().text
    bea.says("robot")
    listed = bea.hears().words
    assert "robot5 takes no challenges for now. You can play" in listed
    assert "To play: superbo challenge robot1" in listed
    done(shared.folder, "players", "unfreeze", "robot5")
    bea.says("palago challenge robot")
    assert bea.hears().subject.startswith("New palago Board ")


def welcome(server: GameServer, userid: str) -> str:
    """The words of a mail to a newcomer, and of one about an empty table."""
    person = server.person(userid)
    person.says(f"signup {userid} secret")
    person.answers(person.hears(), "yes")
    said = person.hears().words
    person.says("mambo standings")
    return f"{said} {person.hears().words}"


def test_newcomers_are_told_of_robots_that_they_can_challenge(shared: GameServer) -> None:
    done(shared.folder, "players", "freeze", "robot1")
    said = welcome(shared, "eva")
    assert "superbo challenge robot2" in said
    assert "Or against a computer opponent: mambo challenge robot2" in said
    for number in range(2, 6):
        done(shared.folder, "players", "freeze", f"robot{number}")
    said = welcome(shared, "fay")
    assert "Nobody has a rating in mambo yet." in said
    assert "omputer opponent" not in said
    for number in range(1, 6):
        done(shared.folder, "players", "unfreeze", f"robot{number}")


def test_an_analysis_is_dropped_and_who_waits_for_it_is_told(shared: GameServer) -> None:
    folder, cat, dan = shared.folder, shared.player("cat"), shared.player("dan")
    cat.says("lambo challenge -size=8 cat dan")
    board = cat.hears().subject.split()[3]
    dan.hears()
    for person, letter in ((cat, f"move {board} cat secret a1"), (dan, f"move {board} dan secret b1,c1")):
        person.says(letter)
        assert [each.hears().subject.split()[2] for each in (cat, dan)] == [board, board]
    cat.says(f"resign {board} cat secret")
    assert [each.hears().subject for each in (cat, dan)] == [f"lambo Board {board}"] * 2
    dan.says(f"analyse {board}#1 dan secret")
    assert dan.hears().subject == f"lambo Board {board} Analysis"
    (row,) = (each for each in told(folder, "robots", "list") if each["kind"] == "analyse")
    assert (row["board"], row["move"], row["asker"], row["robot"]) == (int(board), 1, "dan", "robot5")
    assert row["since"] < row["due"]
    counts = told(folder)
    assert counts["analyses_waiting"] == 1
    assert counts["robots_waiting"] == len(told(folder, "robots", "list")) - 1
    assert (
        refused(folder, "robots", "drop", str(row["task"] + 1)) == f"no analysis is waiting as task: {row['task'] + 1}"
    )
    assert (
        done(folder, "robots", "drop", str(row["task"])) == f"task {row['task']}: board {board} will not be analysed\n"
    )
    assert "The operator of this server has taken your request off the queue" in dan.hears().words
    assert "analyse" not in {each["kind"] for each in told(folder, "robots", "list")}
