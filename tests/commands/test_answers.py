"""What the answer to a question says."""

from __future__ import annotations

import pytest

from pbem.commands.answers import Said, answer_in, is_no


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("yes", Said.YES),
        ("YES!!!", Said.YES),
        ("y", Said.YES),
        ("Ja", Said.YES),
        ("*oui*", Said.YES),
        ("S\u00ed.", Said.YES),
        ("ok", Said.YES),
        ("  confirm", Said.YES),
        ("\nyes\n\nBest wishes\nann", Said.YES),
        ("Yes, I confirm.", Said.ASSENT),
        ("oui, merci", Said.ASSENT),
        ("Yes please", Said.ASSENT),
        ("", Said.NOTHING),
        (" \n\n", Said.NOTHING),
        ("no", Said.NO),
        ("No!", Said.NO),
        ("NEIN", Said.NO),
        ("non", Said.NO),
        ("n", Said.NO),
        ("Certainly not", Said.NO),
        ("I did not ask for this; yes, I am sure", Said.NO),
        ("yes\n\nno, wait", Said.NO),
        ("That wasn't me", Said.NO),
        ("Don\u2019t!", Said.NO),
        ("This isn't ok", Said.NO),
        ("I can't confirm this", Said.NO),
        ("I cant confirm this", Said.NO),
        ("I won't agree", Said.NO),
        ("ok, thanks for your mail! We have received it.", Said.UNCLEAR),
        ("Sure, I will answer then.", Said.UNCLEAR),
        ("Confirm receipt", Said.UNCLEAR),
        ("I agree", Said.UNCLEAR),
        ("Hello pbem,\n\nyes", Said.UNCLEAR),
        ("what is this", Said.UNCLEAR),
        ("What do I have to do?", Said.UNCLEAR),
        ("yes?", Said.UNCLEAR),
        ("yes\n\nIs that right?", Said.UNCLEAR),
        ("Are you sure?", Said.UNCLEAR),
        ("...", Said.UNCLEAR),
        ("eyes", Said.UNCLEAR),
        ("noon", Said.UNCLEAR),
        ("b3", Said.UNCLEAR),
        ("42", Said.UNCLEAR),
        ("word " * 40 + "yes", Said.UNCLEAR),
    ],
)
def test_what_an_answer_says(answer: str, said: Said) -> None:
    assert answer_in(answer.split("\n")) is said


def test_what_says_nothing_or_nothing_clear_is_no_answer() -> None:
    assert [each for each in Said if not each.is_clear] == [Said.NOTHING, Said.UNCLEAR]


@pytest.mark.parametrize(("line", "alone"), [("no", True), ("No.", True), ("no2", False), ("no thanks", False)])
def test_one_word_that_says_no_stands_alone(line: str, alone: bool) -> None:
    assert is_no(line) is alone
