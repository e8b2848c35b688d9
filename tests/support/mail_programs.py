"""Answers as mail programs send them: what somebody types, with what each puts above, below and around it."""

from __future__ import annotations

from collections.abc import Callable
from email import policy
from email.message import EmailMessage
from html import escape

_PBEM = "pbem+aaaaaaaaaa@localhost"
_LONG_PBEM = f"pbem <{_PBEM}>"


def answer(program: str, words: str, subject: str, quoted: str) -> bytes:
    """An answer, but for the headers that say from whom it comes.

    Args:
        program: which one; a name of `PROGRAMS`.
        words: what was typed; a first line ``Subject: ...`` is one.
        subject: of the mail that is answered.
        quoted: its text.
    """
    letter = EmailMessage(policy=policy.SMTP)
    first, _, rest = words.partition("\n")
    if first.startswith("Subject:"):
        subject, words = first.removeprefix("Subject:").strip(), rest
    letter["Subject"] = subject if first.startswith("Subject:") else f"{_MARKS.get(program, 'Re:')} {subject}"
    letter["Date"] = "Fri, 01 May 2026 13:55:00 +0200"
    letter["Message-ID"] = "<letter@example.org>"
    PROGRAMS[program](letter, words, quoted)
    return letter.as_bytes()


_MARKS = {"outlook_de": "AW:", "gmx": "Aw:", "webde": "Aw:", "outlook_fr": "RE:", "outlook": "RE:", "lotus": "Antw:"}


def _marked(quoted: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in quoted.split("\n"))


def _paragraphs(words: str, tag: str = "div") -> str:
    return "".join(f"<{tag}>{escape(line) or '<br>'}</{tag}>" for line in words.split("\n"))


def _pre(quoted: str) -> str:
    return f"<pre>{escape(quoted)}</pre>"


def _plain(
    above: str = "", below: str = "", *, bottom: bool = False, marked: bool = True, **how: str
) -> Callable[[EmailMessage, str, str], None]:
    def write(letter: EmailMessage, words: str, quoted: str) -> None:
        quote = _marked(quoted) if marked else quoted
        text = f"{above}{quote}\n\n{words}\n{below}" if bottom else f"{words}\n\n{below}{above}{quote}\n"
        letter.set_content(text, **how)  # type: ignore[arg-type]

    return write


def _page(layout: str, *, alone: bool = False) -> Callable[[EmailMessage, str, str], None]:
    """HTML, with a plain part beside it that most readers would not see, or alone."""

    def write(letter: EmailMessage, words: str, quoted: str) -> None:
        page = layout.format(words=_paragraphs(words), lines=_paragraphs(words, "p"), quoted=_pre(quoted))
        if alone:
            letter.set_content(page, subtype="html", cte="quoted-printable")
        else:
            letter.set_content(f"{words}\n\nOn Fri, May 1, 2026 at 1:55 PM {_LONG_PBEM}\nwrote:\n\n{_marked(quoted)}\n")
            letter.add_alternative(page, subtype="html")

    return write


def _banner(letter: EmailMessage, words: str, quoted: str) -> None:
    above = (
        "CAUTION: This email originated from outside of the organization. Do not click links\n"
        "or open attachments unless you recognize the sender and know the content is safe.\n\n"
    )
    _plain(
        "From: pbem <pbem@localhost>\nSent: Friday, May 1, 2026 1:55 PM\nTo: bob@example.org\nSubject: superbo\n\n",
        "Robert Example\nSenior Accountant | ACME Corp.\n\nCONFIDENTIALITY NOTICE: This e-mail is for you alone.\n\n",
        marked=False,
    )(letter, above + words, quoted)


_HEAD = "From: pbem <pbem@localhost>\nSent: Friday, May 1, 2026 1:55 PM\nTo: bob@example.org\nSubject: superbo\n\n"
_KOPF = "Von: pbem <pbem@localhost>\nGesendet: Freitag, 1. Mai 2026 13:55\nAn: bob@example.org\nBetreff: superbo\n\n"
_TETE = (
    "De : pbem <pbem@localhost>\nEnvoyé : vendredi 1 mai 2026 13:55\nÀ : bob@example.org\nObjet : superbo Board 101\n\n"
)
_GMX = (
    '<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">{words}<div>&nbsp;</div>'
    '<div style="margin: 10.0px 5.0px 5.0px 10.0px;padding: 10.0px 0 10.0px 10.0px;border-left: 2.0px solid #C3D9E5;">'
    '<div style="margin: 0 0 10.0px 0;"><b>Gesendet:</b>&nbsp;Freitag, 01. Mai 2026 um 13:55 Uhr<br/>'
    "<b>Von:</b>&nbsp;&quot;pbem&quot; &lt;pbem@localhost&gt;<br/><b>An:</b>&nbsp;bob@example.org<br/>"
    "<b>Betreff:</b>&nbsp;superbo Board 101</div><div name='quoted-content'>{quoted}</div></div></div></body>"
)

