"""Letters made to break a reader, and what becomes of each; all of our own making.

Most of them ask for ``help`` somewhere, or for ``list`` where nobody should look.
"""

from __future__ import annotations

import binascii
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from quopri import encodestring

SENDER = b"alice@example.org"
HEAD = "From: Alice <alice@example.org>\nTo: pbem@localhost\nMessage-ID: <nasty@example.org>\n"
HELP, LIST, NOTHING = "reads help", "reads list", "refused NoCommand"
ANSWERED = "answered"
"""In one way or another, which is up to a library."""


@dataclass(frozen=True)
class Nasty:
    """A letter and its fate: ``reads`` a command, or is ``refused``, ``shunted`` or ``ignored`` for a reason."""

    name: str
    raw: bytes
    fate: str

    @property
    def is_answered(self) -> bool:
        """True if its sender hears of it."""
        return not self.fate.startswith("ignored")

    def from_sender(self, number: int) -> tuple[str, bytes]:
        """The same letter from an address of its own."""
        address = f"n{number:04}@example.org"
        return address, self.raw.replace(SENDER, address.encode())


def _letter(body: bytes | str, *fields: str, subject: str = "hello") -> bytes:
    said = body if isinstance(body, bytes) else body.encode()
    head = "".join([HEAD, f"Subject: {subject}\n" if subject else "", *(f"{field}\n" for field in fields)])
    return head.encode("utf-8", "surrogateescape") + b"\n" + said


def _word(text: str, charset: str = "utf-8", how: str = "b") -> str:
    data = text.encode(charset)
    said = b64encode(data).decode() if how == "b" else "".join(f"={each:02X}" for each in data)
    return f"=?{charset}?{how}?{said}?="


