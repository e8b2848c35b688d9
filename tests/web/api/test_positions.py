"""Positions of the hexagonal tile games as JSON: enough to draw a board without knowing how spaces are labelled."""

from __future__ import annotations

import re
from typing import Any

from tests.storage.stock import OPENING
from tests.web.api.requests import read
from tests.web.club import Club
from tests.web.recorded import records, stands

PLACEMENT = re.compile(r"([A-Z]+)(\d+)")


def begun(club: Club, game: str, *turns: str) -> int:
    club.joins("alice", "bob", "carol", "dan")
    number = club.begins(game, "alice", "bob")
    club.moves(number, *turns)
    return number


def tiles(board: dict[str, Any]) -> set[tuple[int, int, int]]:
    return {(each["q"], each["r"], each["state"]) for each in board["state"]["position"]["tiles"]}


def test_what_was_played_can_be_laid_out_by_the_labels_alone(club: Club) -> None:
    number = begun(club, "superbo", *OPENING)
    board = read(club.guest(), f"/boards/{number}.json")
    places = {each["label"]: (each["q"], each["r"]) for each in board["state"]["hextile"]["filled"]}
    texts = [text for turn in board["turns"] for text in (turn["text"], *turn["automatic"])]
    laid = {(*places[label], int(state)) for label, state in PLACEMENT.findall(" ".join(texts))}
    assert any(turn["automatic"] for turn in board["turns"])
    assert laid | {(0, 0, 1)} == tiles(board)
    assert [turn["move"] for turn in board["turns"]] == [1, 2, 3, 4]


def test_the_last_turn_tells_its_tiles_of_a_draft_and_of_the_past(club: Club) -> None:
    number = begun(club, "superbo", "b3", "c4,k5")
    drafted = read(club.guest(), f"/boards/{number}.json?turn=H2")["state"]["hextile"]["last_turn"]
    assert [(each["label"], each["state"], each["automatic"]) for each in drafted] == [("H", 2, False), ("J", 1, True)]
    past = read(club.guest(), f"/boards/{number}.json?move=1")["state"]["hextile"]["last_turn"]
    assert [(each["label"], each["state"]) for each in past] == [("B", 3)]


def test_spaces_null_points_and_supply_are_those_of_the_position(club: Club) -> None:
    club.joins("alice", "bob", "carol", "dan")
    (mambo,) = [record for record in records() if record["game"] == "mambo"]
    found = [
        read(club.guest(), f"/boards/{stands(club, mambo, n)}.json")
        for n in range(len(mambo["turns"]) - 4, len(mambo["turns"]))
    ]
    for board in found:
        told = board["state"]["hextile"]
        position = club.course(club.board(board["board"])).position
        assert told["supply"] == dict(position.supply)
        assert {(each["q"], each["r"]) for each in told["null_points"]} == set(position.layout.null_points)
        assert {each["label"] for each in told["spaces"]} | {each["label"] for each in told["null_points"]} == set(
            position.layout.labels.values()
        )
        fitting = {f"{each['label']}{state}" for each in told["spaces"] for state in each["states"]}
        assert set(board["state"]["legal"]) <= fitting
    assert any(board["state"]["hextile"]["null_points"] for board in found)


def test_another_game_has_turns_alone(club: Club) -> None:
    board = read(club.guest(), f"/boards/{begun(club, 'mamba')}.json")
    assert (board["turns"], board["state"]["hextile"]) == ([], None)
