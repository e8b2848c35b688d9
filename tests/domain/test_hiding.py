"""Tokens and tags that a player's mail program has mangled."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.letters import without_bare_tags, without_tokens_of
from pbem.domain.replies import BoardReply, BounceReply, ConfirmReply, QuietReply, Reply, Signer, StopReply
from pbem.ids import BoardNumber, ConfirmationId, PlayerId

SIGNER = Signer(["a new key of the server", "a key of sixteen letters"])
OLD = Signer(["a key of sixteen letters"])
DAY = date(2026, 7, 30)
REPLIES: list[Reply] = [
    BoardReply(PlayerId(7), BoardNumber(101), 23, DAY),
    ConfirmReply(ConfirmationId(5), 2**32 - 1, date(2020, 1, 2)),
    BounceReply(PlayerId(2**32 - 1), 4711, DAY),
    QuietReply(PlayerId(7), BoardNumber(101), DAY),
    StopReply(PlayerId(7), "digest", DAY),
]


@pytest.mark.parametrize("reply", REPLIES)
@pytest.mark.parametrize("signer", [SIGNER, OLD])
@pytest.mark.parametrize(
    "mangled",
    [
        lambda token: token,
        lambda token: f"pbem=2B{token}@localhost",
        lambda token: f"3D{token}",
        lambda token: f"pbem%252B{token}%2540localhost",
        lambda token: f"{token[:20]} {token[20:]}",
        lambda token: f"{token[:20]}-\n{token[20:]}",
        lambda token: f"{token[:20]}=\n{token[20:]}",
        "\n".join,
        lambda token: f"x{token.upper()}x",
        lambda token: f"cec{token}{token}",
    ],
)
def test_a_token_of_ours_is_hidden_however_it_is_mangled(reply: Reply, signer: Signer, mangled: object) -> None:
    assert callable(mangled)
    token = signer.sign(reply)
    lines = ["Hello Bob!", *mangled(token).split("\n"), "a1,j12"]
    left = without_tokens_of(SIGNER, lines)
    assert (len(left), left[0], left[-1]) == (len(lines), "Hello Bob!", "a1,j12")
    assert token not in re.sub(r"[^a-z0-9]", "", "".join(left).lower())
    assert not re.search(r"[a-z2-7]{10}", "".join(left[1:-1]).replace("localhost", "").lower())


@given(st.lists(st.text(max_size=60)))
def test_all_other_lines_stay(lines: list[str]) -> None:
    lines = [line.replace("\n", "") for line in lines]
    assert without_tokens_of(SIGNER, lines) == tuple(lines)


def test_what_is_not_ours_or_not_whole_stays() -> None:
    token = SIGNER.sign(REPLIES[0])
    for line in (token[:-1], token[1:], Signer(["another key of the server"]).sign(REPLIES[0])):
        assert without_tokens_of(SIGNER, [line]) == (line,)


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    ("piece", "left"), [("c", 65_536), ("ce", 8001), ("cg", 8001), ("Come to me, it is my turn now.  ", 65_536)]
)
def test_a_text_made_to_keep_the_search_busy_does_not(piece: str, left: int) -> None:
    (shown,) = without_tokens_of(SIGNER, [piece * (65_536 // len(piece))])
    assert len(shown) == left


def test_a_token_behind_many_that_might_be_one_is_hidden() -> None:
    token = SIGNER.sign(REPLIES[0])
    assert token not in without_tokens_of(SIGNER, ["ce" * 10_000 + token])[0]


def test_a_tag_alone_is_hidden_in_a_comment_and_words_are_not() -> None:
    tag = "abcdefgh2345mnop"
    for bare in (tag, tag.upper(), "aaab" + tag, "aaabbbbbbb2" + tag):
        assert without_bare_tags(f"see {bare}, Bob") == "see ..., Bob"
    for words in ("responsibilities", "2345672345672345", tag[:-1], tag + "a", "a1,j12", ""):
        assert without_bare_tags(words) == words


def test_what_is_signed_is_known_when_it_proves_nothing_any_more() -> None:
    token = SIGNER.sign(REPLIES[1])
    assert SIGNER.has_signed(token)
    assert not SIGNER.has_signed(token[:-1] + "!")
