from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.domain.clocks import LONGEST, SHORTEST, DurationOutOfRange, UnreadableDuration, duration_word, read_duration

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


@pytest.mark.parametrize(
    ("word", "time"),
    [("10m", 10 * MINUTE), ("36h", 36 * HOUR), ("21", 21 * DAY), ("7d", 7 * DAY), (" 7D ", 7 * DAY), ("1m", SHORTEST)],
)
def test_times_are_read_as_players_write_them(word: str, time: timedelta) -> None:
    assert read_duration(word) == time


@pytest.mark.parametrize("word", ["", "m", "x", "-1", "1.5", "1w", "10 m", "1m30", "²", "1" * 10, "x" * 99])
def test_other_words_are_no_times(word: str) -> None:
    with pytest.raises(UnreadableDuration) as wrong:
        read_duration(word)
    assert wrong.value.facts == {"word": word[:40]}


@pytest.mark.parametrize("word", ["0", "0m", "0h", "367", "999999999", "527041m", "999999999m"])
def test_no_clock_can_be_set_to_nothing_or_to_more_than_a_year(word: str) -> None:
    with pytest.raises(DurationOutOfRange) as wrong:
        read_duration(word)
    assert wrong.value.facts == {"word": word, "shortest": SHORTEST, "longest": LONGEST}


@pytest.mark.parametrize(("time", "word"), [(21 * DAY, "21"), (36 * HOUR, "36h"), (90 * MINUTE, "90m"), (DAY, "1")])
def test_a_time_is_written_as_it_is_typed(time: timedelta, word: str) -> None:
    assert duration_word(time) == word
