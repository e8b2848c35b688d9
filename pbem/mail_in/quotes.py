"""The sender's own lines of a body: without quotes, attribution, signature and footers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

# The words are those of mail-parser-reply 1.36 (MIT) and of letters that came.
_WROTE = (
    r"(?:wrote|writes|schrieb|schreibt|geschrieben|(?:a|ont)\s+écrit|escribió|ha\s+scritto|schreef|skrev|kirjoitti"
    r"|napisał(?:\(a\)|a)?|nadesłał|napsal(?:\(a\)|a)?|escreveu|написал(?:\(\u0430\)|\u0430)?|пишет|írta|写道|작성하였습니다)"
)
_HISTORY = re.compile(
    r"-{2,}\s*(original|forwarded|reply message|urspr|weitergeleitet|message d'origine|message transf|mail original"
    r"|mensaje|mensagem|messaggio|doorgestuurd|oorspronkelijk|opprinnelig|oprindelig|alkuper|исходное|пересыл).*"
    rf"|-{{3,}}[^-].{{0,200}}\b{_WROTE}\s*:?\s*-{{3,}}|_{{8,}}|begin forwarded message:?",
    re.IGNORECASE,
)
_SENDERS = "from|von|de|van|från|fra|da|od|от|发件人|보낸 사람"
_BESIDE_SENDERS = (
    "sent|date|to|subject|cc|gesendet|datum|an|betreff|envoyé|à|a|objet|verzonden|aan|onderwerp|enviado|para|asunto"
    "|fecha|inviato|data|oggetto|skickat|till|ämne|sendt|til|emne|dato|odesláno|komu|předmět|wysłano|do|temat"
    "|enviada|assunto|отправлено|кому|тема|发送时间|收件人|主题|받는 사람|제목"
)
_HEADER_BLOCK = re.compile(rf"\*?({_SENDERS})\*?\s?:\*?\s.*@.*", re.IGNORECASE)
_SENDER = re.compile(rf"\*?({_SENDERS})\s?:\*?\s.*", re.IGNORECASE)
_BESIDE_SENDER = re.compile(rf"\*?({_BESIDE_SENDERS})\s?:\*?\s.*", re.IGNORECASE)
"""Words beside the sender in the head of a quoted letter; together they need no address to be known."""
_FOOTER = re.compile(
    r"(sent from my |sent from (outlook|mail|yahoo|proton)|get outlook for |von meinem .* gesendet|envoyé de mon "
    r"|confidentiality notice|disclaimer:|this (e-?mail|message) (and any|is (intended|confidential)|may contain)).*"
    r"|(sent|gesendet|envoyé|enviado|inviato|verzonden|skickat|sendt|wysłano|odesláno)\s+"
    r"(with|from|via|using|mit|von|vom|aus|über|avec|depuis|de|desde|con|da|dal|met|vanaf|van|från|fra|z|ze)\s.{0,80}"
    r"(mail|iphone|ipad|android|outlook|galaxy|phone|handy|mobile|mobiel|tel|gmx|web\.de|yahoo|blackberry|tablet|app).*"
    r"|(diese nachricht wurde|cet e-mail a été|ce message a été|este mensaje|questo messaggio) .*(android|mail|virus).*"
    r"|(outlook (für|pour|para|per|voor) |télécharger outlook|obtenir outlook|obtener outlook|holen sie sich outlook).*"
    r"|(yahoo mail: |mit der (gmx|web\.de) mail app ).*",
    re.IGNORECASE,
)
_BANNER = re.compile(
    r"\W*(caution|warning|external|extern|attention|achtung|vorsicht|warnung|avertissement|atención|attenzione|let op"
    r"|you don't often get e?-?mail from|this (e-?mail|message) (originated|comes?|came|was sent) from)\b",
    re.IGNORECASE,
)
_OF_BANNERS = re.compile(
    r"\b(e-?mails?|messages?|courriels?|nachricht|outside|external|extern\w*|externe|organi[sz]ation|unternehmens?|links?"
    r"|attachments?|anhänge?|pièces? jointes?|sender|absender|expéditeur|safe|trust|phishing|important)\b",
    re.IGNORECASE,
)
"""Words in the banners that companies' mail systems put above letters from outside."""
_BOARD = r"[a-z0-9_]{1,40}(?: Board |-Brett )[0-9]{1,9}"
_OURS = re.compile(
    rf"(?:Summary of {_BOARD}(?: after move [0-9]+)?|A new [a-z0-9_]+ board \([0-9]{{1,9}}\) has been started"
    rf"|Stand von {_BOARD}(?: nach Zug [0-9]+)?|Ein neues [a-z0-9_]+-Brett \([0-9]{{1,9}}\) hat begonnen"
    rf"|État de la partie [0-9]{{1,9}} de [a-z0-9_]+(?: après le coup [0-9]+)?"
    rf"|Une nouvelle partie de [a-z0-9_]+ \([0-9]{{1,9}}\) a commencé"
    rf"|\S+ writes to (?:you(?:, and also to \S.*)?|(?:all at|everyone on) {_BOARD}):"
    rf"|\S+, who watches the game, writes to everyone on {_BOARD}:"
    rf"|\S+ schreibt (?:dir(?: und auch \S.*)?|an alle am Brett \({_BOARD}\)):"
    rf"|\S+ liest mit und schreibt an alle am Brett \({_BOARD}\):"
    rf"|\S+ vous écrit(?:, ainsi qu'à \S.*?)?\s?:|\S+ écrit à tout le monde \({_BOARD}\)\s?:"
    rf"|\S+, qui suit la partie, écrit à tout le monde \({_BOARD}\)\s?:)",
    re.IGNORECASE,
)
"""The beginnings of our mails about boards and with messages, and so of quotes of them without marks or a head."""
_HEADING = re.compile(
    r"(?:Your move(?: against \S+)?|It's \S+ move|You have to decide|\S+ has to decide"
    r"|\S+ is waiting for your answer|You won(?: against \S+)?|\S.* won|The game is over"
    r"|Du bist am Zug gegen \S+|Dein Zug|\S+ ist am Zug|Du musst entscheiden|\S+ muss entscheiden"
    r"|\S+ wartet auf deine Antwort|\S.* gewonnen|Die Partie ist zu Ende"
    r"|À vous de jouer(?: contre \S+)?|C'est à \S+ de (?:jouer|décider)|À vous de décider"
    r"|\S+ attend votre réponse|Vous avez gagné(?: contre \S+)?|\S.* gagné|La partie est terminée)",
    re.IGNORECASE,
)
"""The headings of the pages in our mails about boards; it is one only where the name of the board follows."""
_NAME = re.compile(r"[a-z0-9_]{1,40} Board [0-9]{1,9}")
"""The name of a board as it is beside the heading, or below it where a page has become text."""
_BESIDE = re.compile(r"\s*\t\s*|\s{2,}")
_LONGEST_HEADING = 200
_WROTE_LINE = re.compile(rf"\b{_WROTE}\b[^:]{{0,100}}:\s*$", re.IGNORECASE)
_WHEN = re.compile(r"\b[0-9]{1,2}[:.][0-9]{2}\b|\b(?:19|20)[0-9]{2}\b")
"""A time of day or a year, as attributions show it and moves do not."""
_SHORTEST_BROKEN = 64
_LONGEST_BANNER = 12
"""Lines."""
_FEWEST_WORDS_OF_WARNING = 3
_MAY_BE_PLACED = re.compile(r"\b[a-z]{1,2}[0-9]{1,2}\b", re.IGNORECASE)
_LINES_TO_NAME = 3
"""Lines below a heading where the name of the board is looked for."""
_LONGEST_ATTRIBUTION = 3
"""Lines over which mail programs spread ``On …, pbem wrote:``."""


