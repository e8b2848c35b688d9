from datetime import UTC, datetime, timedelta

import pytest

from pbem.domain.credentials import MOST_POSTS, STRETCH, Token, TooManyPosts, is_name
from pbem.ids import PlayerId

AT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def spent() -> Token:
    token = Token("digest", PlayerId(1), "robot", AT)
    for _ in range(MOST_POSTS):
        token = token.used(AT)
    return token


def test_a_token_is_good_for_so_many_commands_in_a_stretch() -> None:
    with pytest.raises(TooManyPosts) as wrong:
        spent().used(AT + 20 * SECOND)
    assert wrong.value.facts == {"most": MOST_POSTS, "seconds": 41}


def test_a_new_stretch_begins_when_the_last_is_over() -> None:
    again = spent().used(AT + STRETCH)
    assert (again.posts, again.counted_since, again.used_at) == (1, AT + STRETCH, AT + STRETCH)


def test_a_clock_that_was_set_back_keeps_nobody_out() -> None:
    assert spent().used(AT - timedelta(days=1)).posts == 1


@pytest.mark.parametrize("name", ["robot", "my robot", "a", "7", "v2.1", "pc: home/office", "Ä b", "x" * 40])
def test_names_are_words(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize("name", ["", " ", "-x", "x-", "<b>", "a\nb", "a\x00b", "x" * 41, "\u202eab", "a;b"])
def test_other_names_are_none(name: str) -> None:
    assert not is_name(name)
