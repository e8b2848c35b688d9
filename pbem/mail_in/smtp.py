"""The SMTP door (RFC 5321): a letter is answered ``250`` only after it is safe."""

from __future__ import annotations

from pbem.mail_in.doors import Door


class SmtpDoor(Door):
    """For the mail servers of the world, or for an MTA in front."""
