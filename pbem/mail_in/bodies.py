"""Bodies of letters as plain text, from text or HTML parts; and Subjects, also those of auto-responders."""

from __future__ import annotations

import binascii
import re
from email.message import Message

from pbem.domain.letters import one_line
from pbem.mail_in.parts import LetterPart, decoded, decoded_header, unbase64

_PLAIN = ("text/plain", "text/markdown")
_PAGES = ("text/html", "application/xhtml+xml")
_FIRST_SPEAKS = ("multipart/signed", "multipart/related", "multipart/report")
_UUENCODED = re.compile(r"begin(?:-base64)? [0-7]{3,4} \S.*")
_BLANKS_OF_TRANSPORT = re.compile(rb"=[ \t]+(?=\r?\n)")
"""Behind a soft break; they do not belong to the text (RFC 2045 s 6.7)."""
_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"


def body_of(letter: LetterPart) -> str:
    """The words of a letter: of its text, or else of its page. Attached files and letters say nothing."""
    return _said(letter, is_whole=True)


def _said(part: LetterPart, *, is_whole: bool = False) -> str:
    kind = part.get_content_type()
    if _is_attached(part, is_whole=is_whole) or part.get_content_maintype() == "message":
        return ""
    if part.inner:
        return _said_by_parts(kind, part.inner)
    if kind in _PAGES:
        from pbem.mail_in.pages import text_of_page  # with its libraries, which few letters need

        return text_of_page(_text(part))
    if kind in _PLAIN or part.get_content_maintype() == "multipart":  # of which no boundary was found
        return _own_text(part)
    return ""


def _is_attached(part: LetterPart, *, is_whole: bool) -> bool:
    if part.get_content_disposition() == "attachment":
        return True
    return not is_whole and part.parameter("filename", "Content-Disposition") is not None


def _said_by_parts(kind: str, parts: list[LetterPart]) -> str:
    if kind == "multipart/alternative":
        parts = sorted(parts, key=lambda part: part.get_content_type() not in _PLAIN)
        return next((text for part in parts if (text := _said(part)).strip()), "")
    if kind in _FIRST_SPEAKS:
        return next((text for part in parts if (text := _said(part)).strip()), "")
    return "\n".join(text for part in parts if (text := _said(part)))


def _text(part: LetterPart) -> str:
    """The decoded text of a part."""
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    try:
        if encoding == "base64":
            data = unbase64(part.encoded)
        elif encoding == "quoted-printable":
            data = binascii.a2b_qp(_BLANKS_OF_TRANSPORT.sub(b"=", part.encoded))
        else:
            payload = part.get_payload(decode=True)
            data = payload if isinstance(payload, bytes) else b""
    except (binascii.Error, ValueError):
        data = b""
    text = decoded(data, part.parameter("charset"))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _own_text(part: LetterPart) -> str:
    text = _text(part)
    if (part.parameter("format") or "").lower() == "flowed":
        text = _unflowed(text, joins_words=(part.parameter("delsp") or "").lower() == "yes")
    return _without_files(_without_armour(text))


def _unflowed(text: str, *, joins_words: bool) -> str:
    """Join the lines that a mail program has broken (RFC 3676 s 4); quoted ones stay as they are."""
    lines: list[str] = []
    begun: list[str] = []
    for line in text.split("\n"):
        is_quote = line.startswith(">")
        said = line.removeprefix(" ")
        if begun and (is_quote or said == "-- "):
            lines.append("".join(begun))
            begun = []
        if is_quote or said == "-- " or not said.endswith(" "):
            lines.append("".join([*begun, said]))
            begun = []
        else:
            begun.append(said[:-1] if joins_words else said)
    return "\n".join([*lines, "".join(begun)] if begun else lines)


def _without_armour(text: str) -> str:
    """The contents of a text signed with PGP in the old way (RFC 4880 s 7)."""
    before, mark, signed = text.partition(_SIGNED + "\n")
    if not mark or before.strip():
        return text
    head, _, rest = signed.partition("\n\n")
    said = (signed if ":" not in head else rest).partition(_SIGNATURE)[0]
    return "\n".join(line.removeprefix("- ") for line in said.split("\n"))


def _without_files(text: str) -> str:
    """Without files that stand in the text as uuencode."""
    lines: list[str] = []
    within = False
    for line in text.split("\n"):
        within = within or _UUENCODED.fullmatch(line) is not None
        if not within:
            lines.append(line)
        within = within and line.strip() not in ("end", "====")
    return "\n".join(lines)


_AUTOMATIC = re.compile(
    r"[\W_]*(?:"
    r"auto(?:matic(?:ally)?|mated)?[ -]?(?:reply|replied|response|respon[ds]er?|answer|generated|notification)\b"
    r"|auto(?:matic|-submitted)? ?[:\uff1a]|(?:ooo|vacation|absence) ?[:\uff1a]"
    r"|(?:i am |i'm )?out[ -]of[ -](?:the[ -])?office"
    r"|away from (?:the|my) (?:office|desk|mail)"
    r"|(?:vacation|absence|away) (?:auto|reply|response|responder|message|notice|notification)\b"
    r"|auto(?:matische)?[ -]?antwort|abwesend|abwesenheit|automatisch antwoord|afwezig"
    r"|r[ée]ponse automatique|message d'absence|absence du bureau|absente?(?:\(e\))? du bureau"
    r"|(?:respuesta|resposta|risposta) autom[áa]tica|fuera de (?:la )?oficina|fora do escrit[óo]rio"
    r"|aus[êe]ncia tempor|fuori (?:sede|ufficio)|auto(?:matiskt? )?svar|fr[åa]nvaro|frav[æa]r"
    r"|automaattinen vastaus|odpowied[źz] automatyczna|automatyczna odpowied|automatick[áa] odpov"
    r"|otomatik yan|автоответ|автоматический ответ"
    r"|自动(?:回复|答复)|自動(?:回覆|返信|応答)"
    r")",
    re.IGNORECASE,
)
"""The words with which auto-responders begin a Subject: before ours, or in its place. No command begins so."""
_LONGEST_SUBJECT = 2000


def subject_of(head: Message) -> str:
    """The first Subject of a letter, decoded, on one line."""
    value = next((value for name, value in head.raw_items() if name.lower() == "subject"), "")
    return one_line(decoded_header(value))


def is_automatic(subject: str) -> bool:
    """Return True if a Subject shows that a machine has answered, even if no other header says so."""
    return _AUTOMATIC.match(subject[:_LONGEST_SUBJECT]) is not None
