"""Raw bytes → what a letter says."""

from __future__ import annotations

import contextlib
import pickle
import unicodedata
from base64 import b64encode
from encodings.aliases import aliases
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.letters import CUT, Letter
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.mime import ReadLetter, read_letter_bytes
from pbem.mail_in.parts import UnreadableLetter

OURS = OwnAddress("pbem@localhost")
LETTERS = Path(__file__).parent / "letters"
BOARD = "superbo Board 101 alice"


def parsed(raw: bytes) -> ReadLetter:
    return read_letter_bytes(raw, OURS)


def read(raw: bytes) -> Letter:
    return parsed(raw).letter


def subject(raw: str | bytes) -> str:
    return read(b"Subject: " + (raw if isinstance(raw, bytes) else raw.encode()) + b"\n\nx").subject


def page(html: str) -> str:
    letter = read(b"Content-Type: text/html; charset=utf-8\n\n" + html.encode())
    return "\n".join(line.strip() for line in letter.body).strip()


@pytest.mark.parametrize(
    ("name", "subject", "body"),
    [
        ("apple_mail", f"Re: {BOARD}", "a1,j12\n\nGood luck!"),
        ("french_webmail", f"RE : {BOARD}", "a1,j12\n\nBonne chance !"),
        ("gmail", f"Re: {BOARD}", "a1,j12\n\nGood luck!"),
        ("gmail_html_only", f"Re: {BOARD}", "a1,j12\n\nGood luck!"),
        ("gnus", f"Re: {BOARD}", "a1,j12"),
        ("iphone", f"Re: {BOARD}", "A1, j12\n\nDon't worry!"),
        ("mutt", f"Re: {BOARD}", "a1,j12\n\nGood luck!"),
        ("outlook", f"RE: {BOARD}", "a1,j12\n\nSch\u00f6n gespielt!"),
        ("outlook_german", f"AW: {BOARD}", 'a1,j12\n\nViel "Gl\u00fcck"!'),
        ("thunderbird_bottom", f"Re: {BOARD}", "a1,j12\n\nWell played!"),
        ("thunderbird_top", f"Re: {BOARD}", "a1,j12\n\nSch\u00f6n gespielt!"),
        ("xhtml_only", "hello", "superbo challenge bob\n\nGr\u00fc\u00dfe!"),
    ],
)
def test_the_words_are_found_in_the_letters_of_all_mail_programs(name: str, subject: str, body: str) -> None:
    raw = (LETTERS / f"{name}.eml").read_bytes()
    for each in (raw, raw.replace(b"\n", b"\r\n")):
        read = parsed(each)
        letter = read.letter
        assert letter.subject == subject
        assert "\n".join(line.strip() for line in letter.body).strip() == body
        assert letter.message_id is not None
        assert read.from_address == "alice@example.org"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("superbo move 101\n a1,j12", "superbo move 101 a1,j12"),
        ("superbo move 101\r\n\ta1,j12", "superbo move 101 a1,j12"),
        ("=?utf-8?q?superbo_move_101_a1?=", "superbo move 101 a1"),
        ("=?utf-8?q?superbo_move?=\n =?utf-8?q?_101_a1?=", "superbo move 101 a1"),
        ("=?utf-8?b?" + b64encode(b"superbo move 101 a1").decode() + "?=", "superbo move 101 a1"),
        ("=?utf-8?q?superbo=C2=A0move=E2=80=AF101?= a1", "superbo move 101 a1"),
        ("=?utf-8?q?superbo=0D=0ABcc:_x@example.org?=", "superbo Bcc: x@example.org"),
        ("=?utf-8?q?su=00per=08bo=7F?= x", "superbo x"),
        ("=?utf-8?q?su=E2=80=8Bper=EF=BB=BFbo=E2=80=AE?= x", "superbo x"),
        ("=?utf-8?q?=E2=80=9Cx=E2=80=9D_=E2=80=98y=E2=80=99?=", "\"x\" 'y'"),
        ("=?windows-1252?q?Gr=FC=DFe?=", "Gr\u00fc\u00dfe"),
        ("Gr\u00fc\u00dfe", "Gr\u00fc\u00dfe"),
    ],
)
def test_a_subject_is_decoded_to_one_line_of_plain_characters(raw: str, said: str) -> None:
    assert subject(raw) == said


