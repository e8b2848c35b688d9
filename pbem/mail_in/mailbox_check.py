"""The findings of a look at a mailbox, for the operator, before pbem fetches from it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from pbem.domain.administration import Finding, Level, clock_finding
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.authentication import is_authenticated, named_in
from pbem.mail_in.envelopes import HeaderFields, envelope_in_mailbox
from pbem.mail_in.mailbox import NEARLY_FULL, TAKEN, Mailbox, MailboxLetter, MailboxTrouble

_LOOK_EVERY = 1.0
"""Seconds between two looks for a letter that is to come."""
_LOOKED_AT = 200
"""The newest letters, which show what comes to the mailbox."""
_RESULTS, _HEADER = b"authentication-results", "Authentication-Results"
_HELP = {
    "unreachable": "is host and port right, and does a firewall let pbem out?",
    "certificate": "is it the host that the provider names? The password was not sent",
    "login": "is IMAP switched on at the provider, and is it an app password?",
    "busy": "close other programs that use this mailbox, or wait",
    "folder": "folders have names that are case-sensitive, and the first is INBOX",
}
_ABILITIES = {
    "IDLE": "letters are noticed after up to 20 seconds",
    "MOVE": "letters are copied and then deleted",
    "UIDPLUS": "letters that were copied stay, marked as deleted",
}


def check_mailbox(mailbox: Mailbox, ours: OwnAddress, authserv_id: str | None, most_bytes: int) -> Iterator[Finding]:
    """Look at a mailbox, without touching a letter; a folder for taken letters is made if there is none.

    Args:
        mailbox: not open yet; closed afterwards.
        ours: our addresses.
        authserv_id: the MTA whose findings we believe.
        most_bytes: larger letters are not taken.
    """
    try:
        folder = mailbox.open()
        yield Finding("mailbox", Level.OK, f"{mailbox.name} has {folder.letters} letters")
        can = mailbox.capabilities()
        yield from (
            Finding(ability, Level.OK, "" if ability in can else f"missing: {instead}")
            for ability, instead in _ABILITIES.items()
        )
        if not mailbox.can_mark:
            said = f"{TAKEN.decode()} is not allowed here: pbem remembers instead which letters it has taken"
            yield Finding("keyword", Level.WARNING, said)
        yield _folder(mailbox)
        yield _room(mailbox)
        if folder.newest_at is not None and (off := datetime.now(UTC) - folder.newest_at) < timedelta():
            yield clock_finding(off, "the mailbox")
        letters = mailbox.look(mailbox.newest(_LOOKED_AT)) if folder.letters else []
        yield _other_mail(letters, ours)
        yield from _too_large(letters, ours, most_bytes)
        yield from _findings(letters, authserv_id)
    except MailboxTrouble as trouble:
        why, says = str(trouble.facts["why"]), trouble.facts["says"]
        yield Finding("mailbox", Level.WRONG, f"{why}: {says}" + (f"; {_HELP[why]}" if why in _HELP else ""))
    finally:
        mailbox.close()


def _folder(mailbox: Mailbox) -> Finding:
    try:
        mailbox.prepare_folder()
    except MailboxTrouble as trouble:
        if trouble.facts["why"] != "folder":
            raise
        said = f"cannot be made, so letters are flagged: {trouble.facts['says']}"
        return Finding("folder for taken letters", Level.WARNING, said)
    return Finding("folder for taken letters", Level.OK)


def _room(mailbox: Mailbox) -> Finding:
    fullness = mailbox.fullness()
    if fullness < NEARLY_FULL:
        return Finding("room", Level.OK)
    said = f"{fullness:.0%} is used, and letters to a full mailbox come back: delete old ones"
    return Finding("room", Level.WARNING, said)


def _other_mail(letters: Sequence[MailboxLetter], ours: OwnAddress) -> Finding:
    others = sum(envelope_in_mailbox(each.head, ours, 1) is None for each in letters)
    if not others:
        return Finding("other mail", Level.OK, "none")
    said = f"{others} of the newest {len(letters)} letters are not addressed to {ours.address}. pbem leaves them alone"
    return Finding("other mail", Level.WARNING, f"{said}, but a mailbox of its own is better")


def _too_large(letters: Sequence[MailboxLetter], ours: OwnAddress, most_bytes: int) -> Iterator[Finding]:
    large = [
        each.octets
        for each in letters
        if each.octets > most_bytes and not each.is_taken and envelope_in_mailbox(each.head, ours, 1) is not None
    ]
    if large:
        said = f"{len(large)} over PBEM_MAX_LETTER_BYTES ({most_bytes}), the largest of {max(large)} bytes"
        yield Finding("large letters", Level.WARNING, f"{said}: pbem does not read them, and tells their writers")


def _findings(letters: Sequence[MailboxLetter], authserv_id: str | None) -> Iterator[Finding]:
    """Compare the provider's name above its findings with the setting, as far as letters show it."""
    what = "authentication results"
    headers = [HeaderFields(each.head).values(_RESULTS) for each in letters]
    names = Counter(name for values in headers for name in map(named_in, values[:1]) if name)
    name = names.most_common(1)[0][0] if names else ""
    seen = f"the topmost {_HEADER} header of {names[name]} of {len(letters)} letters is by {name}"
    helps = f"if that is your provider's name, set PBEM_AUTHSERV_ID to {name}"
    if not names:
        said = "not set" if authserv_id is None else f"no letter has an {_HEADER} header with a name"
        yield Finding(what, Level.OK, said)
    elif authserv_id is None:
        yield Finding(what, Level.OK, f"PBEM_AUTHSERV_ID is not set, and {seen}; {helps}")
    elif authserv_id in names:
        count = names[authserv_id]
        yield Finding(what, Level.OK, f"the topmost header of {count} of {len(letters)} letters is by {authserv_id}")
    elif any(named_in(value) == authserv_id for values in headers for value in values[1:]):
        said = f"{authserv_id} is only named further down, where senders can write it, too, and {seen}; {helps}"
        yield Finding(what, Level.WARNING, said)
    else:
        yield Finding(what, Level.WRONG, f"PBEM_AUTHSERV_ID is {authserv_id}, but {seen}; {helps}")