def _subjects() -> Iterator[Nasty]:
    fates = {
        "base64": (_word("help"), HELP),
        "quoted": (_word("help", how="q"), HELP),
        "upper case": (_word("help").upper().replace(b64encode(b"help").decode().upper(), "aGVscA=="), HELP),
        "two words": ("=?utf-8?q?he?= =?utf-8?q?lp?=", HELP),
        "two words on two lines": ("=?utf-8?q?he?=\n =?utf-8?q?lp?=", HELP),
        "a letter split between words": ("help =?utf-8?q?gr=C3?= =?utf-8?q?=BC=C3=9F?=", "reads help grüß"),
        "words of two charsets": (f"{_word('he', 'iso-8859-1')} {_word('lp', 'koi8-r')}", HELP),
        "a word without blanks beside it": ("x=?utf-8?q?y?=z help", LIST),
        "blanks within a word": ("=?utf-8?q?help games?=", "reads help games"),
        "a language": ("=?utf-8*en?q?help?=", HELP),
        "no padding": ("=?utf-8?b?aGVscCBnYW1lcw?=", "reads help games"),
        "too much padding": ("=?utf-8?b?aGVscA======?=", HELP),
        "blanks in base64": ("=?utf-8?b?aGV scA==?=", HELP),
        "half a group": ("=?utf-8?b?aGVsc?=", LIST),
        "no base64 at all": ("=?utf-8?b?%%%%?= help", HELP),
        "an empty word": ("=?utf-8?q??= help", HELP),
        "nothing but an empty word": ("=?utf-8?b??=", LIST),
        "an unknown charset": ("=?x-martian?q?help?=", HELP),
        "no charset": ("=??q?help?=", LIST),
        "an unknown encoding": ("=?utf-8?x?help?=", LIST),
        "an unfinished word": ("=?utf-8?q?help", LIST),
        "a wrong charset": ("help =?utf-8?q?=FF=FE?=", "reads help ÿþ"),
        "utf-16": (_word("help", "utf-16"), HELP),
        "utf-7": ("=?utf-7?q?+AGgAZQBsAHA-?=", HELP),
        "a codec that is no charset": ("=?rot13?q?help?=", HELP),
        "a codec that compresses": ("=?zlib?q?help?=", HELP),
        "a codec of escapes": ("=?unicode_escape?q?help?=", HELP),
        "a NUL": ("=?utf-8?q?he=00lp?=", HELP),
        "a raw NUL": ("he\0lp", HELP),
        "a line break": ("=?utf-8?q?help=0D=0AX-Evil:_list?=", "reads help X-Evil: list"),
        "a carriage return": ("=?utf-8?q?help=0Dmamba?=", "reads help mamba"),
        "backspaces": ("=?utf-8?q?he=08=08lp?=", HELP),
        "an escape sequence": ("=?utf-8?q?help=1B[2J?=", LIST),
        "a zero-width blank": (_word("he\u200blp"), HELP),
        "a soft hyphen": (_word("he\u00adlp"), HELP),
        "right to left": (_word("\u202ehelp\u202c"), HELP),
        "isolates": (_word("\u2067help\u2069"), HELP),
        "a byte order mark": (_word("\ufeffhelp"), HELP),
        "tags nobody sees": (_word("help" + "".join(chr(0xE0000 + ord(each)) for each in " list")), HELP),
        "a no-break space": (_word("help\u00a0mamba"), "reads help mamba"),
        "blanks of all widths": (_word("help\u2003\u2009\u202f\u3000mamba"), "reads help mamba"),
        "full-width letters": (_word("\uff48\uff45\uff4c\uff50"), HELP),
        "a ligature": (_word("help \ufb01nd"), "reads help find"),
        "mathematical letters": (_word("\U0001d421\U0001d41e\U0001d425\U0001d429"), HELP),
        "circled letters": (_word("\u24d7\u24d4\u24db\u24df"), HELP),
        "letters of another alphabet": (_word("h\u0435lp"), LIST),
        "raw utf-8": ("help grüße", "reads help grüße"),
        "raw latin-1": ("help gr\udcfc\udcdfe", "reads help grüße"),
        "many reply marks": ("Re: AW: Fwd: SV: RE[2]: [club] help", HELP),
        "a Chinese reply mark": (_word("\u56de\u590d\uff1ahelp"), HELP),
        "nothing": ("", LIST),
        "blanks": ("   ", LIST),
        "accents heaped up": (_word("help a" + "\u0301\u0316" * 2000), "reads help á" + "\u0316" * 4 + "\u0301" * 3),
    }
    for name, (value, fate) in fates.items():
        yield Nasty(f"subject: {name}", _letter("list\n", subject=value or " "), fate)