@pytest.mark.parametrize("raw", [b"=?no-such-charset?q?help?=", b"=?utf-8?b?====?=", b"=?utf-8?q?=FF?=", b"\xff\xfe"])
def test_a_broken_subject_is_still_a_line(raw: bytes) -> None:
    assert len(subject(raw).splitlines()) <= 1


@pytest.mark.parametrize(
    ("charset", "encoded"),
    [
        ("utf-8", "Gr\u00fc\u00dfe".encode()),
        ("iso-8859-1", "Gr\u00fc\u00dfe".encode("iso-8859-1")),
        ("windows-1252", "Gr\u00fc\u00dfe".encode("cp1252")),
        ("utf-16", "Gr\u00fc\u00dfe".encode("utf-16")),
        ("koi8-r", "\u041f\u0440\u0438\u0432\u0435\u0442".encode("koi8-r")),
    ],
)
def test_a_body_is_decoded_by_its_charset(charset: str, encoded: bytes) -> None:
    head = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: base64\n\n".encode()
    assert read(head + b64encode(encoded)).body == (encoded.decode(charset),)


@pytest.mark.parametrize("charset", ["no-such-charset", "", '"', "utf-7;;", "\u00fc"])
def test_a_wrong_charset_loses_no_ascii(charset: str) -> None:
    head = f"Content-Type: text/plain; charset={charset}\n\n".encode()
    assert "superbo move 101 a1" in "\n".join(read(head + b"superbo move 101 a1\n\xff\xfe").body)


CODECS = sorted({*aliases.values(), "idna", "punycode", "undefined", "unicode_escape", "no-such-charset"})
PLACES = (
    "Content-Type: text/plain; charset={}",
    "Content-Type: text/plain; charset*=us-ascii''{}",
    "Content-Type: text/html; charset={}\nContent-Transfer-Encoding: base64",
    "Content-Type: text/plain; charset={}\nContent-Transfer-Encoding: quoted-printable",
    "Content-Type: multipart/mixed; charset={0}; boundary*={0}''%78%ff",
    "Content-Type: multipart/report; charset={0}; boundary=x",
    "Content-Type: text/plain; name*={}''%ff",
    'From: "=?{0}?q?A=ff?=" <a@example.org>\nSubject: =?{0}?b?aGVs/w==?= =?{0}?q?p=e4?=',
)


@pytest.mark.parametrize("place", PLACES)
def test_a_letter_is_read_whatever_codec_of_python_it_names_for_a_charset(place: str) -> None:
    for codec in CODECS:
        body = b"move 101 A1\n\xe4\xf6\xff --x\n\n--x\n" + place.format(codec).encode() + b"\n\nhelp\xff\n--x--\n"
        for may_be_bounce in (False, True):
            read_letter_bytes(place.format(codec).encode() + b"\n\n" + body, OURS, may_be_bounce=may_be_bounce)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>help</p>", "help"),
        ("a1<br>Hi", "a1\nHi"),
        ("<div>a1</div><blockquote>move 101 z9</blockquote>", "a1"),
        ("<blockquote type=cite>x<blockquote>y</blockquote></blockquote><div>a1</div>", "a1"),
        ("<blockquote>move 101 z9</blockquote>", ""),
        ("<div class='x gmail_quote y'>move 101 z9</div>a1", "a1"),
        ("<style>x{}</style><script>move 101 z9</script>a1", "a1"),
        ("<title>help</title><p>a1", "a1"),
        ("a1 &lt;b&gt; &amp;", "a1 <b> &"),
        ("", ""),
        ("   ", ""),
        ("<!-- help -->", ""),
        ("<" * 1000 + "p>a", None),
    ],
)
def test_an_html_letter_is_read_without_its_quotes(html: str, text: str | None) -> None:
    said = page(html)
    assert text is None or said == text


PAGES = {
    "a tall cell beside many": "<table><tr><td>" + "x<br>" * 20_000 + "</td>" + "<td>y</td>" * 10_000 + "</table>",
    "a tall cell beside some": "<table><tr><td>" + "x<br>" * 5_000 + "</td>" + "<td>y</td>" * 3_000 + "</table>",
    "huge margins": '<p style="margin-left:9999999em; margin-top:9999999em; padding-left:9999999em">help</p>' * 3,
    "30,000 attributes": "<p>help</p><p " + " ".join(f'a{n}="1"' for n in range(30_000)) + ">",
    "lists in lists": "<ul><li>x<br>" * 5_000,
    "definitions in definitions": "<dl><dd>x<br>" * 4_000,
}
AS_MUCH = 65_536
"""Characters that are read of one page."""


