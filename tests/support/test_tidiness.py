from __future__ import annotations

import pytest

from tests.support.tidiness import faults_of

HEAD = (
    b"From: pbem@localhost\r\nTo: bob@example.org\r\nSubject: x\r\nDate: Fri, 01 May 2026 12:00:00 +0000\r\n"
    b"Message-ID: <1@localhost>\r\nAuto-Submitted: auto-replied\r\nX-Auto-Response-Suppress: All\r\n"
    b'MIME-Version: 1.0\r\nContent-Type: text/plain; charset="utf-8"\r\n'
)


def mail(body: bytes, encoding: bytes = b"7bit") -> bytes:
    return HEAD + b"Content-Transfer-Encoding: " + encoding + b"\r\n\r\n" + body


def test_a_tidy_mail_has_no_faults() -> None:
    assert faults_of(mail(b"Hello,\r\n --\r\n From me\r\n")) == []
    assert faults_of(mail(b"  A   o---o" + b"   o   x" * 12 + b"\r\n")) == []
    assert faults_of(mail(b"Gr=C3=BC=C3=9Fe\r\n", b"quoted-printable")) == []


@pytest.mark.parametrize(
    "raw",
    [
        mail(b"-- \r\n"),
        mail(b"--\r\n"),
        mail(b"From me\r\n"),
        mail(b"blank \r\n"),
        mail(b"half\n"),
        mail(b" ".join([b"word"] * 16) + b"\r\n"),
        mail(b"x" * 999 + b"\r\n"),
        mail("Gr\u00fc\u00dfe\r\n".encode()),
        mail(b"plain\r\n", b"quoted-printable"),
        mail(b"cGxhaW4=\r\n", b"base64"),
        mail(b"a=20\r\n=C3=BC\r\n", b"quoted-printable"),
        mail(b"x\r\n").replace(b"Auto-Submitted", b"Auto"),
        mail(b"x\r\n").replace(b"bob@example.org", b"bob@example.org, eve@example.org"),
        mail(b"x\r\n").replace(b"utf-8", b'utf-8"; format="flowed'),
    ],
)
def test_what_a_mail_must_not_be_is_found(raw: bytes) -> None:
    assert faults_of(raw)
