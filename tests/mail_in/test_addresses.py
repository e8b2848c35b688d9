"""Our own addresses."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.replies import ConfirmReply, MessageIds, Signer
from pbem.ids import ConfirmationId
from pbem.mail_in.addresses import OwnAddress, board_named
from pbem.mail_out.headers import Headers
from tests.mail_out.notices import BOARD_REPLY, board_notice

OURS = OwnAddress("pbem@Games.example.org")


@pytest.mark.parametrize(
    ("address", "token"),
    [
        ("pbem@games.example.org", ""),
        (" PBEM@GAMES.EXAMPLE.ORG ", ""),
        ("pbem+ceaaab@games.example.org", "ceaaab"),
        ("Pbem+CEAAAB@games.example.org", "ceaaab"),
        ("pbem+@games.example.org", ""),
        ("pbem+a+b@games.example.org", "a+b"),
        ("pbem@example.org", None),
        ("pbem@games.example.org.evil.example", None),
        ("notpbem@games.example.org", None),
        ("pbem", None),
        ("", None),
        ("@games.example.org", None),
        ("evil@pbem@games.example.org", None),
    ],
)
def test_our_addresses_are_known_with_their_tokens(address: str, token: str | None) -> None:
    assert OURS.token(address) == token


QUESTION = ConfirmReply(ConfirmationId(5), 4711, date(2026, 7, 30))
MESSAGE_IDS = MessageIds(Signer(["a key of sixteen letters"]), "localhost")
OF_EVENT = MESSAGE_IDS.of_event(101, 23, "7-1", "alice@example.org", date(2026, 7, 30)).strip("<>")
ALL_MESSAGE_IDS = [
    OF_EVENT,
    MESSAGE_IDS.of_root(101, "alice@example.org").strip("<>"),
    MESSAGE_IDS.of_question(QUESTION, "7-2", "alice@example.org").strip("<>"),
    MESSAGE_IDS.of_anything("failed-7-3", "alice@example.org").strip("<>"),
]


@pytest.mark.parametrize("made", [str.lower, str.upper])
@pytest.mark.parametrize("message_id", ALL_MESSAGE_IDS)
@pytest.mark.parametrize(
    ("disguise", "left"),
    [
        ("I", ""),
        ("<I>", ""),
        ("[it](mid:I)", "[it](mid:)"),
        ("answers:<I>,", "answers:,"),
        ("*I*", "**"),
        ("_(I)_", "_()_"),
    ],
)
def test_a_message_id_of_ours_is_hidden_in_every_disguise(
    message_id: str, disguise: str, left: str, made: Callable[[str], str]
) -> None:
    for written in (message_id, message_id.replace("@", "%40"), message_id.partition("@")[0]):
        hidden = OwnAddress("pbem@localhost").hidden_in(f"see {made(disguise.replace('I', written))} here")
        assert hidden.lower() == f"see {left.lower()} here"


def test_a_message_id_in_a_link_is_hidden() -> None:
    for message_id in ALL_MESSAGE_IDS:
        link = f"mailto:bob@example.org?In-Reply-To=%3C{message_id.replace('@', '%40')}%3E&subject=x"
        assert OwnAddress("pbem@localhost").hidden_in(link) == "mailto:bob@example.org?In-Reply-To=&subject=x"


@pytest.mark.parametrize(
    "secret", [*ALL_MESSAGE_IDS, f"pbem+{Signer(['a key of sixteen letters']).sign(BOARD_REPLY)}@localhost"]
)
def test_what_is_folded_over_two_lines_cannot_be_put_together_again(secret: str) -> None:
    ours = OwnAddress("pbem@localhost")
    for end in ("", " ", "=", "= "):
        for fold in range(1, len(secret)):
            lines = ["Hello!", f"on Friday <{secret[:fold]}{end}", f"  {secret[fold:]}> wrote:", "a1"]
            assert ours.hidden_in_lines(lines) == ("Hello!", "on Friday ", " wrote:", "a1")


def test_lines_that_only_follow_each_other_stay() -> None:
    lines = (
        "move 101 a1,j12",
        "",
        "g",
        "101",
        "Hello pbem",
        "+x at localhost or",
        " pbem@localhost",
        "<m",
        "abcdefghijklmnop",
    )
    assert OwnAddress("pbem@localhost").hidden_in_lines(lines) == lines


def test_no_reply_address_or_message_id_of_ours_is_left_in_a_players_text() -> None:
    headers = Headers(OURS.address, Signer(["a key of sixteen letters"]))
    reply = headers.reply_to(BOARD_REPLY)
    opening = headers.message_id(board_notice(opens=True), "alice@example.org", "1-1")
    later = headers.message_id(board_notice(), "alice@example.org", "2-1")
    for secret in (reply, reply.upper(), opening, later, opening.strip("<>")):
        hidden = OURS.hidden_in(f"On Friday, pbem <{secret}> wrote, see {secret}, mailto:{secret}?subject=x")
        assert secret.strip("<>").lower() not in hidden.lower()
        assert hidden.startswith("On Friday, pbem ")
        assert hidden.endswith("?subject=x")


TOKEN = Signer(["a key of sixteen letters"]).sign(BOARD_REPLY)


@pytest.mark.parametrize("made", [str.lower, str.upper])
@pytest.mark.parametrize(
    ("disguise", "left"),
    [
        ("pbem+T@localhost", ""),
        ("<pbem+T@localhost>", ""),
        ("[me](mailto:pbem+T@localhost)", "[me](mailto:)"),
        ("<mailto:pbem%2BT%40localhost>", "<mailto:"),
        ("<mailto:pbem%2bT@localhost>", "<mailto:"),
        ("pbem%2BT", ""),
        ("pbem\\+T@localhost", ""),
        ("pbem+T", ""),
        ("T@localhost", ""),
        ("T", ""),
        ("_T_", "__"),
        ("*T*,", "**,"),
    ],
)
def test_a_token_of_ours_is_hidden_in_every_disguise(disguise: str, left: str, made: Callable[[str], str]) -> None:
    ours = OwnAddress("pbem@localhost")
    assert len(TOKEN) == 37
    hidden = ours.hidden_in(f"see {made(disguise.replace('T', TOKEN))} here")
    assert hidden.lower() == f"see {left} here"


@pytest.mark.parametrize("word", ["a" * 36, "a" * 38, "a" * 36 + "1", "0" * 37, "a" * 37 + "9", "9" + "a" * 37])
def test_words_that_are_no_tokens_stay(word: str) -> None:
    text = f"the {word}, ordinary words and {TOKEN[:-1]} too"
    assert OURS.hidden_in(text) == text


@pytest.mark.parametrize("text", ["", "a1,j12", "mail pbem@games.example.org", "pbem+x@example.org", "g101 is a board"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert OURS.hidden_in(text) == text


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    [
        "g1.",
        "pbem+",
        "pbem+a",
        "g1.a@",
        "<",
        "g",
        "a",
        "pbem%2B",
        "pbem+aaaa2 ",
        "m.",
        "q1.a",
        "m.a.a",
        "aaaaaaaaaaaaaaaa.",
        "<g1.1 ",
    ],
)
def test_a_line_made_to_keep_the_search_busy_does_not(piece: str) -> None:
    line = piece * (260_000 // len(piece))
    assert OURS.hidden_in(line) == line


@given(st.text(max_size=80))
def test_any_text_is_an_address_of_ours_or_not(address: str) -> None:
    token = OURS.token(address)
    assert token is None or token in address.lower()


@pytest.mark.parametrize(
    ("subject", "board"),
    [
        (b"superbo move 101 alice secret a1,b2", 101),
        (b" Move 101 a1", 101),
        (b"Re: RE: superbo resign 4711", 4711),
        (b"Re: Summary of superbo Board 101 (alice)", 101),
        (b"=?utf-8?q?superbo_move_101?=", None),
        (b"2 moves", None),
        (b"a1,b2", None),
        (b"my three moves 101", None),
        (b"challenge alice -num_tiles=101", None),
        (b"", None),
        (b"superbo move 1234567890", None),
    ],
)
def test_a_board_is_named_where_commands_and_our_mails_name_it(subject: bytes, board: int | None) -> None:
    assert board_named(b"From: alice@example.org\nSubject: " + subject + b"\n\nsuperbo move 102") == board
