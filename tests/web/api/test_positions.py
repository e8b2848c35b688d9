"""Positions of the hexagonal tile games as JSON: enough to draw a board without knowing how spaces are labelled."""

from __future__ import annotations

import re
from typing import Any

from tests.storage.stock import OPENING
from tests.support.web_site import WebSite
from tests.web.api.requests import read
from tests.web.recorded import records, stands

PLACEMENT = re.compile(r"([A-Z]+)(\d+)")


def begun(site: WebSite, game: str, *turns: str) -> int:
    site.joins("alice", "bob", "carol", "dan")
    number = site.begins(game, "alice", "bob")
    site.moves(number, *turns)
    return number


def tiles(board: dict[str, Any]) -> set[tuple[int, int, int]]:
    return {(each["q"], each["r"], each["state"]) for each in board["state"]["position"]["tiles"]}


def test_what_was_played_can_be_laid_out_by_the_labels_alone(site: WebSite) -> None:
    number = begun(site, "superbo", *OPENING)
    board = read(site.guest(), f"/boards/{number}.json")
    places = {each["label"]: (each["q"], each["r"]) for each in board["state"]["hextile"]["filled"]}
    texts = [text for turn in board["turns"] for text in (turn["text"], *turn["automatic"])]
    laid = {(*places[label], int(state)) for label, state in PLACEMENT.findall(" ".join(texts))}
    assert any(turn["automatic"] for turn in board["turns"])
    assert laid | {(0, 0, 1)} == tiles(board)
    assert [turn["move"] for turn in board["turns"]] == [1, 2, 3, 4]


def test_the_last_turn_tells_its_tiles_of_a_draft_and_of_the_past(site: WebSite) -> None:
    number = begun(site, "superbo", "b3", "c4,k5")
    drafted = read(site.guest(), f"/boards/{number}.json?turn=H2")["state"]["hextile"]["last_turn"]
    assert [(each["label"], each["state"], each["automatic"]) for each in drafted] == [("H", 2, False), ("J", 1, True)]
    past = read(site.guest(), f"/boards/{number}.json?move=1")["state"]["hextile"]["last_turn"]
    assert [(each["label"], each["state"]) for each in past] == [("B", 3)]


def test_spaces_null_points_and_supply_are_those_of_the_position(site: WebSite) -> None:
    site.joins("alice", "bob", "carol", "dan")
    (mambo,) = [record for record in records() if record["game"] == "mambo"]
    found = [
        read(site.guest(), f"/boards/{stands(site, mambo, n)}.json")
        for n in range(len(mambo["turns"]) - 4, len(mambo["turns"]))
    ]
    for board in found:
        told = board["state"]["hextile"]
        position = site.course(site.board(board["board"])).position
        assert told["supply"] == dict(position.supply)
        assert {(each["q"], each["r"]) for each in told["null_points"]} == set(position.layout.null_points)
        assert {each["label"] for each in told["spaces"]} | {each["label"] for each in told["null_points"]} == set(
            position.layout.labels.values()
        )
        fitting = {f"{each['label']}{state}" for each in told["spaces"] for state in each["states"]}
        assert set(board["state"]["legal"]) <= fitting
    assert any(board["state"]["hextile"]["null_points"] for board in found)


def test_another_game_has_turns_alone(site: WebSite) -> None:
    board = read(site.guest(), f"/boards/{begun(site, 'mamba')}.json")
    assert (board["turns"], board["state"]["hextile"]) == ([], None)
