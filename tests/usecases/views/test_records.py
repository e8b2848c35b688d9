"""Answers of ``pbem replay`` to a record: all recorded games, and records that were tampered with."""

from __future__ import annotations

import copy
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games.mamba.game import MAMBA
from pbem.games.records import parse_line
from pbem.usecases.rankings import replay_line
from tests.games.hextile.playing import GAMES as OF_TILES
from tests.games.hextile.playing import playthroughs
from tests.games.mamba.playing import playthroughs as games_of_mamba

GAMES: dict[str, Any] = {**OF_TILES, "mamba": MAMBA}
AT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
RECORDED = [recorded for name in sorted(OF_TILES) for recorded in playthroughs(name)]
KEYS = {"game", "ok", "turns", "tiles", "groups"}


def report(record: object) -> dict[str, Any]:
    """The report as whoever reads it gets it."""
    line = record if isinstance(record, bytes) else json.dumps(record).encode()
    told = replay_line(line, GAMES, AT, lambda error: type(error).__name__)
    plain: dict[str, Any] = json.loads(json.dumps(told, allow_nan=False))
    return plain


@pytest.mark.parametrize("recorded", RECORDED)
def test_a_recorded_game_comes_out_as_expected_turn_by_turn(recorded: dict[str, Any]) -> None:
    record, expected = recorded["record"], recorded["expected"]
    told = report(record)
    assert told.keys() == KEYS | {"result"}
    assert (told["ok"], told["game"]) == (True, record["game"])
    assert told["result"]["winner"] == expected["winner"]
    assert (told["result"]["reason"] != "supply_empty") is expected["early"]
    assert told["turns"] == [
        {"placements": laid, **turn} for laid, turn in zip(record["turns"], expected["turns"], strict=True)
    ]
    assert _sorted(told["groups"], expected["groups"][0]) == _sorted(expected["groups"], expected["groups"][0])
    laid = [tile for turn in told["turns"] for tile in turn["placements"] + turn["autos"]]
    started = [] if record["game"] == "mambo" else [{"q": 0, "r": 0, "state": 1}]
    assert _sorted(told["tiles"], laid[0]) == _sorted(started + laid, laid[0])


def _sorted(things: list[dict[str, Any]], like: dict[str, Any]) -> list[list[Any]]:
    """The values of some objects under the names that one of them has, in some order."""
    return sorted(([each[name] for name in like] for each in things), key=str)


def test_an_illegal_turn_leaves_what_went_before_it() -> None:
    record = copy.deepcopy(RECORDED[0]["record"])
    good = report(record | {"turns": record["turns"][:3]})
    assert "result" not in good
    record["turns"][3] = record["turns"][2]
    told = report(record)
    assert told == good | {"ok": False, "error": {"turn": 4, "reason": told["error"]["reason"]}}
    assert len(told["turns"]) == 3


def test_events_are_told_as_they_stand() -> None:
    turns = [[{"q": 0, "r": 0, "state": 1}], {"seat": 1, "event": "swap"}, {"seat": 1, "event": "forfeit"}]
    record = {"format": "pbem-game/1", "game": "mambo", "options": {"swap": True}, "players": ["a", "b"]}
    told = report(record | {"turns": turns})
    assert told["ok"]
    assert told["turns"][1:] == turns[1:]
    assert told["result"] == {"winner": 0, "reason": "forfeited"}


