"""A header → the line that a mail has for it; the judge is `email`."""

from __future__ import annotations

from email import policy
from email.message import EmailMessage

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.mail_out.headers import header_line

JUDGE = policy.SMTP.clone(max_line_length=998)
ADDRESSES = ("From", "To", "Reply-To")
ATOM = st.text("abyzABYZ0189+_-", min_size=1, max_size=8)
DOTTED = st.lists(ATOM, min_size=1, max_size=3).map(".".join)
ADDRESS = st.builds("{}@{}".format, DOTTED, DOTTED)


def judged(name: str, value: str) -> bytes:
    """The line as `email` writes it."""
    message = EmailMessage(policy=JUDGE)
    message[name] = value
    return message.as_bytes().partition(b"\r\n\r\n")[0] + b"\r\n"


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=120))
@example("x" * 2000)
@example("word " * 300 + "end")
@example("a=?b")
@example("superbo Board 101 Gr\u00fc\u00dfe")
@example("\u4e16\u754c " * 200)
@example("two  blanks")
@example("")
def test_words_are_written_as_email_writes_them(words: str) -> None:
    value = words.replace("=?", "= ?")
    for name in ("Subject", "References", "In-Reply-To", "List-Id", "List-Unsubscribe"):
        assert header_line(name, value) == judged(name, value)


@given(ADDRESS)
@example('"quoted part"@example.org')
@example("a..b@example.org")
@example("a@[127.0.0.1]")
@example("a" * 950 + "@example.org")
def test_addresses_are_written_as_email_writes_them(address: str) -> None:
    for name in ADDRESSES:
        assert header_line(name, address) == judged(name, address)
        assert header_line(name, f"pbem <{address}>") == judged(name, f"pbem <{address}>")
    assert header_line("Message-ID", f"<{address}>") == judged("Message-ID", f"<{address}>")


@pytest.mark.parametrize("date", ["Fri, 01 May 2026 12:00:00 +0000", "Thu, 31 Dec 2026 23:59:59 -0330"])
def test_dates_are_written_as_email_writes_them(date: str) -> None:
    assert header_line("Date", date) == judged("Date", date)


@pytest.mark.parametrize("words", ["a\r\nBcc: eve@example.org", "a\nb", "a\x00b", "=?utf-8?q?a=0D=0ABcc=3A_eve?="])
def test_no_header_goes_on_as_another(words: str) -> None:
    with pytest.raises(ValueError, match=r"Header values|control character"):
        header_line("Subject", words)