def await_letter(
    mailbox: Mailbox, first: int, message_id: str, ours: OwnAddress, to: str, authserv_id: str | None, patience: float
) -> Iterator[Finding]:
    """Wait for a letter of our own that was sent to ourselves; once it has come it is put aside like others.

    Args:
        mailbox: open.
        first: the lowest number that the letter can have.
        message_id: names the letter.
        ours: our addresses.
        to: the one that it was sent to.
        authserv_id: the MTA whose findings we believe.
        patience: seconds.

    Raises:
        MailboxTrouble: it cannot be looked for.
    """
    began = time.monotonic()
    found = None
    while found is None:
        letters = mailbox.look(uids) if (uids := mailbox.since(first)) else []
        found = next((each for each in letters if message_id in HeaderFields(each.head).values(b"message-id")), None)
        seconds = time.monotonic() - began
        if found is None and seconds > patience:
            said = f"did not come within {patience:.0f} seconds: is it among spam, or has a running pbem taken it?"
            yield Finding("letter to ourselves", Level.WRONG, said)
            return
        if found is None:
            mailbox.wait(_LOOK_EVERY)
    yield Finding("letter to ourselves", Level.OK, f"came after {seconds:.0f} seconds")
    yield clock_finding(datetime.now(UTC) - found.arrived_at, "the mailbox")
    envelope = envelope_in_mailbox(found.head, ours, 10)
    if to != ours.address:
        is_named = envelope is not None and to.lower() in (each.lower() for each in envelope.recipients)
        said = "" if is_named else f"the letter does not name {to} any more: set PBEM_SUB_ADDRESSES to false"
        yield Finding("sub-address", Level.OK if is_named else Level.WRONG, said)
    yield _proof(HeaderFields(found.head).values(_RESULTS), ours, authserv_id)
    mailbox.put_aside([found.uid])


def _proof(results: Sequence[str], ours: OwnAddress, authserv_id: str | None) -> Finding:
    """The provider's findings about a letter of our own, whose name can be learnt from it if it is not set."""
    what, name = "authentication of what we send", named_in(results[0]) if results else ""
    helps = f"set PBEM_AUTHSERV_ID to {name}, which the topmost {_HEADER} names"
    if not name:
        helps = f"the letter has no {_HEADER} with a name: do without PBEM_AUTHSERV_ID"
    if authserv_id is None:
        return Finding(what, Level.OK, helps)
    if is_authenticated(results, authserv_id, ours.address):
        return Finding(what, Level.OK, "dmarc=pass")
    if authserv_id in map(named_in, results):
        said = f"no dmarc=pass by {authserv_id}: are SPF, DKIM and DMARC set up?"
    else:
        said = f"nothing is by {authserv_id}: {helps}"
    return Finding(what, Level.WRONG, said)
