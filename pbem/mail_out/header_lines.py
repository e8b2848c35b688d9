"""A header → the line that a mail has for it.

Nearly all of our headers are plain words, which stand in a mail as they are. What else there is, such as letters
beyond ASCII in a Subject (RFC 2047) or an address with a quoted part, is left to `email`, which takes a hundred times
as long to come to the same for plain words.
"""

from __future__ import annotations

import re
import unicodedata
from email import policy
from functools import lru_cache

LONGEST_LINE = 998
"""Characters of a line (RFC 5322 s 2.1.1)."""

# Python folds long References into encoded words, which breaks threads: our headers stay on one line.
_POLICY = policy.SMTP.clone(max_line_length=LONGEST_LINE)

_LONGEST_PLAIN = 900
"""Characters of a value that needs no thought of where its line may be broken."""
_ATOMS = r"[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*"
_ADDRESS = f"{_ATOMS}@{_ATOMS}"
_WORDS = re.compile(r"[!-~]+(?: [!-~]+)*")
_MAILBOX = re.compile(f"{_ADDRESS}|[a-z]+ <{_ADDRESS}>")
_PLAIN = {
    "From": _MAILBOX,
    "To": _MAILBOX,
    "Reply-To": _MAILBOX,
    "Message-ID": re.compile(f"<{_ADDRESS}>"),
    "Date": re.compile("[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} [+-][0-9]{4}"),
}
"""What stands as it is in headers that are more than words."""


def header_line(name: str, value: str) -> bytes:
    """The line of a header; if it is too long it goes on below.

    Raises:
        ValueError: a header could go on as another one.
    """
    plain = _PLAIN.get(name, _WORDS)
    if len(value) <= _LONGEST_PLAIN and "=?" not in value and plain.fullmatch(value):
        return f"{name}: {value}\r\n".encode("ascii")
    return _made_by_email(name, value)


@lru_cache(maxsize=256)
def _made_by_email(name: str, value: str) -> bytes:
    _, header = _POLICY.header_store_parse(name, value)
    if any(unicodedata.category(letter) == "Cc" for letter in str(header)):  # it decodes words and breaks in them
        raise ValueError(f"a control character in {name}")
    return _POLICY.fold_binary(name, header)