def _texts() -> Iterator[Nasty]:
    encoded = {
        "utf-8 with a mark": ("utf-8", "\ufeffhelp".encode()),
        "utf-16 with a mark": ("utf-16", "help\nGrüße".encode("utf-16")),
        "utf-16 without": ("utf-16", "help\nGrüße".encode("utf-16-be")),
        "utf-16le": ("utf-16le", "help".encode("utf-16-le")),
        "utf-32": ("utf-32", "help".encode("utf-32")),
        "utf-7": ("utf-7", b"help\n+AGgAZQBsAHA-"),
        "utf-7 by another name": ("unicode-1-1-utf-7", b"help"),
        "gb18030": ("gb18030", "help\n你好\uff0c世界".encode("gb18030")),
        "gb2312 with more than it has": ("gb2312", "help\n镕€".encode("gb18030")),
        "big5": ("big5", "help\n你好".encode("big5")),
        "iso-2022-jp": ("iso-2022-jp", "help\nこんにちは".encode("iso-2022-jp")),
        "iso-2022-jp cut off": ("iso-2022-jp", "help\nこんにちは".encode("iso-2022-jp")[:-4]),
        "shift_jis": ("shift_jis", "help\nこんにちは①".encode("cp932")),
        "euc-kr": ("ks_c_5601-1987", "help\n안녕".encode("cp949")),
        "windows-1252 sent as latin-1": ("iso-8859-1", b"help\n\x93Hi\x94 \x80 5"),
        "utf-8 sent as latin-1": ("iso-8859-1", "help\nGrüße".encode()),
        "utf-8 sent as ascii": ("us-ascii", "help\nGrüße".encode()),
        "latin-1 sent as utf-8": ("utf-8", "help\nGrüße".encode("latin-1")),
        "ascii sent as utf-16": ("utf-16", b"help\nHi"),
        "utf-8 cut within a letter": ("utf-8", "help\nGrü".encode()[:-1]),
        "overlong utf-8": ("utf-8", b"help\n\xc0\xaf\xe0\x80\xaf"),
        "surrogates in utf-8": ("utf-8", b"help\n\xed\xa0\x80\xed\xbf\xbf"),
        "an unknown charset": ("x-unknown", "help\nGrüße".encode()),
        "no charset": ("", b"help"),
        "a charset of quotes": ('"', b"help"),
        "a charset within apostrophes": ("'utf-8'", b"help"),
        "a charset that is a path": ("../../etc/passwd", b"help"),
        "a charset without end": ("x" * 3000, b"help"),
        "punycode": ("punycode", b"help\n" + b"a-" * 20_000),
        "idna": ("idna", b"help"),
        "base64 as a charset": ("base64", b"help"),
        "undefined": ("undefined", b"help"),
        "unicode_escape": ("unicode_escape", b"help\n\\u000alist"),
        "ebcdic": ("cp500", "help".encode("cp500")),
        "full-width": ("utf-8", "\uff48\uff45\uff4c\uff50".encode()),
        "right to left": ("utf-8", "\u200f\u202bhelp\u202c".encode()),
        "control characters": ("utf-8", b"he\x07\x1blp\x7f"),
        "a form feed before": ("utf-8", b"\x0chelp"),
        "carriage returns alone": ("utf-8", b"help\rHi\r"),
        "line separators": ("utf-8", "help\u2028Hi\u2029".encode()),
        "accents heaped up": ("utf-8", ("help\n" + "a" + "\u0301\u0316" * 20_000).encode()),
        "marks that decompose": ("utf-8", ("help\n" + "\u0f73" * 20_000).encode()),
        "letters that grow": ("utf-8", ("help\n" + "\ufdfa" * 40_000).encode()),
    }
    for name, (charset, data) in encoded.items():
        fields = (f"Content-Type: text/plain; charset={charset}", "Content-Transfer-Encoding: base64")
        yield Nasty(f"text: {name}", _letter(b64encode(data), *fields), HELP)


def _encodings() -> Iterator[Nasty]:
    plain = b64encode(b"help\nplease\n")
    uu = b"begin 644 help.txt\n" + binascii.b2a_uu(b"list\n") + b"`\nend\n"
    sent: dict[str, tuple[str, bytes, str]] = {
        "base64 without padding": ("base64", plain.rstrip(b"="), HELP),
        "base64 one letter short": ("base64", plain[:-3], HELP),
        "base64 with words between": ("base64", plain[:4] + b"\n!!\n" + plain[4:], HELP),
        "base64 in two pieces": ("base64", b"aGU=\nbHA=", HELP),
        "base64 on one line": ("base64", b64encode(b"help\n" + b"x " * 40_000), HELP),
        "nothing but padding": ("base64", b"=" * 1000, NOTHING),
        "text sent as base64": ("base64", b"help", "refused NoCommand"),
        "quoted-printable": ("quoted-printable", encodestring("help\nGrüße".encode()), HELP),
        "broken quoted-printable": ("quoted-printable", b"help\n=ZZ =C3=\n=", HELP),
        "soft breaks": ("quoted-printable", b"he=\nlp=20\n", HELP),
        "soft breaks with blanks": ("quoted-printable", b"he=  \nlp\n", HELP),
        "base64 sent as 7bit": ("7bit", b"help\n" + plain, HELP),
        "8bit": ("8bit", "help\nGrüße".encode(), HELP),
        "binary": ("binary", b"help\n\x00\xff", HELP),
        "an unknown encoding": ("x-rot13", b"help", HELP),
        "two encodings": ("base64, quoted-printable", b"help", HELP),
        "an encoding with a remark": ("7bit (really)", b"help", HELP),
        "uuencode": ("x-uuencode", b"begin 644 x\n" + binascii.b2a_uu(b"help\n") + b"`\nend\n", HELP),
        "broken uuencode": ("x-uuencode", b"begin 644 x\n!!!!\nhelp\n", "refused NoCommand"),
        "a file in the text": ("7bit", b"help\n" + uu, HELP),
        "a file before the text": ("7bit", uu + b"help\n", HELP),
        "a file without end": ("7bit", b"help\nbegin 644 x\n" + b"M" * 60_000, HELP),
        "very long lines": ("7bit", b"help\n" + b"x" * 200_000, HELP),
    }
    for name, (encoding, data, fate) in sent.items():
        fields = ("Content-Type: text/plain; charset=utf-8", f"Content-Transfer-Encoding: {encoding}")
        yield Nasty(f"encoding: {name}", _letter(data, *fields), fate)


