"""The relay that the settings name, and the access tokens with which it and the mailbox do without a password."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pbem.config import BadSetting, Settings
from pbem.mail_out.relay import Relay, make_relay

if TYPE_CHECKING:  # HTTP is loaded where tokens are used
    from pbem.access_tokens import AccessTokens


def relay_maker(settings: Settings) -> Callable[[], Relay]:
    """Makes relays, each for one thread.

    Raises:
        BadSetting: a setting about access tokens is missing.
    """
    return partial(make_relay, settings.relay_url, settings.relay_mails_per_connection, relay_tokens(settings))


def relay_tokens(settings: Settings) -> AccessTokens | None:
    """The access tokens for the relay; the client and the refresh token may be those of the mailbox.

    Raises:
        BadSetting: a setting is missing.
    """
    if settings.relay_token_url is None:
        return None
    url = urlsplit(settings.relay_url)
    if url.scheme not in ("smtp", "smtps") or not url.username:
        said = "must be like smtps://user@smtp.example.org when PBEM_RELAY_TOKEN_URL is set"
        raise BadSetting("PBEM_RELAY_URL", said)
    client_id, secret = settings.relay_client_id, settings.relay_client_secret
    if client_id is None:
        client_id, secret = settings.mailbox_client_id, secret or settings.mailbox_client_secret
    refresh_token = settings.relay_refresh_token or settings.mailbox_refresh_token
    return _tokens("RELAY", settings.relay_token_url, client_id, secret, refresh_token)


def mailbox_tokens(settings: Settings) -> AccessTokens | None:
    """The access tokens for the mailbox.

    Raises:
        BadSetting: a setting is missing.
    """
    if settings.mailbox_token_url is None:
        return None
    secret, refresh_token = settings.mailbox_client_secret, settings.mailbox_refresh_token
    return _tokens("MAILBOX", settings.mailbox_token_url, settings.mailbox_client_id, secret, refresh_token)


def _tokens(
    what: str, token_url: str, client_id: str | None, client_secret: str | None, refresh_token: str | None
) -> AccessTokens:
    from pbem.access_tokens import AccessTokens, OAuthGrant

    if client_id is None or refresh_token is None:
        missing = "CLIENT_ID" if client_id is None else "REFRESH_TOKEN"
        raise BadSetting(f"PBEM_{what}_{missing}", f"must be set, too, when PBEM_{what}_TOKEN_URL is")
    return AccessTokens(OAuthGrant(token_url, client_id, client_secret, refresh_token))
