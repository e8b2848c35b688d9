"""What players may choose."""

from __future__ import annotations

import pytest

from pbem.domain.preferences import BadPreference, Preferences, UnknownPreference


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
