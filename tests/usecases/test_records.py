"""What ``pbem replay`` says of a record: all recorded games, and records that were tampered with."""

from __future__ import annotations

import copy
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games.records import parse_line
from pbem.usecases.records import replay_line
from tests.games.hextile.playing import GAMES, playthroughs

AT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
RECORDED = [recorded for name in sorted(GAMES) for recorded in playthroughs(name)]
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
    """What some objects say under the names that one of them has, in some order."""
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
"""What has no place in a record, or not there."""


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
