"""``pbem admin letters``, ``outbox`` and ``suppressed``: mails in and out, and those that do not arrive."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial

import click
from sqlalchemy import Connection

from pbem.cli.admin.opening import NUMBER, as_json, at_desk, checked_reason, did, end_if_missing, limit, noted_reason
from pbem.cli.output import end, safe
from pbem.cli.tables import show
from pbem.commands.command import Command
from pbem.commands.internal import LiftSuppression, SuppressAddress
from pbem.errors import PbemError
from pbem.storage.counters import (
    DELAYED,
    drop_mails,
    given_up_mails,
    retry_mails,
    suppressed_addresses,
    traffic,
    unsent_mails,
)
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.mail_history import whole_mail
from pbem.usecases.understanding import find_player
from pbem.workers.admin_session import AdminSession

Change = Callable[[Connection, Sequence[int], datetime], list[int]]


class _NothingDone(PbemError):
    """There was nothing to record as a deed."""


_STATES = ("waiting", "done", "sent", DELAYED, "failed", "bounced", "withheld", "shunted", "dropped")

mails = click.argument("mails", metavar="MAIL...", nargs=-1, required=True, type=NUMBER)


@click.command()
@click.option("--player", "userid", metavar="USERID", help="Only mail from and to this player.")
@click.option("--board", type=NUMBER, help="Only mails about this board.")
@click.option("--state", type=click.Choice(_STATES), help="Only letters and mails in this state.")
@limit
@as_json
def letters(userid: str | None, board: int | None, state: str | None, limit: int, *, as_json: bool) -> None:
    """List letters received and mails sent, newest last, and what happened to each.

    Addresses are shown, but nothing that proves who a player is.
    """
    with at_desk() as desk:
        with desk.looking() as context:
            player = None if userid is None else find_player(userid, context)
        with desk.reading() as connection:
            rows = traffic(connection, player, board, state, limit)
    for row in rows:
        row["from"] = desk.ours.hidden_in(row["from"]) or desk.ours.address if row["from"] else "<>"
        row["to"] = [desk.ours.hidden_in(each) or desk.ours.address for each in row["to"] if each]
    columns = ("way", "id", "at", "from", "to", "subject", "state", "attempts", "error")
    show(rows, columns, as_json=as_json, nothing="There is no such letter or mail.")


@click.group()
def outbox() -> None:
    """List, retry and drop undelivered mails."""


@outbox.command(name="list")
@limit
@as_json
def waiting(limit: int, *, as_json: bool) -> None:
    """List mails that are waiting for the relay or were given up, oldest first."""
    with at_desk() as desk, desk.reading() as connection:
        rows = unsent_mails(connection, limit)
    columns = ("id", "at", "to", "subject", "state", "attempts", "next_attempt_at", "error")
    for row in rows:
        row["next_attempt_at"] = row["next_attempt_at"] if row["state"] == "waiting" else None
    show(rows, columns, as_json=as_json, nothing="The relay has accepted every mail.")


@outbox.command()
@click.argument("mails", metavar="[MAIL...]", nargs=-1, type=NUMBER)
@click.option(
    "--given-up", is_flag=True, help="All mails that were given up, for example by a relay that refused everything."
)
def retry(mails: tuple[int, ...], *, given_up: bool) -> None:
    """Try mails again at once, even if they were given up or came back."""
    if given_up:
        with at_desk() as desk, desk.reading() as connection:
            mails += tuple(given_up_mails(connection))
    elif not mails:
        raise click.UsageError("Give the numbers of mails, or --given-up.")
    with at_desk() as desk, desk.looking() as context:
        made = {each.id: whole_mail(each, context) for each in context.uow.mails.returned(mails)}
    made_again = {mail: raw for mail, raw in made.items() if raw}
    _change("retry", mails, partial(retry_mails, made_again=made_again), "will be tried again")


@outbox.command()
@mails
def drop(mails: tuple[int, ...]) -> None:
    """Delete undelivered mails permanently."""
    _change("drop", mails, drop_mails, "dropped")


def _change(deed: str, mails: Sequence[int], change: Change, said: str) -> None:
    changed: list[int] = []

    def write(connection: Connection, now: datetime) -> None:
        changed[:] = change(connection, mails, now)
        if not changed:
            raise _NothingDone

    with at_desk() as desk, suppress(_NothingDone):
        desk.do(f"outbox {deed}", " ".join(map(str, mails)), write=write)
    for mail in changed:
        click.echo(f"mail {mail} {said}")
    end_if_missing(mails, changed, f"nothing to {deed}")


@click.group()
def suppressed() -> None:
    """Show and change which addresses get no mail because mails came back."""


@suppressed.command(name="list")
@limit
@as_json
def list_(limit: int, *, as_json: bool) -> None:
    """List suppressed addresses, longest ago first."""
    with at_desk() as desk, desk.reading() as connection:
        rows = suppressed_addresses(connection, limit)
    show(rows, ("address", "userid", "since", "why"), as_json=as_json, nothing="No address is suppressed.")


@suppressed.command()
@click.argument("address")
@noted_reason
def lift(address: str, reason: str) -> None:
    """Send mail to an address again.

    If its player had no other working address, the clocks of their boards run again; they and the others there are
    told.
    """
    _deed("lift", address, reason, "mail goes to {} again", lambda _: LiftSuppression(address))


@suppressed.command()
@click.argument("address")
@noted_reason
def add(address: str, reason: str) -> None:
    """Stop all mail to an address.

    If its player has no other working address, the clocks of their boards stop, and the others there are told.
    """
    _deed("add", address, reason, "no more mail goes to {}", lambda why: SuppressAddress(address, why))


def _deed(name: str, address: str, reason: str, said: str, order: Callable[[str], Command]) -> None:
    with at_desk() as desk:
        why = checked_reason(reason)
        command = order(why)
        concerned = _concerned(address, command, desk)
        if not concerned:
            already = {"add": "it already gets no mail", "lift": "it already gets mail"}[name]
            end(f'no player has the address "{safe(address)[:80]}", or {already}')
        # Of whom, not which: an address would outlive its player here.
        sent = desk.do(f"suppressed {name}", ", ".join(concerned), why, lambda context: dispatch(command, context))
    did(said.format(address), sent)


def _concerned(address: str, command: Command, desk: AdminSession) -> list[str]:
    """The userids of players for whom something would change."""
    with desk.looking() as context:
        before = context.uow.players.by_confirmed_address(address)
        dispatch(command, context)
        return [each.userid for each in before if context.uow.players.get(each.id) != each]
