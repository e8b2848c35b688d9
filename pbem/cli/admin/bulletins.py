"""``pbem admin maintenance`` and ``pbem admin broadcast``: announcements to everybody."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial

import click
from sqlalchemy import Connection

from pbem.cli.admin.opening import NUMBER, as_json, at_desk, end_if_missing
from pbem.cli.output import end as end_program
from pbem.cli.tables import show
from pbem.domain.administration import BadText, checked_text
from pbem.domain.mails import Notice
from pbem.domain.players import Player
from pbem.executor import retry_on_conflict
from pbem.ids import PlayerId
from pbem.storage.broadcasts import bulletins_up, end_bulletins, post_bulletin
from pbem.storage.operators import mailable_players, mailed_keys
from pbem.usecases.admin_boards import broadcast as broadcast_to
from pbem.usecases.admin_boards import bulletin as bulletin_to
from pbem.workers.admin_session import AdminSession

_BATCH = 100
"""Players whose mails are stored together: the server's own letters must not wait long for the lock."""
_LONGEST_BROADCAST = 20_000
_MOST_BYTES = 8 * _LONGEST_BROADCAST
"""A longer text is refused, whatever it says."""
_LONGEST_SUBJECT = 120
_MOMENT = "%Y-%m-%d %H:%M"


@click.group()
def maintenance() -> None:
    """Post a notice that appears below every mail to players and on the front page of the web."""


@maintenance.command()
@click.argument("text")
@click.option("--until", metavar="'YYYY-MM-DD HH:MM'", help="When to take it down, in UTC.")
@click.option("--mail", "by_mail", is_flag=True, help="Also mail it to everybody with an active board.")
def post(text: str, until: str | None, *, by_mail: bool) -> None:
    """Post TEXT as a notice."""
    ends_at = None if until is None else _moment(until)
    with at_desk() as desk:
        said = checked_text(text)

        def write(connection: Connection, now: datetime) -> None:
            post_bulletin(connection, said, now, ends_at)

        desk.do("maintenance post", until or "", said, write=write)
        click.echo("the notice is posted")
        if by_mail:
            tag = _tag("bulletin", said, until or "")
            _mail_to_all(desk, tag, lambda player: bulletin_to(player, said, ends_at), playing=True)


def _moment(text: str) -> datetime:
    for form in (_MOMENT, "%Y-%m-%dT%H:%M"):
        try:
            moment = datetime.strptime(text.strip(), form).replace(tzinfo=UTC)
        except ValueError:
            continue
        if moment <= datetime.now(UTC):
            raise click.BadParameter("this time is in the past", param_hint="--until")
        return moment
    raise click.BadParameter("must be like '2026-12-01 20:00'", param_hint="--until")


@maintenance.command(name="list")
@as_json
def list_(*, as_json: bool) -> None:
    """List the posted notices."""
    with at_desk() as desk, desk.reading() as connection:
        rows = [asdict(each) for each in bulletins_up(connection, datetime.now(UTC))]
    show(rows, ("id", "posted_at", "ends_at", "text"), as_json=as_json, nothing="No notice is posted.")


@maintenance.command()
@click.argument("notices", metavar="[NOTICE...]", nargs=-1, type=NUMBER)
def end(notices: tuple[int, ...]) -> None:
    """Take down the notices with these numbers, or all notices."""
    with at_desk() as desk:
        with desk.reading() as connection:
            up = [each.id for each in bulletins_up(connection, datetime.now(UTC))]
        meant = [each for each in up if not notices or each in notices]

        def write(connection: Connection, now: datetime) -> None:
            end_bulletins(connection, meant, now)

        if meant:
            desk.do("maintenance end", " ".join(map(str, meant)), write=write)
    for each in meant:
        click.echo(f"notice {each} has been taken down")
    end_if_missing(notices, up, "not posted")
    if not meant:
        click.echo("No notice is posted.")


@click.command()
@click.argument("words", metavar="FILE", nargs=-1)
@click.option("--subject", metavar="TEXT", help="The Subject of the mails.")
def broadcast(words: tuple[str, ...], subject: str | None) -> None:
    """Mail the text in FILE to all players; - means standard input.

    Mails go out in batches. If the command is interrupted, repeat it on the same day with the same words: nobody gets
    the text twice.
    """
    about, name = _broadcast_words(words, subject)
    try:
        with click.open_file(name, "rb") as file:
            raw = file.read(_MOST_BYTES + 1)
    except OSError as failed:
        form = "pbem admin broadcast --subject TEXT FILE"
        raise click.UsageError(f"{name!r} cannot be read: {failed.strerror}. Type: {form}") from None
    with at_desk() as desk:
        if len(raw) > _MOST_BYTES:
            raise BadText("long", _LONGEST_BROADCAST)
        said = checked_text(_decoded(raw), _LONGEST_BROADCAST)
        about = about and " ".join(checked_text(about, _LONGEST_SUBJECT, "Subject").split())
        desk.do("broadcast", about, said)
        _mail_to_all(
            desk, _tag("broadcast", about, said), lambda player: broadcast_to(player, about, said), playing=False
        )


def _broadcast_words(words: tuple[str, ...], subject: str | None) -> tuple[str, str]:
    """The Subject, empty for the usual one, and the file; the form SUBJECT FILE of earlier versions is understood."""
    match words:
        case [name]:
            return subject or "", name
        case [] if subject is not None:
            return subject, "-"
        case [about, name] if subject is None:
            return about, name
    raise click.UsageError("Name one file, or - for standard input: pbem admin broadcast --subject TEXT FILE")


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig").expandtabs()
    except UnicodeDecodeError:
        end_program("the text is not UTF-8")


def _tag(*words: str) -> str:
    """The common part of the keys of one broadcast's mails: the same for the same words on the same day."""
    said = "\0".join((*words, datetime.now(UTC).date().isoformat()))
    return f"{words[0]}-{hashlib.sha256(said.encode()).hexdigest()[:12]}"


def _mail_to_all(desk: AdminSession, tag: str, notice: Callable[[Player], Notice], *, playing: bool) -> None:
    """Mail to all players, a batch at a time, except those who have been mailed already."""
    last, mails = PlayerId(0), 0
    while True:
        with desk.reading() as connection:
            batch = mailable_players(connection, last, _BATCH, playing=playing)
        if not batch:
            break
        last = batch[-1]
        mails += retry_on_conflict(partial(_mail_to, desk, tag, notice, batch))
    click.echo(f"{mails} {'mail is' if mails == 1 else 'mails are'} on the way")


def _mail_to(desk: AdminSession, tag: str, notice: Callable[[Player], Notice], batch: Sequence[PlayerId]) -> int:
    """Mail to those of some players who have not been mailed; return their number.

    Raises:
        Conflict: somebody else has just mailed the same to some of them.
    """
    with desk.reading() as connection:
        have = mailed_keys(connection, [f"{tag}-{each}-1" for each in batch])
    with desk.looking() as context:
        players = context.uow.players.listed(each for each in batch if f"{tag}-{each}-1" not in have)
    return desk.mail({f"{tag}-{each.id}": [notice(each)] for each in players})
