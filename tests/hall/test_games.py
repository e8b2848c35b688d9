"""The games of the hall: the same as OpenSpiel's own, whatever is played."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

from pbem.errors import PlayerError
from pbem.games.game import UnreadableMove
from pbem.hall import positions
from pbem.hall.engine import Engine
from pbem.hall.game import HallGame
from pbem.hall.games import AMAZONS, CHESS, GO, HEX, OTHELLO, named
from pbem.hall.positions import HallPosition
from pbem.hall.refusals import (
    AmbiguousMove,
    BoardTooSmall,
    CannotBePlayed,
    MoveNotPossible,
    NotPlayableNow,
    SwapNotPossible,
    TurnGoesOn,
    TurnIsComplete,
)
from tests.hall.openspiel import each_game, played_beside


@each_game
@pytest.mark.parametrize("seed", range(2))
def test_a_game_at_random_is_the_same_as_in_openspiel(game: HallGame, seed: int) -> None:
    played_beside(game, {}, seed, first=seed)


@each_game
@pytest.mark.system
@pytest.mark.parametrize("seed", range(2, 10))
def test_more_games_at_random_are_the_same_as_in_openspiel(game: HallGame, seed: int) -> None:
    played_beside(game, {}, seed, first=seed % 2)


@each_game
@pytest.mark.verify
@pytest.mark.parametrize("seed", range(200))
def test_very_many_games_at_random_are_the_same_as_in_openspiel(game: HallGame, seed: int) -> None:
    played_beside(game, {}, seed, first=seed % 2)


def recorded(game: HallGame, turns: int) -> tuple[HallPosition, list[dict[str, Any]]]:
    """A game at random, and the records of its turns."""
    played, lot = game.begin({}, 2), random.Random(7)
    records = list[dict[str, Any]]()
    while played.outcome is None and len(records) < turns:
        before, steps = played, []
        while played.ply == before.ply and played.outcome is None:
            steps.append(lot.choice(played.legal()))
            played = played.play(steps[-1])
        records.append(game.input_record(before, steps))
    return played, records


@each_game
def test_all_positions_of_a_record_are_asked_for_at_once(game: HallGame, monkeypatch: pytest.MonkeyPatch) -> None:
    played, records = recorded(game, 60)
    position = game.begin({}, 2)
    positions._states.clear()
    assert position.to_act == 0  # the beginning is asked for by itself
    game.expect(position, records)
    monkeypatch.setattr(Engine, "state", lambda *of: pytest.fail(f"asked for {of}"))
    for record in records:
        position = game.play_input(position, game.input_steps(position, record))
    assert position == played


@each_game
def test_a_record_makes_the_same_game_again(game: HallGame) -> None:
    begun = game.begin({}, 2)
    played, records = recorded(game, 60)
    for numbered in (True, False):
        position = begun
        for record in records:
            said = record if numbered else record | {"engine": "0.1"}
            position = game.play_input(position, game.input_steps(position, said))
        assert position == played
        sent = pickle.loads(pickle.dumps(position))  # noqa: S301 - our own
        assert sent.contents == played.contents
    assert pickle.loads(pickle.dumps(game)) is game  # noqa: S301 - our own


@each_game
@pytest.mark.parametrize("text", ["", "zz9", "é" * 3000, "9" * 3000, "0,0", "'; drop", "\0", "a1 a1 a1 a1 a1"])
def test_any_text_is_a_turn_or_a_refusal(game: HallGame, text: str) -> None:
    with pytest.raises(PlayerError):
        game.read_input(game.begin({}, 2), text)


@each_game
@pytest.mark.parametrize("record", [None, 5, {}, {"move": ["a1"], "actions": "x"}, ["a1"]])
def test_a_record_in_another_format_is_refused(game: HallGame, record: object) -> None:
    with pytest.raises(UnreadableMove):
        game.input_steps(game.begin({}, 2), record)


def played(game: HallGame, *turns: str, **options: object) -> HallPosition:
    words = [name if value is True else f"{name}={value}" for name, value in options.items()]
    position = game.begin(game.read_options(words), 2)
    for turn in turns:
        position = game.read_input(position, turn).position
    return position


def test_a_turn_of_amazons_is_a_move_and_an_arrow() -> None:
    with pytest.raises(TurnGoesOn) as goes_on:
        played(AMAZONS, "d1-d7")
    assert goes_on.value.last == "d1-d7"
    position = played(AMAZONS, "d1d7 g7", "A7-A5/A7")
    assert (position.ply, position.to_act, str(position).count("#")) == (2, 0, 2)
    with pytest.raises(TurnIsComplete):
        AMAZONS.read_input(position, "g1-g2 g1 g3")
    with pytest.raises(NotPlayableNow) as arrow:
        AMAZONS.read_input(position, "g1-g2 a7")
    assert arrow.value.word == "a7"


def test_who_cannot_move_in_othello_passes_by_themselves() -> None:
    position = played_beside(OTHELLO, {}, 0)
    passes = 0
    for seed in range(12):
        position, lot = OTHELLO.begin({}, 2), random.Random(seed)
        while position.outcome is None:
            assert [step.text for step in position.legal()] != ["pass"]
            step = lot.choice(position.legal())
            before, position = position, position.play(step)
            if position.passed:
                passes += 1
                assert OTHELLO.input_text(position, [step]).automatic == ("pass",)
                assert position.to_act in (before.to_act, None)
                assert position.ply == before.ply + 2
    assert passes


def test_go_ends_after_two_passes_and_counts_komi() -> None:
    assert played(GO, "e5", "pass", "pass").outcome == played(GO, "E5", "PASS", "Pass", komi="9.5").outcome
    assert GO.begin({}, 2).outcome is None
    empty = played(GO, "pass", "pass")
    assert empty.outcome is not None
    assert empty.outcome.winners == (1,), "nobody has any area, and White has the komi"


def test_the_second_player_may_swap_once() -> None:
    position = played(HEX, "d4", swap=True)
    assert position.may_swap
    swapped = HEX.read_input(position, "swap").position
    assert (swapped.to_act, HEX.sides(swapped)) == (0, ("Blue", "Red"))
    with pytest.raises(SwapNotPossible):
        HEX.read_input(swapped, "swap")
    with pytest.raises(SwapNotPossible):
        played(HEX, "d4", "swap")
    after = HEX.read_input(swapped, "a1").position
    assert after.to_act == 1


def test_whoever_connects_wins_also_after_a_swap() -> None:
    tops = [f"b{row}" for row in range(1, 4)]
    for first in (0, 1):
        position = HEX.begin({"size": 3, "swap": True}, 2, first)
        for move in (tops[0], "swap", "a1", tops[1], "a2", tops[2]):
            position = HEX.read_input(position, move).position
        assert position.outcome is not None
        assert position.outcome.winners == (1 - first,), "the stones of whoever began belong to who swapped"


def test_a_step_from_another_position_is_refused() -> None:
    begun = GO.begin({}, 2)
    step = next(iter(begun.legal()))
    with pytest.raises(MoveNotPossible):
        begun.play(step).play(step)


@each_game
def test_boards_fit_into_mails(game: HallGame) -> None:
    sizes = [option for option in game.vocabulary.options if option.name == "size"]
    options = {option.name: option.values[-1] for option in sizes if option.values is not None}
    drawn = str(game.begin(options, 2))
    assert max(map(len, drawn.splitlines())) <= 78
    assert drawn == "\n".join(line.rstrip() for line in drawn.splitlines())


def test_hive_is_named_wherever_it_goes() -> None:
    """It ends nine places from the first piece, since OpenSpiel has no room for more."""
    pieces = ["A1", "Q", "A2", "A3", "G1", "G2", "G3", "S1", "S2", "B1", "B2", "M", "L", "P"]
    game = named("hive")
    position, last = game.begin({}, 2), {"w": "", "b": ""}
    for piece in pieces:
        for side, sign in (("w", "-{}"), ("b", "{}-")):
            beside = last[side] or last["w"]
            text = f"{side}{piece} {sign.format(beside)}" if beside else f"{side}{piece}"
            position = game.read_input(position, text).position
            last[side] = f"{side}{piece}"
            assert {step.places[-1] for step in position.legal()} <= position.figure.spots.keys()
            assert len(position.figure.pieces) == position.ply
            if position.outcome is not None:
                assert (position.ply, position.outcome.winners) == (18, ())
                return
    pytest.fail("it never ended")


@pytest.mark.parametrize(
    ("game", "before", "typed", "told"),
    [
        ("xiangqi", "", "R1-1", "R1-1"),
        ("xiangqi", "", "R1=1", "R1=1"),
        ("xiangqi", "", "C2+5", "C2+5"),
        ("xiangqi", "", "H2-3", "H2-3"),
        ("pentago", "", "d9a", "d9a"),
        ("pentago", "", "e3 q", "e3 q"),
        ("hive", "wM; bS1 wM-", "wQ wM-", "wQ wM-"),
        ("hive", "wM", "bS1 wM", "bS1 wM"),
        ("hive", "wM; bS1 wM-", "wA1 bX/ please", "wA1 bX/"),
        ("chess", "", "Nf5", "Nf5"),
        ("chess", "", "e2 e5", "e2 e5"),
        ("chess", "", "O-O", "O-O"),
        ("chess", "e4", "Nf3", "Nf3"),
        ("shogi", "", "8h2b+", "8h2b+"),
        ("hex", "f6", "f6", "f6"),
        ("othello", "", "d4", "d4"),
        ("amazons", "", "a1-b1 c1", "a1-b1"),
        ("amazons", "", "d1 e9 g7", "d1 e9"),
        ("connect4", "", "h", "h"),
        ("go", "d4", "d4", "d4"),
        ("gomoku", "", "pass", "pass"),
    ],
)
def test_a_move_in_the_right_notation_is_told_not_to_be_possible_here(
    game: str, before: str, typed: str, told: str
) -> None:
    ours = named(game)
    position = ours.begin({}, 2)
    for move in filter(None, before.split("; ")):
        position = ours.read_input(position, move).position
    with pytest.raises(NotPlayableNow) as wrong:
        ours.read_input(position, typed)
    assert wrong.value.word == told
    assert ours.read_part(position, wrong.value.example)


@pytest.mark.parametrize(
    ("game", "typed", "told"),
    [
        ("pentago", "e3", "e3"),
        ("chess", "hello", "hello"),
        ("connect4", "hi", "hi"),
        ("hex", "I think", "I think"),
        ("hex", "I do not know what else I could play", "I do not know what"),
        ("hex", "Donaudampfschifffahrtsgesellschaft is it", "Donaudampfschifffahr"),
    ],
)
def test_what_is_no_notation_is_told_what_is(game: str, typed: str, told: str) -> None:
    with pytest.raises(CannotBePlayed) as wrong:
        named(game).read_input(named(game).begin({}, 2), typed)
    assert wrong.value.word == told


@pytest.mark.parametrize(
    ("game", "before", "typed", "meant"),
    [
        ("chess", "", "1. e4", "e4"),
        ("chess", "e4; a6; e5; d5", "exd6 e.p.", "exd6"),
        ("chess", "e4; e5; Nf3; Nc6; Bc4; Bc5", "Ke1-g1", "O-O"),
        ("amazons", "", "d1-d7(g7)", "d1-d7 g7"),
        ("amazons", "", "d1d7g7", "d1-d7 g7"),
        ("amazons", "", "move d1-d7 g7", "d1-d7 g7"),
        ("xiangqi", "", "h2e2", "h2-e2"),
        ("xiangqi", "", "C2=5", "h2-e2"),
        ("pentago", "", "e3 x", "e3x"),
    ],
)
def test_other_ways_to_write_a_move_are_read(game: str, before: str, typed: str, meant: str) -> None:
    ours = named(game)
    position = ours.begin({}, 2)
    for move in filter(None, before.split("; ")):
        position = ours.read_input(position, move).position
    assert " ".join(step.text for step in ours.read_input(position, typed).steps) == meant


def test_a_man_that_could_be_one_of_two_is_asked_for() -> None:
    with pytest.raises(AmbiguousMove) as several:
        played(CHESS, "Nc3", "a6", "Nf3", "a5", "Nd4", "b6", "Nb5")
    assert list(several.value.meant) == ["Ncb5", "Ndb5"]


def test_rows_that_do_not_fit_on_the_board_are_refused() -> None:
    with pytest.raises(BoardTooSmall):
        named("mnk").begin({"row": 10}, 2)
    assert named("mnk").begin({"row": 5, "columns": 5}, 2).outcome is None


@pytest.mark.parametrize(("komi", "winner"), [("0", ()), ("0.5", (1,)), ("7", (1,))])
def test_komi_is_what_it_says(komi: str, winner: tuple[int, ...]) -> None:
    empty = GO.begin(GO.vocabulary.read([f"komi={komi}"]), 2)
    for _ in range(2):
        empty = GO.read_input(empty, "pass").position
    assert empty.outcome is not None
    assert empty.outcome.winners == winner


@pytest.mark.parametrize(("name", "options"), [("othello", {}), ("go", {"size": 5}), ("dots", {"size": 3})])
@pytest.mark.parametrize("seed", range(8))
def test_whoever_has_won_by_a_count_has_the_higher_score(name: str, options: dict[str, int], seed: int) -> None:
    game, lot = named(name), random.Random(seed)
    position = game.begin(options, 2)
    while position.outcome is None:
        position = position.play(lot.choice(position.legal()))
    counted = position.kind.score(position)
    assert counted is not None
    if position.outcome.ending == game.kind.ending:
        best = [side for side, count in enumerate(counted) if count == max(counted)]
        assert list(position.outcome.winners) == (best if len(best) == 1 else [])
    assert position.score == [f"{side} {count:g}" for side, count in zip(game.kind.sides, counted, strict=True)]