def _multipart(kind: str, *parts: str, boundary: str = "b", more: str = "") -> bytes:
    body = "".join(f"--{boundary}\n{part}\n" for part in parts)
    return _letter(f"{body}--{boundary}--\n", f'Content-Type: multipart/{kind}; boundary="{boundary}"{more}')


TEXT, OTHER = "Content-Type: text/plain\n\nhelp", "Content-Type: text/plain\n\nlist"
PAGE = "Content-Type: text/html\n\n<p>help</p>"
ATTACHED = "Content-Type: text/plain\nContent-Disposition: attachment; filename=x.txt\n\nlist"
CALENDAR = "Content-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR\nSUMMARY:list\nEND:VCALENDAR"
WINMAIL = "Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\neJ8+IgAA"
INNER = f"Content-Type: message/rfc822\n\nFrom: bob@example.org\nSubject: list\n\n{OTHER}"


def _structures() -> Iterator[Nasty]:
    nested = f'Content-Type: multipart/alternative; boundary="c"\n\n--c\n{TEXT}\n--c\n{PAGE}\n--c--'
    fates = {
        "text and page": (_multipart("alternative", TEXT, PAGE), HELP),
        "page before text": (_multipart("alternative", PAGE, TEXT), HELP),
        "an empty text": (_multipart("alternative", "Content-Type: text/plain\n\n \n", PAGE), HELP),
        "a page alone": (_multipart("alternative", PAGE), HELP),
        "a page and a footer": (_multipart("mixed", PAGE, "Content-Type: text/plain\n\n--\nlist"), HELP),
        "several texts": (_multipart("mixed", TEXT, OTHER), HELP),
        "an attached text": (_multipart("mixed", ATTACHED, TEXT), HELP),
        "nothing but an attached text": (_multipart("mixed", ATTACHED), NOTHING),
        "an attachment that is the letter": (_letter("help", "Content-Disposition: attachment"), NOTHING),
        "a text with a file name": (
            _multipart("mixed", "Content-Disposition: inline; filename=a\n\nlist", TEXT),
            HELP,
        ),
        "a forwarded letter": (_multipart("mixed", INNER, TEXT), HELP),
        "nothing but a forwarded letter": (_multipart("mixed", INNER), NOTHING),
        "a letter that is a letter": (_letter("Subject: list\n\nlist", "Content-Type: message/rfc822"), NOTHING),
        "a part of a letter": (_letter("help", "Content-Type: message/partial; number=1; id=x"), NOTHING),
        "a body elsewhere": (_letter("help", "Content-Type: message/external-body; access-type=URL"), NOTHING),
        "a digest": (_multipart("digest", "Subject: list\n\nlist"), NOTHING),
        "nested": (_multipart("mixed", nested, ATTACHED), HELP),
        "related": (_multipart("related", PAGE, "Content-Type: image/png\n\nx"), HELP),
        "signed": (_multipart("signed", TEXT, "Content-Type: application/pgp-signature\n\nlist"), HELP),
        "signed by S/MIME": (_multipart("signed", nested, "Content-Type: application/pkcs7-signature\n\nMIA"), HELP),
        "wrapped by S/MIME": (_letter("MIAGCSqGSIb3", "Content-Type: application/pkcs7-mime"), NOTHING),
        "encrypted": (_multipart("encrypted", "Content-Type: application/pgp-encrypted\n\nVersion: 1"), NOTHING),
        "a calendar": (_multipart("alternative", TEXT, CALENDAR), HELP),
        "nothing but a calendar": (_multipart("mixed", CALENDAR), NOTHING),
        "winmail.dat": (_multipart("mixed", TEXT, WINMAIL), HELP),
        "nothing but winmail.dat": (_letter("eJ8+IgAA", "Content-Type: application/ms-tnef"), NOTHING),
        "a picture": (_letter("iVBOR", "Content-Type: image/png", "Content-Transfer-Encoding: base64"), NOTHING),
        "markdown": (_letter("help", "Content-Type: text/markdown"), HELP),
        "an unknown kind of parts": (_multipart("x-strange", TEXT), HELP),
        "an unknown kind": (_letter("help", "Content-Type: bogus"), HELP),
        "no kind": (_letter("help", "Content-Type:"), HELP),
        "two kinds": (_letter("help", "Content-Type: text/plain", "Content-Type: text/html"), HELP),
        "no boundary": (_letter("help", "Content-Type: multipart/mixed"), HELP),
        "a boundary that never comes": (_letter("help", "Content-Type: multipart/mixed; boundary=zzz"), HELP),
        "no last boundary": (_letter(f"--b\n{TEXT}", "Content-Type: multipart/mixed; boundary=b"), HELP),
        "an empty boundary": (_letter(f"--\n{TEXT}", 'Content-Type: multipart/mixed; boundary=""'), HELP),
        "a boundary with blanks": (_multipart("mixed", TEXT, boundary="a b "), HELP),
        "a boundary in pieces": (
            _letter(f"--bc\n{TEXT}\n--bc--", "Content-Type: multipart/mixed; boundary*0=b; boundary*1=c"),
            HELP,
        ),
        "two boundaries": (_multipart("mixed", TEXT, more="; boundary=c"), HELP),
        "the same boundary within": (
            _multipart("mixed", f'Content-Type: multipart/mixed; boundary="b"\n\n--b\n{TEXT}\n--b--'),
            HELP,
        ),
        "words before the first part": (
            _letter(f"list\n--b\n{TEXT}\n--b--\nlist", "Content-Type: multipart/mixed; boundary=b"),
            HELP,
        ),
        "a part without a blank line": (_multipart("mixed", "Content-Type: text/plain\nhelp"), HELP),
        "a part that is empty": (_multipart("mixed", "", TEXT), HELP),
        "fifty parts": (_multipart("mixed", TEXT, *["\n"] * 49), HELP),
        "a boundary of 3,000 letters": (_multipart("mixed", TEXT, boundary="b" * 3000), HELP),
        "PGP in the text": (
            _letter(
                "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n- help\nHi\n"
                "-----BEGIN PGP SIGNATURE-----\n\nlist\n-----END PGP SIGNATURE-----\n"
            ),
            HELP,
        ),
        "flowed": (_letter("help \nmamba\n", "Content-Type: text/plain; format=flowed"), "reads help mamba"),
        "flowed within a word": (
            _letter("he \nlp\n", "Content-Type: text/plain; format=flowed; delsp=yes"),
            HELP,
        ),
        "flowed and stuffed": (_letter(" help\n", "Content-Type: text/plain; format=flowed"), HELP),
        "flowed and quoted": (_letter("> list \n> list\nhelp\n", "Content-Type: text/plain; format=flowed"), HELP),
        "flowed for ever": (_letter("help\n" + "x \n" * 60_000, "Content-Type: text/plain; format=flowed"), HELP),
    }
    for name, (raw, fate) in fates.items():
        yield Nasty(f"structure: {name}", raw, fate)


