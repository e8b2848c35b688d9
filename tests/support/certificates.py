"""Certificates of an authority of our own, for servers on this machine."""

from __future__ import annotations

import ssl

import trustme


def certified(authority: trustme.CA, name: str = "127.0.0.1") -> ssl.SSLContext:
    """The certificate of a server of this name, as it needs it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    return context
