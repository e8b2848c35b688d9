import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import PlayerError
from pbem.games import options
from pbem.games.options import Clash, Option, Vocabulary, in_words

VOCABULARY = Vocabulary(
    (
        Option("kill_own"),
        Option("kill_all"),
        Option("any_colour"),
        Option("size", range(4, 401)),
        Option("eat", range(1, 21), unsaid=2),
        Option("auto", ("none", "limited", "full", "fuller")),
        Option("tied"),
        Option("tie"),
    ),
    ((Clash.KILL, ("kill_own", "kill_all")), (Clash.GOAL, ("eat", "kill_own", "tied"))),
)


@pytest.mark.parametrize(
    "word",
    ["kill_own", "kill-own", "KILL_OWN", "Kill-Own", "kill_o", "kill-ow", " kill_own "],
)
def test_hyphens_capitals_and_beginnings_are_as_good(word: str) -> None:
    assert VOCABULARY.read([word]) == {"kill_own": True}


@pytest.mark.parametrize("word", ["any_colour", "any-color", "any_color", "any-colo", "an"])
def test_colours_are_written_in_either_way(word: str) -> None:
    assert VOCABULARY.read([word]) == {"any_colour": True}


def test_a_whole_name_wins_over_a_longer_one() -> None:
    assert VOCABULARY.read(["tie"]) == {"tie": True}
    assert VOCABULARY.read(["auto=full"]) == {"auto": "full"}


@pytest.mark.parametrize(
    ("word", "meant"),
    [("kill", ("kill_own", "kill_all")), ("KILL-", ("kill_own", "kill_all")), ("a", ("any_colour", "auto"))],
)
def test_a_beginning_of_several_names_is_refused_with_them(word: str, meant: tuple[str, ...]) -> None:
    with pytest.raises(options.AmbiguousOption) as refused:
        VOCABULARY.read([word])
    assert refused.value.facts["meant"] == meant


def test_a_beginning_of_several_values_is_refused_with_them() -> None:
    with pytest.raises(options.AmbiguousOption) as refused:
        VOCABULARY.read(["auto=fu"])
    assert refused.value.facts["meant"] == ("full", "fuller")


@pytest.mark.parametrize("word", ["sizes", "killer", "", "-", "=4", "\u0455ize", "x" * 10_000])
def test_another_word_is_refused_with_those_that_are_known(word: str) -> None:
    with pytest.raises(options.UnknownOption) as refused:
        VOCABULARY.read([word])
    assert refused.value.facts == {"option": word.partition("=")[0][:40], "known": VOCABULARY.names}


@pytest.mark.parametrize(("value", "number"), [("4", 4), ("400", 400), ("048", 48), (" 48 ", 48)])
def test_a_number_may_be_at_either_end_of_its_range(value: str, number: int) -> None:
    assert VOCABULARY.read([f"size={value}"]) == {"size": number}


@pytest.mark.parametrize(
    "value", ["3", "401", "0", "-4", "+4", "4.0", "4e1", "1_0", "\u0664", "\u00b2", "four", "", "9" * 5_000]
)
def test_other_numbers_are_refused_with_the_range(value: str) -> None:
    with pytest.raises(options.OptionOutOfRange) as refused:
        VOCABULARY.read([f"size={value}"])
    assert refused.value.facts == {"option": "size", "value": value[:40], "lowest": 4, "highest": 400}


def test_a_number_that_is_needed_cannot_be_left_out_and_another_can() -> None:
    with pytest.raises(options.OptionOutOfRange):
        VOCABULARY.read(["size"])
    assert VOCABULARY.read(["eat"]) == {"eat": 2}
    assert VOCABULARY.read(["eat=1"]) == {"eat": 1}


def test_one_of_a_few_words_is_known_by_its_beginning() -> None:
    assert VOCABULARY.read(["auto=LIM"]) == {"auto": "limited"}


@pytest.mark.parametrize("word", ["auto=some", "auto=", "auto"])
def test_another_value_is_refused_with_those_that_are_known(word: str) -> None:
    with pytest.raises(options.NoSuchValue) as refused:
        VOCABULARY.read([word])
    assert refused.value.facts["known"] == ("none", "limited", "full", "fuller")


