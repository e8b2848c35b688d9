"""Every command that has a place for a password, mistyped so that it stands where another word belongs.

Neither a mail nor the log repeats it, and once the letter is done it stands nowhere in the database.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from pbem.bootstrap.wording import make_wording
from pbem.commands.verbs import VERBS
from pbem.config import Settings
from pbem.storage.models import MailRow
from tests.storage.stock import rows
from tests.support.stepped_server import SteppedServer

PASSWORD = "Hunter2x"
WORDING = make_wording(Settings.read({}))
PATIENT = {
    "PBEM_MAX_ANSWERS_PER_DAY": "100000",
    "PBEM_MAX_STRANGER_MAILS_PER_DAY": "100000",
    "PBEM_MAX_ANSWER_BYTES_PER_DAY": "1000000000",
    "PBEM_MAX_ANSWERS_PER_HOUR": "100000",
    "PBEM_MAX_UNREAD_IN_A_ROW": "1000",
    "PBEM_MAX_QUESTIONS_PER_DAY": "1000",
    "PBEM_MAX_UNPROVEN_CHALLENGES_PER_DAY": "1000",
    "PBEM_MAX_WRONG_PASSWORDS_PER_USERID": "1000",
    "PBEM_MAX_WRONG_PASSWORDS_PER_DOMAIN": "1000",
}
OWN_WORDS = {
    "<userid>": "alice",
    "<password>": PASSWORD,
    "<old>": PASSWORD,
    "<new>": "Better3y",
    "<game>": "superbo",
    "<move>": "g2,h7",
    "<title>": "corners",
    "<link>": "0123456789abcdef" * 2,
    "<words>": "the corner is weak",
    "<plan>": "if c4,k5 then g2,h7",
    "<other>": "bob",
    "<to>": "bob",
    "<name>": "spring",
    "<key>=<value>": "mail=text",
    "<n>": "3",
    "<moveno>": "3",
    "<option>": "unrated",
    "<days>": "3",
    "<address>": "alice@example.net",
    "<YYYY-MM-DD>": "2027-01-02",
}
ANY_NAME = ("signup",)
"""Opens an account with whatever name, a password among them: the password must stand behind a name."""


@pytest.fixture
def stepped(chosen_url: str, tmp_path: Path) -> Iterator[SteppedServer]:
    """An office where alice and bob have signed up."""
    stepped = SteppedServer(chosen_url, tmp_path, **PATIENT)
    stepped.gets(f"signup alice {PASSWORD}")
    stepped.gets("signup bob secret", sender="bob@example.org")
    stepped.gets(f"set alice {PASSWORD} mail=text")
    stepped.works()
    yield stepped
    stepped.server.close()


def begin(stepped: SteppedServer) -> str:
    """A new board at which it is alice's turn, and not the first."""
    stepped.gets("superbo challenge bob")
    stepped.works()
    board = stepped.mails()[-1].subject.split()[3]
    stepped.gets(f"move {board} alice {PASSWORD} b3")
    stepped.gets(f"move {board} bob secret c4,k5", sender="bob@example.org")
    stepped.works()
    return board


def typed(form: str, board: str) -> list[str]:
    """A form as somebody types it, the first of what may be chosen from."""
    for word, own in {**OWN_WORDS, "<board>": board}.items():
        form = form.replace(word, own)
    words = re.sub(r"\[([a-z|]+)\]|[\[\]]|\.\.\.", r"\1", form).split()
    return [word.split("|")[0] for word in words if not word.startswith("<")]


def with_password(verb: str, board: str) -> list[str]:
    """The longest form of a verb that has a password; none if it has no such form."""
    forms = [typed(form, board) for each in WORDING.forms(verb) for form in each.says]
    words = max((words for words in forms if PASSWORD in words), key=len, default=[])
    return words if "alice" in words or not words else [*words, "alice"]


def mistyped(words: Sequence[str]) -> Iterator[list[str]]:
    """A line with every mistake that makes another word of the password."""
    place = words.index(PASSWORD)
    userid = place - 1 if place and words[place - 1] == "alice" else words.index("alice")
    without = [*words[:place], *words[place + 1 :]]
    nameless = [word for number, word in enumerate(words) if number != userid]
    yield nameless
    yield from ([*words[:userid], other, *words[userid + 1 :]] for other in ("alicee", "bob", PASSWORD))
    yield from ([*without[:at], PASSWORD, *without[at:]] for at in range(len(words)))
    yield from ([*without[:at], PASSWORD, *without[at + 1 :]] for at in range(len(without)))
    yield from ([*nameless[:at], PASSWORD, *nameless[at:]] for at in range(len(words)))
    yield from ([*front, *words] for front in (["superbo"], ["superbo", "superbo"], ["lambo"], ["all"], [PASSWORD]))
    for stuck in ("{}#3", "alice/{}", "{},", "<{}>", "-{}", "password={}", "{}:", "#{}", '"{}"'):
        yield [*words[:place], stuck.format(PASSWORD), *words[place + 1 :]]
    yield [*(f"{word}x" if word in VERBS else word for word in words)]
    yield [word for word in words if word not in VERBS]


def readable(raw: bytes) -> Iterator[str]:
    """A mail as it is handed over, and its parts with their encoding taken off."""
    yield raw.decode()
    for part in message_from_bytes(raw).walk():
        content = part.get_payload(decode=True)
        if isinstance(content, bytes):
            yield content.decode(errors="replace")


def leaks(text: str) -> list[str]:
    """The places of the password in a text, in either case, with the words around them."""
    if PASSWORD.casefold() not in text.casefold():
        return []
    return re.findall(f"(?i).{{0,80}}{PASSWORD}.{{0,80}}", text)


def letters(verb: str, board: str) -> list[str]:
    """All these lines, each once."""
    lines = dict.fromkeys(" ".join(line) for line in mistyped(with_password(verb, board)))
    return [line for line in lines if PASSWORD in line and not (verb in ANY_NAME and opens_account(line))]


def opens_account(line: str) -> bool:
    words = line.split()
    return words[0] == "signup" and PASSWORD in words[1]


@pytest.mark.parametrize("verb", [verb for verb in VERBS if with_password(verb, "101")])
def test_a_password_in_the_wrong_place_is_repeated_nowhere(
    stepped: SteppedServer, capfd: pytest.CaptureFixture[str], verb: str
) -> None:
    board, before = begin(stepped), rows(stepped.server.engine, MailRow)
    lines = letters(verb, board)
    assert len(lines) > 15
    capfd.readouterr()
    for line in lines:
        stepped.gets(line)
    with capture_logs() as logged:
        stepped.works()
    assert {state for state, _ in stepped.states()} == {"done"}
    mails = stepped.mails(before)
    assert len(mails) >= len(lines)
    said = [text for mail in mails for text in readable(mail.raw)]
    assert not [found for text in (*said, *map(str, logged), *capfd.readouterr()) for found in leaks(text)]
    assert not leaks(stepped.all_it_keeps())
