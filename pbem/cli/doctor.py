"""``pbem doctor``: a look at everything that the server depends on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from ipaddress import ip_address

import click

from pbem.bootstrap.doctor import examine
from pbem.cli.output import FAILED, safe
from pbem.cli.settings import log_beside
from pbem.cli.tables import show
from pbem.config import BadSetting, Listen, Settings
from pbem.config.values import listen
from pbem.domain.administration import Finding, Level

_DNS_PORT = 53
_COLUMNS = ("check", "level", "says")


def _resolver(_context: click.Context, _option: click.Parameter, text: str | None) -> Listen | None:
    """The address of a resolver, perhaps with a port."""
    if text is None:
        return None
    try:
        return Listen(str(ip_address(text)), _DNS_PORT)
    except ValueError:
        pass
    try:
        found = listen(text)
        if found is not None:
            return Listen(str(ip_address(found.host)), found.port)
    except ValueError:
        pass
    raise click.BadParameter(f"{text!r} is not an address like 9.9.9.9 or 127.0.0.1:5353.")


@click.command()
@click.option(
    "--resolver", metavar="ADDRESS[:PORT]", callback=_resolver, help="Ask this one about the DNS, such as 9.9.9.9."
)
@click.option(
    "--selector", default="pbem", show_default=True, help="The selector of the DKIM key that signs the server's mails."
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list of objects.")
def doctor(*, resolver: Listen | None, selector: str, as_json: bool) -> None:
    """Look at everything the server depends on, and say what helps.

    That is settings, doors, files with secrets, database, queues, disk, backups, clock, relay, mailbox, DNS and pages.
    Nothing is sent, and no letter is touched. A server may be running.

    Each line begins with "ok", "warning" (it works, but not as it should) or "wrong". The exit code is 1 if anything is
    wrong. Warnings do not change it: some of them are what an operator wants.
    """
    found = []
    for finding in _findings(resolver, selector):
        found.append(finding)
        if not as_json:
            says = f": {safe(finding.said)}" if finding.said else ""
            click.echo(f"{finding.level:7}  {finding.what}{says}")
    if as_json:
        show([dict(zip(_COLUMNS, each, strict=True)) for each in found], _COLUMNS, as_json=True)
    sys.exit(FAILED if any(each.level is Level.WRONG for each in found) else 0)


def _findings(resolver: Listen | None, selector: str) -> Iterator[Finding]:
    try:
        settings = Settings.read(os.environ, serving=True)
    except BadSetting as wrong:
        for line in str(wrong).splitlines():
            yield Finding("settings", Level.WRONG, line)
        return
    log_beside(settings)
    yield from examine(settings, resolver, selector)
