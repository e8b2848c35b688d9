from __future__ import annotations

import hashlib
from base64 import encodebytes

import pytest

from pbem.domain.mails import PictureSource
from pbem.ids import BoardNumber
from pbem.storage.packed_mails import NEWEST, PHRASES, pack, unpack, without_pictures

PNG = bytes(range(256)) * 9
SOURCE = PictureSource(BoardNumber(101), 17, 1)
BOUNDARY = f"=_{'5' * 24}"


def part(source: PictureSource | None, content: bytes = PNG, boundary: str = BOUNDARY) -> bytes:
    """A part of a mail that is a picture."""
    digest = hashlib.sha256(content).hexdigest()[:24]
    head = (
        f"--{boundary}.0\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n"
        f"Content-ID: <{source.named(digest) if source else digest}@picture>\r\nContent-Disposition: inline\r\n\r\n"
    )
    return head.encode() + encodebytes(content).replace(b"\n", b"\r\n") + b"\r\n"


def mail(*parts: bytes) -> bytes:
    """A mail of such parts."""
    head = f'From: pbem\r\nContent-Type: multipart/related; type="text/html"; boundary="{BOUNDARY}.0"\r\n\r\n'
    return head.encode() + b"\r\n" + b"".join(parts) + f"--{BOUNDARY}.0--\r\n".encode()


def draw(source: PictureSource) -> bytes | None:
    """The picture of the one position that there is."""
    return PNG if source == SOURCE else None


@pytest.mark.parametrize("seat", [0, 3, None])
def test_the_name_of_a_picture_tells_its_position_again(seat: int | None) -> None:
    source = PictureSource(BoardNumber(101), 0, seat)
    assert PictureSource.read(source.named("a" * 24)) == source


@pytest.mark.parametrize("name", ["a" * 24, f"{'a' * 24}.101.2", f"{'a' * 24}.0.2.1", f"{'a' * 24}.101.2.1.1", ""])
def test_other_names_tell_no_position(name: str) -> None:
    assert PictureSource.read(name) is None


def test_a_mail_is_made_again_byte_for_byte_with_pictures_drawn_anew() -> None:
    raw = mail(part(SOURCE), part(SOURCE))
    packed = pack(raw)
    assert len(packed) < 400
    assert unpack(packed, draw) == raw
    assert unpack(packed, lambda _: b"") == without_pictures(raw) != raw


def test_a_mail_whose_position_is_gone_is_not_made_again() -> None:
    assert unpack(pack(mail(part(SOURCE), part(PictureSource(BoardNumber(102), 3, None)))), draw) is None


NOT_OURS = (
    mail(part(None)),
    b"Subject: x\r\n\r\nwords \x00\xff" + part(SOURCE),
    b"",
    mail(part(SOURCE, boundary="=_x")),
)


@pytest.mark.parametrize("raw", NOT_OURS)
def test_everything_else_in_a_mail_is_kept(raw: bytes) -> None:
    assert unpack(pack(raw), lambda _: None) == raw


def test_words_that_look_like_a_picture_are_words() -> None:
    raw = mail(part(SOURCE, b"what a player wrote", f"=_{'6' * 24}"), part(SOURCE))
    assert unpack(pack(raw), draw) == raw


def test_phrases_stay_as_they_are_while_mails_need_them() -> None:
    found = {file.name: hashlib.sha256(file.read_bytes()).hexdigest()[:16] for file in PHRASES.iterdir()}
    assert found == {"1.txt": "c3ce1e2f01e2c487"}
    assert f"{NEWEST}.txt" in found