def own_lines(body: Sequence[str]) -> tuple[str, ...]:
    """The lines that speak.

    An answer may stand below quotes, and between them. What stands above the first is whole, unless a move stands
    below alone. Everything from the signature on is left out, and from the head of a quoted letter below own words.
    """
    lines = _without_attributions(_until_signature(_without_banner(body)))
    first = next((place for place, line in enumerate(lines) if is_quote(line)), len(lines))
    above = lines[:first]
    below = [
        line
        for place, line in enumerate(lines)
        if place > first and not is_quote(line) and not _is_wrapped(lines, place)
    ]
    if any(line.strip() for line in above) and (_has_placement(above) or not _has_placement(below)):
        below = []
    own = [*above, *below]
    start = next((place for place, line in enumerate(own) if line.strip()), len(own))
    return tuple(own[start:])


def _has_placement(lines: Sequence[str]) -> bool:
    return any(map(_MAY_BE_PLACED.search, lines))


def _is_wrapped(lines: Sequence[str], place: int) -> bool:
    """Return True if a line is the end of a long quoted line that some program has broken."""
    around = (*lines[max(place - 1, 0) : place], *lines[place + 1 : place + 2])
    return len(around) == 2 and all(map(is_quote, around)) and len(around[0]) > _SHORTEST_BROKEN


