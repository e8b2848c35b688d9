"""Positions of the hall that are alike have one canonical form, whose turns are those of each of them."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import partial

import pytest

from pbem.hall import symmetry
from pbem.hall.game import HallGame
from pbem.hall.games import CHESS, CONNECT_FOUR, GO, HEX, HIVE, MNK, MORRIS, TWIXT, XIANGQI, Y
from pbem.hall.positions import Form, HallPosition, Step
from tests.hall.openspiel import each_game

PLIES = 10


def forms(position: HallPosition) -> Sequence[Form]:
    """The forms of a position that look like its canonical one: several if it is alike to itself."""
    kind = position.kind
    found = list((kind.forms or partial(symmetry.forms_on_board, kind))(position))
    least = min(json.dumps(each.told) for each in found)
    return [each for each in found if json.dumps(each.told) == least]


@each_game
@pytest.mark.parametrize("seed", range(3))
def test_games_that_are_alike_go_on_alike(game: HallGame, seed: int) -> None:
    """Two games, begun by either seat, of which the second plays the image of each step under any symmetry there is."""
    lot = random.Random(seed)
    one, other = game.begin({}, 2), game.begin({}, 2, first=1)
    while one.outcome is None and one.ply < PLIES:
        form, also = game.canonical(one), game.canonical(other)
        assert form.key == also.key
        step = lot.choice(one.legal())
        record = form.record([step])
        assert step in same_in(form.steps(record), one)
        one, other = one.play(step), other.play(image_of(record[0], lot.choice(forms(other)), other))
    assert (one.outcome is None) == (other.outcome is None)
    if one.outcome is not None and other.outcome is not None:
        assert [1 - seat for seat in one.outcome.winners] == [*other.outcome.winners]


def image_of(image: object, form: Form, position: HallPosition) -> Step:
    return next(step for step in position.legal() if image in form.images(position, step))


def same_in(steps: Sequence[Step], position: HallPosition) -> Sequence[Step]:
    return [step for step in position.legal() if step.actions == steps[0].actions]


@pytest.mark.parametrize(
    ("game", "options", "count"),
    [
        (HEX, {"size": 5}, 13),
        (Y, {"size": 5}, 4),
        (GO, {"size": 5}, 7),
        (MNK, {}, 3),
        (MNK, {"columns": 3, "rows": 4}, 4),
        (MORRIS, {}, 4),
        (CONNECT_FOUR, {}, 4),
        (TWIXT, {"size": 5}, 6),
        (XIANGQI, {}, 23),
    ],
)
def test_first_moves_that_are_alike_are_one(game: HallGame, options: dict[str, int], count: int) -> None:
    begun = game.begin(options, 2)
    assert len({game.canonical(begun.play(step)).key for step in begun.legal()}) == count


def after(game: HallGame, *turns: str, **options: object) -> HallPosition:
    position = game.begin(options, 2)
    for turn in turns:
        position = game.read_input(position, turn).position
    return position


@pytest.mark.parametrize(
    ("game", "one", "other"),
    [
        (CHESS, ("Nf3", "d5", "d4"), ("d4", "d5", "Nf3")),
        (HEX, ("a1", "b2", "c3"), ("k11", "j10", "i9")),
        (HEX, ("a1", "b2", "c3"), ("c3", "b2", "a1")),
        (HIVE, ("wS1", "bS1 wS1-", "wQ -wS1"), ("wS1", "bS1 /wS1", "wQ wS1/")),
    ],
)
def test_moves_in_another_order_or_direction_lead_to_one_form(
    game: HallGame, one: tuple[str, ...], other: tuple[str, ...]
) -> None:
    assert game.canonical(after(game, *one)).key == game.canonical(after(game, *other)).key


def test_pieces_in_other_places_are_another_form() -> None:
    assert HEX.canonical(after(HEX, "a1", "b2")).key != HEX.canonical(after(HEX, "a1", "c2")).key
    assert CHESS.canonical(after(CHESS, "Nf3", "d5")).key != CHESS.canonical(after(CHESS, "Nc3", "d5")).key
    line, bent = after(HIVE, "wS1", "bS1 wS1-", "wQ -wS1"), after(HIVE, "wS1", "bS1 wS1-", "wQ /wS1")
    assert HIVE.canonical(line).key != HIVE.canonical(bent).key


def test_a_swap_is_a_step_of_the_form() -> None:
    begun = after(HEX, "c3", swap=True)
    form = HEX.canonical(begun)
    (swap,) = form.steps(form.record([begun.legal()[-1]]))
    assert begun.play(swap).swapped


def test_options_that_change_nothing_make_no_other_game() -> None:
    assert HEX.essential({"size": 11}) == {}
    assert HEX.essential({"size": 11, "swap": True}) == {"swap": True}
    assert GO.essential({"komi": "7.5", "size": 13}) == {"size": 13}
