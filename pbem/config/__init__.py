"""The settings: their names and defaults, in one place.

A setting comes from the environment (``PBEM_ADDRESS``) or from the TOML file
named by ``PBEM_CONFIG`` (``address``); the environment goes first. Only
`bootstrap` and the command line read them; all others are handed values.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import timedelta
from pathlib import Path
from typing import Any, Self

from pbem.config import values
from pbem.config.values import DELETE, FLAG, SHORTEST_KEY, Folder, ImapUrl, Listen, UnixListen, Webhook
from pbem.errors import PbemError

__all__ = [
    "DELETE",
    "FLAG",
    "NO_KEY",
    "SHORTEST_KEY",
    "BadSetting",
    "Folder",
    "ImapUrl",
    "Listen",
    "Settings",
    "UnixListen",
    "Webhook",
]

_ANYWHERE = ("0.0.0.0", "::")  # noqa: S104 - nothing is bound to it here
"""Hosts that are listened on and that no link can name."""
PREFIX = "PBEM_"
_FILE = "PBEM_CONFIG"
_OF_TESTS = "PBEM_TEST_"
NO_KEY = "must be set when the database is not SQLite, the same for all processes"


class BadSetting(PbemError):
    """A setting is unknown or its value cannot be used, and perhaps others, too; ``str`` is a line about each."""

    name: str
    reason: str
    others: Sequence[BadSetting] = ()

    def __str__(self) -> str:
        return "\n".join([f"{self.name}: {self.reason}", *map(str, self.others)])


def _setting(
    default: str | None, read: Callable[[str], Any], *, show: Callable[[Any], str] = values.plain, absent: str = "off"
) -> Any:
    """A field whose default is written as the operator would write it; None: it is ``absent`` by default."""
    value = None if default is None else read(default)
    return field(default=value, repr=show is values.plain, metadata={"read": read, "show": show, "absent": absent})


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting of the server. The example file under ``deploy/`` explains each."""

    address: str = _setting("pbem@localhost", values.address)
    sub_addresses: bool = _setting("true", values.truth)
    database_url: str = _setting("sqlite:///pbem.db", values.database, show=values.masked_url)
    database_connections: int = _setting("10", values.count(3, 1000))
    database_listen_url: str | None = _setting(
        None, values.postgresql, show=values.masked_url, absent="(that of database_url)"
    )
    database_prepared_statements: bool | None = _setting(
        None, values.truth, absent="(unless database_listen_url is set)"
    )
    database_read_url: str | None = _setting(None, values.postgresql, show=values.masked_url, absent="(none)")
    max_replica_lag_seconds: int = _setting("5", values.count(1, 3600))
    smtp_listen: Listen | None = _setting("127.0.0.1:8025", values.listen)
    smtp_certificate: str | None = _setting(None, values.path, absent="(none)")
    smtp_private_key: str | None = _setting(None, values.path, absent="(none)")
    smtp_proxy_protocol: bool = _setting("false", values.truth)
    lmtp_listen: Listen | UnixListen | None = _setting("off", values.listen_for_lmtp)
    lmtp_socket_mode: int = _setting("660", values.mode, show=values.octal)
    mailbox_url: ImapUrl | None = _setting("off", values.imap_url, show=str)
    mailbox_password: str | None = _setting(None, values.secret, show=values.masked_key, absent="(none)")
    mailbox_token_url: str | None = _setting(None, values.token_url, absent="(none)")
    mailbox_client_id: str | None = _setting(None, values.secret, absent="(none)")
    mailbox_client_secret: str | None = _setting(None, values.secret, show=values.masked_key, absent="(none)")
    mailbox_refresh_token: str | None = _setting(None, values.secret, show=values.masked_token, absent="(none)")
    mailbox_taken: Folder | str = _setting("folder:pbem", values.taken)
    inbound_secret: tuple[str, ...] | None = _setting(None, values.keys, show=values.masked_keys, absent="(none)")
    web_listen: Listen | None = _setting("127.0.0.1:8080", values.listen)
    web_url: str | None = _setting(None, values.url, absent="(where the web listens)")
    web_proxies: tuple[str, ...] | None = _setting("127.0.0.1,::1", values.networks)
    monitor_listen: Listen | None = _setting("off", values.listen)
    session_days: int = _setting("30", values.count(1, 365))
    max_web_connections: int = _setting("1000", values.count(10, 100_000))
    max_web_connections_per_host: int = _setting("200", values.count(1, 100_000))
    max_followers: int = _setting("500", values.count(0, 100_000))
    max_followers_per_host: int = _setting("100", values.count(0, 100_000))
    relay_url: str = _setting("maildir:mail", values.relay, show=values.masked_url)
    relay_token_url: str | None = _setting(None, values.token_url, absent="(none)")
    relay_client_id: str | None = _setting(None, values.secret, absent="(that of the mailbox)")
    relay_client_secret: str | None = _setting(
        None, values.secret, show=values.masked_key, absent="(that of the client, if it has one)"
    )
    relay_refresh_token: str | None = _setting(
        None, values.secret, show=values.masked_token, absent="(that of the mailbox)"
    )
    relay_mails_per_hour: int | None = _setting(None, values.count(1, 10_000_000), absent="(any number)")
    relay_mails_per_connection: int | None = _setting(None, values.count(1, 1_000_000), absent="(any number)")
    push_private_key: str | None = _setting(None, values.push_key, show=values.masked_key, absent="(none)")
    push_contact: str | None = _setting(None, values.mailbox, absent="(none)")
    push_services: tuple[str, ...] = _setting("usual", values.push_services, show=values.shown_services)
    secret_key: tuple[str, ...] | None = _setting(
        None, values.keys, show=values.masked_keys, absent="(kept beside the database)"
    )
    confirm_signup: bool = _setting("true", values.truth)
    trust_from: bool = _setting("false", values.truth)
    authserv_id: str | None = _setting(None, values.authserv_id, absent="(none)")
    operator: str | None = _setting(None, values.mailbox, absent="(none)")
    alarm_webhook: Webhook | None = _setting("off", values.webhook, show=values.masked_webhook)
    max_letter_bytes: int = _setting("262144", values.count(1024, 10_485_760))
    max_recipients: int = _setting("10", values.count(1, 100))
    max_connections: int = _setting("200", values.count(1, 10_000))
    max_connections_per_host: int = _setting("100", values.count(1, 10_000))
    max_letters_per_hour_per_host: int = _setting("1000", values.count(10, 10_000_000))
    max_bytes_per_hour_per_host: int = _setting("50000000", values.count(100_000, 100_000_000_000))
    trusted_clients: tuple[str, ...] | None = _setting("127.0.0.1,::1", values.networks)
    max_session_commands: int = _setting("1000", values.count(10, 1_000_000))
    idle_seconds: int = _setting("60", values.count(1, 3600))
    session_seconds: int = _setting("600", values.count(1, 86_400))
    max_waiting_letters: int = _setting("10000", values.count(1, 10_000_000))
    read_seconds: int = _setting("2", values.count(1, 60))
    reader_memory_mib: int = _setting("512", values.count(128, 65_536))
    max_answers_per_day: int = _setting("100", values.count(1, 100_000))
    max_answers_per_hour: int = _setting("40", values.count(1, 100_000))
    max_answer_bytes_per_day: int = _setting("5000000", values.count(10_000, 1_000_000_000))
    max_stranger_mails_per_day: int = _setting("20", values.count(1, 100_000))
    max_stranger_mails_per_hour: int = _setting("1200", values.count(4, 1_000_000))
    max_unread_in_a_row: int = _setting("5", values.count(1, 1000))
    max_questions_per_day: int = _setting("5", values.count(1, 1000))
    max_unproven_challenges_per_day: int = _setting("10", values.count(0, 10_000))
    max_challenges_per_day: int = _setting("100", values.count(0, 100_000))
    wait_for_robots_seconds: int = _setting("15", values.count(0, 600))
    max_boards_per_robot: int = _setting("1", values.count(1, 1000))
    guests: bool = _setting("true", values.truth)
    guest_days: int = _setting("7", values.count(1, 365))
    guests_per_host_and_day: int = _setting("20", values.count(1, 100_000))
    guests_per_day: int = _setting("500", values.count(1, 1_000_000))
    admin_commands: bool = _setting("false", values.truth)
    max_messages_per_day: int = _setting("100", values.count(0, 100_000))
    max_broadcasts_per_day: int = _setting("1", values.count(0, 1000))
    max_wrong_passwords_per_userid: int = _setting("5", values.count(1, 1000))
    max_wrong_passwords_per_domain: int = _setting("20", values.count(1, 100_000))
    keep_mail_days: int = _setting("30", values.count(1, 3650))
    keep_traces_days: int = _setting("180", values.count(1, 3650))
    max_commands: int = _setting("20", values.count(1, 100))
    max_boards_shown: int = _setting("20", values.count(1, 100))
    confirm_days: int = _setting("7", values.count(1, 60))
    reply_days: int = _setting("90", values.count(1, 365))
    clock_seconds: int = _setting("30", values.count(1, 3600))
    nag_days: int = _setting("7", values.count(1, 366))
    forfeit_days: int = _setting("21", values.count(1, 366))
    unreachable_days: int = _setting("14", values.count(0, 366))
    tournament_nag_days: int = _setting("1", values.count(1, 366))
    tournament_forfeit_days: int = _setting("7", values.count(1, 366))
    vacation_days: int = _setting("30", values.count(0, 365))
    archive_days: int = _setting("14", values.count(0, 3650))
    thinkers: int | None = _setting(None, values.count(0, 256), absent="(one less than processors, at most 4)")
    think_seconds: int = _setting("1800", values.count(1, 86_400))
    max_playouts: int | None = _setting(None, values.count(1, 10_000_000), absent="(what the level says)")
    max_analysis_playouts: int | None = _setting(
        None, values.count(1, 100_000_000), absent="(what the compiler allows)"
    )
    processes: int | None = _setting(None, values.count(1, 64), absent="(as many as processors)")
    worker_threads: int = _setting("1", values.count(1, 16))
    delivery_threads: int = _setting("1", values.count(1, 16))
    lease_seconds: int = _setting("60", values.count(1, 3600))
    retry_letter_seconds: int = _setting("5", values.count(0, 3600))
    retry_mail_seconds: tuple[int, ...] = _setting("60,120,300,900,3600", values.counts)
    give_up_days: int = _setting("5", values.count(1, 30))
    drain_seconds: int = _setting("10", values.count(0, 600))
    password_memory_kib: int = _setting("19456", values.count(8, 1_048_576))
    password_rounds: int = _setting("2", values.count(1, 100))
    remember_password_seconds: int = _setting("600", values.count(0, 86_400))
    backup_folder: str | None = _setting(None, values.path, absent="(none)")
    backup_hours: int = _setting("24", values.count(0, 8760))
    keep_backup_days: int = _setting("14", values.count(1, 3650))
    log_level: str = _setting("info", values.level)
    log_format: str = _setting("text", values.log_format)
    sources: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The source of each setting that is not a default."""

    @property
    def prepares_statements(self) -> bool:
        """PostgreSQL may be asked to prepare statements, which few poolers know how to share."""
        chosen = self.database_prepared_statements
        return self.database_listen_url is None if chosen is None else chosen

    @property
    def has_pages(self) -> bool:
        """Mails can say where the pages are."""
        listen = self.web_listen
        is_somewhere = listen is not None and listen.port != 0 and listen.host not in _ANYWHERE
        return self.web_url is not None or is_somewhere

    @property
    def site_url(self) -> str:
        """The beginning of links to the web, without a slash at the end."""
        return (self.web_url or f"http://{self.web_listen or values.Listen('localhost', 8080)}").rstrip("/")

    @property
    def give_up_after(self) -> timedelta:
        """The time for which delivery of a mail is tried."""
        return timedelta(days=self.give_up_days)

    @classmethod
    def read(cls, environ: Mapping[str, str], *, serving: bool = False) -> Self:
        """Read the settings from an environment and the file that it may name.

        Args:
            environ: the variables.
            serving: whether a server is to run with them, which needs more than other programs do.

        Raises:
            BadSetting: some are unknown or malformed, or the file cannot be read.
        """
        wrong: list[BadSetting] = []
        given = {name: (text, f"file {environ[_FILE]}") for name, text in _from_file(environ, wrong).items()}
        for variable, text in environ.items():
            if variable.startswith(PREFIX) and variable != _FILE and not variable.startswith(_OF_TESTS):
                given[variable.removeprefix(PREFIX).lower()] = (text, "environment")
        known = {each.name: each for each in fields(cls) if each.name != "sources"}
        found: dict[str, Any] = {}
        for name, (text, source) in given.items():
            if name not in known:
                wrong.append(BadSetting(_variable(name), f"there is no such setting (from the {source})"))
                continue
            try:
                found[name] = known[name].metadata["read"](text)
            except ValueError as refused:
                wrong.append(BadSetting(_variable(name), f"{refused} (from the {source})"))
        wrong.extend(_missing(found, {str(each.facts["name"]) for each in wrong}, serving=serving))
        if wrong:
            wrong[0].others = wrong[1:]
            raise wrong[0]
        return cls(**found, sources={name: source for name, (_, source) in given.items()})

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


def _missing(found: Mapping[str, Any], wrong: Collection[str], *, serving: bool) -> Iterator[BadSetting]:
    """The settings that another setting requires, and that are neither set nor ``wrong``."""
    tls, push = ("smtp_certificate", "smtp_private_key"), ("push_contact", "push_private_key")
    for name, other in (tls, tls[::-1], push):
        if found.get(other) is not None and found.get(name) is None and _variable(name) not in wrong:
            yield BadSetting(_variable(name), f"must be set, too, when {_variable(other)} is")
    is_sqlite = str(found.get("database_url", "sqlite")).startswith("sqlite")
    if serving and not is_sqlite and found.get("secret_key") is None and _variable("secret_key") not in wrong:
        yield BadSetting(_variable("secret_key"), NO_KEY)
    for name in ("database_listen_url", "database_read_url"):
        if serving and is_sqlite and found.get(name) is not None:
            yield BadSetting(_variable(name), f"is for PostgreSQL, but {_variable('database_url')} is not")


def _from_file(environ: Mapping[str, str], wrong: list[BadSetting]) -> dict[str, str]:
    """The texts of a file by the names of settings; to ``wrong`` comes what cannot be used."""
    path = environ.get(_FILE)
    if not path:
        return {}
    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as failed:
        wrong.append(BadSetting(_FILE, f"{path} cannot be read: {failed}"))
        return {}
    texts = {}
    for name, value in content.items():
        if isinstance(value, dict) or (isinstance(value, list) and not all(isinstance(v, int | str) for v in value)):
            wrong.append(BadSetting(_variable(name), f"must be a single value (from the file {path})"))
        else:
            texts[name] = values.plain(tuple(value) if isinstance(value, list) else value)
    return texts
