"""`pbem admin players`."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

import click
from sqlalchemy import Connection

from pbem.cli.admin.opening import as_json, at_desk, checked_reason, did, limit, reason
from pbem.cli.output import end, read_settings
from pbem.cli.tables import show, show_one
from pbem.commands.internal import (
    AccountDeed,
    AllowMail,
    BanPlayer,
    FreezePlayer,
    RemovePlayer,
    SetAddresses,
    StopMail,
    UnbanPlayer,
    UnfreezePlayer,
)
from pbem.domain.credentials import OPERATOR_LINK_FOR, hashed
from pbem.domain.players import Address, Player, Standing
from pbem.storage.operators import add_link, last_letters, last_mails, player_rows
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.understanding import find_player
from pbem.workers.admin_session import AdminSession

_LAST = 5
"""Most letters and mails that are shown of a player."""


@click.group()
def players() -> None:
    """Show, freeze, ban and remove players, and change their addresses."""


@players.command(name="list")
@click.argument("text", default="")
@click.option("--standing", type=click.Choice([each.value for each in Standing]), help="Only players of this standing.")
@limit
@as_json
def list_(text: str, standing: str | None, limit: int, *, as_json: bool) -> None:
    """List all players, or those with TEXT in their userid or an address."""
    with at_desk() as desk, desk.reading() as connection:
        rows = player_rows(connection, text, Standing(standing) if standing else None, limit)
    columns = ("userid", "standing", "mail_stopped", "confirmed", "boards", "created_at")
    show(rows, columns, as_json=as_json, nothing="There is no such player.")


@players.command(name="show")
@click.argument("userid")
@as_json
def show_(userid: str, *, as_json: bool) -> None:
    """Show an account: its standing, addresses, boards and last letters."""
    with at_desk() as desk:
        facts = _facts(userid, desk)
    if not as_json:
        facts["preferences"] = [f"{name}={value}" for name, value in facts["preferences"].items()]
    show_one(facts, as_json=as_json)


def _facts(userid: str, desk: AdminSession) -> dict[str, Any]:
    with desk.looking() as context:
        player = find_player(userid, context)
        boards = context.uow.boards.of_players([player.id], "active", None, 1000, with_guests=True)
        numbers = [board.number for board in boards]
        standing_still = [board.number for board in boards if board.stands]
    with desk.reading() as connection:
        letters, mails = last_letters(connection, player, _LAST), last_mails(connection, player.id, _LAST)
    return {
        "userid": player.userid,
        "standing": player.standing.value,
        "created_at": player.created_at,
        "has_password": player.password_hash is not None,
        "mail_stopped": player.mail_stopped,
        "unreachable": player.is_unreachable,
        "preferences": player.preferences.chosen(),
        "addresses": _addresses(player),
        "boards": numbers,
        "clocks_stand": standing_still,
        "letters": letters,
        "mails": mails,
    }


def _addresses(player: Player) -> list[dict[str, object]]:
    return [
        {
            "address": each.address,
            "state": _state(each),
            "since": each.suppressed_at or each.confirmed_at,
            "why": each.suppressed_why,
        }
        for each in player.addresses
    ]


def _state(address: Address) -> str:
    if address.confirmed_at is None:
        return "unconfirmed"
    return "confirmed" if address.suppressed_at is None else "suppressed"


def _userid(userid: str, desk: AdminSession) -> str:
    """The userid of a player as they spell it, however it was typed."""
    with desk.looking() as context:
        return find_player(userid, context).userid


def _deed(name: str, said: str, help_: str, kind: type[AccountDeed]) -> None:
    """Add a subcommand that does one thing to one account."""

    @players.command(name=name, help=help_)
    @click.argument("userid")
    @reason
    def command(userid: str, reason: str) -> None:
        with at_desk() as desk:
            deed = kind(_userid(userid, desk), checked_reason(reason))
            mails = desk.do(f"player {name}", deed.userid, deed.reason, lambda context: dispatch(deed, context))
        did(f"{userid} {said}", mails)


_deed(
    "freeze",
    "is frozen",
    "Suspend a player for a while: they can look on, but not act.\n\nThe clocks of their boards stop. They and "
    "their opponents are told.",
    FreezePlayer,
)
_deed(
    "unfreeze",
    "is no longer frozen",
    "Let a frozen player act again; the clocks of their boards run again.",
    UnfreezePlayer,
)
_deed(
    "ban",
    "is banned",
    "Close an account permanently.\n\nThe player forfeits their games, or declines those in which they have not moved "
    "yet. They and their opponents are told.",
    BanPlayer,
)
_deed("unban", "may play again", "Reopen a banned account; games that have ended stay ended.", UnbanPlayer)
_deed(
    "remove",
    "is removed",
    "Remove a player from the server, as if they had signed off.\n\nThey forfeit their games, or decline those in "
    "which they have not moved yet. Their addresses, password and all other personal data are deleted permanently. "
    "The userid stays taken. They are told, if mail reaches them, and so are their opponents.",
    RemovePlayer,
)
_deed(
    "stop-mail",
    "gets no more mail",
    "Stop all mail to a player, after one last mail that says so.\n\nThe clocks of their boards stop. Their "
    "opponents are told.",
    StopMail,
)
_deed("allow-mail", "gets mail again", "Send mail to a player again after it was stopped.", AllowMail)


@players.command()
@click.argument("userid")
@click.argument("addresses", nargs=-1, required=True)
@reason
def address(userid: str, addresses: tuple[str, ...], reason: str) -> None:
    """Replace a player's addresses with these.

    They count as confirmed, so make sure that they belong to the player. Both old and new addresses are told.
    """
    with at_desk() as desk:
        deed = SetAddresses(_userid(userid, desk), checked_reason(reason), addresses=addresses)
        mails = desk.do("player address", deed.userid, deed.reason, lambda context: dispatch(deed, context))
    did(f"{userid} now has {'this address' if len(set(addresses)) == 1 else 'these addresses'}", mails)


@click.command(name="sign-in")
def sign_in() -> None:
    """Print a link to the page /admin, which shows how the server is doing.

    The link works once, within a quarter of an hour, for anyone who has it; nobody else can see that page. The request
    is recorded.
    """
    settings = read_settings()
    if settings.web_listen is None and settings.web_url is None:
        end("the web is switched off: PBEM_WEB_LISTEN is off")
    secret = secrets.token_urlsafe(32)
    with at_desk(settings) as desk:

        def write(connection: Connection, now: datetime) -> None:
            add_link(connection, hashed(secret), desk.operator, now)

        desk.do("sign-in", "/admin", write=write)
    click.echo(f"{settings.site_url}/admin/sign-in/{secret}")
    minutes = int(OPERATOR_LINK_FOR.total_seconds()) // 60
    click.echo(f"pbem: this link works once, within {minutes} minutes; do not share it", err=True)