def _pages() -> Iterator[Nasty]:
    fates = {
        "plain": ("<html><body><p>help</p></body></html>", HELP),
        "not closed": ("<p><b><i>help", HELP),
        "no tags": ("help", HELP),
        "entities": ("&#104;&#x65;l&#112;", HELP),
        "numbers that are no characters": ("help<br>&#0;&#xD800;&#x110000;&#99999999999;", HELP),
        "a remark": ("<!-- list -->help", HELP),
        "a remark without end": ("help<!-- list", HELP),
        "a remark for Outlook": ("<!--[if mso]>list<![endif]-->help", HELP),
        "CDATA": ("<![CDATA[list]]>help", HELP),
        "a script": ("<script>list</script>help", HELP),
        "a style": ("<style>list{}</style>help", HELP),
        "a title": ("<head><title>list</title></head>help", HELP),
        "not shown": ("<div style='display: none'>list</div>help", HELP),
        "not visible": ("<span style='VISIBILITY:hidden'>list</span><p>help</p>", HELP),
        "letters of no size": ("<p style='font-size:0px'>list</p><p>help</p>", HELP),
        "hidden": ("<p hidden>list</p><p>help</p>", HELP),
        "hidden from Outlook": ("<p style='mso-hide:all'>list</p><p>help</p>", HELP),
        "a template": ("<template>list</template>help", HELP),
        "a field": ("<textarea>list</textarea>help", HELP),
        "a quote": ("<blockquote>list</blockquote>help", HELP),
        "a quote of Gmail": ("<div class=gmail_quote>list</div><p>help</p>", HELP),
        "nothing but a quote": ("<blockquote>list</blockquote>", NOTHING),
        "what was answered": ("<p>help</p><div class='moz-cite-prefix'>On 1.5., pbem wrote:</div>list", HELP),
        "the divider of Outlook": ("<p>help</p><div id=divRplyFwdMsg>From: pbem</div>list", HELP),
        "frames": ("<frameset><frame src=x></frameset>help", HELP),
        "an XML declaration": ("<?xml version='1.0' encoding='utf-16'?><p>help</p>", HELP),
        "entities that grow": (
            "<!DOCTYPE a [<!ENTITY a 'list'><!ENTITY b SYSTEM 'file:///etc/passwd'>]><p>help</p>&a;&b;",
            ANSWERED,
        ),
        "a table": ("<table><tr><td>help</td></tr></table>", HELP),
        "tables in tables": ("<table><tr><td>" * 3000 + "help", ANSWERED),
        "divisions in divisions": ("<div>" * 40_000 + "help", ANSWERED),
        "quotes in quotes": ("<blockquote>" * 15_000 + "list", NOTHING),
        "a tag without end": ("help<a " + "x" * 100_000, HELP),
        "many attributes": ("<p " + " ".join(f"a{n}=1" for n in range(20_000)) + ">help", NOTHING),
        "less-than signs": ("<" * 100_000, ANSWERED),
        "ampersands": ("help<br>" + "&" * 100_000, HELP),
        "huge margins": ("<p style='margin-left:999999999em'>help</p>", HELP),
        "lists in lists": ("<ul><li>" * 4000 + "help", ANSWERED),
        "right to left": ("<p dir=rtl>&#8207;help&#8238;</p>", HELP),
        "zero bytes": ("<p>he\0lp</p>", HELP),
    }
    for name, (page, fate) in fates.items():
        raw = _letter(page, "Content-Type: text/html; charset=utf-8")
        yield Nasty(f"page: {name}", raw, fate)


