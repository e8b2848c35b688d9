"""The terms that players agree on beside the rules of a game, read from option words."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

import pytest

from pbem.bootstrap import find_games
from pbem.domain.clocks import ClockRules, DurationOutOfRange, UnreadableDuration
from pbem.domain.seeks import (
    OF_CHALLENGE,
    OF_SEEK,
    NagTooLate,
    Term,
    TermOutOfPlace,
    Terms,
    TermsRead,
    TimeNeeded,
    clock_words,
    read_terms,
)
from pbem.games.options import NoSuchValue, OptionsContradict, UnknownOption

USUAL = ClockRules()
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


def read(line: str, allowed: Collection[Term] = OF_CHALLENGE, players: range = range(2, 5)) -> TermsRead:
    return read_terms(line.split(), allowed, USUAL, players)


def test_what_is_no_term_is_left_to_the_game() -> None:
    found = read("adjacent_pair unrated size=9 random loops")
    assert found.words == ["adjacent_pair", "size=9", "loops"]
    assert found.terms == Terms(rated=False, random=True)
    assert found.reasons == []
    assert read("").terms == Terms()


@pytest.mark.parametrize("word", ["random", "RANDOM", "rand", "ran", "-random", "ran-dom"])
def test_a_name_may_be_cut_short_and_written_in_either_case(word: str) -> None:
    assert read(word).terms.random


def test_less_than_three_letters_are_left_to_the_game() -> None:
    assert read("ra n p").words == ["ra", "n", "p"]


@pytest.mark.parametrize("game", find_games().values(), ids=lambda game: game.name)
def test_no_game_has_an_option_that_could_be_meant(game: object) -> None:
    with pytest.raises(UnknownOption) as refused:
        game.read_options(["nothing-of-that-name"])  # type: ignore[attr-defined]
    known = refused.value.facts["known"]
    assert isinstance(known, tuple)
    assert len(known) > 1
    assert read(" ".join(known)).words == list(known)
    assert not any(name.startswith(term[:3]) for name in known for term in Term)


@pytest.mark.parametrize(
    ("line", "clock"),
    [
        ("nagtime=3 forfeittime=10", ClockRules(3 * DAY, 10 * DAY, is_own=True)),
        ("forfeit=10 nag=3", ClockRules(3 * DAY, 10 * DAY, is_own=True)),
        ("nag_time=36h", ClockRules(36 * HOUR, 21 * DAY, is_own=True)),
        ("forfeittime=10", ClockRules(7 * DAY, 10 * DAY, is_own=True)),
        ("forfeittime=10m", ClockRules(5 * MINUTE, 10 * MINUTE, is_own=True)),
        ("forfeittime=7", ClockRules(84 * HOUR, 7 * DAY, is_own=True)),
        ("totaltime=30", ClockRules(7 * DAY, 21 * DAY, 30 * DAY, is_own=True)),
        ("nagtime=7", ClockRules(7 * DAY, 21 * DAY, is_own=True)),
        ("unrated", None),
    ],
)
def test_a_clock_is_what_was_said_of_it_and_else_the_usual_one(line: str, clock: ClockRules | None) -> None:
    found = read(line)
    assert (found.terms.clock, found.reasons) == (clock, [])


@pytest.mark.parametrize("line", ["nagtime=10 forfeittime=10", "nagtime=30", "forfeittime=1 nagtime=36h"])
def test_nobody_is_reminded_after_he_has_lost(line: str) -> None:
    assert [type(each) for each in read(line).reasons] == [NagTooLate]


def test_everything_that_stands_against_the_terms_is_told() -> None:
    found = read("pace=3 players=2 random=yes nagtime forfeittime=soon totaltime=1000 unrated mamba pair pair")
    kinds = [TermOutOfPlace, TermOutOfPlace, NoSuchValue, TimeNeeded, UnreadableDuration, DurationOutOfRange]
    assert [type(each) for each in found.reasons] == kinds
    assert found.words == ["mamba"]


def test_a_term_has_one_value() -> None:
    assert read("nagtime=1 nagtime=24h unrated unrated").reasons == []
    (reason,) = read("nagtime=1 nagtime=2").reasons
    assert isinstance(reason, OptionsContradict)
    assert (reason.facts["one"], reason.facts["other"]) == ("nagtime=1", "nagtime=2")


def test_a_seek_says_how_many_are_to_play_and_how_fast() -> None:
    assert read("players=3 pace=36h", OF_SEEK).terms == Terms(pace=36 * HOUR, players=3)
    for line in ("players=5", "players", "players=two"):
        (reason,) = read(line, OF_SEEK).reasons
        assert isinstance(reason, NoSuchValue)
        assert reason.facts["known"] == ("2", "3", "4")
    assert [type(each) for each in read("pair pace", OF_SEEK).reasons] == [TermOutOfPlace, TimeNeeded]


def test_a_clock_is_written_as_it_is_typed() -> None:
    for line in ("nagtime=3 forfeittime=10", "nagtime=36h forfeittime=21 totaltime=40"):
        clock = read(line).terms.clock
        assert clock is not None
        assert " ".join(clock_words(clock)) == line
