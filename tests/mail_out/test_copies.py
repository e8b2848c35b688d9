"""A mail that is sent once more."""

from __future__ import annotations

from pbem.mail_out.headers import copied, subject_of

RAW = b"Subject: Hi\r\nmessage-id: <1@x>\r\nDate: then\r\n\r\nMessage-ID: <1@x>\r\n\r\nDate: then\r\n"


def test_headers_are_replaced_or_added_and_nothing_else() -> None:
    assert copied(RAW, {"Message-ID": "<2@x>", "References": "<1@x>"}) == (
        b"Subject: Hi\r\nDate: then\r\nMessage-ID: <2@x>\r\nReferences: <1@x>\r\n\r\n"
        b"Message-ID: <1@x>\r\n\r\nDate: then\r\n"
    )


def test_a_subject_is_read_back_in_words() -> None:
    assert subject_of(b"Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\r\nSubject: x\r\n") == "Gr\u00fc\u00dfe"
    assert subject_of(b"To: x\r\n\r\nSubject: x\r\n") is None