def is_quote(line: str) -> bool:
    """Return True if a line bears the mark of a quote."""
    return line.lstrip().startswith((">", "|"))


def _without_banner(body: Sequence[str]) -> Sequence[str]:
    """The body without the warning that a mail system has put on top; a line that may be a move is none of it."""
    start = next((number for number, line in enumerate(body) if line.strip()), 0)
    first = _BANNER.match(body[start].strip()) if body else None
    if first is None or not _OF_BANNERS.search(body[start].strip()[first.end() :]):
        return body
    end = start + 1
    while end < min(len(body), start + _LONGEST_BANNER) and _goes_on_warning(body[end - 1], body[end]):
        end += 1
    return body[end:]


def _goes_on_warning(before: str, line: str) -> bool:
    if len(line.split()) < _FEWEST_WORDS_OF_WARNING or _MAY_BE_PLACED.search(line):
        return False
    return _OF_BANNERS.search(line) is not None or not before.rstrip().endswith((".", "!", "]", "*"))


def _until_signature(body: Sequence[str]) -> list[str]:
    lines: list[str] = []
    attributed = 0
    for place, (line, following) in enumerate(zip_longest(body, body[1:], fillvalue="")):
        text = line.strip()
        if _FOOTER.fullmatch(text):
            return _without_rule(lines)
        if line.rstrip("\r\n") in ("-- ", "--") or _HISTORY.fullmatch(text):
            break
        count = 0 if place < attributed else _attribution(body, place)
        attributed = max(attributed, place + count)
        begins_quote = count > 0 or _begins_head(text, following.strip()) or _begins_ours(body, place)
        if begins_quote and any(each.strip() and not is_quote(each) for each in lines):
            break
        lines.append(line)
    return lines


def _without_rule(lines: list[str]) -> list[str]:
    """Lines without the line of dashes at their end that a mail program has drawn above its footer."""
    kept = list(lines)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept[:-1] if kept and re.fullmatch(r"[-_=*]{3,}", kept[-1].strip()) else lines


def _begins_ours(body: Sequence[str], place: int) -> bool:
    """Return True if a mail of ours begins here, as text or as the text of its page."""
    line = body[place].strip()
    if not 0 < len(line) <= _LONGEST_HEADING:
        return False
    if _OURS.fullmatch(line) is not None:
        return True
    heading, _, name = _BESIDE.sub("\t", line).partition("\t")
    if _HEADING.fullmatch(heading) is None:
        return False
    if name:
        return _NAME.fullmatch(name) is not None
    below = next((each.strip() for each in body[place + 1 : place + 1 + _LINES_TO_NAME] if each.strip()), "")
    return _NAME.fullmatch(below) is not None


def _begins_head(line: str, following: str) -> bool:
    """Return True if the head of a quoted letter begins here."""
    if _HEADER_BLOCK.fullmatch(line):
        return True
    pairs = ((_SENDER, _BESIDE_SENDER), (_BESIDE_SENDER, _SENDER))
    return any(first.fullmatch(line) and second.fullmatch(following) for first, second in pairs)


def _attribution(body: Sequence[str], place: int) -> int:
    """The number of lines from here on that are ``On …, pbem wrote:``; the first has the writer or the date.

    The quoted lines below may have no marks.
    """
    said = ""
    for count, line in enumerate(body[place : place + _LONGEST_ATTRIBUTION], start=1):
        if not line.strip() or is_quote(line):
            return 0
        said = f"{said} {line.strip()}"
        if _WROTE_LINE.search(said):
            return count if _WHEN.search(body[place]) or "@" in body[place] else 0
    return 0


def _without_attributions(lines: list[str]) -> list[str]:
    """Drop the line or lines ending in a colon that stand right before a quote."""
    kept: list[str] = []
    for line in lines:
        if is_quote(line) and kept and not is_quote(kept[-1]):
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
    """Return True if the attribution began on an earlier line: that line has the date, and this part has not."""
    before = lines[start - 1]
    said = " ".join(lines[start:end])
    return not _WHEN.search(said) and bool(_WHEN.search(before) or "@" in before)
