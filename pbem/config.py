"""The settings: their names, defaults and readers, in one place.

A setting comes from the environment (``PBEM_ADDRESS``) or from the TOML file
named by ``PBEM_CONFIG`` (``address``); the environment goes first. Only
`bootstrap` and the command line read them; all others are handed values.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field, fields
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from urllib.parse import urlsplit

from pbem.errors import PbemError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PREFIX = "PBEM_"
SHORTEST_KEY = 16
"""Characters of a secret key."""
_FILE = "PBEM_CONFIG"
_OF_TESTS = "PBEM_TEST_"


class BadSetting(PbemError):
    """A setting is unknown or its value cannot be used; ``str`` is a sentence for the operator."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name=name, reason=reason)

    def __str__(self) -> str:
        return f"{self.facts['name']}: {self.facts['reason']}"


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


def _address(value: str) -> str:
    text = value.strip()
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,20}@[A-Za-z0-9.-]{1,100}", text):
        raise ValueError("must be an address such as pbem@example.org, its name at most 20 letters long")
    return text


def _truth(value: str) -> bool:
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


def _count(lowest: int, highest: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", value.strip()) or not lowest <= int(value) <= highest:
            raise ValueError(f"must be a whole number from {lowest} to {highest}")
        return int(value)

    return read


def _counts(value: str) -> tuple[int, ...]:
    parts = [part.strip() for part in value.split(",")]
    if not all(re.fullmatch(r"[0-9]{1,9}", part) for part in parts):
        raise ValueError("must be whole numbers of seconds with commas between them, such as 60,120,300")
    return tuple(int(part) for part in parts)


def _listen(value: str) -> Listen | None:
    text = value.strip()
    if text.lower() == "off":
        return None
    match = re.fullmatch(r"\[?([^\[\]]+)\]?:([0-9]{1,5})", text)
    if match is None or int(match[2]) > 65535:
        raise ValueError("must be host:port, such as 127.0.0.1:8025, or off")
    return Listen(match[1], int(match[2]))


def _listen_for_lmtp(value: str) -> Listen | UnixListen | None:
    text = value.strip()
    if text.startswith("unix:") and len(text) > len("unix:"):
        return UnixListen(text.removeprefix("unix:"))
    try:
        return _listen(text)
    except ValueError:
        raise ValueError("must be host:port, such as 127.0.0.1:8024, or unix:/path, or off") from None


def _mode(value: str) -> int:
    text = value.strip()
    if not re.fullmatch(r"0?[0-7]{3}", text):
        raise ValueError("must be three octal digits such as 660")
    return int(text, 8)


def _octal(mode: int) -> str:
    return f"{mode:03o}"


def _authserv_id(value: str) -> str | None:
    text = value.strip().lower()
    if text and not re.fullmatch(r"[a-z0-9.-]{1,253}", text):
        raise ValueError("must be a host name such as mx.example.org")
    return text or None


def _path(value: str) -> str | None:
    return value.strip() or None


def _keys(value: str) -> tuple[str, ...]:
    keys = tuple(key.strip() for key in value.split(",") if key.strip())
    if not keys or any(len(key) < SHORTEST_KEY for key in keys):
        raise ValueError(f"must be one or more keys of at least {SHORTEST_KEY} characters with commas between them")
    return keys


def _relay(value: str) -> str:
    text = value.strip()
    if not re.match(r"(smtps?://[^/]+|lmtp\+unix:/.+|maildir:.+)", text) or not _has_usable_port(text):
        raise ValueError("must be smtp://host:port, smtps://host:port, lmtp+unix:/path or maildir:folder")
    return text


def _has_usable_port(url: str) -> bool:
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False


def _url(value: str) -> str:
    text = value.strip()
    if text and not re.fullmatch(r"https?://[^\s/]+\S*", text):
        raise ValueError("must begin with http:// or https://")
    return text.rstrip("/")


def _mailbox(value: str) -> str:
    text = value.strip()
    if not re.fullmatch(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){0,10}", text):
        raise ValueError("must be one address such as admin@example.org")
    return text


def _database(value: str) -> str:
    text = value.strip()
    if not text.startswith(("sqlite:///", "postgresql+psycopg://")):
        raise ValueError("must begin with sqlite:/// or postgresql+psycopg://")
    return text


def _level(value: str) -> str:
    text = value.strip().lower()
    if text not in ("debug", "info", "warning", "error"):
        raise ValueError("must be debug, info, warning or error")
    return text


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple) and not isinstance(value, Listen | UnixListen):
        return ",".join(map(str, value))
    return str(value)