@pytest.mark.parametrize(
    ("line", "name", "reason"),
    [
        (b"no json", None, "NoJson"),
        (b"[[]]", None, "UnknownFormat"),
        (b'{"game": "mambo"}', "mambo", "UnknownFormat"),
        (b'{"format": "pbem-game/1", "game": "mambo"}', "mambo", "BadField"),
        (b'{"format": "pbem-game/1", "game": [1]}', None, "BadField"),
        (
            b'{"format": "pbem-game/1", "game": "chess", "options": {}, "players": ["a"], "turns": []}',
            "chess",
            "NoSuchGame",
        ),
        (
            b'{"format": "pbem-game/1", "game": "mambo", "options": {}, "players": ["a"], "turns": []}',
            "mambo",
            "NotForSoMany",
        ),
    ],
)
def test_a_line_that_is_no_record_is_an_error_of_no_turn(line: bytes, name: str | None, reason: str) -> None:
    told = report(line)
    empty: dict[str, Any] = {"turns": [], "tiles": [], "groups": []}
    assert told == {"game": name, "ok": False, "error": {"turn": None, "reason": reason}, **empty}


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-20, 20),
    st.sampled_from((10**14, -(10**14), 1.0, 0.5, "", "swap", "1", "\ud800")),
    st.sampled_from(("resign", "forfeit", "draw", "swap", "dance")).map(lambda event: {"seat": 0, "event": event}),
    st.lists(st.integers(-2, 13), max_size=3),
    st.fixed_dictionaries({}, optional={name: st.integers(-3, 13) for name in ("q", "r", "state", "seat", "x")}),
)
"""Values that have no place in a record, or not there."""


@st.composite
def tampered(draw: st.DrawFn) -> dict[str, Any]:
    """A record of a real game with up to three things in it put in, changed, moved or taken out."""
    record: dict[str, Any] = copy.deepcopy(draw(st.sampled_from(RECORDED))["record"])
    record["turns"] = record["turns"][: draw(st.integers(0, 6))]
    for _ in range(draw(st.integers(1, 3))):
        inner: Any = record
        while isinstance(inner, dict | list) and inner:
            place: Any = draw(st.sampled_from(sorted(inner) if isinstance(inner, dict) else range(len(inner))))
            if not draw(st.booleans()) and isinstance(inner[place], dict | list) and inner[place]:
                inner = inner[place]
            elif draw(st.booleans()):
                inner[place] = draw(ODD)
                break
            else:
                moved = inner.pop(place)
                if isinstance(inner, list):
                    inner.insert(draw(st.integers(0, len(inner))), moved)
                break
    return record


@given(tampered())
def test_whatever_stands_in_a_record_there_is_a_report(record: dict[str, Any]) -> None:
    told = report(record)
    assert told.keys() - {"result", "error"} == KEYS
    assert told["ok"] is not ("error" in told)
    if told["ok"]:
        assert len(told["turns"]) == len(record["turns"])
    elif told["error"]["turn"] is not None:
        assert told["error"]["turn"] == len(told["turns"]) + 1


@given(st.data())
def test_a_record_that_is_cut_or_garbled_is_reported_too(data: st.DataObject) -> None:
    line = bytearray(json.dumps(data.draw(st.sampled_from(RECORDED))["record"]).encode()[:400])
    for _ in range(data.draw(st.integers(0, 4))):
        line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 255))
    told = report(bytes(line))
    assert told["ok"] is False
    assert parse_line(json.dumps(told).encode()) == told


# Mamba

OF_MAMBA = games_of_mamba()
START = "...B.B.../...BBB.../...B.B.../AAA...CCC/.A.....C./AAA...CCC/........./........./........."


def of_three(*turns: Any, **fields: Any) -> dict[str, Any]:
    """The report of a game of three that nobody has played yet."""
    record = {"format": "pbem-game/1", "game": "mamba", "options": {}, "players": ["a", "b", "c"], "turns": turns}
    return report(record | fields)


def passes(*seats: int) -> list[dict[str, Any]]:
    return [{"seat": seat, "input": "pass"} for seat in seats]


@pytest.mark.parametrize("recorded", OF_MAMBA, ids=lambda recorded: str(len(recorded["record"]["turns"])))
def test_a_recorded_game_of_mamba_comes_out_input_by_input(recorded: dict[str, Any]) -> None:
    record, expected = recorded["record"], recorded["expected"]
    told = report(record)
    assert told["ok"]
    assert [{name: each[name] for name in ("board", "status")} for each in told["turns"]] == expected["turns"]
    assert all(("decision" in each) is (each["status"] == "pending") for each in told["turns"])
    assert told["result"] == {"winner": "ABCD".index(expected["result"]["winner"]), "reason": "last_in_play"}
    assert told["board"] == expected["turns"][-1]["board"]
    assert [told["board"].count(mark) for mark in "ABCD"[: len(record["players"])]] == [*map(len, told["pieces"])]


