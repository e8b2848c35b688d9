"""The parts of a mail in the encodings that they travel in."""

from __future__ import annotations

from quopri import decodestring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail_out.message import content
from pbem.wording.layout import tidy
from pbem.wording.mails import RenderedMail


def travelling(text: str) -> str:
    """The content of a mail as it is between the mail programs."""
    return content(RenderedMail("Subject", text), (), "boundary").body.decode("ascii").replace("\r\n", "\n")


def mistaken(line: str) -> bool:
    return line in ("--", "-- ") or line.startswith("From ") or line != line.rstrip()


@pytest.mark.parametrize("blanks", range(4))
@pytest.mark.parametrize("word", ["From you to me", "--", "-- ", "-", "Frome", "-- \nFrom"])
def test_no_line_that_folding_makes_is_mistaken(word: str, blanks: int) -> None:
    for length in range(60, 90):
        text = tidy("\u00fc\n" + "b" * length + " " * blanks + word)
        lines = travelling(text).split("\n")
        assert not [line for line in lines if mistaken(line) or len(line) > 76]
        assert decodestring("\n".join(lines).encode()).decode() == text


def test_the_first_letter_of_such_a_line_is_encoded() -> None:
    text = "\u00fc" * 12 + " From you"
    assert any(
        line.startswith("=46rom ") for n in range(80) for line in travelling("\u00fc\n" + "b" * n + text).split("\n")
    )


@given(st.text(alphabet="\u00fcb -From\n", max_size=300))
def test_what_is_encoded_can_be_read_again(text: str) -> None:
    made = travelling(tidy("\u00fc" + text))
    assert decodestring(made.encode()).decode() == tidy("\u00fc" + text)
    assert not [line for line in made.split("\n") if mistaken(line) or len(line) > 76]