def _masked_url(value: str) -> str:
    """A URL without its passwords, were they ever so badly quoted."""
    masked = re.sub(r"(://[^:@/]*):.*@", r"\1:***@", value)
    return re.sub(r"(password=)[^&]*", r"\1***", masked, flags=re.IGNORECASE)


def _masked_keys(keys: tuple[str, ...]) -> str:
    return ",".join("***" for _ in keys)


def _setting(
    default: str | None, read: Callable[[str], Any], *, show: Callable[[Any], str] = _plain, absent: str = "off"
) -> Any:
    """A field whose default is written as the operator would write it; None: it is ``absent`` by default."""
    value = None if default is None else read(default)
    return field(default=value, repr=show is _plain, metadata={"read": read, "show": show, "absent": absent})


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting of the server. The example file under ``deploy/`` explains each."""

    address: str = _setting("pbem@localhost", _address)
    database_url: str = _setting("sqlite:///pbem.db", _database, show=_masked_url)
    smtp_listen: Listen | None = _setting("127.0.0.1:8025", _listen)
    smtp_certificate: str | None = _setting(None, _path, absent="(none)")
    smtp_private_key: str | None = _setting(None, _path, absent="(none)")
    smtp_proxy_protocol: bool = _setting("false", _truth)
    lmtp_listen: Listen | UnixListen | None = _setting("off", _listen_for_lmtp)
    lmtp_socket_mode: int = _setting("660", _mode, show=_octal)
    web_listen: Listen | None = _setting("127.0.0.1:8080", _listen)
    web_url: str | None = _setting(None, _url, absent="(where the web listens)")
    relay_url: str = _setting("maildir:mail", _relay, show=_masked_url)
    secret_key: tuple[str, ...] | None = _setting(
        None, _keys, show=lambda keys: ",".join("***" for _ in keys), absent="(kept beside the database)"
    )
    confirm_signup: bool = _setting("true", _truth)
    trust_from: bool = _setting("false", _truth)
    authserv_id: str | None = _setting(None, _authserv_id, absent="(none)")
    operator: str | None = _setting(None, _mailbox, absent="(none)")
    max_letter_bytes: int = _setting("262144", _count(1024, 10_485_760))
    max_recipients: int = _setting("10", _count(1, 100))
    max_connections: int = _setting("200", _count(1, 10_000))
    max_connections_per_host: int = _setting("100", _count(1, 10_000))
    max_session_commands: int = _setting("1000", _count(10, 1_000_000))
    idle_seconds: int = _setting("60", _count(1, 3600))
    session_seconds: int = _setting("600", _count(1, 86_400))
    max_waiting_letters: int = _setting("10000", _count(1, 10_000_000))
    read_seconds: int = _setting("2", _count(1, 60))
    reader_memory_mib: int = _setting("512", _count(128, 65_536))
    max_answers_per_day: int = _setting("100", _count(1, 100_000))
    max_answers_per_hour: int = _setting("20", _count(1, 100_000))
    max_unread_in_a_row: int = _setting("5", _count(1, 1000))
    max_questions_per_day: int = _setting("5", _count(1, 1000))
    max_unproven_challenges_per_day: int = _setting("10", _count(0, 10_000))
    max_messages_per_day: int = _setting("100", _count(0, 100_000))
    max_broadcasts_per_day: int = _setting("1", _count(0, 1000))
    max_wrong_passwords_per_userid: int = _setting("5", _count(1, 1000))
    max_wrong_passwords_per_domain: int = _setting("20", _count(1, 100_000))
    keep_mail_days: int = _setting("30", _count(1, 3650))
    keep_traces_days: int = _setting("180", _count(1, 3650))
    max_commands: int = _setting("20", _count(1, 100))
    max_boards_shown: int = _setting("20", _count(1, 100))
    confirm_days: int = _setting("7", _count(1, 60))
    reply_days: int = _setting("90", _count(1, 365))
    clock_seconds: int = _setting("30", _count(1, 3600))
    nag_days: int = _setting("7", _count(1, 366))
    forfeit_days: int = _setting("21", _count(1, 366))
    tournament_nag_days: int = _setting("1", _count(1, 366))
    tournament_forfeit_days: int = _setting("7", _count(1, 366))
    vacation_days: int = _setting("30", _count(0, 365))
    archive_days: int = _setting("14", _count(0, 3650))
    lease_seconds: int = _setting("60", _count(1, 3600))
    retry_letter_seconds: int = _setting("5", _count(0, 3600))
    retry_mail_seconds: tuple[int, ...] = _setting("60,120,300,900,3600", _counts)
    give_up_days: int = _setting("5", _count(1, 30))
    drain_seconds: int = _setting("10", _count(0, 600))
    password_memory_kib: int = _setting("19456", _count(8, 1_048_576))
    password_rounds: int = _setting("2", _count(1, 100))
    remember_password_seconds: int = _setting("600", _count(0, 86_400))
    log_level: str = _setting("info", _level)
    sources: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Where each setting that is not a default came from."""

    @property
    def give_up_after(self) -> timedelta:
        """How long delivery of a mail is tried."""
        return timedelta(days=self.give_up_days)

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> Self:
        """Read the settings from an environment and the file that it may name.

        Raises:
            BadSetting: one is unknown or malformed, or the file cannot be read.
        """
        given = {name: (text, f"file {environ[_FILE]}") for name, text in _from_file(environ).items()}
        for variable, text in environ.items():
            if variable.startswith(PREFIX) and variable != _FILE and not variable.startswith(_OF_TESTS):
                given[variable.removeprefix(PREFIX).lower()] = (text, "environment")
        known = {each.name: each for each in fields(cls) if each.name != "sources"}
        values: dict[str, Any] = {}
        for name, (text, source) in given.items():
            if name not in known:
                raise BadSetting(_variable(name), f"there is no such setting (from the {source})")
            try:
                values[name] = known[name].metadata["read"](text)
            except ValueError as wrong:
                raise BadSetting(_variable(name), f"{wrong} (from the {source})") from None
        return cls(**values, sources={name: source for name, (_, source) in given.items()})

    def rows(self) -> list[tuple[str, str, str]]:
        """Name, value and source of each setting, secrets masked."""
        rows = []
        for each in fields(self):
            if each.name == "sources":
                continue
            value = getattr(self, each.name)
            shown = each.metadata["absent"] if value is None else each.metadata["show"](value)
            rows.append((_variable(each.name), shown, self.sources.get(each.name, "default")))
        return rows


def _variable(name: str) -> str:
    return PREFIX + name.upper()


def _from_file(environ: Mapping[str, str]) -> dict[str, str]:
    path = environ.get(_FILE)
    if not path:
        return {}
    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as wrong:
        raise BadSetting(_FILE, f"{path} cannot be read: {wrong}") from None
    texts = {}
    for name, value in content.items():
        if isinstance(value, dict) or (isinstance(value, list) and not all(isinstance(v, int | str) for v in value)):
            raise BadSetting(_variable(name), f"must be a single value (from the file {path})")
        texts[name] = _plain(tuple(value) if isinstance(value, list) else value)
    return texts
