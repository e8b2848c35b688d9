"""Subjects that auto-responders write, and those of people."""

from __future__ import annotations

from email import message_from_bytes

import pytest

from pbem.commands.userids import COMMAND_WORDS
from pbem.commands.verbs import VERBS
from pbem.mail_in.bodies import is_automatic, subject_of


@pytest.mark.parametrize(
    "subject",
    [
        "Automatic reply: A new password for alice",
        "AUTOMATIC REPLY",
        "Auto: Please confirm, bob: move on board 101",
        "Auto-Reply: x",
        "[Auto-Reply] x",
        "Autoreply: x",
        "Auto Response",
        "Auto-Responder: x",
        "Automated response from the help desk",
        "*** Out of office *** Re: x",
        "Out of the office: x",
        "I am out of office until Monday",
        "OOO: x",
        "Vacation: x",
        "Vacation reply",
        "Abwesenheitsnotiz: x",
        "Abwesend: x",
        "Automatische Antwort: x",
        "R\u00e9ponse automatique : x",
        "Reponse automatique",
        "Respuesta autom\u00e1tica: x",
        "Resposta autom\u00e1tica: x",
        "Risposta automatica: x",
        "Automatisch antwoord: x",
        "Autosvar: x",
        "Automatiskt svar: x",
        "Automatisk svar: x",
        "Odpowied\u017a automatyczna: x",
        "\u81ea\u52a8\u56de\u590d: x",
    ],
)
def test_an_auto_responder_is_known_by_how_its_subject_begins(subject: str) -> None:
    assert is_automatic(subject)


@pytest.mark.parametrize(
    "subject",
    [
        "",
        "help",
        "Re: superbo Board 101 bob",
        "auto",
        "autumn",
        "On vacation, but here is my move",
        "vacation 2026-05-01 2026-05-14",
        "signup outofoffice pw",
        "Re: Please confirm, bob: move on board 101",
        "move 101 a1 auto",
        "superbo challenge automatic",
        *VERBS,
        *sorted(COMMAND_WORDS),
        *(f"{word} bob secret" for word in sorted(COMMAND_WORDS)),
    ],
)
def test_a_persons_subject_does_not_begin_so(subject: str) -> None:
    assert not is_automatic(subject)


def test_a_subject_is_decoded_and_the_first_counts() -> None:
    head = message_from_bytes(b"SUBJECT: =?utf-8?q?R=C3=A9?=\r\n  =?utf-8?q?ponse?=\r\nSubject: other\r\n\r\n")
    assert subject_of(head) == "R\u00e9ponse"
    assert subject_of(message_from_bytes("Subject: R\u00e9\r\n\r\n".encode())) == "R\u00e9"
    assert subject_of(message_from_bytes(b"From: a@b\r\n\r\n")) == ""
