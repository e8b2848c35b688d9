"""``pbem admin``: the operator's commands, with or without a running server."""

from __future__ import annotations

import click

from pbem.cli.admin.boards import boards
from pbem.cli.admin.bulletins import broadcast, maintenance
from pbem.cli.admin.letters import letters, outbox, suppressed
from pbem.cli.admin.opening import ASKED_BY
from pbem.cli.admin.players import players, sign_in
from pbem.cli.admin.reports import deeds, reports, show_overview, tidy
from pbem.cli.admin.robots import robots
from pbem.cli.admin.shunted import shunted
from pbem.cli.admin.tournaments import tournaments


class _Admin(click.Group):
    """The subcommands; their words go into the database, mails or JSON, and so must be Unicode."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments."""
        for word in args:
            raw = word.encode("utf-8", "surrogateescape")  # PEP 383
            if raw.decode("utf-8", "replace") != word:
                raise click.UsageError(f'"{raw.decode("utf-8", "replace")}" is not UTF-8.')
        return super().parse_args(ctx, args)


@click.group(cls=_Admin, invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print the overview as one JSON object.")
@click.option("--by", hidden=True, help="The operator who asks by the page /admin.")
@click.pass_context
def admin(context: click.Context, by: str | None, *, as_json: bool) -> None:
    """Run the server day to day, or see how it is doing.

    Without a command, it shows how the server is doing. Works on the configured database, even while a server is
    running on it. That server delivers the mails to the people concerned. Everything done here is recorded; `pbem
    admin deeds` lists it.
    """
    context.meta[ASKED_BY] = by
    if context.invoked_subcommand is None:
        show_overview(as_json=as_json)
    elif as_json:
        raise click.UsageError("Put --json after the command.")


for _command in (
    players,
    boards,
    tournaments,
    reports,
    shunted,
    robots,
    letters,
    outbox,
    suppressed,
    maintenance,
    broadcast,
    tidy,
    deeds,
    sign_in,
):
    admin.add_command(_command)
