"""Plain text that survives the mail."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment

from pbem.wording.functions import FILTERS
from pbem.wording.layout import (
    WIDTH,
    ago,
    columns,
    duration,
    entry,
    fill,
    halves,
    listed,
    pace,
    quarters,
    ranges,
    tidy,
    wrap,
)

UNITS = ("day", "hour", "minute", "second")
WORD = st.text(alphabet="abcxyz", min_size=1, max_size=20)
LONG_WORD = st.text(alphabet="abc", min_size=1, max_size=200)


def test_paragraphs_are_filled_and_indented_lines_stay() -> None:
    text = "one\ntwo " + "word " * 20 + "\n\n    a   b\n    c\nlast"
    filled = fill(text).split("\n")
    assert filled[0] == "one two " + " ".join(["word"] * 14)
    assert filled[2:] == ["", "    a   b", "    c", "last"]


def test_long_lines_are_broken_and_short_ones_left_as_they_were() -> None:
    assert wrap("a  b\n\n" + "word " * 20).split("\n")[:2] == ["a  b", ""]
    assert max(map(len, wrap("word " * 100).split("\n"))) <= WIDTH
    assert wrap("a word\n" + "x" * 200).split("\n") == ["a word", "x" * 78, "x" * 78, "x" * 44]
    assert wrap("x" * 200, break_words=False) == "x" * 200


@given(st.lists(st.lists(WORD, max_size=30).map(" ".join), max_size=5))
def test_filling_and_wrapping_lose_no_word_and_exceed_no_width(lines: list[str]) -> None:
    for made in (fill("\n".join(lines)), wrap("\n".join(lines))):
        assert made.split() == "\n".join(lines).split()
        assert max(map(len, made.split("\n"))) <= WIDTH


@given(st.lists(LONG_WORD, min_size=1, max_size=5).map(" ".join))
def test_no_letter_is_lost_where_words_are_broken(line: str) -> None:
    for made in (fill(line), wrap(line), entry(line)):
        assert "".join(made.split()) == "".join(line.split())
        assert max(map(len, made.split("\n"))) <= WIDTH


@pytest.mark.parametrize(
    ("end", "together"),
    [
        ("tous les courriels de ce genre :", "genre :"),
        ("le maximum est de 4 : ce qui dépasse est retiré", "4 :"),
        ("demandez « Pouvez-vous survivre ? »", "survivre ? »"),
        ("demandez « Pouvez-vous survivre ? »", "« Pouvez-vous"),
        ("to see where they go, mail me: help resign", "help resign"),
        ("pour ne plus recevoir cela :  unsubscribe 109", "unsubscribe 109"),
    ],
)
def test_no_line_begins_with_punctuation_or_within_a_command(end: str, together: str) -> None:
    for before in range(WIDTH - 4):
        line = f"{'x' * before} {end}"
        for made in (fill(line), wrap(line), entry(line)):
            assert together in made
            assert made.split() == line.split()
            assert max(map(len, made.split("\n"))) <= WIDTH


def test_an_entry_of_a_list_goes_on_farther_in() -> None:
    first, *others = entry("- " + "word " * 30).split("\n")
    assert first.startswith("  - word")
    assert others
    assert all(line.startswith("    word") and len(line) <= WIDTH for line in others)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("a  \n\n\n\nb", "a\n\nb\n"),
        ("\n\na\n\n", "a\n"),
        ("-- ", " --\n"),
        ("--", " --\n"),
        ("---", "---\n"),
        ("From me", " From me\n"),
        ("from me", "from me\n"),
        ("", "\n"),
    ],
)
def test_what_mail_programs_would_misunderstand_is_taken_out(text: str, made: str) -> None:
    assert tidy(text) == made


@given(st.text(alphabet="-> aFrom\n", max_size=80))
def test_a_tidy_text_stays_as_it_is(text: str) -> None:
    made = tidy(text)
    assert tidy(made).lstrip("\n") == made.lstrip("\n")
    assert not any(line != line.rstrip() or line == "--" or line.startswith("From ") for line in made.split("\n"))


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ([], ""),
        ([4], "4"),
        ([1, 2], "1 2"),
        ([1, 2, 3], "1-3"),
        ([1, 3, 7, 8, 9, 12], "1 3 7-9 12"),
        ([5, 6, 8], "5 6 8"),
    ],
)
def test_runs_of_numbers_are_drawn_together(numbers: list[int], said: str) -> None:
    assert ranges(tuple(numbers)) == said


def test_cells_stand_in_even_columns_read_from_left_to_right() -> None:
    made = columns([f"{number}" + "x" * 10 for number in range(10, 20)]).split("\n")
    assert len(made) == 2
    assert made[0].startswith("  10xxxxxxxxxx   11xxxxxxxxxx")
    assert made[0].index("11x") == made[1].index("16x")


@given(st.lists(WORD, max_size=40))
def test_columns_keep_every_cell_and_the_width(cells: list[str]) -> None:
    assert columns(cells).split() == cells
    assert max(map(len, columns(cells).split("\n"))) <= WIDTH


def test_a_cell_that_is_too_wide_stands_alone() -> None:
    assert columns(["x" * 100, "y"]) == f"  {'x' * 100}\n  y"


@pytest.mark.parametrize(
    ("words", "said"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", 2, "c"], "a, 2 and c")]
)
def test_words_are_listed(words: list[object], said: str) -> None:
    assert listed(words, "and") == said


@pytest.mark.parametrize(
    ("time", "said"),
    [
        (timedelta(0), "0 seconds"),
        (timedelta(seconds=1), "1 second"),
        (timedelta(seconds=59.9), "59 seconds"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(hours=2, seconds=5), "2 hours"),
        (timedelta(hours=2, minutes=1, seconds=5), "2 hours 1 minute"),
        (timedelta(days=1, hours=1, minutes=59), "1 day 1 hour"),
        (timedelta(days=40), "40 days"),
    ],
)
def test_a_duration_is_said_in_its_two_largest_units(time: timedelta, said: str) -> None:
    assert duration(time, "en") == said


@pytest.mark.parametrize(
    ("time", "language", "said"),
    [
        (timedelta(seconds=-5), "en", ""),
        (timedelta(seconds=59), "en", ""),
        (timedelta(minutes=1, seconds=5), "en", "1 minute ago"),
        (timedelta(hours=3, minutes=5), "de", "vor 3 Stunden"),
        (timedelta(days=3), "de", "vor 3 Tagen"),
        (timedelta(days=3), "fr", "il y a 3 jours"),
    ],
)
def test_how_long_ago_something_was_is_said_in_one_unit(time: timedelta, language: str, said: str) -> None:
    assert ago(time, language) == said


@pytest.mark.parametrize(
    ("time", "said"),
    [(timedelta(days=7), "1 week"), (timedelta(days=21), "3 weeks"), (timedelta(days=10), "10 days")],
)
def test_the_time_for_a_move_is_said_in_weeks_if_they_are_whole(time: timedelta, said: str) -> None:
    assert pace(time, "en") == said


@given(st.lists(st.sampled_from(["\n", "--", " ", "From ", "a", "-", "From", "\r"]), max_size=12).map("".join))
def test_no_line_of_a_tidy_text_is_taken_for_something_else(text: str) -> None:
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    safe = [" " + line if line == "--" or line.startswith("From ") else line for line in lines]
    kept = [line for number, line in enumerate(safe) if line or (number and safe[number - 1])]
    assert tidy(text) == "\n".join(kept).strip("\n") + "\n"


@pytest.mark.parametrize(("count", "said"), [(0, "0"), (1, "½"), (2, "1"), (5, "2½"), (20, "10")])
def test_halves_are_added_up(count: int, said: str) -> None:
    assert halves(count) == said


@pytest.mark.parametrize(("count", "said"), [(0, "0"), (1, "¼"), (2, "½"), (3, "¾"), (4, "1"), (11, "2¾")])
def test_quarters_are_added_up(count: int, said: str) -> None:
    assert quarters(count) == said


@pytest.mark.parametrize(
    ("language", "whole", "decimal"),
    [("en", "20,000", "0.053"), ("de", "20.000", "0,053"), ("fr", "20\u202f000", "0,053")],
)
def test_numbers_are_written_as_the_language_writes_them(language: str, whole: str, decimal: str) -> None:
    environment = Environment(autoescape=True)
    environment.filters.update(FILTERS)
    template = environment.from_string("{{ 20000|decimal }} {{ 0.0532|decimal(3) }}")
    assert template.render(language=language) == f"{whole} {decimal}"
