"""The settings that players may choose."""

from __future__ import annotations

from zoneinfo import ZoneInfo, available_timezones

import pytest

from pbem.domain.preferences import BadPreference, NoSuchTimezone, Preferences, UnknownPreference


def test_every_value_can_be_chosen_in_any_case_and_is_stored_unless_it_is_the_default() -> None:
    for key in Preferences.names():
        default, *others = Preferences.values(key)
        assert getattr(Preferences(), key) == default
        for value in others:
            chosen = Preferences().with_value(key.upper(), value.capitalize())
            assert chosen.chosen() == {key: value}
            assert Preferences.stored(chosen.chosen()) == chosen
            assert chosen.with_value(key, default) == Preferences()


def test_what_cannot_be_chosen_is_refused_with_what_can() -> None:
    with pytest.raises(UnknownPreference) as unknown:
        Preferences().with_value("colour", "on")
    assert unknown.value.facts == {"word": "colour", "known": Preferences.names()}
    with pytest.raises(BadPreference) as bad:
        Preferences().with_value("Mail", "loud")
    assert bad.value.facts == {"key": "mail", "word": "loud", "values": ("both", "text", "html")}


def test_what_was_stored_and_is_no_preference_any_more_is_passed_over() -> None:
    assert Preferences.stored({"gone": "on", "mail": "gone", "legend": "off"}) == Preferences(legend="off")


@pytest.mark.parametrize(
    ("word", "name"),
    [("europe/paris", "Europe/Paris"), ("America/new york", "America/New_York"), ("utc", "UTC"), ("gmt", "GMT")],
)
def test_a_timezone_is_named_in_any_case(word: str, name: str) -> None:
    chosen = Preferences().with_value("Timezone", word)
    assert chosen.timezone == name
    assert chosen.zone == ZoneInfo(name)
    assert Preferences.stored(chosen.chosen()) == chosen


def test_every_timezone_can_be_chosen() -> None:
    for name in available_timezones() - {"localtime", "Factory"}:
        assert Preferences().with_value("timezone", name).zone.key == name


@pytest.mark.parametrize(
    ("word", "close"),
    [
        ("paris", ("Europe/Paris",)),
        ("new york", ("America/New_York",)),
        ("Europe/Berlim", "Europe/Berlin"),
        ("xyzzy", ()),
        ("../../etc/passwd", ()),
        ("", ()),
    ],
)
def test_a_timezone_that_is_none_is_refused_with_those_that_come_close(word: str, close: tuple[str, ...] | str) -> None:
    with pytest.raises(NoSuchTimezone) as wrong:
        Preferences().with_value("timezone", word)
    found = wrong.value.facts["close"]
    assert isinstance(found, tuple)
    assert found[:1] == (close,) if isinstance(close, str) else found == close


def test_a_timezone_that_this_machine_does_not_have_any_more_counts_as_utc() -> None:
    assert Preferences.stored({"timezone": "Mars/Olympus"}).zone == ZoneInfo("UTC")
