"""The written forms of settings: a reader and a writer for each kind.

A reader takes the words of an operator and raises ValueError with what they must be, without the setting's name.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit

SHORTEST_KEY = 16
"""Characters of a secret key."""

PUSH_SERVICES = (
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "*.push.apple.com",
    "*.notify.windows.com",
)
"""The push services of Chrome and most others, Firefox, Safari, and Edge."""
_USUAL = "usual"
_IMAP_PORTS = {"imaps": 993, "imap": 143}
_FOLDER = "folder:"
TOKEN_URLS = {
    "google": "https://oauth2.googleapis.com/token",
    "microsoft": "https://login.microsoftonline.com/common/oauth2/v2.0/token",
}
FLAG, DELETE = "flag", "delete"
"""The other things that may become of letters in a mailbox."""


class Listen(NamedTuple):
    """A TCP address to listen on; port 0 lets the system choose."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


class UnixListen(NamedTuple):
    """A UNIX socket to listen on."""

    path: str

    def __str__(self) -> str:
        return f"unix:{self.path}"


class Webhook(NamedTuple):
    """A service that takes messages."""

    kind: str
    """``ntfy``, ``slack`` or ``matrix``."""
    url: str


class ImapUrl(NamedTuple):
    """A folder of a mailbox that is reached by IMAP."""

    scheme: str
    """``imaps``, or ``imap`` for STARTTLS."""
    host: str
    port: int
    user: str
    password: str | None
    """None: it is set elsewhere."""
    folder: str

    def __str__(self) -> str:
        secret = "" if self.password is None else ":***"
        return f"{self.scheme}://{quote(self.user)}{secret}@{Listen(self.host, self.port)}/{quote(self.folder)}"


class Folder(NamedTuple):
    """The folder of a mailbox into which letters are moved once they are stored."""

    name: str

    def __str__(self) -> str:
        return f"{_FOLDER}{self.name}"


def address(value: str) -> str:
    """The address of the server."""
    text = value.strip()
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,20}@[A-Za-z0-9.-]{1,100}", text):
        raise ValueError("must be an address such as pbem@example.org, its name at most 20 letters long")
    return text


def truth(value: str) -> bool:
    """Read a yes or no."""
    known = {
        "true": True,
        "yes": True,
        "on": True,
        "1": True,
        "false": False,
        "no": False,
        "off": False,
        "0": False,
    }
    try:
        return known[value.strip().lower()]
    except KeyError:
        raise ValueError("must be true or false") from None


