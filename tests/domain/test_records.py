"""Records played through as boards, and boards written down as records."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.domain.boards import Board
from pbem.domain.events import EventKind
from pbem.domain.game_state import follow
from pbem.domain.records import NotPlayed, Replay, input_reports, record_of, replay
from pbem.games.game import Game, IllegalMove, TurnRecord, UnreadableMove
from pbem.games.hextile.mambo import MAMBO
from pbem.games.hextile.notation import CornerMismatch, SwapNotAgreed, SwapTooLate, UnreadableTurn
from pbem.games.hextile.superbo import SUPERBO
from pbem.games.mamba.game import MAMBA
from pbem.games.options import UnknownOption
from pbem.games.records import (
    GameRecord,
    NoSuchSeat,
    NotForSoMany,
    OtherResult,
    OtherRules,
    OutOfTurn,
    RecordedResult,
    TurnAfterEnd,
    read_record,
)
from tests.games.mamba.playing import playthroughs
from tests.storage.stock import ALICE, AT, BOB, CAROL, OPENING, WON, board, played

STARTED = board(101, ALICE, BOB)
FIRST, SECOND = [{"q": 0, "r": 0, "state": 1}], [{"q": 1, "r": 0, "state": 2}]
RESIGNED = {"seat": 0, "event": "resign"}


def recorded(stored: Board) -> GameRecord:
    return record_of(stored, follow(stored, SUPERBO))


def mambo(*turns: Any, **fields: Any) -> Replay:
    return replay(
        GameRecord(**({"game": "mambo", "options": {}, "players": ("a", "b")} | fields), turns=turns), MAMBO, AT
    )


@pytest.mark.parametrize("stored", [STARTED, played(STARTED, *OPENING), played(STARTED, *WON)])
def test_a_board_written_down_and_played_through_is_the_same_again(stored: Board) -> None:
    record = recorded(stored)
    again = replay(record, SUPERBO, AT)
    assert again.error is None
    assert again.last.position == follow(stored, SUPERBO).position
    assert [event.record for event in again.board.events] == [event.record for event in stored.events]
    assert record_of(again.board, again.last) == record


def test_a_record_has_players_by_seat_and_the_result_by_the_rules() -> None:
    record = recorded(played(STARTED, *WON))
    assert record.players == ("Alice", "bob")
    assert record.result == RecordedResult((0,), "eye")
    assert (record.rules, record.first) == (1, 0)


@pytest.mark.parametrize(
    ("kind", "event", "result"),
    [
        (EventKind.RESIGNATION, "resign", RecordedResult((0,), "resigned")),
        (EventKind.FORFEIT, "forfeit", RecordedResult((0,), "forfeited")),
        (EventKind.DRAW, "draw", RecordedResult((), "drawn")),
    ],
)
def test_what_ends_a_game_beside_its_rules_is_an_event(kind: EventKind, event: str, result: RecordedResult) -> None:
    record = recorded(played(STARTED, *OPENING[:1]).with_event(kind, 1, AT))
    assert record.turns[1] == {"seat": 1, "event": event}
    assert record.result == result
    again = replay(record, SUPERBO, AT)
    assert (again.error, again.board.events[1].kind) == (None, kind)


def test_a_declined_challenge_has_no_record() -> None:
    with pytest.raises(NotPlayed):
        recorded(STARTED.with_event(EventKind.DECLINE, 1, AT))


def test_a_swap_is_the_games_own_turn_and_has_its_seat_in_the_record() -> None:
    swap = {"seat": 1, "event": "swap"}
    done = mambo(FIRST, swap, SECOND, options={"swap": True})
    assert done.error is None
    game: Game[Any, Any] = MAMBO
    assert game.sides(done.last.position) == ("X", "O")
    assert [(event.kind, event.seat) for event in done.board.events] == [(EventKind.MOVE, seat) for seat in (0, 1, 0)]
    assert record_of(done.board, done.last).turns == (FIRST, swap, SECOND)


@pytest.mark.parametrize(
    ("turns", "options", "wrong", "turn"),
    [
        ([FIRST, {"seat": 1, "event": "swap"}], {}, SwapNotAgreed, 2),
        ([{"seat": 0, "event": "swap"}], {"swap": True}, SwapTooLate, 1),
        ([FIRST, SECOND, {"seat": 0, "event": "swap"}], {"swap": True}, SwapTooLate, 3),
        ([FIRST, {"seat": 0, "event": "swap"}], {"swap": True}, OutOfTurn, 2),
        ([FIRST, {"seat": 0, "input": "x"}], {}, OutOfTurn, 2),
        ([FIRST, {"seat": 1, "input": "x"}], {}, UnreadableTurn, 2),
        ([FIRST, {"seat": 2, "event": "resign"}], {}, NoSuchSeat, 2),
        ([FIRST, [{"q": 1, "r": 0, "state": 1}]], {}, CornerMismatch, 2),
        ([FIRST, FIRST], {}, IllegalMove, 2),
        ([FIRST, []], {}, UnreadableMove, 2),
        ([RESIGNED, RESIGNED], {}, TurnAfterEnd, 2),
        ([FIRST, RESIGNED, SECOND], {}, TurnAfterEnd, 3),
    ],
)
def test_a_turn_that_is_illegal_is_the_end_of_a_replay(
    turns: list[Any], options: dict[str, Any], wrong: type[Exception], turn: int
) -> None:
    done = mambo(*turns, options=options)
    assert isinstance(done.error, wrong)
    assert done.wrong_turn == turn
    assert len(done.courses) == turn
    assert len(input_reports(done, MAMBO)) == turn - 1


def test_a_turn_after_the_rules_have_ended_the_game_is_illegal() -> None:
    record = recorded(played(STARTED, *WON))
    done = replay(replace(record, turns=(*record.turns, RESIGNED)), SUPERBO, AT)
    assert isinstance(done.error, TurnAfterEnd)
    assert done.last.result is not None


@pytest.mark.parametrize(
    ("given", "is_right"),
    [
        (RecordedResult((1,), "resigned"), True),
        (RecordedResult((1,)), True),
        (RecordedResult((0,), "resigned"), False),
        (RecordedResult((), "resigned"), False),
        (RecordedResult((0, 1), "resigned"), False),
        (RecordedResult((1,), "killed"), False),
    ],
)
def test_a_result_that_the_turns_do_not_come_to_is_an_error_of_no_turn(given: RecordedResult, is_right: bool) -> None:
    done = mambo(FIRST, SECOND, RESIGNED, result=given)
    assert isinstance(done.error, OtherResult) is not is_right
    assert done.wrong_turn is None
    assert len(done.courses) == 4


def test_a_result_of_a_game_that_is_on_is_an_error() -> None:
    assert isinstance(mambo(FIRST, result=RecordedResult((0,), "killed")).error, OtherResult)


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"rules": 2}, OtherRules),
        ({"rules": 0}, OtherRules),
        ({"players": ("a",)}, NotForSoMany),
        ({"players": ("a", "b", "c")}, NotForSoMany),
        ({"options": {"fast": True}}, UnknownOption),
    ],
)
def test_a_record_that_cannot_be_begun_is_refused(fields: dict[str, Any], wrong: type[Exception]) -> None:
    with pytest.raises(wrong):
        mambo(FIRST, **fields)


@pytest.mark.parametrize("version", [1, 2])
def test_a_record_goes_by_the_rules_that_it_was_played_under(version: int) -> None:
    for game in playthroughs(f"rules-{version}"):
        written = read_record(game["record"])
        again, other = replay(written, MAMBA, AT), replay(replace(written, rules=3 - version), MAMBA, AT)
        assert again.error is None
        assert again.board.rules == version
        assert record_of(again.board, again.last) == written
        assert again.last.position != other.last.position


def test_a_record_that_leaves_out_the_rules_goes_by_the_present_ones() -> None:
    written = read_record(playthroughs("rules-2")[0]["record"])
    assert replay(replace(written, rules=None), MAMBA, AT).board.rules == MAMBA.rules


def test_the_seat_that_begins_may_be_the_second() -> None:
    done = mambo(FIRST, SECOND, {"seat": 1, "event": "resign"}, first=1)
    assert [event.seat for event in done.board.events] == [1, 0, 1]
    assert record_of(done.board, done.last).result == RecordedResult((0,), "resigned")


def test_options_that_are_false_are_left_out_of_a_board() -> None:
    assert mambo(options={"mamba": False, "size": 12}).board.options == {"size": 12}


def test_no_board_that_was_replayed_is_rated() -> None:
    assert not mambo(FIRST).board.rated


def as_typed(*lines: str) -> tuple[TurnRecord, ...]:
    """Turns of two players who play in turn."""
    return tuple({"seat": number % 2, "input": line} for number, line in enumerate(lines))


def test_inputs_are_kept_in_the_games_own_words() -> None:
    record = GameRecord("mamba", {"inorder": True}, ("a", "b"), as_typed(" MOVE  D1 c2 ", "d7-e6"))
    done = replay(record, MAMBA, AT)
    assert record_of(done.board, done.last).turns == as_typed("move d1-c2", "move d7-e6")


@pytest.mark.parametrize("typed", ["cut c7", "CUT c7 - h7", "cut c7-e7"])
def test_an_end_that_is_cut_is_kept_in_one_form_however_a_record_names_it(typed: str) -> None:
    """So that the game is known again when it comes once more."""
    written = next(line["record"] for line in playthroughs() if "cut c7-d7" in str(line["record"]))
    known = read_record(written)
    turns = [{**turn, "input": turn["input"].replace("cut c7-d7", typed)} for turn in written["turns"]]
    again = replay(read_record(written | {"turns": turns}), MAMBA, AT)
    assert again.error is None
    assert record_of(again.board, again.last).turns == known.turns


def test_a_game_that_began_anew_is_written_down_from_there() -> None:
    begun = replace(board(101, ALICE, BOB, CAROL), game="mamba", first=1)
    begun = begun.with_event(EventKind.MOVE, 1, AT, {"input": "pass"}).with_decline(CAROL.id, AT, restarts=True)
    begun = begun.with_event(EventKind.MOVE, 1, AT, {"input": "move d7-e6"})
    record = record_of(begun, follow(begun, MAMBA))
    assert (record.players, record.first) == (("Alice", "bob"), 1)
    assert record.turns == ({"seat": 1, "input": "move d7-e6"},)
    assert replay(record, MAMBA, AT).last.position == follow(begun, MAMBA).position