def test_a_decision_that_is_open_is_told_with_its_owner_and_the_answers() -> None:
    record = OF_MAMBA[2]["record"]
    told = report(record | {"turns": record["turns"][:55]})
    assert told["turns"][-1]["decision"] == {"kind": "cut", "seat": 0, "options": ["cut e4", "cut e8"]}
    assert "result" not in told


@pytest.mark.parametrize(("event", "reason"), [("resign", "resigned"), ("forfeit", "forfeited")])
def test_who_leaves_in_the_middle_takes_his_pieces_and_the_others_go_on(event: str, reason: str) -> None:
    left = {"seat": 1, "event": event}
    told = of_three(*passes(0, 1, 2, 0), left, *passes(2, 0))
    gone = START.replace("B", ".")
    assert told["turns"][4] == left | {"status": "turn", "board": gone}
    assert (told["ok"], told["playing"], told["board"], "result" in told) == (True, [0, 2], gone, False)
    told = of_three(*passes(0, 1, 2, 0), left, {"seat": 0, "event": event})
    assert told["turns"][-1] == {"seat": 0, "event": event, "status": "over", "board": gone.replace("A", ".")}
    assert told["result"] == {"winner": 2, "reason": reason}


def test_who_leaves_out_of_turn_leaves_the_turn_to_whom_it_belongs() -> None:
    told = of_three(*passes(0), {"seat": 0, "event": "resign"}, *passes(1, 2, 1))
    assert told["ok"]
    assert [each["status"] for each in told["turns"]] == ["turn", "turn", "turn", "turn", "turn"]


def test_who_leaves_in_the_turn_of_another_leaves_it_open() -> None:
    turns = [{"seat": 0, "input": "move a4-a2"}, *passes(1, 2), {"seat": 0, "input": "lay a2>a1"}]
    told = of_three(*turns, {"seat": 1, "event": "resign"}, *passes(0))
    assert told["ok"]
    assert [each["status"] for each in told["turns"]] == ["turn", "turn", "turn", "open", "open", "turn"]


def test_with_a_draw_all_is_over_and_the_board_stays() -> None:
    told = of_three(*passes(0), {"seat": 2, "event": "draw"})
    assert told["turns"][1:] == [{"seat": 2, "event": "draw", "status": "over", "board": START}]
    assert told["result"] == {"winner": None, "reason": "drawn"}


def test_with_a_draw_a_decision_that_is_open_needs_no_answer() -> None:
    record = OF_MAMBA[2]["record"]
    told = report(record | {"turns": [*PENDING, {"seat": 1, "event": "draw"}]})
    *_, asked, drawn = told["turns"]
    assert "decision" in asked
    assert drawn == {"seat": 1, "event": "draw", "status": "over", "board": asked["board"]}


def test_a_team_that_has_won_is_a_list_of_seats() -> None:
    fields = {"players": ["a", "b", "c", "d"], "options": {"teams": True}}
    turns = [{"seat": seat, "event": "resign"} for seat in (3, 1)]
    told = of_three(*turns, **fields)
    assert told["result"] == {"winner": [0, 2], "reason": "resigned"}
    for winner, ok in (([0, 2], True), ([2, 0], True), ([0], False), (0, False), ([1, 3], False), (None, False)):
        again = of_three(*turns, **fields, result={"winner": winner, "reason": "resigned"})
        assert again["ok"] is ok
        assert ("error" in again and again["error"]["reason"]) == ("OtherResult" if not ok else False)


PENDING: list[Any] = OF_MAMBA[2]["record"]["turns"][:55]


