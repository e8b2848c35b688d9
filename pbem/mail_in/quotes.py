"""The sender's own lines of a body: without quotes, attribution, signature and footers."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_HISTORY = re.compile(
    r"-{2,}\s*(original|forwarded|reply message|urspr|weitergeleitet|message d'origine|message transf|mail original"
    r"|mensaje|mensagem|messaggio|doorgestuurd|oorspronkelijk|opprinnelig|oprindelig|alkuper|исходное|пересыл).*"
    r"|_{8,}|begin forwarded message:?",
    re.IGNORECASE,
)
_HEADER_BLOCK = re.compile(r"\*?(from|von|de|van|från|fra)\*?:\*?\s.*@.*", re.IGNORECASE)
_SENDER = re.compile(r"\*?(from|von|de|van|från|fra|da|od|от)\s?:\*?\s.*", re.IGNORECASE)
_NEXT_TO_SENDER = re.compile(
    r"\*?(sent|date|to|subject|gesendet|datum|an|betreff|envoyé|à|objet|verzonden|aan|onderwerp|enviado|para|asunto"
    r"|fecha|inviato|data|oggetto|skickat|till|ämne|sendt|til|emne)\s?:\*?\s.*",
    re.IGNORECASE,
)
"""What stands below the sender in the head of a quoted letter; together they need no address to be known."""
_FOOTER = re.compile(
    r"(sent from my |sent from (outlook|mail|yahoo|proton)|get outlook for |von meinem .* gesendet|envoyé de mon "
    r"|confidentiality notice|disclaimer:|this (e-?mail|message) (and any|is (intended|confidential)|may contain)).*",
    re.IGNORECASE,
)
_WHEN = re.compile(r"\b[0-9]{1,2}[:.][0-9]{2}\b|\b(?:19|20)[0-9]{2}\b")
"""A time of day or a year, as attributions show it and moves do not."""
_LONGEST_ATTRIBUTION = 3
"""Lines over which mail programs spread ``On …, pbem wrote:``."""


def own_lines(body: Sequence[str]) -> tuple[str, ...]:
    """The lines that speak.

    Leading quotes are skipped (an answer may stand below them); everything from the
    first quote behind the sender's own words on, and from the signature on, is left out.
    """
    lines = _without_attributions(_until_signature(body))
    start = next((i for i, line in enumerate(lines) if line.strip() and not _is_quote(line)), len(lines))
    own = []
    for line in lines[start:]:
        if _is_quote(line):
            break
        own.append(line)
    return tuple(own)


def _is_quote(line: str) -> bool:
    return line.lstrip().startswith((">", "|"))


def _until_signature(body: Sequence[str]) -> list[str]:
    lines: list[str] = []
    for line, following in zip_longest(body, body[1:], fillvalue=""):
        text = line.strip()
        if line.rstrip("\r\n") in ("-- ", "--") or _HISTORY.fullmatch(text) or _FOOTER.fullmatch(text):
            break
        if _begins_head(text, following.strip()) and any(each.strip() for each in lines):
            break
        lines.append(line)
    return lines


def _begins_head(line: str, following: str) -> bool:
    """Whether the head of a quoted letter begins here."""
    if _HEADER_BLOCK.fullmatch(line):
        return True
    return _SENDER.fullmatch(line) is not None and _NEXT_TO_SENDER.fullmatch(following) is not None


def _without_attributions(lines: list[str]) -> list[str]:
    """Drop the line or lines ending in a colon that stand right before a quote."""
    kept: list[str] = []
    for line in lines:
        if _is_quote(line) and kept and not _is_quote(kept[-1]):
            _drop_attribution(kept)
        kept.append(line)
    return kept


def _drop_attribution(lines: list[str]) -> None:
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    if not end or not lines[end - 1].rstrip().endswith(":"):
        return
    start = end - 1
    while start and end - start < _LONGEST_ATTRIBUTION and _goes_on(lines, start, end):
        start -= 1
    del lines[start:]


def _goes_on(lines: list[str], start: int, end: int) -> bool:
    """Whether the attribution began on an earlier line: it says when, and this part does not."""
    before = lines[start - 1]
    said = " ".join(lines[start:end])
    return not _WHEN.search(said) and bool(_WHEN.search(before) or "@" in before)