def count(lowest: int, highest: int) -> Callable[[str], int]:
    """Make a reader of whole numbers between these, both included."""

    def read(value: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", value.strip()) or not lowest <= int(value) <= highest:
            raise ValueError(f"must be a whole number from {lowest} to {highest}")
        return int(value)

    return read


def counts(value: str) -> tuple[int, ...]:
    """Whole numbers with commas between them."""
    parts = [part.strip() for part in value.split(",")]
    if not all(re.fullmatch(r"[0-9]{1,9}", part) for part in parts):
        raise ValueError("must be whole numbers of seconds with commas between them, such as 60,120,300")
    return tuple(int(part) for part in parts)


def listen(value: str) -> Listen | None:
    """A host and port to listen on; None: nowhere."""
    text = value.strip()
    if text.lower() == "off":
        return None
    match = re.fullmatch(r"\[?([^\[\]]+)\]?:([0-9]{1,5})", text)
    if match is None or int(match[2]) > 65535:
        raise ValueError("must be host:port, such as 127.0.0.1:8025, or off")
    return Listen(match[1], int(match[2]))


def networks(value: str) -> tuple[str, ...] | None:
    """Addresses and networks of machines; None: there are none."""
    text = value.strip()
    if text.lower() == "off":
        return None
    parts = tuple(part.strip() for part in text.split(","))
    try:
        for part in parts:
            ipaddress.ip_network(part)
    except ValueError:
        raise ValueError("must be addresses or networks with commas between them, such as 127.0.0.1, or off") from None
    return parts


def listen_for_lmtp(value: str) -> Listen | UnixListen | None:
    """A host and port, or a UNIX socket, to listen on; None: nowhere."""
    text = value.strip()
    if text.startswith("unix:") and len(text) > len("unix:"):
        return UnixListen(text.removeprefix("unix:"))
    try:
        return listen(text)
    except ValueError:
        raise ValueError("must be host:port, such as 127.0.0.1:8024, or unix:/path, or off") from None


def mode(value: str) -> int:
    """The permissions of a file."""
    text = value.strip()
    if not re.fullmatch(r"0?[0-7]{3}", text):
        raise ValueError("must be three octal digits such as 660")
    return int(text, 8)


def octal(mode: int) -> str:
    """The permissions of a file as `mode` reads them."""
    return f"{mode:03o}"


def authserv_id(value: str) -> str | None:
    """The name that an MTA signs its findings with; None: there is none."""
    text = value.strip().lower()
    if text and not re.fullmatch(r"[a-z0-9.-]{1,253}", text):
        raise ValueError("must be a host name such as mx.example.org")
    return text or None


def path(value: str) -> str | None:
    """A path; None: there is none."""
    return value.strip() or None


def keys(value: str) -> tuple[str, ...]:
    """Secret keys, the present one first."""
    keys = tuple(key.strip() for key in value.split(",") if key.strip())
    if not keys or any(len(key) < SHORTEST_KEY for key in keys):
        raise ValueError(f"must be one or more keys of at least {SHORTEST_KEY} characters with commas between them")
    return keys


def push_key(value: str) -> str | None:
    """The private key by which push services know the server: 32 random bytes in base64url; None: there is none."""
    text = value.strip().rstrip("=")
    if not text:
        return None
    if not re.fullmatch(r"[A-Za-z0-9_-]{43}", text):
        raise ValueError("must be 32 random bytes in base64url, which are 43 characters")
    return text


def push_services(value: str) -> tuple[str, ...]:
    """Names of hosts, perhaps with a port; ``*.`` stands for any name below a domain, ``usual`` for `PUSH_SERVICES`."""
    found: list[str] = []
    for name in (each.strip().lower() for each in value.split(",")):
        if name == _USUAL:
            found += PUSH_SERVICES
        elif re.fullmatch(r"(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]{1,5})?", name):
            found.append(name)
        else:
            raise ValueError("must be usual, or hosts with commas between them, such as usual,*.push.example.org")
    return tuple(found)


def relay(value: str) -> str:
    """The URL of what takes our mails."""
    text = value.strip()
    if not re.match(r"(smtps?://[^/]+|lmtp\+unix:/.+|maildir:.+)", text) or not _has_usable_port(text):
        raise ValueError("must be smtp://host:port, smtps://host:port, lmtp+unix:/path or maildir:folder")
    return text


def _has_usable_port(url: str) -> bool:
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False


def imap_url(value: str) -> ImapUrl | None:
    """The URL of a mailbox (RFC 5092); None: there is none. The complaint must not show the password."""
    text = value.strip()
    if not text or text.lower() == "off":
        return None
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if host is None or port == 0 or parts.scheme not in _IMAP_PORTS or not parts.username or parts.query:
        raise ValueError("must be like imaps://user:password@imap.example.org/INBOX, special characters as %40")
    password = None if parts.password is None else unquote(parts.password)
    folder = unquote(parts.path.removeprefix("/")) or "INBOX"
    return ImapUrl(parts.scheme, host, port or _IMAP_PORTS[parts.scheme], unquote(parts.username), password, folder)


def taken(value: str) -> Folder | str:
    """The fate of a letter in a mailbox once it is stored: moved to a folder, flagged or deleted."""
    text = value.strip()
    if text.lower() in (FLAG, DELETE):
        return text.lower()
    name = text.removeprefix(_FOLDER).strip()
    if not text.startswith(_FOLDER) or not name or not name.isprintable():
        raise ValueError("must be folder: and a name, such as folder:pbem, or flag, or delete")
    return Folder(name)


def webhook(value: str) -> Webhook | None:
    """A service that takes messages; None: there is none. The complaint must not show the URL, which may be secret."""
    text = value.strip()
    if not text or text.lower() == "off":
        return None
    kind, _, url = text.partition(":")
    is_url = re.fullmatch(r"https://[^\s#]+|http://([^\s@/]+@)?(127\.0\.0\.1|localhost)(:[0-9]+)?/[^\s#]*", url)
    needs_token = kind == "matrix" and not (is_url and urlsplit(url).username and urlsplit(url).path.strip("/"))
    if kind not in ("ntfy", "slack", "matrix") or not is_url or needs_token:
        raise ValueError("must be ntfy:https://..., slack:https://... or matrix:https://token@host/!room:host, or off")
    return Webhook(kind, url)


def masked_webhook(webhook: Webhook) -> str:
    """A webhook without its URL: whoever knows that may post there."""
    return f"{webhook.kind}:***"


def secret(value: str) -> str | None:
    """A password; None: there is none."""
    return value.strip() or None


def token_url(value: str) -> str | None:
    """The URL at which access tokens are given out, or the name of a provider; None: there is none."""
    text = value.strip()
    known = TOKEN_URLS.get(text.lower(), text)
    if known and not re.fullmatch(r"https://[^\s@#]+|http://(127\.0\.0\.1|localhost)(:[0-9]+)?/[^\s@#]*", known):
        raise ValueError(f"must be {', '.join(TOKEN_URLS)}, or the https:// address of another token endpoint")
    return known or None


def masked_token(token: str) -> str:
    """A refresh token, which is not shown, or the file that it is in."""
    return token if token.startswith("file:") else "***"


def url(value: str) -> str:
    """The URL of a web site, without a slash at its end."""
    text = value.strip()
    if not re.fullmatch(r"https?://[^\s/?#@]+/?", text):
        raise ValueError("must be http:// or https:// and a host, without a path")
    return text.rstrip("/")


def mailbox(value: str) -> str:
    """An address of somebody's."""
    text = value.strip()
    if not re.fullmatch(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){0,10}", text):
        raise ValueError("must be one address such as admin@example.org")
    return text


def database(value: str) -> str:
    """The URL of a database."""
    text = value.strip()
    if not text.startswith(("sqlite:///", "postgresql+psycopg://")):
        raise ValueError("must begin with sqlite:/// or postgresql+psycopg://")
    if not text.startswith("sqlite:"):
        _look_at_url(text)
    return text


def postgresql(value: str) -> str | None:
    """The URL of a database on PostgreSQL; None: there is none."""
    text = value.strip()
    if not text:
        return None
    if not text.startswith("postgresql+psycopg://"):
        raise ValueError("must begin with postgresql+psycopg://")
    return database(text)


def _look_at_url(text: str) -> None:
    """Check that a library can read a URL; its complaint may quote a password, and is not repeated."""
    from sqlalchemy import make_url  # loaded where it is used
    from sqlalchemy.exc import ArgumentError

    try:
        make_url(text)
    except (ArgumentError, ValueError):
        raise ValueError("must be like postgresql+psycopg://user:password@host:5432/name") from None


def is_this_machine(host: str) -> bool:
    """Return True if a host is the machine itself, reached without a network."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def level(value: str) -> str:
    """Read the level of the log."""
    text = value.strip().lower()
    if text not in ("debug", "info", "warning", "error"):
        raise ValueError("must be debug, info, warning or error")
    return text


def log_format(value: str) -> str:
    """Read the format of the log."""
    text = value.strip().lower()
    if text not in ("text", "json"):
        raise ValueError("must be text or json")
    return text


def plain(value: Any) -> str:
    """A value as the operator would write it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple) and not isinstance(value, Listen | UnixListen | ImapUrl | Folder | Webhook):
        return ",".join(map(str, value))
    return str(value)


def masked_url(value: str) -> str:
    """A URL without its passwords, were they ever so badly quoted."""
    masked = re.sub(r"(://[^:@/]*):.*@", r"\1:***@", value)
    return re.sub(r"(password=)[^&]*", r"\1***", masked, flags=re.IGNORECASE)


def shown_services(hosts: tuple[str, ...]) -> str:
    """Push services as `push_services` reads them."""
    return _USUAL if hosts == PUSH_SERVICES else plain(hosts)


def masked_key(_key: str) -> str:
    """A secret key, which is not shown."""
    return "***"


def masked_keys(keys: tuple[str, ...]) -> str:
    """Secret keys, of which only their number is shown."""
    return ",".join("***" for _ in keys)