@pytest.mark.timeout(60)
@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_the_layout_of_a_page_does_not_blow_it_up(html: str) -> None:
    assert len(html) < 350_000
    body = read(b"Content-Type: text/html; charset=utf-8\n\n" + html.encode()).body
    assert sum(map(len, body)) + len(body) <= min(len(html), AS_MUCH)


def test_the_words_of_a_page_with_huge_margins_are_read() -> None:
    assert page(PAGES["huge margins"]).split() == ["help"] * 3


def test_a_quote_is_taken_out_of_a_page_whose_layout_is_left_out() -> None:
    style = "margin-left:9999999em"
    said = page(
        f'<table><tr><td style="{style}">help</td></tr></table><ul><li>me</li></ul>'
        f'<div class="x gmail_quote" style="{style}">quoted</div><blockquote>quoted too</blockquote>'
    )
    assert said.split() == ["help", "me"]


def parts(kind: str, *each: str) -> bytes:
    """A letter of these parts, headers included."""
    return "\n".join(
        [f'Content-Type: multipart/{kind}; boundary="b"\n', *(f"--b\n{part}" for part in each), "--b--\n"]
    ).encode()


def test_the_text_part_goes_before_the_html_part() -> None:
    raw = parts("alternative", "Content-Type: text/plain\n\nhelp", "Content-Type: text/html\n\n<p>list</p>")
    assert read(raw).body == ("help",)


def test_the_html_part_speaks_when_the_text_part_is_empty() -> None:
    raw = parts("alternative", "Content-Type: text/plain\n\n ", "Content-Type: text/html\n\n<p>list</p>")
    assert [line.strip() for line in read(raw).body] == ["list"]


def test_an_attached_file_says_nothing() -> None:
    attached = "Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=x\n\nresign"
    body = read(parts("mixed", "Content-Type: text/plain\n\na1", attached)).body
    assert "a1" in body
    assert "resign" not in body


@pytest.mark.parametrize("name", ["move.txt", ""])
def test_an_attached_text_says_nothing(name: str) -> None:
    attached = f"Content-Type: text/plain\nContent-Disposition: attachment; filename={name}\n\nresign"
    assert "resign" not in read(parts("mixed", "Content-Type: text/plain\n\na1", attached)).body


@pytest.mark.parametrize(
    ("header", "address"),
    [
        ("alice@example.org", "alice@example.org"),
        ("Alice Smith <Alice@Example.org>", "Alice@Example.org"),
        ('"bob@example.org" <alice@example.org>', "alice@example.org"),
        ("=?utf-8?q?Andr=C3=A9?= <alice@example.org>", "alice@example.org"),
        ("alice@example.org (Alice)", "alice@example.org"),
        ("alice@example.org, bob@example.org", None),
        ("Alice", None),
        ("", None),
        ("\u00e4@example.org", None),
        ("=?utf-8?q?a=0D=0ABcc=3A_x?=@example.org", None),
        ('"a b"@example.org', None),
        ("alice@[", None),
        ("<alice@example.org", "alice@example.org"),
    ],
)
def test_the_sender_is_the_one_address_of_the_from_header(header: str, address: str | None) -> None:
    assert parsed(f"From: {header}\nSubject: x\n\nhelp".encode()).from_address == address


@pytest.mark.parametrize(
    "head",
    [
        b"From: alice@example.org\nthis is no field\nFrom: eve@example.org\n",
        b"From: alice@example.org\nFrom : eve@example.org\n",
        b"From : eve@example.org\nFrom: alice@example.org\n",
        b"From: alice@example.org\nFrom\t: eve@example.org\n",
        b"From: alice@example.org\nFrom\x00: eve@example.org\n",
        b"From: alice@example.org\nX: y\rFrom: eve@example.org\n",
        b"X: y\rFrom: alice@example.org\rno field\nFrom: eve@example.org\n",
        b" folded\nFrom: alice@example.org\n",
        b"From: alice@example.org\nFrom eve Mon Jan  1 00:00:00 2026\n",
        b": nameless\nFrom: alice@example.org\n",
    ],
)
def test_a_head_that_others_may_have_read_otherwise_proves_nothing(head: bytes) -> None:
    for raw in (head, head.replace(b"\n", b"\r\n")):
        letter = parsed(raw + b"\nhelp")
        assert letter.is_double
        assert letter.from_address is None


