"""``pbem deliver``: a letter on the standard input, an exit code for the MTA."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pbem.bootstrap import open_intake, using_database
from pbem.config import BadSetting, Settings
from pbem.domain.letters import InboxFull
from pbem.errors import PbemError
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.pipe import NeverTaken, envelope_and_letter, read_letter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class TryLater(PbemError):
    """The letter is not stored, and the trouble is ours: whoever hands it over should keep it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason=reason)


def deliver_letter(sender: str | None, recipients: Sequence[str], environ: Mapping[str, str]) -> None:
    """Store the letter on the standard input in the inbox of the configured database; on return it is safe.

    Raises:
        NeverTaken: it can never be taken.
        TryLater: it cannot be taken now.
    """
    os.umask(0o077)  # what SQLite puts beside its database holds letters
    try:
        settings = Settings.read(environ)
        raw = read_letter(sys.stdin.buffer, settings.max_letter_bytes)
        envelope, letter = envelope_and_letter(raw, sender, recipients, environ, OwnAddress(settings.address))
        with using_database(), open_intake(settings) as intake:
            intake.store([(envelope, letter, datetime.now(UTC))])
    except NeverTaken:
        raise
    except InboxFull:
        raise TryLater("too many letters are waiting") from None
    except BadSetting as wrong:
        raise TryLater(str(wrong)) from None
    except (Exception, KeyboardInterrupt) as failed:  # noqa: BLE001 - whatever it was, the letter must not bounce
        raise TryLater(f"unexpected trouble: {type(failed).__name__}") from None
