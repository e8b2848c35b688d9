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


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (f"{QUOTE}\na1\n{QUOTE}\nb2", "a1\nb2"),
        (f"{QUOTE}\nFine!\n{QUOTE}\n\na1", "Fine!\n\na1"),
        (f"Hi Dave,\n{QUOTE}\na1 it is\n{QUOTE}\nBob", "Hi Dave,\na1 it is\nBob"),
        (f"a1\n{QUOTE}\nb2", "a1"),
        (f"a1\n\n{QUOTE}\nwords", "a1"),
        (f"yes\n{QUOTE}\nwords", "yes"),
    ],
)
def test_an_answer_may_stand_below_quotes_unless_a_move_stands_above_them(body: str, said: str) -> None:
    assert own(body) == said


def test_a_long_quoted_line_that_was_broken_is_no_answer() -> None:
    broken = f"> {'The mail of a board may have lines that are as long as this one'}, and\nlonger\n> A1"
    assert own(f"{broken}\n\nb2") == "b2"


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
        "On Friday, May 1, 2026 at 01:55:00 PM GMT+2, pbem <pbem@localhost> wrote:  \n \n Summary of superbo Board 101",
        "Am Freitag, 1. Mai 2026 um 13:55:00 MESZ hat pbem <pbem@localhost> Folgendes geschrieben:\n\nSummary",
        "El vie, 1 may 2026 a las 13:55, pbem (<pbem@localhost>) escribi\u00f3:\nSummary",
        "Il giorno ven 1 mag 2026 alle ore 13:55 pbem\n<pbem@localhost> ha scritto:\nSummary",
        "Op vr 1 mei 2026 om 13:55 schreef pbem <pbem@localhost>:\nSummary",
        "Den fre 1 maj 2026 13:55 pbem <pbem@localhost> skrev:\nSummary",
        "Gesendet: Freitag, 01. Mai 2026\nVon: pbem",
        "-----pbem <pbem@localhost> schrieb: -----",
        "Sent with Proton Mail secure email.",
        "Sent with [Proton Mail](https://proton.me/) secure email.",
        "Sent from my Android device with K-9 Mail. Please excuse my brevity.",
        "Gesendet mit der GMX Mail App",
        "Enviado desde mi iPhone",
        "Inviato da Outlook per iOS",
        "Verzonden vanaf mijn Galaxy",
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
        "Sent with love",
        "Date: none of mine",
        "He wrote: well",
        "I wrote this at 18:30",
        "-- x",
        "___",
        "a > b",
    ],
)
def test_a_line_that_only_resembles_such_a_mark_stays(line: str) -> None:
    assert own(f"a1\n{line}\nbye") == f"a1\n{line}\nbye"


@pytest.mark.parametrize(
    "banner",
    [
        "CAUTION: This email originated from outside of the organization. Do not click links\nor open attachments.",
        "[EXTERNAL EMAIL]",
        "*** EXTERNAL MESSAGE ***",
        "You don't often get email from bob@example.org. Learn why this is important",
        "Achtung: Diese E-Mail kommt von einem externen Absender.",
        "ATTENTION : courriel externe. Ne cliquez sur aucun lien,\nn'ouvrez aucune pi\u00e8ce jointe.",
    ],
)
@pytest.mark.parametrize("blank", ["", "\n"])
def test_the_warning_of_a_company_above_a_letter_is_no_word_of_it(banner: str, blank: str) -> None:
    assert own(f"{banner}\n{blank}a1,j12\n\nGood luck!") == "a1,j12\n\nGood luck!"


@pytest.mark.parametrize("line", ["Warning: I am about to win.", "Attention!", "External forces move a1"])
def test_a_line_that_only_begins_like_a_warning_stays(line: str) -> None:
    assert own(f"{line}\na1") == f"{line}\na1"


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


@pytest.mark.parametrize("rule", ["--------------------", "____", "---"])
def test_the_line_above_the_footer_of_a_telephone_is_cut_with_it(rule: str) -> None:
    assert own_lines(("B2", "Hello!", "", rule, "Von meinem Samsung-Ger\u00e4t gesendet")) == ("B2", "Hello!", "")


@pytest.mark.parametrize(
    "head",
    [
        *("Summary of mamba Board 107", "    Summary of superbo Board 101", "\tsummary of mambo board 102 "),
        *("    A new superbo board (107) has been started", "  alice writes to you:"),
        "    alice writes to all at superbo Board 101:",
        *("    Summary of superbo Board 101 after move 3", "alice writes to you, and also to carol, dave:"),
        *("Your move against bob\nsuperbo Board 101", "  It's bob's move\n\n  mamba Board 7"),
        "Dein Zug\tmambo Board 9",
        "alice und bob haben gewonnen     palago Board 101",
    ],
)
def test_an_original_without_marks_or_a_head_is_known_by_its_first_line(head: str) -> None:
    assert own_lines(("Joli !", "", *head.split("\n"), "", "    mamba move 107 chloe secret pass")) == ("Joli !", "")


@pytest.mark.parametrize(
    "line",
    [
        *("In summary of superbo Board 101: nice", "alice writes to me:", "A new board has been started"),
        *("Your move against bob", "Du hast gewonnen", "superbo Board 101", "I won superbo Board 101"),
        *("Dein Zug  und mein Pech", "Stand von superbo-Brett 101: gut", "À vous de jouer contre bob !"),
    ],
)
def test_sentences_that_resemble_it_stay(line: str) -> None:
    assert own_lines(("f3-f4", line)) == ("f3-f4", line)
