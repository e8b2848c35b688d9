"""``pbem admin shunted``: letters that were set aside."""

from __future__ import annotations

import base64
import json
import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from pbem.domain.replies import BoardReply, Purpose, Signer
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.engine import make_engine, reading, writing
from pbem.storage.models import LetterRow
from tests.cli.admin import admin, done, refused, told
from tests.support.databases import database_of
from tests.support.server import GameServer

TOKEN = "pbem+" + Signer(["another key"]).sign(BoardReply(PlayerId(1), BoardNumber(101), 3, date(2030, 1, 1)))
QUESTION = base64.b32encode(bytes([1 << 4 | Purpose.CONFIRM, *range(22)])).decode().rstrip("=").lower()
LETTER = (
    "From: Quin <quin@example.org>\r\n"
    f"To: {TOKEN}@localhost\r\n"
    "Subject: Re: superbo move 101 quin hush a1\r\n"
    "Message-ID: <one@example.org>\r\n"
    "\r\n"
    f"set quin 12345 mail=text\r\nchange password hush {TOKEN}@localhost hash\r\nHello \x1b[2Jthere\r\n"
)


def shunt(
    folder: Path, raw: str = LETTER, state: str = "shunted", recipient: str = f"{TOKEN}@localhost", days: int = 0
) -> int:
    """Put a letter among those that were set aside so many days ago; return its number."""
    engine = make_engine(database_of(folder).url)
    now = datetime.now(UTC) - timedelta(days=days)
    row = insert(LetterRow).values(
        received_at=now,
        sender="quin@example.org",
        recipients=[recipient],
        raw=raw.encode(),
        state=state,
        attempts=3,
        next_attempt_at=now + timedelta(days=1),
        last_error="KeyError at reading.py:3",
        finished_at=now,
    )
    with writing(engine) as connection:
        number = connection.execute(row.returning(LetterRow.id)).scalar_one()
    engine.dispose()
    return number


def stored(folder: Path, number: int) -> tuple[str, bytes | None, list[str]]:
    engine = make_engine(database_of(folder).url)
    columns = LetterRow.state, LetterRow.raw, LetterRow.recipients
    with reading(engine) as connection:
        row = connection.execute(select(*columns).where(LetterRow.id == number)).one()
    engine.dispose()
    return row.state, row.raw, row.recipients


def test_letters_are_listed_without_the_tokens_that_they_came_to(shared: GameServer) -> None:
    number = shunt(shared.folder)
    listed = next(each for each in told(shared.folder, "shunted", "list") if each["id"] == number)
    assert (listed["sender"], listed["attempts"]) == ("quin@example.org", 3)
    assert listed["recipients"] == ["pbem@localhost"]
    printed = done(shared.folder, "shunted", "list")
    assert "KeyError at reading.py:3" in printed
    assert TOKEN not in printed


def test_a_letter_is_shown_without_passwords_tokens_and_control_characters(shared: GameServer) -> None:
    shown = done(shared.folder, "shunted", "show", str(shunt(shared.folder)))
    assert "superbo move 101 quin ... a1" in shown
    assert "there" in shown
    assert "set quin ... mail=text" in shown
    for secret in ("hush", "hash", "12345", TOKEN, "\x1b"):
        assert secret not in shown


def test_a_letter_is_shown_to_programs_without_secrets_too(shared: GameServer) -> None:
    number = shunt(shared.folder)
    shown = told(shared.folder, "shunted", "show", str(number))
    assert (shown["letter"], shown["from"], shown["to"]) == (number, "quin@example.org", ["pbem@localhost"])
    assert "subject   Re: superbo move 101 quin ... a1" in shown["lines"]
    assert not [line for line in shown["lines"] for secret in ("hush", "hash", "12345", TOKEN) if secret in line]
    assert admin(shared.folder, "shunted", "show", str(number), "--raw", "--json").exit_code == 2


@pytest.mark.parametrize("is_readable", [True, False])
@pytest.mark.parametrize("by_address", [True, False])
def test_of_an_answer_to_a_question_no_word_is_shown(shared: GameServer, by_address: bool, is_readable: bool) -> None:
    head = "From: quin@example.org\r\nSubject: hush\r\n" + (
        "" if by_address else "In-Reply-To:\r\n <q7.a@localhost>\r\n"
    )
    head += "" if is_readable else "X: y\r\n" * 5000
    recipient = f"pbem+{QUESTION}@localhost" if by_address else "pbem@localhost"
    number = shunt(shared.folder, f"{head}\r\nhash\r\n\r\nmy 12345\r\n", recipient=recipient)
    shown = done(shared.folder, "shunted", "show", str(number))
    assert "..." in shown
    for secret in ("hush", "hash", "12345"):
        assert secret not in shown


def test_a_letter_that_nobody_can_read_is_shown_line_by_line(shared: GameServer) -> None:
    raw = "Subject: superbo move 101 quin hush a1\r\n" + "X: y\r\n" * 5000 + "\r\nmove 101 quin hush a1\r\n"
    shown = done(shared.folder, "shunted", "show", str(shunt(shared.folder, raw)))
    assert "It cannot be read" in shown
    assert "hush" not in shown


def test_an_encoded_word_of_a_letter_that_nobody_can_read_is_not_shown(shared: GameServer) -> None:
    raw = "Subject: =?utf-8?b?c2V0IHF1aW4gaHVzaA==?=\r\n" + "X: y\r\n" * 5000 + "\r\nhelp\r\n"
    assert "c2V0" not in done(shared.folder, "shunted", "show", str(shunt(shared.folder, raw)))


