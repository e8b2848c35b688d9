"""Whether an answer says yes or no."""

from __future__ import annotations

import pytest

from pbem.usecases.confirmations import agreement


@pytest.mark.parametrize(
    ("answer", "agrees"),
    [
        ("yes", True),
        ("YES!!!", True),
        ("y", True),
        ("Ja", True),
        ("oui, merci", True),
        ("ok", True),
        ("Yes, I confirm.", True),
        ("Hello pbem,\n\nyes", True),
        ("", True),
        (" \n\n", True),
        ("no", False),
        ("No!", False),
        ("NEIN", False),
        ("non", False),
        ("n", False),
        ("Certainly not", False),
        ("I did not ask for this; yes, I am sure", False),
        ("yes\n\nno, wait", False),
        ("That wasn't me", False),
        ("Don\u2019t!", False),
        ("This isn't ok", False),
        ("I can't confirm this", False),
        ("I cant confirm this", False),
        ("I won't agree", False),
        ("what is this", None),
        ("What do I have to do?", None),
        ("Who are you? Please explain.", None),
        ("Is that right?", None),
        ("Are you sure?", None),
        ("eyes", None),
        ("noon", None),
        ("b3", None),
        ("42", None),
        ("word " * 40 + "yes", None),
    ],
)
def test_an_answer_says_yes_or_no_or_neither(answer: str, agrees: bool | None) -> None:
    assert agreement(answer.split("\n")) is agrees