@pytest.mark.parametrize(
    ("turns", "reason"),
    [
        ([{"seat": 1, "input": "pass"}], "OutOfTurn"),
        ([{"seat": 7, "input": "pass"}], "OutOfTurn"),
        ([{"seat": -1, "input": "pass"}], "OutOfTurn"),
        ([{"seat": "0", "input": "pass"}], "UnreadableInput"),
        ([{"seat": True, "input": "pass"}], "UnreadableInput"),
        ([{"seat": 0.0, "input": "pass"}], "UnreadableInput"),
        ([{"seat": None, "input": "pass"}], "UnreadableInput"),
        ([{"seat": [0], "input": "pass"}], "UnreadableInput"),
        ([{"seat": 0, "input": ["pass"]}], "UnreadableInput"),
        ([{"seat": 0, "input": "pass", "by": "a"}], "UnreadableInput"),
        ([{"seat": 0}], "UnreadableInput"),
        ([{"input": "pass"}], "SeatMissing"),
        ([*passes(0), {"input": "pass"}], "SeatMissing"),
        ([{"seat": 0, "input": "lay a1>a2," * 50_000}], "TooManySteps"),
        ([["pass"]], "UnreadableInput"),
        (["pass"], "UnreadableInput"),
        ([None], "UnreadableInput"),
        ([{"seat": 0, "input": ""}], "NothingToPlay"),
        ([{"seat": 0, "input": "move a4"}], "StepNeedsCells"),
        ([{"seat": 0, "input": "move a4-z9"}], "NoSuchCell"),
        ([{"seat": 0, "input": "turn a4"}], "NothingToDecide"),
        ([{"seat": 0, "input": "pass turn a4"}], "TurnIsOver"),
        ([{"seat": 0, "input": "pass pass"}], "TurnIsOver"),
        ([{"seat": 0, "event": "swap"}], "UnreadableInput"),
        ([{"seat": 3, "event": "resign"}], "NoSuchSeat"),
        ([{"seat": 1, "event": "resign"}, {"seat": 1, "event": "resign"}], "SeatIsOut"),
        ([{"seat": 1, "event": "resign"}, {"seat": 1, "event": "forfeit"}], "SeatIsOut"),
        ([{"seat": 1, "event": "resign"}, {"seat": 1, "event": "draw"}], "SeatIsOut"),
        ([{"seat": 1, "event": "resign"}, *passes(0, 1)], "OutOfTurn"),
        ([{"seat": 1, "event": "resign"}, {"seat": 2, "event": "resign"}, *passes(0)], "TurnAfterEnd"),
        ([*PENDING, *passes(1)], "OutOfTurn"),
        ([*PENDING, {"seat": 1, "input": "cut e4"}], "OutOfTurn"),
        ([*PENDING, *passes(0)], "DecisionNeeded"),
        ([*PENDING, {"seat": 0, "input": "cut e5"}], "NoSuchOption"),
        ([*PENDING, {"seat": 0, "input": "cut e4 cut e4"}], "AnswerIsComplete"),
        ([*PENDING[:-1], {"seat": 1, "input": "lay f9>e8 cut e4"}], "DecisionNeeded"),
    ],
)
def test_a_turn_of_mamba_that_is_wrong_is_told_and_those_before_it_stand(turns: list[Any], reason: str) -> None:
    told = of_three(*turns)
    assert (told["ok"], told["error"]) == (False, {"turn": len(turns), "reason": reason})
    assert len(told["turns"]) == len(turns) - 1


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"players": ["a"]}, "NotForSoMany"),
        ({"players": list("abcde")}, "NotForSoMany"),
        ({"options": {"teams": True}}, "TeamsNeedFour"),
        ({"options": {"size": 10}}, "NoSuchValue"),
        ({"first": 3}, "BadField"),
    ],
)
def test_a_game_of_mamba_that_cannot_be_begun_is_told(fields: dict[str, Any], reason: str) -> None:
    assert of_three(**fields)["error"] == {"turn": None, "reason": reason}