@pytest.mark.parametrize("first", [b"From alice Mon Jan  1 00:00:00 2026\n", b"X-Odd_name!: 1\n two\n"])
def test_a_head_of_fields_alone_is_believed(first: bytes) -> None:
    letter = parsed(first + b"From: alice@example.org\n\nhelp")
    assert not letter.is_double
    assert letter.from_address == "alice@example.org"


@pytest.mark.parametrize("name", ["From", "Subject", "Date", "Message-ID"])
def test_a_header_that_stands_twice_takes_the_sender_away(name: str) -> None:
    once = b"From: a@example.org\nSubject: x\nDate: Fri, 1 May 2026 12:00:00 +0000\nMessage-ID: <1@x>\n"
    assert not parsed(once + b"\nhelp").is_double
    twice = parsed(once + f"{name.upper()}: b@example.org\n".encode() + b"\nhelp")
    assert twice.is_double
    assert twice.from_address is None


@pytest.mark.parametrize("message_id", ["", "x", "<>", "<a", "< a@b >", "<" + "a" * 300 + ">", "<a\u00e4@b>"])
def test_a_malformed_message_id_is_none(message_id: str) -> None:
    assert read(f"Message-ID: {message_id}\n\nhelp".encode()).message_id is None


def test_reply_addresses_of_ours_are_taken_out_of_the_words() -> None:
    said = read(b"Subject: x\n\nsee pbem+ceaaaabaaaaaz@localhost and <g101.2.3-1.abc@localhost>!")
    assert said.body == ("see  and !",)


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "raw",
    [
        b"From: " + b"(" * 200_000 + b"\n\nhelp",
        b"From: " + b"a@b," * 60_000 + b"\n\nhelp",
        b"From: " + b"(" * 8000 + b"\n\nhelp",
        b"From: " + b"a@b," * 2000 + b"\n\nhelp",
        b"Subject: " + b"=?utf-8?q?a?= " * 18_000 + b"\n\nhelp",
        b"Subject: x\n\n" + b"\n" * 250_000,
        b"Subject: x\n\n" + b"g1." * 85_000,
        b"Subject: x\n\n" + b"> \n x:\n" * 30_000,
        b"Content-Type: text/html\n\n" + b"<div>" * 50_000 + b"help",
        b"Content-Type: text/html\n\n" + b"<blockquote>" * 20_000 + b"help",
        b"Content-Type: text/html\n\n" + b"<a" * 100_000,
        b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (i, i) for i in range(2000)) + b"\nx",
        b'Content-Type: multipart/mixed; boundary="b"\n\n' + b"--b\n\nx\n" * 30_000,
        b"Content-Type: multipart/mixed; boundary=\n\n--\n\nx",
        b"Content-Type: message/rfc822\n\n" * 3000,
        b"Content-Transfer-Encoding: base64\n\n" + b"=" * 200_000,
        b"\x00" * 200_000,
    ],
    ids=lambda raw: str(raw[:24]),
)
def test_a_letter_made_to_break_the_reader_is_read_or_given_up(raw: bytes) -> None:
    with contextlib.suppress(UnreadableLetter):
        assert isinstance(read(raw), Letter)


HEADERS = st.sampled_from(
    [
        "From",
        "To",
        "Subject",
        "Date",
        "Message-ID",
        "Content-Type",
        "Content-Transfer-Encoding",
        "Received",
        "MIME-Version",
    ]
)
VALUES = st.sampled_from(
    [
        "a@b",
        "<a@b>",
        "=?utf-8?q?=0D=0A?=",
        'multipart/mixed; boundary="b"',
        "text/html; charset=x",
        "message/rfc822",
        "base64",
        "quoted-printable",
        "\n ",
        '"',
        "(",
        "[",
        ";",
        "=",
        "Fri, 32 Foo 99999999999 99:99:99 +9999",
    ]
)
LINES = st.tuples(HEADERS, st.lists(VALUES | st.text(max_size=5), max_size=4).map("".join)).map(": ".join)
MADE = st.tuples(
    st.lists(LINES, max_size=6).map("\n".join), st.lists(st.sampled_from(["--b", "--b--", "", "help", "<p>"]) | LINES)
)
RAW = st.binary(max_size=200) | MADE.map(
    lambda made: f"{made[0]}\n\n{chr(10).join(made[1])}".encode("utf-8", "replace")
)


@given(RAW)
def test_any_bytes_give_a_letter_of_plain_lines_or_are_given_up(raw: bytes) -> None:
    try:
        letter = read(raw)
    except UnreadableLetter:
        return
    assert all(
        unicodedata.category(each) not in ("Cc", "Cf") for line in (letter.subject, *letter.body) for each in line
    )


