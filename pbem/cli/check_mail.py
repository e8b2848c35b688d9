"""``pbem check-mail``: a look at the ways by which letters come."""

from __future__ import annotations

import sys

import click

from pbem.bootstrap.mailbox import make_mailbox
from pbem.cli.output import FAILED, read_settings, safe
from pbem.cli.settings import log_beside
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.mailbox_check import check_mailbox


@click.command()
def check_mail() -> None:
    """Try the mailbox that letters come from, and report.

    No letter is touched. If there is no folder for taken letters, it is made. A running server need not be stopped,
    unless the provider allows one connection only.

    The exit code is 0 if all is well, 1 if anything is not.
    """
    settings = read_settings()
    log_beside(settings)
    if settings.mailbox_url is None:
        click.echo("mailbox: PBEM_MAILBOX_URL is off")
        return
    is_well = True
    mailbox = make_mailbox(settings, settings.mailbox_url)
    for finding in check_mailbox(mailbox, OwnAddress(settings.address), settings.authserv_id):
        click.echo(f"{finding.what}: {safe(finding.said)}")
        is_well = is_well and finding.is_well
    sys.exit(0 if is_well else FAILED)