def test_a_flag_takes_no_value() -> None:
    with pytest.raises(options.NoSuchValue) as refused:
        VOCABULARY.read(["tied=yes"])
    assert refused.value.facts == {"option": "tied", "value": "yes", "known": ()}


def test_options_that_exclude_each_other_are_refused_with_the_reason() -> None:
    with pytest.raises(options.OptionsContradict) as refused:
        VOCABULARY.read(["kill_all", "size=9", "kill-own"])
    assert refused.value.facts == {"one": "kill_own", "other": "kill_all", "clash": "kill"}
    with pytest.raises(options.OptionsContradict) as refused:
        VOCABULARY.read(["tied", "eat=3"])
    assert refused.value.facts == {"one": "eat=3", "other": "tied", "clash": "goal"}


def test_an_option_may_be_given_twice_with_one_value_only() -> None:
    assert VOCABULARY.read(["size=9", "siz=9", "tied", "tied"]) == {"size": 9, "tied": True}
    with pytest.raises(options.OptionsContradict) as refused:
        VOCABULARY.read(["size=9", "size=10"])
    assert refused.value.facts == {"one": "size=9", "other": "size=10", "clash": "twice"}


def test_in_a_record_false_is_as_good_as_nothing() -> None:
    assert VOCABULARY.check({"tied": True, "tie": False, "kill_own": False, "kill_all": False, "size": 9}) == {
        "tied": True,
        "size": 9,
    }


@pytest.mark.parametrize(
    ("given_options", "refusal"),
    [
        ({"kill-own": True}, options.UnknownOption),
        ({"kill_o": True}, options.UnknownOption),
        ({"Tied": True}, options.UnknownOption),
        ({"size": 3}, options.OptionOutOfRange),
        ({"size": True}, options.OptionOutOfRange),
        ({"size": None}, options.OptionOutOfRange),
        ({"size": [9]}, options.OptionOutOfRange),
        ({"size": 9.5}, options.OptionOutOfRange),
        ({"size": 9.0}, options.OptionOutOfRange),
        ({"size": "9"}, options.OptionOutOfRange),
        ({"auto": "lim"}, options.NoSuchValue),
        ({"auto": "LIMITED"}, options.NoSuchValue),
        ({"tied": ""}, options.NoSuchValue),
        ({"auto": 1}, options.NoSuchValue),
        ({"tied": 1}, options.NoSuchValue),
        ({"tied": None}, options.NoSuchValue),
        ({"kill_own": True, "kill_all": True}, options.OptionsContradict),
    ],
)
def test_a_record_is_held_against_the_same_rules(given_options: dict[str, Any], refusal: type[PlayerError]) -> None:
    with pytest.raises(refusal):
        VOCABULARY.check(given_options)


@given(st.lists(st.sampled_from(VOCABULARY.names) | st.sampled_from(["size=9", "eat=2", "auto=none"]), max_size=4))
def test_options_that_were_read_stand_the_same_in_a_record(words: list[str]) -> None:
    try:
        found = VOCABULARY.read(words)
    except PlayerError:
        return
    assert VOCABULARY.check(json.loads(json.dumps(found))) == found
    assert VOCABULARY.read([in_words(name, value) for name, value in found.items()]) == found


@given(st.lists(st.text(max_size=12) | st.text("-_=aeiklnostuz0149", max_size=12), max_size=3))
def test_any_words_give_options_or_a_refusal(words: list[str]) -> None:
    try:
        found = VOCABULARY.read(words)
    except PlayerError:
        return
    assert set(found) <= set(VOCABULARY.names)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from(VOCABULARY.names) | st.text(max_size=6), json_values, max_size=3))
def test_anything_in_a_record_gives_options_or_a_refusal(given_options: dict[str, Any]) -> None:
    try:
        found = VOCABULARY.check(given_options)
    except PlayerError:
        return
    assert set(found) <= set(given_options)