def _quotes() -> Iterator[Nasty]:
    fates = {
        "above": ("> list\n> list\n\nhelp\n", HELP),
        "below": ("help\n\nOn 1 May 2026, pbem wrote:\n> list\n", HELP),
        "nothing else": ("On 1 May 2026, pbem wrote:\n> list\n", NOTHING),
        "Outlook": ("help\n\n-----Original Message-----\nFrom: pbem\nlist\n", HELP),
        "Outlook without addresses": ("help\n\nFrom: pbem\nSent: Friday\nTo: Alice\nlist\n", HELP),
        "nothing but a signature": ("-- \nlist\n", NOTHING),
        "a signature with a wide blank": ("help\n--\u00a0\nlist\n", HELP),
        "60,000 quotes": ("> q\n" * 60_000 + "help", NOTHING),
        "60,000 attributions": ("x:\n>\n" * 40_000, NOTHING),
        "bars": ("| list\nhelp\n", HELP),
        "blank lines": ("\n" * 1500 + "help\n", HELP),
        "too many blank lines": ("\n" * 200_000 + "help\n", NOTHING),
        "dashes": ("help\n" + "-" * 200_000, HELP),
        "our addresses": ("help\n" + "pbem+" * 40_000, HELP),
        "our Message-IDs": ("help\n" + "g1." * 60_000 + "@localhost", HELP),
    }
    for name, (body, fate) in fates.items():
        yield Nasty(f"quotes: {name}", _letter(body, "Content-Type: text/plain; charset=utf-8"), fate)


