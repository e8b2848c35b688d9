"""Boards of the hexagonal tile games on pages."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from pbem.games.game import Game
from pbem.games.hextile.facts import group_facts
from pbem.games.hextile.lambo import LAMBO, PALAGO
from pbem.games.hextile.mambo import MAMBO
from pbem.games.hextile.notation import NoTileLeft, NullPoint
from pbem.games.hextile.position import Position
from pbem.games.hextile.superbo import SUPERBO
from pbem.web.boards.hextile import HexTileFace
from pbem.web.boards.views import View, face
from tests.storage.stock import OPENING, WON

GAMES = [SUPERBO, LAMBO, MAMBO, PALAGO]


def seen(*turns: str) -> HexTileFace:
    position = SUPERBO.begin({}, 2)
    for turn in turns:
        position = SUPERBO.read_part(position, turn).position
    found = face(position, SUPERBO)
    assert isinstance(found, HexTileFace)
    return found


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.name))
def test_every_legal_placement_is_a_choice_that_can_be_typed(game: Game[Any, Any]) -> None:
    position = game.begin({}, 2)
    assert isinstance(position, Position)
    shown = face(position, game)
    assert len(shown.choices) == len(position.legal()) - len(shown.spare) > 0
    for choice in shown.choices:
        assert game.read_part(position, choice.text).position != position
        assert choice.text.startswith(choice.place)
        assert choice.art.startswith("<svg")


def test_what_would_be_laid_by_itself_is_what_is_laid_once_a_tile_is_played() -> None:
    shown = seen("b3", "c4,k5")
    told = {choice.text: tuple(shown.automatic(choice)) for choice in shown.choices}
    assert told["H2"] == ("J1",)
    assert told["H3"] == ("J6",)
    for choice in shown.choices:
        played = SUPERBO.read_part(shown.position, choice.text).position
        assert told[choice.text] == tuple(tile.text for tile in played.turn or played.last_turn if tile.automatic)


def test_what_is_forbidden_is_what_fits_and_is_no_choice() -> None:
    shown = seen()
    for place in "ABCDEF":
        cell = shown.position.layout.space_labelled(place)
        assert cell is not None
        fits = {f"{place}{state.number}" for state in shown.position.fitting_at(cell)}
        allowed = {choice.text for choice in shown.choices if choice.place == place}
        forbidden = {choice.text for each in shown.forbidden(place) for choice in each.choices}
        assert forbidden == fits - allowed
        assert not allowed & forbidden
    assert shown.forbidden("ZZ") == ()


def test_every_space_is_open_or_says_why_not() -> None:
    shown = seen(*OPENING[:1], "h10")
    labels = set(shown.position.layout.labels.values())
    assert {choice.place for choice in shown.choices} | set(shown.closed) == labels
    assert all(shown.why_closed(place) is not None for place in shown.closed)


def test_nothing_can_be_played_when_the_game_is_over() -> None:
    shown = seen(*WON)
    assert (tuple(shown.choices), tuple(shown.closed), tuple(shown.spare)) == ((), (), ())


def test_what_is_drafted_is_drawn_as_a_ghost_with_what_comes_by_itself() -> None:
    before, after = seen(*OPENING[:3]), seen(*OPENING)
    drawn = after.draw(View(drafted=before.position), "a board")
    laid = len(after.position.layout.tiles) - len(before.position.layout.tiles)
    assert drawn.count('<g class="ghost"') == laid > 0
    assert drawn.count('href="#automatic"') == sum(tile.automatic for tile in after.position.last_turn)


def test_every_shape_that_is_used_is_defined_once() -> None:
    shown = seen(*OPENING)
    used = set(re.findall(r'href="#([^"]+)"', shown.draw(View(), "a board")))
    defined = re.findall(r'id="([^"]+)"', shown.definitions)
    assert used <= set(defined)
    assert len(defined) == len(set(defined))


def test_links_say_what_they_lead_to_and_markup_in_names_stays_text() -> None:
    shown = seen()
    view = View(links={"A": "/boards/1?pick=A&turn=b"}, label=lambda place: f'"{place}" <b>')
    drawn = shown.draw(view, '<script>"')
    assert 'href="/boards/1?pick=A&amp;turn=b"' in drawn
    assert "<b>" not in drawn
    assert "<script>" not in drawn


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.name))
def test_every_part_of_a_tile_knows_its_group_if_that_is_told_of(game: Game[Any, Any]) -> None:
    position = game.begin({}, 2)
    while position.ply < 12 and position.outcome is None:
        position = position.play(position.legal()[-1])
    shown = face(position, game)
    assert isinstance(shown, HexTileFace)
    drawn = shown.draw(View(), "a board")
    told = {group.number: group for group in shown.parts}
    found = group_facts(position.layout)
    assert {n for n, group in enumerate(found) if group.colour in position.colours} <= set(told)
    bridges = Counter(re.findall(r'#[bv][^>]*data-group="(\d+)"', drawn))
    tips = Counter(re.findall(r'#[tw][^>]*data-group="(\d+)"', drawn))
    for number, group in enumerate(found):
        assert bridges[str(number)] == (group.bridges if number in told else 0)
        assert (tips[str(number)] + bridges[str(number)] > 0) == (number in told)


def test_eyes_are_told_of_with_the_group_around_them() -> None:
    shown = seen(*WON)
    (eye,) = [part for part in shown.parts if part.is_eye]
    (group,) = [part for part in shown.parts if part.eyes]
    assert (eye.seat, eye.bridges) == (group.seat, group.bridges)
    assert group.decisive
    assert shown.draw(View(), "a board").count(f'class="decisive" data-group="{group.number}"') > 0


def test_null_points_are_marked_and_the_pointer_is_told_why() -> None:
    position = MAMBO.begin({}, 2)
    rng = Random(3)
    while not position.layout.null_points:
        position = position.play(rng.choice(position.legal()))
    shown = face(position, MAMBO)
    assert isinstance(shown, HexTileFace)
    drawn = shown.draw(View(), "a board")
    assert drawn.count('href="#null"') == len(position.layout.null_points) > 0
    for cell in position.layout.null_points:
        assert isinstance(shown.why_closed(position.layout.labels[cell]), NullPoint)


def test_a_kind_that_has_run_out_is_the_reason() -> None:
    shown = seen("b3")
    gone = min(shown.position.supply)
    empty = replace(shown.position, supply={**shown.position.supply, gone: 0})
    found = face(empty, SUPERBO)
    assert isinstance(found, HexTileFace)
    places = [
        place
        for place in empty.layout.labels.values()
        if any(isinstance(each.why, NoTileLeft) for each in found.forbidden(place))
    ]
    assert places
    for place in places:
        cell = empty.layout.space_labelled(place)
        assert cell is not None
        wanting = [each for each in found.forbidden(place) if isinstance(each.why, NoTileLeft)]
        named = {choice.text for each in wanting for choice in each.choices}
        fitting = empty.rules.states.fitting(empty.layout.spaces[cell].decided)
        assert named == {f"{place}{state.number}" for state in fitting if state.kind == gone}
        assert len(wanting) == 1


def test_where_all_that_fits_has_run_out_that_is_the_reason() -> None:
    shown = seen("b3", "c4,k5")
    empty = replace(shown.position, supply=dict.fromkeys(shown.position.supply, 0))
    found = face(empty, SUPERBO)
    assert set(found.closed) == set(empty.layout.labels.values())
    assert all(isinstance(found.why_closed(place), NoTileLeft) for place in found.closed)
