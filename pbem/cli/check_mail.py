"""``pbem check-mail``: a look at the ways by which letters come and mails leave."""

from __future__ import annotations

import sys
from itertools import chain

import click

from pbem.bootstrap.mailbox import make_mailbox, send_around
from pbem.cli.output import FAILED, read_settings, safe
from pbem.cli.settings import log_beside
from pbem.domain.administration import Level
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.mailbox_check import check_mailbox


@click.command()
@click.option("--send", "sends", is_flag=True, help="Also send a letter to ourselves by the relay, and wait for it.")
@click.option("--patience", default=60.0, show_default=True, help="Seconds to wait for that letter.")
def check_mail(*, sends: bool, patience: float) -> None:
    """Try the mailbox that letters come from, and report.

    No letter is touched but the one that --send sends. If there is no folder for taken letters, it is made. A running
    server need not be stopped, unless the provider allows one connection only; with --send stop it, or it may take that
    letter first.

    The exit code is 0 if all is well, 1 if anything is not.
    """
    settings = read_settings()
    log_beside(settings)
    if settings.mailbox_url is None:
        click.echo("mailbox: PBEM_MAILBOX_URL is off")
        return
    is_well, ours = True, OwnAddress(settings.address)
    mailbox = make_mailbox(settings, settings.mailbox_url)
    findings = check_mailbox(mailbox, ours, settings.authserv_id, settings.max_letter_bytes)
    if sends:
        around = send_around(settings, make_mailbox(settings, settings.mailbox_url), ours, patience)
        findings = chain(findings, around)
    for finding in findings:
        click.echo(f"{finding.what}: {safe(finding.said or finding.level)}")
        is_well = is_well and finding.level is Level.OK
    sys.exit(0 if is_well else FAILED)
