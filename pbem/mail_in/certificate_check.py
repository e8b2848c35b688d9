"""The finding about the certificate of the SMTP door, for the operator."""

from __future__ import annotations

import ssl
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from pbem.config import BadSetting
from pbem.domain.administration import Finding, Level
from pbem.mail_in.doors import tls_context

_RENEWED = timedelta(days=14)
"""Certificates that expire sooner should have been renewed."""


def check_certificate(certificate: str | None, private_key: str | None) -> Finding | None:
    """Look at a certificate as clients do; None if there is none.

    Args:
        certificate: the file with it.
        private_key: the file with its key.
    """
    what = "certificate"
    try:
        context = tls_context(certificate, private_key)
    except BadSetting as wrong:
        return Finding(what, Level.WRONG, str(wrong))
    if context is None or certificate is None:
        return None
    try:
        expires = _expiry(context, certificate)
    except ssl.SSLError as failed:
        said = getattr(failed, "verify_message", "") or failed.reason or type(failed).__name__
        return Finding(what, Level.WRONG, f"{certificate}: {said}; renew it, and restart pbem")
    if expires - datetime.now(UTC) < _RENEWED:
        return Finding(what, Level.WARNING, f"{certificate} expires on {expires:%Y-%m-%d}: renew it, and restart pbem")
    return Finding(what, Level.OK, f"valid until {expires:%Y-%m-%d}")


def _expiry(context: ssl.SSLContext, certificate: str) -> datetime:
    """The end of a certificate, as seen by a client that trusts it: in a handshake in memory.

    Raises:
        SSLError: no client would accept it; it has expired, for example.
    """
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.check_hostname = False
    trusting.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    trusting.load_verify_locations(certificate)
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = trusting.wrap_bio(to_client, to_server)
    server = context.wrap_bio(to_server, to_client, server_side=True)
    for side in (client, server, client):
        with suppress(ssl.SSLWantReadError):
            side.do_handshake()
    seen = client.getpeercert()
    if not seen:
        raise ssl.SSLError("no certificate was seen")
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(str(seen["notAfter"])), UTC)
