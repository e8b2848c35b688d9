"""``pbem admin tournaments``: the operator's commands about tournaments whose creator does not start them."""

from __future__ import annotations

from typing import Any

import click

from pbem.cli.admin.opening import as_json, at_desk, checked_reason, did, limit, noted_reason, reason
from pbem.cli.tables import show
from pbem.commands.internal import BeginTournament, CallOffTournament
from pbem.domain.tournaments import Tournament
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import dispatch

game = click.argument("game")
name = click.argument("name")


@click.group()
def tournaments() -> None:
    """Show tournaments, and start or call off one whose creator does not."""


@tournaments.command(name="list")
@limit
@as_json
def list_(limit: int, *, as_json: bool) -> None:
    """List tournaments, newest first in each game."""
    with at_desk() as desk, desk.looking() as context:
        found = [each for game in sorted(context.games) for each in context.uow.tournaments.of_game(game, limit)]
        rows = [_row(each, context) for each in found]
    columns = ("game", "tournament", "state", "round", "entrants", "creator", "created_at")
    show(rows, columns, as_json=as_json, nothing="There are no tournaments.")


def _row(tournament: Tournament, context: Context) -> dict[str, Any]:
    return {
        "game": tournament.game,
        "tournament": tournament.name,
        "state": tournament.state.value,
        "round": tournament.round or None,
        "entrants": len(tournament.entries),
        "creator": context.uow.players.userid_of(tournament.creator),
        "created_at": tournament.created_at,
    }


@tournaments.command()
@game
@name
@noted_reason
def start(game: str, name: str, reason: str) -> None:
    """Start a tournament in place of its creator."""
    with at_desk() as desk:
        command, why = BeginTournament(game, name), checked_reason(reason)
        mails = desk.do("tournament start", f"{game} {name}", why, lambda context: dispatch(command, context))
    did(f"the {game} tournament {name} has begun", mails)


@tournaments.command(name="call-off")
@game
@name
@reason
def call_off(game: str, name: str, reason: str) -> None:
    """Call off a tournament that has not begun."""
    with at_desk() as desk:
        command, subject = CallOffTournament(game, name, checked_reason(reason)), f"{game} {name}"
        mails = desk.do("tournament call-off", subject, command.reason, lambda context: dispatch(command, context))
    did(f"the {game} tournament {name} has been called off", mails)
