"""``pbem admin shunted``: letters that could not be handled."""

from __future__ import annotations

import re
from base64 import b32decode
from collections.abc import Collection
from dataclasses import asdict
from functools import partial
from typing import Any

import click

from pbem.bootstrap import find_games
from pbem.cli.admin.opening import NUMBER, Change, Which, as_json, at_desk, change_rows, end_if_missing, limit
from pbem.cli.output import end, read_settings, safe
from pbem.cli.tables import show, show_one
from pbem.commands.blanking import blanked
from pbem.commands.secrets import HIDDEN
from pbem.config import Settings
from pbem.domain.replies import TOPICS, Purpose
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.parts import UnreadableLetter
from pbem.mail_in.reading import Reader
from pbem.storage.shunted import (
    ShuntedLetter,
    drop_letters,
    droppable_ids,
    retry_letters,
    shunted_ids,
    shunted_letter,
    shunted_letters,
)

_OF_NO_QUESTION = (Purpose.BOARD, Purpose.CHAT, *TOPICS)
_MOST_LINES = 300
"""Most lines that are shown of an unreadable letter."""
_LONGEST_LINE = 1000
_ENCODED = re.compile(r"=\?[^?\s]{1,60}\?[bqBQ]\?[^?]*\?=|[A-Za-z0-9+/=]{60,}|(?:=[0-9A-F]{2}){3,}")
"""Words that nobody can read, so that a password could be among them."""
_TO_QUESTION = re.compile(rb"^(?:In-Reply-To|References)\s*:[^:]{0,2000}<q[0-9]", re.IGNORECASE | re.MULTILINE)
"""A header that names a question by its Message-ID."""

letters = click.argument("letters", metavar="LETTER...", nargs=-1, type=NUMBER)


@click.group()
def shunted() -> None:
    """Show, retry and drop letters that could not be read or handled."""


@shunted.command(name="list")
@limit
@as_json
def list_(limit: int, *, as_json: bool) -> None:
    """List letters that were set aside, oldest first."""
    with at_desk() as desk, desk.reading() as connection:
        rows = [{k: v for k, v in asdict(each).items() if k != "raw"} for each in shunted_letters(connection, limit)]
    columns = ("id", "received_at", "sender", "recipients", "attempts", "error")
    for row in rows:
        row["recipients"] = [_plain(each, desk.ours) for each in row["recipients"]]
    show(rows, columns, as_json=as_json, nothing="No letter is set aside.")


@shunted.command(name="show")
@click.argument("letter", type=NUMBER)
@click.option("--raw", is_flag=True, help="Print the letter byte by byte, including passwords and tokens.")
@as_json
def show_(letter: int, *, raw: bool, as_json: bool) -> None:
    """Show what a letter says.

    Words that may be a password are blanked, and so is everything that proves who a player is. In an answer to a
    question all words are blanked. With --raw nothing is.
    """
    if raw and as_json:
        raise click.UsageError("--raw and --json exclude each other.")
    settings = read_settings()
    with at_desk(settings) as desk, desk.reading() as connection:
        found = shunted_letter(connection, letter)
    if found is None:
        end(f"no letter {letter} has been set aside")
    if raw:
        click.echo(found.raw, nl=False)
        return
    facts, lines = _facts(found, desk.ours), _lines(found, settings, desk.ours)
    show_one(facts | {"lines": lines} if as_json else facts, as_json=as_json)
    for line in () if as_json else ("", *lines):
        click.echo(safe(line))


def _facts(letter: ShuntedLetter, ours: OwnAddress) -> dict[str, Any]:
    return {
        "letter": letter.id,
        "received": letter.received_at,
        "from": letter.sender,
        "to": [_plain(each, ours) for each in letter.recipients],
        "attempts": letter.attempts,
        "reason": letter.error,
    }


def _lines(letter: ShuntedLetter, settings: Settings, ours: OwnAddress) -> list[str]:
    """The text of a letter: its words if it can be read after all, else its lines as they came."""
    blank = _all_hidden if _answers_question(letter, ours) else partial(_blanked, games=find_games(), ours=ours)
    reader = Reader(settings.read_seconds, settings.reader_memory_mib, ours)
    try:
        read = reader.read(letter.raw)
    except UnreadableLetter as failed:
        text = _unbroken(letter.raw.decode("utf-8", "replace"))
        shown = [line[:_LONGEST_LINE] for line in text.splitlines()[:_MOST_LINES]]
        said = [f"It cannot be read ({failed.facts.get('error', 'unreadable')}); these are its first lines.", ""]
        said += [_ENCODED.sub(HIDDEN, each) for each in blank("\n".join(shown))]
    else:
        said = [f"subject   {blank(read.subject)[0]}", f"sender    {read.from_address or ''}", ""]
        said += blank("\n".join(read.body))
    finally:
        reader.close()
    return said


def _unbroken(text: str) -> str:
    """The text of an unreadable letter with its lines unfolded; otherwise a password could begin the next line."""
    head, end, body = text.replace("\r\n", "\n").partition("\n\n")
    unfolded = re.sub(r"\n(?=[ \t])", "", head)  # RFC 5322 s 2.2.3
    return unfolded + end + body.replace("=\n", "")  # RFC 2045 s 6.7 (5)


def _plain(recipient: str, ours: OwnAddress) -> str:
    """An address that the letter came to, without its token."""
    return ours.hidden_in(recipient) or ours.address


def _answers_question(letter: ShuntedLetter, ours: OwnAddress) -> bool:
    """Return True if a letter may answer a question of ours: then any of its words may be a new password.

    It does unless the address that it came to looks like that of a board; the token need not be valid.
    """
    tokens = [token for token in map(ours.token, letter.recipients) if token]
    return any(_purpose(token) not in _OF_NO_QUESTION for token in tokens) or bool(_TO_QUESTION.search(letter.raw))


def _purpose(token: str) -> int | None:
    """The purpose that a token claims; None if it claims none."""
    try:
        return b32decode(token.upper() + "=" * (-len(token) % 8))[0] & 15
    except (ValueError, IndexError):
        return None


def _all_hidden(text: str) -> list[str]:
    """Lines with every word replaced."""
    return [re.sub(r"\S+", HIDDEN, line) for line in text.split("\n")]


def _blanked(text: str, games: Collection[str], ours: OwnAddress) -> list[str]:
    """Lines without words that may be a password, and without our tokens."""
    return [blanked(line, games) for line in ours.hidden_in(text).split("\n")]


@shunted.command()
@letters
@click.option("--all", "everything", is_flag=True, help="Retry all of them.")
def retry(letters: tuple[int, ...], *, everything: bool) -> None:
    """Handle letters again, as if they had just come."""
    _change("retry", letters, shunted_ids, retry_letters, "will be handled again", everything=everything)


@shunted.command()
@letters
def drop(letters: tuple[int, ...]) -> None:
    """Delete the contents of letters permanently, even of letters still waiting to be handled."""
    _change("drop", letters, droppable_ids, drop_letters, "dropped", everything=False)


def _change(deed: str, letters: tuple[int, ...], which: Which, change: Change, said: str, *, everything: bool) -> None:
    if bool(letters) == everything:
        raise click.UsageError("Give the numbers of letters" + (", or --all." if deed == "retry" else "."))
    meant, changed = change_rows(f"shunted {deed}", letters, which, change, everything=everything)
    for letter in changed:
        click.echo(f"letter {letter} {said}")
    end_if_missing(meant, changed, "not set aside")
    if not meant:
        click.echo("No letter is set aside.")