def _deep(levels: int) -> bytes:
    opened = "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(levels))
    return (HEAD + opened + TEXT).encode()


def _limits() -> Iterator[Nasty]:
    fates = {
        "a header of 9 kB": (_letter("help", "X-Long: " + "x" * 9000), "LongHeader"),
        "a folded header of 9 kB": (_letter("help", "X-Long: " + "x\n " * 4000), "LongHeader"),
        "a Subject of 20 kB": (_letter("help", subject="x" * 20_000), "LongHeader"),
        "no line break at all": (b"x" * 200_000, "LongHeader"),
        "201 headers": (_letter("help", *(f"X-{n}: x" for n in range(201))), "TooManyFields"),
        "headers of 70 kB": (_letter("help", *(f"X-{n}: " + "x" * 7000 for n in range(10))), "LongHead"),
        "51 parts": (_multipart("mixed", *[TEXT] * 51), "TooManyParts"),
        "30,000 parts": (_multipart("mixed", *[""] * 30_000), "TooManyParts"),
        "eleven levels": (_deep(11), "TooDeep"),
        "2,000 levels": (_deep(2000), "TooDeep"),
        "letters in letters": ((HEAD + "Content-Type: message/rfc822\n\n" * 3000).encode(), "TooDeep"),
        "a long header of a part": (_multipart("mixed", "Content-Type: text/plain; x=" + "y" * 5000), "LongHeader"),
        "201 headers of a part": (_multipart("mixed", "X: y\n" * 201), "TooManyFields"),
        "a part of semicolons": (_multipart("mixed", "Content-Type: text/plain" + ";" * 60_000), "LongHeader"),
    }
    for name, (raw, error) in fates.items():
        yield Nasty(f"limit: {name}", raw, f"shunted {error}")
    yield Nasty("limit: ten levels", _deep(9), HELP)
    yield Nasty("limit: a Subject of 15 kB", _letter("", subject="help " + "x" * 15_000), "refused LineTooLong")
    yield Nasty("limit: 190 headers", _letter("help", *(f"X-{n}: x" for n in range(190))), HELP)


