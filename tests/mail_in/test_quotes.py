"""The sender's own lines of a body."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail_in.quotes import own_lines


def own(text: str) -> str:
    return "\n".join(own_lines(text.split("\n"))).strip("\n")


QUOTE = "> Summary of superbo Board 101\n>\n> It is alice's turn."


@pytest.mark.parametrize(
    "attribution",
    [
        "On 5/1/26 13:55, pbem wrote:",
        "On Fri, May 1, 2026 at 1:55\u202fPM pbem <pbem+x@localhost> wrote:",
        "On Fri, May 1, 2026 at 1:55 PM pbem <pbem+x@localhost>\nwrote:",
        "On Fri, May 1, 2026 at 1:55 PM pbem\n<pbem+aa22bb77@localhost>\nwrote:",
        "Am 01.05.26 um 13:55 schrieb pbem:",
        "Le ven. 1 mai 2026 \u00e0 13:55, pbem <pbem+x@localhost> a\n\u00e9crit :",
        "pbem <pbem+x@localhost> writes:",
        "* pbem <pbem+x@localhost> [2026-05-01 13:55]:",
        "",
    ],
)
@pytest.mark.parametrize("blank", ["", "\n"])
def test_an_answer_above_or_below_the_quote_is_found_without_the_attribution(attribution: str, blank: str) -> None:
    quoted = f"{attribution}\n{blank}{QUOTE}" if attribution else QUOTE
    assert own(f"a1,j12\n\nGood luck!\n\n{quoted}\n") == "a1,j12\n\nGood luck!"
    assert own(f"{quoted}\n\na1,j12\n\nGood luck!") == "a1,j12\n\nGood luck!"


@pytest.mark.parametrize("move", ["a1,j12", "a1", "superbo move 101 alice secret a1,j12#17", "resign"])
@pytest.mark.parametrize("attribution", ["pbem wrote:", "pbem <x@y> writes:", "On 5/1/26 13:55, pbem wrote:"])
def test_a_move_right_above_the_attribution_is_not_taken_for_a_part_of_it(move: str, attribution: str) -> None:
    assert own(f"{move}\n{attribution}\n{QUOTE}") == move


def test_what_stands_between_quotes_is_left_out_after_the_first_own_words() -> None:
    assert own(f"{QUOTE}\na1\n{QUOTE}\nb2") == "a1"


@pytest.mark.parametrize(
    "end",
    [
        "-- ",
        "--",
        "-----Original Message-----",
        "---- Urspr\u00fcngliche Nachricht ----",
        "---------- Forwarded message ---------",
        "Begin forwarded message:",
        "________________________________",
        "From: pbem <pbem+x@localhost>",
        "*From:* pbem <pbem+x@localhost>",
        "Von: pbem <pbem@localhost>",
        "From: pbem\nSent: Friday, 1 May 2026 13:55\nTo: Alice",
        "*De :* pbem\n*Envoyé :* vendredi 1 mai 2026",
        "Da: pbem\nInviato: venerdì",
        "-----Reply message-----",
        "-----Messaggio originale-----",
        "Sent from my iPhone",
        "Sent from Outlook for Android",
        "Get Outlook for iOS",
        "Von meinem iPhone gesendet",
        "This message is intended only for the addressee.",
        "CONFIDENTIALITY NOTICE: all of it",
    ],
)
def test_signature_history_and_footer_end_the_own_words(end: str) -> None:
    assert own(f"a1,j12\n\nGood luck!\n{end}\nmove 101 z9\n") == "a1,j12\n\nGood luck!"


@pytest.mark.parametrize(
    "line",
    [
        "--- careful",
        "From: here to there",
        "From: me\nto you",
        "I sent from my heart",
        "-- x",
        "___",
        "a > b",
    ],
)
def test_a_line_that_only_resembles_such_a_mark_stays(line: str) -> None:
    assert own(f"a1\n{line}\nbye") == f"a1\n{line}\nbye"


@pytest.mark.parametrize("text", ["", "\n\n", QUOTE, f"pbem wrote:\n{QUOTE}", "-- \nAlice", "> a\n> b"])
def test_a_body_without_own_words_has_none(text: str) -> None:
    assert own(text) == ""


def test_a_colon_before_ordinary_text_is_no_attribution() -> None:
    assert own("a1\n\nMy plan:\nwin.") == "a1\n\nMy plan:\nwin."


@given(
    st.lists(st.sampled_from(["", "a1", "> q", ">", "x wrote:", "On 1.5.2026", "-- ", "From: a@b", "| q"]) | st.text())
)
def test_own_lines_are_lines_of_the_body_in_their_order(body: list[str]) -> None:
    rest = iter(body)
    assert all(line in rest for line in own_lines(body))
