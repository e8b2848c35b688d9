"""What STARTTLS is done with."""

from __future__ import annotations

import ssl
from pathlib import Path

from pbem.config import BadSetting

_CERTIFICATE, _KEY = "PBEM_SMTP_CERTIFICATE", "PBEM_SMTP_PRIVATE_KEY"


def tls_context(certificate: str | None, private_key: str | None) -> ssl.SSLContext | None:
    """A context of these two files; None unless both are named.

    Raises:
        BadSetting: they cannot be used.
    """
    if certificate is None or private_key is None:
        return None
    for name, path in ((_CERTIFICATE, certificate), (_KEY, private_key)):
        _check_readable(name, path)
    # Without a password OpenSSL would ask the terminal for that of an encrypted key.
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(certificate, private_key, password="")
    except ssl.SSLError as wrong:
        reason = wrong.reason or "not readable as PEM"
        raise BadSetting(_CERTIFICATE, f"{certificate} and {private_key} cannot be used together: {reason}") from None
    return context


def _check_readable(name: str, path: str) -> None:
    try:
        with Path(path).open("rb"):
            pass
    except OSError as failed:
        raise BadSetting(name, f"{path} cannot be read: {failed.strerror}") from None
