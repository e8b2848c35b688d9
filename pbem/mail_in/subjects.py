"""What a Subject says: the words of a person, or those that an auto-responder puts in front of ours."""

from __future__ import annotations

import re
from email.message import Message

from pbem.domain.letters import one_line
from pbem.mail_in.parts import decoded_header

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
"""How auto-responders begin a Subject: before ours, or in its place. No command begins so."""
_LONGEST = 2000


def subject_of(head: Message) -> str:
    """The first Subject of a letter, decoded, on one line."""
    value = next((value for name, value in head.raw_items() if name.lower() == "subject"), "")
    return one_line(decoded_header(value))


def is_automatic(subject: str) -> bool:
    """Whether a Subject shows that a machine has answered, though no other header may say so."""
    return _AUTOMATIC.match(subject[:_LONGEST]) is not None
