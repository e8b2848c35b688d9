"""Takes letters from a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO

from pbem.domain.letters import Envelope
from pbem.errors import PbemError
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.envelopes import HeaderFields, read_path
from pbem.mail_in.parts import UnreadableLetter, check_shape

_MBOX = b"From "


class NeverTaken(PbemError):
    """Trying again would be of no use; ``reason`` is a sentence for the MTA's log and the bounce."""

    reason: str


class NotForUs(NeverTaken):
    """The letter is for none of our addresses."""


def read_letter(stream: BinaryIO, most_bytes: int) -> bytes:
    """The letter, read to its end.

    Raises:
        NeverTaken: it is too large; no more was read than it takes to see that.
    """
    raw = stream.read(most_bytes + 1)
    if len(raw) > most_bytes:
        raise NeverTaken(f"the letter is larger than {most_bytes} bytes")
    return raw


def envelope_and_letter(
    raw: bytes, sender: str | None, recipients: Sequence[str], environ: Mapping[str, str], ours: OwnAddress
) -> tuple[Envelope, bytes]:
    """The letter's sender and recipients, and the letter without an mbox line before it.

    Args:
        raw: the bytes received.
        sender, recipients: those given on the command line, if any.
        environ: the environment, where MTAs give the rest.
        ours: tells our recipients.

    Raises:
        NeverTaken: there is no letter, nobody can read it, or its sender's address is impossible.
        NotForUs: it is for none of our addresses.
    """
    mbox, letter = _without_mbox_line(raw)
    if not letter.strip():
        raise NeverTaken("there is no letter on the standard input")
    try:
        check_shape(letter)
    except UnreadableLetter as unreadable:
        raise NeverTaken(f"nobody can read such a letter: {unreadable.facts['error']}") from None
    headers = HeaderFields(letter)
    candidates = _senders(environ, headers, mbox) if sender is None else [sender]
    found = next((path for path in map(read_path, candidates) if path is not None), None)
    if found is None and sender is not None:
        raise NeverTaken("no such sender can be answered")
    return Envelope(found or "", _ours(recipients, environ, headers, ours)), letter


def _senders(environ: Mapping[str, str], headers: HeaderFields, mbox: str | None) -> Iterator[str]:
    """Whoever may be the sender of the envelope, the surest first."""
    if "SENDER" in environ:
        yield environ["SENDER"]
    yield from headers.values(b"return-path")
    if mbox is not None:
        yield mbox
    yield from headers.addresses(b"from")  # who pipes a letter by hand has nothing better


def _ours(said: Sequence[str], environ: Mapping[str, str], headers: HeaderFields, ours: OwnAddress) -> tuple[str, ...]:
    """Our addresses among those that the letter is for; the plain one where nothing names any."""
    if said:
        taken = _taken(said, ours)
        if not taken:
            raise NotForUs("no such mailbox here")
        return tuple(taken)
    named = [environ[name] for name in ("ORIGINAL_RECIPIENT", "RECIPIENT") if name in environ]
    named += headers.values(b"x-original-to") + headers.values(b"delivered-to")
    return tuple(_taken(named, ours)[:1]) or (ours.address,)


def _taken(addresses: Iterable[str], ours: OwnAddress) -> list[str]:
    paths = (read_path(address) for address in addresses)
    return [path for path in paths if path and ours.token(path) is not None]


def _without_mbox_line(raw: bytes) -> tuple[str | None, bytes]:
    """The sender that a leading line of a mailbox file names, and the letter behind it."""
    if not raw.startswith(_MBOX):
        return None, raw
    line, _, letter = raw.partition(b"\n")
    words = line.removeprefix(_MBOX).split()
    return words[0].decode("ascii", "replace") if words else None, letter