@pytest.mark.parametrize(
    ("body", "own", "cut"),
    [
        ("word\n" * 2000, 2000, False),
        ("word\n" * 2000 + "\n" * 99, 2000, False),
        ("word\n" * 2001, 2000, True),
        ("word\n" + "> quoted\n" * 3000, 1, False),
        ("word\n-- \n" + "signed\n" * 3000, 1, False),
        ("> quoted\n" * 3000 + "word", 0, False),
    ],
)
def test_a_body_that_is_too_long_to_be_read_whole_bears_a_mark(body: str, own: int, cut: bool) -> None:
    letter = read(b"Subject: help\n\n" + body.encode())
    assert letter.body.count("word") == own
    assert (letter.body[-1:] == (CUT,)) is cut
    assert letter.body.count(CUT) == cut


def test_the_mark_of_a_cut_cannot_be_written() -> None:
    assert CUT not in read(f"Subject: help\n\nword\n{CUT}\nword".encode()).body


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ("In-Reply-To: <a@b> <c@d>", "<a@b>"),
        ("In-Reply-To: Your letter of Friday\n <a@b>", "<a@b>"),
        ("In-Reply-To: <a@b>\nIn-Reply-To: <c@d>", None),
        ("In-Reply-To: a@b", None),
        ("References: <a@b>", None),
    ],
)
def test_the_letter_that_is_answered_is_the_first_named_in_a_header_that_stands_once(
    head: str, found: str | None
) -> None:
    assert parsed(f"{head}\n\nhelp".encode()).in_reply_to == found


def test_the_addresses_of_the_to_header_are_the_first_ten_that_can_be_written_to() -> None:
    many = ", ".join(f"Player {n} <p{n}@example.org>" for n in range(20))
    assert parsed(f"To: nobody, {many}\n\nhelp".encode()).to == tuple(f"p{n}@example.org" for n in range(10))


def test_results_of_authentication_are_unfolded_topmost_first_and_bounded() -> None:
    first = "Authentication-Results: mx.example.org;\n\tdmarc=pass header.from=example.org"
    rest = "".join(f"\nAuthentication-Results: other; x={'y' * 2500}" for _ in range(24))
    results = parsed(f"{first}{rest}\n\nhelp".encode()).authentication_results
    assert results[0] == "mx.example.org; dmarc=pass header.from=example.org"
    assert (len(results), max(map(len, results))) == (20, 2000)


def test_a_letter_that_was_read_is_plain_data() -> None:
    read = parsed((LETTERS / "bounce.eml").read_bytes())
    assert read.failures is not None
    assert pickle.loads(pickle.dumps(read)) == read  # noqa: S301 - our own
    assert read.letter == Letter(read.subject, read.body, read.message_id)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a1</p>On Friday, pbem wrote:<blockquote>move 101 z9</blockquote>", "a1"),
        ("<p>a1</p><div class='moz-cite-prefix'>On 1.5., pbem wrote:<br></div><blockquote>z9</blockquote>", "a1"),
        ("<p>a1</p><hr><div id='x_divRplyFwdMsg'><b>From:</b> pbem</div><div>z9</div>", "a1"),
        ("<p>a1</p><blockquote>z9</blockquote><p>b2</p>", "a1"),
        ("<p>a1</p><p style='display:none;color:red'>z9</p>", "a1"),
    ],
)
def test_of_a_page_only_what_its_writer_has_written_and_shows_is_read(html: str, text: str) -> None:
    assert page(html).split() == text.split()


@pytest.mark.parametrize("tag", ["s", "strike", "del", 'span style="text-decoration: line-through"'])
def test_what_is_struck_out_is_not_said(tag: str) -> None:
    page = f"From: a@example.org\r\nContent-Type: text/html\r\n\r\n<p><{tag}>a1,j12</{tag.split()[0]}> b2,c3</p>"
    assert [line.strip() for line in read_letter_bytes(page.encode(), OURS).body] == ["b2,c3"]


@pytest.mark.parametrize("name", ["Content-Language", "Accept-Language"])
def test_the_language_of_a_letter_is_what_its_head_says(name: str) -> None:
    assert parsed(f"From: a@example.org\n{name}: de-AT, en;q=0.5\n\nhelp".encode()).language == "de-AT, en;q=0.5"
    assert parsed(b"From: a@example.org\n\nhelp").language == ""