def _machines() -> Iterator[Nasty]:
    signs = {
        "Auto-Submitted: auto-replied": "auto-submitted",
        "Auto-Submitted: (remark) auto-generated": "auto-submitted",
        "Auto-Submitted:\n auto-notified; owner-email=x": "auto-submitted",
        "Precedence: bulk": "precedence",
        "PRECEDENCE:   List": "precedence",
        "List-Id: <l.example.org>": "list",
        "List-Id: =?utf-8?q?x?=": "list",
        "X-Autoreply: yes": "auto-reply",
        "Content-Type: multipart/report; boundary=b": "report",
    }
    for field, sign in signs.items():
        yield Nasty(f"machine: {' '.join(field.split())}", _letter("help", field), f"ignored {sign}")


def _garbage() -> Iterator[Nasty]:
    fates: dict[str, tuple[bytes, str]] = {
        "nothing": (b"", "refused EmptyLetter"),
        "a line break": (b"\n", "refused EmptyLetter"),
        "NULs": (b"\0" * 5000, "refused EmptyLetter"),
        "every byte": (bytes(range(256)) * 20, NOTHING),
        "no headers": (b"\nhelp", HELP),
        "no body": (HEAD.encode(), "refused EmptyLetter"),
        "no blank line": (HEAD.encode() + b"help\n", HELP),
        "blanks before the headers": (b" \n" + _letter("help"), HELP),
        "a line of an mbox": (b"From alice Fri May  1 12:00:00 2026\n" + _letter("help"), HELP),
        "CRLF": (_letter("help\n").replace(b"\n", b"\r\n"), HELP),
        "CR": (_letter("help\n").replace(b"\n", b"\r"), HELP),
        "line ends of all kinds": (_letter("help\r\n\rHi\n\r"), HELP),
        "a header without a name": (_letter("help", ": x"), HELP),
        "a header without a colon": (_letter("help", "X-Strange", "X: y"), NOTHING),
        "a header with a blank in its name": (_letter("help", "X Strange: y"), NOTHING),
        "utf-16 from end to end": (_letter("help").decode().encode("utf-16"), NOTHING),
        "a compressed letter": (b"\x1f\x8b\x08" + bytes(range(255, 0, -1)) * 10, NOTHING),
        "two Subjects": (_letter("help", "Subject: list"), HELP),
        "two senders": (_letter("help", "From: bob@example.org"), HELP),
        "an address without end": (b"From: alice@[" + b"1" * 3000 + b"\n\nhelp", HELP),
        "a group": (b"From: a:b@example.org,c@example.org;\n\nhelp", HELP),
        "a remark in a remark": (b"From: " + b"(" * 4000 + b"\n\nhelp", HELP),
        "addresses": (b"From: " + b"a@b," * 2000 + b"\n\nhelp", HELP),
        "quotation marks": (b"From: " + b'"' * 8000 + b"\n\nhelp", HELP),
        "backslashes": (b"From: " + b"\\" * 8000 + b"\n\nhelp", HELP),
        "a date that is none": (_letter("help", "Date: Fri, 32 Foo 99999999999 99:99:99 +99999999"), HELP),
        "a Message-ID without end": (b"Message-ID: <" + b"a" * 8000 + b"\n\nhelp", HELP),
        "references": (_letter("help", "References: " + "<a@b>\n " * 1000), HELP),
        "In-Reply-To in words": (_letter("help", 'In-Reply-To: Your letter of "Friday"'), HELP),
        "results of 8 kB": (_letter("help", "Authentication-Results: mx; " + "dmarc=pass;" * 700), HELP),
        "encoded words without end": (_letter("help", "To: " + "=?utf-8?q?a?= " * 500), HELP),
    }
    yield from (Nasty(f"garbage: {name}", raw, fate) for name, (raw, fate) in fates.items())


def all_nasty() -> list[Nasty]:
    """All of them, always in the same order."""
    kinds: Iterable[Iterator[Nasty]] = (
        _subjects(),
        _texts(),
        _encodings(),
        _structures(),
        _pages(),
        _quotes(),
        _limits(),
        _machines(),
        _garbage(),
    )
    return [each for kind in kinds for each in kind]
