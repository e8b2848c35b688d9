"""Authentication-Results (RFC 8601): what our own front MTA has found out about a letter's sender."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from authres import FeatureContext, dmarc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from authres import AuthenticationResultsHeader

_CONTEXT = FeatureContext(dmarc)
_LONGEST = 1999
"""Characters of a header that is believed: of a longer one the end has been cut off."""
_HEADER_FROM = ("header", "from")
_SEEMING_ID = re.compile(r"[\s\"]*([^\s;\"(]*)")


def is_authenticated(headers: Sequence[str], authserv_id: str | None, from_address: str | None) -> bool:
    """Whether our own MTA says ``dmarc=pass`` for the domain of the From address.

    Only the topmost header that bears our MTA's name counts: those below it came with the letter.

    Args:
        headers: the values of all Authentication-Results headers, topmost first.
        authserv_id: the name of our MTA in lower case; None: nobody is believed.
        from_address: the single From address, if there is one.
    """
    if authserv_id is None or from_address is None:
        return False
    ours = next((each for each in headers if _named(each) == authserv_id), None)
    return ours is not None and _passes(ours, from_address.rpartition("@")[2].lower())


def _named(header: str) -> str:
    """Who has written a header; one that cannot be read is still known by its first word."""
    read = _read(header)
    name = _SEEMING_ID.match(header) if read is None else None
    return str(read.authserv_id if read else name and name[1]).lower()


def _read(header: str) -> AuthenticationResultsHeader | None:
    if len(header) > _LONGEST:
        return None
    try:
        return _CONTEXT.parse_value(header)
    except Exception:  # noqa: BLE001 - a parser of hostile input may fail in any way; what fails is no evidence
        return None


def _passes(header: str, domain: str) -> bool:
    read = _read(header)
    if read is None or str(read.version or "1") != "1":
        return False
    found = [each for each in read.results if each.method == "dmarc"]
    if len(found) != 1 or found[0].result != "pass":
        return False
    return [str(each.value).lower() for each in found[0].properties if (each.type, each.name) == _HEADER_FROM] == [
        domain
    ]
