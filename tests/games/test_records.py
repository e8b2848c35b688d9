"""Game records, and everything that looks like none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import PlayerError
from pbem.games.records import (
    BadField,
    GameRecord,
    Happening,
    NoSuchSeat,
    RecordedEvent,
    RecordedResult,
    UnknownFormat,
    UnreadableEvent,
    event_in,
    read_record,
    to_json,
)

RECORD: dict[str, Any] = {
    "format": "pbem-game/1",
    "game": "superbo",
    "options": {"adjacent_pair": True},
    "players": ["alice", "bob"],
    "turns": [[{"q": 1, "r": 0, "state": 2}], {"seat": 0, "event": "resign"}],
    "result": {"winner": 1, "reason": "resigned"},
    "rules": 1,
    "first": 0,
}


def test_a_record_is_read_and_written_alike() -> None:
    record = read_record(RECORD)
    assert record.players == ("alice", "bob")
    assert record.result == RecordedResult((1,), "resigned")
    assert to_json(record) == RECORD


def test_result_rules_and_first_may_be_left_out() -> None:
    short = {name: value for name, value in RECORD.items() if name not in ("result", "rules", "first")}
    record = read_record(short)
    assert (record.result, record.rules, record.first) == (None, None, 0)
    assert to_json(record) == short | {"first": 0}


def test_what_later_versions_may_add_is_passed_over() -> None:
    assert read_record(RECORD | {"event": "Club evening"}) == read_record(RECORD)


@pytest.mark.parametrize("field", ["game", "options", "players", "turns"])
def test_a_field_that_is_missing_is_named(field: str) -> None:
    with pytest.raises(BadField) as refused:
        read_record({name: value for name, value in RECORD.items() if name != field})
    assert refused.value.facts == {"field": field, "missing": True}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("game", 7),
        ("options", []),
        ("players", "alice"),
        ("players", []),
        ("players", ["alice", ""]),
        ("players", ["alice", 7]),
        ("turns", {}),
        ("turns", None),
        ("result", None),
        ("result", 1),
        ("result", {}),
        ("result", {"reason": "resigned"}),
        ("result", {"winner": 2}),
        ("result", {"winner": True}),
        ("result", {"winner": [0, "1"]}),
        ("result", {"winner": [1, 1]}),
        ("result", {"winner": [0, 0, 1]}),
        ("result", {"winner": 1, "reason": 7}),
        ("rules", "1"),
        ("rules", True),
        ("rules", 1.0),
        ("first", 2),
        ("first", -1),
        ("first", True),
        ("first", None),
    ],
)
def test_a_field_of_the_wrong_type_is_named(field: str, value: object) -> None:
    with pytest.raises(BadField) as refused:
        read_record(RECORD | {field: value})
    assert refused.value.facts == {"field": field, "missing": False}


@pytest.mark.parametrize(
    ("value", "found"),
    [({}, ""), ([], ""), (None, ""), ({"format": 1}, ""), ({"format": "pbem-game/2"}, "pbem-game/2")],
)
def test_another_format_is_refused_by_its_name(value: object, found: str) -> None:
    with pytest.raises(UnknownFormat) as refused:
        read_record(value)
    assert refused.value.facts["found"] == found


@pytest.mark.parametrize(("winner", "winners"), [(1, (1,)), ([1], (1,)), ([2, 0], (0, 2)), (None, ()), ([], ())])
def test_a_winner_is_a_seat_a_team_or_nobody(winner: object, winners: tuple[int, ...]) -> None:
    record = read_record(RECORD | {"players": ["a", "b", "c"], "result": {"winner": winner}})
    assert record.result == RecordedResult(winners)
    assert read_record(to_json(record)) == record


@pytest.mark.parametrize("name", Happening)
def test_an_event_has_a_seat_and_a_name(name: Happening) -> None:
    assert event_in({"seat": 1, "event": name.value}, seats=2) == RecordedEvent(1, name)


@pytest.mark.parametrize(
    "turn",
    [
        {"event": "resign"},
        {"seat": True, "event": "resign"},
        {"seat": "1", "event": "resign"},
        {"seat": 1, "event": "dance"},
        {"seat": 1, "event": None},
        {"seat": 1, "event": "resign", "why": "late"},
    ],
)
def test_an_event_that_is_not_well_formed_is_refused(turn: object) -> None:
    with pytest.raises(UnreadableEvent):
        event_in(turn, seats=2)


@pytest.mark.parametrize("seat", [-1, 2, 10**14])
def test_an_event_of_nobodys_is_refused(seat: int) -> None:
    with pytest.raises(NoSuchSeat):
        event_in({"seat": seat, "event": "draw"}, seats=2)


@pytest.mark.parametrize("turn", [[], [{"q": 0, "r": 0, "state": 1}], {"seat": 0, "input": "move d1-c2"}, None, 7, "x"])
def test_any_other_turn_is_the_games_own(turn: object) -> None:
    assert event_in(turn, seats=2) is None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(tuple(RECORD)), VALUES, max_size=4))
def test_any_value_is_a_record_or_refused(changes: dict[str, Any]) -> None:
    try:
        record = read_record(RECORD | changes)
    except PlayerError:
        return
    assert isinstance(record, GameRecord)