@pytest.mark.parametrize(
    "raw",
    [
        "Subject: Re: superbo queue 101 quin\r\n hush g2,h7\r\n{long}\r\nHi\r\n",
        "Subject: Hi\r\n{long}\r\nqueue 101 quin hu=\r\nsh g2,h7\r\n",
        "Subject: Hi\n{long}\nqueue 101 quin hush g2,h7\nconfirm 101 quin hush\n",
    ],
    ids=["folded head", "broken line", "body"],
)
def test_a_password_in_a_letter_that_nobody_can_read_is_found_across_the_ends_of_lines(
    shared: GameServer, raw: str
) -> None:
    number = shunt(shared.folder, raw.replace("{long}", "X: y\r\n" * 5000))
    shown = done(shared.folder, "shunted", "show", str(number))
    assert "It cannot be read" in shown
    assert "sh g2" not in shown
    assert "hush" not in shown


def test_a_kept_move_is_shown_without_the_password(shared: GameServer) -> None:
    raw = "From: quin@example.org\r\nSubject: multiple\r\n\r\nqueue 101 quin hush g2#3\r\nqmove 101 quin 4711 g2\r\n"
    shown = done(shared.folder, "shunted", "show", str(shunt(shared.folder, raw)))
    assert "qmove 101 quin ... g2" in shown
    assert "hush" not in shown
    assert "4711" not in shown


def test_a_letter_can_be_had_byte_by_byte(shared: GameServer) -> None:
    number = shunt(shared.folder)
    assert admin(shared.folder, "shunted", "show", str(number), "--raw").stdout_bytes == LETTER.encode()


def test_a_letter_tried_again_is_handled_by_the_running_server(shared: GameServer) -> None:
    rex = shared.person("rex")
    number = shunt(shared.folder, "From: rex@example.org\r\nTo: pbem@localhost\r\nSubject: help\r\n\r\n")
    assert done(shared.folder, "shunted", "retry", str(number)) == f"letter {number} will be handled again\n"
    assert rex.hears().subject.startswith("pbem help")
    assert stored(shared.folder, number) == ("done", None, ["pbem@localhost"])
    assert told(shared.folder, "deeds", "--limit", "1")[0]["deed"] == "shunted retry"


def test_a_dropped_letter_is_forgotten_and_so_is_the_token_that_it_came_to(shared: GameServer) -> None:
    number = shunt(shared.folder)
    assert done(shared.folder, "shunted", "drop", str(number)) == f"letter {number} dropped\n"
    assert stored(shared.folder, number) == ("dropped", None, ["pbem@localhost"])
    assert refused(shared.folder, "shunted", "drop", str(number)) == f"not set aside: {number}"
    assert refused(shared.folder, "shunted", "show", str(number)) == f"no letter {number} has been set aside"


def test_a_letter_that_waits_can_be_dropped_but_not_be_tried_again(shared: GameServer) -> None:
    number = shunt(shared.folder, state="waiting")
    assert refused(shared.folder, "shunted", "retry", str(number)) == f"not set aside: {number}"
    assert done(shared.folder, "shunted", "drop", str(number)) == f"letter {number} dropped\n"
    assert stored(shared.folder, number) == ("dropped", None, ["pbem@localhost"])


def test_all_are_tried_again_at_once(shared: GameServer) -> None:
    for each in told(shared.folder, "shunted", "list"):
        done(shared.folder, "shunted", "drop", str(each["id"]))
    sue = shared.person("sue")
    for name in ("move", "chat"):
        shunt(
            shared.folder,
            f"From: sue@example.org\r\nTo: pbem@localhost\r\nMessage-ID: <{name}@s>\r\nSubject: help {name}\r\n\r\n",
        )
    done(shared.folder, "shunted", "retry", "--all")
    assert {sue.hears().subject, sue.hears().subject} == {"pbem help: move", "pbem help: chat"}
    assert done(shared.folder, "shunted", "list") == "No letter is set aside.\n"
    assert done(shared.folder, "shunted", "retry", "--all") == "No letter is set aside.\n"


def test_the_operator_hears_of_letters_that_are_forgotten_before_he_looked_at_them(shared: GameServer) -> None:
    old, young = [shunt(shared.folder, days=181) for _ in range(2)], shunt(shared.folder, days=179)
    tidied = admin(shared.folder, "tidy", "--json")
    assert json.loads(tidied.stdout)["letters_set_aside"] == 2
    assert re.findall("event='(.*?)'", tidied.stderr) == ["letters set aside were forgotten", "forgotten"]
    mail = shared.person("boss").hears()
    assert mail.subject == "pbem has forgotten letters that nobody looked after"
    assert f"Numbers: {old[0]}, {old[1]}" in mail.words
    assert [each["id"] for each in told(shared.folder, "shunted", "list")][-1] == young
    done(shared.folder, "tidy")
    assert shared.postbox.unread_for("boss@example.org") == []


@pytest.mark.parametrize(
    "words", [("retry",), ("drop",), ("retry", "1", "--all"), ("drop", "--all"), ("show",)], ids=" ".join
)
def test_letters_must_be_named(shared: GameServer, words: tuple[str, ...]) -> None:
    assert admin(shared.folder, "shunted", *words).exit_code == 2