PROGRAMS: dict[str, Callable[[EmailMessage, str, str], None]] = {
    "plain": lambda letter, words, _: letter.set_content(words + "\n"),
    "gmail": _page(
        '<div dir="ltr">{words}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        "On Fri, May 1, 2026 at 1:55 PM pbem wrote:<br></div><blockquote>{quoted}</blockquote></div>"
    ),
    "gmail_html": _page('<div dir="ltr">{words}</div><br><div class="gmail_quote">{quoted}</div>', alone=True),
    "gmail_de": _plain(f"Am Fr., 1. Mai 2026 um 13:55 Uhr schrieb {_LONG_PBEM}:\n\n"),
    "gmail_fr": _plain(f"Le ven. 1 mai 2026 à 13:55, {_LONG_PBEM} a\nécrit :\n\n"),
    "gmail_es": _plain(f"El vie, 1 may 2026 a las 13:55, {_LONG_PBEM} escribió:\n\n"),
    "gmail_it": _plain(f"Il giorno ven 1 mag 2026 alle ore 13:55 {_LONG_PBEM} ha\nscritto:\n\n"),
    "gmail_nl": _plain(f"Op vr 1 mei 2026 om 13:55 schreef {_LONG_PBEM}:\n\n"),
    "outlook": _plain(_HEAD, marked=False),
    "outlook_line": _plain("________________________________\n" + _HEAD, marked=False),
    "outlook_html": _page(
        '<div class="WordSection1">{lines}<div id="divRplyFwdMsg"><b>From:</b> pbem</div>{quoted}</div>', alone=True
    ),
    "outlook_de": _plain(_KOPF, marked=False, cte="quoted-printable", charset="iso-8859-1"),
    "outlook_fr": _plain(_TETE, marked=False, cte="quoted-printable", charset="windows-1252"),
    "outlook_es": _plain(
        "De: pbem <pbem@localhost>\nEnviado: viernes, 1 de mayo de 2026 13:55\nPara: bob\nAsunto: superbo\n\n",
        marked=False,
    ),
    "outlook_it": _plain(
        "Da: pbem <pbem@localhost>\nInviato: venerdì 1 maggio 2026 13:55\nA: bob\nOggetto: superbo\n\n", marked=False
    ),
    "outlook_nl": _plain(
        "Van: pbem <pbem@localhost>\nVerzonden: vrijdag 1 mei 2026 13:55\nAan: bob\nOnderwerp: superbo\n\n",
        marked=False,
    ),
    "outlook_phone": _plain(
        "________________________________\n" + _HEAD, "Get Outlook for iOS<https://aka.ms/o0ukef>\n", marked=False
    ),
    "apple": _plain(f"> On 1 May 2026, at 13:55, {_LONG_PBEM} wrote:\n> \n"),
    "apple_de": _plain(f"> Am 01.05.2026 um 13:55 schrieb {_LONG_PBEM}:\n> \n"),
    "iphone": _plain(f"> On May 1, 2026, at 1:55 PM, {_LONG_PBEM} wrote:\n> \n> ", "Sent from my iPhone\n\n"),
    "iphone_de": _plain(f"> Am 01.05.2026 um 13:55 schrieb {_LONG_PBEM}:\n> \n> ", "Von meinem iPhone gesendet\n\n"),
    "iphone_fr": _plain(f"> Le 1 mai 2026 à 13:55, {_LONG_PBEM} a écrit :\n> \n> ", "Envoyé de mon iPhone\n\n"),
    "thunderbird": _plain("On 5/1/26 13:55, pbem wrote:\n", bottom=True),
    "thunderbird_top": _plain("On 5/1/26 13:55, pbem wrote:\n", "-- \nBob Example\nhttps://example.org/~bob\n\n"),
    "thunderbird_de": _plain("Am 01.05.26 um 13:55 schrieb pbem:\n", bottom=True, charset="utf-8", cte="base64"),
    "thunderbird_fr": _plain("Le 01/05/2026 à 13:55, pbem a écrit :\n", bottom=True),
    "yahoo": _plain(f"    On Friday, May 1, 2026 at 01:55:00 PM GMT+2, {_LONG_PBEM} wrote:  \n \n ", marked=False),
    "yahoo_de": _plain(
        f"    Am Freitag, 1. Mai 2026 um 13:55:00 MESZ hat {_LONG_PBEM} Folgendes geschrieben:  \n \n ", marked=False
    ),
    "yahoo_fr": _plain(f"    Le vendredi 1 mai 2026 à 13:55:00 UTC+2, {_LONG_PBEM} a écrit :  \n \n ", marked=False),
    "yahoo_html": _page(
        '<html><body><div class="ydp1"><div dir="ltr">{words}</div></div><div id="yahoo_quoted_1" '
        'class="yahoo_quoted"><div>On Friday, pbem wrote:</div>{quoted}</div></body></html>',
        alone=True,
    ),
    "gmx": _page(_GMX, alone=True),
    "gmx_plain": _plain(
        'Gesendet: Freitag, 01. Mai 2026 um 13:55 Uhr\nVon: "pbem" <pbem@localhost>\nAn: bob@example.org\n'
        "Betreff: superbo Board 101 bob\n",
        marked=False,
    ),
    "webde": _page(_GMX.replace("margin: 10.0px", "margin: 10px"), alone=True),
    "proton": _plain(
        "On Friday, May 1st, 2026 at 1:55 PM, pbem <pbem@localhost> wrote:\n\n",
        "Sent with [Proton Mail](https://proton.me/mail/home) secure email.\n\n",
    ),
    "proton_plain": _plain(
        "------- Original Message -------\nOn Friday, May 1st, 2026 at 1:55 PM, pbem wrote:\n\n\n",
        "Sent with Proton Mail secure email.\n\n",
    ),
    "proton_html": _page(
        '<div style="font-family: Arial">{words}</div><div class="protonmail_signature_block"><div '
        'class="protonmail_signature_block-proton">Sent with <a href="https://proton.me">Proton Mail</a> '
        'secure email.</div></div><div class="protonmail_quote">On Friday, pbem wrote:<br>{quoted}</div>',
        alone=True,
    ),
    "k9": _plain(
        "Am 1. Mai 2026 13:55:12 MESZ schrieb pbem <pbem@localhost>:\n",
        "-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.\n\n",
    ),
    "k9_bare": _plain(
        "-------- Original Message --------\nFrom: pbem <pbem@localhost>\nSent: May 1, 2026\n\n",
        "Sent from my Android device with K-9 Mail. Please excuse my brevity.\n\n",
    ),
    "samsung": _plain(
        "-------- Original message --------\nFrom: pbem <pbem@localhost>\nDate: 5/1/26 13:55 (GMT+01:00)\n\n",
        "Sent from my Galaxy\n\n",
        marked=False,
    ),
    "samsung_de": _plain(
        "-------- Ursprüngliche Nachricht --------\nVon: pbem <pbem@localhost>\nDatum: 01.05.26\n\n",
        "Von meinem Samsung Gerät gesendet\n\n",
        marked=False,
    ),
    "mutt": _plain(f"* {_LONG_PBEM} [2026-05-01 13:55]:\n", bottom=True),
    "mutt_date": _plain("On Fri, May 01, 2026 at 01:55:00PM +0200, pbem wrote:\n", "-- \nbob\n", bottom=True),
    "flowed": lambda letter, words, quoted: letter.set_content(
        f"{words}\n\nOn 5/1/26 13:55, pbem wrote:\n{_marked(quoted)}\n", params={"format": "flowed"}
    ),
    "aol": _plain(
        "-----Original Message-----\nFrom: pbem <pbem@localhost>\nTo: bob <bob@example.org>\n\n", marked=False
    ),
    "orange": _plain(
        '> Message du 01/05/26 13:55\n> De : "pbem" <pbem@localhost>\n> A : bob@example.org\n> Objet : x\n> \n'
    ),
    "laposte": _plain('----- Mail original -----\nDe: "pbem" <pbem@localhost>\nÀ: bob@example.org\n\n', marked=False),
    "lotus": _plain("-----pbem <pbem@localhost> schrieb: -----\nAn: bob@example.org\nVon: pbem\n\n"),
    "corporate": _banner,
    "html": _page("<html><body>{lines}</body></html>", alone=True),
}
"""The form in which each writes an answer."""
